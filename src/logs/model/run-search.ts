import { fitsPattern } from './util/pattern.js'

interface Searched {
  readonly name: string
  readonly id: string
  readonly source: string
  readonly status: string
  readonly tags: readonly string[]
  readonly note: string
}

/**
 * Which runs a search finds: all of its words stand in the name, id, source, status, tags or note, in any order. A word with `*`
 * or `?` is a pattern for one of them as a whole, one with other signs of a regular expression is such an expression.
 */
export function searchMatcher(search: string): (run: Searched) => boolean {
  const words = search.split(/\s+/).filter(Boolean).map(wordMatcher)
  if (words.length === 0) return () => true
  return ({ name, id, source, status, tags, note }) => {
    const texts = [name, id, source, status, ...tags, note]
    return words.every(fits => texts.some(fits))
  }
}

/** Whether a search holds an expression that may take for ever. */
export function isExpression(search: string): boolean {
  return EXPRESSION.test(search)
}

const EXPRESSION = /[\\[\](){}|^$+]|\.\*/

function wordMatcher(word: string): (text: string) => boolean {
  const lower = word.toLowerCase()
  if (EXPRESSION.test(word)) {
    const expression = expressionOf(word)
    if (expression !== null) return text => expression.test(text) || text.toLowerCase().includes(lower)
  } else if (/[*?]/.test(word)) {
    return text => fitsPattern(text.toLowerCase(), lower)
  }
  return text => text.toLowerCase().includes(lower)
}

/** Null while it is still being typed. */
function expressionOf(word: string): RegExp | null {
  try {
    return new RegExp(word, 'i')
  } catch {
    return null
  }
}

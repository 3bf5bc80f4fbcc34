import type { Span } from './markdown.js'
import { lastAtMost } from './places.js'

/** A stretch of the source that its reader does not see, or sees as something else. */
export interface Edit extends Span {
  readonly instead: string
}

export interface EditedText {
  readonly text: string
  /** Where the character at this index of `text` stands in the source. */
  readonly originOf: (index: number) => number
}

/** The text with its edits; of two that overlap the later one is passed over. Without any the text is not copied. */
export function edited(source: string, edits: readonly Edit[]): EditedText {
  if (edits.length === 0) return { text: source, originOf: index => index }
  const [starts, origins]: [number[], number[]] = [[], []]
  let text = ''
  const put = (words: string, origin: number): void => {
    if (words === '') return
    starts.push(text.length)
    origins.push(origin)
    text += words
  }
  let at = 0
  for (const { from, to, instead } of edits.toSorted((a, b) => a.from - b.from)) {
    if (from < at) continue
    put(source.slice(at, from), at)
    put(instead, from)
    at = to
  }
  put(source.slice(at), at)
  const originOf = (index: number): number => {
    const piece = lastAtMost(starts, index)
    return piece < 0 ? 0 : origins[piece] + index - starts[piece]
  }
  return { text, originOf }
}

/** A table of names and what is seen instead of them, in turn. */
export function shownAs(table: string): Map<string, string> {
  return new Map(Array.from(table.matchAll(/(\S+) (\S+)/g), ([, name, sign]) => [name, sign]))
}

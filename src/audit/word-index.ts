/**
 * Many patterns looked for in one pass. A pattern can only match where one of its alternatives begins, so alternatives
 * are sorted by their first letter, and at each letter of a text only those that begin with it are tried. What is found
 * is what `text.matchAll` finds with each pattern alone, at little more than the cost of one of them.
 */
export interface WordIndex<Key> {
  /** By the code of the first letter, in lower case; most letters begin nothing. */
  readonly startingWith: readonly (Start<Key> | undefined)[]
}

interface Start<Key> {
  /** All of them at once, as a quick way to say no. */
  readonly any: RegExp
  readonly entries: readonly Entry<Key>[]
}

interface Entry<Key> {
  /** The pattern's place in the list: no match of a pattern begins inside another match of it. */
  readonly order: number
  readonly key: Key
  readonly pattern: RegExp
}

export interface Found<Key> {
  readonly key: Key
  readonly from: number
  readonly to: number
}

/** Patterns ignore case. Each alternative begins with a letter, a digit, a bracket or a group of such. */
export function indexWords<Key>(patterns: readonly (readonly [Key, RegExp])[]): WordIndex<Key> {
  const entries = new Map<number, (Omit<Entry<Key>, 'pattern'> & { readonly source: string })[]>()
  for (const [order, [key, { source }]] of patterns.entries()) {
    const byLetter = new Map<string, string[]>()
    for (const alternative of alternativesOf(source).flatMap(wordsOf)) {
      for (const letter of firstLetters(alternative)) {
        byLetter.set(letter, [...(byLetter.get(letter) ?? []), alternative])
      }
    }
    for (const [letter, alternatives] of byLetter) {
      const code = letter.charCodeAt(0)
      entries.set(code, [...(entries.get(code) ?? []), { order, key, source: alternatives.join('|') }])
    }
  }
  // An array, because it is asked for every letter of every text.
  const startingWith = new Array<Start<Key> | undefined>(0x1_0000).fill(undefined)
  for (const [code, all] of entries) {
    startingWith[code] = {
      any: new RegExp(all.map(({ source }) => source).join('|'), 'iy'),
      entries: all.map(({ source, ...entry }) => ({ ...entry, pattern: new RegExp(source, 'iy') })),
    }
  }
  return { startingWith }
}

/** In the order of the text; at one place in the order of the patterns. */
export function findWords<Key>({ startingWith }: WordIndex<Key>, text: string): readonly Found<Key>[] {
  const found: Found<Key>[] = []
  const ends: number[] = []
  for (let at = 0; at < text.length; at += 1) {
    const start = startingWith[lowerCase(text.charCodeAt(at))]
    if (start === undefined) continue
    start.any.lastIndex = at
    if (!start.any.test(text)) continue
    for (const { order, key, pattern } of start.entries) {
      pattern.lastIndex = at
      if ((ends[order] ?? 0) > at || !pattern.test(text)) continue
      ends[order] = pattern.lastIndex
      found.push({ key, from: at, to: pattern.lastIndex })
    }
  }
  return found
}

function lowerCase(code: number): number {
  return code >= 0x41 && code <= 0x5a ? code + 0x20 : code
}

/** The alternatives of a pattern's source, split at each `|` outside of brackets. */
function alternativesOf(source: string): string[] {
  const parts: string[] = []
  let depth = 0
  let start = 0
  for (let at = 0; at < source.length; at += 1) {
    if (source[at] === '\\') at += 1
    else if (source[at] === '(' || source[at] === '[') depth += 1
    else if (source[at] === ')' || source[at] === ']') depth -= 1
    else if (source[at] === '|' && depth === 0) {
      parts.push(source.slice(start, at))
      start = at + 1
    }
  }
  return [...parts, source.slice(start)]
}

const WORDS = /^(\(\?<!\[a-z\]\))\(\?:(.*)\)(\(\?!\[a-z\]\))$/

/** `(?<![a-z])(?:a|b)(?![a-z])` says of each of a group of words that it is a whole word. */
function wordsOf(alternative: string): string[] {
  const [, before, group, behind] = WORDS.exec(alternative) ?? []
  return group === undefined ? [alternative] : alternativesOf(group).map(word => `${before}(?:${word})${behind}`)
}

function firstLetters(alternative: string): readonly string[] {
  const source = alternative.replace(/^\(\?<!\[a-z\]\)/, '')
  if (source.startsWith('(?:')) {
    const end = groupEnd(source)
    const inside = alternativesOf(source.slice(3, end)).flatMap(firstLetters)
    return source[end + 1] === '?'
      ? [...new Set([...inside, ...firstLetters(source.slice(end + 2))])]
      : [...new Set(inside)]
  }
  if (source.startsWith('\\d')) return [...'0123456789']
  const letter = source[0] === '\\' ? source[1] : source[0]
  if (letter === undefined || /[[\].*+?^$|()]/.test(source[0])) throw new Error(`no first letter: ${alternative}`)
  if (source[source[0] === '\\' ? 2 : 1] === '?') throw new Error(`an optional first letter: ${alternative}`)
  return [letter.toLowerCase()]
}

/** Where the group that opens the source closes. */
function groupEnd(source: string): number {
  let depth = 0
  for (let at = 0; at < source.length; at += 1) {
    if (source[at] === '\\') at += 1
    else if (source[at] === '(') depth += 1
    else if (source[at] === ')') {
      depth -= 1
      if (depth === 0) return at
    }
  }
  return source.length
}

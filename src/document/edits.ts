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

/** The text with its edits, in the order of their places; one that begins inside another is passed over. */
export function edited(source: string, edits: readonly Edit[]): EditedText {
  if (edits.length === 0) return { text: source, originOf: index => index }
  const pieces: string[] = []
  const starts: number[] = []
  const origins: number[] = []
  let length = 0
  const put = (words: string, origin: number): void => {
    if (words === '') return
    pieces.push(words)
    starts.push(length)
    origins.push(origin)
    length += words.length
  }
  let at = 0
  for (const { from, to, instead } of edits) {
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
  return { text: pieces.join(''), originOf }
}

export function inOrder(edits: Edit[]): readonly Edit[] {
  return edits.sort((a, b) => a.from - b.from)
}

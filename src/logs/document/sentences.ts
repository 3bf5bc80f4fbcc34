import type { Span } from './markdown.js'
import { everyMatch } from './matches.js'

/**
 * Lines of prose as sentences. Nothing that is longer than a long paragraph is one statement: rules compare what stands
 * in a statement with each other, and a line of megabytes must cost no more than the same text in sentences.
 */
export const LONGEST_STATEMENT = 4_000

const STOP = /[。！？](?=[^）)」”"']|$)|[.!?](?=[*_”"')]{0,4}\s+[A-Z“"'(*\d\u4e00-\u9fff$\\])/gu
const ABBREVIATION = /(?:vs|e\.g|i\.e|approx|est|ca|Fig|Tab|No)\.$/i
const LONGEST_ABBREVIATION = 8

/** Ends of sentences: Chinese stops anywhere, English ones before a space; list items are cut the same way. */
export function* sentencesOf(text: string, { from, to }: Span): Generator<Span> {
  const line = text.slice(from, to)
  let start = 0
  for (const { index } of [...everyMatch(line, STOP), { index: line.length - 1 }]) {
    const end = index + 1
    if (end < line.length && ABBREVIATION.test(line.slice(Math.max(start, end - LONGEST_ABBREVIATION), end))) continue
    for (; start < end; start += LONGEST_STATEMENT) {
      const words = { from: from + start, to: from + Math.min(end, start + LONGEST_STATEMENT) }
      if (/\S/.test(text.slice(words.from, words.to))) yield words
    }
    start = end
  }
}

/** A line this long was broken by its author's editor, not by its author. */
const WRAPPED = 50
const GOES_ON = /[a-z$(\\\d%/]/
const ENDED = /[.。!！?？:：;；|]["”』)）*]*$|\\$| {2}$/

/**
 * Lines of one sentence as one: where a long line has no stop at its end and the next begins in the middle of something.
 */
export function unwrapped(text: string, lines: readonly Span[]): readonly Span[] {
  if (lines.length === 1) return lines
  const joined: Span[] = []
  for (const [i, line] of lines.entries()) {
    const last = lines[i - 1] ?? { from: 0, to: 0 }
    const isLong = last.to - text.lastIndexOf('\n', last.to - 1) > WRAPPED
    const goesOn =
      isLong && GOES_ON.test(text[line.from] ?? '') && !ENDED.test(text.slice(last.from, last.to).slice(-12))
    const from = goesOn ? (joined.pop()?.from ?? line.from) : line.from
    joined.push({ from, to: line.to })
  }
  return joined
}

const MOST_LEADS = 3

/**
 * Under which labels a line stands: the less indented lines before it, and lines before it that end with a colon; the
 * innermost first. Open labels are a stack of growing indentation, so a line costs no more than the labels it closes.
 */
export function leadKeeper() {
  const open: { readonly indent: number; readonly text: string; readonly isLabel: boolean }[] = []
  return {
    reset: (): void => {
      open.length = 0
    },
    around: (indent: number): readonly string[] => {
      const found: string[] = []
      for (const lead of open.toReversed()) {
        if (found.length >= MOST_LEADS) break
        if (lead.indent < indent || lead.isLabel) found.push(lead.text)
      }
      return found
    },
    see: (text: string, indent: number): void => {
      while ((open.at(-1)?.indent ?? -1) >= indent) open.pop()
      open.push({ indent, text, isLabel: /[:：]\s*$/.test(text) })
    },
  }
}

import type { Context } from '../context.js'
import { displayWidth, pad, printable } from './style.js'

/**
 * Two texts beside each other, in two columns of a terminal. What both begin and end with is left out but for a few
 * words, so that the passage in which they differ is seen. Texts come from models: nothing in them may reach the
 * terminal as anything but letters.
 */

/** Words around the differing passage. */
const AROUND = 40
/** Of one text. */
const MOST_LINES = 16
/** Narrower columns are unreadable; then one text stands under the other. */
const NARROWEST = 34

export function sideBySide(
  context: Context,
  labels: readonly string[],
  texts: readonly (string | null)[],
  width: number,
): string[] {
  const parts = differing(texts)
  const column = Math.floor((width - 3) / 2)
  if (texts.length < 2 || column < NARROWEST) {
    return texts.flatMap((_, i) => [
      context.paint('dim', labels[i]),
      ...block(context, parts[i], width - 2).map(indent),
    ])
  }
  const blocks = parts.map(part => block(context, part, column))
  const rows = Math.max(...blocks.map(({ length }) => length))
  const heads = labels.map(label => context.paint('dim', label))
  const lines = Array.from({ length: rows }, (_, i) => blocks.map(lines => lines[i] ?? ''))
  return [heads, ...lines].map(([left, right]) => `${pad(left, column)} │ ${right}`.trimEnd())
}

interface Part {
  readonly text: string | null
  /** Characters left out before and behind, which the other text has as well. */
  readonly before: number
  readonly behind: number
}

function differing(texts: readonly (string | null)[]): readonly Part[] {
  const [first, second] = texts
  if (first == null || second == null) return texts.map(text => ({ text, before: 0, behind: 0 }))
  const shortest = Math.min(first.length, second.length)
  let start = 0
  while (start < shortest && first[start] === second[start]) start += 1
  let end = 0
  while (end < shortest - start && first[first.length - 1 - end] === second[second.length - 1 - end]) end += 1
  const before = start < 2 * AROUND ? 0 : atWord(first, start - AROUND)
  const behind = end < 2 * AROUND ? 0 : end - AROUND
  return [first, second].map(text => ({ text: text.slice(before, text.length - behind), before, behind }))
}

function atWord(text: string, from: number): number {
  const blank = text.slice(from, from + AROUND / 2).search(/\s/)
  return blank < 0 ? from : from + blank + 1
}

function block(context: Context, { text, before, behind }: Part, width: number): string[] {
  if (text === null) return [context.paint('dim', context.say('samples.no-output', {}))]
  if (text === '') return [context.paint('dim', context.say('samples.empty-output', {}))]
  const alike = (count: number): string[] =>
    count === 0 ? [] : [context.paint('dim', context.say('samples.alike', { count }))]
  const { lines, rest } = wrap(text, width, MOST_LINES)
  const cut = rest === 0 ? alike(behind) : [context.paint('dim', context.say('samples.cut', { count: rest + behind }))]
  return [...alike(before), ...lines, ...cut]
}

/** Lines of at most `width` columns, broken at blanks where there are any; and how many characters did not fit. */
export function wrap(text: string, width: number, most: number): { readonly lines: string[]; readonly rest: number } {
  const lines: string[] = []
  let taken = 0
  // A line of a terminal holds no more than `width` characters, so what lies beyond need not be looked at.
  const source = text.slice(0, width * most * 2)
  for (const paragraph of source.split(/\r\n|\n/)) {
    let left = printable(paragraph.replaceAll('\t', '  '), paragraph.length * 6 + 1)
    do {
      if (lines.length >= most) return { lines, rest: Math.max(1, text.length - taken) }
      const line = fitting(left, width)
      lines.push(line.trimEnd())
      left = left.slice(line.length).trimStart()
    } while (left !== '')
    taken += paragraph.length + 1
  }
  return { lines, rest: Math.max(0, text.length - source.length) }
}

function fitting(text: string, width: number): string {
  let columns = 0
  let end = 0
  for (const character of text) {
    columns += displayWidth(character)
    if (columns > width) break
    end += character.length
  }
  if (end >= text.length) return text
  const blank = text.lastIndexOf(' ', end)
  return text.slice(0, blank > end / 2 ? blank : Math.max(end, 1))
}

function indent(line: string): string {
  return `  ${line}`
}

import type { Statement } from './parse.js'

/** What a script's variables hold while it is followed, as far as that is known, and how much may still be written out. */

export interface ShellWord {
  /** With `UNKNOWN` where something stands that only running would tell. */
  readonly text: string
  readonly line: number
  /** `@` for the script's own arguments, `1` for its first: words that somebody else will supply. */
  readonly passes?: string
}

/** Stands in a text for what is not known: a character of Unicode's private area. */
export const UNKNOWN = '\uE000'

/** A plain variable, or the words of an array. */
export type Value = ShellWord | readonly ShellWord[]

export interface State {
  readonly variables: Map<string, Value>
  readonly functions: Map<string, readonly Statement[]>
  /** The arguments of the function that runs; null in the script itself, whose own are not known. */
  readonly positional: readonly ShellWord[] | null
  /** `exit` or `return` was reached. */
  ended: boolean
}

/** Characters that may still be written out, however often a script repeats itself. */
export interface Allowance {
  characters: number
}

export const MOST_ITEMS = 10_000
const LONGEST_VALUE = 1 << 16

export function bounded(text: string): string {
  return text.length > LONGEST_VALUE ? UNKNOWN : text
}

export function textOf(value: Value): string {
  return bounded(textsOf(value).join(' '))
}

export function textsOf(value: Value): readonly string[] {
  return [value].flat().map(({ text }) => text)
}

/** What all branches agree on, and that there may be more: an option that one of them appends does not hide the others. */
export function agreed(values: readonly (Value | undefined)[]): Value {
  const set = values.filter(value => value !== undefined)
  const [first] = set
  if (set.length < values.length) return { text: UNKNOWN, line: lineOf(first) }
  if (set.every(value => sameText(value, first))) return first
  const lists = set.map(value => [value].flat())
  if (set.some(value => Array.isArray(value))) {
    const length = lists[0].findIndex(({ text }, i) => lists.some(list => list[i]?.text !== text))
    const common = length < 0 ? lists[0] : lists[0].slice(0, length)
    return [...common, { text: UNKNOWN, line: lineOf(first) }]
  }
  return { text: commonStart(lists.map(([{ text }]) => text)), line: lineOf(first) }
}

function commonStart(texts: readonly string[]): string {
  const [first] = texts
  let end = 0
  while (end < first.length && texts.every(text => text[end] === first[end])) end += 1
  const isBetweenWords = texts.every(text => end === text.length || /\s/.test(text[end]))
  return `${first.slice(0, end)}${isBetweenWords ? ' ' : ''}${UNKNOWN}`
}

function sameText(a: Value, b: Value): boolean {
  const [left, right] = [textsOf(a), textsOf(b)]
  return left.length === right.length && left.every((text, i) => text === right[i])
}

function lineOf(value: Value | undefined): number {
  return value === undefined ? 0 : ([value].flat()[0]?.line ?? 0)
}

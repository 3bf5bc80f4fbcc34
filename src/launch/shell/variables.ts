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
  return bounded(
    [value]
      .flat()
      .map(({ text }) => text)
      .join(' '),
  )
}

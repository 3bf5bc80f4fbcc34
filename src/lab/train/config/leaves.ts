import { z } from 'zod'

/**
 * The kinds of values a setting can have. Each takes what a YAML file or `--set key=value` may hold for it and turns it
 * into its type where that leaves no doubt: "1e-4" is a number, `on` a yes, `Z_Score` is z-score. The rest is an error.
 */

const DECIMAL = /^[-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?$/i

function asNumber(value: unknown): unknown {
  return typeof value === 'string' && DECIMAL.test(value.trim()) ? Number(value) : value
}

const NONE = new Set(['', 'none', 'null', 'off'])

export function isNone(value: unknown): boolean {
  return typeof value === 'string' && NONE.has(value.trim().toLowerCase())
}

function orNone(convert: (value: unknown) => unknown): (value: unknown) => unknown {
  return value => (isNone(value) ? null : convert(value))
}

const YES = new Set(['true', 'yes', 'on'])
const NO = new Set(['false', 'no', 'off'])

function asFlag(value: unknown): unknown {
  if (typeof value !== 'string') return value
  const word = value.trim().toLowerCase()
  if (YES.has(word)) return true
  return NO.has(word) ? false : value
}

function asText(value: unknown): unknown {
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value
}

/** `hard_plus_soft`, `Hard+Soft` and `hard+soft` are one word. */
function squashed(word: string): string {
  return word
    .toLowerCase()
    .replaceAll('+', 'plus')
    .replace(/[\s_-]/g, '')
}

interface Range {
  readonly least?: number
  readonly above?: number
  readonly most?: number
  readonly below?: number
}

export const positive: Range = { above: 0 }
export const notNegative: Range = { least: 0 }
export const atLeastOne: Range = { least: 1 }
export const share: Range = { least: 0, most: 1 }

function inRange(kind: z.ZodNumber, { least, above, most, below }: Range): z.ZodNumber {
  let ranged = kind
  if (least !== undefined) ranged = ranged.min(least)
  if (above !== undefined) ranged = ranged.gt(above)
  if (most !== undefined) ranged = ranged.max(most)
  if (below !== undefined) ranged = ranged.lt(below)
  return ranged
}

export const number = (initial: number, range: Range) =>
  z.preprocess(asNumber, inRange(z.number(), range)).default(initial)

export const whole = (initial: number, range: Range) => z.preprocess(asNumber, inRange(z.int(), range)).default(initial)

export const numberOrNone = (range: Range) =>
  z.preprocess(orNone(asNumber), inRange(z.number(), range).nullable()).default(null)

export const wholeOrNone = (range: Range) =>
  z.preprocess(orNone(asNumber), inRange(z.int(), range).nullable()).default(null)

export const flag = (initial: boolean) => z.preprocess(asFlag, z.boolean()).default(initial)

export const text = (initial: string) => z.preprocess(asText, z.string().min(1)).default(initial)

export const textOrNone = () => z.preprocess(orNone(asText), z.string().nullable()).default(null)

/** `none` is the empty text. */
export const textOrEmpty = (initial: string) =>
  z.preprocess(value => (value === null || isNone(value) ? '' : asText(value)), z.string()).default(initial)

/** `others`: words that another tool has for a choice. */
export const word = <Choice extends string>(
  choices: readonly [Choice, ...Choice[]],
  initial: NoInfer<Choice>,
  others: { readonly [word: string]: NoInfer<Choice> | undefined } = {},
) => {
  const meant = (value: string): string =>
    choices.find(choice => squashed(choice) === squashed(value)) ?? others[value.trim().toLowerCase()] ?? value
  return z.preprocess(value => (typeof value === 'string' ? meant(value) : value), z.literal(choices)).prefault(initial)
}

/** A word that was a flag once: `on` and `off` still say what they said then. */
export const wordOrFlag = <Choice extends string>(
  choices: readonly [Choice, ...Choice[]],
  { on, off }: { readonly on: NoInfer<Choice>; readonly off: NoInfer<Choice> },
) => {
  const meant = (value: unknown): unknown => {
    const flag = asFlag(value)
    return typeof flag === 'boolean' ? (flag ? on : off) : value
  }
  return z.preprocess(meant, word(choices, off)).prefault(off)
}

/** A list, or one text with commas. */
function asList(value: unknown): unknown {
  if (typeof value !== 'string') return value ?? []
  return value
    .split(',')
    .map(part => part.trim())
    .filter(part => !isNone(part))
}

export const texts = (initial: readonly string[]) => z.preprocess(asList, z.array(z.string())).default([...initial])

/** A lone number is a list of one. */
export const numbers = (initial: readonly number[], range: Range) =>
  z
    .preprocess(
      value => asList(typeof value === 'number' ? [value] : value),
      z.array(z.preprocess(asNumber, inRange(z.number(), range))),
    )
    .default([...initial])

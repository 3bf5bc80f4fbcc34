import { newDecimal, readDecimal } from '../binary/decimal.js'

/**
 * One number as Python prints it, read in place: `0.4331`, `-8.1e-06`, `nan`, `-inf`, `True`, `np.float64(0.1)`,
 * `tensor(0.1, device='cuda:0')`. The result goes into an object that the caller reuses, because a log line has
 * some eighty numbers and an object each would cost more than reading them.
 */

interface FoundNumber {
  value: number
  /** Index behind the number. */
  end: number
  /** Digits behind the point; PRINTED_IN_FULL where the text is no fixed-point number, or its digits are all there are. */
  decimals: number
  /** The last printed decimal is 0: a shortest-form printer would have left it out, so the printer is a `%.3f`. */
  padded: boolean
  /** torch prints four decimals whatever the value has. */
  tensor: boolean
}

export const PRINTED_IN_FULL = -1

export function newFoundNumber(): FoundNumber {
  return { value: 0, end: 0, decimals: PRINTED_IN_FULL, padded: false, tensor: false }
}

const ZERO = 0x30
const SPACE = 0x20
const TAB = 0x09

const decimal = newDecimal()

/** Whether a number stands at `at`; it must end at a blank or at the end of the line, else it may have been cut. */
export function findNumber(bytes: Buffer, at: number, lineEnd: number, found: FoundNumber): boolean {
  let start = at
  while (start < lineEnd && bytes[start] === SPACE) start += 1
  if (!readDecimal(bytes, start, lineEnd, decimal)) return findOddNumber(bytes, start, lineEnd, found)
  const { end, decimals } = decimal
  if (!endsHere(bytes, end, lineEnd)) return false
  found.value = decimal.value
  found.end = end
  found.decimals = decimal.exponential ? PRINTED_IN_FULL : decimals
  found.padded = !decimal.exponential && decimals > 1 && bytes[end - 1] === ZERO
  found.tensor = false
  return true
}

const ODD =
  /([-+]?)(nan|inf(?:inity)?)|(true|false)|([a-z_][\w.]*)\(\s*([-+]?)(?:(nan|inf)|(\d*\.?\d*(?:e[-+]?\d+)?))\s*(?:,[^()]*)?\)/iy

/** Longer than any of these is printed. */
const MOST_ODD_BYTES = 256

function findOddNumber(bytes: Buffer, start: number, lineEnd: number, found: FoundNumber): boolean {
  const line = bytes.toString('latin1', start, Math.min(lineEnd, start + MOST_ODD_BYTES))
  ODD.lastIndex = 0
  const match = ODD.exec(line)
  if (match === null) return false
  const [text, sign, word, truth, wrapper, innerSign, innerWord, innerDigits] = match
  const end = start + text.length
  if (!endsHere(bytes, end, lineEnd)) return false
  if (truth !== undefined) keepOdd(end, truth.toLowerCase() === 'true' ? 1 : 0, found)
  else if (word !== undefined) keepOdd(end, nonFinite(word, sign), found)
  else if (innerWord !== undefined) keepOdd(end, nonFinite(innerWord, innerSign), found)
  else if (!/\d/.test(innerDigits)) return false
  else {
    keepOdd(end, Number(innerSign + innerDigits), found)
    found.tensor = wrapper.endsWith('tensor') && innerDigits.includes('.') && !/e/i.test(innerDigits)
  }
  return true
}

function nonFinite(word: string, sign: string): number {
  if (word.toLowerCase() === 'nan') return Number.NaN
  return sign === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
}

function keepOdd(end: number, value: number, found: FoundNumber): void {
  found.value = value
  found.end = end
  found.decimals = PRINTED_IN_FULL
  found.padded = false
  found.tensor = false
}

function endsHere(bytes: Buffer, at: number, lineEnd: number): boolean {
  return at >= lineEnd || bytes[at] === SPACE || bytes[at] === TAB
}

/**
 * How far a printed number can be trusted. verl up to 0.4 prints every value with `%.3f`, so that a learning rate of
 * 1e-6 reads 0.000; later versions print all digits. A fixed format shows in all numbers of a line having equally many
 * decimals. A line that could be either, such as a lone `acc:0.565`, counts as rounded until the log has shown a
 * number printed in full: claiming too little precision is the safe mistake.
 */

/** With fewer, a plain 0.5 could not be told from a rounded number. */
const FEWEST_DECIMALS = 3
/** A fork prints `%.6f`; what has more is printed in full. */
const MOST_DECIMALS = 6
/** torch's default print precision. */
const TENSOR_DECIMALS = 4

/** What the numbers of one line have in common. */
export interface Printing {
  /** The decimals that all finite numbers have; PRINTED_IN_FULL when they differ, null without any. */
  shared: number | null
  /** At least one ends in a 0 that only a fixed format prints. */
  padded: boolean
  /** Decimals of the tensors among the values. */
  tensors: (number | null)[] | null
}

export function newPrinting(): Printing {
  return { shared: null, padded: false, tensors: null }
}

/** Takes the number at `index` of the line into account. */
export function notePrinting(printing: Printing, number: FoundNumber, index: number): void {
  if (number.tensor) {
    printing.tensors ??= []
    printing.tensors[index] = TENSOR_DECIMALS
  } else if (Number.isFinite(number.value)) {
    if (printing.shared === null) printing.shared = number.decimals
    else if (printing.shared !== number.decimals) printing.shared = PRINTED_IN_FULL
    printing.padded ||= number.padded
  }
}

type DecimalsOf = (printing: Printing, count: number) => readonly (number | null)[] | undefined

/** The column of decimals for a row of `count` values, or undefined when they are all there. */
export function createDecimals(state: { printsInFull: boolean }): DecimalsOf {
  let column: readonly number[] = []

  return ({ shared, padded, tensors }, count) => {
    if (tensors !== null) return Array.from({ length: count }, (_, i) => tensors[i] ?? null)
    if (shared === null) return undefined
    const fixed = shared >= FEWEST_DECIMALS && shared <= MOST_DECIMALS
    if (!fixed) state.printsInFull = true
    if (!fixed || (state.printsInFull && !padded)) return undefined
    if (column.length !== count || column[0] !== shared) column = Array.from({ length: count }, () => shared)
    return column
  }
}

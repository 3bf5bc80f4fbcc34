import { newDecimal, readDecimal } from '../binary/decimal.js'

/**
 * One number as Python prints it, read in place: `0.4331`, `-8.1e-06`, `nan`, `-inf`, `True`, `np.float64(0.1)`,
 * `tensor(0.1, device='cuda:0')`. The result goes into an object that the caller reuses, because a log line has
 * some eighty numbers and an object each would cost more than reading them.
 */

export interface FoundNumber {
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

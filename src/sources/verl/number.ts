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

const POINT = 0x2e
const PLUS = 0x2b
const MINUS = 0x2d
const ZERO = 0x30
const NINE = 0x39
const SPACE = 0x20
const LETTER_E = 0x65

/** Powers of ten that a double holds exactly: dividing an exact integer by one of them rounds once, as parsing would. */
const EXACT_POWERS = Array.from({ length: 23 }, (_, exponent) => 10 ** exponent)

/** Whether a number stands at `at`; it must end at a blank or at the end of the line, else it may have been cut. */
export function findNumber(line: string, at: number, found: FoundNumber): boolean {
  let position = at
  while (line.charCodeAt(position) === SPACE) position += 1
  const start = position
  const sign = line.charCodeAt(start)
  if (sign === MINUS || sign === PLUS) position += 1
  const firstDigit = position
  let mantissa = 0
  let point = -1
  let code = line.charCodeAt(position)
  while ((code >= ZERO && code <= NINE) || (code === POINT && point < 0)) {
    if (code === POINT) point = position
    else mantissa = mantissa * 10 + (code - ZERO)
    position += 1
    code = line.charCodeAt(position)
  }
  const digits = position - firstDigit - (point < 0 ? 0 : 1)
  if (digits === 0) return findOddNumber(line, start, found)

  const decimals = point < 0 ? 0 : position - point - 1
  if ((code | 0x20) === LETTER_E) return findExponential(line, start, found)
  if (!endsHere(code)) return false
  if (mantissa <= Number.MAX_SAFE_INTEGER && decimals < EXACT_POWERS.length) {
    const size = mantissa / EXACT_POWERS[decimals]
    found.value = sign === MINUS ? -size : size
  } else {
    found.value = Number(line.slice(start, position))
  }
  found.end = position
  found.decimals = decimals
  found.padded = decimals > 1 && line.charCodeAt(position - 1) === ZERO
  found.tensor = false
  return true
}

const EXPONENTIAL = /[-+]?(?:\d+\.?\d*|\.\d+)e[-+]?\d+/iy

function findExponential(line: string, start: number, found: FoundNumber): boolean {
  EXPONENTIAL.lastIndex = start
  const text = EXPONENTIAL.exec(line)?.[0]
  return text !== undefined && keepOdd(line, start + text.length, Number(text), found)
}

const ODD =
  /([-+]?)(nan|inf(?:inity)?)|(true|false)|([a-z_][\w.]*)\(\s*([-+]?)(?:(nan|inf)|(\d*\.?\d*(?:e[-+]?\d+)?))\s*(?:,[^()]*)?\)/iy

function findOddNumber(line: string, start: number, found: FoundNumber): boolean {
  ODD.lastIndex = start
  const match = ODD.exec(line)
  if (match === null) return false
  const [text, sign, word, truth, wrapper, innerSign, innerWord, innerDigits] = match
  const end = start + text.length
  if (truth !== undefined) return keepOdd(line, end, truth.toLowerCase() === 'true' ? 1 : 0, found)
  if (word !== undefined) return keepOdd(line, end, nonFinite(word, sign), found)
  if (innerWord !== undefined) return keepOdd(line, end, nonFinite(innerWord, innerSign), found)
  if (!/\d/.test(innerDigits)) return false
  if (!keepOdd(line, end, Number(innerSign + innerDigits), found)) return false
  found.tensor = wrapper.endsWith('tensor') && innerDigits.includes('.') && !/e/i.test(innerDigits)
  return true
}

function nonFinite(word: string, sign: string): number {
  if (word.toLowerCase() === 'nan') return Number.NaN
  return sign === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
}

function keepOdd(line: string, end: number, value: number, found: FoundNumber): boolean {
  if (!endsHere(line.charCodeAt(end))) return false
  found.value = value
  found.end = end
  found.decimals = PRINTED_IN_FULL
  found.padded = false
  found.tensor = false
  return true
}

/** charCodeAt behind the end of a line is NaN. */
function endsHere(code: number): boolean {
  return code === SPACE || Number.isNaN(code) || code === 0x09
}

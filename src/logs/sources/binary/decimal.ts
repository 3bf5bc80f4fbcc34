/**
 * A decimal number read from bytes, rounded exactly as `Number` rounds it, in a third of the time: no text is cut out.
 * Logs print most values with 17 digits, one or two more than a double holds exactly, so the digits are gathered in two
 * integers and divided by a power of ten in double-double arithmetic (Dekker 1971). Its error of 2^-100 matters
 * only where the quotient lies that close to the middle between two doubles; such numbers are left to `Number`.
 */
interface Decimal {
  value: number
  /** Index behind the number. */
  end: number
  /** Digits behind the point; 0 when there is none. */
  decimals: number
  /** Written with an exponent. */
  exponential: boolean
}

export function newDecimal(): Decimal {
  return { value: 0, end: 0, decimals: 0, exponential: false }
}

const PLUS = 0x2b
const MINUS = 0x2d
const POINT = 0x2e
const ZERO = 0x30
const LETTER_E = 0x65

/** Below this, one more digit makes a number of at most nine digits, which V8 adds up as a 32-bit integer. */
const ROOM_BELOW = 1e8
/** The double that nine digits and nine more make is off by what the sum rounds, no more: 10^9 has 21 bits but for its zeros. */
const MOST_TAIL_DIGITS = 9
const HIGHEST_POWER = 44
export const POWERS = Array.from({ length: HIGHEST_POWER + 1 }, (_, exponent) => Number(10n ** BigInt(exponent)))
/** What the true powers of ten are beyond these, which hold them exactly up to 10^22. */
export const POWER_ERRORS = POWERS.map((power, exponent) => Number(10n ** BigInt(exponent) - BigInt(power)))
const HIGHEST_EXACT_POWER = 22
/** Upper halves by Veltkamp's splitting, so that products of halves are exact. */
const SPLITTER = 2 ** 27 + 1
export const UPPER_HALVES = POWERS.map(upperHalf)

/**
 * Whether digits stand at `start`: a sign or none, digits with a point or none, an exponent or none. What follows is for
 * the caller to judge.
 */
export function readDecimal(bytes: Uint8Array, start: number, end: number, found: Decimal): boolean {
  let at = start
  const sign = at < end ? bytes[at] : 0
  if (sign === MINUS || sign === PLUS) at += 1
  const firstDigit = at
  let head = 0
  let tail = 0
  let tailDigits = 0
  let point = -1
  for (; at < end; at += 1) {
    const digit = (bytes[at] ?? 0) - ZERO
    if (digit >= 0 && digit <= 9) {
      if (head < ROOM_BELOW) head = (head * 10 + digit) | 0
      else {
        tail = (tail * 10 + digit) | 0
        tailDigits += 1
      }
    } else if (digit === POINT - ZERO && point < 0) point = at
    else break
  }
  if (at - firstDigit === (point < 0 ? 0 : 1)) return false
  const decimals = point < 0 ? 0 : at - point - 1
  let power = -decimals
  let exponential = false
  if (at < end && ((bytes[at] ?? 0) | 0x20) === LETTER_E) {
    const exponentEnd = readExponent(bytes, at + 1, end)
    if (exponentEnd > 0) {
      power += exponentValue(bytes, at + 1, exponentEnd)
      exponential = true
      at = exponentEnd
    }
  }
  const size = tailDigits > MOST_TAIL_DIGITS ? Number.NaN : scaled(head, tail, tailDigits, power)
  if (Number.isNaN(size)) found.value = Number(latin1Text(bytes, start, at))
  else found.value = sign === MINUS ? -size : size
  found.end = at
  found.decimals = decimals
  found.exponential = exponential
  return true
}

function readExponent(bytes: Uint8Array, start: number, end: number): number {
  let at = start
  if (at < end && (bytes[at] === MINUS || bytes[at] === PLUS)) at += 1
  const firstDigit = at
  while (at < end && isDigit(bytes[at] ?? 0)) at += 1
  return at === firstDigit ? -1 : at
}

function isDigit(byte: number): boolean {
  return byte >= ZERO && byte <= ZERO + 9
}

function exponentValue(bytes: Uint8Array, start: number, end: number): number {
  const isNegative = bytes[start] === MINUS
  let size = 0
  for (let at = isNegative || bytes[start] === PLUS ? start + 1 : start; at < end; at += 1) {
    size = size * 10 + (bytes[at] ?? ZERO) - ZERO
  }
  return isNegative ? -size : size
}

/** (head · 10^tailDigits + tail) · 10^power, or NaN where this arithmetic cannot tell how to round. */
function scaled(head: number, tail: number, tailDigits: number, power: number): number {
  const product = head * powerOfTen(tailDigits)
  const high = product + tail
  const low = tail - (high - product)
  if (low === 0 && high <= Number.MAX_SAFE_INTEGER && power >= -HIGHEST_EXACT_POWER && power <= HIGHEST_EXACT_POWER) {
    return power <= 0 ? high / powerOfTen(-power) : high * powerOfTen(power)
  }
  if (power > 0 || power < -HIGHEST_POWER) return Number.NaN

  const divisor = powerOfTen(-power)
  const quotient = high / divisor
  const back = quotient * divisor
  const remainder =
    high - back - productError(quotient, -power, back) + low - quotient * (POWER_ERRORS[-power] ?? Number.NaN)
  const correction = remainder / divisor
  const rounded = quotient + correction
  return rounded === quotient + correction * ABOVE && rounded === quotient + correction * BELOW ? rounded : Number.NaN
}

/** NaN beyond the powers that are listed, which leaves the number to `Number`. */
function powerOfTen(exponent: number): number {
  return POWERS[exponent] ?? Number.NaN
}

/** Far more than the correction can be wrong by. */
const ABOVE = 1 + 2 ** -40
const BELOW = 1 - 2 ** -40

/** What `factor` · 10^power is beyond `product`, its rounded value; exact. */
function productError(factor: number, power: number, product: number): number {
  const factorHigh = upperHalf(factor)
  const factorLow = factor - factorHigh
  const powerHigh = UPPER_HALVES[power] ?? Number.NaN
  const powerLow = powerOfTen(power) - powerHigh
  return factorHigh * powerHigh - product + factorHigh * powerLow + factorLow * powerHigh + factorLow * powerLow
}

function upperHalf(value: number): number {
  const shifted = value * SPLITTER
  return shifted - (shifted - value)
}

function latin1Text(bytes: Uint8Array, start: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + start, end - start).toString('latin1')
}

/**
 * Arithmetic over a, b, c and d: numbers, + - * / and powers (`^` or Python's `**`), a sign, brackets. Nothing else is
 * understood, nothing is executed. Where Python raises (a division by zero, a power that is no real number) `NoValue` is thrown.
 */

export type Variables = readonly [a: number, b: number, c: number, d: number]

export type Formula = (variables: Variables) => number

/** Null where the text is no formula. */
export function readFormula(text: string): Formula | null {
  const tokens = text.match(/\d+(?:\.\d+)?|[a-d]|\*\*|[-+*/^()]|\S/g) ?? []
  let at = 0

  function sum(): Formula | null {
    let left = product()
    while (left !== null && (tokens[at] === '+' || tokens[at] === '-')) left = combined(left, tokens[at++], product())
    return left
  }

  function product(): Formula | null {
    let left = signed()
    while (left !== null && (tokens[at] === '*' || tokens[at] === '/')) left = combined(left, tokens[at++], signed())
    return left
  }

  function signed(): Formula | null {
    const sign = tokens[at]
    if (sign !== '-' && sign !== '+') return power()
    at += 1
    const inner = signed()
    return inner === null || sign === '+' ? inner : variables => -inner(variables)
  }

  /** To the right: 2^3^2 is 2^9. */
  function power(): Formula | null {
    const base = atom()
    if (base === null || (tokens[at] !== '^' && tokens[at] !== '**')) return base
    at += 1
    return combined(base, '^', signed())
  }

  function atom(): Formula | null {
    const token = tokens[at++] ?? ''
    if (token === '(') {
      const inner = sum()
      return tokens[at++] === ')' ? inner : null
    }
    const variable = token.length === 1 ? 'abcd'.indexOf(token) : -1
    if (variable >= 0) return variables => variables[variable]
    return /^\d/.test(token) ? () => Number(token) : null
  }

  const formula = sum()
  return at === tokens.length ? formula : null
}

function combined(left: Formula, operator: string, right: Formula | null): Formula | null {
  if (right === null) return null
  switch (operator) {
    case '+':
      return variables => left(variables) + right(variables)
    case '-':
      return variables => left(variables) - right(variables)
    case '*':
      return variables => left(variables) * right(variables)
    case '/':
      return variables => quotient(left(variables), right(variables))
    default:
      return variables => powerOf(left(variables), right(variables))
  }
}

export class NoValue extends Error {}

function quotient(dividend: number, divisor: number): number {
  if (divisor === 0) throw new NoValue()
  return dividend / divisor
}

/** Python's: 1 to the power of anything is 1, and what leaves the real numbers or the range of a float is an error. */
function powerOf(base: number, exponent: number): number {
  if (base === 1 || exponent === 0 || (base === -1 && !Number.isFinite(exponent) && !Number.isNaN(exponent))) return 1
  const areFinite = Number.isFinite(base) && Number.isFinite(exponent)
  const isComplex = areFinite && base < 0 && !Number.isInteger(exponent)
  const power = areFinite && base !== 0 ? precisePower(base, exponent) : base ** exponent
  if (isComplex || (base === 0 && exponent < 0) || (areFinite && !Number.isFinite(power))) throw new NoValue()
  return power
}

/**
 * A power of finite numbers, rounded once. C's `pow`, which Python calls, is right to the last digit and V8's is not, so this one is
 * e to the power of exponent × ln(base) in whole numbers of 1/2^192.
 */
function precisePower(base: number, exponent: number): number {
  const rough = base ** exponent
  if (exponent === 2 || !Number.isFinite(rough) || Math.abs(rough) < 1e-300) return exponent === 2 ? base * base : rough
  const [mantissa, scale] = wholeOf(Math.abs(base))
  const length = mantissa.toString(2).length
  // Within 0.5 and 1, where the series is short enough.
  const fraction = (mantissa << BITS) >> BigInt(length)
  const logarithm = BigInt(length + scale) * LN2 + 2n * areaTangent(((fraction - ONE) << BITS) / (fraction + ONE))
  const [factor, shift] = wholeOf(Math.abs(exponent))
  const size = shift < 0 ? (logarithm * factor) >> BigInt(-shift) : (logarithm * factor) << BigInt(shift)
  const sought = exponent < 0 ? -size : size
  const twos = sought / LN2
  const rest = sought - twos * LN2
  let [sum, term] = [ONE, ONE]
  for (let n = 1n; term !== 0n; n += 1n) {
    term = ((term * rest) >> BITS) / n
    sum += term
  }
  const power = Number(sum >> (BITS - 64n)) * 2 ** (Number(twos) - 64)
  return rough < 0 ? -power : power
}

const BITS = 192n
const ONE = 1n << BITS
const LN2 = 2n * areaTangent(ONE / 3n)

/** z + z³/3 + z⁵/5 + …, which is half of ln((1 + z) / (1 − z)). */
function areaTangent(z: bigint): bigint {
  const square = (z * z) >> BITS
  let [sum, power] = [z, z]
  for (let n = 3n; power / n !== 0n && power / n !== -1n; n += 2n) {
    power = (power * square) >> BITS
    sum += power / n
  }
  return sum
}

/** A float as a whole number and a power of two. */
function wholeOf(value: number): readonly [mantissa: bigint, scale: number] {
  let [mantissa, scale] = [value, 0]
  for (; !Number.isInteger(mantissa); scale -= 1) mantissa *= 2
  return [BigInt(mantissa), scale]
}

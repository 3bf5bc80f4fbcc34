/**
 * The only place that turns a number into text for people, so that a figure looks the same on the terminal, in a report
 * and in a sentence: a real minus sign, no more digits than mean something, 1e−6 rather than 0.000001.
 */

/** A measured number: so many significant digits, whole numbers whole. */
export function figure(value: number, significant = 3): string {
  const size = Math.abs(value)
  if (size === 0 || !Number.isFinite(value)) return plain(value)
  if (size < 1e-3 || size >= 1e6) {
    return withMinus(value.toExponential(Math.min(2, significant - 1)).replace(/\.?0*e\+?/, 'e'))
  }
  if (size >= 10 ** significant) return withMinus(String(Math.round(value)))
  return plain(Number(value.toPrecision(significant)))
}

/** Numbers of one column: with as many significant digits, four to seven, as tell different ones apart, and not by rounding alone. */
export function figuresApart(values: readonly number[]): (value: number) => string {
  const sorted = [...new Set(values)].sort((a, b) => a - b)
  const gap = Math.min(...sorted.slice(1).map((value, i) => value - sorted[i]))
  const size = Math.max(Math.abs(sorted[0]), Math.abs(sorted[sorted.length - 1]))
  const unit = (digits: number): number => 10 ** (Math.floor(Math.log10(size)) + 1 - digits)
  const enough = [4, 5, 6].find(digits => gap >= unit(digits) * (1 - 1e-9))
  return value => figure(value, enough ?? (sorted.length < 2 ? 4 : 7))
}

/** A change, with its sign. */
export function signedFigure(value: number, significant = 4): string {
  return value > 0 ? `+${figure(value, significant)}` : figure(value, significant)
}

/** A column of numbers reads best with as many decimals throughout. */
export function fixed(value: number, decimals: number): string {
  return Number.isFinite(value) ? withMinus(value.toFixed(decimals)) : plain(value)
}

/** A difference with its sign, as papers print it; none for what rounds to zero. */
export function signed(value: number, decimals: number): string {
  const text = fixed(Math.abs(value), decimals)
  return Number(text) === 0 ? text : `${value > 0 ? '+' : MINUS}${text}`
}

/** The ends of an interval. */
export function range([low, high]: readonly [number, number], decimals = decimalsFor([low, high])): string {
  return `${signed(low, decimals)} … ${signed(high, decimals)}`
}

/** A share as a percentage, without its sign: 0.9063 is 90.6. */
export function percentage(share: number): string {
  return figure(100 * share)
}

/** A p-value behind the letter p. */
export function chance(p: number): string {
  return p < 0.0001 ? '< 0.0001' : `= ${figure(p, 2)}`
}

/** As many decimals as give an interval's half-width two to three digits: more would be made up. */
export function decimalsFor([low, high]: readonly [number, number]): number {
  const half = (high - low) / 2
  return half > 0 ? Math.min(12, Math.max(0, 2 - Math.floor(Math.log10(half)))) : 4
}

/** As it is, in full. */
export function plain(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  return withMinus(Number.isFinite(value) ? String(value) : value > 0 ? '∞' : '-∞')
}

/** Whole numbers of five digits and more get separators. */
export function inSentence(value: number): string {
  return Number.isInteger(value) && Math.abs(value) >= 10_000 ? count(value) : plain(value)
}

/** How many there are: 12,345. */
export function count(value: number): string {
  // The formatter takes several milliseconds to make.
  if (Number.isInteger(value) && value >= 0 && value < 1000) return String(value)
  return withMinus(Number.isSafeInteger(value) ? grouped(value) : new Intl.NumberFormat('en-US').format(value))
}

function grouped(value: number): string {
  return String(value).replace(/\B(?=(?:\d{3})+$)/g, ',')
}

const MINUS = '−'

function withMinus(text: string): string {
  return text.includes('-') ? text.replace(/^-(?=0(?:\.0*)?$)/, '').replaceAll('-', MINUS) : text
}

/** A measured number inside a sentence: three significant digits, 1e-6 rather than 0.000001. */
export function figure(value: number, significant = 3): string {
  const size = Math.abs(value)
  if (size === 0 || !Number.isFinite(value)) return String(value)
  if (size < 1e-3 || size >= 1e6) return value.toExponential(significant - 1).replace(/\.?0*e\+?/, 'e')
  if (size >= 10 ** significant) return String(Math.round(value))
  return String(Number(value.toPrecision(significant)))
}

/** A share as a percentage, without its sign: 0.9063 is 90.6. */
export function percentage(share: number): string {
  return figure(100 * share)
}

/** The first few of many names; the evidence has them all. */
export function listed(items: readonly string[], most = 4): string {
  return items.length <= most ? items.join(', ') : `${items.slice(0, most).join(', ')}, …`
}

/** A difference with its sign, as papers print it. */
export function signed(value: number, decimals: number): string {
  const text = Math.abs(value).toFixed(decimals)
  return Number(text) === 0 ? text : `${value > 0 ? '+' : '−'}${text}`
}

/** As many decimals as give an interval's half-width two to three digits: more would be made up. */
export function decimalsFor([low, high]: readonly [number, number]): number {
  const half = (high - low) / 2
  return half > 0 ? Math.min(12, Math.max(0, 2 - Math.floor(Math.log10(half)))) : 4
}

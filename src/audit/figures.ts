import type { Quantity } from '../document/quantity.js'
import type { Range } from '../stats/rounding.js'
import { figure } from '../text/figure.js'

/** Numbers as the audit quotes them: as printed, or computed to as many places as what they come from. */

/** As the report prints it, with its unit of percent. */
export function shown({ value, ends, decimals, unit }: Quantity): string {
  const percent = unit === '%' ? '%' : ''
  const printed = (number: number) => minus(number.toFixed(Math.min(decimals ?? 0, 20)))
  return (ends === null ? printed(value) : `${printed(ends[0])}–${printed(ends[1])}`) + percent
}

/** With its sign. */
export function signed(value: number, decimals: number): string {
  const digits = Math.abs(value).toFixed(Math.min(decimals, 20))
  return value < 0 ? `−${digits}` : `+${digits}`
}

export function spanOf({ low, high }: Range, significant = 3): string {
  return `${minus(figure(low, significant))} … ${minus(figure(high, significant))}`
}

export function decimalsOf(...quantities: readonly Quantity[]): number {
  return quantities.reduce((most, { decimals }) => Math.max(most, decimals ?? 0), 0)
}

function minus(printed: string): string {
  return printed.startsWith('-') ? `−${printed.slice(1)}` : printed
}

/** Digits that carry information: 0.02235 has four. */
export function significantDigits({ value, decimals }: Quantity): number {
  const digits = Math.abs(value)
    .toFixed(Math.min(decimals ?? 0, 20))
    .replace('.', '')
  return digits.replace(/^0+/, '').length
}

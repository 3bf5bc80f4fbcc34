import type { Quantity } from '../../logs/document/quantity.js'
import type { NumberRange } from '../../stats/rounding.js'
import type { LogMetric } from './log.js'

/** A figure as printed, and whether a logged value rounds to it. */
export interface PrintedFigure {
  readonly offset: number
  readonly text: string
  /** Within its statement or cell. */
  readonly from: number
  readonly to: number
  readonly quantity: Quantity
  /** A step that is claimed ("the best is at step 355") rather than an address ("at step 355 it is …"). */
  readonly isStep: boolean
}

/** In how many of the figure's units a logged value of this metric is printed. */
export function scaleOf(
  { unit, value }: Pick<Quantity, 'unit' | 'value'>,
  { isFraction }: Pick<LogMetric, 'isFraction'>,
  isDifference = false,
): number {
  if (!isFraction) return 1
  if (unit === '%' || unit === 'points') return 100
  return unit === null && Math.abs(value) > (isDifference ? 1 : 1.5) ? 100 : 1
}

/** What the printed digits stand for; "about" widens it. */
function rangeOf({ range, hedge, value, decimals }: Quantity): NumberRange {
  if (hedge !== 'about') return range
  const slack = Math.max(10 ** -decimals, 0.03 * Math.abs(value))
  return { low: range.low - slack, high: range.high + slack }
}

export function agrees(quantity: Quantity, value: number): boolean {
  const { low, high } = rangeOf(quantity)
  // Logs keep seven digits or so: 0.6083333 − 0.4458334 is 16.25 points.
  const slack = 2e-6 * Math.max(Math.abs(low), Math.abs(high), 1e-3)
  return value >= low - slack && value <= high + slack
}

/** How likely a figure of the usual size fits a value of this metric by chance. */
export function chanceOf(quantity: Quantity, metric: Pick<LogMetric, 'spread' | 'distinct'>, scale: number): number {
  const { low, high } = rangeOf(quantity)
  const spread = Math.max(metric.spread * scale, Math.abs(quantity.value) * 0.05, 1e-12)
  return Math.min(1, Math.max((high - low) / spread, 1 / Math.max(metric.distinct, 1)))
}

/** Who mistypes a figure, or changes it, stays near it. */
const NEAR = 0.12

/** How likely another figure of about this size would have fitted the value: only what lies near can be hit by chance. */
export function nearChance({ value, range: { low, high } }: Quantity, printed: number, grid = 0): number {
  const width = grid > 0 && value % grid === 0 ? Math.max(grid, high - low) : high - low
  const reach = Math.max(NEAR * Math.abs(value), 8 * (high - low), 4 * grid)
  return Math.abs(printed - value) <= reach ? width / (2 * reach) : 0
}

/** So far beyond all that was logged a figure is of something else. */
const BEYOND = 0.5

export function isOfSize({ quantity }: Pick<PrintedFigure, 'quantity'>, metric: LogMetric): boolean {
  const value = Math.abs(quantity.value) / scaleOf(quantity, metric)
  const [low, high] = metric.range.map(Math.abs).toSorted((a, b) => a - b) as [number, number]
  const least = metric.range[0] <= 0 && metric.range[1] >= 0 ? 0 : low
  return quantity.plusMinus || (value >= least * BEYOND && value <= high / BEYOND)
}

/** A value in the writing of a printed figure. */
export function printedAs(value: number, { quantity, text }: Pick<PrintedFigure, 'quantity' | 'text'>): string {
  const digits = value.toFixed(Math.max(0, Math.min(quantity.decimals, 12)))
  const grouped = /\d,\d{3}/.test(text) ? digits.replace(/\B(?=(?:\d{3})+(?:\.|$))/, ',') : digits
  const sign = value > 0 && /^\s*\+/.test(text) ? '+' : ''
  return `${sign}${grouped}${/%\s*$/.test(text) ? (/\s%/.test(text) ? ' %' : '%') : ''}`
}

/** How many digits of a figure say something. */
export const significant = ({ value, decimals }: Quantity): number =>
  Math.abs(value)
    .toFixed(Math.min(12, Math.max(0, decimals)))
    .replace(/^0*\.?0*|\./g, '').length

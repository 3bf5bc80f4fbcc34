import { averageOf, percent, type Results } from './results.js'
import type { Cell } from './study.js'

/** A table by the name in its marker. */
export type Named = readonly [name: string, table: string]

export const LENGTHS = [9, 20, 50, 93]
export const RHOS = [0, 0.2, 0.3, 0.5, 0.6, 0.8]

export type Read = (study: string, where: Cell, name: string) => string

/** Reading rates in per cent, and plain numbers with two decimals. */
export function readers(results: Results): { readonly rate: Read; readonly number: Read } {
  return {
    rate: (study, where, name) => percent(averageOf(results, study, where, name)),
    number: (study, where, name) => averageOf(results, study, where, name).mean.toFixed(2),
  }
}

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const rule = head.map((_, i) => (i === 0 ? '---' : '--:'))
  return [line(head), line(rule), ...rows.map(line)].join('\n')
}

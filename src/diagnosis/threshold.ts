import type { Template } from '../text/language.js'

/** A number that decides, and where it comes from: a source, or the word "derived" and the reasoning. */
export interface Threshold extends Template {
  readonly value: number
}

/** By name. A rule hands its table on to docs/diagnosis.md, so that page and code cannot differ. */
export interface Thresholds {
  readonly [name: string]: Threshold
}

/** The numbers alone, to reckon with. */
export function valuesOf<Table extends Thresholds>(table: Table): { readonly [Name in keyof Table]: number } {
  const values = Object.entries(table).map(([name, { value }]) => [name, value])
  return Object.fromEntries(values)
}

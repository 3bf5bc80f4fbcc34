import type { Knob } from './schema.js'

/** Between the settings of knobs and points of the unit cube. */

export type Knobs = { readonly [key: string]: Knob }

/** Rounded to what a person would write down; the point that is measured is that of the rounded settings. */
const DIGITS = 3

export function settingsAt(knobs: Knobs, at: readonly number[]): { readonly [key: string]: number } {
  return Object.fromEntries(
    Object.entries(knobs).map(([key, { scale, low, high }], i) => {
      const [from, to] = scale === 'log' ? [Math.log(low), Math.log(high)] : [low, high]
      const place = from + at[i] * (to - from)
      const value = Number((scale === 'log' ? Math.exp(place) : place).toPrecision(DIGITS))
      return [key, Math.min(high, Math.max(low, value))]
    }),
  )
}

/** Null where a knob has no number, or lies outside its range: such a setting cannot be placed among the others. */
export function placeOf(knobs: Knobs, settings: { readonly [key: string]: unknown }): readonly number[] | null {
  const place: number[] = []
  for (const [key, { scale, low, high }] of Object.entries(knobs)) {
    const value = settings[key]
    if (typeof value !== 'number' || value < low || value > high) return null
    place.push(scale === 'log' ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low))
  }
  return place
}

import type { Json } from '../model/json.js'
import { type DoseCell, doseTrend } from '../stats/dose-response.js'
import type { StudentEstimate } from '../stats/paired-mean.js'

/** Arms that differ in one number are doses of it. */
export interface Dose {
  readonly key: string
  /** Rising. */
  readonly points: readonly { readonly value: number; readonly scores: readonly number[] }[]
  /** The change from the lowest dose to the highest, by rank; null where too little is there to tell. */
  readonly trend: StudentEstimate | null
}

/** Null where arms differ in several settings, or in one that is no number. */
export function doseOf(
  arms: readonly { readonly settings: { readonly [key: string]: Json }; readonly values: readonly number[] }[],
): Dose | null {
  const keys = new Set(arms.flatMap(({ settings }) => Object.keys(settings)))
  const varying = [...keys].filter(key => new Set(arms.map(({ settings }) => JSON.stringify(settings[key]))).size > 1)
  const [key, ...more] = varying
  if (key === undefined || more.length > 0) return null
  const points: { value: number; scores: readonly number[] }[] = []
  for (const { settings, values } of arms) {
    const value = settings[key]
    if (typeof value !== 'number') return null
    points.push({ value, scores: values })
  }
  points.sort((a, b) => a.value - b.value)
  const cells = points.flatMap(({ scores }, rank): readonly DoseCell[] =>
    scores.length === 0 ? [] : [{ score: rank, block: '', values: scores }],
  )
  return { key, points, trend: cells.length < 3 ? null : doseTrend(cells) }
}

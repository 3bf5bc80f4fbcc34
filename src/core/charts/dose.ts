import type { Chart, Extent } from './chart.js'
import { type ChartMetric, type ChartRequest, goalNotes } from './request.js'
import { saying } from './words.js'

/** A score against the one setting that was varied: each value's mean over seeds with its interval, and the seeds behind it. */

export interface DoseRequest extends ChartRequest {
  readonly metric: ChartMetric
  /** What was varied. */
  readonly setting: string
  readonly arms: readonly DosePoint[]
}

export interface DosePoint {
  /** Words stand beside each other in the order given. */
  readonly dose: number | string
  readonly mean: number | null
  readonly interval: Extent | null
  /** One for each seed. */
  readonly values: readonly number[]
}

export function doseChart({ language, metric, setting, arms }: DoseRequest): Chart {
  const say = saying(language)
  const isNumeric = arms.every(({ dose }) => typeof dose === 'number')
  const inOrder = isNumeric ? arms.toSorted((a, b) => Number(a.dose) - Number(b.dose)) : arms
  const ends = (end: 0 | 1): readonly number[] => inOrder.map(({ interval }) => interval?.[end] ?? Number.NaN)
  const places = inOrder.map(({ dose }, i) => (isNumeric ? Number(dose) : i))
  return {
    language,
    title: say('charts.dose.title', { metric: metric.name, setting }),
    description: say('charts.dose.described', { metric: metric.name, setting, n: inOrder.length }),
    notes: [...goalNotes(language, metric), say('charts.dose.bars', {})],
    panels: [
      {
        x: isNumeric
          ? { kind: 'value', name: setting, log: isSpread(places) }
          : { kind: 'names', name: setting, names: inOrder.map(({ dose }) => String(dose)) },
        y: { kind: 'value', ...(isNumeric && { name: metric.name }) },
        marks: [
          {
            kind: 'points',
            name: say('charts.dose.seeds', {}),
            style: 'rest',
            x: inOrder.flatMap(({ values }, i) => values.map(() => places[i])),
            y: inOrder.flatMap(({ values }) => values),
          },
          {
            kind: 'points',
            name: say('charts.dose.mean', {}),
            style: 'alike',
            x: places,
            y: inOrder.map(({ mean }) => mean),
            bars: { along: 'y', low: ends(0), high: ends(1) },
            beside: true,
          },
        ],
      },
    ],
    findings: [],
  }
}

/** Doses over more than a hundredfold would lie on top of each other; with a zero among them there is no logarithm. */
function isSpread(doses: readonly number[]): boolean {
  return doses.every(dose => dose > 0) && Math.max(...doses) / Math.min(...doses) > 100
}

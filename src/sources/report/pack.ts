import type { StepUnit } from '../../document/words.js'
import { QUALITIES, type Quality } from '../../model/run.js'

/**
 * Many values in little memory. All runs of a report must be held until its last table has been seen, and as objects
 * a report of 64 MiB would need gigabytes; as columns of numbers it needs a tenth of that.
 */
export interface Values {
  readonly step: number
  /** Null where the table does not count in anything. */
  readonly unit: StepUnit | null
  readonly metrics: readonly string[]
  /** Parallel to `metrics`. */
  readonly points: readonly Point[]
  /** How many samples the scores rest on, when the heading tells. */
  readonly n: number | null
}

export interface Point {
  /** NaN where the quality is `missing`. */
  readonly value: number
  readonly quality: Quality
  readonly decimals: number | null
}

export interface Pack {
  add(values: Values): void
  size(): number
  all(): Iterable<Values>
  /** By step; what was added first comes first within a step. */
  inStepOrder(): Iterable<Values>
}

export function pack(): Pack {
  const steps: number[] = []
  const units: (StepUnit | null)[] = []
  const counts: (number | null)[] = []
  const metrics: (readonly string[])[] = []
  const starts: number[] = []
  const numbers: number[] = []
  const qualities: number[] = []
  const decimals: (number | null)[] = []

  const at = (row: number): Values => ({
    step: steps[row],
    unit: units[row],
    metrics: metrics[row],
    n: counts[row],
    points: metrics[row].map((_, column) => {
      const index = starts[row] + column
      return { value: numbers[index], quality: QUALITIES[qualities[index]], decimals: decimals[index] }
    }),
  })
  return {
    add(values) {
      steps.push(values.step)
      units.push(values.unit)
      counts.push(values.n)
      metrics.push(values.metrics)
      starts.push(numbers.length)
      for (const { value, quality, decimals: printed } of values.points) {
        numbers.push(value)
        qualities.push(QUALITIES.indexOf(quality))
        decimals.push(printed)
      }
    },
    size: () => steps.length,
    *all() {
      for (const row of steps.keys()) yield at(row)
    },
    *inStepOrder() {
      const rows = Array.from(steps.keys()).sort((a, b) => steps[a] - steps[b])
      for (const row of rows) yield at(row)
    },
  }
}

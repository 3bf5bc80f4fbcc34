import type { Phase } from './training-state.js'

export type Metrics = { readonly [name: string]: number }

/** Means of what an epoch saw, metric by metric; what is no number is not counted. */
export class Tally {
  readonly #sums = new Map<string, { sum: number; count: number }>()

  add(metrics: Metrics): void {
    for (const name in metrics) {
      const value = metrics[name]
      if (Number.isNaN(value)) continue
      const known = this.#sums.get(name)
      if (known === undefined) this.#sums.set(name, { sum: value, count: 1 })
      else {
        known.sum += value
        known.count += 1
      }
    }
  }

  means(): { readonly [name: string]: number } {
    return Object.fromEntries([...this.#sums].map(([name, { sum, count }]) => [name, sum / count]))
  }
}

/** One row is its own mean. */
export function meansOf(rows: readonly Metrics[]): Metrics {
  if (rows.length === 1) return rows[0]
  const tally = new Tally()
  for (const row of rows) tally.add(row)
  return tally.means()
}

/** One step of the optimiser, number by number, for an observer: an epoch logs only their means. */
export interface Update {
  readonly phase: Phase
  /** From 1, through the epochs of the phase. */
  readonly update: number
  /** Means over its groups, and the gradient's norm before it was clipped. */
  readonly metrics: Metrics
  readonly groups: readonly UpdateGroup[]
}

interface UpdateGroup {
  /** The query's id. */
  readonly query: string
  readonly choices: readonly (readonly number[])[]
  /** Null in the warm-up. */
  readonly advantages: Float64Array | null
  /** Of the policy before the update. */
  readonly logProbs: Float64Array
}

export type UpdateObserver = (update: Update) => void

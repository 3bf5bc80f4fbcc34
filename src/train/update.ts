import type { Metrics } from './tally.js'
import type { Phase } from './training-state.js'

/** One step of the optimiser, number by number, for whoever wants to follow it: an epoch logs only their means. */
export interface Update {
  readonly phase: Phase
  /** From 1, through the epochs of the phase. */
  readonly update: number
  /** Means over its groups, and the gradient's norm before it was clipped. */
  readonly metrics: Metrics
  readonly groups: readonly UpdateGroup[]
}

export interface UpdateGroup {
  /** The query's id. */
  readonly query: string
  readonly choices: readonly (readonly number[])[]
  /** Null in the warm-up. */
  readonly advantages: Float64Array | null
  /** Of the policy before the update. */
  readonly logProbs: Float64Array
}

export type UpdateObserver = (update: Update) => void

import type { Condition } from '../evaluation.js'
import type { Message } from '../run.js'
import type { Aliases } from './framework.js'

/** Whether more or less of a metric is better. Most training metrics have no such direction. */
export type Goal = 'max' | 'min'

/** What a raw metric name stands for. */
export interface MetricMeaning {
  /** Null: no metric that klens knows. */
  readonly canonical: string | null
  readonly unit: string | null
  readonly goal: Goal | null
  /** Measured on held-out prompts rather than on the training batch. */
  readonly validation: boolean
  /** What the name itself says about how it was measured. */
  readonly condition: Condition
  /** In what this number differs from the usual one, such as a KL summed per sequence. */
  readonly notes: readonly Message[]
}

/** One line of the metric table. */
export interface MetricRow extends Aliases {
  readonly canonical: string
  readonly unit: string | null
  readonly goal: Goal | null
  /** Names that first of all mean another row, but say this as well: TRL's `reward` is also the raw score. */
  readonly also?: Aliases
}

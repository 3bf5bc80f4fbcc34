import type { Axis } from '../../../logs/model/axis.js'
import type { VerdictQuestion } from '../../../logs/model/verdict.js'
import type { Goal } from '../../../logs/model/vocabulary/metric.js'
import type { Window } from '../align.js'
import type { Size } from '../conventions.js'
import type { Growing } from '../growing.js'

/** What is asked of a comparison; a member is called as its flag is. */
export interface ComparisonSpec {
  /** Raw or canonical. */
  readonly metric: string
  /** Null: as the vocabulary has it. */
  readonly goal: Goal | null
  /** Absolute, or a share of the baseline's mean. */
  readonly margin: Size | null
  /** What the runs are aligned by; steps unless given. */
  readonly by?: Axis
  /** Of steps, whatever they are aligned by. */
  readonly window?: Window
  /** Standard deviation between runs of one setting, where the user knows it. */
  readonly seedSd?: number | null
  /** Test every metric that the sides share. */
  readonly all?: boolean
  /** The user says that training is over, whatever the logs say. */
  readonly ended?: boolean
  /** The column of an evaluation's items by which they are clustered; null where each stands for itself. */
  readonly cluster?: string | null
  /** Where a run may still grow: claims are made at looks only. */
  readonly growing?: Growing | null
}

/** What the evaluations stand along, and how wide its windows are where shared places are too few. */
export interface AxisSpec {
  readonly by: Axis
  readonly windows: number | null
}

export const SHARED_STEPS: AxisSpec = { by: 'steps', windows: null }

/** One question about two sides. */
export interface QuestionSpec {
  readonly question: VerdictQuestion
  readonly metric: string
  readonly goal: Goal | null
  readonly baseline: string
  readonly other: string
  /** Absolute; null where the user set none, and then nothing is ever called the same. */
  readonly margin: number | null
  /** The baseline's mean over what is compared: what a percentage is of. */
  readonly level?: number
  /** Shared steps unless given. */
  readonly axis?: AxisSpec
}

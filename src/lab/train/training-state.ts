import type { RandomState } from '../../stats/random.js'
import type { OptimiserState } from './optimiser/adamw.js'
import type { StoppingState } from './schedules/early-stopping.js'
import type { KlCoefficientState } from './schedules/kl-coefficient.js'

export type Phase = 'rce' | 'grpo'

export type Values = ReadonlyMap<string, ArrayLike<number>>

/** All that the epochs still to come depend on, beside config and data: a training that is given it goes on bit by bit the same. */
export interface TrainingState {
  /** Epochs done, through both phases. */
  readonly epoch: number
  readonly phase: Phase
  /** Epochs done in this phase. */
  readonly phaseEpoch: number
  readonly parameters: Values
  readonly optimiser: OptimiserState
  readonly random: RandomState
  /** Null in the warm-up, which has no reference. */
  readonly grpo: GrpoState | null
  /** The reference's weights where it may have moved; null where it stays at `referenceEpoch`. */
  readonly movedReference: Values | null
}

export interface GrpoState {
  /** The epoch whose weights are the reference: the last of the warm-up, or 0 for where the training started. */
  readonly referenceEpoch: number
  readonly kl: KlCoefficientState
  readonly stopping: StoppingState
}

/** Where a training starts: at drawn weights, at a checkpoint's weights, or where another process left it. */
export type Start =
  | { readonly kind: 'fresh' }
  | { readonly kind: 'weights'; readonly values: Values }
  | {
      readonly kind: 'resume'
      readonly state: TrainingState
      /** The weights at `referenceEpoch`; in the warm-up those that it began with, or null where they are not the reference. */
      readonly reference: Values | null
    }

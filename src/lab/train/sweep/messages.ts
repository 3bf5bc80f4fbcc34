import type { Message } from '../../../logs/model/run.js'
import type { EpochReport, TrainingResult } from '../run/run-training.js'
import type { PlannedTraining } from './grid.js'

/** What a sweep and its worker processes say to each other. */

export interface Assignment {
  readonly trial: PlannedTraining
  /** Of the workspace. */
  readonly root: string
  /** True: begin again; false: leave out what is finished and resume what was interrupted. */
  readonly fresh: boolean
  /** Version of klens. */
  readonly code: string
}

export type ToWorker = { readonly type: 'train'; readonly assignment: Assignment } | { readonly type: 'stop' }

export type FromWorker =
  | { readonly type: 'started'; readonly run: string; readonly resumedAfter: number | null }
  | { readonly type: 'epoch'; readonly report: EpochReport }
  | { readonly type: 'end'; readonly outcome: TrialOutcome }

export type TrialOutcome =
  | { readonly kind: 'trained'; readonly result: TrainingResult }
  /** It was finished before. */
  | { readonly kind: 'known'; readonly run: string }
  | { readonly kind: 'failed'; readonly reasons: readonly Message[] }

import type { TrainConfig } from '../config/schema.js'
import type { LoadedCheckpoint } from '../load-checkpoint.js'
import type { Task } from '../tasks/task.js'

/** What is to be trained, and into which run. */
export interface TrainingRequest {
  readonly config: TrainConfig
  readonly task: Task
  /** Weights to start from. */
  readonly from: LoadedCheckpoint | null
  readonly begin: Begin
}

export type Begin =
  /** Goes on where this very training was interrupted, else begins a run. */
  | { readonly kind: 'auto' }
  | { readonly kind: 'new' }
  | { readonly kind: 'continue'; readonly run: string; readonly allowChanges: boolean }

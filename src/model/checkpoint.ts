import type { Config } from './run.js'

/** Which weights: by content, in whatever file and format they lie. */
export interface CheckpointIdentity {
  readonly contentHash: string
  /** Where they were when this was written; null where only the content is known. */
  readonly path: string | null
  /** Steps (or epochs) of training behind them; null where nothing tells. */
  readonly step: number | null
  /** The run that wrote them; null where nothing tells. */
  readonly run: string | null
}

/** A policy on disk, as the file itself tells of it. */
export interface Checkpoint extends CheckpointIdentity {
  readonly path: string
  /** What it was trained with, by its own account; null where it says nothing. */
  readonly config: Config | null
}

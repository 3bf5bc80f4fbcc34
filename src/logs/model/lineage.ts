import type { Config } from './run.js'

/**
 * What a run was made of, by content where that is known. Absent means unknown. Two trainings of one lineage, but for the
 * code, are the same training.
 */
export interface Lineage {
  /** The weights that it began with; null where it began with none. */
  readonly parent?: CheckpointIdentity | null
  /** The weights that its KL is measured against. */
  readonly reference?: CheckpointIdentity
  /** Hash of the data. */
  readonly data?: string
  /** Hash of all settings that decide its numbers. */
  readonly settings?: string
  /** Version or commit of what trained it. */
  readonly code?: string
}

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

import type { CheckpointIdentity } from './checkpoint.js'

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

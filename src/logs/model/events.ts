import type { Evaluation, SampleScores, SampleTexts } from './evaluation.js'
import type { Json } from './json.js'
import type { Lineage } from './lineage.js'
import type { Config, Message, Quality, RunAbout, RunStatus } from './run.js'

/**
 * What a source says about one run, in the order it is found. The trainer speaks the same language, so a run of
 * klens's own and an imported one reach the store by one path.
 *
 * A row carries all values of a log line: one event per line, not per point, keeps reading fast.
 */
export type RunEvent =
  | Row
  | { readonly type: 'about'; readonly about: RunAbout }
  | { readonly type: 'config'; readonly config: Config }
  | { readonly type: 'lineage'; readonly lineage: Lineage }
  /** How the run stands, and why it ended so where the log tells. */
  | { readonly type: 'status'; readonly status: RunStatus; readonly reason?: Message }
  /** The process was started again; what follows belongs to a new segment. */
  | { readonly type: 'restart' }
  | { readonly type: 'evaluation'; readonly evaluation: Evaluation }
  | { readonly type: 'samples'; readonly samples: SampleScores }
  | { readonly type: 'texts'; readonly texts: SampleTexts }
  | { readonly type: 'warning'; readonly message: Message }
  /** Bytes at the end of the file that are not (yet) a whole record. 0 takes an earlier claim back. */
  | { readonly type: 'tail'; readonly unreadBytes: number }
  /** Everything said so far may be kept; reading can go on from here in another process. */
  | { readonly type: 'cursor'; readonly cursor: Json }

/** `metrics`, `values` and the optional columns are parallel. */
export interface Row {
  readonly type: 'row'
  readonly step: number
  /** Unix seconds, null where the log does not tell. */
  readonly time: number | null
  readonly metrics: readonly string[]
  /** NaN where the quality is `missing`. */
  readonly values: readonly number[]
  /** Absent: all measured. */
  readonly qualities?: readonly Quality[]
  /** Decimals as printed, where the source is text and prints rounded numbers. */
  readonly decimals?: readonly (number | null)[]
  /** The metric that `step` counts in, when it is not the run's own step (W&B `define_metric`). */
  readonly axis?: string
  /** Where in the file it stands, where that was asked for and the format can tell. */
  readonly at?: LogPosition
}

/**
 * Counted from 1. `text`: what a carriage return or a line end closes, where progress bars stand between the lines;
 * `record` of a binary log; `row` of a table without lines; `entry` of a list in one document.
 */
export interface LogPosition {
  readonly unit: 'line' | 'text' | 'record' | 'row' | 'entry'
  readonly number: number
}

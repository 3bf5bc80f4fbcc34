import type { EvaluatedMetric } from '../../logs/model/evaluation.js'
import type { Json } from '../../logs/model/json.js'
import type { Lineage } from '../../logs/model/lineage.js'
import type { Config, Message, RunAbout, RunStatus, Segment } from '../../logs/model/run.js'
import type { Checksums } from './checksums.js'
import type { RunPlace } from './workspace.js'

/** All that is known of a run but its points, and the list of data files that count: one that it does not list does not exist. */

/** One metric of a run: its summary, and what was noticed while it was read. */
export interface MetricRecord {
  /** Points that count: the last one at each step, measured. */
  readonly n: number
  readonly first: number
  readonly last: number
  readonly firstStep: number
  readonly lastStep: number
  readonly min: number
  readonly minStep: number
  readonly max: number
  readonly maxStep: number
  /** Over finite values; the mean is sum / finite. */
  readonly sum: number
  readonly finite: number
  /** Points on disk, those that a later one at the same step replaces included. */
  readonly stored: number
  readonly nan: number
  readonly infinite: number
  readonly estimated: number
  readonly missing: number
  /** Points at a step that the metric already had in the same segment. */
  readonly repeated: number
  /** All values are exact in float32, and at least one is no short decimal: they were float32 once. */
  readonly float32: boolean
  /** At least one value decides the above. */
  readonly float32Evidence: boolean
  /** The metric that steps are counted in, when it is not the run's own step. */
  readonly axis: string | null
  /** Points came out of order, so the summary must be made again from disk. */
  readonly stale: boolean
  /** Where the series stands: its segment and the step that came last, which after a restart is not the highest. */
  readonly segment: number
  readonly latestStep: number
}

/** A file that the run was read from, and how far. */
export interface FileRecord {
  readonly path: string
  readonly source: string
  /** `witness`: a secondary log of the training, which adds only what the first does not tell; the word is that of format 1. */
  readonly role: 'log' | 'table' | 'config' | 'witness'
  readonly size: number
  readonly modifiedMs: number
  /** Hash of the first `headBytes` bytes: tells a grown file from a replaced one, and a copy from a new one. */
  readonly headBytes: number
  readonly headHash: string
  /** Hash of the bytes just before `size`, where two logs of one job differ; null in what klens 0.1 wrote. */
  readonly tailHash: string | null
  /** Read to its end. A kill in the middle leaves false: size and date tell of the file, not of how far it was read. */
  readonly complete: boolean
  /** null: the file cannot be continued; when it changes, the run is read again. */
  readonly cursor: Json
  /** Bytes at the end that were no whole record. */
  readonly unreadBytes: number
  readonly warnings: readonly Message[]
}

export interface Manifest extends Held {
  /**
   * What the run held before one of its logs was written over: no longer in any log, so where the others have to be read
   * again, the run is built on this.
   */
  readonly earlier: Held | null
}

/** A run on disk. */
export interface StoredRun extends RunPlace {
  readonly manifest: Manifest
}

/** A run as it was at one time. */
export interface Held {
  readonly format: 2
  readonly id: string
  /** What it is known by wherever its log lies. Null: made here, or written by a klens that did not note it. */
  readonly identity: string | null
  readonly name: string
  /** The name that the user gave with `klens rename`. */
  readonly givenName: string | null
  readonly tags: readonly string[]
  /** What the user wrote about it with `klens note`; empty for most. */
  readonly note: string
  readonly source: string
  readonly status: RunStatus
  /** What the log itself said last; absent where that is the status. */
  readonly statusTold?: RunStatus
  /** Why it ended so, and how far it came, as far as is known. */
  readonly ending: readonly Message[]
  readonly about: RunAbout
  readonly lineage: Lineage
  /** What the log itself says. */
  readonly config: Config
  /** What config files beside the log say; the log's own word comes first. */
  readonly fileConfig: Config
  readonly duplicateOf: string | null
  /** Ids that further logs of the same training had as runs of their own. */
  readonly joined: readonly string[]
  /** Logs with the same values stay runs of their own: the user said so. */
  readonly apart: boolean
  readonly segments: readonly Segment[]
  readonly files: readonly FileRecord[]
  /** What is to be said of the run and of none of its files. */
  readonly warnings: readonly Message[]
  readonly parts: readonly string[]
  /** Data files with prompts and answers; they share the numbers of the parts. */
  readonly texts: readonly string[]
  /** Of each data file, as it was written; none of those that klens before 0.3 wrote. */
  readonly checksums: Checksums
  readonly nextPart: number
  /** Bytes of live.jsonl that are already in the parts; null when there is no live file. */
  readonly liveFolded: number | null
  readonly metrics: ReadonlyMap<string, MetricRecord>
  /** Rows of evals.parquet. */
  readonly evaluations: number
  /** What they measure that no log line says too, by name. Null: klens 0.1 wrote this and did not tell. */
  readonly evaluated: ReadonlyMap<string, EvaluatedMetric> | null
  readonly samples: number
}

export function meanOf({ sum, finite }: MetricRecord): number {
  return finite === 0 ? Number.NaN : sum / finite
}

/** No step twice, so that none has to be looked for among ten million points. */
export function isPlain({ metrics }: Manifest, metric: string): boolean {
  const record = metrics.get(metric)
  return record !== undefined && !record.stale && record.stored - record.estimated - record.missing === record.n
}

export function emptyManifest(id: string, name: string, source: string): Manifest {
  return {
    format: 2,
    id,
    identity: null,
    name,
    givenName: null,
    tags: [],
    note: '',
    source,
    status: 'unknown',
    ending: [],
    about: {},
    lineage: {},
    config: {},
    fileConfig: {},
    duplicateOf: null,
    joined: [],
    apart: false,
    segments: [],
    files: [],
    warnings: [],
    parts: [],
    texts: [],
    checksums: new Map(),
    nextPart: 0,
    liveFolded: null,
    metrics: new Map(),
    evaluations: 0,
    evaluated: new Map(),
    samples: 0,
    earlier: null,
  }
}

/** Whether the run has a series of this very name, logged or evaluated. */
export function hasSeries({ metrics, evaluated }: Manifest, name: string): boolean {
  return metrics.has(name) || evaluated?.has(name) === true
}

/** Name as shown: the user's own if there is one. */
export function shownName(manifest: Manifest): string {
  return manifest.givenName ?? manifest.name
}

/** All that is known of the settings; what the log itself says outranks files beside it. */
export function wholeConfig(manifest: Manifest): Config {
  return { ...manifest.fileConfig, ...manifest.config }
}

/** The data files that a manifest counts. */
export function listedFiles({ parts, texts, evaluations, samples }: Held): readonly string[] {
  const tables = [...(evaluations > 0 ? ['evals.parquet'] : []), ...(samples > 0 ? ['samples.parquet'] : [])]
  return [...parts, ...texts, ...tables]
}

/** What a run may have on disk beside its live file and leases; weights of checkpoints are not among it. */
export const RUN_FILE = /^(?:run\.json|evals\.parquet|samples\.parquet|(?:points|texts)\/\d+\.parquet)$/

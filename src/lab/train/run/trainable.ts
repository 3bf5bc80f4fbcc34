import type { RunEvent } from '../../../logs/model/events.js'
import type { JsonObject } from '../../../logs/model/json.js'
import type { CheckpointIdentity } from '../../../logs/model/lineage.js'
import type { Config } from '../../../logs/model/run.js'
import type { YieldToEventLoop } from '../event-loop.js'
import type { Phase } from '../training-state.js'

/**
 * A training as the run machinery sees it, whatever it trains: settings, what it is made of, and steps that are written
 * into a run, kept, and taken up again. A step is what the run counts: an epoch of the selector, an update round of the
 * language model.
 */
export interface Trainable {
  readonly name: string | null
  readonly task: string
  readonly seed: number
  /** Flat, as the store has them. */
  readonly settings: Config
  readonly settingsHash: string
  readonly dataHash: string
  /** The checkpoint that it starts from. */
  readonly from: CheckpointIdentity | null
  /** What is worked through in a step, for the throughput. */
  readonly samplesPerStep: number
  /** What held before a setting came to be. */
  readonly defaults: Config
  /** Settings that the stored state has the form of. */
  readonly fixed: readonly string[]
  begin(place: Place): Underway
  /** From the newest whole checkpoint whose metrics the store has. Throws a Problem where the data do not fit it. */
  findResumption(folder: string, notAfter: number, run: string): Promise<NewestWhole<Resumption>>
}

/** Where a training's checkpoints go, and what they say of themselves. */
export interface Place {
  readonly folder: string
  /** What all checkpoints of the run say beside their config: run, data, version. */
  readonly about: JsonObject
  readonly changes: readonly string[]
}

/** Where a training can go on: the newest checkpoint that is whole. */
export interface NewestWhole<Point> {
  readonly point: Point | null
  /** Checkpoints that were passed over. */
  readonly damaged: readonly string[]
}

export interface Resumption {
  /** The last step done. */
  readonly step: number
  /** Settings that were changed before, as the checkpoint tells. */
  readonly changes: readonly string[]
  resume(place: Place): Underway
}

export interface Underway {
  steps(yieldToEventLoop: YieldToEventLoop): AsyncIterable<MadeStep>
  /** The weights that the KL is to, once they are settled. */
  readonly reference: Omit<CheckpointIdentity, 'run'> | null
  readonly evaluations: readonly EvaluatedEpoch[]
  checkpoints(): Promise<readonly string[]>
}

export interface MadeStep {
  readonly step: number
  readonly phase: Phase
  readonly metrics: { readonly [name: string]: number }
  /** The last of all. */
  readonly isLast: boolean
  events(times: EpochTimes): readonly RunEvent[]
  /** To be called when its metrics are in the store. */
  keep(): Promise<void>
}

/** `epoch`: the step. */
export interface EvaluatedEpoch {
  readonly epoch: number
  readonly metrics: { readonly [name: string]: number | string }
}

/** Into which run a training is written. */
export type Begin =
  /** Goes on where this very training was interrupted, else begins a run. */
  | { readonly kind: 'auto' }
  | { readonly kind: 'new' }
  | { readonly kind: 'continue'; readonly run: string; readonly allowChanges: boolean }

/** What took how long: true of one machine on one day, and kept apart from what the seed decides. */
export interface EpochTimes {
  /** Unix seconds at the end of the epoch. */
  readonly time: number
  /** Seconds that the epoch took: it is a run's step. */
  readonly 'time.step': number
  /** Queries a second. */
  readonly 'throughput.samples': number
}

/** The metrics of a step as the store takes them. */
export function stepRow(
  step: number,
  metrics: { readonly [name: string]: number },
  { time, ...times }: { readonly time: number; readonly [name: string]: number },
): RunEvent {
  const logged: { readonly [name: string]: number } = { ...metrics, ...times }
  const names = Object.keys(logged)
  return { type: 'row', step, time, metrics: names, values: names.map(name => logged[name]) }
}

/** An evaluation of a step, and the score of each of its items: one of them is one pair in `compare`. */
export function evaluationEvents(
  metric: string,
  step: number,
  value: number,
  ids: readonly string[],
  scores: readonly number[],
): readonly RunEvent[] {
  const at = { metric, step, condition: {} }
  return [
    { type: 'evaluation', evaluation: { ...at, value, n: ids.length, quality: 'measured' } },
    { type: 'samples', samples: { ...at, ids, scores } },
  ]
}

import type { CheckpointIdentity } from '../../model/checkpoint.js'
import type { RunEvent } from '../../model/events.js'
import type { JsonObject } from '../../model/json.js'
import type { Config } from '../../model/run.js'
import type { Pace } from '../pace.js'
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
  findResumption(folder: string, notAfter: number, run: string): Promise<Resumptions>
}

/** Where a training's checkpoints go, and what they say of themselves. */
export interface Place {
  readonly folder: string
  /** What all checkpoints of the run say beside their config: run, data, version. */
  readonly about: JsonObject
  readonly changes: readonly string[]
}

export interface Resumptions {
  readonly point: Resumption | null
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
  steps(pace: Pace): AsyncIterable<MadeStep>
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

import type { Json } from '../../../logs/model/json.js'
import type { Config } from '../../../logs/model/run.js'
import type { EffectiveKl } from '../../../logs/model/vocabulary/effective-kl.js'
import type { Framework } from '../../../logs/model/vocabulary/framework.js'
import type { KlForm, KlWeight } from './kl-gradient.js'

/**
 * The objective of a training in terms that frameworks share: which advantages, which loss of a token or an answer, how
 * losses become one number, which KL. What the config does not tell is null, never a guess.
 */
export interface Objective {
  readonly framework: Framework
  /** Whose names its metrics have. */
  readonly logsAs: Framework
  /** Null: not known, or only the release that fits best. */
  readonly version: string | null
  readonly advantage: Advantage
  readonly surrogate: Surrogate
  readonly clip: { readonly low: number | null; readonly high: number | null; readonly dual: number | null }
  /** What the probability ratio is to. */
  readonly ratioTo: 'batch-start' | 'sampler' | 'reference'
  /** As verl calls them; `seq-mean`: one loss an answer. */
  readonly aggregation: string | null
  readonly klAggregation: string | null
  /** Those that act; null where it is not known whether any does. */
  readonly kl: readonly ObjectiveKl[] | null
  /** Though no term acts: a reference is loaded all the same. */
  readonly isKlLogged: boolean
  readonly entropy: number | null
  /** The reference moves towards the policy every so many steps; null: it stays. */
  readonly referenceSync: number | null
  /** Optimiser steps on one batch of answers. */
  readonly updates: number | null
  /** Answers are written while the policy moves on. */
  readonly isAsynchronous: boolean
  /** Parts of DAPO besides its loss. */
  readonly dynamicSampling: boolean
  readonly overlongPenalty: boolean
}

export interface Advantage {
  readonly kind: AdvantageEstimator
  /** What the framework calls it. */
  readonly name: string
  readonly groupSize: number | null
  readonly gamma: number | null
  readonly lambda: number | null
  /** UserRL: how the score of a dialogue is spread over its turns. */
  readonly turns: string | null
}

export type AdvantageEstimator =
  | 'group-z'
  | 'group-mean'
  | 'group-batch-std'
  | 'group-unknown'
  | 'leave-one-out'
  | 'gae'
  | 'reinforce++'
  | 'reinforce++-baseline'
  | 'remax'
  | 'opo'
  | 'gpg'
  | 'other'
  | 'unknown'

/** `weight`: CISPO's clipped weight of log π; `geometric`: GMPO; `plain`: −A log π. */
export type Surrogate =
  | { readonly kind: 'clip' | 'sequence-clip' | 'weight' | 'geometric' | 'plain' }
  | { readonly kind: 'named'; readonly name: string }

export interface ObjectiveKl {
  readonly place: 'loss' | 'reward'
  readonly coefficient: number | null
  readonly isAdaptive: boolean
  /** Null: not said, or no estimate that klens knows. */
  readonly form: KlForm | null
  /** Null: it depends on the release. */
  readonly weight: KlWeight | null
  /** The release stops at this estimator's name. */
  readonly fails: boolean | null
}

/** What an objective is read from. */
export interface ObjectiveSource {
  readonly framework: Framework | null
  readonly version: string | null
  /** With the defaults of the release, where one is known. */
  readonly config: Config
  /** As it is configured, by canonical name; undefined where nothing tells. */
  readonly setting: (canonical: string) => Json | undefined
  readonly kl: EffectiveKl
  /** klens's own trainers log under the names of others. */
  readonly isKlens: boolean
  /** Of a launch: a setting that is written and whose value only running would tell. */
  readonly isOpen?: (canonical: string) => boolean
}

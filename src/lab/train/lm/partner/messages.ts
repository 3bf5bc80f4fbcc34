/** What a training asks of its partner, and what it is answered: plain data, to be sent between threads. */
import type { RandomState } from '../../../../stats/random.js'
import type { TokenGrpoSums } from '../../objectives/token-grpo.js'
import type { Turn, TurnOptions } from '../generate.js'
import type { GradientWork } from '../gradients.js'
import type { DecoderShape } from '../shape.js'

/** Memory that both threads see: numbers of all parameters one after the other, and a counter of answers. */
export interface SharedMemory {
  readonly policy: Float32Array
  readonly reference: Float32Array
  readonly gradients: Float32Array
  /** [0]: answers given so far; [1]: counts up when the reference is another. */
  readonly counters: Int32Array
}

export interface PartnerStart {
  readonly shape: DecoderShape
  readonly memory: SharedMemory
  /** Dialogues that it may have to hold, and the tokens of each. */
  readonly slots: { readonly count: number; readonly capacity: number }
}

/** What has happened to the partner's slots since it spoke last. */
export type SlotChange =
  | { readonly kind: 'clear' }
  | { readonly kind: 'append'; readonly slot: number; readonly tokens: readonly number[] }
  | { readonly kind: 'prepare'; readonly slots: readonly number[] }
  | { readonly kind: 'fork'; readonly from: number; readonly to: number }

export interface SpeakJob {
  readonly kind: 'speak'
  readonly changes: readonly SlotChange[]
  readonly speakers: readonly { readonly slot: number; readonly random: RandomState; readonly limit: number }[]
  readonly options: TurnOptions
}

export interface GradientJob {
  readonly kind: 'gradients'
  readonly work: GradientWork
}

export type PartnerJob = SpeakJob | GradientJob

/** A turn, and where the generator stands after it. */
export interface SpokenTurn {
  readonly turn: Turn
  readonly random: RandomState
}

export type PartnerAnswer =
  | { readonly kind: 'spoken'; readonly turns: readonly SpokenTurn[] }
  | { readonly kind: 'sums'; readonly sums: TokenGrpoSums }
  | { readonly kind: 'failed'; readonly reason: string }

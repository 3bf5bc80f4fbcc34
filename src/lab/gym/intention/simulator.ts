import type { Json } from '../../../logs/model/json.js'
import type { Message } from '../../../logs/model/run.js'
import type { IntentionDetail, IntentionTask } from './task.js'

/**
 * Who plays the person with the vague request: one voice replies, one judges which of the remaining details a question
 * asks for. Either may fail; a failure is reported as such and never as an answer.
 */
export interface Simulator {
  reply(situation: Situation): Reply | Promise<Reply>
  judge(situation: Situation): Judgement | Promise<Judgement>
}

/** One that is a program: it answers at once and never fails. */
export interface InstantSimulator extends Simulator {
  reply(situation: Situation): Reply
  judge(situation: Situation): Judgement
}

export interface Situation {
  readonly task: IntentionTask
  readonly question: string
  /** The last exchanges, oldest first. */
  readonly history: readonly Exchange[]
  /** How many earlier questions found nothing. */
  readonly misses: number
  /** Judged by their positions in this list. */
  readonly remaining: readonly IntentionDetail[]
  /** Whether the one who replies may know what is missing. */
  readonly replySeesDetails: boolean
}

export interface Exchange {
  readonly question: string
  readonly feedback: Json
}

type Missing = { readonly kind: 'missing'; readonly reason: Message }

export type Reply = { readonly kind: 'said'; readonly feedback: Json } | Missing

export type Judgement =
  | { readonly kind: 'covered'; readonly indices: readonly number[] }
  /** An answer came, but not one that says what is covered. */
  | { readonly kind: 'unreadable' }
  | Missing

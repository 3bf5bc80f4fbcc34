import type { Message } from './run.js'

/** A judgement on a comparison, in the shape that scripts rely on (DESIGN sections 4, 6 and 7). */

export type Question = 'checkpoint' | 'level' | 'final' | 'speed' | 'stability' | 'cost'

/** What a claim is about. One run a side can never speak about configurations. */
export type Scope = 'checkpoints' | 'runs' | 'configs'

/** `higher` and `lower` stand for better and worse where nobody has said which is which. */
export type Answer = 'better' | 'worse' | 'same' | 'different-but-small' | 'undetermined' | 'higher' | 'lower'

export interface Verdict {
  readonly question: Question
  readonly metric: string
  readonly baseline: string
  readonly other: string
  readonly scope: Scope
  readonly answer: Answer
  /** Other minus baseline, in the metric's own unit; null where nothing can be computed. */
  readonly estimate: number | null
  readonly interval: readonly [number, number] | null
  readonly p: number | null
  readonly margin: number | null
  /** The smallest margin at which the two would count as the same. */
  readonly smallestMargin: number | null
  readonly tags: readonly string[]
  readonly reasons: readonly Message[]
  readonly toSettle: ToSettle
}

export interface ToSettle {
  readonly evals?: number
  readonly prompts?: number
  readonly seeds?: number
  readonly note?: Message
}

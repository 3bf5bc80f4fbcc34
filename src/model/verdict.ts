import type { Message } from './run.js'

/** A judgement on a comparison, in the shape that scripts rely on (DESIGN sections 4, 6 and 7). */

export type VerdictQuestion = 'checkpoint' | 'level' | 'final' | 'speed' | 'stability' | 'cost' | 'trend'

/** What a claim is about. One run a side can never speak about configurations. */
export type Scope = 'checkpoints' | 'runs' | 'configs'

/** `higher` and `lower` stand for better and worse where nobody has said which is which. */
export type Answer = 'better' | 'worse' | 'same' | 'different-but-small' | 'undetermined' | 'higher' | 'lower'

export interface Verdict {
  readonly question: VerdictQuestion
  readonly metric: string
  readonly baseline: string
  readonly other: string
  readonly scope: Scope
  readonly answer: Answer
  /** The baseline's mean over just what was compared: what a percentage is of. Null where there is none. */
  readonly level: number | null
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
  /** How the interval was made, with the numbers that went in; null where there is none. */
  readonly method: Method | null
}

/** One of the methods that docs/statistics.md describes and calibrates; `--explain` spells it out. */
export interface Method {
  readonly id: MethodId
  readonly numbers: { readonly [name: string]: number }
}

export const METHOD_IDS = [
  'paired-evaluations',
  'evaluations-and-prompts',
  'evaluations-and-prompt-count',
  'welch',
  'welch-and-prompts',
  'paired-prompts',
  'unpaired-shares',
  'crossing-redrawn',
  'crossing-ranks',
  'spread-ratio',
  'spread-of-runs',
  'dose-trend',
] as const

export type MethodId = (typeof METHOD_IDS)[number]

export interface ToSettle {
  readonly evals?: number
  readonly prompts?: number
  readonly seeds?: number
  readonly note?: Message
}

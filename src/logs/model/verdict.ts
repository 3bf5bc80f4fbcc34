import { z } from 'zod'
import type { Message } from './run.js'
import { figure, list, pair } from './schema.js'

/** A judgement on a comparison, in the shape that scripts rely on (docs/statistics.md). */

export type VerdictQuestion = 'checkpoint' | 'level' | 'final' | 'speed' | 'stability' | 'cost' | 'trend'

/** What a claim is about. One run a side can never speak about configurations. */
export type Scope = 'checkpoints' | 'runs' | 'configs'

/** `higher` and `lower` stand for better and worse where nobody has said which is which. */
export const ANSWERS = ['better', 'worse', 'same', 'different-but-small', 'undetermined', 'higher', 'lower'] as const

export type Answer = (typeof ANSWERS)[number]

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
  'welch-and-prompt-count',
  'paired-prompts',
  'unpaired-shares',
  'clustered-items',
  'mean-over-tasks',
  'reported-means',
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

/** A verdict as scripts get it, its sentences in the reader's language. */
export const verdictSchema = z.object({
  question: z.enum(['checkpoint', 'level', 'final', 'speed', 'stability', 'cost', 'trend']),
  metric: z.string(),
  baseline: z.string(),
  other: z.string(),
  scope: z.enum(['checkpoints', 'runs', 'configs']),
  answer: z.enum(ANSWERS),
  /** The baseline's mean over what was compared: what a percentage is of. */
  level: z.number().nullable(),
  estimate: figure.nullable(),
  interval: pair(figure).nullable(),
  p: z.number().nullable(),
  margin: z.number().nullable(),
  smallestMargin: z.number().nullable(),
  tags: list(z.string()),
  reasons: list(z.string()),
  /** What each reason is called, whatever the language. */
  reasonKeys: list(z.string()),
  toSettle: z.object({
    evals: z.number().optional(),
    prompts: z.number().optional(),
    seeds: z.number().optional(),
    note: z.string().optional(),
  }),
  method: z.object({ id: z.enum(METHOD_IDS), numbers: z.record(z.string(), z.number()) }).nullable(),
})

export type VerdictAnswer = z.infer<typeof verdictSchema>

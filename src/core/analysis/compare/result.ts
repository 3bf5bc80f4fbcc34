import { z } from 'zod'
import { AXES, type Axis } from '../../../logs/model/axis.js'
import { figure, json, list, pair } from '../../../logs/model/schema.js'
import { type Answer, type Verdict, verdictSchema } from '../../../logs/model/verdict.js'
import { goalSchema, type JudgedBy } from '../../../logs/model/vocabulary/judged-by.js'
import type { Goal } from '../../../logs/model/vocabulary/metric.js'
import { encoded } from '../../../text/answer-schema.js'
import type { Message } from '../../../text/sentences.js'
import type { Confound } from '../confounds.js'
import type { Size } from '../conventions.js'
import { type EvaluationComparison, evaluationComparison } from '../evaluations/result.js'
import type { Attribution } from './attribution.js'
import type { Choice } from './choose.js'
import type { Collapse } from './seeds.js'
import type { MetricDifference, SummaryRow } from './shared-metrics.js'

/** What a comparison found: inside klens with messages and numbers, and as JSON carries it. */

/** Early, middle or late: the means of both sides over a third of the shared evaluations. A description, no verdict. */
export interface Phase {
  readonly from: number
  readonly to: number
  readonly baseline: number
  readonly other: number
}

export interface TableRow {
  readonly step: number
  /** Mean over replicates; null where a side has no value. Never interpolated. */
  readonly values: readonly (number | null)[]
  /** The last side minus the first, where both have a value. */
  readonly diff: number | null
}

export interface SetAnswer {
  readonly metric: string
  readonly answer: Answer
}

type JudgedVerdict = Verdict & { readonly reasonKeys: readonly string[] }

type TodaysChoice = Choice & { readonly sentence: Message }

/** One side against the baseline. Verdicts and costs stand by their places in the lists of the whole. */
export interface PairResult {
  readonly label: string
  readonly steps: {
    readonly n: number
    readonly from: number
    readonly to: number
    readonly windows: number | null
  } | null
  readonly headline: number
  readonly window: readonly [number, number] | null
  readonly verdicts: readonly number[]
  readonly costs: readonly number[]
  readonly confounds: readonly Confound[]
  readonly choose: TodaysChoice | null
  readonly unused: readonly Message[]
  readonly sets: readonly SetAnswer[]
  readonly collapse: Omit<Collapse, 'messages'> | null
  readonly phases: readonly Phase[]
  readonly levels: readonly [readonly number[], readonly number[]] | null
}

export interface ComparisonResult {
  readonly sides: readonly {
    readonly label: string
    readonly runs: readonly string[]
    readonly metric: string
    readonly files: readonly (readonly string[])[]
  }[]
  readonly canonical: string | null
  readonly goal: Goal | null
  readonly judgedBy: JudgedBy
  /** How high the sides score by the optimised reward, where an independent score judges; null where there is none beside it. */
  readonly optimised: readonly JudgedVerdict[] | null
  readonly margin: Size | null
  readonly by: Axis
  readonly headline: { readonly verdict: number; readonly sets: readonly SetAnswer[] }
  readonly others: readonly PairResult[]
  readonly confounds: readonly Confound[]
  readonly attribution: readonly (Attribution & { readonly other: string })[]
  readonly verdicts: readonly JudgedVerdict[]
  readonly costs: readonly JudgedVerdict[]
  readonly choose: TodaysChoice | null
  readonly unused: readonly Message[]
  readonly summary: readonly SummaryRow[]
  /** Of every shared metric, where it was asked for. */
  readonly differences: readonly MetricDifference[] | null
  readonly table: {
    readonly metric: string
    readonly windows: number | null
    readonly total: number
    readonly rows: readonly TableRow[]
  }
  readonly warnings: readonly Message[]
  /** Tasks and items, where the sides are evaluation files; null where they are trainings. */
  readonly evaluation: EvaluationComparison | null
}

const confound = z.object({ key: z.string(), values: list(json), knob: z.string().nullable() })

const choice = z.object({
  side: z.string(),
  probability: z.number(),
  lossIfWrong: z.number(),
  gainIfRight: z.number(),
  error: z.number(),
  assumption: z.string(),
  sentence: z.string(),
})

export const comparisonSchema = z.object({
  sides: list(
    z.object({
      label: z.string(),
      runs: list(z.string()),
      /** The raw metric on this side. */
      metric: z.string(),
      /** Of each run, the files that it was read from. */
      files: list(list(z.string())),
    }),
  ),
  /** What the metric means, where the vocabulary knows. */
  canonical: z.string().nullable(),
  goal: z.enum(['max', 'min']).nullable(),
  /** What the sides are judged by, its role in their training, and why. */
  judgedBy: encoded(goalSchema),
  /** How high they score by the optimised reward beside an independent score; null where it is not validated so. */
  optimised: list(verdictSchema).nullable(),
  /** As it was asked for; the verdicts have it in the metric's unit. */
  margin: z.union([z.object({ share: z.number() }), z.object({ absolute: z.number() })]).nullable(),
  by: z.enum(AXES),
  /** By its place among the verdicts; and what it says on every validation set. */
  headline: z.object({
    verdict: z.number(),
    sets: list(z.object({ metric: z.string(), answer: verdictSchema.shape.answer })),
  }),
  /** One per side but the first. Verdicts and costs by their places in the lists below. */
  others: list(
    z.object({
      label: z.string(),
      /** Of the axis `by`; `windows` is how wide each is, null where the evaluations are shared ones. */
      steps: z.object({ n: z.number(), from: z.number(), to: z.number(), windows: z.number().nullable() }).nullable(),
      headline: z.number(),
      /** The steps that the headline is over. */
      window: pair(z.number()).nullable(),
      verdicts: list(z.number()),
      costs: list(z.number()),
      confounds: list(confound),
      choose: choice.nullable(),
      unused: list(z.string()),
      sets: list(z.object({ metric: z.string(), answer: verdictSchema.shape.answer })),
      /** Runs that collapsed, by their places on each side, and Fisher's p that the shares differ; null where none did. */
      collapse: z.object({ baseline: list(z.number()), other: list(z.number()), p: z.number() }).nullable(),
      /** Early, middle, late: a description, no verdict. */
      phases: list(z.object({ from: z.number(), to: z.number(), baseline: z.number(), other: z.number() })),
      /** Of each run of the baseline and of the other, in the order of `sides`, its mean over `window`; null for evaluation files. */
      levels: pair(list(figure)).nullable(),
    }),
  ),
  confounds: list(confound),
  attribution: list(
    z.object({
      other: z.string(),
      knobs: list(z.string()),
      smallestFix: z.string().nullable(),
      separating: list(z.object({ knob: z.string(), run: z.string() })),
    }),
  ),
  verdicts: list(verdictSchema),
  costs: list(verdictSchema),
  choose: choice.nullable(),
  unused: list(z.string()),
  summary: list(
    z.object({
      metric: z.string(),
      values: list(
        z.object({
          first: figure,
          last: figure,
          mean: figure,
          min: figure,
          max: figure,
          change: figure,
          minStep: figure.nullable(),
          maxStep: figure.nullable(),
        }),
      ),
    }),
  ),
  differences: list(
    z.object({ metric: z.string(), other: z.string(), estimate: z.number(), p: z.number(), q: z.number() }),
  ).nullable(),
  table: z.object({
    metric: z.string(),
    /** How wide the windows of its rows are, each named by its end; null where rows are evaluations. */
    windows: z.number().nullable(),
    /** How many rows there are; they need not all be here. */
    total: z.number(),
    rows: list(z.object({ step: z.number(), values: list(figure.nullable()), diff: figure.nullable() })),
  }),
  warnings: list(z.string()),
  /** Of evaluation files: task by task, with how many items were compared; null where the sides are trainings. */
  evaluation: evaluationComparison.nullable(),
})

/** A comparison as scripts get it, its sentences in the reader's language. */
export type CompareAnswer = z.infer<typeof comparisonSchema>

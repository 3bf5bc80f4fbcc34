import { z } from 'zod'
import { list, pair } from '../../../logs/model/schema.js'

/** The mean of a task, and its errors as the tools print them. */
export const taskMean = z.object({
  task: z.string(),
  metric: z.string(),
  mean: z.number(),
  /** Of the mean over items, each the mean of its repeats; null where nothing tells. */
  standardError: z.number().nullable(),
  /** Clustered by the column that the tool itself names, or that was asked for. */
  clusteredError: z.number().nullable(),
  cluster: z.string().nullable(),
  /** Items. */
  n: z.number().nullable(),
  /** The most answers to one item. */
  repeats: z.number(),
  /** pass@k and maj@k, where items were asked several times and are right or wrong. */
  attempts: list(z.object({ measure: z.string(), value: z.number(), interval: pair(z.number()) })),
})

export type TaskMeanAnswer = z.infer<typeof taskMean>

/** What a comparison of evaluation files has beside its verdicts. */
export const evaluationComparison = z.object({
  /** The column by which items were clustered; null where each stands for itself. */
  cluster: z.string().nullable(),
  pairs: list(
    z.object({
      other: z.string(),
      /** How many tasks are higher or lower, and how many of these differences hold after Holm's correction. */
      counts: z.object({
        tasks: z.number(),
        up: z.number(),
        upHolding: z.number(),
        down: z.number(),
        downHolding: z.number(),
      }),
      tasks: list(
        z.object({
          task: z.string(),
          /** By its place among the verdicts. */
          verdict: z.number(),
          /** Items that both sides answered, and the clusters that they are in. */
          shared: z.number(),
          clusters: z.number().nullable(),
          baseline: taskMean,
          other: taskMean,
          /** Differences of pass@k and maj@k: a description, no verdict. */
          attempts: list(z.object({ measure: z.string(), difference: z.number(), interval: pair(z.number()) })),
        }),
      ),
    }),
  ),
})

export type EvaluationComparison = z.infer<typeof evaluationComparison>

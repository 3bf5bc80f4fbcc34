import { z } from 'zod'

/** What a writer's own reader found in the logs that it wrote (known.py writes it). */

const numberSchema = z.union([z.number(), z.enum(['NaN', 'Infinity', '-Infinity']).transform(Number)])
const runSchema = z.object({
  /** Null where the writer gives its run no name. */
  name: z.string().nullable(),
  points: z.record(z.string(), z.array(z.tuple([z.number(), numberSchema]))),
  settings: z.record(z.string(), z.unknown()),
})

const evaluationSchema = z.object({
  name: z.string().nullable(),
  /** Under `task/metric`: what the tool printed. */
  scores: z.record(
    z.string(),
    z.object({ mean: z.number(), stderr: z.number().optional(), clustered: z.number().optional() }),
  ),
  /** Under `task/metric`: the scores of each item, in the order of its repeats. */
  items: z.record(z.string(), z.record(z.string(), z.array(z.number()))),
})

export const readbackSchema = z.object({
  version: z.string(),
  by: z.string(),
  runs: z.array(runSchema),
  evaluations: z.array(evaluationSchema),
})

export type Readback = z.infer<typeof readbackSchema>
export type WrittenRun = z.infer<typeof runSchema>
export type WrittenEvaluation = z.infer<typeof evaluationSchema>

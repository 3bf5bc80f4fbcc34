import { z } from 'zod'

/** What a writer's own reader found in the logs that it wrote (known.py writes it). */

const numberSchema = z.union([z.number(), z.enum(['NaN', 'Infinity', '-Infinity']).transform(Number)])
const runSchema = z.object({
  /** Null where the writer gives its run no name. */
  name: z.string().nullable(),
  points: z.record(z.string(), z.array(z.tuple([z.number(), numberSchema]))),
  settings: z.record(z.string(), z.unknown()),
})

export const readbackSchema = z.object({
  version: z.string(),
  by: z.string(),
  runs: z.array(runSchema),
})

export type Readback = z.infer<typeof readbackSchema>
export type WrittenRun = z.infer<typeof runSchema>

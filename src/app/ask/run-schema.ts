import { z } from 'zod'
import { figure, json, list, pair } from './fields.js'

/** A run as scripts get it: in a list by its outlines, else whole. */

export const RUN_STATUSES = ['running', 'finished', 'failed', 'killed', 'unknown'] as const

export const entrySchema = z.object({
  id: z.string(),
  name: z.string(),
  source: z.string(),
  status: z.enum(RUN_STATUSES),
  /** First and last; null for a run without steps. */
  steps: pair(z.number()).nullable(),
  metrics: z.number(),
  points: z.number(),
  tags: list(z.string()),
  /** What the user wrote about it. */
  note: z.string(),
})

/** Nulls where nothing was measured. */
const summary = z.object({
  n: z.number(),
  first: figure.nullable(),
  last: figure.nullable(),
  min: figure.nullable(),
  minStep: figure.nullable(),
  max: figure.nullable(),
  maxStep: figure.nullable(),
  mean: figure.nullable(),
})

const weights = z.object({
  contentHash: z.string(),
  path: z.string().nullable(),
  step: z.number().nullable(),
  run: z.string().nullable(),
})

export const runSchema = entrySchema.extend({
  config: z.record(z.string(), json),
  summary: z.record(z.string(), summary),
  /** What its tracker says besides. */
  about: z.record(z.string(), json),
  segments: list(z.object({ firstStep: z.number().nullable(), lastStep: z.number().nullable() })),
  duplicateOf: z.string().nullable(),
  evaluations: z.number(),
  samples: z.number(),
  /** Where it came from: parent checkpoint, reference, data, settings and code, by hash where known. */
  lineage: z.object({
    parent: weights.nullable().optional(),
    reference: weights.optional(),
    data: z.string().optional(),
    settings: z.string().optional(),
    code: z.string().optional(),
  }),
  files: list(z.object({ path: z.string(), source: z.string(), size: z.number() })),
})

export type RunAnswer = z.infer<typeof runSchema>

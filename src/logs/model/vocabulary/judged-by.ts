import { z } from 'zod'
import { sentence } from '../../../text/answer-schema.js'
import { list } from '../schema.js'

/** What some runs are judged by, as every answer that judges tells it: the metric, its role in the training, and why. */

const role = z.enum(['independent', 'optimised', 'part', 'loss', 'unknown'])

export const goalSchema = z.object({
  metric: z.string(),
  /** What the metric is to the training: an independent score, what was optimised, a part of that, or a loss. */
  role,
  /** The data set that the metric speaks of, where its name says. */
  dataset: z.string().nullable(),
  reason: sentence,
  rewardKind: z.enum(['rule', 'learned', 'composite', 'unknown']),
  /** Set with `klens goal` or vocabulary.yaml, or found in the log. */
  source: z.enum(['user', 'log']),
  /** Every data set that is judged, that of the metric first. */
  sets: list(z.object({ metric: z.string(), dataset: z.string().nullable(), role })),
  /** The line that a reader sees. */
  sentence,
})

export type JudgedBy = z.infer<typeof goalSchema>

import { z } from 'zod'
import { type Verdict, verdictSchema } from '../../logs/model/verdict.js'

/** What several answers from runs hold. */

/** Under which circumstances a score was measured; absent means unknown. */
export const condition = z.object({
  dataset: z.string().optional(),
  shots: z.number().optional(),
  temperature: z.number().optional(),
  split: z.string().optional(),
  aggregate: z.string().optional(),
})

/** A verdict with the names of its reasons, which stay when the reasons become words. */
export interface KeyedVerdict extends Verdict {
  readonly reasonKeys: readonly string[]
}

// Of a verdict the schema describes the words that leave klens, its type the messages before that.
export const keyedVerdict = verdictSchema as unknown as z.ZodType<KeyedVerdict>

export function withReasonKeys(verdict: Verdict): KeyedVerdict {
  return { ...verdict, reasonKeys: verdict.reasons.map(({ key }) => key) }
}

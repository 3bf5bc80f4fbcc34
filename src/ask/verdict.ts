import { z } from 'zod'
import { jsonNumber } from '../model/json.js'
import { METHOD_IDS, type Verdict } from '../model/verdict.js'
import type { Language } from '../text/language.js'
import { render } from '../text/sentences.js'
import { figure, inWords, list, pair } from './fields.js'

/** A verdict as scripts get it, its sentences in the reader's language. */
export const verdictSchema = z.object({
  question: z.enum(['checkpoint', 'level', 'final', 'speed', 'stability', 'cost', 'trend']),
  metric: z.string(),
  baseline: z.string(),
  other: z.string(),
  scope: z.enum(['checkpoints', 'runs', 'configs']),
  answer: z.enum(['better', 'worse', 'same', 'different-but-small', 'undetermined', 'higher', 'lower']),
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
  method: z
    .object({
      id: z.enum(METHOD_IDS),
      numbers: z.record(z.string(), z.number()),
    })
    .nullable(),
})

export type VerdictAnswer = z.infer<typeof verdictSchema>

export function verdictAnswer(verdict: Verdict, language: Language): VerdictAnswer {
  const { estimate, interval, reasons, toSettle } = verdict
  const { note, ...settle } = toSettle
  return {
    ...verdict,
    estimate: jsonNumber(estimate),
    interval: interval === null ? null : [jsonNumber(interval[0]), jsonNumber(interval[1])],
    reasons: inWords(reasons, language),
    reasonKeys: reasons.map(({ key }) => key),
    toSettle: { ...settle, ...(note && { note: render(note, language) }) },
  }
}

import { jsonNumber } from '../model/json.js'
import type { Verdict } from '../model/verdict.js'
import type { Context } from './context.js'

/** A verdict as the JSON contract writes it (DESIGN section 7), its sentences in the reader's language. */
export function verdictJson(context: Context, verdict: Verdict): object {
  const { note, ...settle } = verdict.toSettle
  return {
    ...verdict,
    estimate: jsonNumber(verdict.estimate),
    interval: verdict.interval?.map(jsonNumber) ?? null,
    reasons: verdict.reasons.map(context.render),
    toSettle: { ...settle, ...(note && { note: context.render(note) }) },
  }
}

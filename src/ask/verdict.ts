import { jsonNumber } from '../model/json.js'
import type { Verdict, VerdictAnswer } from '../model/verdict.js'
import type { Language } from '../text/language.js'
import { render } from '../text/sentences.js'
import { inWords } from './fields.js'

export { type VerdictAnswer, verdictSchema } from '../model/verdict.js'

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

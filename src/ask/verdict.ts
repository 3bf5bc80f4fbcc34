import type { Verdict, VerdictAnswer } from '../model/verdict.js'
import { encode } from '../text/encode.js'
import type { Language } from '../text/language.js'

export { type VerdictAnswer, verdictSchema } from '../model/verdict.js'

export function verdictAnswer(verdict: Verdict, language: Language): VerdictAnswer {
  return encode({ ...verdict, reasonKeys: verdict.reasons.map(({ key }) => key) }, language)
}

import { z } from 'zod'
import { Problem } from '../model/problem.js'
import { planStudy } from '../study/plan/plan-study.js'
import { studyStand } from '../study/status/cells.js'
import { sentences } from '../text/sentences.js'
import { type EvaluationEvent, evaluateTrials } from './evaluate-trials.js'
import { list, request } from './fields.js'
import { type Asking, question } from './question.js'
import { holdingStudy } from './study-hold.js'
import { cell, evaluationCellAnswer } from './study-status.js'

/** Evaluate what a study plans and has no scores of, the cheapest first; asked again, it goes on where it was. */

const say = sentences({
  'study.eval.none': {
    en: '{file} names no evaluations; write them under evaluations: (docs/verbs/study.md)',
    zh: '{file} 没有写评估；请写在 evaluations: 下（见 docs/verbs/study.md）',
  },
})

const evalAnswer = z.object({
  study: z.string(),
  /** How many were evaluated by this call. */
  evaluated: z.number(),
  /** How many have still no score of every sample, with a checkpoint to evaluate. */
  left: z.number(),
  stopped: z.enum(['asked']).nullable(),
  cells: list(cell),
})

export type StudyEvalAnswer = z.infer<typeof evalAnswer>

export const studyEval = question({
  request: request({ file: z.string() }),
  answer: evalAnswer,
  async ask(workspace, { file, lang }, asking: Asking<EvaluationEvent>) {
    const study = await planStudy(file)
    if (Object.keys(study.file.evaluations).length === 0) {
      throw new Problem('bad-request', say('study.eval.none', { file }))
    }
    return holdingStudy(workspace, study, async () => {
      const { evaluated, left } = await evaluateTrials(workspace, study, study.trials, lang, asking)
      const { evaluations } = await studyStand(workspace, study, study.trials)
      return {
        study: study.name,
        evaluated,
        left,
        stopped: asking.signal?.aborted ? ('asked' as const) : null,
        cells: evaluations.map(each => evaluationCellAnswer(each, lang)),
      }
    })
  },
})

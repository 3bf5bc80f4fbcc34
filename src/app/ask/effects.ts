import { z } from 'zod'
import { answerSweep, sweepAnswer, sweepRuns } from '../../core/analysis/sweep/answer.js'
import { encoded, sentence } from '../../text/answer-schema.js'
import { encode } from '../../text/encode.js'
import { list, metric, request } from './fields.js'
import { resolveAll } from './names.js'
import { problemOf, question } from './question.js'

/** What does each of several settings do to the score? A sweep over each; where none can be made, why not. */

const effectsAnswer = z.object({
  effects: list(z.object({ key: z.string(), sweep: sweepAnswer.nullable(), reason: sentence.nullable() })),
})

const MOST_KEYS = 12

export const effects = question({
  request: request({
    runs: list(z.string()),
    /** Config keys, raw or canonical. */
    over: list(z.string()).refine(keys => keys.length <= MOST_KEYS, { message: `${MOST_KEYS} keys at most` }),
    metric,
  }),
  answer: encoded(effectsAnswer),
  async ask(workspace, { runs: names, over, metric: wanted, lang }, asking) {
    const runs = await resolveAll(workspace, names, asking)
    const found: z.infer<typeof effectsAnswer>['effects'][number][] = []
    for (const key of over) {
      asking.signal?.throwIfAborted()
      try {
        const options = { over: [key], metric: wanted, goal: null, margin: null, baseline: null }
        found.push({ key, sweep: answerSweep(await sweepRuns(workspace, runs, options), lang), reason: null })
      } catch (error) {
        const problem = problemOf(error)
        if (problem === null) throw error
        found.push({ key, sweep: null, reason: problem.sentence })
      }
    }
    return encode({ effects: found }, lang)
  },
})

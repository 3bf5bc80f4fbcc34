import { z } from 'zod'
import { makePlan, planAnswer } from '../../core/analysis/plan/answer.js'
import { noiseAtHand } from '../../core/analysis/plan/noise.js'
import { Problem } from '../../logs/model/problem.js'
import { FEWEST_EVALUATIONS } from '../../stats/paired-mean.js'
import { encoded } from '../../text/answer-schema.js'
import { encode } from '../../text/encode.js'
import { message } from '../../text/say.js'
import { list, metric, numberWithin, otherwise, request, size } from './fields.js'
import { resolveSides } from './names.js'
import { question } from './question.js'

/** How many prompts, evaluations or seeds would settle it? */
export const plan = question({
  request: request({
    sides: list(z.string())
      .refine(sides => sides.length < 3, otherwise('plan.two-sides'))
      .default([]),
    metric,
    difference: size,
    margin: size,
    power: numberWithin({ above: 0, below: 1 }),
    sd: numberWithin({ above: 0 }),
    seedSd: numberWithin({ above: 0 }),
    prompts: numberWithin({ above: 0, whole: true }),
    discordance: numberWithin({ above: 0, below: 1 }),
    p: numberWithin({ above: 0, below: 1 }),
    evals: numberWithin({ above: FEWEST_EVALUATIONS - 1, whole: true }),
    budget: numberWithin({ above: 0 }),
    costRun: numberWithin({ above: 0 }),
    costPrompt: numberWithin({ above: 0 }),
  }),
  answer: encoded(planAnswer),
  async ask(workspace, { sides: names, metric, lang, ...options }, asking) {
    if (options.difference === null && options.margin === null) {
      throw new Problem('bad-request', message('plan.needs-size', {}))
    }
    const sides = await resolveSides(workspace, names, asking)
    const measured = sides.length === 0 ? null : await noiseAtHand(sides, metric)
    return encode(makePlan(options, measured), lang)
  },
})

export type PlanAnswer = z.infer<typeof plan.answer>

import { z } from 'zod'
import { rankRun } from '../analysis/checkpoints/rank-run.js'
import { jsonNumber } from '../model/json.js'
import { Problem } from '../model/problem.js'
import { shownName } from '../store/manifest.js'
import { message } from '../text/say.js'
import { render, sentences } from '../text/sentences.js'
import { figure, goal, HEADLINE_METRIC, inWords, list, pair, request, someOf } from './fields.js'
import { resolveOne } from './names.js'
import { question } from './question.js'

/** Which checkpoint to ship, and which ones are indistinguishable from it? */

const say = sentences({
  'checkpoints.only-reward': {
    en: '{run} was never validated; --metric {reward} ranks its steps by the reward in training, which is what was optimised, on other prompts at every step',
    zh: '{run} 没有验证记录；--metric {reward} 可按训练奖励给各步排序，但它就是被优化的量，且每步的 prompt 都不同',
  },
})

const checkpointsAnswer = z.object({
  metric: z.string(),
  goal: z.enum(['max', 'min']),
  /** Best first; beside the score what a reader weighs with it. */
  ranking: list(z.object({ step: z.number(), value: z.number(), others: z.record(z.string(), figure) })),
  best: z.object({
    step: z.number(),
    value: z.number(),
    shrunken: figure.nullable(),
    interval: pair(z.number()).nullable(),
    heldOut: z.number().nullable(),
  }),
  /** The one step advised, among those that exist. */
  take: z.object({
    step: z.number(),
    /** Null: nothing tells which steps were saved. False: none of them was. */
    saved: z.boolean().nullable(),
    value: z.number().nullable(),
    expected: z.number().nullable(),
    why: z.string(),
    /** How much better the best step is, saved or not. */
    loss: z.number().nullable(),
  }),
  /** The same score on every validation set, this one first. */
  sets: list(z.string()),
  indistinguishable: list(z.number()),
  reasons: list(z.string()),
  /** The metrics in `others`, in a reader's order. */
  beside: list(z.string()),
})

export type CheckpointsAnswer = z.infer<typeof checkpointsAnswer>

export const checkpoints = question({
  request: request({ run: z.string(), metric: z.string().nullable().default(null), goal }),
  answer: checkpointsAnswer,
  async ask(workspace, asked, asking) {
    const run = await resolveOne(workspace, asked.run, asking)
    const found = await rankRun(run, asked.metric, asked.goal)
    const { id, metrics } = run.manifest
    if (found === null) {
      const reward = ['reward.mean', 'score.mean'].flatMap(name => run.metricsNamed(name))[0]
      if (asked.metric === null && reward !== undefined) {
        throw new Problem('not-found', say('checkpoints.only-reward', { run: shownName(run.manifest), reward }))
      }
      const known = someOf([...metrics.keys()], 8)
      throw new Problem(
        'not-found',
        message('show.no-metric', { run: id, metric: asked.metric ?? HEADLINE_METRIC, known }),
      )
    }
    const { metric, goal, ranked, take, sets, beside, valuesAt } = found
    if (goal === null) throw new Problem('bad-request', message('checkpoints.no-goal', { metric }))
    if (ranked === null || take === null)
      throw new Problem('not-enough', message('checkpoints.empty', { run: id, metric }))
    const { best, indistinguishable, reasons } = ranked
    return {
      metric,
      goal,
      ranking: ranked.ranking.map(({ step, value }) => ({ step, value, others: figures(valuesAt(step)) })),
      best: { ...best, shrunken: jsonNumber(best.shrunken) },
      take: { ...take, why: render(take.why, asked.lang) },
      sets,
      indistinguishable,
      reasons: inWords(reasons, asked.lang),
      beside,
    }
  },
})

function figures(values: { readonly [name: string]: number }) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, jsonNumber(value)]))
}

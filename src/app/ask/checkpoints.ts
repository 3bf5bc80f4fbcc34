import { z } from 'zod'
import { rankedCheckpoints, rankRun } from '../../core/analysis/checkpoints/rank-run.js'
import { isEvaluation } from '../../core/analysis/evaluations/evaluation-run.js'
import { tasksOf } from '../../core/analysis/evaluations/task-items.js'
import { shownName } from '../../core/store/manifest.js'
import { Problem } from '../../logs/model/problem.js'
import { encoded } from '../../text/answer-schema.js'
import { encode } from '../../text/encode.js'
import { message } from '../../text/say.js'
import { sentences } from '../../text/sentences.js'
import { ended, goal, HEADLINE_METRIC, numberWithin, request, someOf } from './fields.js'
import { resolveOne } from './names.js'
import { question } from './question.js'

/** Which checkpoint to ship, and which ones are indistinguishable from it? */

const say = sentences({
  'checkpoints.one-evaluation': {
    en: '{run} is an evaluation of one model, with no checkpoints to choose from; evaluations whose path or model ends with checkpoint-500, global_step_500 or step_500 become scores of that checkpoint',
    zh: '{run} 是对单个模型的评测，没有可供选择的 checkpoint；路径或模型名以 checkpoint-500、global_step_500 或 step_500 结尾的评测会作为该 checkpoint 的得分',
  },
  'checkpoints.only-reward': {
    en: '{run} was never validated; --metric {reward} ranks its steps by the training reward, which was optimised and whose prompts change at every step',
    zh: '{run} 没有验证记录；--metric {reward} 可按训练奖励给各步排序，但它就是被优化的量，且每步的 prompt 都不同',
  },
})

const checkpointsAnswer = encoded(rankedCheckpoints)

export type CheckpointsAnswer = z.infer<typeof checkpointsAnswer>

export const checkpoints = question({
  request: request({
    run: z.string(),
    metric: z.string().nullable().default(null),
    goal,
    ended,
    /** Only checkpoints whose KL to the reference is at most this. */
    maxKl: numberWithin({ above: 0 }),
  }),
  answer: checkpointsAnswer,
  async ask(workspace, asked, asking) {
    const run = await resolveOne(workspace, asked.run, asking)
    if (isEvaluation(run) && (await tasksOf(run, { wanted: null, step: null })) !== null) {
      throw new Problem('not-enough', say('checkpoints.one-evaluation', { run: shownName(run.manifest) }))
    }
    const found = await rankRun(run, asked.metric, asked.goal, asked)
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
    const { metric, goal, ranked } = found
    if (goal === null) throw new Problem('bad-request', message('checkpoints.no-goal', { metric }))
    if (ranked === null) throw new Problem('not-enough', message('checkpoints.empty', { run: id, metric }))
    return encode(ranked, asked.lang)
  },
})

import { z } from 'zod'
import { isFit, measureJudge } from '../../lab/gym/judged/probes.js'
import { GYM_NAMES, type GymName } from '../../lab/gym/registry.js'
import type { Scene } from '../../lab/gym/scene.js'
import { Problem } from '../../logs/model/problem.js'
import { percentage } from '../../text/numbers.js'
import { message } from '../../text/say.js'
import { numberWithin, request } from './fields.js'
import { sceneFor } from './gym-request.js'
import { question } from './question.js'

/** How right is the judge of telepathy, turtle or persuade, and may a policy be trained on it? */

const share = z.number().nullable()

const judgeAnswer = z.object({
  gym: z.enum(GYM_NAMES),
  probes: z.number(),
  answeredRight: share,
  answeredWrong: share,
  paid: share,
  paidWrongly: share,
  failures: z.number(),
  latency: z.number().nullable(),
  fit: z.boolean(),
})

export type GymJudgeAnswer = z.infer<typeof judgeAnswer>

export const gymJudge = question({
  request: request({
    gym: z.enum(GYM_NAMES).default('intention'),
    simulator: z.string().default('embedded'),
    language: z.enum(['en', 'zh']).default('en'),
    questions: numberWithin({ above: 0, whole: true }),
  }),
  answer: judgeAnswer,
  async ask(workspace, { questions, ...asked }, { signal }) {
    const whole = { ...asked, prompts: null, data: [], split: 'test', limit: null, maxTurns: null, quirk: [] } as const
    return judgeFigures(asked.gym, await sceneFor(workspace, whole), questions, signal)
  },
})

async function judgeFigures(
  gym: GymName,
  { gym: played, judgeCheck }: Scene,
  most: number | null,
  signal?: AbortSignal,
): Promise<GymJudgeAnswer> {
  if (judgeCheck === undefined) throw new Problem('bad-request', message('gym.judge.none', { gym }))
  const { tasks, probes } = judgeCheck
  const figures = await measureJudge(played, tasks, probes.slice(0, most ?? probes.length), signal)
  return { gym, ...figures, fit: isFit(figures) }
}

/** Why the judge of this scene is not fit to train on; null where it is an endpoint, or good enough. */
export async function unfitJudge(gym: GymName, scene: Scene) {
  const { judgeCheck } = scene
  if (judgeCheck === undefined || !judgeCheck.isOffline) return null
  if (!judgeCheck.isMeasured) return message('gym.judge.unmeasured', { gym })
  const { fit, probes, answeredRight, paid, paidWrongly } = await judgeFigures(gym, scene, null)
  if (fit) return null
  const pay = { gym, probes, deserved: percentage(paid ?? 0), undeserved: percentage(paidWrongly ?? 0) }
  return answeredRight === null
    ? message('gym.judge.unfit-pay', pay)
    : message('gym.judge.unfit', { ...pay, right: percentage(answeredRight) })
}

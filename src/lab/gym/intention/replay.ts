import { z } from 'zod'
import type { ReplayForm } from '../recording.js'
import { readJudgement, readReply } from './answers.js'
import { openIntention } from './intention.js'
import { USERRL_RULES } from './rules.js'
import type { InstantSimulator } from './simulator.js'
import { taskSchema } from './task.js'

/** Episodes of UserRL's IntentionGym. */

const episodeSchema = z.looseObject({
  task: taskSchema,
  options: z.looseObject({
    max_steps: z.number().default(USERRL_RULES.maxSteps),
    step_penalty: z.number().default(USERRL_RULES.stepPenalty),
    multi_detail_penalty: z.number().default(USERRL_RULES.multiDetailPenalty),
    reward_scale: z.number().default(USERRL_RULES.rewardScale),
    normalize_rewards: z.boolean().default(USERRL_RULES.normalizeRewards),
  }),
})

export const intentionReplay: ReplayForm = {
  members: ['remaining', 'covered', 'coverage', 'total'],
  open(episode, { reply, judge, hear }) {
    const { task, options } = episodeSchema.parse(episode)
    const simulator: InstantSimulator = {
      reply({ question }) {
        hear(question)
        const answer = reply()
        return answer.kind === 'answer' ? readReply(answer.text) : answer
      },
      judge() {
        const answer = judge()
        return answer.kind === 'answer' ? readJudgement(answer.text) : answer
      },
    }
    return openIntention(task, simulator, {
      maxSteps: options.max_steps,
      stepPenalty: options.step_penalty,
      multiDetailPenalty: options.multi_detail_penalty,
      rewardScale: options.reward_scale,
      normalizeRewards: options.normalize_rewards,
      quirks: USERRL_RULES.quirks,
    })
  },
}

import type { Message } from '../model/run.js'
import { message } from '../text/say.js'
import { rewardOptions } from './config/options.js'
import type { TrainConfig } from './config/schema.js'
import { rankScores } from './objectives/ranks.js'
import { normalisedRewards, reward } from './objectives/rewards.js'
import type { Choice, Group, Query } from './tasks/task.js'

/** A group as the objectives see it: choices whose reward is known, and what the task said of them. */
export interface RewardedGroup {
  readonly query: Query
  readonly beams: readonly Choice[]
  readonly rewards: Float64Array
  /** Mean of right-or-wrong, and of the degree; NaN where the task does not judge so. */
  readonly hard: number
  readonly soft: number
  /** Choices that could not be scored: left out, and never a reward of 0. */
  readonly missing: number
  /** Why the first of those could not. */
  readonly missingReason: Message | null
}

export function rewardedGroup(query: Query, { members }: Group, config: TrainConfig): RewardedGroup {
  const options = rewardOptions(config)
  let missingReason: Message | null = null
  const scored = members.flatMap(({ choice, outcome }) => {
    const value = outcome.kind === 'missing' ? null : reward(outcome, options)
    if (outcome.kind !== 'missing' && value !== null) return [{ choice, value, outcome }]
    missingReason ??=
      outcome.kind === 'missing' ? outcome.reason : message('train.no-judgement', { mode: config.reward.mode })
    return []
  })
  const rewards = Float64Array.from(scored, ({ value }) => value)
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
  return {
    query,
    beams: scored.map(({ choice }) => choice),
    rewards: normalised(rewards, config),
    hard: mean(scored.map(({ outcome }) => outcome.hard ?? Number.NaN)),
    soft: mean(scored.map(({ outcome }) => outcome.soft)),
    missing: members.length - scored.length,
    missingReason,
  }
}

function normalised(rewards: Float64Array, { reward: { normalise, clamp } }: TrainConfig): Float64Array {
  switch (normalise) {
    case 'none':
      return rewards
    case 'z-score':
      return normalisedRewards(rewards, clamp)
    case 'rank':
      return rankScores(rewards)
  }
}

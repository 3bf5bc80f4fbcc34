import { rewardOptions } from './config/options.js'
import type { TrainConfig } from './config/schema.js'
import { normalisedRewards, reward } from './objectives/rewards.js'
import type { Group } from './tasks/groups.js'
import type { Choice, Query } from './tasks/task.js'

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
}

export function rewardedGroup(query: Query, { members }: Group, config: TrainConfig): RewardedGroup {
  const { normalise, clamp } = config.reward
  const options = rewardOptions(config)
  const scored = members.flatMap(({ choice, outcome }) => {
    if (outcome.kind === 'missing') return []
    const value = reward(outcome, options)
    return value === null ? [] : [{ choice, value, outcome }]
  })
  const rewards = Float64Array.from(scored, ({ value }) => value)
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
  return {
    query,
    beams: scored.map(({ choice }) => choice),
    rewards: normalise ? normalisedRewards(rewards, clamp) : rewards,
    hard: mean(scored.map(({ outcome }) => outcome.hard ?? Number.NaN)),
    soft: mean(scored.map(({ outcome }) => outcome.soft)),
    missing: members.length - scored.length,
  }
}

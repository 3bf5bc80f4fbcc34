import { mean } from '../stats/descriptive.js'
import type { TrainConfig } from './config/schema.js'
import { rce } from './objectives/rce.js'
import type { Policy } from './policy/policy.js'
import { type RewardedGroup, rewardedGroup } from './rewarded-group.js'
import type { Session } from './session.js'
import { queriesOf, type Task } from './tasks/task.js'

/**
 * The original's validation loss: the warm-up's loss at temperature 1 on rewards as they are, without dropout, over the
 * logged choices of every validation query. A log can score a policy's own choice only where somebody tried that choice
 * before, which is the easy part of the queries; this loss needs no such luck, so all checkpoints are measured on the
 * same queries. It says how well logged choices are imitated, not how good the policy's own are.
 */
export interface ValidationLoss {
  readonly ids: readonly string[]
  readonly losses: readonly number[]
  readonly mean: number
}

/** Empty for a task that logs nothing. */
export function validationGroups(task: Task, config: TrainConfig): readonly RewardedGroup[] {
  const asTheyAre: TrainConfig = { ...config, reward: { ...config.reward, normalise: 'none' } }
  const logged = new Map(task.logged.map(group => [group.query, group]))
  return queriesOf(task, 'val').flatMap(query => {
    const group = logged.get(query.index)
    const rewarded = group === undefined ? null : rewardedGroup(query, group, asTheyAre)
    return rewarded === null || rewarded.beams.length === 0 ? [] : [rewarded]
  })
}

export function validationLoss(
  session: Session,
  policy: Policy,
  groups: readonly RewardedGroup[],
): ValidationLoss | null {
  if (groups.length === 0) return null
  const losses = groups.map(({ query, beams, rewards }) => {
    const { logProbs, shots } = policy.evaluate(session.queryOf(query), beams)
    return rce({ logProbs, rewards, shots }, { weights: 'raw', temperature: 1 }).loss
  })
  return { ids: groups.map(({ query }) => query.id), losses, mean: mean(losses) }
}

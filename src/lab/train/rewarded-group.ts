import { Problem } from '../../logs/model/problem.js'
import type { Message } from '../../logs/model/run.js'
import { message } from '../../text/say.js'
import type { ChoiceReward } from './choice-reward.js'
import type { TrainConfig } from './config/selector-settings.js'
import { rankScores } from './objectives/group.js'
import { lackedField, normalisedRewards, reward } from './objectives/rewards.js'
import { type Choice, type Group, loggedByQuery, type Query, queriesOf, type Task } from './tasks/task.js'

/** A group as the objectives see it: choices whose reward is known, and what the task said of them. */
export interface RewardedGroup {
  readonly query: Query
  readonly beams: readonly Choice[]
  readonly rewards: Float64Array
  /** The largest reward before it is normalised; −∞ without any. */
  readonly highest: number
  /** Mean of right-or-wrong, and of the degree; NaN where the task does not judge so. */
  readonly hard: number
  readonly soft: number
  /** Choices that could not be scored: left out, and never a reward of 0. */
  readonly missing: number
  /** Why the first of those could not. */
  readonly missingReason: Message | null
}

export function rewardedGroup(query: Query, { members }: Group, config: TrainConfig): RewardedGroup {
  let missingReason: Message | null = null
  const scored = members.flatMap(({ choice, outcome, logProbability }) => {
    const value = outcome.kind === 'missing' ? null : reward({ ...outcome, logProbability }, config.reward)
    if (outcome.kind !== 'missing' && value !== null) return [{ choice, value, outcome }]
    missingReason ??= outcome.kind === 'missing' ? outcome.reason : unpaid({ ...outcome, logProbability }, config)
    return []
  })
  const rewards = Float64Array.from(scored, ({ value }) => value)
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
  return {
    query,
    beams: scored.map(({ choice }) => choice),
    rewards: normalised(rewards, config),
    highest: rewards.reduce((most, value) => Math.max(most, value), Number.NEGATIVE_INFINITY),
    hard: mean(scored.map(({ outcome }) => outcome.hard ?? Number.NaN)),
    soft: mean(scored.map(({ outcome }) => outcome.soft)),
    missing: members.length - scored.length,
    missingReason,
  }
}

function unpaid(judgement: Parameters<typeof lackedField>[0], { reward: options }: TrainConfig): Message {
  const field = lackedField(judgement, options)
  const { mode } = options
  return field === null ? message('train.no-judgement', { mode }) : message('train.no-field', { mode, field })
}

/** Choices that a reward model pays: what the task would say of them is not asked. */
export function learnedGroup(
  query: Query,
  beams: readonly Choice[],
  paid: ChoiceReward,
  config: TrainConfig,
): RewardedGroup {
  const rewards = Float64Array.from(beams, choice => paid(query, choice))
  return {
    ...{ query, beams, rewards: normalised(rewards, config), highest: Math.max(...rewards) },
    ...{ hard: Number.NaN, soft: Number.NaN, missing: 0, missingReason: null },
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

/** The original asks for a reward of 1, in whatever mode and with whatever weights, and not for a right answer. */
const POSITIVE = 1

/** The queries to train on: all of the split, or those where something was rewarded. */
export function trainingQueries(task: Task, config: TrainConfig): readonly Query[] {
  const queries = queriesOf(task, 'train')
  if (!config.data.require_positive) return queries
  const logged = loggedByQuery(task)
  return queries.filter(query => {
    const group = logged.get(query.index)
    return group === undefined || rewardedGroup(query, group, config).highest >= POSITIVE
  })
}

/**
 * How many rewards a pass over the data could have. Some may be missing: they are left out. When all of them are, the
 * task is dead (an endpoint that is down, a reward that the data cannot give), and going on would train nothing.
 */
export class AnswerCount {
  #scored = 0
  #missing = 0
  #reason: Message | null = null

  add({ beams, missing, missingReason }: RewardedGroup): void {
    this.#scored += beams.length
    this.#missing += missing
    this.#reason ??= missingReason
  }

  /** Nothing where nothing is missing. */
  metrics(): { readonly [name: string]: number } {
    return this.#missing === 0 ? {} : { 'answers.missing': this.#missing, 'answers.scored': this.#scored }
  }

  check(): void {
    if (this.#scored > 0 || this.#missing === 0) return
    const cause = this.#reason === null ? undefined : new Problem('unreachable', this.#reason)
    throw new Problem('unreachable', message('train.all-missing', { count: this.#missing }), { cause })
  }
}

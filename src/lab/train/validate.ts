import type { Message } from '../../logs/model/run.js'
import { mean } from '../../stats/descriptive.js'
import type { ChoiceReward } from './choice-reward.js'
import type { TrainConfig } from './config/selector-settings.js'
import { NEVER_YIELD, type YieldToEventLoop } from './event-loop.js'
import { rce } from './objectives/rce.js'
import type { Policy } from './policy/policy.js'
import { type RewardedGroup, rewardedGroup } from './rewarded-group.js'
import type { Session } from './session.js'
import { type Choice, loggedByQuery, queriesOf, type Split, scoreOf, type Task } from './tasks/task.js'

/** The policy's own choice for each query of a split, without dropout and without chance, scored by the task. */
export interface Validation {
  readonly ids: readonly string[]
  /** As the task counts. */
  readonly scores: readonly number[]
  readonly hard: readonly number[]
  readonly soft: readonly number[]
  /** As the data names the candidates: positions in the query's pool. */
  readonly choices: readonly Choice[]
  readonly missing: number
  /** Why the first that is missing could not be scored. */
  readonly reason: Message | null
  /** All choices, those without a score too. */
  readonly asked: readonly AskedQuery[]
  readonly metrics: { readonly [name: string]: number }
}

interface AskedQuery {
  readonly id: string
  readonly choice: Choice
  /** The same as the data numbers its candidates. */
  readonly examples: readonly number[]
  /** How many candidates there were. */
  readonly pool: number
}

export async function validate(
  session: Session,
  policy: Policy,
  task: Task,
  {
    split,
    shots,
    samples,
    yieldToEventLoop = NEVER_YIELD,
  }: {
    readonly split: Split
    readonly shots: number
    readonly samples: TrainConfig['eval']['samples']
    readonly yieldToEventLoop?: YieldToEventLoop
  },
): Promise<Validation> {
  const queries = queriesOf(task, split).slice(0, samples ?? undefined)
  let done = 0
  // Side by side, because a task may have to wait for each score; the policy's part does not wait.
  const all = await Promise.all(
    queries.map(async query => {
      const choice = policy.greedy(session.queryOf(query), { shots })
      const [outcome] = await task.score(query, [choice])
      done += 1
      await yieldToEventLoop(done, queries.length)
      const examples = choice.map(position => query.pool[position])
      return { id: query.id, choice, examples, pool: query.pool.length, outcome }
    }),
  )
  const scored = all.flatMap(({ id, choice, outcome }) =>
    outcome.kind === 'missing'
      ? []
      : [{ id, choice, score: scoreOf(task, outcome), hard: outcome.hard ?? outcome.soft, soft: outcome.soft }],
  )
  const reasons = all.flatMap(({ outcome }) => (outcome.kind === 'missing' ? [outcome.reason] : []))
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
  const [scores, hard, soft] = [
    scored.map(each => each.score),
    scored.map(each => each.hard),
    scored.map(each => each.soft),
  ]
  return {
    ids: scored.map(({ id }) => id),
    scores,
    hard,
    soft,
    choices: scored.map(({ choice }) => choice),
    missing: reasons.length,
    reason: reasons[0] ?? null,
    asked: all.map(({ outcome: _, ...asked }) => asked),
    metrics: { 'val.score': mean(scores), 'val.score.hard': mean(hard), 'val.score.soft': mean(soft) },
  }
}

/** What a reward model pays for the same choices, those that the task could not score left out. */
export function meanReward(task: Task, { ids, choices }: Validation, paid: ChoiceReward): number {
  const queries = new Map(queriesOf(task, 'val').map(query => [query.id, query]))
  return mean(
    ids.flatMap((id, i) => {
      const query = queries.get(id)
      return query === undefined ? [] : [paid(query, choices[i])]
    }),
  )
}

/**
 * The original's validation loss: the warm-up's loss at temperature 1 on rewards as they are, without dropout, over the
 * logged choices of every validation query. A log can score a policy's own choice only where the data tried that choice
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
  const logged = loggedByQuery(task)
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

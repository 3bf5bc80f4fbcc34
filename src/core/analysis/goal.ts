import type { JudgedBy } from '../../logs/model/vocabulary/judged-by.js'
import { comparableName } from '../../logs/model/vocabulary/names.js'
import type { ScoreSeries } from '../../logs/model/vocabulary/roles.js'
import { type Message, sentences } from '../../text/sentences.js'
import type { RunView } from './run-view.js'

const say = sentences({
  'goal.independent': { en: 'yardstick: {metric}; {reason}', zh: '判定依据：{metric}；{reason}' },
  'goal.part': { en: 'yardstick: {metric}; {reason}', zh: '判定依据：{metric}；{reason}' },
  'goal.unknown': { en: 'yardstick: {metric}; {reason}', zh: '判定依据：{metric}；{reason}' },
  'goal.loss': { en: 'yardstick: {metric}, the validation loss', zh: '判定依据：{metric}，即验证 loss' },
  'goal.loss-of-choices': {
    en: 'yardstick: {metric}, because no validation score was logged; it is {reason}',
    zh: '判定依据：{metric}（没有记录验证得分）；它是{reason}',
  },
  'goal.optimised': {
    en: 'yardstick: {metric}; it is also what was optimised (no independent score was logged)',
    zh: '判定依据：{metric}；它也正是被优化的量（没有记录独立的得分）',
  },
  'goal.optimised-beside': {
    en: 'yardstick: {metric}, which is what was optimised; {independent} is independent of it',
    zh: '判定依据：{metric}，它是被优化的量；{independent} 与它无关，可作独立依据',
  },
  'goal.training-reward': { en: 'the reward of the training batches', zh: '训练批次上的奖励' },
  'goal.as-asked': { en: 'as asked', zh: '按要求' },
})

/** What is said of runs that are judged by these metrics of the first of them. */
export function judgedBy(runs: readonly RunView[], metrics: readonly string[]): JudgedBy {
  const [metric = ''] = metrics
  const series = metrics.map(name => seriesOfAll(runs, name))
  const { role: roleFound = 'unknown', dataset = null, reason = say('goal.as-asked', {}) } = series[0] ?? {}
  const isUsers = runs.every(
    ({ goal }) => goal.source === 'user' && goal.yardsticks.some(each => isSame(each.metric, metric)),
  )
  return {
    metric,
    role: roleFound,
    dataset,
    reason,
    rewardKind: rewardKindOf(runs),
    source: isUsers ? 'user' : 'log',
    sets: metrics.map((name, i) => ({
      metric: name,
      dataset: series[i]?.dataset ?? null,
      role: series[i]?.role ?? 'unknown',
    })),
    sentence: lineOf(runs, metric, roleFound, reason, isUsers),
  }
}

/** The tag of a verdict, a step or a decision that rests on a reward which may rise while its purpose is missed. */
export const OPTIMISED_REWARD = 'optimised-reward'

export function goalTags({ role, rewardKind }: Pick<JudgedBy, 'role' | 'rewardKind'>): readonly string[] {
  return role === 'optimised' && rewardKind !== 'rule' ? [OPTIMISED_REWARD] : []
}

function lineOf(
  runs: readonly RunView[],
  metric: string,
  role: JudgedBy['role'],
  reason: Message,
  isUsers: boolean,
): Message {
  if (isUsers) return say('goal.unknown', { metric, reason })
  const independent = runs[0]?.goal.yardsticks.find(each => each.role === 'independent')?.metric
  if (role === 'optimised' && independent !== undefined) return say('goal.optimised-beside', { metric, independent })
  const isOnlyJudge = runs.every(({ goal }) => goal.yardsticks.every(yardstick => yardstick.role === 'loss'))
  if (reason.key === 'role.loss-of-choices' && isOnlyJudge) return say('goal.loss-of-choices', { metric, reason })
  return say(`goal.${role}`, { metric, reason })
}

function isSame(one: string, other: string): boolean {
  return one === other || comparableName(one) === comparableName(other)
}

/** What a metric is to a run, under whichever name its tracker gave it. */
export function seriesNamed({ goal, meaningOf }: RunView, metric: string): ScoreSeries | null {
  const known = [...goal.yardsticks, ...goal.series].find(each => isSame(each.metric, metric))
  if (known !== undefined) return known
  const carrier = goal.reward.carriers.find(name => isSame(name, metric))
  if (carrier === undefined) return null
  const { canonical, unit, goal: direction } = meaningOf(carrier)
  const reason = say('goal.training-reward', {})
  return {
    metric: carrier,
    canonical,
    unit,
    goal: direction,
    role: 'optimised',
    dataset: null,
    isSum: true,
    rank: 0,
    reason,
  }
}

/** Paid in one run, a score is no independent judge of all. */
function seriesOfAll(runs: readonly RunView[], metric: string): ScoreSeries | undefined {
  const found = runs.flatMap(run => seriesNamed(run, metric) ?? [])
  return found.find(({ role }) => role === 'optimised') ?? found.find(({ role }) => role === 'part') ?? found[0]
}

const KINDS = ['learned', 'composite', 'unknown'] as const

function rewardKindOf(runs: readonly RunView[]): JudgedBy['rewardKind'] {
  const kinds = runs.map(({ goal }) => goal.rewardKind.kind)
  return KINDS.find(kind => kinds.includes(kind)) ?? 'rule'
}

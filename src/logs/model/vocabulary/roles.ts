import { sentences } from '../../../text/sentences.js'
import { FRAMEWORK_DATA } from '../frameworks/registry.js'
import type { Message } from '../run.js'
import type { Goal } from './metric.js'
import { comparableName, trackerName } from './names.js'
import type { Reading } from './reading.js'
import {
  isLearned,
  paidParts,
  partName,
  type ScoreSource,
  type SeriesSummary,
  type TrainingReward,
} from './training-reward.js'

/**
 * What each validation series of a run is to its training: an independent judge, what was optimised, a part of that, or a
 * loss. Found from names, config and summaries alone, so that one training has the same roles in every tracker.
 */
export type ScoreRole = 'independent' | 'optimised' | 'part' | 'loss' | 'unknown'

export interface ScoreSeries {
  readonly metric: string
  readonly canonical: string | null
  readonly role: ScoreRole
  /** The data set or environment that it speaks of, where the name says. */
  readonly dataset: string | null
  readonly unit: string | null
  readonly goal: Goal | null
  /** All that is paid, added up: another quantity wherever another reward is paid. */
  readonly isSum: boolean
  /** Which of several series of one role speaks for it: smaller first. */
  readonly rank: number
  /** Why it has this role. */
  readonly reason: Message
}

const say = sentences({
  'role.reward': { en: 'the training reward on validation prompts', zh: '验证集上的训练奖励' },
  'role.equal': { en: 'its values equal those of {metric}, which is optimised', zh: '数值与被优化的 {metric} 相同' },
  'role.from-reward': {
    en: 'OpenRLHF computes it from the reward that it trains on',
    zh: 'OpenRLHF 用训练所用的奖励计算它',
  },
  'role.only-part': { en: 'the only part of the training reward', zh: '训练奖励中唯一的一项' },
  'role.part': { en: 'one of {count} parts of the training reward', zh: '训练奖励 {count} 项中的一项' },
  'role.unlogged-parts': {
    en: 'training logs no parts of its reward, so this may be one of them',
    zh: '训练日志没有记录奖励的各项，它可能是其中之一',
  },
  'role.auxiliary': {
    en: 'the reward function returns it beside the reward, and verl files it as auxiliary',
    zh: '由奖励函数随奖励一并返回，verl 将其列为辅助指标',
  },
  'role.logged-in-training': {
    en: 'training logs {name} too; whether it is rewarded is unknown',
    zh: '训练日志中也有 {name}；是否计入奖励未知',
  },
  'role.not-in-reward': { en: 'no part of the training reward has this name', zh: '训练奖励中没有这一项' },
  'role.weight-zero': { en: 'its weight in the training reward is 0', zh: '它在训练奖励中的权重为 0' },
  'role.beside-reward': {
    en: 'validated next to the reward, with different values',
    zh: '与奖励一同验证，数值与奖励不同',
  },
  'role.task-score': {
    en: 'scored by the task, while training is rewarded by a reward model only',
    zh: '由任务评分，而训练只由奖励模型付奖励',
  },
  'role.not-in-training': { en: 'training logs no metric of this name', zh: '训练日志中没有这一项' },
  'role.pairs': { en: 'the ranking that is trained, on held-out pairs', zh: '所训练的排序在留出偏好对上的正确率' },
  'role.loss-of-choices': {
    en: 'a loss over all validation queries that falls as their better choices become likelier',
    zh: '基于全部验证查询的 loss：较好的选择越可能被选中，它就越低',
  },
  'role.loss': { en: 'a validation loss', zh: '验证 loss' },
  'role.no-direction': {
    en: "it is unknown whether higher is better; if it is a score, add to vocabulary.yaml under metrics: val.score: ['{metric}']",
    zh: "没有说明越高越好还是越低越好；若它是得分，可在 vocabulary.yaml 的 metrics 下加上：val.score: ['{metric}']",
  },
})

/** Every validation series that could judge the run, in the order of the log. */
export function scoreSeriesOf(source: ScoreSource, reward: TrainingReward): readonly ScoreSeries[] {
  const found = [...source.metrics.keys()].flatMap(metric => {
    const reading = source.read(metric)
    return reading.validation ? (seriesIn(metric, reading, source, reward) ?? []) : []
  })
  const sums = found.filter(({ isSum }) => isSum)
  return found.map(series => equalToPaid(series, sums, source) ?? series)
}

type Judged = Pick<ScoreSeries, 'role' | 'reason'> & { readonly isSum?: boolean; readonly rank?: number }

function seriesIn(metric: string, reading: Reading, source: ScoreSource, reward: TrainingReward): ScoreSeries | null {
  const judged = judgedBy(metric, reading, source, reward)
  if (judged === null) return null
  const { canonical, unit, goal, condition, rank } = reading
  return { metric, canonical, dataset: condition.dataset ?? null, unit, goal, isSum: false, rank, ...judged }
}

function judgedBy(metric: string, reading: Reading, source: ScoreSource, reward: TrainingReward): Judged | null {
  const { canonical, goal } = reading
  if (canonical === 'val.loss') {
    const judges = reward.isReinforced && LOSS_JUDGES.has(source.framework)
    return { role: 'loss', reason: judges ? say('role.loss-of-choices', {}) : say('role.loss', {}) }
  }
  if (canonical === 'val.preference.accuracy') return { role: 'optimised', reason: say('role.pairs', {}) }
  if (canonical === 'val.reward.part') return partRole(metric, reward)
  if (canonical === 'val.score') return scoreRole(metric, reading, source, reward)
  if (canonical !== null) return null
  if (goal === null) return SPREAD_OR_COUNT.test(metric) ? null : unknownRole(metric)
  if (/loss|perplexity|ppl/i.test(metric)) return { role: 'loss', reason: say('role.loss', {}), rank: FAR }
  // A direction by name alone, such as an error rate: good enough where nothing else is validated.
  return { ...namedRole(baseOf(metric, reading), reward), rank: FAR }
}

/** Behind every series that the tables know. */
const FAR = 100_000_000
const SPREAD_OR_COUNT =
  /std|var(?:iance)?$|time|second|runtime|length|tokens|steps|epoch|count|num_|samples|ratio|memory/i

function unknownRole(metric: string): Judged {
  return { role: 'unknown', reason: say('role.no-direction', { metric }) }
}

/** `eval_rewards/X/mean`: what X is in the training reward. */
function partRole(metric: string, reward: TrainingReward): Judged {
  const name = partName(metric)
  if (/^(?:chosen|rejected|margins?)$/.test(name)) return unknownRole(metric)
  const rank = GOOD_NAME.test(name) ? 0 : 1
  const trained = reward.parts.get(name)
  if (reward.parts.size === 0) return { role: 'part', reason: say('role.unlogged-parts', {}), rank }
  if (trained === undefined) return { role: 'independent', reason: say('role.not-in-reward', {}), rank }
  if (trained.weight === 0) return { role: 'independent', reason: say('role.weight-zero', {}), rank }
  const count = paidParts(reward).length
  if (count === 1) return { role: 'optimised', reason: say('role.only-part', {}), rank: FAR }
  return { role: 'part', reason: say('role.part', { count }), rank }
}

/** Of several independent scores, those that say by their name that they are right. */
const GOOD_NAME = /gold|human|true|exact|acc|correct|pass|win|success|solve/

function scoreRole(metric: string, reading: Reading, source: ScoreSource, reward: TrainingReward): Judged {
  const base = baseOf(metric, reading)
  if (base === 'score' && isLearned(source.config)) {
    return { role: 'independent', reason: say('role.task-score', {}) }
  }
  if (/^val-(?:core|aux)\//.test(trackerName(metric))) return verlRole(base, reading, source, reward)
  const isPass = reading.condition.aggregate?.startsWith('pass@') === true
  if (isPass && (source.framework === 'openrlhf' || /(?:^|\/)eval_.*_pass\d+$/.test(metric))) {
    return { role: 'optimised', reason: say('role.from-reward', {}), isSum: true }
  }
  // klens's own selector is paid for both.
  if (/^score[._](?:hard|soft)$/.test(base)) return { role: 'part', reason: say('role.part', { count: 2 }) }
  if (VALIDATES_REWARD.has(source.framework)) return { role: 'optimised', reason: say('role.reward', {}), isSum: true }
  return namedRole(base, reward)
}

const LOSS_JUDGES: ReadonlySet<string | null> = new Set(
  FRAMEWORK_DATA.filter(({ lossJudges }) => lossJudges === true).map(({ id }) => id),
)

const VALIDATES_REWARD: ReadonlySet<string | null> = new Set(
  FRAMEWORK_DATA.filter(({ validatesReward }) => validatesReward === true).map(({ id }) => id),
)

/** verl validates what its reward function returns: the reward, an accuracy where there is one, and whatever else. */
function verlRole(
  variable: string,
  { condition: { dataset } }: Reading,
  { metrics, read }: ScoreSource,
  reward: TrainingReward,
): Judged {
  if (variable === 'reward' || variable === 'score') {
    return { role: 'optimised', reason: say('role.reward', {}), isSum: true }
  }
  if (!/^(?:acc(?:uracy)?|gold)$/.test(variable)) return { role: 'part', reason: say('role.auxiliary', {}) }
  const isBesideReward = [...metrics.keys()].some(name => {
    const other = read(name)
    return (
      other.canonical === 'val.score' &&
      other.condition.dataset === dataset &&
      /^(?:reward|score)$/.test(baseOf(name, other))
    )
  })
  return isBesideReward ? { role: 'independent', reason: say('role.beside-reward', {}) } : namedRole(variable, reward)
}

/** By what a score is called, and whether training logs the same. */
function namedRole(base: string, reward: TrainingReward): Judged {
  const isTrainedOn = reward.isReinforced
  if (/reward|奖励/.test(base) || (isTrainedOn && RETURN.test(base))) {
    const part = reward.parts.get(base)
    if (part !== undefined) return { role: 'part', reason: say('role.part', { count: paidParts(reward).length }) }
    return { role: 'optimised', reason: say('role.reward', {}), isSum: true }
  }
  if (isTrainedOn && /^(?:mean_|test_)?score$|^得分$/.test(base)) {
    return { role: 'optimised', reason: say('role.reward', {}), isSum: true }
  }
  if (isTrainedOn && reward.logged.has(base)) {
    return { role: 'part', reason: say('role.logged-in-training', { name: base }) }
  }
  return { role: 'independent', reason: say('role.not-in-training', {}) }
}

/** What classic reinforcement learning calls the sum of an episode's rewards: `episodic_return`, `averagetestepret`. */
const RETURN = /(?:^|_)returns?(?:_|$)|ep(?:isode)?_?(?:ret|rew)/

const VALIDATION =
  /^(?:val|valid|validation|eval|evaluation|test|dev)[-_/. ]+(?:(?:core|aux)\/)?(?:eval[_/])?|^(?:验证集?|测试集?|评测)\s*/i
const AGGREGATE = /\/(?:mean|avg|maj|best|worst|std|pass)@\d+(?:\/(?:mean|std))?$/

/** What is measured, without the words for validation, the data set and how repeats were folded. */
function baseOf(metric: string, { condition: { dataset } }: Reading): string {
  const bare = trackerName(metric).replace(VALIDATION, '').replace(AGGREGATE, '')
  const rest = dataset !== undefined && bare.startsWith(dataset) ? bare.slice(dataset.length + 1) : bare
  return comparableName(rest.replace(/^test_score(?:\/.*)?$/, 'score').replace(/(.)[/_.]mean$/, '$1'))
}

/** An accuracy that is what is paid is no independent judge, whatever its name. */
function equalToPaid(series: ScoreSeries, sums: readonly ScoreSeries[], { metrics }: ScoreSource): ScoreSeries | null {
  if (series.role !== 'independent' && series.role !== 'part') return null
  const own = metrics.get(series.metric)
  const paid = sums.find(sum => {
    const other = metrics.get(sum.metric)
    if (sum.dataset !== series.dataset || own === undefined || other === undefined) return false
    return hasValuesOf(own, other) || hasValuesOf(own, other, value => (value + 1) / 2)
  })
  if (paid === undefined) return null
  return { ...series, role: 'optimised', reason: say('role.equal', { metric: paid.metric }) }
}

/** Digits that a console prints; two series that differ agree in all five by chance far more rarely than they are equal. */
const ROUNDING = 5e-4

/** Equal in number, ends, extremes and sum; `from` undoes a reward of −1 and 1 for wrong and right. */
function hasValuesOf(one: SeriesSummary, other: SeriesSummary, from: (value: number) => number = value => value) {
  if (one.n !== other.n || one.n === 0) return false
  const size = Math.max(Math.abs(one.min), Math.abs(one.max))
  const pairs = [
    [one.first, from(other.first)],
    [one.last, from(other.last)],
    [one.min, from(other.min)],
    [one.max, from(other.max)],
    [one.sum / one.n, from(other.sum / other.n)],
  ]
  return pairs.every(([a, b]) => Math.abs(a - b) <= ROUNDING * size)
}

import { sentences } from '../../../text/sentences.js'
import type { Json } from '../json.js'
import type { Config, Message } from '../run.js'
import { configuredSettings } from './config-lookup.js'
import { isNothing, numberOf, truthOf } from './config-value.js'
import type { Framework } from './framework.js'
import { comparableName, withoutTrainingPrefix } from './names.js'
import type { Reading } from './reading.js'

/** The reward of a training, as far as its log and config tell: the metrics that carry it, its parts, their weights, its kind. */
export interface TrainingReward {
  /** Metrics of the reward as a whole, a batch's before the return of whole episodes. */
  readonly carriers: readonly string[]
  /** By comparable name: `rewards/format/mean` and `train/rewards/format/mean` are one part. */
  readonly parts: ReadonlyMap<string, TrainedPart>
  /** Names of everything that training logs, comparable. */
  readonly logged: ReadonlySet<string>
  /** Whether anything was paid at all: fine-tuning on labels logs no reward, advantage or KL. */
  readonly isReinforced: boolean
}

export interface TrainedPart {
  readonly metric: string
  /** Null where nothing tells. */
  readonly weight: number | null
}

/** What the store keeps of a series, as far as roles need it. */
export interface SeriesSummary {
  readonly n: number
  readonly first: number
  readonly last: number
  readonly min: number
  readonly max: number
  readonly sum: number
}

/** A run as its scores are looked for: names with their summaries, how they read, and the config. */
export interface ScoreSource {
  readonly metrics: ReadonlyMap<string, SeriesSummary>
  readonly read: (metric: string) => Reading
  readonly framework: Framework | null
  readonly config: Config
}

export function trainingRewardOf(source: ScoreSource): TrainingReward {
  const carriers: string[] = []
  const returns: string[] = []
  const parts: string[] = []
  const logged = new Set<string>()
  let isReinforced = false
  for (const metric of source.metrics.keys()) {
    const { validation, canonical } = source.read(metric)
    if (validation) continue
    for (const name of namesInTraining(metric)) logged.add(name)
    isReinforced ||= canonical !== null && REINFORCED.test(canonical)
    if (canonical === 'reward.mean' || canonical === 'score.mean') carriers.push(metric)
    else if (canonical === 'episode.return') returns.push(metric)
    else if (canonical === 'reward.part' && !isPreference(partName(metric))) parts.push(metric)
  }
  const weights = weightsOf(source, parts, carriers)
  return {
    carriers: [...carriers, ...returns],
    parts: new Map(parts.map((metric, i) => [partName(metric), { metric, weight: weights?.[i] ?? null }])),
    logged,
    isReinforced,
  }
}

const REINFORCED = /^(?:reward|score|return|episode|adv|kl|ratio)\.|^loss\.policy$/

/** Parts that count: a weight of 0 only watches. */
export function paidParts({ parts }: TrainingReward): readonly (readonly [string, TrainedPart])[] {
  return [...parts].filter(([, { weight }]) => weight !== 0)
}

/** `eval_math_rewards/exact/mean` and `rewards/exact` are about the part `exact`. */
export function partName(metric: string): string {
  const [, part = metric] = /(?:^|[/_.-])rewards\/(.+?)(?:\/mean)?$/.exec(metric) ?? []
  return comparableName(part)
}

/** What DPO calls rewards are log-ratios of the two answers: nothing is paid for them. */
function isPreference(part: string): boolean {
  return /^(?:chosen|rejected|margins?)$/.test(part)
}

/** The name as it stands and its last word: verl files `score` under `critic/score/mean`. */
function namesInTraining(metric: string): readonly string[] {
  const bare = withoutTrainingPrefix(metric).replace(/[/_.](?:mean|avg)$/, '')
  return [comparableName(bare), comparableName(bare.slice(bare.lastIndexOf('/') + 1))]
}

/**
 * TRL writes its weights as a list in the order of its reward functions, and logs the parts in that order, which not
 * every tracker keeps. So the order is believed where the functions are named, or where the parts add up to the reward.
 */
function weightsOf(source: ScoreSource, parts: readonly string[], carriers: readonly string[]): number[] | null {
  const { config, framework, metrics } = source
  const weights = numbersIn(configuredSettings(config, framework).get('reward.weights')?.value)
  if (weights === null || weights.length !== parts.length) return null
  const functions = listIn(Object.entries(config).find(([key]) => /(?:^|\.)reward_funcs$/.test(key))?.[1])
  if (functions?.length === weights.length) {
    const byName = new Map(functions.map((name, i) => [comparableName(String(name)), weights[i]]))
    const found = parts.flatMap(part => byName.get(partName(part)) ?? [])
    if (found.length === parts.length) return found
  }
  const reward = metrics.get(carriers[0] ?? '')
  if (reward === undefined) return weights
  const summed = parts.reduce((sum, part, i) => sum + weights[i] * (metrics.get(part)?.sum ?? Number.NaN), 0)
  return Math.abs(summed - reward.sum) <= 1e-3 * Math.max(Math.abs(reward.sum), 1e-9) ? weights : null
}

function numbersIn(value: Json | undefined): number[] | null {
  const numbers = listIn(value)?.map(each => numberOf(each))
  return numbers?.every(each => each !== null) === true ? numbers : null
}

/** A list, or one written as text: `[1.0, 0.0]`. */
function listIn(value: Json | undefined): readonly Json[] | null {
  if (Array.isArray(value)) return value
  const [, inner] = typeof value === 'string' ? (/^[[(](.*)[\])]$/.exec(value.trim()) ?? []) : []
  return inner === undefined ? null : inner.split(',').map(each => each.trim().replace(/^['"]|['"]$/g, ''))
}

/** Where a reward comes from. A learned or composite one can rise while what it stands for falls. */
export interface RewardKind {
  readonly kind: 'rule' | 'learned' | 'composite' | 'unknown'
  readonly reason: Message
}

const say = sentences({
  'reward-kind.configured': { en: 'the config names a reward model', zh: '配置中指定了奖励模型' },
  'reward-kind.named': { en: '{metric} name{metric||s} a reward model', zh: '{metric} 的名称表明是奖励模型' },
  'reward-kind.parts': { en: 'a sum of {count} part{count||s}', zh: '由 {count} 项相加' },
  'reward-kind.bonus': { en: '{metric} is a bonus or penalty in it', zh: '其中含有奖惩项 {metric}' },
  'reward-kind.rule': { en: '{metric} name{metric||s} a rule', zh: '{metric} 的名称表明是规则' },
  'reward-kind.task': { en: 'a task of klens scores it', zh: '由 klens 的任务评分' },
  'reward-kind.unknown': { en: 'the log does not say where it comes from', zh: '日志没有说明它的来源' },
})

const MODEL_NAME = /reward_?model|(?:^|_)rm(?:$|_)|preference|judge/
const RULE_NAME = /acc|correct|exact|match|format|pass|solve/
const MODEL_KEY = /(?:^|\.)(?:reward_pretrain|reward_model(?:_path|_name_or_path)?)$/

/** `rules`: validated accuracies whose values are those of the reward. */
export function rewardKindOf(
  { framework, config, metrics }: ScoreSource,
  reward: TrainingReward,
  rules: readonly string[],
): RewardKind {
  const paid = paidParts(reward)
  if (paid.length > 1) return { kind: 'composite', reason: say('reward-kind.parts', { count: paid.length }) }
  const added = [...metrics.keys()].find(name => /reward|score/.test(name) && /bonus|penalty/.test(name))
  if (added !== undefined) return { kind: 'composite', reason: say('reward-kind.bonus', { metric: added }) }
  if (isLearned(config) || isModelConfigured(config))
    return { kind: 'learned', reason: say('reward-kind.configured', {}) }
  const [part] = paid
  if (part !== undefined && MODEL_NAME.test(part[0])) {
    return { kind: 'learned', reason: say('reward-kind.named', { metric: part[1].metric }) }
  }
  if (framework === 'klens') return { kind: 'rule', reason: say('reward-kind.task', {}) }
  const rule = [...(part === undefined ? [] : [part[1].metric]), ...rules].find(name => RULE_NAME.test(partName(name)))
  if (rule !== undefined) return { kind: 'rule', reason: say('reward-kind.rule', { metric: rule }) }
  return { kind: 'unknown', reason: say('reward-kind.unknown', {}) }
}

/** Settings that name what scores an answer. */
const SCORER_KEY =
  /(?:^|\.)(?:reward_pretrain|remote_rm_url|reward_funcs|reward_mode|reward_model(?:_path|_name_or_path|\.model\.path)?|custom_reward_function\.(?:path|name))$/

/** What scores an answer, as the config names it; folders apart, since machines differ in them. */
export function scorersIn(config: Config): ReadonlyMap<string, string> {
  const named = Object.entries(config).filter(([key, value]) => SCORER_KEY.test(key) && !isNothing(value))
  return new Map(named.map(([key, value]) => [key, JSON.stringify(value).replace(/[^",[\]]*[/\\](?=[^",])/g, '')]))
}

/** klens's own trainers say it in one setting. */
export function isLearned(config: Config): boolean {
  return config['reward.source'] === 'learned'
}

function isModelConfigured(config: Config): boolean {
  return Object.entries(config).some(
    ([key, value]) =>
      (/(?:^|\.)reward_model\.enable$/.test(key) && truthOf(value) === true) ||
      (MODEL_KEY.test(key) && !isNothing(value)),
  )
}

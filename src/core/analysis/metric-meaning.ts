import { z } from 'zod'
import { noMeaningOf } from '../../logs/model/vocabulary/no-meaning.js'
import { vocabularyFor } from '../../logs/model/vocabulary/resolve.js'
import { paidParts } from '../../logs/model/vocabulary/training-reward.js'
import { sentence } from '../../text/answer-schema.js'
import { harmless } from '../../text/harmless.js'
import { type Message, sentences } from '../../text/sentences.js'
import type { RunView } from './run-view.js'
import { isUnknown } from './unknown-names.js'

/** What klens takes each metric of a run for, what it is to the training, and why. */

const ROLES = [
  'independent',
  'optimised',
  'part',
  'loss',
  'validation',
  'training-reward',
  'reward-part',
  'training',
  'unknown',
] as const

export const metricMeaning = z.object({
  metric: z.string(),
  /** Null: no metric that klens knows. */
  canonical: z.string().nullable(),
  unit: z.string().nullable(),
  goal: z.enum(['max', 'min']).nullable(),
  /** A score or loss of the validation by what it is to the training; else where it is measured, or that nothing is known. */
  role: z.enum(ROLES),
  /** Whether the run is judged by it. */
  isYardstick: z.boolean(),
  /** The data set or environment that its name tells. */
  dataset: z.string().nullable(),
  reason: sentence,
  /** It has no meaning yet, and `klens vocabulary` lists it. */
  isUnknown: z.boolean(),
  /** Of a metric that klens does not know: what to write under `metrics:` in vocabulary.yaml. */
  vocabulary: z.string().nullable(),
})

export type MetricMeaningAnswer = z.infer<typeof metricMeaning>

const say = sentences({
  'meaning.reward': { en: 'the reward of the training batches', zh: '训练批次上的奖励' },
  'meaning.paid': { en: 'one of {count} parts of the training reward', zh: '训练奖励 {count} 项中的一项' },
  'meaning.all-paid': { en: 'the only part of the training reward', zh: '训练奖励中唯一的一项' },
  'meaning.weighed': { en: 'part of the training reward, weight {weight}', zh: '训练奖励的一项，权重 {weight}' },
  'meaning.by-name': { en: 'known by its name', zh: '由名称识别' },
  'meaning.by-unit': { en: 'a time, by its name', zh: '由名称识别为耗时' },
  'meaning.by-user': { en: 'vocabulary.yaml calls it {canonical}', zh: 'vocabulary.yaml 中指定为 {canonical}' },
  'meaning.ignored': { en: 'marked in vocabulary.yaml as needing no meaning', zh: 'vocabulary.yaml 中注明不需要含义' },
  'meaning.on-purpose': {
    en: '{framework} logs it; klens gives it no meaning on purpose: {reason}',
    zh: '{framework} 的指标，klens 特意不赋予含义：{reason}',
  },
  'meaning.no-row': {
    en: '{framework} logs it; it is not a metric of klens',
    zh: '{framework} 的指标，不属于 klens 的指标表',
  },
  'meaning.unknown': { en: 'an unknown name', zh: 'klens 不认识这个名称' },
})

type Role = Pick<MetricMeaningAnswer, 'role' | 'reason'>

export function meaningIn(run: RunView, metric: string): MetricMeaningAnswer {
  const { canonical, unit, goal, condition } = run.meaningOf(metric)
  const { yardsticks, series } = run.goal
  const yardstick = yardsticks.find(each => each.metric === metric)
  const judged: Role | undefined = yardstick ?? series.find(each => each.metric === metric)
  const { role, reason } = judged ?? roleInTraining(run, metric)
  return {
    metric,
    canonical,
    unit,
    goal,
    role,
    isYardstick: yardstick !== undefined,
    dataset: condition.dataset ?? null,
    reason,
    isUnknown: isUnknown(run, metric),
    vocabulary: role === 'unknown' ? vocabularyLine(run, metric) : null,
  }
}

function roleInTraining(run: RunView, metric: string): Role {
  const { meaningOf, framework } = run
  const { reward } = run.goal
  const { canonical, validation, unit } = meaningOf(metric)
  if (reward.carriers.includes(metric)) return { role: 'training-reward', reason: say('meaning.reward', {}) }
  const part = [...reward.parts.values()].find(each => each.metric === metric)
  if (part !== undefined) {
    const { weight } = part
    if (weight !== null) return { role: 'reward-part', reason: say('meaning.weighed', { weight }) }
    const count = paidParts(reward).length
    return { role: 'reward-part', reason: count === 1 ? say('meaning.all-paid', {}) : say('meaning.paid', { count }) }
  }
  if (canonical === null && unit === null) return { role: 'unknown', reason: whyUnknown(run, metric) }
  const role = validation ? 'validation' : 'training'
  if (canonical === null) return { role, reason: say('meaning.by-unit', {}) }
  const isGiven = vocabularyFor({ framework }).read(metric).canonical !== canonical
  return { role, reason: isGiven ? say('meaning.by-user', { canonical }) : say('meaning.by-name', {}) }
}

function whyUnknown({ isIgnored, framework }: RunView, metric: string): Message {
  if (isIgnored(metric)) return say('meaning.ignored', {})
  const known = noMeaningOf(metric, framework)
  if (known === null) return say('meaning.unknown', {})
  const { framework: name, reason } = known
  return reason === null
    ? say('meaning.no-row', { framework: name })
    : say('meaning.on-purpose', { framework: name, reason })
}

/** `NAME` stands for one of the names in docs/vocabulary.md, or a new one. */
function vocabularyLine({ meaningOf }: RunView, metric: string): string {
  const name = meaningOf(metric).validation ? 'val.score' : 'NAME'
  // Within single quotes YAML has no way to write a line break.
  const quoted = harmless(metric) === metric ? `'${metric.replaceAll("'", "''")}'` : JSON.stringify(metric)
  return `${name}: [${quoted}]`
}

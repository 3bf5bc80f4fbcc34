import { z } from 'zod'
import { list } from '../../logs/model/schema.js'
import { noMeaningOf } from '../../logs/model/vocabulary/no-meaning.js'
import {
  type LoggedRange,
  type MeaningProposal,
  proposeMetric,
  proposeSetting,
} from '../../logs/model/vocabulary/propose.js'
import { sentence } from '../../text/answer-schema.js'
import { type Message, sentences } from '../../text/sentences.js'
import type { RunView } from './run-view.js'

/** The names in some runs that no framework's file and no user has given a meaning, and what they may mean by their words. */

const proposalSchema = z.object({
  /** Canonical; several where the words do not say which. */
  candidates: list(z.string()),
  certainty: z.enum(['clear', 'likely', 'open']),
  reason: sentence,
})

const unknownName = z.object({
  name: z.string(),
  /** How many of the runs have it. */
  runs: z.number(),
  proposal: proposalSchema.nullable(),
})

export type UnknownName = z.infer<typeof unknownName>

export const unknownNamesSchema = z.object({
  runs: z.number(),
  /** Those with a proposal first. */
  metrics: list(unknownName),
  settings: list(unknownName),
  /** Names that a framework's file mentions and gives no meaning, with its reason. */
  onPurpose: list(
    z.object({ name: z.string(), runs: z.number(), framework: z.string(), reason: z.string().nullable() }),
  ),
  /** Names that the user rejected. */
  ignored: list(z.string()),
})

export type UnknownNames = z.infer<typeof unknownNamesSchema>

/** Whether a metric has no meaning yet: neither in a file, nor from the user, nor refused one on purpose. */
export function isUnknown({ meaningOf, isIgnored, framework }: RunView, metric: string): boolean {
  const { canonical, unit } = meaningOf(metric)
  return canonical === null && unit === null && !isIgnored(metric) && noMeaningOf(metric, framework) === null
}

export function countUnknown(run: RunView): number {
  return [...run.manifest.metrics.keys()].filter(metric => isUnknown(run, metric)).length
}

export function unknownNames(runs: readonly RunView[]): UnknownNames {
  const metrics = new Map<string, { runs: number; range: LoggedRange | null }>()
  const settings = new Map<string, number>()
  const onPurpose = new Map<string, UnknownNames['onPurpose'][number]>()
  const ignored = new Set<string>()
  for (const run of runs) {
    for (const [name, { n, min, max }] of run.manifest.metrics) {
      if (run.isIgnored(name)) ignored.add(name)
      else if (isUnknown(run, name)) {
        const before = metrics.get(name)
        const range = n > 0 ? widened(before?.range ?? null, { min, max }) : (before?.range ?? null)
        metrics.set(name, { runs: (before?.runs ?? 0) + 1, range })
      } else if (run.meaningOf(name).canonical === null) {
        const known = noMeaningOf(name, run.framework)
        if (known !== null) onPurpose.set(name, { name, runs: (onPurpose.get(name)?.runs ?? 0) + 1, ...known })
      }
    }
    for (const key of Object.keys(run.config)) {
      if (run.isIgnored(key)) ignored.add(key)
      else if (run.settingNamed(key) === null) settings.set(key, (settings.get(key) ?? 0) + 1)
    }
  }
  return {
    runs: runs.length,
    metrics: ordered(
      [...metrics].map(([name, { runs: count, range }]) => named(name, count, proposeMetric(name, range))),
    ),
    settings: ordered([...settings].map(([name, count]) => named(name, count, proposeSetting(name)))),
    onPurpose: [...onPurpose.values()],
    ignored: [...ignored],
  }
}

function widened(before: LoggedRange | null, range: LoggedRange): LoggedRange {
  return before === null ? range : { min: Math.min(before.min, range.min), max: Math.max(before.max, range.max) }
}

const CERTAINTIES: readonly (MeaningProposal['certainty'] | undefined)[] = ['clear', 'likely', 'open', undefined]

function ordered(names: readonly UnknownName[]): readonly UnknownName[] {
  const place = ({ proposal }: UnknownName): number => CERTAINTIES.indexOf(proposal?.certainty)
  return names.toSorted((a, b) => place(a) - place(b) || b.runs - a.runs || (a.name < b.name ? -1 : 1))
}

function named(name: string, runs: number, proposal: MeaningProposal | null): UnknownName {
  if (proposal === null) return { name, runs, proposal: null }
  const { candidates, certainty } = proposal
  return { name, runs, proposal: { candidates, certainty, reason: reasonOf(proposal) } }
}

const say = sentences({
  'proposal.clear': { en: 'by the words {words}', zh: '由单词 {words} 可知' },
  'proposal.assumed': { en: 'by the words {words}, if {assumption}', zh: '由单词 {words} 推断，前提是{assumption}' },
  'proposal.open': { en: 'the words {words} leave open {question}', zh: '单词 {words} 没有说明{question}' },
})

const ASSUMED = sentences({
  'of-reference': { en: 'it weighs the KL to the reference', zh: '它是参考策略 KL 的系数' },
  'kl-of-update': {
    en: 'it is to the policy before the update, as in PPO',
    zh: '它是相对更新前策略的 KL（PPO 的习惯）',
  },
  'per-token': { en: 'it is a mean per token, not a sum per sequence', zh: '它按 token 平均，而不是按序列求和' },
  seconds: { en: 'it is in seconds', zh: '单位为秒' },
  'clipped-share': {
    en: 'it is the share of clipped ratios, not the clip range',
    zh: '它是被 clip 的比例，而不是 clip 范围',
  },
  'data-set': { en: 'the words before them name a data set', zh: '前面的单词是数据集名称' },
  'common-use': { en: 'it is used as most projects use it', zh: '用法与多数项目相同' },
})

const LEFT_OPEN = sentences({
  'entropy-sign': { en: 'whether it is the entropy or minus the entropy', zh: '它是熵还是负熵' },
  'which-kl': {
    en: 'to which policy: the reference, or the one before the update',
    zh: '相对哪个策略：参考策略还是更新前的策略',
  },
  'kl-weight': { en: 'whether the coefficient is already in it', zh: '是否已乘系数' },
  'which-reward': {
    en: 'whether a KL penalty is in it, and whether it is per response or per episode',
    zh: '是否含 KL 惩罚，也没有说明按回答还是按回合计算',
  },
  'which-return': {
    en: 'whether it is of whole episodes or the target of the critic',
    zh: '它是整个回合的回报还是 critic 的目标',
  },
  'which-length': {
    en: 'of what: a response, prompt and response, or an episode',
    zh: '是什么的长度：回答、prompt 加回答，还是回合',
  },
  'per-gpu': { en: 'whether it is per GPU or of the whole job', zh: '按每张 GPU 还是整个作业计算' },
  validation: { en: 'whether val means validation, values or the training batch', zh: 'val 指验证、价值还是训练批次' },
  'where-kl': { en: 'whether the KL is in the loss or in the reward', zh: 'KL 计入 loss 还是奖励' },
  'whole-loss': { en: 'whether it is the whole loss or that of the policy alone', zh: '它是总 loss 还是仅策略部分' },
  'so-far': { en: 'whether it is of one step or of the whole run', zh: '它属于单步还是整个 run' },
})

function reasonOf(proposal: MeaningProposal): Message {
  const words = proposal.words.map(word => `“${word}”`).join(' ')
  switch (proposal.certainty) {
    case 'clear':
      return say('proposal.clear', { words })
    case 'likely':
      return say('proposal.assumed', { words, assumption: ASSUMED(proposal.assumes, {}) })
    case 'open':
      return say('proposal.open', { words, question: LEFT_OPEN(proposal.asks, {}) })
  }
}

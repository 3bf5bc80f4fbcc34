import type { JudgedBy } from '../../logs/model/vocabulary/judged-by.js'
import type { Encoded } from '../../text/encode.js'
import { sentences } from '../../text/sentences.js'
import { type Block, paragraph, section, table } from './blocks.js'
import { type Speaker, saying } from './speaker.js'

/** By what the runs of a workspace are judged, and the role of every validation series. */

interface Series {
  readonly metric: string
  readonly role: JudgedBy['role']
  readonly dataset: string | null
  readonly goal: 'max' | 'min' | null
  readonly reason: string
}

interface Goals {
  readonly set: { readonly metric: string; readonly goal: 'max' | 'min' | null } | null
  readonly groups: readonly {
    readonly judgedBy: Encoded<JudgedBy>
    readonly runs: readonly { readonly name: string }[]
    readonly series: readonly Series[]
  }[]
  readonly without: readonly { readonly name: string }[]
}

const said = sentences({
  'goals.set': {
    en: 'Set for this workspace: {metric} ({direction}).',
    zh: '此工作区指定：{metric}（{direction}）。',
  },
  'goals.runs': { en: '{count} {count|run|runs}: {names}', zh: '{count} 个 run：{names}' },
  'goals.metric': { en: 'metric', zh: '指标' },
  'goals.role': { en: 'role', zh: '角色' },
  'goals.better': { en: 'better', zh: '更好' },
  'goals.why': { en: 'why', zh: '原因' },
  'goals.without': {
    en: '{count} {count|run logs|runs log} no metric to judge by: {names}. klens goal METRIC sets it.',
    zh: '{count} 个 run 没有可作判定依据的记录：{names}。可用 klens goal METRIC 指定。',
  },
  'goals.role.independent': { en: 'independent', zh: '独立得分' },
  'goals.role.optimised': { en: 'optimised', zh: '被优化' },
  'goals.role.part': { en: 'part of the reward', zh: '奖励分项' },
  'goals.role.loss': { en: 'loss', zh: 'loss' },
  'goals.role.unknown': { en: 'unknown', zh: '未知' },
  'goals.reward.rule': { en: 'The reward comes from a rule.', zh: '奖励来自规则。' },
  'goals.reward.learned': { en: 'The reward is learned.', zh: '奖励来自学得的模型。' },
  'goals.reward.composite': { en: 'The reward is a sum of several parts.', zh: '奖励由多项相加。' },
  'goals.reward.unknown': { en: 'The log does not say where the reward comes from.', zh: '日志没有说明奖励的来源。' },
})

const MOST_NAMED = 6

export function goalsBlocks({ set, groups, without }: Goals, speaker: Speaker): readonly Block[] {
  const say = saying(speaker, said)
  const named = (runs: readonly { readonly name: string }[]) => ({
    count: runs.length,
    names: `${speaker.listed(runs.slice(0, MOST_NAMED).map(({ name }) => name))}${runs.length > MOST_NAMED ? ', …' : ''}`,
  })
  return [
    ...(set === null ? [] : [paragraph(say('goals.set', { metric: set.metric, direction: set.goal ?? '–' }))]),
    ...groups.map(({ judgedBy, runs, series }) =>
      section(
        say('goals.runs', named(runs)),
        paragraph(`${speaker.sentence(judgedBy.sentence)} ${say(`goals.reward.${judgedBy.rewardKind}`, {})}`),
        table(
          (['metric', 'role', 'better', 'why'] as const).map(column => say(`goals.${column}`, {})),
          series.map(({ metric, role, goal, reason }) => [metric, say(`goals.role.${role}`, {}), goal ?? '–', reason]),
        ),
      ),
    ),
    ...(without.length === 0 ? [] : [paragraph(say('goals.without', named(without)))]),
  ]
}

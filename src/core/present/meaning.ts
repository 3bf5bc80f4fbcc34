import type { ShowAnswer } from '../../app/ask/show.js'
import { sentences } from '../../text/sentences.js'
import { type Block, type Inline, paragraph, strong, table, toned } from './blocks.js'
import { type Speaker, saying } from './speaker.js'

/** What klens takes the metrics of a run for: the scores and the parts of its reward, or all; and what it does not know. */

type Meaning = ShowAnswer['metrics'][number]

const words = sentences({
  'meaning.role.independent': { en: 'independent score', zh: '独立得分' },
  'meaning.role.optimised': { en: 'optimised reward', zh: '被优化的奖励' },
  'meaning.role.part': { en: 'part of the reward', zh: '奖励的一项' },
  'meaning.role.loss': { en: 'validation loss', zh: '验证 loss' },
  'meaning.role.validation': { en: 'validation metric', zh: '验证指标' },
  'meaning.role.training-reward': { en: 'training reward', zh: '训练奖励' },
  'meaning.role.reward-part': { en: 'part of the training reward', zh: '训练奖励的一项' },
  'meaning.role.training': { en: 'training metric', zh: '训练指标' },
  'meaning.role.unknown': { en: 'unknown', zh: '未知' },
  'meaning.yardstick': { en: '{role} · judges the run', zh: '{role} · 判定依据' },
  'meaning.column.metric': { en: 'metric', zh: '指标' },
  'meaning.column.canonical': { en: 'meaning', zh: '理解为' },
  'meaning.column.role': { en: 'role', zh: '角色' },
  'meaning.column.dataset': { en: 'data set', zh: '数据集' },
  'meaning.column.unit': { en: 'unit', zh: '单位' },
  'meaning.column.reason': { en: 'why', zh: '原因' },
  'meaning.more': { en: '… {count} more (--all)', zh: '……另有 {count} 个（--all）' },
  'meaning.not-known': {
    en: '{count} {count|name is|names are} unknown ({metrics}): klens vocabulary proposes a meaning',
    zh: '{count} 个名称还没有含义（{metrics}）：klens vocabulary 会给出建议',
  },
  'meaning.and-more': { en: '{metrics} and {count} more', zh: '{metrics} 等另外 {count} 个' },
})

interface MeaningOptions {
  /** Every metric, whatever its role. */
  readonly all?: boolean
  /** Whether what is left out stands in a fold below. */
  readonly isFolded?: boolean
}

const MOST_ROWS = 12
const MOST_UNKNOWN = 4

export function meaningBlocks(
  metrics: readonly Meaning[],
  speaker: Speaker,
  options: MeaningOptions = {},
): readonly Block[] {
  const { all = false, isFolded = false } = options
  const say = saying(speaker, words)
  const known = metrics.filter(({ role }) => role !== 'unknown').toSorted(byRole)
  const telling = all ? known : known.filter(({ role }) => role !== 'training' && role !== 'validation')
  const shown = all ? telling : telling.slice(0, MOST_ROWS)
  const left = telling.length - shown.length
  return [
    ...(shown.length === 0 ? [] : [meaningTable(shown, speaker)]),
    ...(left === 0 || isFolded ? [] : [paragraph(toned(say('meaning.more', { count: left }), 'quiet'))]),
    ...unknownBlocks(metrics, speaker, all),
  ]
}

const ORDER: readonly Meaning['role'][] = [
  'independent',
  'optimised',
  'part',
  'loss',
  'training-reward',
  'reward-part',
  'validation',
  'training',
  'unknown',
]

/** What judges the run first. */
function byRole(a: Meaning, b: Meaning): number {
  return Number(b.isYardstick) - Number(a.isYardstick) || ORDER.indexOf(a.role) - ORDER.indexOf(b.role)
}

const COLUMNS = ['metric', 'canonical', 'role', 'dataset', 'unit', 'reason'] as const

/** A column that has nothing to say is left out. */
function meaningTable(metrics: readonly Meaning[], speaker: Speaker): Block {
  const say = saying(speaker, words)
  const cellOf = (meaning: Meaning, column: (typeof COLUMNS)[number]): Inline => {
    if (column === 'metric') return meaning.isYardstick ? strong(meaning.metric) : meaning.metric
    if (column !== 'role') return meaning[column] ?? ''
    const role = say(`meaning.role.${meaning.role}`, {})
    return meaning.isYardstick ? say('meaning.yardstick', { role }) : role
  }
  const columns = COLUMNS.filter(column => metrics.some(meaning => cellOf(meaning, column) !== ''))
  return table(
    columns.map(column => say(`meaning.column.${column}`, {})),
    metrics.map(meaning => columns.map(column => cellOf(meaning, column))),
  )
}

function unknownBlocks(metrics: readonly Meaning[], speaker: Speaker, all: boolean): readonly Block[] {
  const say = saying(speaker, words)
  const unknown = metrics.filter(({ isUnknown }) => isUnknown)
  if (unknown.length === 0) return []
  const shown = unknown.slice(0, all ? undefined : MOST_UNKNOWN).map(({ metric }) => metric)
  const listed = speaker.listed(shown)
  const left = unknown.length - shown.length
  const named = left === 0 ? listed : say('meaning.and-more', { metrics: listed, count: left })
  return [paragraph(say('meaning.not-known', { count: unknown.length, metrics: named }))]
}

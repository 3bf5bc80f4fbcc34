import type { CellAnswer, StudyStatusAnswer } from '../../../logs/model/study/answers.js'
import { count, figure } from '../../../text/numbers.js'
import { sentences } from '../../../text/sentences.js'
import { shortHash } from '../../../text/short-hash.js'
import { type Block, headline, list, paragraph, section, table, toned } from '../blocks.js'
import { type Speaker, saying } from '../speaker.js'
import { displayWidth } from '../terminal-text.js'
import { armVerdictBlocks, costText, designBlocks, statesText, stateText } from './words.js'

/**
 * How a study stands: a table of arms × conditions, then what is missing, failed or suspicious, with the reason. Single
 * trials are listed only when they are asked for: there can be a thousand.
 */

const words = sentences({
  'study.matrix.arm': { en: 'arm', zh: '实验组' },
  'study.matrix.legend': {
    en: 'mean ± std over seeds (done of planned)',
    zh: '各种子的均值 ± 标准差（完成数/计划数）',
  },
  'study.matrix.count': { en: '({done}/{planned})', zh: '（{done}/{planned}）' },
  'study.matrix.trial': { en: '{trial}{where}: {why}', zh: '{trial}{where}：{why}' },
  'study.matrix.acknowledged': {
    en: '{trial}{where}: acknowledged because {because} ({suspicion})',
    zh: '{trial}{where}：已确认，理由：{because}（{suspicion}）',
  },
  'study.matrix.more': { en: '… and {n} more; --json lists all', zh: '……另有 {n} 条；--json 列出全部' },
  'study.matrix.stages': {
    en: 'stages, trained once for all that start from them:',
    zh: '阶段（由所有以其为起点的训练共用，只训练一次）：',
  },
})

const MOST_LISTED = 20

/** `width`: of the table in columns of text, beyond which it is split; null: there is no limit. */
export function statusBlocks(
  { question, metric, design, stages, cells, baseline, verdicts, judgedBy, within, cost }: StudyStatusAnswer,
  speaker: Speaker,
  { trials = false, width = null }: { readonly trials?: boolean; readonly width?: number | null } = {},
): readonly Block[] {
  const say = saying(speaker, words)
  const named = [...new Set(stages.map(({ stage }) => stage))].map(stage => {
    const own = stages.filter(each => each.stage === stage)
    const states = own.map(({ state }) => state)
    return paragraph(`${stage}: ${statesText(states, speaker)}`)
  })
  return [
    headline(question),
    ...designBlocks(design, speaker),
    ...(named.length === 0 ? [] : [section(say('study.matrix.stages', {}), ...named)]),
    ...matrixTables(cells, metric, speaker, width),
    paragraph(toned(say('study.matrix.legend', {}), 'quiet')),
    ...armVerdictBlocks({ baseline, verdicts, judgedBy, within }, speaker),
    ...(trials ? [trialTable(cells, metric, speaker)] : []),
    ...doubts(cells, metric, speaker),
    paragraph(
      statesText(
        cells.map(({ state }) => state),
        speaker,
      ),
    ),
    paragraph(costText(cost, speaker)),
  ]
}

/** What a column of the matrix holds: a condition, and which checkpoint unless it is the last. */
function columnOf({ evaluation, condition, which, checkpoint }: CellAnswer, metric: string): string {
  if (evaluation === null) return metric
  const { shots } = condition
  const under = `${evaluation}${shots === undefined ? '' : `/shots=${shots}`}`
  if (which === 'last') return under
  const step = checkpoint?.step ?? (Array.isArray(which) ? which[0] : '…')
  return `${under}@${which === 'best' || which === 'chosen' ? which : step}`
}

function matrixTables(
  cells: readonly CellAnswer[],
  metric: string,
  speaker: Speaker,
  width: number | null,
): readonly Block[] {
  const byArm = new Map<string, Map<string, CellAnswer[]>>()
  for (const cell of cells) {
    const row = byArm.get(cell.arm) ?? new Map<string, CellAnswer[]>()
    const title = columnOf(cell, metric)
    row.set(title, [...(row.get(title) ?? []), cell])
    byArm.set(cell.arm, row)
  }
  const arms = [speaker.say(words('study.matrix.arm', {})), ...byArm.keys()]
  const titles = [...new Set([...byArm.values()].flatMap(row => [...row.keys()]))]
  const columns = titles.map(title => [
    title,
    ...[...byArm.values()].map(row => figureOf(row.get(title) ?? [], speaker)),
  ])
  return groupsOf(columns, Math.max(...arms.map(displayWidth)), width ?? Number.POSITIVE_INFINITY).map(group => {
    const [header, ...rows] = arms.map((arm, i) => [arm, ...group.map(column => column[i])])
    return table(header, rows)
  })
}

/** As many columns beside the names as there is width for. */
function groupsOf(
  columns: readonly (readonly string[])[],
  names: number,
  width: number,
): readonly (readonly (readonly string[])[])[] {
  const groups: (readonly string[])[][] = []
  let used = names
  for (const column of columns) {
    const needed = 2 + Math.max(...column.map(displayWidth))
    if (groups.length === 0 || used + needed > width) {
      groups.push([])
      used = names
    }
    groups.at(-1)?.push(column)
    used += needed
  }
  return groups
}

/** Those with a figure that counts, out of all; one that is suspicious does not. */
function figureOf(cells: readonly CellAnswer[], speaker: Speaker): string {
  if (cells.length === 0) return ''
  const values = cells.flatMap(({ state, value }) => (state === 'done' && value !== null ? [Number(value)] : []))
  const counted = speaker.say(words('study.matrix.count', { done: values.length, planned: cells.length }))
  if (values.length === 0) return `– ${counted}`
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const spread = values.length < 2 ? '' : ` ± ${figure(Math.sqrt(squares / (values.length - 1)), 2)}`
  return `${figure(mean)}${spread} ${counted}`
}

function trialTable(cells: readonly CellAnswer[], metric: string, speaker: Speaker): Block {
  return table(
    [],
    cells.map(cell => [
      cell.trial,
      columnOf(cell, metric),
      stateText(cell.state, speaker),
      cell.value === null ? '' : figure(Number(cell.value), 4),
      cell.runs[0] ?? '',
      cell.checkpoint === null ? '' : `${cell.checkpoint.step} ${shortHash(cell.checkpoint.contentHash)}`,
    ]),
  )
}

function doubts(cells: readonly CellAnswer[], metric: string, speaker: Speaker): readonly Block[] {
  const say = saying(speaker, words)
  const lines = cells.flatMap(cell => {
    const { trial, suspicious, acknowledged, reasons, evaluation } = cell
    const place = { trial, where: evaluation === null ? '' : ` ${columnOf(cell, metric)}` }
    const known = new Set(acknowledged.map(({ suspicion }) => suspicion))
    return [
      ...[...suspicious.filter(said => !known.has(said)), ...reasons].map(why =>
        say('study.matrix.trial', { ...place, why }),
      ),
      ...acknowledged.map(({ suspicion, because }) =>
        say('study.matrix.acknowledged', { ...place, because, suspicion }),
      ),
    ]
  })
  if (lines.length === 0) return []
  const more = lines.length - MOST_LISTED
  const shown = more > 0 ? [...lines.slice(0, MOST_LISTED), say('study.matrix.more', { n: count(more) })] : lines
  return [list(shown.map(line => [line]))]
}

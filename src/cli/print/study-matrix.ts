import type { CellAnswer, StudyStatusAnswer } from '../../model/study/answers.js'
import { figure } from '../../text/numbers.js'
import { sentences } from '../../text/sentences.js'
import { shortHash } from '../../text/short-hash.js'
import type { Context } from '../context.js'
import { printCost, printDesign, printStates, statesText, stateText } from './study.js'
import { alignTable, count, displayWidth, printable, terminalWidth } from './style.js'

/**
 * A study on a terminal: a table of arms × conditions that is never wider than the terminal, then what is missing, failed or
 * suspicious, with the reason. Single trials are listed only when they are asked for: there can be a thousand.
 */

const say = sentences({
  'study.matrix.arm': { en: 'arm', zh: 'arm' },
  'study.matrix.legend': {
    en: 'mean ± standard deviation over seeds (done of planned)',
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

export function printStudyStatus(
  context: Context,
  answer: StudyStatusAnswer,
  { trials }: { readonly trials: boolean },
): void {
  const { question, metric, design, stages, cells, cost } = answer
  context.print(context.paint('bold', printable(question, 300)))
  printDesign(context, design)
  if (stages.length > 0) {
    context.print(context.render(say('study.matrix.stages', {})))
    for (const stage of new Set(stages.map(each => each.stage))) {
      const own = stages.filter(each => each.stage === stage)
      context.print(`  ${printable(stage, 40)}: ${statesText(context, own)}`)
    }
  }
  printMatrix(context, cells, metric)
  if (trials) printTrials(context, cells, metric)
  printDoubts(context, cells, metric)
  printStates(context, cells)
  printCost(context, cost)
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

function printMatrix(context: Context, cells: readonly CellAnswer[], metric: string): void {
  const byArm = new Map<string, Map<string, CellAnswer[]>>()
  for (const cell of cells) {
    const row = byArm.get(cell.arm) ?? new Map<string, CellAnswer[]>()
    const title = columnOf(cell, metric)
    row.set(title, [...(row.get(title) ?? []), cell])
    byArm.set(cell.arm, row)
  }
  const titles = [...new Set([...byArm.values()].flatMap(row => [...row.keys()]))]
  const heading = context.render(say('study.matrix.arm', {}))
  const names = [heading, ...byArm.keys()].map(arm => `  ${printable(arm, 40)}`)
  const columns = titles.map(title => [
    printable(title, 40),
    ...[...byArm.values()].map(row => figureOf(context, row.get(title) ?? [])),
  ])
  for (const block of blocksOf(columns, Math.max(...names.map(displayWidth)))) {
    const rows = names.map((name, i) => [name, ...block.map(column => column[i])])
    for (const row of alignTable(rows, new Set(block.map((_, i) => i + 1)))) context.print(row)
  }
  context.print(context.paint('dim', `  ${context.render(say('study.matrix.legend', {}))}`))
}

/** As many columns beside the names as the terminal is wide; where a program reads, all of them. */
function blocksOf(columns: readonly (readonly string[])[], names: number): readonly (readonly (readonly string[])[])[] {
  const room = terminalWidth() ?? Number.POSITIVE_INFINITY
  const blocks: (readonly string[])[][] = []
  let used = names
  for (const column of columns) {
    const needed = 2 + Math.max(...column.map(displayWidth))
    if (blocks.length === 0 || used + needed > room) {
      blocks.push([])
      used = names
    }
    blocks.at(-1)?.push(column)
    used += needed
  }
  return blocks
}

/** Those with a figure that counts, out of all; one that is suspicious does not. */
function figureOf(context: Context, cells: readonly CellAnswer[]): string {
  if (cells.length === 0) return ''
  const values = cells.flatMap(({ state, value }) => (state === 'done' && value !== null ? [Number(value)] : []))
  const counted = context.render(say('study.matrix.count', { done: values.length, planned: cells.length }))
  if (values.length === 0) return `– ${counted}`
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const spread = values.length < 2 ? '' : ` ± ${figure(Math.sqrt(squares / (values.length - 1)), 2)}`
  return `${figure(mean)}${spread} ${counted}`
}

function printTrials(context: Context, cells: readonly CellAnswer[], metric: string): void {
  const rows = cells.map(cell => [
    `  ${printable(cell.trial, 60)}`,
    printable(columnOf(cell, metric), 40),
    stateText(context, cell.state),
    cell.value === null ? '' : figure(Number(cell.value), 4),
    cell.runs[0] ?? '',
    cell.checkpoint === null ? '' : `${cell.checkpoint.step} ${shortHash(cell.checkpoint.contentHash)}`,
  ])
  for (const row of alignTable(rows)) context.print(row)
}

function printDoubts(context: Context, cells: readonly CellAnswer[], metric: string): void {
  const lines = cells.flatMap(cell => {
    const { trial, suspicious, acknowledged, reasons, evaluation } = cell
    if (suspicious.length + reasons.length === 0) return []
    const place = {
      trial: printable(trial, 60),
      where: evaluation === null ? '' : ` ${printable(columnOf(cell, metric), 40)}`,
    }
    const vouched = acknowledged.map(({ suspicion, because }) =>
      context.render(
        say('study.matrix.acknowledged', {
          ...place,
          because: printable(because, 300),
          suspicion: printable(suspicion, 300),
        }),
      ),
    )
    const known = new Set(acknowledged.map(({ suspicion }) => suspicion))
    const open = [...suspicious.filter(said => !known.has(said)), ...reasons].map(why =>
      context.render(say('study.matrix.trial', { ...place, why: printable(why, 600) })),
    )
    return [...open, ...vouched]
  })
  for (const line of lines.slice(0, MOST_LISTED)) context.print(`  ${line}`)
  const more = lines.length - MOST_LISTED
  if (more > 0) context.print(`  ${context.render(say('study.matrix.more', { n: count(more) }))}`)
}

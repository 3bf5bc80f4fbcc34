import type { Command } from 'commander'
import { labelFor } from '../../text/say.js'
import { type RunTableAnswer, runs, runTable } from '../ask/runs.js'
import { type Context, collect, verb } from './context.js'
import { alignTable, count, displayWidth, printable, shortNumber, shortStep, terminalWidth } from './print/style.js'

interface Options {
  readonly json?: boolean
  readonly sort?: string
  readonly columns?: string
}

export function runsVerb(context: Context): Command {
  return verb('runs', context.say('runs.about', {}), context)
    .option('--status <status>', context.say('runs.option.status', {}))
    .option('--tag <tag>', context.say('runs.option.tag', {}), collect)
    .option('--where <condition>', context.say('runs.option.where', {}), collect)
    .option('--sort <key>', context.say('runs.option.sort', {}))
    .option('--columns <keys>', context.say('runs.option.columns', {}))
    .action(async (options: Options) => {
      if (options.json) return context.printJson(await context.ask(runs, options))
      const answer = await context.ask(runTable, options)
      if (answer.total === 0) context.remark(context.say('run.none', {}))
      else if (answer.runs.length === 0) context.remark(context.say('runs.none-fit', { count: answer.total }))
      else printRuns(context, answer, options.columns?.split(',').map(column => column.trim()) ?? [])
      const { total, workspace } = answer
      // For somebody who looks; a program has asked in a workspace that it knows.
      if (total === 0 || terminalWidth() === null) return
      context.print(context.paint('dim', context.say('runs.where', { count: total, path: printable(workspace, 200) })))
    })
}

/** Columns that no run fills are left out; of a narrow terminal those that tell least, last first. */
function printRuns(context: Context, { runs: listed }: RunTableAnswer, asked: readonly string[]): void {
  const columns: readonly Column[] = [
    { key: 'id', cell: run => run.id },
    { key: 'name', cell: run => printable(run.name, 48) },
    { key: 'status', cell: run => context.say(`status.${run.status}`, {}) },
    { key: 'steps', cell: ({ steps }) => (steps === null ? '' : `${shortStep(steps[0])}–${shortStep(steps[1])}`) },
    { key: 'score', right: true, cell: ({ score }) => (score === null ? '' : shortNumber(Number(score.last))) },
    ...asked.map((key, i): Column => ({ key, isAsked: true, right: true, cell: run => cellText(run.columns[i]) })),
    { key: 'tags', cell: run => printable(run.tags.join(', '), 40) },
    { key: 'started', cell: ({ startedAt }) => (startedAt === null ? '' : dateText(startedAt)) },
    { key: 'duration', right: true, cell: run => durationText(run) },
    { key: 'source', cell: run => printable(run.source, 40) },
    { key: 'points', right: true, cell: run => count(run.points) },
    { key: 'metrics', right: true, cell: run => count(run.metrics) },
  ]
  const filled = columns
    .map(column => ({ column, cells: [titleOf(context, column), ...listed.map(column.cell)] }))
    .filter(({ column, cells }) => column.isAsked === true || cells.slice(1).some(cell => cell !== ''))
  const shown = filled.slice(0, fitting(filled.map(({ cells }) => widest(cells))))
  const right = new Set(shown.flatMap(({ column }, i) => (column.right === true ? [i] : [])))
  const rows = [undefined, ...listed].map((_, row) => shown.map(({ cells }) => cells[row] || '–'))
  const [headLine, ...lines] = alignTable(rows, right)
  context.print([context.paint('dim', headLine), ...lines].join('\n'))
}

interface Column {
  readonly key: string
  readonly isAsked?: boolean
  readonly right?: boolean
  readonly cell: (run: RunTableAnswer['runs'][number]) => string
}

function titleOf(context: Context, { key, isAsked = false }: Column): string {
  return isAsked ? printable(key, 40) : (labelFor(`runs.column.${key}`, context.language) ?? key)
}

function widest(cells: readonly string[]): number {
  return cells.reduce((most, cell) => Math.max(most, displayWidth(cell)), 0)
}

/** How many columns there is room for. */
function fitting(widths: readonly number[]): number {
  const room = terminalWidth()
  if (room === null) return widths.length
  let used = -2
  const beyond = widths.findIndex(width => {
    used += width + 2
    return used > room
  })
  return beyond < 0 ? widths.length : Math.max(2, beyond)
}

function dateText(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ')
}

function durationText({ startedAt, endedAt }: RunTableAnswer['runs'][number]): string {
  if (startedAt === null || endedAt === null) return ''
  const minutes = Math.round((endedAt - startedAt) / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

function cellText(value: RunTableAnswer['runs'][number]['columns'][number]): string {
  if (value === null) return '–'
  if (typeof value === 'number') return shortNumber(value)
  return printable(typeof value === 'string' ? value : JSON.stringify(value), 32)
}

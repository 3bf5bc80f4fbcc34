import type { RunTableAnswer } from '../../app/ask/runs.js'
import { memoByText } from '../../logs/model/util/memo.js'
import { count } from '../../text/numbers.js'
import { labelFor, message as words } from '../../text/say.js'
import { type Block, note, paragraph, table, toned } from './blocks.js'
import type { Speaker } from './speaker.js'
import { displayWidth, shortNumber, shortStep } from './terminal-text.js'

/** The runs of a workspace as a table. */

type ListedRun = RunTableAnswer['runs'][number]

interface RunsOptions {
  /** The metrics and settings that were asked for as columns. */
  readonly columns?: readonly string[]
  /** Where a table may be so wide only: columns that say least, which stand last, are left out. */
  readonly width?: number | null
}

export function runsBlocks(answer: RunTableAnswer, speaker: Speaker, options: RunsOptions = {}): readonly Block[] {
  const { total, workspace, runs } = answer
  if (total === 0) return [note('info', speaker.say(words('run.none', {})))]
  const { columns = [], width = null } = options
  return [
    ...(runs.length === 0
      ? [speaker.say(words('runs.none-fit', { count: total })), ...answer.none].map(text => note('info', text))
      : [runsTable(answer, columns, width, speaker)]),
    ...(answer.moreScores.length === 0
      ? []
      : [paragraph(toned(speaker.say(words('runs.more-scores', { metrics: answer.moreScores.join(', ') })), 'quiet'))]),
    // For a person at a terminal; a program has asked in a workspace that it knows.
    ...(width === null
      ? []
      : [paragraph(toned(speaker.say(words('runs.where', { count: total, path: workspace })), 'quiet'))]),
  ]
}

function runsTable(
  { runs, scores }: RunTableAnswer,
  asked: readonly string[],
  width: number | null,
  { language, say }: Speaker,
) {
  const statusWord = memoByText((status: ListedRun['status']) => say(words(`status.${status}`, {})))
  const columns: readonly RunColumn[] = [
    { key: 'id', cell: run => run.id },
    { key: 'name', cell: run => run.name },
    { key: 'status', cell: run => statusWord(run.status) },
    { key: 'steps', cell: ({ steps }) => (steps === null ? '' : `${shortStep(steps[0])}–${shortStep(steps[1])}`) },
    ...scores.flatMap(({ metric }, i): readonly RunColumn[] => {
      const cell = (run: ListedRun): string => (run.scores[i] === null ? '' : shortNumber(Number(run.scores[i])))
      const best = (run: ListedRun): string => (run.best[i] === null ? '' : shortNumber(Number(run.best[i])))
      return [{ key: scoreTitle(metric), isAsked: true, cell }, ...(i === 0 ? [{ key: 'best', cell: best }] : [])]
    }),
    ...asked.map((key, i): RunColumn => ({ key, isAsked: true, cell: run => cellText(run.columns[i]) })),
    { key: 'tags', cell: run => run.tags.join(', ') },
    { key: 'started', cell: ({ startedAt }) => (startedAt === null ? '' : dateText(startedAt)) },
    { key: 'duration', cell: run => durationText(run) },
    { key: 'ends', cell: ({ endsAt }) => (endsAt === null ? '' : dateText(endsAt)) },
    { key: 'note', cell: ({ note }) => beginningOf(note) },
    { key: 'source', cell: run => run.source },
    // An evaluation has items and no series; a zero would read as a failed import.
    { key: 'points', cell: run => (run.metrics === 0 ? '' : count(run.points)) },
    { key: 'metrics', cell: run => (run.metrics === 0 ? '' : count(run.metrics)) },
  ]
  const filled = columns
    .map(column => ({ ...column, cells: runs.map(column.cell) }))
    .filter(({ isAsked, cells }) => isAsked === true || cells.some(cell => cell !== ''))
  const titleOf = ({ key, isAsked }: RunColumn): string =>
    isAsked === true ? key : (labelFor(`runs.column.${key}`, language) ?? key)
  const widest = (column: (typeof filled)[number]): number =>
    column.cells.reduce((most, cell) => Math.max(most, displayWidth(cell)), displayWidth(titleOf(column)))
  const shown = width === null ? filled : filled.slice(0, fitting(filled.map(widest), width))
  return table(
    shown.map(titleOf),
    runs.map((_, nth) => shown.map(({ cells }) => cells[nth] || '–')),
  )
}

/** The name of a metric above its values, without the words that all of verl's validation has. */
export function scoreTitle(metric: string): string {
  return metric.replace(/^val-(?:core|aux)\//, '')
}

interface RunColumn {
  readonly key: string
  readonly isAsked?: boolean
  readonly cell: (run: ListedRun) => string
}

/** How many columns there is room for. */
function fitting(widths: readonly number[], room: number): number {
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

/** A note may be long; the list shows what it is about. */
function beginningOf(text: string): string {
  if (text === '') return text
  const [line] = text.split('\n')
  return line.length > NOTE_SHOWN || line !== text ? `${line.slice(0, NOTE_SHOWN).toWellFormed()}…` : line
}

const NOTE_SHOWN = 40

function durationText({ startedAt, endedAt }: ListedRun): string {
  if (startedAt === null || endedAt === null) return ''
  const minutes = Math.round((endedAt - startedAt) / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

function cellText(value: ListedRun['columns'][number]): string {
  if (value === null) return '–'
  if (typeof value === 'number') return shortNumber(value)
  return typeof value === 'string' ? value : JSON.stringify(value)
}

import { type Statement, titlesAbove } from '../document/document.js'
import { everyMatch } from '../document/matches.js'
import { lineOf, type Matrix } from '../document/matrix.js'
import type { Quantity, StepMark } from '../document/quantity.js'
import type { Evidence } from './evidence.js'
import { agrees, foundAmong, type LogIndex } from './log-index.js'
import { EVERY_AGGREGATE, type Logged, loggedAtAny, pointsOf, type Source, sourceOf } from './log-series.js'
import { placesIn } from './log-words.js'

/**
 * From a printed figure to the log. Its words say which run, which metric and which part of the series are meant; the
 * nearest words are asked first, then the sentence, the caption and the headings. What no words lead to stays untraced.
 */
export interface PrintedFigure {
  readonly quantity: Quantity
  readonly offset: number
  readonly text: string
  /** The words that name it, the nearest first. */
  readonly words: readonly string[]
  readonly steps: readonly StepMark[]
  /** Of prose; null for a cell. */
  readonly statement: Statement | null
}

export interface Traced {
  readonly source: Source
  /** By the names of both its run and its metric. */
  readonly isNamed: boolean
}

/** With run and metric named, a figure may be met by chance more easily and is still meant. */
const NAMED_BY_CHANCE = 0.3

export function traceOf({ quantity, words, steps }: PrintedFigure, index: LogIndex): Traced | null {
  const named = words.map(text => new Set(index.runsIn(text).map(({ run }) => run))).filter(({ size }) => size > 0)
  const runs = named.length === 0 && index.runs.length === 1 ? [new Set(index.runs)] : named
  const metrics = words.map(index.metricsIn).filter(({ size }) => size > 0)
  const places = [...words.slice(0, 2).map(text => placesIn(text, steps)), EVERY_AGGREGATE]
  for (const series of runs.flatMap(ofRuns => metrics.map(ofMetrics => index.seriesOf(ofRuns, ofMetrics)))) {
    for (const list of places) {
      const logged = foundAmong(loggedAtAny(series, list), quantity, NAMED_BY_CHANCE)
      if (logged !== undefined) return { source: sourceOf(logged), isNamed: true }
    }
  }
  const set = quantity.signed ? undefined : settingOf(quantity, words[0] ?? '', [...runs, null], index.settings)
  if (set !== undefined) return { source: { ...sourceOf(set), step: null, aggregate: 'setting' }, isNamed: true }
  const byOne = [...runs.map(one => index.seriesOf(one, null)), ...metrics.map(one => index.seriesOf(null, one))]
  for (const series of byOne) {
    const logged = foundAmong(loggedAtAny(series, places.flat()), quantity)
    if (logged !== undefined) return { source: sourceOf(logged), isNamed: false }
  }
  return null
}

/** "a learning rate of 1e-6": what was set has few digits, so the words must name it. */
function settingOf(
  quantity: Quantity,
  words: string,
  runs: readonly (ReadonlySet<string> | null)[],
  settings: LogIndex | null,
): Logged | undefined {
  const keys = settings?.metricsIn(words)
  if (settings === null || keys === undefined || keys.size === 0) return undefined
  const set = runs.flatMap(ofRuns => settings.seriesOf(ofRuns, keys)).flatMap(pointsOf)
  return set.find(({ value }) => agrees(quantity, value))
}

/** Every figure that was measured or computed: cells of value columns, and numbers in prose that are no steps, counts or dates. */
export function figuresIn({ document: { statements }, matrices }: Evidence): readonly PrintedFigure[] {
  const prose = statements.flatMap((statement, i) => {
    if (statement.kind === 'heading' || statement.kind === 'cell') return []
    const { text, steps, section, leads, offsetOf } = statement
    const before = statements[i - 1]?.section === section ? statements[i - 1].text : ''
    return statement.quantities.filter(isMeasured).map((quantity): PrintedFigure => {
      const { from, to } = quantity
      const words = [clauseAround(text, quantity), text, before, ...leads, ...titlesAbove(section)]
      return { quantity, offset: offsetOf(from), text: text.slice(from, to).trim(), words, steps, statement }
    })
  })
  return [...prose, ...matrices.flatMap(cellFigures)].sort((a, b) => a.offset - b.offset)
}

function isMeasured({ unit, value, decimals }: Quantity): boolean {
  const isYear = unit === null && decimals === 0 && value >= 1990 && value < 2100
  if (isYear || unit === 'step' || unit === 'epoch' || unit === 'sample') return false
  return decimals > 0 || unit === '%' || Math.abs(value) > 100
}

const CLAUSE_END = /[，;；。：、()（）]|[,:](?=\s)|\s(?:and|while|whereas|but|against|versus|vs\.?|with|without)\s/gi

/** What stands between the two stops around a figure. */
function clauseAround(text: string, { from, to }: Quantity): string {
  const stops = everyMatch(text, CLAUSE_END)
  const before = stops.findLast(({ index, 0: stop }) => index + stop.length <= from)
  const behind = stops.find(({ index }) => index >= to)
  return text.slice(before === undefined ? 0 : before.index + before[0].length, behind?.index)
}

/** Further down a table is a log, and its figures are found by their steps and sizes. */
const MOST_NAMED_ROWS = 2_000

function cellFigures(matrix: Matrix): readonly PrintedFigure[] {
  const { section, caption } = matrix.table
  const titles = titlesAbove(section)
  const around = caption === null || caption.kind === 'heading' ? '' : caption.text
  const columns = matrix.columns.filter(({ role }) => role !== 'label' && role !== 'step')
  const lines = matrix.rows.flatMap(row => lineOf(matrix, row, false, columns).points.map(point => ({ row, ...point })))
  return lines
    .filter(({ quantity }) => isMeasured(quantity))
    .map(({ row, at: column, cell, quantity }) => {
      const step = row.step ?? column.step
      const words = row.index < MOST_NAMED_ROWS ? [`${column.name} ${row.name}`, around, ...titles] : []
      const steps = step === null ? cell.steps : [...cell.steps, { from: 0, to: 0, first: step, last: step }]
      return { quantity, offset: cell.offset, text: cell.text, words, steps, statement: null }
    })
}

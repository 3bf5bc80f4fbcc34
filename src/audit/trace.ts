import { type Statement, titlesAbove } from '../document/document.js'
import { everyMatch } from '../document/matches.js'
import { type Axis, lineOf, type Matrix, type Point } from '../document/matrix.js'
import type { Quantity, StepMark, Stretch } from '../document/quantity.js'
import { namedStep } from '../document/words.js'
import type { Evidence } from './evidence.js'
import { agrees, foundAmong, type LogIndex } from './log-index.js'
import { EVERY_AGGREGATE, type Logged, loggedAtAny, type Source, sourceOf } from './log-series.js'
import { placesIn } from './log-words.js'

/**
 * From a printed figure to the log. Its words say which run, which metric and which part of the series are meant; the
 * nearest words are asked first, then the sentence, the caption and the headings. What no words lead to is looked for by
 * its size alone.
 */
export interface PrintedFigure {
  readonly quantity: Quantity
  readonly offset: number
  readonly text: string
  /** The words that name it, the nearest first. */
  readonly words: readonly string[]
  /** The runs that it may be of, the likeliest first. */
  readonly runs: readonly ReadonlySet<string>[]
  readonly steps: readonly StepMark[]
  /** Of prose; null for a cell. */
  readonly statement: Statement | null
}

export interface Traced {
  readonly source: Source
  /** By the names of its run and metric, and not by its size. */
  readonly isNamed: boolean
}

/** With run and metric named, a figure may be met by chance more easily and is still meant. */
const NAMED_BY_CHANCE = 0.3

export function traceOf(figure: PrintedFigure, index: LogIndex): Traced | null {
  const { quantity, words, steps } = figure
  const runs = figure.runs.length === 0 && index.runs.length === 1 ? [new Set(index.runs)] : figure.runs
  const metrics = words.map(index.metricsIn).filter(({ size }) => size > 0)
  const named = words.slice(0, 2).map(text => placesIn(text, steps))
  const places = [...named.filter(list => list.length > 0), EVERY_AGGREGATE]
  for (const series of runs.flatMap(ofRuns => metrics.map(ofMetrics => index.seriesOf(ofRuns, ofMetrics)))) {
    for (const list of places) {
      const logged = foundAmong(loggedAtAny(series, list), quantity, NAMED_BY_CHANCE)
      if (logged !== undefined) return { source: sourceOf(logged), isNamed: true }
    }
  }
  const set = settingOf(figure, runs, index)
  if (set !== null) return set
  const byOne = [...runs.map(one => index.seriesOf(one, null)), ...metrics.map(one => index.seriesOf(null, one))]
  for (const series of byOne) {
    const logged = foundAmong(loggedAtAny(series, places.flat()), quantity)
    if (logged !== undefined) return { source: sourceOf(logged), isNamed: false }
  }
  const likeness = ({ series: { run, metric } }: Logged): number =>
    (runs.some(one => one.has(run)) ? 2 : 0) + (metrics.some(one => one.has(metric)) ? 1 : 0)
  const [likeliest] = index.anywhere(quantity, onlyStep(steps)).toSorted((a, b) => likeness(b) - likeness(a))
  return likeliest === undefined ? null : { source: sourceOf(likeliest), isNamed: false }
}

/** The step that some marks name, where it is one. */
export function onlyStep([mark, ...more]: readonly StepMark[]): number | null {
  return mark !== undefined && more.length === 0 && mark.first === mark.last ? mark.first : null
}

/** "a learning rate of 1e-6": what was set has few digits, so the words must name it. */
function settingOf({ quantity, words }: PrintedFigure, runs: PrintedFigure['runs'], index: LogIndex): Traced | null {
  const keys = index.settings?.metricsIn(words[0] ?? '')
  if (index.settings === null || keys === undefined || keys.size === 0 || quantity.signed) return null
  for (const ofRuns of [...runs, null]) {
    const set = index.settings.seriesOf(ofRuns, keys).find(({ values }) => agrees(quantity, values[0]))
    if (set === undefined) continue
    const { run, metric, file } = set
    return { source: { run, metric, step: null, aggregate: 'setting', over: null, file }, isNamed: true }
  }
  return null
}

/** All that is measured or computed: cells of value columns, and numbers in prose that are no steps, counts or dates. */
export function figuresIn({ document, matrices }: Evidence, index: LogIndex): readonly PrintedFigure[] {
  const prose = document.statements.flatMap((statement, i) => {
    const measured =
      statement.kind === 'heading' || statement.kind === 'cell' ? [] : statement.quantities.filter(isMeasured)
    return measured.map(quantity => proseFigure(statement, document.statements[i - 1], quantity, index))
  })
  const cells = matrices.flatMap(matrix => matrix.rows.flatMap(row => cellsOfRow(matrix, row, index)))
  return [...prose, ...cells].sort((a, b) => a.offset - b.offset)
}

function isMeasured({ unit, value, decimals }: Quantity): boolean {
  const isYear = unit === null && decimals === 0 && value >= 1990 && value < 2100
  if (isYear || unit === 'step' || unit === 'epoch' || unit === 'sample') return false
  return (decimals ?? 0) > 0 || unit === '%' || Math.abs(value) > 100
}

const CLAUSE_END = /[，;；。：、()（）]|[,:](?=\s)|\s(?:and|while|whereas|but|against|versus|vs\.?|with|without)\s/gi

/** The stretch of a statement between two stops that holds a figure. */
export function clauseAround({ text }: Statement, { from, to }: Quantity): Stretch {
  let [start, end] = [0, text.length]
  for (const { index, 0: stop } of everyMatch(text, CLAUSE_END)) {
    if (index + stop.length <= from) start = index + stop.length
    else if (index >= to && index < end) end = index
  }
  return { from: start, to: end }
}

function proseFigure(
  statement: Statement,
  before: Statement | undefined,
  quantity: Quantity,
  index: LogIndex,
): PrintedFigure {
  const { text, steps, section, leads, offsetOf } = statement
  const clause = clauseAround(statement, quantity)
  const inside = steps.filter(({ from, to }) => from >= clause.from && to <= clause.to)
  const mentions = index.runsIn(text)
  const nearest = mentions.findLast(({ from }) => from < quantity.from) ?? mentions[0]
  const earlier = before !== undefined && before.section === section ? index.runsIn(before.text) : []
  const titles = titlesAbove(section)
  return {
    quantity,
    offset: offsetOf(quantity.from),
    text: text.slice(quantity.from, quantity.to).trim(),
    words: [text.slice(clause.from, clause.to), text, ...leads, ...titles],
    runs: sets(nearest === undefined ? [] : [nearest], mentions, earlier, ...[...leads, ...titles].map(index.runsIn)),
    steps: inside.length > 0 ? inside : steps,
    statement,
  }
}

/** Further down a table is a log, and its figures are found by their steps and sizes. */
const MOST_NAMED_ROWS = 2_000

function cellsOfRow(matrix: Matrix, row: Axis, index: LogIndex): readonly PrintedFigure[] {
  const { table, columns } = matrix
  const titles = titlesAbove(table.section)
  const around = table.caption === null || table.caption.kind === 'heading' ? '' : table.caption.text
  const isMeant = ({ at, quantity }: Point): boolean =>
    at.role !== 'label' && at.role !== 'step' && isMeasured(quantity)
  return lineOf(matrix, row, false, columns)
    .points.filter(isMeant)
    .map(({ at: column, cell, quantity }) => {
      const own = [column.name, row.name]
      const step = row.step ?? column.step ?? titles.map(namedStep).find(named => named !== null)?.step
      return {
        quantity,
        offset: cell.offset,
        text: cell.text,
        words: row.index < MOST_NAMED_ROWS ? [...own, around, ...titles] : [],
        runs: sets(own.flatMap(index.runsIn), index.runsIn(around), ...titles.map(index.runsIn)),
        steps: step === undefined ? cell.steps : [...cell.steps, { from: 0, to: 0, first: step, last: step }],
        statement: null,
      }
    })
}

function sets(...lists: readonly (readonly { readonly run: string }[])[]): readonly ReadonlySet<string>[] {
  return lists.filter(({ length }) => length > 0).map(list => new Set(list.map(({ run }) => run)))
}

import { type Statement, titlesAbove } from '../logs/document/document.js'
import { everyMatch } from '../logs/document/matches.js'
import { lineOf, type Matrix } from '../logs/document/matrix.js'
import type { Quantity, StepMark } from '../logs/document/quantity.js'
import { sentences } from '../text/sentences.js'
import { asPrinted, isMisprint } from './arithmetic.js'
import { type Assertion, type CheckOutcome, type Fault, fault } from './assertion.js'
import type { ReportEvidence } from './evidence.js'
import { has } from './lexicon.js'
import {
  agrees,
  atStep,
  EVERY_AGGREGATE,
  foundAmong,
  type Logged,
  type LoggedRuns,
  type LoggedSource,
  type LogIndex,
  loggedAtAny,
  logIndex,
  placesIn,
  pointsOf,
  sourceOf,
} from './log-index.js'
import { type InventedTable, inUnitOf, isLogged, type LoggedFigure, readTable } from './log-tables.js'
import type { Reproduction } from './remade.js'
import type { FaultKind } from './rules.js'

/**
 * Every figure of a report against the logs it is about: traced to a logged value (run, metric, step or aggregate),
 * derived from traced ones by an assertion that was confirmed or by klens itself, contradicted by what was logged, or
 * untraced. A table that bears the names of runs and agrees with nothing in them is invented.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.data-step': { en: '{where}: at step {step} the log of {run} has {expected} ({metric}), not {found}; write {expected}', zh: '{where}：{run} 的日志在 step {step} 是 {expected}（{metric}），不是 {found}；应写 {expected}' },
  'audit.data-last': { en: '{where}: the log of {run} ends with {expected} ({metric}), not {found}; write {expected}', zh: '{where}：{run} 的日志最后是 {expected}（{metric}），不是 {found}；应写 {expected}' },
  'audit.data-first': { en: '{where}: the log of {run} begins with {expected} ({metric}), not {found}; write {expected}', zh: '{where}：{run} 的日志开头是 {expected}（{metric}），不是 {found}；应写 {expected}' },
  'audit.data-max': { en: '{where}: the highest that {run} logged is {expected} ({metric}), not {found}; write {expected}', zh: '{where}：{run} 日志中的最大值是 {expected}（{metric}），不是 {found}；应写 {expected}' },
  'audit.data-min': { en: '{where}: the lowest that {run} logged is {expected} ({metric}), not {found}; write {expected}', zh: '{where}：{run} 日志中的最小值是 {expected}（{metric}），不是 {found}；应写 {expected}' },
  'audit.data-mean': { en: '{where}: the mean of what {run} logged there is {expected} ({metric}), not {found}; write {expected}', zh: '{where}：{run} 日志中相应的平均值是 {expected}（{metric}），不是 {found}；应写 {expected}' },
  'audit.data-remade': { en: 'made again from the same logs, the report has {expected} here, not {found} ({command}); write {expected}', zh: '用同一份日志重新生成，此处是 {expected}，不是 {found}（{command}）；应写 {expected}' },
  'audit.data-invented': { en: 'these figures bear the {runs|name|names} of {run}, but {agreeing} of {count} agree with anything logged there; print what was logged', zh: '这些数字以 {run} 为名，但 {count} 个中只有 {agreeing} 个与相应的日志值相符；应照日志填写' },
  'audit.data-unlogged': { en: 'the table names {run}, but of its {count} figures {agreeing} are in their logs; log what it shows, or say where it comes from', zh: '表中写了 {run}，但 {count} 个数字中只有 {agreeing} 个见于其日志；应记录这些数值，或注明来源' },
})

export type LedgerState = 'traced' | 'derived' | 'contradicted' | 'untraced'

export interface LedgerEntry {
  readonly line: number
  readonly column: number
  readonly text: string
  readonly state: LedgerState
  /** Where it was logged; for what is derived, the words that say from what; null where nothing is known. */
  readonly source:
    | LoggedSource
    | { readonly derived: string }
    | { readonly logged: number; readonly from: LoggedSource }
    | { readonly expected: string; readonly derived: string }
    | null
  readonly offset: number
}

export interface Ledger {
  readonly entries: readonly LedgerEntry[]
  readonly faults: readonly Fault[]
  /** Whether the log knows better what printed figures alone suggest: it has the figure, or one that it follows from is wrong. */
  readonly settles: (fault: Fault) => boolean
}

interface JudgedFigure {
  readonly assertion: Assertion
  readonly outcome: CheckOutcome
}

export function ledgerOf(
  evidence: ReportEvidence,
  logs: LoggedRuns,
  judged: readonly JudgedFigure[],
  reproduction: Reproduction | null,
): Ledger {
  const { document, matrices } = evidence
  const index = logIndex(logs)
  const isKlens = (offset: number): boolean => reproduction?.isReproduced(offset) ?? false
  const tables = matrices
    .filter(({ table: { rows, offset } }) => !isKlens(rows[0]?.[0]?.offset ?? offset))
    .map(matrix => readTable(matrix, index))
  // A cell that is right as part of one line is not wrong as part of another.
  const inCells = tables.flatMap(table => table.figures.toSorted((a, b) => Number(isLogged(a)) - Number(isLogged(b))))
  const cells = new Map(inCells.map(figure => [figure.offset, figure]))
  const figures = figuresIn(evidence).map((figure): TracedFigure => {
    const cell = cells.get(figure.offset)
    const isFound = cell !== undefined && isLogged(cell)
    return { ...figure, traced: isFound ? { source: sourceOf(cell.logged), isNamed: true } : traceOf(figure, index) }
  })
  const said = figures.filter(({ offset }) => !isKlens(offset)).flatMap(one => saidOtherwise(one, figures, index))
  const unlogged = [...cells.values()].filter(cell => !isLogged(cell))
  const wrong = new Map([...said, ...unlogged].map(figure => [figure.offset, figure]))
  const lineOf = (offset: number): number => document.placeOf(offset).line
  const wrongLines = new Set([...wrong.keys()].map(lineOf))
  const derived = derivedOffsets(judged)
  const borneOut = new Set(figures.filter(({ traced }) => traced?.isNamed).map(({ offset }) => offset))
  const standingOf = ({ offset, text, steps, traced }: TracedFigure): Pick<LedgerEntry, 'state' | 'source'> => {
    const { command = '' } = reproduction ?? {}
    const remade = reproduction?.differingIn(offset, offset + text.length)
    if (remade !== undefined) return { state: 'contradicted', source: { expected: remade.expected, derived: command } }
    const logged = wrong.get(offset)?.logged
    if (logged !== undefined) return { state: 'contradicted', source: { logged: logged.value, from: sourceOf(logged) } }
    const by = derived.get(offset)
    const isMeant = isKlens(offset)
      ? steps.some(({ first }) => first === traced?.source.step)
      : traced?.isNamed || by === undefined
    if (traced !== null && isMeant) return { state: 'traced', source: traced.source }
    const how = isKlens(offset) ? command : by
    return how === undefined ? { state: 'untraced', source: null } : { state: 'derived', source: { derived: how } }
  }
  return {
    entries: figures.map(figure => {
      const { line, column } = document.placeOf(figure.offset)
      return { line, column, text: figure.text, offset: figure.offset, ...standingOf(figure) }
    }),
    faults: [
      ...[...wrong.values()].map(contradictionFault),
      ...tables.flatMap(({ invented }) => invented.map(inventedFault)),
      ...(reproduction?.differing ?? []).map(({ offset, found, expected }) =>
        fault(
          'data-value',
          offset,
          say('audit.data-remade', { expected, found, command: reproduction?.command ?? '' }),
        ),
      ),
    ],
    settles: ({ offset, also = [], kind }) =>
      BY_FIGURES.has(kind) &&
      (isKlens(offset) || borneOut.has(offset) || [offset, ...also].some(at => wrongLines.has(lineOf(at)))),
  }
}

interface TracedFigure extends PrintedFigure {
  readonly traced: Traced | null
}

/** What follows from printed figures alone. */
const BY_FIGURES: ReadonlySet<FaultKind> = new Set(['arithmetic', 'contradiction'])

/** Words beside which a figure is no level that was logged, or was not meant to be. */
const CHANGES = ['change', 'up', 'down', 'larger', 'smaller', 'times', 'better', 'worse'] as const
const LESS_PLAIN = [...CHANGES, 'mean', 'doubt', 'plan'] as const

/**
 * A sentence that names one run, one metric and one step beside one figure, and the log has another there. Anything less
 * plain is left alone.
 */
function saidOtherwise(figure: TracedFigure, all: readonly TracedFigure[], index: LogIndex): readonly LoggedFigure[] {
  const { statement, quantity, traced, text: found, offset, words } = figure
  const [step, more] = figure.steps
  const isOneStep = step !== undefined && more === undefined && step.first === step.last
  if (statement === null || traced !== null || !isOneStep) return []
  const [clause = '', sentence = ''] = words
  const isPlain = !quantity.signed && quantity.hedge === null && quantity.bound === null && !has(clause, ...LESS_PLAIN)
  const runs = new Set(index.runsIn(clause).map(({ run }) => run))
  const metrics = [clause, sentence].map(index.metricsIn).find(({ size }) => size > 0)
  if (!isPlain || runs.size !== 1 || metrics?.size !== 1) return []
  if (all.some(one => one !== figure && one.statement === statement && one.words[0] === clause)) return []
  return index
    .seriesOf(runs, metrics)
    .flatMap(atStep(step.first))
    .map(logged => ({ offset, quantity, found, where: `“${clause.trim()}”`, logged, severity: 'warning' as const }))
    .filter(one => !isLogged(one) && isMisprint(quantity.value, inUnitOf(one)))
}

/** Figures that an assertion was confirmed to follow from others, and from which. */
function derivedOffsets(judged: readonly JudgedFigure[]): ReadonlyMap<number, string> {
  const derived = judged.flatMap(({ assertion: { figures, relation }, outcome }) => {
    if (outcome.verdict !== 'confirmed') return []
    const results = figures.filter(({ role }) => role === 'result' || role === 'span')
    return results.map(({ offset }) => [offset, `${relation}: ${outcome.by}`] as const)
  })
  return new Map(derived)
}

function contradictionFault({ offset, quantity, found, where, logged, severity }: LoggedFigure): Fault {
  const { run, metric } = logged.series
  // What was logged, in the writing of what is printed.
  const expected = asPrinted(inUnitOf({ quantity, logged }), quantity)
  const words = { where, run, metric, expected, found, step: logged.step ?? 0 }
  return fault('data-value', offset, say(`audit.data-${logged.aggregate ?? 'step'}`, words), { severity })
}

const MOST_LISTED = 4

function inventedFault({ runs, cells, agreeing, isLogged }: InventedTable): Fault {
  const run = `${runs.slice(0, MOST_LISTED).join(', ')}${runs.length > MOST_LISTED ? ', …' : ''}`
  const words = { run, runs: runs.length, count: cells.length, agreeing }
  const found = cells.slice(0, MOST_LISTED).map(({ text }) => text)
  return fault(
    'data-invented',
    cells[0]?.offset ?? 0,
    say(isLogged ? 'audit.data-invented' : 'audit.data-unlogged', words),
    {
      severity: isLogged ? 'error' : 'warning',
      found: found.join(', '),
      also: cells.map(({ offset }) => offset),
    },
  )
}

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
  readonly source: LoggedSource
  /** By the names of both its run and its metric. */
  readonly isNamed: boolean
}

/** With run and metric named, a figure may be met by chance more easily and is still meant. */
const NAMED_BY_CHANCE = 0.3

function traceOf({ quantity, words, steps }: PrintedFigure, index: LogIndex): Traced | null {
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
function figuresIn({ document: { statements }, matrices }: ReportEvidence): readonly PrintedFigure[] {
  const prose = statements.flatMap((statement, i) => {
    if (statement.kind === 'heading' || statement.kind === 'cell') return []
    const { text, steps, section, leads, offsetOf } = statement
    const above = statements[i - 1]
    const before = above?.section === section ? above.text : ''
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

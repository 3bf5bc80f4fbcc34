import type { Matrix } from '../document/matrix.js'
import { lastAtMost } from '../document/places.js'
import { groupBy } from '../model/group-by.js'
import { sentences } from '../text/sentences.js'
import { asPrinted, changeReadings, isMisprint, meets, statedRange } from './arithmetic.js'
import type { Assertion, Fault, FaultKind, Outcome } from './assertion.js'
import type { Evidence } from './evidence.js'
import { fault } from './fault.js'
import { type InventedTable, inventedCurve, inventedTable } from './invented.js'
import { has } from './lexicon.js'
import { agrees, type LoggedRuns, type LogIndex, logIndex } from './log-index.js'
import { type Aggregate, type Logged, loggedAt, type Source, sourceOf } from './log-series.js'
import { curvesOf, inUnitOf, type Miss, matchCurve, matchRuns, runLines } from './log-tables.js'
import type { DifferingFigure, Reproduction } from './remade.js'
import { clauseAround, figuresIn, type PrintedFigure, type Traced, traceOf } from './trace.js'

/**
 * Every figure of a report against the logs it is about: traced to a logged value (run, metric, step or aggregate),
 * derived from traced ones by an assertion that was confirmed or by klens itself, contradicted by what was logged, or
 * untraced. A table that bears the names of runs and agrees with nothing in them is invented.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.data-value': { en: '“{row}”, “{column}”: at step {step} the log of {run} has {expected} ({metric}), not {found}; write {expected}', zh: '“{row}”“{column}”：{run} 的日志在 step {step} 是 {expected}（{metric}），不是 {found}；应写 {expected}' },
  'audit.data-said': { en: '“{quote}”: at step {step} the log of {run} has {expected} ({metric}), not {found}; write {expected}', zh: '“{quote}”：{run} 的日志在 step {step} 是 {expected}（{metric}），不是 {found}；应写 {expected}' },
  'audit.data-last': { en: '“{row}”, “{column}”: the log of {run} ends with {expected} ({metric}), not {found}; write {expected}', zh: '“{row}”“{column}”：{run} 的日志最后是 {expected}（{metric}），不是 {found}；应写 {expected}' },
  'audit.data-first': { en: '“{row}”, “{column}”: the log of {run} begins with {expected} ({metric}), not {found}; write {expected}', zh: '“{row}”“{column}”：{run} 的日志开头是 {expected}（{metric}），不是 {found}；应写 {expected}' },
  'audit.data-max': { en: '“{row}”, “{column}”: the highest that {run} logged is {expected} ({metric}), not {found}; write {expected}', zh: '“{row}”“{column}”：{run} 日志中的最大值是 {expected}（{metric}），不是 {found}；应写 {expected}' },
  'audit.data-min': { en: '“{row}”, “{column}”: the lowest that {run} logged is {expected} ({metric}), not {found}; write {expected}', zh: '“{row}”“{column}”：{run} 日志中的最小值是 {expected}（{metric}），不是 {found}；应写 {expected}' },
  'audit.data-mean': { en: '“{row}”, “{column}”: the mean of what {run} logged there is {expected} ({metric}), not {found}; write {expected}', zh: '“{row}”“{column}”：{run} 日志中相应的平均值是 {expected}（{metric}），不是 {found}；应写 {expected}' },
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
    | Source
    | { readonly derived: string }
    | { readonly logged: number; readonly from: Source }
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

interface Judged {
  readonly assertion: Assertion
  readonly outcome: Outcome
}

type Standing = Pick<LedgerEntry, 'state' | 'source'>

export function ledgerOf(
  evidence: Evidence,
  logs: LoggedRuns,
  judged: readonly Judged[],
  reproduction: Reproduction | null,
): Ledger {
  const index = logIndex(logs)
  const isKlens = (offset: number): boolean => reproduction?.isReproduced(offset) ?? false
  const written = evidence.matrices.filter(({ table: { rows, offset } }) => !isKlens(rows[0]?.[0]?.offset ?? offset))
  const tables = written.map(matrix => readTable(matrix, evidence, index))
  const misses = new Map(tables.flatMap(table => table.misses.map(miss => [miss.cell.offset, miss] as const)))
  const hits = new Map(tables.flatMap(table => table.hits))
  const derived = derivedOffsets(judged)
  const remadeAt = differingIndex(reproduction)
  const figures = figuresIn(evidence, index)
  const traces = new Map<PrintedFigure, Traced | null>(
    figures.map(figure => {
      const hit = hits.get(figure.offset)
      return [figure, hit === undefined ? traceOf(figure, index) : { source: sourceOf(hit), isNamed: true }]
    }),
  )
  const byStatement = groupBy(figures, ({ statement }) => statement)
  const besides = (figure: PrintedFigure): readonly PrintedFigure[] =>
    figure.statement === null ? [] : (byStatement.get(figure.statement) ?? [])
  const wrongly = new Map(
    figures.flatMap(figure =>
      isKlens(figure.offset) || traces.get(figure) !== null ? [] : saidOtherwise(figure, besides(figure), index),
    ),
  )
  const standingOf = (figure: PrintedFigure): Standing => {
    const { offset } = figure
    const remade = remadeAt(figure)
    if (remade !== null)
      return { state: 'contradicted', source: { expected: remade.expected, derived: remade.command } }
    const traced = traces.get(figure) ?? null
    if (reproduction !== null && isKlens(offset)) {
      return traced?.isNamed === true && traced.source.step !== null
        ? { state: 'traced', source: traced.source }
        : { state: 'derived', source: { derived: reproduction.command } }
    }
    const miss = misses.get(offset) ?? wrongly.get(offset)
    if (miss !== undefined) {
      return { state: 'contradicted', source: { logged: miss.logged.value, from: sourceOf(miss.logged) } }
    }
    const by = derived.get(offset)
    if (traced !== null && (by === undefined || traced.isNamed)) return { state: 'traced', source: traced.source }
    const how = by ?? computedFrom(figure, besides(figure), traces)
    return how === null ? { state: 'untraced', source: null } : { state: 'derived', source: { derived: how } }
  }
  const entries = figures.map((figure): LedgerEntry => {
    const { line, column } = evidence.document.placeOf(figure.offset)
    return { line, column, text: figure.text, offset: figure.offset, ...standingOf(figure) }
  })
  const lineOf = (offset: number): number => evidence.document.placeOf(offset).line
  const wrongLines = new Set([...misses.keys()].map(lineOf))
  const isComputed = (figure: PrintedFigure): boolean => computedFrom(figure, besides(figure), traces) !== null
  const borneOut = new Set(
    figures.filter(one => traces.get(one)?.isNamed === true || isComputed(one)).map(({ offset }) => offset),
  )
  return {
    entries,
    faults: [
      ...[...misses.values()].map(missFault),
      ...[...wrongly].map(([offset, said]) => saidFault(offset, said)),
      ...tables.flatMap(({ invented }) => invented.map(inventedFault)),
      ...remadeFaults(reproduction),
    ],
    settles: ({ offset, also = [], kind }) =>
      BY_FIGURES.has(kind) &&
      ((borneOut.has(offset) && !misses.has(offset)) || [offset, ...also].some(at => wrongLines.has(lineOf(at)))),
  }
}

/** What follows from printed figures alone. */
const BY_FIGURES: ReadonlySet<FaultKind> = new Set(['arithmetic', 'contradiction'])

interface TableReading {
  readonly hits: readonly (readonly [offset: number, logged: Logged])[]
  readonly misses: readonly Miss[]
  readonly invented: readonly InventedTable[]
}

function readTable(matrix: Matrix, evidence: Evidence, index: LogIndex): TableReading {
  const curves = curvesOf(matrix).map(line => ({ line, match: matchCurve(line, index) }))
  const lines = runLines(matrix, evidence, index)
  const matches = [...curves.map(({ match }) => match), ...lines.map(line => matchRuns(line, index))].flatMap(
    match => match ?? [],
  )
  const hits = matches.flatMap(match => match.hits)
  const hit = new Set(hits.map(([offset]) => offset))
  const isStepped = [...matrix.rows, ...matrix.columns].some(({ step }) => step !== null)
  const inCurves = curves.flatMap(({ line, match }) => {
    const invented = match === null ? inventedCurve(line, index) : null
    return invented ?? []
  })
  const whole = isStepped || hits.length > 0 ? null : inventedTable(lines, index)
  return {
    hits,
    misses: matches.flatMap(match => match.misses).filter(({ cell }) => !hit.has(cell.offset)),
    invented: [...inCurves, ...(whole === null ? [] : [whole])],
  }
}

interface Said {
  readonly figure: PrintedFigure
  readonly logged: Logged & { readonly step: number }
  readonly quote: string
}

/**
 * A sentence that names one run, one metric and one step beside one figure, and the log has another there. Anything less
 * plain is left alone.
 */
function saidOtherwise(
  figure: PrintedFigure,
  besides: readonly PrintedFigure[],
  index: LogIndex,
): readonly (readonly [number, Said])[] {
  const { statement, quantity, steps, offset } = figure
  if (statement === null || quantity.signed || quantity.hedge !== null || quantity.bound !== null) return []
  const clause = clauseAround(statement, quantity)
  const quote = statement.text.slice(clause.from, clause.to).trim()
  const runs = new Set(index.runsIn(quote).map(({ run }) => run))
  const metrics = [quote, statement.text].map(index.metricsIn).find(({ size }) => size > 0)
  const isAlone = besides.every(
    other => other === figure || other.quantity.to <= clause.from || other.quantity.from >= clause.to,
  )
  const [step, ...more] = steps
  if (runs.size !== 1 || metrics?.size !== 1 || !isAlone || step === undefined || more.length > 0) return []
  if (step.first !== step.last || has(quote, ...LESS_PLAIN)) return []
  const [logged] = index.seriesOf(runs, metrics).flatMap(one => loggedAt(one, { kind: 'step', step: step.first }))
  if (logged === undefined || agrees(quantity, logged.value)) return []
  if (!isMisprint(quantity.value, inUnitOf({ quantity, logged }))) return []
  return [[offset, { figure, logged: { ...logged, step: step.first }, quote }]]
}

/** Words beside which a figure is no level that was logged, or was not meant to be. */
const LESS_PLAIN = [
  'change',
  'up',
  'down',
  'better',
  'worse',
  'larger',
  'smaller',
  'mean',
  'times',
  'doubt',
  'plan',
] as const

/** Of so many traced figures before it in its sentence one may be computed. */
const NEAREST = 3

/** A difference, a percentage or a ratio of two traced figures of the same sentence. */
function computedFrom(
  figure: PrintedFigure,
  besides: readonly PrintedFigure[],
  traces: ReadonlyMap<PrintedFigure, Traced | null>,
): string | null {
  const { statement, quantity } = figure
  if (statement === null) return null
  const { from, to } = clauseAround(statement, quantity)
  const isCalledSo =
    quantity.signed || has(statement.text.slice(from, to), 'change', 'times', 'up', 'down', 'larger', 'smaller')
  if (!isCalledSo && quantity.unit !== 'points' && quantity.unit !== 'times') return null
  const near = besides.filter(other => other !== figure && traces.get(other) !== null)
  const before = near.filter(other => other.quantity.from < quantity.from).slice(-NEAREST)
  const among = before.length > 1 ? before : near.slice(0, NEAREST)
  for (const [i, one] of among.entries()) {
    for (const other of among.slice(i + 1)) {
      const percents = one.quantity.unit === '%'
      const readings = changeReadings(one.quantity.range, other.quantity.range, quantity, { percents, isShare: true })
      const size = statedRange({ ...quantity, value: Math.abs(quantity.value), range: sizeRange(quantity) })
      if (readings.some(reading => meets(size, reading))) return `${one.text}, ${other.text}`
    }
  }
  return null
}

function sizeRange({ range: { low, high }, value }: PrintedFigure['quantity']): { low: number; high: number } {
  return value < 0 ? { low: -high, high: -low } : { low, high }
}

/** The figure of the remade report that stands where this one does, where the two differ. */
function differingIndex(
  reproduction: Reproduction | null,
): (figure: PrintedFigure) => (DifferingFigure & { readonly command: string }) | null {
  if (reproduction === null || reproduction.differing.length === 0) return () => null
  const { differing, command } = reproduction
  const starts = differing.map(({ offset }) => offset)
  return ({ offset, text }) => {
    const last = differing[lastAtMost(starts, offset + text.length - 1)]
    return last === undefined || last.offset + last.found.length <= offset ? null : { ...last, command }
  }
}

function remadeFaults(reproduction: Reproduction | null): readonly Fault[] {
  if (reproduction === null) return []
  const { differing, command } = reproduction
  return differing.map(({ offset, found, expected }) =>
    fault('data-value', offset, say('audit.data-remade', { expected, found, command })),
  )
}

/** Figures that an assertion was confirmed to follow from others, and from which. */
function derivedOffsets(judged: readonly Judged[]): ReadonlyMap<number, string> {
  const found = new Map<number, string>()
  for (const { assertion, outcome } of judged) {
    if (outcome.verdict !== 'confirmed') continue
    for (const { role, offset } of assertion.figures) {
      if (role === 'result' || role === 'span' || role === 'count')
        found.set(offset, `${assertion.relation}: ${outcome.by}`)
    }
  }
  return found
}

function missFault({ cell, quantity, logged, row, column }: Miss): Fault {
  const { run, metric } = logged.series
  const words = { run, metric, row, column, expected: printedLike(quantity, logged), found: cell.text }
  const sentence =
    logged.aggregate === null
      ? say('audit.data-value', { ...words, step: logged.step ?? 0 })
      : say(AGGREGATE_SENTENCES[logged.aggregate], words)
  return fault('data-value', cell.offset, sentence, { severity: quantity.hedge === null ? 'error' : 'warning' })
}

const AGGREGATE_SENTENCES = {
  last: 'audit.data-last',
  first: 'audit.data-first',
  max: 'audit.data-max',
  min: 'audit.data-min',
  mean: 'audit.data-mean',
} as const satisfies Record<Aggregate, string>

function saidFault(offset: number, { figure: { quantity, text }, logged, quote }: Said): Fault {
  const { run, metric } = logged.series
  const expected = printedLike(quantity, logged)
  const words = { quote, step: logged.step, run, metric, expected, found: text }
  return fault('data-value', offset, say('audit.data-said', words), { found: text, severity: 'warning' })
}

/** What was logged, in the writing of what is printed. */
function printedLike(quantity: PrintedFigure['quantity'], logged: Logged): string {
  return asPrinted(inUnitOf({ quantity, logged }), quantity)
}

const MOST_RUNS = 4

function listed(runs: readonly string[]): string {
  return `${runs.slice(0, MOST_RUNS).join(', ')}${runs.length > MOST_RUNS ? ', …' : ''}`
}

function inventedFault({ runs, cells, agreeing, isLogged }: InventedTable): Fault {
  const words = { run: listed(runs), runs: runs.length, count: cells.length, agreeing }
  const message = say(isLogged ? 'audit.data-invented' : 'audit.data-unlogged', words)
  return fault('data-invented', cells[0].offset, message, {
    severity: isLogged ? 'error' : 'warning',
    found: cells
      .slice(0, 4)
      .map(({ text }) => text)
      .join(', '),
    also: cells.map(({ offset }) => offset),
  })
}

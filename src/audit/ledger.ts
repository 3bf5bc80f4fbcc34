import type { Quantity } from '../document/quantity.js'
import { groupBy } from '../model/group-by.js'
import { sentences } from '../text/sentences.js'
import { asPrinted, changeReadings, isMisprint, meets, sizeOf, statedRange } from './arithmetic.js'
import type { Assertion, Fault, Outcome } from './assertion.js'
import type { Evidence } from './evidence.js'
import { fault } from './fault.js'
import type { InventedTable } from './invented.js'
import { has } from './lexicon.js'
import { agrees, type LoggedRuns, type LogIndex, logIndex } from './log-index.js'
import { type Logged, loggedAt, type Source, sourceOf } from './log-series.js'
import { inUnitOf, type LoggedCell, readTable } from './log-tables.js'
import type { Reproduction } from './remade.js'
import type { FaultKind } from './rules.js'
import { clauseAround, figuresIn, onlyStep, type PrintedFigure, type Traced, traceOf } from './trace.js'

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

/** A figure that the log contradicts, in a cell or in a sentence. */
interface Contradiction {
  readonly quantity: Quantity
  readonly logged: Logged
  readonly found: string
  readonly where: { readonly row: string; readonly column: string } | { readonly quote: string; readonly step: number }
}

export function ledgerOf(
  { document, matrices, ...evidence }: Evidence,
  logs: LoggedRuns,
  judged: readonly Judged[],
  reproduction: Reproduction | null,
): Ledger {
  const index = logIndex(logs)
  const isKlens = (offset: number): boolean => reproduction?.isReproduced(offset) ?? false
  const tables = matrices
    .filter(({ table: { rows, offset } }) => !isKlens(rows[0]?.[0]?.offset ?? offset))
    .map(matrix => readTable(matrix, document, index))
  const hits = new Map(tables.flatMap(table => table.hits.map(({ cell, logged }) => [cell.offset, logged] as const)))
  const inCells = new Map(tables.flatMap(table => table.misses.map(miss => [miss.cell.offset, missIn(miss)] as const)))
  const derived = derivedOffsets(judged)
  const figures = figuresIn({ document, matrices, ...evidence }, index).map(figure => {
    const hit = hits.get(figure.offset)
    return { ...figure, traced: hit === undefined ? traceOf(figure, index) : { source: sourceOf(hit), isNamed: true } }
  })
  const byStatement = groupBy(figures, ({ statement }) => statement)
  const besides = ({ statement }: TracedFigure): readonly TracedFigure[] =>
    statement === null ? [] : (byStatement.get(statement) ?? [])
  const inProse = new Map(
    figures.flatMap(figure => {
      const said = isKlens(figure.offset) ? null : saidOtherwise(figure, besides(figure), index)
      return said === null ? [] : [[figure.offset, said] as const]
    }),
  )
  const standingOf = (figure: TracedFigure): Pick<LedgerEntry, 'state' | 'source'> => {
    const { offset, text, traced, steps } = figure
    const remade = reproduction?.differingIn(offset, offset + text.length) ?? null
    if (reproduction !== null && remade !== null)
      return { state: 'contradicted', source: { expected: remade.expected, derived: reproduction.command } }
    if (reproduction !== null && isKlens(offset)) {
      return traced !== null && steps.some(({ first }) => first === traced.source.step)
        ? { state: 'traced', source: traced.source }
        : { state: 'derived', source: { derived: reproduction.command } }
    }
    const { logged } = inCells.get(offset) ?? inProse.get(offset) ?? {}
    if (logged !== undefined) return { state: 'contradicted', source: { logged: logged.value, from: sourceOf(logged) } }
    const by = derived.get(offset)
    if (traced !== null && (by === undefined || traced.isNamed)) return { state: 'traced', source: traced.source }
    const how = by ?? computedFrom(figure, besides(figure))
    return how === null ? { state: 'untraced', source: null } : { state: 'derived', source: { derived: how } }
  }
  const lineOf = (offset: number): number => document.placeOf(offset).line
  const wrongLines = new Set([...inCells.keys()].map(lineOf))
  const borneOut = new Set(
    figures
      .filter(figure => figure.traced?.isNamed === true || computedFrom(figure, besides(figure)) !== null)
      .map(({ offset }) => offset),
  )
  return {
    entries: figures.map(figure => {
      const { line, column } = document.placeOf(figure.offset)
      return { line, column, text: figure.text, offset: figure.offset, ...standingOf(figure) }
    }),
    faults: [
      ...[...inCells, ...inProse].map(([offset, one]) => contradictionFault(offset, one)),
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
      ((borneOut.has(offset) && !inCells.has(offset)) || [offset, ...also].some(at => wrongLines.has(lineOf(at)))),
  }
}

interface TracedFigure extends PrintedFigure {
  readonly traced: Traced | null
}

/** What follows from printed figures alone. */
const BY_FIGURES: ReadonlySet<FaultKind> = new Set(['arithmetic', 'contradiction'])

function missIn({ table, cell, quantity, logged }: LoggedCell): Contradiction {
  const where = { row: table.rows[cell.row]?.[0]?.text ?? '', column: table.header[cell.column]?.text ?? '' }
  return { quantity, logged, found: cell.text, where }
}

/** Words beside which a figure is no level that was logged, or was not meant to be. */
const CHANGES = ['change', 'up', 'down', 'larger', 'smaller', 'times'] as const
const LESS_PLAIN = [...CHANGES, 'better', 'worse', 'mean', 'doubt', 'plan'] as const

/**
 * A sentence that names one run, one metric and one step beside one figure, and the log has another there. Anything less
 * plain is left alone.
 */
function saidOtherwise(figure: TracedFigure, besides: readonly TracedFigure[], index: LogIndex): Contradiction | null {
  const { statement, quantity, traced, text: found } = figure
  const step = onlyStep(figure.steps)
  if (statement === null || traced !== null || step === null) return null
  if (quantity.signed || quantity.hedge !== null || quantity.bound !== null) return null
  const { from, to } = clauseAround(statement, quantity)
  const quote = statement.text.slice(from, to).trim()
  const runs = new Set(index.runsIn(quote).map(({ run }) => run))
  const metrics = [quote, statement.text].map(index.metricsIn).find(({ size }) => size > 0)
  const isAlone = besides.every(one => one === figure || one.quantity.to <= from || one.quantity.from >= to)
  if (runs.size !== 1 || metrics?.size !== 1 || !isAlone || has(quote, ...LESS_PLAIN)) return null
  const [logged] = index.seriesOf(runs, metrics).flatMap(one => loggedAt(one, { kind: 'step', step }))
  if (logged === undefined || agrees(quantity, logged.value)) return null
  return isMisprint(quantity.value, inUnitOf({ quantity, logged }))
    ? { quantity, logged, found, where: { quote, step } }
    : null
}

/** Of so many traced figures before it in its sentence one may be computed. */
const NEAREST = 3

/** A difference, a percentage or a ratio of two traced figures of the same sentence. */
function computedFrom(figure: TracedFigure, besides: readonly TracedFigure[]): string | null {
  const { statement, quantity } = figure
  if (statement === null) return null
  const { from, to } = clauseAround(statement, quantity)
  const isCalledSo = quantity.signed || has(statement.text.slice(from, to), ...CHANGES)
  if (!isCalledSo && quantity.unit !== 'points' && quantity.unit !== 'times') return null
  const near = besides.filter(other => other !== figure && other.traced !== null)
  const before = near.filter(other => other.quantity.from < quantity.from).slice(-NEAREST)
  const among = before.length > 1 ? before : near.slice(0, NEAREST)
  const size = statedRange({ ...quantity, value: Math.abs(quantity.value), range: sizeOf(quantity.range) })
  for (const [i, one] of among.entries()) {
    for (const other of among.slice(i + 1)) {
      const percents = one.quantity.unit === '%'
      const readings = changeReadings(one.quantity.range, other.quantity.range, quantity, { percents, isShare: true })
      if (readings.some(reading => meets(size, reading))) return `${one.text}, ${other.text}`
    }
  }
  return null
}

/** Figures that an assertion was confirmed to follow from others, and from which. */
function derivedOffsets(judged: readonly Judged[]): ReadonlyMap<number, string> {
  return new Map(
    judged.flatMap(({ assertion: { figures, relation }, outcome }) =>
      figures.flatMap(({ role, offset }) => {
        const isResult = role === 'result' || role === 'span' || role === 'count'
        return isResult && outcome.verdict === 'confirmed' ? [[offset, `${relation}: ${outcome.by}`] as const] : []
      }),
    ),
  )
}

function contradictionFault(offset: number, { quantity, logged, found, where }: Contradiction): Fault {
  const { run, metric } = logged.series
  // What was logged, in the writing of what is printed.
  const expected = asPrinted(inUnitOf({ quantity, logged }), quantity)
  const words = { run, metric, expected, found, ...where }
  if ('quote' in words) return fault('data-value', offset, say('audit.data-said', words), { severity: 'warning' })
  const sentence =
    logged.aggregate === null
      ? say('audit.data-value', { ...words, step: logged.step ?? 0 })
      : say(`audit.data-${logged.aggregate}`, words)
  return fault('data-value', offset, sentence, { severity: quantity.hedge === null ? 'error' : 'warning' })
}

const MOST_RUNS = 4

function inventedFault({ runs, cells, agreeing, isLogged }: InventedTable): Fault {
  const run = `${runs.slice(0, MOST_RUNS).join(', ')}${runs.length > MOST_RUNS ? ', …' : ''}`
  const words = { run, runs: runs.length, count: cells.length, agreeing }
  return fault('data-invented', cells[0].offset, say(isLogged ? 'audit.data-invented' : 'audit.data-unlogged', words), {
    severity: isLogged ? 'error' : 'warning',
    found: cells
      .slice(0, MOST_RUNS)
      .map(({ text }) => text)
      .join(', '),
    also: cells.map(({ offset }) => offset),
  })
}

import type { Cell } from '../document/document.js'
import { type Line, linesOfMatrix, type Matrix, mainQuantity } from '../document/matrix.js'
import { lastAtMost } from '../document/places.js'
import type { Quantity } from '../document/quantity.js'
import { sentences } from '../text/sentences.js'
import type { Assertion, Fault, Outcome } from './assertion.js'
import type { Evidence } from './evidence.js'
import { fault } from './fault.js'
import { inventedCurve, inventedTable } from './invented.js'
import { agrees, type LoggedSeries, type LogIndex, logIndex, type SoughtFigure, type Source } from './log-index.js'
import type { DifferingFigure, Reproduction } from './remade.js'

/**
 * Every figure of a report against the logs it is about: traced to a logged value (run, metric, step or aggregate),
 * derived from traced ones by an assertion that was confirmed or by klens itself, contradicted by what was logged, or
 * untraced. A printed curve is recognised by its values; a table that bears the names of runs and agrees with nothing
 * in them is invented.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.data-value': { en: 'at step {step} the log of {run} has {expected} ({metric}), not {found}; write {expected}', zh: '{run} 的日志在 step {step} 是 {expected}（{metric}），不是 {found}；应写 {expected}' },
  'audit.data-remade': { en: 'made again from the same logs, the report has {expected} here, not {found} ({command}); write {expected}', zh: '用同一份日志重新生成，此处是 {expected}，不是 {found}（{command}）；应写 {expected}' },
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
}

interface Figure extends SoughtFigure {
  readonly offset: number
  readonly text: string
}

interface Judged {
  readonly assertion: Assertion
  readonly outcome: Outcome
}

export function ledgerOf(
  evidence: Evidence,
  series: readonly LoggedSeries[],
  judged: readonly Judged[],
  reproduction: Reproduction | null,
): Ledger {
  const index = logIndex(series)
  const derived = derivedOffsets(judged)
  const isKlens = (offset: number): boolean => reproduction?.isReproduced(offset) ?? false
  const matched = evidence.matrices
    .flatMap(matrix => linesOfMatrix(matrix).map(line => matchLine(line, index)))
    .filter(({ line }) => !line.points.some(({ cell }) => isKlens(cell.offset)))
  const wrong = new Map(matched.flatMap(({ misses }) => misses.map(miss => [miss.cell.offset, miss] as const)))
  const right = new Map(matched.flatMap(({ hits }) => hits))
  const remadeAt = differingIndex(reproduction)
  const stateOf = (figure: Figure): Pick<LedgerEntry, 'state' | 'source'> => {
    const remade = remadeAt(figure)
    if (remade !== null)
      return { state: 'contradicted', source: { expected: remade.expected, derived: remade.command } }
    if (reproduction !== null && isKlens(figure.offset)) {
      const source = index.namedPlaceOf(figure)
      return source === null
        ? { state: 'derived', source: { derived: reproduction.command } }
        : { state: 'traced', source }
    }
    const miss = wrong.get(figure.offset)
    if (miss !== undefined) return { state: 'contradicted', source: { logged: miss.logged, from: miss.source } }
    const by = derived.get(figure.offset)
    const source = right.get(figure.offset) ?? index.placeOf(figure)
    if (source !== null && (by === undefined || source.step !== null)) return { state: 'traced', source }
    if (by !== undefined) return { state: 'derived', source: { derived: by } }
    return { state: 'untraced', source: null }
  }
  const entries = figuresIn(evidence).map((figure): LedgerEntry => {
    const { line, column } = evidence.document.placeOf(figure.offset)
    return { line, column, text: figure.text, offset: figure.offset, ...stateOf(figure) }
  })
  const tables = evidence.matrices.filter(({ table }) => !isKlens(table.offset))
  const faults = [
    ...matched.flatMap(line => line.faults),
    ...tables.flatMap(matrix => inventedTable(matrix, evidence, index)),
    ...remadeFaults(reproduction),
  ]
  return { entries, faults }
}

/** The figure of the remade report that stands where this one does, where the two differ. */
function differingIndex(
  reproduction: Reproduction | null,
): (figure: Figure) => (DifferingFigure & { readonly command: string }) | null {
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

/** All that is measured or computed: cells of value columns, and numbers in prose that are no steps, counts or dates. */
function figuresIn({ document, matrices }: Evidence): readonly Figure[] {
  const prose = document.statements.flatMap(({ kind, quantities, text, offsetOf, steps }) =>
    kind === 'heading' || kind === 'cell'
      ? []
      : quantities.filter(isMeasured).map(quantity => ({
          quantity,
          offset: offsetOf(quantity.from),
          text: text.slice(quantity.from, quantity.to).trim(),
          words: [text],
          step: steps.length === 1 ? (steps[0]?.first ?? null) : null,
        })),
  )
  const cells = matrices.flatMap(matrix => matrix.rows.flatMap(row => cellsOfRow(matrix, row.index, row.step)))
  return [...prose, ...cells].sort((a, b) => a.offset - b.offset)
}

function cellsOfRow({ table, columns, rows }: Matrix, row: number, step: number | null): readonly Figure[] {
  return columns.flatMap(column => {
    const cell: Cell | undefined = table.rows[row]?.[column.index]
    const quantity =
      cell === undefined || cell.pending || column.role === 'label' || column.role === 'step'
        ? null
        : mainQuantity(cell)
    if (cell === undefined || quantity === null || !isMeasured(quantity)) return []
    const words = [column.name, rows[row]?.name ?? '']
    return [{ quantity, offset: cell.offset, text: cell.text, words, step: step ?? column.step }]
  })
}

function isMeasured({ unit, value, decimals }: Quantity): boolean {
  if (unit === 'step' || unit === 'epoch' || unit === 'sample') return false
  return (decimals ?? 0) > 0 || unit === '%' || Math.abs(value) > 100
}

/** Derived: two figures may agree by chance; three of four with three decimals do not. */
const FEWEST_AGREEING = 3
const LEAST_SHARE = 0.6
const FEWEST_NAMED = 2

interface Miss {
  readonly cell: Cell
  readonly logged: number
  readonly source: Source
}

interface Matched {
  readonly line: Line
  /** Cells of a recognised curve that have what was logged, by their place. */
  readonly hits: readonly (readonly [offset: number, source: Source])[]
  readonly misses: readonly Miss[]
  readonly faults: readonly Fault[]
}

/** A printed curve belongs to the series that it agrees with at most of its steps; then all of it must agree. */
function matchLine(line: Line, index: LogIndex): Matched {
  const nothing = { line, hits: [], misses: [], faults: [] }
  const points = line.points.filter(({ at }) => at.step !== null)
  if (points.length < 2 || line.of.role !== 'value') return nothing
  const measured = points.filter(({ quantity }) => quantity.hedge === null)
  const counts = new Map<LoggedSeries, number>()
  for (const { at, quantity } of measured) {
    for (const one of index.seriesWith(quantity, at.step ?? 0)) counts.set(one, (counts.get(one) ?? 0) + 1)
  }
  const best = index.series.reduce<LoggedSeries | null>(
    (most, one) => ((counts.get(one) ?? 0) > (most === null ? 0 : (counts.get(most) ?? 0)) ? one : most),
    null,
  )
  const agreeing = best === null ? 0 : (counts.get(best) ?? 0)
  const runs = index.runsNamed(line.of.name)
  const isNamed = best !== null && runs.has(best.run) && agreeing >= FEWEST_NAMED && agreeing === measured.length
  if (best !== null && agreeing >= LEAST_SHARE * measured.length && (agreeing >= FEWEST_AGREEING || isNamed))
    return recognised(line, best)
  return { ...nothing, faults: inventedCurve(line, index, agreeing, measured.length) }
}

function recognised(line: Line, logged: LoggedSeries): Matched {
  const { run, metric, file } = logged
  const points = line.points.flatMap(({ at, cell, quantity }) => {
    const value = at.step === null ? undefined : logged.valueAt(at.step)
    const step = at.step ?? 0
    const source: Source = { run, metric, step, aggregate: null, file }
    return value === undefined ? [] : [{ cell, quantity, value, step, source, isRight: agrees(quantity, value) }]
  })
  const found = points.filter(({ isRight }) => !isRight)
  return {
    line,
    hits: points.filter(({ isRight }) => isRight).map(({ cell, source }) => [cell.offset, source] as const),
    misses: found.map(({ cell, value, source }) => ({ cell, logged: value, source })),
    faults: found.map(({ cell, quantity, value, step }) => {
      const expected = String(Number(value.toPrecision(6)))
      return fault(
        'data-value',
        cell.offset,
        say('audit.data-value', { step, run, metric, expected, found: String(quantity.value) }),
        { severity: quantity.hedge === null ? 'error' : 'warning' },
      )
    }),
  }
}

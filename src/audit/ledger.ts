import type { Cell, ReportDocument } from '../document/document.js'
import { type Line, linesOfMatrix, type Matrix, mainQuantity } from '../document/matrix.js'
import type { Quantity } from '../document/quantity.js'
import { sentences } from '../text/sentences.js'
import { meets, scale } from './arithmetic.js'
import type { Assertion, Fault, Outcome } from './assertion.js'
import { type Evidence, mentionAt, significantDigits } from './evidence.js'
import { fault } from './fault.js'

/**
 * Every figure of a report against the logs it is about: traced to a logged value (run, metric, step or aggregate),
 * derived from traced ones by an assertion that was confirmed, contradicted by what was logged, or untraced. A printed
 * curve is recognised by its values; a column that bears a run's name and agrees with nothing in it is invented.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.data-value': { en: 'at step {step} the log of {run} has {expected} ({metric}), not {found}; write {expected}', zh: '{run} 的日志在 step {step} 是 {expected}（{metric}），不是 {found}；应写 {expected}' },
  'audit.data-invented': { en: 'column “{column}” is named after {run}, but of its {count} figures {agreeing} agree with anything logged at those steps; print what was logged', zh: '“{column}”一列以 {run} 为名，但 {count} 个数字中只有 {agreeing} 个与该步的任何日志值相符；应照日志填写' },
})

export interface LoggedSeries {
  readonly run: string
  readonly metric: string
  readonly file: string | null
  readonly steps: ArrayLike<number>
  readonly values: ArrayLike<number>
  readonly valueAt: (step: number) => number | undefined
}

export interface Source {
  readonly run: string
  readonly metric: string
  readonly step: number | null
  readonly aggregate: 'first' | 'last' | 'min' | 'max' | 'mean' | null
  readonly file: string | null
}

export type LedgerState = 'traced' | 'derived' | 'contradicted' | 'untraced'

export interface LedgerEntry {
  readonly line: number
  readonly column: number
  readonly text: string
  readonly state: LedgerState
  /** Where it was logged; for what is derived, the words that say from what; null where nothing is known. */
  readonly source: Source | { readonly derived: string } | { readonly logged: number; readonly from: Source } | null
  readonly offset: number
}

export interface Ledger {
  readonly entries: readonly LedgerEntry[]
  readonly faults: readonly Fault[]
}

interface Figure {
  readonly quantity: Quantity
  readonly offset: number
  readonly text: string
  readonly words: string
  readonly step: number | null
}

export function ledgerOf(
  evidence: Evidence,
  series: readonly LoggedSeries[],
  judged: readonly { readonly assertion: Assertion; readonly outcome: Outcome }[],
): Ledger {
  const index = logIndex(series)
  const derived = derivedOffsets(judged)
  const matched = evidence.matrices.flatMap(matrix => linesOfMatrix(matrix).map(line => matchLine(line, series)))
  const wrong = new Map(matched.flatMap(({ misses }) => misses.map(miss => [miss.cell.offset, miss] as const)))
  const entries = figuresIn(evidence).map((figure): LedgerEntry => {
    const { line, column } = evidence.document.placeOf(figure.offset)
    const entry = { line, column, text: figure.text, offset: figure.offset }
    const miss = wrong.get(figure.offset)
    if (miss !== undefined)
      return { ...entry, state: 'contradicted', source: { logged: miss.logged, from: miss.source } }
    const by = derived.get(figure.offset)
    const source = index(figure)
    if (source !== null && (by === undefined || source.step !== null)) return { ...entry, state: 'traced', source }
    if (by !== undefined) return { ...entry, state: 'derived', source: { derived: by } }
    return { ...entry, state: 'untraced', source: null }
  })
  return { entries, faults: matched.flatMap(({ faults }) => faults) }
}

/** Figures that an assertion was confirmed to follow from others, and from which. */
function derivedOffsets(
  judged: readonly { readonly assertion: Assertion; readonly outcome: Outcome }[],
): ReadonlyMap<number, string> {
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
          words: text,
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
    const words = `${column.name} ${rows[row]?.name ?? ''}`
    return [{ quantity, offset: cell.offset, text: cell.text, words, step: step ?? column.step }]
  })
}

function isMeasured({ unit, value, decimals }: Quantity): boolean {
  if (unit === 'step' || unit === 'epoch' || unit === 'sample') return false
  return (decimals ?? 0) > 0 || unit === '%' || Math.abs(value) > 100
}

interface Logged {
  readonly value: number
  readonly source: Source
}

/** Logged values and aggregates by size; a figure with few digits must also be at its step. */
function logIndex(series: readonly LoggedSeries[]): (figure: Figure) => Source | null {
  const all: Logged[] = series.flatMap(one => [...pointsOf(one), ...aggregatesOf(one)])
  all.sort((a, b) => a.value - b.value)
  const inRange = (low: number, high: number): readonly Logged[] => {
    let from = 0
    let to = all.length
    while (from < to) {
      const half = (from + to) >> 1
      if ((all[half]?.value ?? 0) < low) from = half + 1
      else to = half
    }
    const found: Logged[] = []
    for (let at = from; at < all.length && found.length < MOST_CANDIDATES; at += 1) {
      const one = all[at]
      if (one === undefined || one.value > high) break
      found.push(one)
    }
    return found
  }
  return ({ quantity, step, words }) => {
    const { range, unit } = quantity
    const shares = unit === '%' ? [range, scale(range, 0.01)] : [range]
    const candidates = shares.flatMap(({ low, high }) => inRange(low, high))
    const atStep = candidates.filter(({ source }) => step !== null && source.step === step)
    const named = (list: readonly Logged[]): Logged | undefined =>
      list.find(({ source }) => mentionAt(words, [source.run]) >= 0) ?? list[0]
    const best =
      named(atStep) ??
      (significantDigits(quantity) >= 4 || (step === null && significantDigits(quantity) >= 3)
        ? named(candidates)
        : undefined)
    return best?.source ?? null
  }
}

const MOST_CANDIDATES = 200

function pointsOf({ run, metric, file, steps, values }: LoggedSeries): Logged[] {
  const found: Logged[] = []
  for (let i = 0; i < steps.length; i += 1) {
    const value = values[i]
    if (value !== undefined && Number.isFinite(value))
      found.push({ value, source: { run, metric, step: steps[i] ?? null, aggregate: null, file } })
  }
  return found
}

function aggregatesOf({ run, metric, file, values }: LoggedSeries): Logged[] {
  const known = Array.from(values).filter(Number.isFinite)
  const [first] = known
  const last = known.at(-1)
  if (first === undefined || last === undefined) return []
  let [min, max, sum] = [first, first, 0]
  for (const value of known) {
    min = Math.min(min, value)
    max = Math.max(max, value)
    sum += value
  }
  const source = { run, metric, step: null, file }
  return [
    { value: first, source: { ...source, aggregate: 'first' } },
    { value: last, source: { ...source, aggregate: 'last' } },
    { value: min, source: { ...source, aggregate: 'min' } },
    { value: max, source: { ...source, aggregate: 'max' } },
    { value: sum / known.length, source: { ...source, aggregate: 'mean' } },
  ]
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
  readonly misses: readonly Miss[]
  readonly faults: readonly Fault[]
}

const NOTHING: Matched = { misses: [], faults: [] }

/** A printed curve belongs to the series that it agrees with at most of its steps; then all of it must agree. */
function matchLine(line: Line, series: readonly LoggedSeries[]): Matched {
  const points = line.points.filter(({ at }) => at.step !== null)
  if (points.length < 2 || line.of.role !== 'value') return NOTHING
  const measured = points.filter(({ quantity }) => quantity.hedge === null)
  const agreeingWith = (one: LoggedSeries): number =>
    measured.filter(({ at, quantity }) => {
      const value = at.step === null ? undefined : one.valueAt(at.step)
      return value !== undefined && agrees(quantity, value)
    }).length
  let best: { readonly logged: LoggedSeries; readonly agreeing: number } | null = null
  for (const logged of series) {
    const agreeing = agreeingWith(logged)
    if (agreeing > (best?.agreeing ?? 0)) best = { logged, agreeing }
  }
  const named = series.filter(({ run }) => mentionAt(line.of.name, [run]) >= 0)
  const isNamed =
    best !== null && named.includes(best.logged) && best.agreeing >= FEWEST_NAMED && best.agreeing === measured.length
  const isMatched =
    best !== null && best.agreeing >= LEAST_SHARE * measured.length && (best.agreeing >= FEWEST_AGREEING || isNamed)
  if (best !== null && isMatched) return misses(line, best.logged)
  return invented(line, named, best?.agreeing ?? 0, measured.length)
}

function agrees({ range, unit }: Quantity, value: number): boolean {
  const exact = { low: value, high: value }
  return meets(range, exact) || (unit === '%' && meets(scale(range, 0.01), exact))
}

function misses(line: Line, logged: LoggedSeries): Matched {
  const { run, metric, file } = logged
  const found = line.points.flatMap(({ at, cell, quantity }) => {
    const value = at.step === null ? undefined : logged.valueAt(at.step)
    return value === undefined || agrees(quantity, value) ? [] : [{ cell, quantity, value, step: at.step ?? 0 }]
  })
  return {
    misses: found.map(({ cell, value, step }) => ({
      cell,
      logged: value,
      source: { run, metric, step, aggregate: null, file },
    })),
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

/** A column that bears the name of a run which has been logged at these steps, and agrees with nothing of it. */
function invented(line: Line, named: readonly LoggedSeries[], agreeing: number, count: number): Matched {
  const [first] = named
  const covered = line.points.filter(
    ({ at }) => at.step !== null && named.some(one => one.valueAt(at.step ?? 0) !== undefined),
  )
  if (first === undefined || count < FEWEST_AGREEING || covered.length < count || agreeing > 0.2 * count) return NOTHING
  const offset = line.points[0]?.cell.offset ?? 0
  const made = fault(
    'data-invented',
    offset,
    say('audit.data-invented', { column: line.of.name, run: first.run, count, agreeing }),
    {
      found: line.points
        .slice(0, 4)
        .map(({ cell }) => cell.text)
        .join(', '),
      also: line.points.map(({ cell }) => cell.offset),
    },
  )
  return { misses: [], faults: [made] }
}

const COLOURS: { readonly [state in LedgerState]: string } = {
  traced: '#cdeccd',
  derived: '#d6e4f7',
  contradicted: '#f7c6c5',
  untraced: '#f3ecc4',
}

/** The report as one page with each figure marked; a figure tells on hover where it comes from. */
export function ledgerHtml(
  { text, file }: Pick<ReportDocument, 'text' | 'file'>,
  entries: readonly LedgerEntry[],
): string {
  let body = ''
  let at = 0
  for (const { offset, text: printed, state, source } of entries) {
    const start = text.indexOf(printed, offset)
    if (start < at || start - offset > 8) continue
    body += escapeHtml(text.slice(at, start))
    body += `<mark class="${state}" title="${escapeHtml(titleOf(state, source))}">${escapeHtml(printed)}</mark>`
    at = start + printed.length
  }
  body += escapeHtml(text.slice(at))
  const style = Object.entries(COLOURS)
    .map(([state, colour]) => `mark.${state}{background:${colour}}`)
    .join('')
  return `<!doctype html><meta charset="utf-8"><title>${escapeHtml(file)}</title><style>pre{white-space:pre-wrap;font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto}${style}</style><pre>${body}</pre>\n`
}

function titleOf(state: LedgerState, source: LedgerEntry['source']): string {
  if (source === null) return state
  if ('derived' in source) return `${state}: ${source.derived}`
  const from = 'from' in source ? source.from : source
  const place = from.step === null ? (from.aggregate ?? '') : `step ${from.step}`
  const logged = 'logged' in source ? ` = ${source.logged}` : ''
  return `${state}: ${from.run} ${from.metric} ${place}${logged}${from.file === null ? '' : ` (${from.file})`}`
}

function escapeHtml(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;')
}

import type { ReportDocument, Section } from '../../logs/document/document.js'
import { sentences } from '../../text/sentences.js'
import { type Fault, fault } from '../assertion.js'
import type { FaultKind } from '../rules.js'
import type { LedgerEntry, LoggedPlace } from './entry.js'
import { type PrintedFigure, printedAs } from './figure.js'
import { type LoggedRuns, nameOf, type Part } from './log.js'
import type { FigureJudgement, FigureReading } from './reading.js'
import type { Reproduction } from './remade.js'
import { placeWords, sourceWords } from './source-words.js'
import { type InventedTable, type TracedFigure, traceFigures } from './trace.js'

/**
 * The ledger of a report: every figure traced to its log, derived from what was logged, contradicted with the right
 * figure, or untraced. What only fits by its size is untraced, and says so.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.data-value': { en: '“{quote}”: the logs have {expected} ({source})', zh: '“{quote}”：日志为 {expected}（{source}）' },
  'audit.data-remade': { en: 'made again from the same logs, the report has {expected} here, not {found} ({command}); write {expected}', zh: '用同一份日志重新生成，此处是 {expected}，不是 {found}（{command}）；应写 {expected}' },
  'audit.data-invented': { en: 'these figures bear the {runs|name|names} of {run}, but none of the {count} agrees with anything logged there; print what was logged', zh: '这些数字以 {run} 为名，但 {count} 个中没有一个与相应的日志值相符；应照日志填写' },
  'audit.data-untraced': { en: '“{found}” is not in any log; say where it comes from, or print what was logged', zh: '“{found}”在日志中查不到来源；应注明来源，或照日志填写' },
})

export interface Ledger {
  readonly entries: readonly LedgerEntry[]
  readonly faults: readonly Fault[]
  /** Those whose words mean one metric: what `--fix` may write. */
  readonly vouched: readonly LedgerEntry[]
  /** Whether the log knows better what printed figures alone suggest: it has the figure, or one that it follows from is wrong. */
  readonly settles: (fault: Fault) => boolean
}

/** Titles whose figures must all be traced, `*` for any letters; none: every section. */
export type StrictSections = readonly string[]

export function ledgerOf(
  document: ReportDocument,
  logged: LoggedRuns,
  reproduction: Reproduction | null,
  strict: StrictSections | null,
): Ledger {
  const { figures, invented } = traceFigures(document, logged)
  const files = new Map(logged.series.map(({ run, file }) => [run, file]))
  const isKlens = (offset: number): boolean => reproduction?.isReproduced(offset) ?? false
  const wrong = figures.filter(one => one.state === 'contradicted').filter(({ figure }) => !isKlens(figure.offset))
  const lineOf = (offset: number): number => document.placeOf(offset).line
  const wrongLines = new Set(wrong.map(({ figure }) => lineOf(figure.offset)))
  const known = new Set(figures.filter(({ state }) => state === 'traced').map(({ figure }) => figure.offset))
  const entries = figures.map(({ figure, section, ...judgement }): Omit<LedgerEntry, 'says'> => {
    const { line, column } = document.placeOf(figure.offset)
    const place = { line, column, text: figure.text, offset: figure.offset, section: section?.title ?? null }
    const remade = reproduction?.differingIn(figure.offset, figure.offset + figure.text.length)
    const command = reproduction?.command ?? ''
    const sure = { ...place, fitsByChance: false }
    if (remade !== undefined)
      return { ...sure, state: 'contradicted', source: { expected: remade.expected, derived: command } }
    if (isKlens(figure.offset) && judgement.state !== 'traced')
      return { ...sure, state: 'derived', source: { derived: command } }
    return { ...place, ...standing(judgement, figure, files) }
  })
  const isStrict = (one: Section | null): boolean =>
    strict !== null && (strict.length === 0 || strict.some(title => isUnder(one, title)))
  const open =
    strict === null
      ? []
      : figures.filter(one => one.state === 'untraced' && isStrict(one.section) && !isKlens(one.figure.offset))
  const told = entries.map(entry => ({ ...entry, says: sourceWords(entry) }))
  const isAmbiguous = (one: FigureJudgement): boolean =>
    one.state === 'contradicted' && one.reading.isAmbiguous === true
  return {
    entries: told,
    vouched: told.filter((_, i) => !figures.slice(i, i + 1).some(isAmbiguous)),
    faults: [
      ...wrong.map(contradiction),
      ...open.map(({ figure: { offset, text } }) =>
        fault('data-untraced', offset, say('audit.data-untraced', { found: text })),
      ),
      ...invented.filter(({ figures: [first] }) => first !== undefined && !isKlens(first.offset)).map(inventedFault),
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
      (isKlens(offset) || known.has(offset) || [offset, ...also].some(at => wrongLines.has(lineOf(at)))),
  }
}

/** What follows from printed figures alone. */
const BY_FIGURES: ReadonlySet<FaultKind> = new Set(['arithmetic', 'contradiction'])

function isUnder(section: Section | null, title: string): boolean {
  const pattern = new RegExp(
    `^${title.replace(/[.*+?^${}()|[\]\\]/g, sign => (sign === '*' ? '.*' : `\\${sign}`))}$`,
    'i',
  )
  return section !== null && (pattern.test(section.title) || isUnder(section.parent, title))
}

function standing(
  judgement: FigureJudgement,
  figure: PrintedFigure,
  files: ReadonlyMap<string, string | null>,
): Pick<LedgerEntry, 'state' | 'source' | 'fitsByChance'> {
  if (judgement.state === 'untraced') return { state: 'untraced', source: null, fitsByChance: judgement.fitsByChance }
  const { state, reading, value } = judgement
  const place = placeOf(reading, value, files)
  if (state === 'contradicted') {
    const expected = printedAs(value.printed, figure)
    const source =
      reading.computed === null && place !== null
        ? { logged: value.value, from: place }
        : { expected, derived: reading.computed ?? reading.metric.name }
    return { state, source, fitsByChance: false }
  }
  return {
    state,
    source: reading.computed !== null || place === null ? { derived: reading.computed ?? reading.metric.name } : place,
    fitsByChance: false,
  }
}

/** What a figure should have been, with the run, the metric and the part. */
function contradiction({ figure, reading, value, quote }: Extract<TracedFigure, { state: 'contradicted' }>): Fault {
  const { kind, computed, metric } = reading
  const expected = kind === 'setting' ? String(value.value) : printedAs(value.printed, figure)
  const place = computed === null ? placeOf(reading, value, new Map()) : null
  const source = place === null ? `${computed ?? ''}; ${metric.name}` : placeWords(place)
  return fault('data-value', figure.offset, say('audit.data-value', { quote, expected, source }), {
    found: figure.text,
    expected,
    // Who says "estimated" did not claim to have measured.
    ...(figure.quantity.hedge === null ? {} : { severity: 'warning' as const }),
  })
}

function placeOf(
  { address, kind, metric }: FigureReading,
  { step, run }: FigureReading['values'][number],
  files: ReadonlyMap<string, string | null>,
): LoggedPlace | null {
  if (kind === 'count')
    return {
      run: '',
      metric: metric.name,
      step: null,
      aggregate: 'count',
      over: null,
      across: null,
      file: null,
      line: null,
    }
  if (address === null) return null
  const { runs, part, across } = address
  const one = run ?? (runs.length === 1 ? (runs[0] ?? null) : null)
  const made =
    across === null || (one !== null && (across === 'max' || across === 'min'))
      ? null
      : { made: across, runs: runs.length }
  return {
    run: one?.name ?? nameOf(runs),
    metric: address.metric,
    // What is made of several runs at a step stands at no point of one of them.
    step: step ?? (part.kind === 'at' ? part.step : null),
    aggregate: kind === 'setting' ? 'setting' : aggregateOf(part),
    over: stretchOf(part),
    across: made,
    file: one === null ? null : (files.get(one.name) ?? null),
    line: null,
  }
}

/** The steps of a stretch; of one at the end only how many they are is said. */
function stretchOf(part: Part): LoggedPlace['over'] {
  if (part.kind === 'over') return [part.first, part.last]
  return part.kind === 'tail' ? [-part.steps, -1] : null
}

function aggregateOf(part: Part): LoggedPlace['aggregate'] {
  if (part.kind === 'over' || part.kind === 'tail') return part.of ?? 'mean'
  const { kind } = part
  if (kind === 'at' || kind === 'back') return null
  if (kind === 'maxStep' || kind === 'minStep') return 'step'
  return kind === 'steps' || kind === 'points' ? 'count' : kind
}

const MOST_LISTED = 4

function inventedFault({ runs, figures }: InventedTable): Fault {
  const run = `${runs.slice(0, MOST_LISTED).join(', ')}${runs.length > MOST_LISTED ? ', …' : ''}`
  const found = figures.slice(0, MOST_LISTED).map(({ text }) => text)
  return fault(
    'data-invented',
    figures[0]?.offset ?? 0,
    say('audit.data-invented', { run, runs: runs.length, count: figures.length }),
    {
      found: found.join(', '),
      also: figures.map(({ offset }) => offset),
    },
  )
}

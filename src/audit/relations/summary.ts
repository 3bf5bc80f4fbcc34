import { everyMatch } from '../../logs/document/matches.js'
import { type Line, linesOfMatrix, type Matrix, type Point } from '../../logs/document/matrix.js'
import type { Quantity } from '../../logs/document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { isMisprint, meets, middle, sizeOf, statedRange } from '../arithmetic.js'
import { type Assertion, type CheckOutcome, type Relation, refute, type StatedFigure } from '../assertion.js'
import type { ListEntry } from '../entries.js'
import { isAround, isSizeName, prints, type ReportEvidence, topOf } from '../evidence.js'
import { assertionIn, assertionInEntry, entryFigure } from '../extract.js'
import { clauseOf, held, type Interpretation, kindest, missed } from '../interpretation.js'
import { has } from '../lexicon.js'
import { mentionsInText, type ReportClause } from '../mentions.js'
import { refuteSummary, summaryKindOf, summaryRange } from './aggregate.js'

/**
 * Lines that sum up a table near by: "mean change: −2.1 %" is held against every column it may mean; for "improved: 5/12",
 * "up on 4 of 6 data sets" and "A best: 3/4" the rows are counted, changes by their sign and columns by who is ahead.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.count-mismatch': { en: '“{quote}”: of the {total} rows of the table in line {at} it is {expected}, not {found}; count again', zh: '“{quote}”：第 {at} 行的表共 {total} 行，其中是 {expected}，不是 {found}；应重新数' },
})

const SO_MANY = [
  /(?<![\w.=])(?<part>\d{1,3})\s?(?:\/|(?:out )?of(?: the)?)\s?(?<whole>\d{1,3})(?![\w.%])/gi,
  /(?<whole>\d{1,3})\s?[个项种类组][^,，。;；\d]{0,12}[中里][^,，。;；\d]{0,10}?(?<part>\d{1,3})\s?[个项种类组]/g,
]

const SUPERLATIVES = ['best', 'worst', 'maximum', 'minimum', 'first'] as const

/** What is counted, and how many of how many it is. */
function* countsIn(text: string, around: string) {
  if (!has(around, 'better', 'up', 'worse', 'down', 'same', ...SUPERLATIVES)) return
  for (const { 0: count, groups: { part = '', whole = '' } = {} } of SO_MANY.flatMap(one => everyMatch(text, one)))
    yield { quantity: around.replace(count, ' '), manner: `count ${part} ${whole}` }
}

function* inClause(clause: ReportClause): Generator<Assertion> {
  for (const draft of countsIn(clause.text, clause.text)) yield assertionIn(clause.statement, 'summary', clause, draft)
}

/** "Mean gain: +1.2 %", items under "average difference:", counts in a table of its own, and a list that ends in its total. */
function* inEntries(entries: readonly ListEntry[]): Generator<Assertion> {
  for (const [i, entry] of entries.entries()) {
    const { key, value, table, leads, quantities } = entry
    const [[lead = ''], [stated, more]] = [leads, quantities]
    if (table !== null) for (const draft of countsIn(value, key)) yield assertionInEntry(entry, 'summary', draft)
    if (stated === undefined || stated.from > 4 || more !== undefined) continue
    const isListed = lead.length < 30 && stated.signed && has(lead, 'mean') && has(lead, 'change')
    const kind = isListed ? 'mean' : summaryKindOf(key)
    const parts = kind === 'sum' ? partsBefore(entries, i, stated) : []
    if (parts.length > 0) {
      const figures = [...parts, entryFigure(entry, stated, 'result')]
      yield assertionInEntry(entry, 'aggregate', { subjects: [key], figures, manner: 'sum sure' })
    }
    const isChange = isListed || has(key, 'change', 'up', 'down', 'better', 'worse')
    // A row of a table of its own is no mean of the next table.
    if (kind === null || !(isChange || (kind === 'mean' && table === null))) continue
    const figures = [entryFigure(entry, stated, 'result')]
    yield assertionInEntry(entry, 'summary', { quantity: key, figures, manner: `${kind} ${isChange ? 'change' : ''}` })
  }
}

const MOST_PARTS = 12

/** The entries right before a total, where each is one figure of its unit; a sum that is far off counts something else. */
function partsBefore(entries: readonly ListEntry[], at: number, { unit, value }: Quantity): readonly StatedFigure[] {
  const home = entries[at]?.section
  const list = entries.slice(Math.max(0, at - MOST_PARTS), at).filter(({ section }) => section === home)
  const parts = list.flatMap(entry => entry.quantities.map(one => entryFigure(entry, one, 'term')))
  const areAlike = unit !== null && parts.every(({ quantity }) => quantity.unit === unit)
  const isNear = Math.abs(middle(summaryRange('sum', parts)) / value - 1) < 0.3
  return parts.length > 2 && parts.length === list.length && areAlike && isNear ? parts : []
}

const NEAREST = 3

function check(assertion: Assertion, evidence: ReportEvidence): CheckOutcome {
  const { scope, stance, offset, figures } = assertion
  const isNear = ({ table }: Matrix): boolean => table !== scope.table && isAround(table.section, scope.section)
  const near = stance === 'said' ? evidence.near(offset).filter(isNear).slice(0, NEAREST) : []
  const readingIn = figures.length === 0 ? counted : summedUp
  const readings = near.flatMap(matrix => readingIn(assertion, matrix, evidence) ?? [])
  return kindest(readings, clauseOf(assertion))
}

/** Against the columns that it names, or against the differences. */
function summedUp({ quantity, manner, figures: [result] }: Assertion, matrix: Matrix): Interpretation | null {
  if (result === undefined) return null
  const [called = '', what] = manner.split(' ')
  const kind = summaryKindOf(called) ?? 'mean'
  const name = quantity ?? ''
  const { value, unit } = result.quantity
  const lines = linesOfMatrix(matrix).filter(({ isColumn }) => isColumn)
  const stated = sizeOf(statedRange(result.quantity))
  const isHeld = lines.some(({ points }) => meets(stated, sizeOf(summaryRange(kind, points))))
  if (isHeld || prints(matrix, result.quantity)) return held('the table')
  const changes = what === 'change' ? lines.filter(({ of }) => of.role === 'difference') : []
  const names = mentionsInText(name, matrix).flatMap(({ axes, isWhole }) => (isWhole ? axes : []))
  const named = (changes.length > 0 ? changes : lines).filter(({ of }) => names.includes(of))
  const expected = ({ points }: Line): number => middle(summaryRange(kind, points))
  const off = (line: Line): number => Math.abs(Math.abs(expected(line)) - Math.abs(value))
  const [best] = [...(named.length > 0 ? named : changes)].sort((a, b) => off(a) - off(b))
  const isLike = best !== undefined && best.points.length > 2 && best.points[0]?.quantity.unit === unit
  if (!isLike || !isMisprint(value, expected(best))) return null
  return missed(1, () => refuteSummary(kind, result, best.points, name, false), best)
}

function counted(
  { quantity, manner, quote, offset }: Assertion,
  matrix: Matrix,
  evidence: ReportEvidence,
): Interpretation | null {
  const [, found = 0, total = 0] = manner.split(' ').map(Number)
  const countsBy = (isRemarked: boolean) => countsOf(quantity ?? '', matrix, total, isRemarked)
  const [counts, printed] = [countsBy(true), countsBy(false)]
  if (counts.includes(found)) return held('the table')
  const at = evidence.document.placeOf(matrix.table.offset).line
  const message = say('audit.count-mismatch', { quote, total, at, expected: counts.join(' / '), found })
  const isSure = counts.length === 1 && !printed.includes(found)
  const more = { severity: isSure ? 'error' : 'warning', also: [matrix.table.offset] } as const
  const [line = null] = linesOfMatrix(matrix)
  return counts.length === 0 ? null : missed(1, () => refute('count-mismatch', offset, message, more), line)
}

/** How many of so many rows it can be; a row that a remark calls level may be counted as level. */
function countsOf(text: string, matrix: Matrix, total: number, isRemarked: boolean): readonly number[] {
  const [named, more] = mentionsInText(text, matrix).map(({ axes }) => axes[0])
  const lines = linesOfMatrix(matrix)
  if (named !== undefined) {
    const rows = lines.filter(({ of, points }) => of.role === 'value' && points.some(({ at }) => at === named))
    const isClear = ({ points }: Line): boolean =>
      new Set(points.map(({ quantity }) => quantity.value)).size === points.length &&
      !points.some(({ at }) => isSizeName(at.name))
    const isCounted = more === undefined && has(text, ...SUPERLATIVES) && rows.length === total && rows.every(isClear)
    const wins = (which: 'max' | 'min'): number => rows.filter(one => topOf(one.points, which)?.at === named).length
    return isCounted ? [wins('max'), wins('min')] : []
  }
  const sign = has(text, 'better', 'up') ? 1 : has(text, 'worse', 'down') ? -1 : has(text, 'same') ? 0 : null
  // "Above 1 point on 3 of 7", "lower in all seeds", "better than X" count something else.
  if (sign === null || /\d|than|[比于]/.test(text) || has(text, 'larger', 'smaller', 'all')) return []
  const isLevel = ({ at }: Point): boolean =>
    isRemarked &&
    (matrix.table.rows[at.index] ?? []).some(cell => cell.quantities.length === 0 && has(cell.text, 'same'))
  const isMeant = (point: Point): boolean => (isLevel(point) ? 0 : Math.sign(point.quantity.value)) === sign
  const changes = lines.filter(({ of, points }) => of.role === 'difference' && points.length === total)
  return changes.map(({ points }) => points.filter(isMeant).length)
}

export const summary: Relation = { names: ['summary'], inClause, inEntries, check }

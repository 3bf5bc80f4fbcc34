import { type Axis, type Line, linesOfMatrix, type Matrix } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { exactly, type Range } from '../../stats/rounding.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted, isMisprint, meets, middle, sizeOf, statedRange } from '../arithmetic.js'
import { type Assertion, confirmed, type Figure, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import type { Entry } from '../entries.js'
import { type Evidence, isAround, isSizeName, prints } from '../evidence.js'
import { refute } from '../fault.js'
import { has, source, words } from '../lexicon.js'
import { type Clause, clauseOf, type Mention, mentionsInText } from '../mentions.js'
import { assertionIn, assertionInCell, assertionInEntry, entryFigure, figureAs, figureOf, figuresAs } from '../read.js'
import { held, kindest, missed, type Reading } from '../reading.js'
import { reckoned } from './reckoned.js'
import { isCountName } from './tally.js'
import { asFigure, type Term, termAt, type View, viewsOf } from './view.js'

/**
 * Means, sums and extremes of figures in a row. Where the figures are plain to see (the cells above a summary row, a list
 * in a sentence, the entries above a total) they are the terms of the assertion; a line below a table that says "on
 * average −2.1 %" is held against every column it may mean.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.wrong-mean': { en: '“{found}” ({name}): the mean of {values} is {expected}; write {expected}', zh: '“{found}”（{name}）：{values} 的平均是 {expected}；应写 {expected}' },
  'audit.wrong-sum': { en: '“{found}” ({name}): {values} add up to {expected}; write {expected}', zh: '“{found}”（{name}）：{values} 之和是 {expected}；应写 {expected}' },
  'audit.wrong-max': { en: '“{found}” ({name}): the greatest of {values} is {expected}; write {expected}', zh: '“{found}”（{name}）：{values} 中最大的是 {expected}；应写 {expected}' },
  'audit.wrong-min': { en: '“{found}” ({name}): the least of {values} is {expected}; write {expected}', zh: '“{found}”（{name}）：{values} 中最小的是 {expected}；应写 {expected}' },
})

const KINDS = {
  mean: { rule: 'wrong-mean', named: words('mean') },
  sum: { rule: 'wrong-sum', named: /^(?:.{0,4}(?:合计|总计)|总和|小计|共计|total|sum|subtotal|all|overall)$/i },
  // The largest drop is the least of the changes.
  min: {
    rule: 'own-extremum',
    named:
      /^(?:最小|最低|min(?:imum)?(?![a-z])|smallest|lowest)|^(?:最[大高]|max(?:imum)?(?![a-z])|largest|biggest|highest).*(?:下降|降幅|drop|decrease|fall|loss)/i,
  },
  max: { rule: 'own-extremum', named: /^(?:最大|最高)|^max(?:imum)?(?![a-z])|^(?:largest|biggest|highest)/i },
} as const

type Kind = keyof typeof KINDS
const ALL_KINDS = ['mean', 'sum', 'min', 'max'] as const satisfies readonly Kind[]

function kindOf(name: string): Kind | null {
  return isCountName(name) ? null : (ALL_KINDS.find(kind => KINDS[kind].named.test(name.trim())) ?? null)
}

const relationOf = (kind: Kind): 'mean' | 'count' => (kind === 'mean' ? 'mean' : 'count')

/** Cells, points of a line or figures of a sentence. */
type Terms = readonly { readonly quantity: Quantity }[]

function rangeOf(kind: Kind, terms: Terms): Range {
  const quantities = terms.map(({ quantity }) => quantity)
  return kind === 'max' || kind === 'min'
    ? exactly(Math[kind](...quantities.map(({ value }) => value)))
    : (reckoned(kind, quantities) ?? exactly(quantities[0]?.value ?? 0))
}

const aggregated = (kind: Kind, terms: Terms): number => middle(rangeOf(kind, terms))

function fits(kind: Kind, terms: Terms, stated: Quantity): boolean {
  return terms.length > 1 && meets(statedRange(stated), rangeOf(kind, terms))
}

/** Rows and columns that sum the others up. Where another cell of the line is what its name says, the name is meant. */
function* inTable(matrix: Matrix): Generator<Assertion> {
  for (const view of viewsOf(matrix).filter(({ isTurned }) => (isTurned ? matrix.alongRows : matrix.alongColumns))) {
    for (const item of view.items) {
      // "Mean error" of the columns before it may be measured too: then its rows must bear it out.
      const isMeasured = item.role === 'value' && view.isTurned
      const kind = item.role === 'summary' || isMeasured ? kindOf(item.name) : null
      const cells = (kind === null ? [] : view.lines).flatMap(line => summaryAt(view, item, line, kind ?? 'mean') ?? [])
      const right = cells.filter(({ isRight }) => isRight).length
      if (isMeasured && (right < 2 || right < cells.length - 1)) continue
      for (const { line, cell, figures, isRight } of cells) {
        const isSure = cells.some(other => other.isRight && other.line !== line)
        // Of several cells none is what the name says, it is something else: a norm, a mean weighted by a column of counts.
        const isOther =
          view.isTurned || cells.length > 1 || (kind === 'mean' && view.lines.some(({ name }) => isSizeName(name)))
        if (kind === null || (!isRight && !isSure && isOther)) continue
        const draft = { subjects: [item.name], quantity: line.name, figures, manner: isSure ? kind : `${kind} unsure` }
        yield assertionInCell(matrix, cell, relationOf(kind), draft)
      }
    }
  }
}

function summaryAt(view: View, item: Axis, line: Axis, kind: Kind) {
  const stated = termAt(view, item, line)
  const isFigure = line.role === 'value' || (!view.isTurned && (line.role === 'difference' || line.role === 'summary'))
  if (stated === null || !isFigure || stated.quantity.ends !== null || stated.cell.quantities.length > 2) return null
  const terms = isRelative(view, item, line, stated) ? [] : termsOf(view, item, line)
  const isRight = fits(kind, terms, stated.quantity)
  // The total of a rate lies among its terms: it is no sum of them.
  const values = terms.map(({ quantity }) => quantity.value)
  const { value } = stated.quantity
  if (kind === 'sum' && !isRight && value >= Math.min(...values) && value <= Math.max(...values)) return null
  // In a row of means a column of counts has its total.
  if (!isRight && kind === 'mean' && fits('sum', terms, stated.quantity)) return null
  const figures = [...terms.map(term => asFigure(term, 'term')), asFigure(stated, 'result')]
  return { line, cell: stated.cell, figures, isRight }
}

/** The cells before a summary, up to the summary before it; none where one of them is not a plain figure. */
function termsOf(view: View, item: Axis, line: Axis): readonly Term[] {
  const before = view.items.slice(0, view.items.indexOf(item))
  const start = before.findLastIndex((one, i) => one.role === 'summary' && before[i + 1]?.role === 'value')
  const own = before.slice(start + 1).filter(({ role }) => role === 'value')
  const averaged = view.isTurned ? own.slice(firstAlike(view, own)) : own
  const terms = averaged.flatMap(one => termAt(view, one, line) ?? [])
  const isPlain = ({ cell, quantity }: Term): boolean => quantity.ends === null && cell.quantities.length === 1
  return terms.length === averaged.length && terms.every(isPlain) ? terms : []
}

const FEW_ROWS = 12

/** A column of sizes before those that are averaged is printed otherwise, in one row at least. */
function firstAlike(view: View, own: readonly Axis[]): number {
  const last = own.at(-1)
  const decimalsOf = (item: Axis, line: Axis): number | undefined => termAt(view, item, line)?.quantity.decimals
  const isOdd = (item: Axis): boolean =>
    last !== undefined && view.lines.slice(0, FEW_ROWS).some(line => decimalsOf(item, line) !== decimalsOf(last, line))
  const first = own.findLastIndex(isOdd) + 1
  return own.length - first > 1 ? first : 0
}

/** The relative change of two means is not the mean of the relative changes. */
function isRelative(view: View, item: Axis, { role }: Axis, { quantity: { unit } }: Term): boolean {
  if (unit === 'times') return true
  if (role !== 'difference' || unit !== '%') return false
  const sources = view.lines.filter(one => one.role === 'value')
  return !sources.every(one => termAt(view, item, one)?.quantity.unit === '%')
}

/** "Mean gain: +1.2 %", items under "average difference:", and a list of figures that ends with its total. */
function* inEntries(entries: readonly Entry[]): Generator<Assertion> {
  for (const [i, entry] of entries.entries()) {
    const { key, value, quantities, leads, table } = entry
    const [stated, more] = quantities
    if (stated === undefined || stated.from > 4 || /→|->/.test(value)) continue
    const [lead = ''] = leads
    const isListed = lead.length < 30 && stated.signed && more === undefined && has(lead, 'mean') && has(lead, 'change')
    const kind = kindOf(key) ?? (isListed ? 'mean' : null)
    const isChange = isListed || has(key, 'change', 'up', 'down', 'better', 'worse')
    const terms = kind === 'sum' ? partsBefore(entries, i, stated) : []
    // A row of a table of its own is no mean of the next table.
    const isBelow = isChange || (kind === 'mean' && table === null)
    // "Mean over steps 20-60": of some rows only.
    const isPart = /\d\s?[-–~到至]\s?\d/.test(key) || /\([^()]*\d/.test(value.slice(stated.to))
    if (kind === null || isPart || (!isBelow && terms.length === 0)) continue
    const manner = terms.length > 0 ? kind : `${kind} below${isChange ? ' change' : ''}`
    const figures = [...terms, entryFigure(entry, stated, 'result')]
    yield assertionInEntry(entry, relationOf(kind), { quantity: key, figures, manner })
  }
}

const MOST_PARTS = 12

/** The entries right before a total, where each is one figure of its unit; a sum that is far off counts something else. */
function partsBefore(entries: readonly Entry[], at: number, { unit, value }: Quantity): readonly Figure[] {
  const list = entries.slice(Math.max(0, at - MOST_PARTS), at).filter(({ section }) => section === entries[at].section)
  const parts = list.flatMap(entry => entry.quantities.map(one => entryFigure(entry, one, 'term')))
  const areAlike = unit !== null && parts.every(({ quantity }) => quantity.unit === unit)
  if (parts.length < 3 || parts.length !== list.length || !areAlike) return []
  return Math.abs(aggregated('sum', parts) / value - 1) > 0.3 ? [] : parts
}

/** "The mean is", 平均准确率为, "averages". */
const MEAN_IS = new RegExp(`${source('mean')}[^\\d,，;；。:：]{0,24}?(?:为|是|达|[:：=]| of| is| was| at)?\\s?$`, 'i')

const OTHERWISE = [
  'change',
  'up',
  'down',
  'better',
  'worse',
  'larger',
  'smaller',
  'maximum',
  'minimum',
  'best',
] as const

/** 合计 8,260 right below the table that it sums up. */
const TOTAL_IS = new RegExp(`^\\s*${source('total')}\\s?(?:为|是|[:：=]|of|is|was)?\\s?$`, 'i')
/** Of which some rows only. */
const SOME =
  /[前后][两二三四五六七八九十\d]|(?<![a-z])(?:first|last|top|other|remaining|rest)(?![a-z])|最[后近]|其余|[只仅][看算]|(?<![a-z])(?:only|excluding|without)(?![a-z])|除/i

/** "The mean of val is 45.9", "In total 42.0 hours." */
function* inClause(clause: Clause): Generator<Assertion> {
  const { statement, from, to, text } = clause
  if (statement.kind === 'cell' || !has(text, 'mean', 'total') || SOME.test(statement.text.slice(0, to))) return
  const [stated, more] = statement.quantities.filter(one => one.from >= from && one.to <= to)
  if (stated === undefined || more !== undefined || stated.signed) return
  const before = statement.text.slice(from, stated.from)
  const kind = TOTAL_IS.test(before) ? 'sum' : MEAN_IS.test(before) && !has(before, ...OTHERWISE) ? 'mean' : null
  const figures = [figureOf(statement, stated, 'result')]
  if (kind !== null)
    yield assertionIn(statement, relationOf(kind), clause, { figures, quantity: text, manner: `${kind} below` })
}

function check(assertion: Assertion, evidence: Evidence): Outcome {
  const { manner, stance, subjects, quantity, quote } = assertion
  const kind = ALL_KINDS.find(one => manner.startsWith(one))
  const result = figureAs(assertion, 'result')
  const isOpen = stance === 'planned' || stance === 'advised'
  if (kind === undefined || result === null || isOpen) return UNCHECKED
  if (manner.includes(' below')) return kindest(readingsBelow(assertion, kind, result, evidence), clauseOf(assertion))
  const terms = figuresAs(assertion, 'term')
  if (fits(kind, terms, result.quantity)) return confirmed(`${terms.length} figures`)
  if (terms.length < 2) return UNCHECKED
  return miss(result, kind, terms, subjects[0] ?? quantity ?? quote, manner.endsWith('unsure') ? 'warning' : 'error')
}

const MOST_SHOWN = 6

function miss(result: Figure, kind: Kind, terms: Terms, name: string, severity: 'error' | 'warning'): Outcome {
  const expected = asPrinted(aggregated(kind, terms), result.quantity)
  if (expected === result.text) return UNCHECKED
  const shown = terms.slice(0, MOST_SHOWN).map(({ quantity }) => quantity.value)
  const values = [...shown, ...(terms.length > MOST_SHOWN ? ['…'] : [])].join(', ')
  const message = say(`audit.wrong-${kind}`, { found: result.text, name, values, expected })
  return refute(KINDS[kind].rule, result.offset, message, { severity, isFix: true })
}

const FARTHEST = 4_000
const NEAREST = 3
const MOST_MEANT = 3

/** A line outside a table against the columns near by that it names, or against their differences. */
function* readingsBelow(assertion: Assertion, kind: Kind, result: Figure, evidence: Evidence): Generator<Reading> {
  const { offset, scope, quantity: key, manner } = assertion
  const { value, unit } = result.quantity
  const stated = sizeOf(statedRange(result.quantity))
  const isNear = ({ table }: Matrix): boolean =>
    table !== scope.table && isAround(table.section, scope.section) && Math.abs(table.offset - offset) < FARTHEST
  for (const matrix of evidence.near(offset).filter(isNear).slice(0, NEAREST)) {
    const lines = linesOfMatrix(matrix).filter(({ isColumn }) => isColumn)
    const changes = manner.endsWith('change') ? lines.filter(({ of }) => of.role === 'difference') : []
    const mentions = mentionsInText(key ?? '', matrix)
    // 平均停机概率 is no mean of a column called 概率.
    const isMeant = ({ from, to, isWhole }: Mention): boolean => isWhole || to - from >= 0.3 * (key?.length ?? 0)
    const names = mentions.filter(isMeant).flatMap(({ axes }) => axes)
    const named = (changes.length > 0 ? changes : lines).filter(({ of }) => names.includes(of))
    // One value of the line itself is not its mean, unless its row is named.
    const isOne = named.some(
      ({ of, points }) => kindOf(of.name) === null && points.some(({ quantity }) => quantity.value === value),
    )
    const isPrinted = prints(matrix, result.quantity) && (!isOne || mentions.some(({ isRow }) => isRow))
    const isElsewhere = evidence.holding(result.quantity).some(({ line }) => line.matrix !== matrix)
    if (isPrinted || isElsewhere || lines.some(({ points }) => meets(stated, sizeOf(rangeOf(kind, points)))))
      yield held('the table')
    // Right behind a table a total is that of the column whose sum it comes near.
    const isBehind = kind === 'sum' && matrix.table.section === scope.section && matrix.table.offset < offset
    const summed = isBehind ? lines.filter(({ points }) => Math.abs(aggregated(kind, points) / value - 1) < 0.15) : []
    const meant = named.length > 0 ? named : changes.length > 0 ? changes : summed
    const off = ({ points }: Line): number => Math.abs(Math.abs(aggregated(kind, points)) - Math.abs(value))
    const [best] = [...meant].sort((a, b) => off(a) - off(b))
    if (best === undefined || meant.length > MOST_MEANT || !isWholeTable(best)) continue
    const like = best.points[0]?.quantity.unit
    const isUnit = unit === like || (unit === 'points' && like === '%') || summed.includes(best)
    const isLike = best.points.length > 2 && isUnit
    if (isLike && isMisprint(value, aggregated(kind, best.points)))
      yield missed(1, () => miss(result, kind, best.points, key ?? '', 'warning'), best)
  }
}

/** Rows that are numbered begin with the first; a table of some of them says nothing about all. */
function isWholeTable({ matrix: { rows, table } }: Line): boolean {
  const isCut = table.rows.some(([cell]) => /^(?:\.{2,}|…|others?|其他|其余)/i.test(cell?.text ?? ''))
  const title = `${table.section?.title ?? ''} ${table.caption?.text.slice(-60) ?? ''}`
  const isPart = /top|sample|部分|recent|last|first|前|最近|示例|examples?|selected/i.test(title)
  return !isCut && !isPart && (rows[0]?.step ?? 0) <= 1
}

export const aggregate: Relation = { names: ['mean', 'count'], inTable, inEntries, inClause, check }

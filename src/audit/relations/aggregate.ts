import { type Axis, type Line, linesOfMatrix, type Matrix } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { exactly, type Range } from '../../stats/rounding.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted, isMisprint, meets, middle, sizeOf, statedRange } from '../arithmetic.js'
import { type Assertion, confirmed, type Figure, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import type { Entry } from '../entries.js'
import { type Evidence, isAround, isSizeName, prints } from '../evidence.js'
import { refute } from '../fault.js'
import { has, words } from '../lexicon.js'
import { clauseOf, mentionsInText } from '../mentions.js'
import { assertionInCell, assertionInEntry, cellFigure, entryFigure, figureAs, figuresAs } from '../read.js'
import { held, kindest, missed, type Reading } from '../reading.js'
import { reckoned } from './reckoned.js'
import { type Term, termAt, type View, viewsOf } from './view.js'

/**
 * Means, sums and extremes of cells. Those above a summary row and before a summary column are the terms of the
 * assertion; a line below a table that says "mean change: −2.1 %" is held against every column it may mean.
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
  min: { rule: 'own-extremum', named: /^(?:最[小低]|min(?:imum)?(?![a-z])|lowest|(?:最大|largest ).*(?:降|drop))/i },
  max: { rule: 'own-extremum', named: /^(?:最[大高]|max(?:imum)?(?![a-z])|highest|largest)/i },
} as const

type Kind = keyof typeof KINDS
const ALL_KINDS = ['mean', 'sum', 'min', 'max'] as const satisfies readonly Kind[]

const kindOf = (name: string): Kind | null => ALL_KINDS.find(kind => KINDS[kind].named.test(name.trim())) ?? null

/** Cells, or points of a line. */
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
    for (const item of view.items.filter(({ role }) => role === 'summary')) {
      const kind = kindOf(item.name)
      const cells = kind === null ? [] : view.lines.flatMap(line => summaryAt(view, item, line, kind) ?? [])
      const hasSizes = view.lines.some(({ name }) => isSizeName(name))
      for (const { cell, quantity, terms, isRight } of cells) {
        const isSure = cells.some(other => other.isRight && other.cell !== cell)
        // Of several cells none is what the name says: it is something else, such as a mean weighted by a column of sizes.
        const isOther = view.isTurned || cells.length > 1 || (kind === 'mean' && hasSizes)
        if (!isRight && !isSure && isOther) continue
        const figures = [...terms.map(term => cellFigure(term.cell, term.quantity, 'term')), cellFigure(cell, quantity)]
        yield assertionInCell(matrix, cell, 'aggregate', {
          subjects: [item.name],
          figures,
          manner: `${kind} ${isSure}`,
        })
      }
    }
  }
}

function summaryAt(view: View, item: Axis, line: Axis, kind: Kind) {
  const stated = termAt(view, item, line)
  const isFigure = line.role === 'value' || (!view.isTurned && (line.role === 'difference' || line.role === 'summary'))
  if (stated === null || !isFigure || stated.quantity.ends !== null || stated.cell.quantities.length > 2) return null
  const { value, unit } = stated.quantity
  const terms = termsOf(view, item, line)
  const isRight = fits(kind, terms, stated.quantity)
  // The total of a rate lies among its terms: it is no sum of them. In a row of means a column of counts has its total.
  const values = terms.map(({ quantity }) => quantity.value)
  const isAmong = value >= Math.min(...values) && value <= Math.max(...values)
  const isOther = kind === 'sum' ? isAmong : kind === 'mean' && fits('sum', terms, stated.quantity)
  // The relative change of two means is not the mean of the relative changes.
  const areShares = view.lines.every(one => one.role !== 'value' || termAt(view, item, one)?.quantity.unit === '%')
  const isRelative = unit === 'times' || (line.role === 'difference' && unit === '%' && !areShares)
  return !isRight && (isOther || isRelative) ? null : { ...stated, terms, isRight }
}

/** The cells before a summary, up to the summary before it; none where one of them is not a plain figure. */
function termsOf(view: View, item: Axis, line: Axis): readonly Term[] {
  const before = view.items.slice(0, view.items.indexOf(item))
  const start = before.findLastIndex((one, i) => one.role === 'summary' && before[i + 1]?.role === 'value')
  const own = before.slice(start + 1).filter(({ role, name }) => role === 'value' && !isSizeName(name))
  const terms = own.flatMap(one => termAt(view, one, line) ?? [])
  const isPlain = ({ cell, quantity }: Term): boolean => quantity.ends === null && cell.quantities.length === 1
  return terms.length === own.length && terms.every(isPlain) ? terms : []
}

/** "Mean gain: +1.2 %", and items under "average difference:". */
function* inEntries(entries: readonly Entry[]): Generator<Assertion> {
  for (const entry of entries) {
    const [lead = ''] = entry.leads
    const [stated, more] = entry.quantities
    if (stated === undefined || stated.from > 4 || more !== undefined) continue
    const isListed = lead.length < 30 && stated.signed && has(lead, 'mean') && has(lead, 'change')
    const kind = isListed ? 'mean' : kindOf(entry.key)
    const isChange = isListed || has(entry.key, 'change', 'up', 'down', 'better', 'worse')
    // A row of a table of its own is no mean of the next table.
    if (kind === null || !(isChange || (kind === 'mean' && entry.table === null))) continue
    const figures = [entryFigure(entry, stated, 'result')]
    const manner = `${kind} below ${isChange ? 'change' : 'level'}`
    yield assertionInEntry(entry, 'aggregate', { subjects: [entry.key], figures, manner })
  }
}

function check(assertion: Assertion, evidence: Evidence): Outcome {
  const { manner, stance } = assertion
  const kind = ALL_KINDS.find(one => manner.startsWith(one))
  const result = figureAs(assertion, 'result')
  if (kind === undefined || result === null || stance === 'planned' || stance === 'advised') return UNCHECKED
  if (manner.includes(' below')) return kindest(readingsBelow(assertion, kind, result, evidence), clauseOf(assertion))
  const terms = figuresAs(assertion, 'term')
  if (fits(kind, terms, result.quantity)) return confirmed(`${terms.length} figures`)
  return terms.length < 2 ? UNCHECKED : miss(assertion, result, kind, terms)
}

const MOST_SHOWN = 6

function miss({ manner, subjects: [name = ''] }: Assertion, result: Figure, kind: Kind, terms: Terms): Outcome {
  const expected = asPrinted(aggregated(kind, terms), result.quantity)
  if (expected === result.text) return UNCHECKED
  const shown = terms.slice(0, MOST_SHOWN).map(({ quantity }) => quantity.value)
  const values = [...shown, ...(terms.length > MOST_SHOWN ? ['…'] : [])].join(', ')
  const message = say(`audit.wrong-${kind}`, { found: result.text, name, values, expected })
  const severity = manner.endsWith('true') ? 'error' : 'warning'
  return refute(KINDS[kind].rule, result.offset, message, { severity, isFix: true })
}

const NEAREST = 3
/** A table of some rows says nothing about all. */
const PART = /top|sample|部分|recent|last|first|前|最近|示例|examples?|selected/i

/** A line outside a table against the columns near by that it names, or against the differences. */
function* readingsBelow(assertion: Assertion, kind: Kind, result: Figure, evidence: Evidence): Generator<Reading> {
  const {
    offset,
    scope,
    subjects: [key = ''],
    manner,
  } = assertion
  const { value, unit } = result.quantity
  const stated = sizeOf(statedRange(result.quantity))
  const isNear = ({ table }: Matrix): boolean => table !== scope.table && isAround(table.section, scope.section)
  const off = ({ points }: Line): number => Math.abs(Math.abs(aggregated(kind, points)) - Math.abs(value))
  for (const matrix of evidence.near(offset).filter(isNear).slice(0, NEAREST)) {
    const lines = linesOfMatrix(matrix).filter(({ isColumn }) => isColumn)
    if (prints(matrix, result.quantity) || lines.some(({ points }) => meets(stated, sizeOf(rangeOf(kind, points)))))
      yield held('the table')
    const changes = manner.endsWith('change') ? lines.filter(({ of }) => of.role === 'difference') : []
    const names = mentionsInText(key, matrix).flatMap(({ axes, isWhole }) => (isWhole ? axes : []))
    const named = (changes.length > 0 ? changes : lines).filter(({ of }) => names.includes(of))
    const [best] = [...(named.length > 0 ? named : changes)].sort((a, b) => off(a) - off(b))
    const isPart = PART.test(`${matrix.table.section?.title} ${matrix.table.caption?.text.slice(-60)}`)
    if (best === undefined || isPart || best.points.length < 3 || best.points[0].quantity.unit !== unit) continue
    if (isMisprint(value, aggregated(kind, best.points)))
      yield missed(1, () => miss(assertion, result, kind, best.points), best)
  }
}

export const aggregate: Relation = { names: ['aggregate'], inTable, inEntries, check }

import type { Cell } from '../../logs/document/document.js'
import { type Matrix, type MatrixAxis, mainQuantity } from '../../logs/document/matrix.js'
import type { Quantity } from '../../logs/document/quantity.js'
import { exactly, type NumberRange } from '../../stats/rounding.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted, combine, meets, middle, statedRange } from '../arithmetic.js'
import {
  type Assertion,
  type CheckOutcome,
  confirmed,
  type Relation,
  refute,
  type StatedFigure,
  UNCHECKED,
} from '../assertion.js'
import { isSizeName } from '../evidence.js'
import { assertionInCell, cellFigure } from '../extract.js'
import { words } from '../lexicon.js'

/** Rows and columns of a table that sum it up: means, sums and extremes of the cells above or before them. */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.wrong-mean': { en: '“{found}” ({name}): the mean of {values} is {expected}; write {expected}', zh: '“{found}”（{name}）：{values} 的平均是 {expected}；应写 {expected}' },
  'audit.wrong-sum': { en: '“{found}” ({name}): {values} add up to {expected}; write {expected}', zh: '“{found}”（{name}）：{values} 之和是 {expected}；应写 {expected}' },
  'audit.wrong-max': { en: '“{found}” ({name}): the greatest of {values} is {expected}; write {expected}', zh: '“{found}”（{name}）：{values} 中最大的是 {expected}；应写 {expected}' },
  'audit.wrong-min': { en: '“{found}” ({name}): the least of {values} is {expected}; write {expected}', zh: '“{found}”（{name}）：{values} 中最小的是 {expected}；应写 {expected}' },
})

const KINDS = {
  mean: { rule: 'wrong-mean', named: words('mean') },
  sum: { rule: 'wrong-sum', named: /^(?:.{0,4}(?:合计|总计)|总[和数]|小计|共计|total|sum|subtotal|all|overall)$/i },
  // The largest drop is the least of the changes.
  min: { rule: 'own-extremum', named: /^(?:最[小低]|min(?:imum)?(?![a-z])|lowest|(?:最大|largest ).*(?:降|drop))/i },
  max: { rule: 'own-extremum', named: /^(?:最[大高]|max(?:imum)?(?![a-z])|highest|largest)/i },
} as const

export type SummaryKind = keyof typeof KINDS
const KINDS_OF_SUMMARY = ['mean', 'sum', 'min', 'max'] as const satisfies readonly SummaryKind[]

export const summaryKindOf = (name: string): SummaryKind | null =>
  KINDS_OF_SUMMARY.find(kind => KINDS[kind].named.test(name.trim())) ?? null

/** Cells, or points of a line. */
type Terms = readonly { readonly quantity: Quantity }[]

export function summaryRange(kind: SummaryKind, terms: Terms): NumberRange {
  const quantities = terms.map(({ quantity }) => quantity)
  return kind === 'max' || kind === 'min'
    ? exactly(Math[kind](...quantities.map(({ value }) => value)))
    : (combine(kind, quantities) ?? exactly(quantities[0]?.value ?? 0))
}

function fits(kind: SummaryKind, terms: Terms, stated: Quantity): boolean {
  return terms.length > 1 && meets(statedRange(stated), summaryRange(kind, terms))
}

/** Rows and columns that sum the others up. Where another cell of the line is what its name says, the name is meant. */
function* inTable(matrix: Matrix): Generator<Assertion> {
  for (const view of viewsOf(matrix).filter(({ isTurned }) => (isTurned ? matrix.alongRows : matrix.alongColumns))) {
    for (const item of view.items.filter(({ role }) => role === 'summary')) {
      const kind = summaryKindOf(item.name)
      const cells = kind === null ? [] : view.lines.flatMap(line => summaryAt(view, item, line, kind) ?? [])
      for (const { cell, quantity, terms, isRight } of cells) {
        const isSure = cells.some(other => other.isRight && other.cell !== cell)
        // Of several cells none is what the name says: it is something else, such as a mean weighted by a column of sizes.
        const isOther =
          view.isTurned || cells.length > 1 || (kind === 'mean' && view.lines.some(one => isSizeName(one.name)))
        if (!isRight && !isSure && isOther) continue
        const figures = [...terms.map(term => cellFigure(term.cell, term.quantity, 'term')), cellFigure(cell, quantity)]
        const manner = `${kind} ${isSure ? 'sure' : ''}`
        yield assertionInCell(matrix, cell, 'aggregate', { subjects: [item.name], figures, manner })
      }
    }
  }
}

function summaryAt(view: View, item: MatrixAxis, line: MatrixAxis, kind: SummaryKind) {
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
function termsOf(view: View, item: MatrixAxis, line: MatrixAxis): readonly Term[] {
  const before = view.items.slice(0, view.items.indexOf(item))
  const start = before.findLastIndex((one, i) => one.role === 'summary' && before[i + 1]?.role === 'value')
  const own = before.slice(start + 1).filter(({ role, name }) => role === 'value' && !isSizeName(name))
  const terms = own.flatMap(one => termAt(view, one, line) ?? [])
  const isPlain = ({ cell, quantity }: Term): boolean => quantity.ends === null && cell.quantities.length === 1
  return terms.length === own.length && terms.every(isPlain) ? terms : []
}

function check({ manner, figures, subjects: [name = ''] }: Assertion): CheckOutcome {
  const kind = KINDS_OF_SUMMARY.find(one => manner.startsWith(one))
  const [terms, result] = [figures.slice(0, -1), figures.at(-1)]
  if (kind === undefined || result === undefined || terms.length < 2) return UNCHECKED
  if (fits(kind, terms, result.quantity)) return confirmed(`${terms.length} figures`)
  return refuteSummary(kind, result, terms, name, manner.endsWith('sure'))
}

const MOST_SHOWN = 6

/** That figures have another mean, sum or extreme. */
export function refuteSummary(
  kind: SummaryKind,
  result: StatedFigure,
  terms: Terms,
  name: string,
  isSure: boolean,
): CheckOutcome {
  const expected = asPrinted(middle(summaryRange(kind, terms)), result.quantity)
  if (expected === result.text) return UNCHECKED
  const shown = terms.slice(0, MOST_SHOWN).map(({ quantity }) => quantity.value)
  const values = [...shown, ...(terms.length > MOST_SHOWN ? ['…'] : [])].join(', ')
  const message = say(`audit.wrong-${kind}`, { found: result.text, name, values, expected })
  return refute(KINDS[kind].rule, result.offset, message, { severity: isSure ? 'error' : 'warning', isFix: true })
}

export const aggregate: Relation = { names: ['aggregate'], inTable, check }

/**
 * A table seen so that its lines are columns: as it stands, and turned on its side. What follows from other cells (means,
 * differences) is then solved once for both.
 */
export interface View {
  readonly matrix: Matrix
  readonly isTurned: boolean
  readonly lines: readonly MatrixAxis[]
  readonly items: readonly MatrixAxis[]
  readonly cellAt: (item: MatrixAxis, line: MatrixAxis) => Cell | undefined
}

export function viewsOf(matrix: Matrix): readonly [upright: View, turned: View] {
  const { table, rows, columns } = matrix
  const things = columns.slice(1)
  return [
    { matrix, isTurned: false, lines: things, items: rows, cellAt: (i, j) => table.rows[i.index]?.[j.index] },
    { matrix, isTurned: true, lines: rows, items: things, cellAt: (i, j) => table.rows[j.index]?.[i.index] },
  ]
}

/** A cell and the number that it is about. */
export interface Term {
  readonly cell: Cell
  readonly quantity: Quantity
}

export function termAt({ cellAt }: View, item: MatrixAxis, line: MatrixAxis): Term | null {
  const cell = cellAt(item, line)
  const quantity = cell?.pending === false ? mainQuantity(cell) : null
  return cell === undefined || quantity === null ? null : { cell, quantity }
}

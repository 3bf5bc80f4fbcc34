import type { Table } from '../../document/document.js'
import { type Line, linesOfMatrix, type Matrix, matrixOf, valueAt } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import type { Range } from '../../stats/rounding.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted, isMisprint, meets, sizeOf, statedRange } from '../arithmetic.js'
import { type Assertion, confirmed, type Figure, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import type { Entry } from '../entries.js'
import { type Evidence, isAround, prints } from '../evidence.js'
import { refute } from '../fault.js'
import { has, source } from '../lexicon.js'
import { type Clause, mentionsInText } from '../mentions.js'
import { assertionIn, assertionInCell, assertionInEntry, cellFigure, entryFigure, figureAs, figureOf } from '../read.js'

/**
 * What sums a table up: rows and columns of means and totals inside it, and lines below it that say "on average −2.1 %",
 * "largest gain +3.0 %", "improved: 5 of 12". They are solved against the table they stand in, or the one they follow.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.wrong-mean': { en: '“{found}” ({name}): the mean of {values} is {expected}; write {expected}', zh: '“{found}”（{name}）：{values} 的平均是 {expected}；应写 {expected}' },
  'audit.wrong-sum': { en: '“{found}” ({name}): {values} add up to {expected}; write {expected}', zh: '“{found}”（{name}）：{values} 之和是 {expected}；应写 {expected}' },
  'audit.summary-extremum': { en: '“{found}” ({name}): the {which} of column “{column}” is {expected}; write {expected}', zh: '“{found}”（{name}）：“{column}”一列的{which}是 {expected}；应写 {expected}' },
  'audit.count-mismatch': { en: '“{found}” ({name}): column “{column}” has {expected} such rows of {total}; write {expected}', zh: '“{found}”（{name}）：“{column}”一列共 {total} 行，其中有 {expected} 行；应写 {expected}' },
})

type Kind = 'mean' | 'sum' | 'max' | 'min' | 'rises' | 'falls' | 'ties'

function kindOfName(name: string): Kind | null {
  if (/提升.*数|improved|wins?(?![a-z])|上升.*数|increased/i.test(name) && has(name, 'up', 'better')) return 'rises'
  if (/下降.*数|退化.*数|worse|decreased|dropped|regressed/i.test(name)) return 'falls'
  if (/持平.*数|不变.*数|equal|unchanged|tied/i.test(name)) return 'ties'
  if (has(name, 'mean')) return 'mean'
  if (/^(?:合计|总计|总和|小计|total|sum|subtotal)$/i.test(name.trim())) return 'sum'
  if (/^(?:最大|最高)|^max(?:imum)?(?![a-z])|^(?:largest|biggest|highest)/i.test(name))
    return /下降|降幅|drop|decrease|fall|loss/i.test(name) ? 'min' : 'max'
  return /^(?:最小|最低)|^min(?:imum)?(?![a-z])|^(?:smallest|lowest)/i.test(name) ? 'min' : null
}

/** "Mean gain: +1.2 %", "improved: 5/12", and items under "average difference:". */
function* inEntries(entries: readonly Entry[]): Generator<Assertion> {
  for (const entry of entries) {
    const { key, value, quantities, leads } = entry
    const [stated, second] = quantities
    const [lead = ''] = leads
    const isListed =
      lead.length < 30 && has(lead, 'mean') && has(lead, 'change') && quantities.length === 1 && stated?.signed === true
    const kind = kindOfName(key) ?? (isListed ? 'mean' : null)
    if (kind === null || stated === undefined || stated.from > 4 || quantities.length > 4 || /→|->/.test(value))
      continue
    const isChange = isListed || has(key, 'change', 'up', 'down', 'better', 'worse')
    if (!isChange && (kind === 'sum' || kind === 'max' || kind === 'min')) continue
    // The n of "7/16".
    const isPart = second !== undefined && /^\s?\/\s?$/.test(value.slice(stated.to, second.from))
    const whole = isPart ? [entryFigure(entry, second, 'whole')] : []
    yield assertionInEntry(entry, kind === 'mean' ? 'mean' : 'count', {
      quantity: key,
      figures: [entryFigure(entry, stated, 'result'), ...whole],
      manner: `below ${kind}${isChange ? ' change' : ''}`,
    })
  }
}

/** "The mean is", 平均准确率为, "averages". */
const MEAN_IS = new RegExp(`${source('mean')}[^\\d,，;；。:：]{0,24}?(?:为|是|达|[:：=]| of| is| was| at)?\\s?$`, 'i')

/** "The mean of val is 45.9". */
function* inClause(clause: Clause): Generator<Assertion> {
  const { statement, from, to, text } = clause
  if (statement.kind === 'cell' || !has(text, 'mean')) return
  const [stated, more] = statement.quantities.filter(one => one.from >= from && one.to <= to)
  if (stated === undefined || more !== undefined || stated.signed) return
  const before = statement.text.slice(from, stated.from)
  if (!MEAN_IS.test(before) || has(before, 'change', 'up', 'down', 'better', 'worse', 'larger', 'smaller')) return
  const figures = [figureOf(statement, stated, 'result')]
  yield assertionIn(statement, 'mean', clause, { figures, quantity: text, manner: 'below mean' })
}

function* inTable(matrix: Matrix): Generator<Assertion> {
  const { rows, columns, alongColumns, alongRows } = matrix
  const isFigure = (role: string): boolean => role === 'value' || role === 'difference' || role === 'summary'
  for (const row of alongColumns ? rows.filter(({ role }) => role === 'summary') : [])
    for (const column of columns.filter(({ role }) => isFigure(role)))
      yield* cellAssertion(matrix, row.index, column.index, row.name, 'row')
  for (const column of alongRows ? columns.filter(({ role }) => role === 'summary') : [])
    for (const row of rows.filter(({ role }) => role === 'value'))
      yield* cellAssertion(matrix, row.index, column.index, column.name, 'column')
}

function* cellAssertion(matrix: Matrix, row: number, column: number, name: string, axis: string): Generator<Assertion> {
  const cell = matrix.table.rows[row]?.[column]
  const [stated, kind] = [valueAt(matrix, row, column), kindOfName(name)]
  if (cell === undefined || stated === null || kind === null || cell.quantities.length > 2 || stated.ends !== null)
    return
  yield assertionInCell(matrix, cell, kind === 'mean' ? 'mean' : 'count', {
    subjects: [name],
    quantity: matrix.table.header[column]?.text ?? null,
    figures: [cellFigure(cell, stated)],
    manner: `${axis} ${kind} ${row} ${column}`,
  })
}

const KINDS: readonly string[] = ['mean', 'sum', 'max', 'min', 'rises', 'falls', 'ties'] satisfies readonly Kind[]
const isKind = (text: string): text is Kind => KINDS.includes(text)

function check(assertion: Assertion, evidence: Evidence): Outcome {
  const [axis = '', kind = '', row, column] = assertion.manner.split(' ')
  const figure = figureAs(assertion, 'result')
  if (figure === null || !isKind(kind)) return UNCHECKED
  if (axis === 'below') return checkBelow(assertion, figure, evidence, kind)
  const matrix = assertion.scope.table === null ? undefined : matrixOf(assertion.scope.table)
  if (matrix === undefined) return UNCHECKED
  const [i, j] = [Number(row), Number(column)]
  const valuesAt = (at: number): readonly Quantity[] =>
    axis === 'row' ? columnValues(matrix, i, at) : rowValues(matrix, at, j)
  const values = valuesAt(axis === 'row' ? j : i)
  if (values.length < 2 || (axis === 'row' && isRelative(matrix, j, figure.quantity))) return UNCHECKED
  const readings = [values, ...(axis === 'row' ? weighted(matrix, i, j) : [])]
  if (readings.some(list => fits(kind, list, figure.quantity))) return confirmed(`${values.length} cells`)
  // Where some other cell of the same line obeys, that is what the line says it is.
  const others = axis === 'row' ? matrix.columns : matrix.rows
  const isSure = others.some(other => {
    if (other.index === (axis === 'row' ? j : i) || other.role === 'label' || other.role === 'remark') return false
    const stated = axis === 'row' ? valueAt(matrix, i, other.index) : valueAt(matrix, other.index, j)
    return stated !== null && fits(kind, valuesAt(other.index), stated)
  })
  if (axis === 'column' && !isSure) return UNCHECKED
  return miss(figure, kind, values, { name: assertion.subjects[0] ?? '', column: assertion.quantity ?? '', isSure })
}

/** The relative change of two means is not the mean of the relative changes. */
function isRelative({ columns, table }: Matrix, column: number, { unit }: Quantity): boolean {
  if (columns[column]?.role !== 'difference' || (unit !== '%' && unit !== 'times')) return false
  const sources = columns.filter(({ role, index }) => role === 'value' && index > 0)
  return (
    unit === 'times' || !sources.every(({ index }) => table.rows.some(row => row[index]?.quantities[0]?.unit === '%'))
  )
}

interface Place {
  readonly name: string
  readonly column: string
  readonly isSure: boolean
}

function miss({ quantity, text, offset }: Figure, kind: Kind, values: readonly Quantity[], place: Place): Outcome {
  const expected = asPrinted(exactValue(kind, values), quantity)
  if (expected === text) return UNCHECKED
  const shown = `${values.slice(0, 6).map(({ value }) => value)}`.replaceAll(',', ', ')
  const params = { found: text, name: place.name, values: shown + (values.length > 6 ? ', …' : ''), expected }
  const more = { severity: place.isSure ? 'error' : 'warning', isFix: true } as const
  if (kind === 'mean') return refute('wrong-mean', offset, say('audit.wrong-mean', params), more)
  if (kind === 'sum') return refute('wrong-sum', offset, say('audit.wrong-sum', params), more)
  const { name, column } = place
  const which = kind === 'max' ? '↑' : '↓'
  return refute(
    'own-extremum',
    offset,
    say('audit.summary-extremum', { found: text, name, which, column, expected }),
    more,
  )
}

/** The cells above a summary, up to the summary before it. */
function columnValues(matrix: Matrix, row: number, column: number): readonly Quantity[] {
  const found: Quantity[] = []
  for (let at = row - 1; at >= 0; at -= 1) {
    const role = matrix.rows[at]?.role
    if (role === 'summary' && found.length > 0) break
    if (role !== 'value') continue
    const quantity = valueAt(matrix, at, column)
    if (quantity === null || quantity.ends !== null || (matrix.table.rows[at]?.[column]?.quantities.length ?? 0) > 1)
      return []
    found.push(quantity)
  }
  return found
}

function rowValues(matrix: Matrix, row: number, column: number): readonly Quantity[] {
  return matrix.columns
    .filter(({ role, index }) => role === 'value' && index !== column)
    .flatMap(({ index }) => valueAt(matrix, row, index) ?? [])
}

const COUNTS = /^(?:n|count|samples?|size|#|数量|样本数?|题数|次数|total)$/i

/** A mean may be weighted by a column of counts: each value as often as its share of a hundred. */
function weighted(matrix: Matrix, row: number, column: number): readonly (readonly Quantity[])[] {
  const counts = matrix.columns.filter(({ name, index }) => index !== column && COUNTS.test(name.trim()))
  return counts.flatMap(({ index }) => {
    const total = totalOf(matrix.table, index)
    const list = matrix.rows.slice(0, row).flatMap(({ role, index: at }) => {
      const [value, count] = [valueAt(matrix, at, column), valueAt(matrix, at, index)]
      if (role !== 'value' || value === null || count === null || count.value > 1e6) return []
      return Array.from({ length: Math.max(0, Math.round((count.value * 100) / Math.max(1, total))) }, () => value)
    })
    return list.length > 1 ? [list] : []
  })
}

function totalOf(table: Table, column: number): number {
  return table.rows.reduce((sum, row) => sum + Math.max(0, row[column]?.quantities[0]?.value ?? 0), 0)
}

function exactValue(kind: Kind, values: readonly Quantity[]): number {
  const numbers = values.map(({ value }) => value)
  const sum = numbers.reduce((total, value) => total + value, 0)
  if (kind === 'sum') return sum
  if (kind === 'max') return Math.max(...numbers)
  return kind === 'min' ? Math.min(...numbers) : sum / numbers.length
}

/** The range of a summary. Rounding errors of many cells cancel out: two standard deviations of them are enough. */
function computed(kind: Kind, values: readonly Quantity[]): Range {
  const value = exactValue(kind, values)
  const spread = 1.155 * Math.hypot(...values.map(({ range }) => (range.high - range.low) / 2))
  const slack = kind === 'mean' ? spread / values.length : kind === 'sum' ? spread : 0
  return { low: value - slack, high: value + slack }
}

function fits(kind: Kind, values: readonly Quantity[], stated: Quantity): boolean {
  return values.length > 1 && meets(statedRange(stated), computed(kind, values))
}

/** "The mean of the six": of all that the table has. */
const OF_ALL = new RegExp(
  `${source('all')}|[两三四五六七八九十\\d]\\s?[个组项种条]|(?:mean|average) (?:of|over|across)(?![a-z])`,
  'i',
)
const FARTHEST = 4_000
const NEAREST = 3

/** A line outside a table against the lines near by that it names, or against their differences. */
function checkBelow(assertion: Assertion, figure: Figure, evidence: Evidence, kind: Kind): Outcome {
  const { offset, stance, scope, quantity: key, manner } = assertion
  if (stance === 'planned' || stance === 'advised') return UNCHECKED
  const isNear = ({ table }: Matrix): boolean =>
    table !== scope.table && isAround(table.section, scope.section) && Math.abs(table.offset - offset) < FARTHEST
  const near = evidence.near(offset).filter(isNear).slice(0, NEAREST)
  const isChange = manner.endsWith('change')
  if (kind === 'rises' || kind === 'falls' || kind === 'ties') {
    const above = near.find(({ table }) => table.offset < offset)
    return above === undefined ? UNCHECKED : checkCount(assertion, figure, kind, changesIn(above))
  }
  const stated = figure.quantity
  const sizes = ({ points }: Line): readonly Quantity[] => points.map(({ quantity }) => quantity)
  let missed: Line | null = null
  for (const matrix of near) {
    const lines = linesOfMatrix(matrix).filter(({ isColumn }) => isColumn)
    const changes = changesIn(matrix)
    const named = mentionsInText(key ?? '', matrix).filter(({ isRow, axes }) => !isRow && axes.length === 1)
    const pool = isChange && changes.length > 0 ? changes : lines
    const byName = pool.filter(({ of }) => named.some(({ axes }) => axes.includes(of)))
    // One value of the line itself is not its mean.
    const isOne = byName.some(({ points }) => points.some(({ quantity }) => quantity.value === stated.value))
    const isOwn = byName.some(({ of }) => of.role === 'summary') || has(byName[0]?.of.name ?? '', 'mean')
    const isPrinted = prints(matrix, stated) && (kind !== 'mean' || !isOne || isOwn || !OF_ALL.test(key ?? ''))
    if (lines.some(line => fitsSize(kind, sizes(line), stated)) || isPrinted) return confirmed('the table')
    const candidates = byName.length > 0 ? byName : isChange ? changes : []
    const off = (one: Line): number => Math.abs(Math.abs(exactValue(kind, sizes(one))) - Math.abs(stated.value))
    const [best] = [...candidates].sort((a, b) => off(a) - off(b))
    if (best !== undefined && candidates.length <= 3 && isWholeTable(best)) missed ??= best
  }
  if (missed === null) return UNCHECKED
  const values = sizes(missed)
  const isLike = stated.unit === values[0]?.unit || (stated.unit === 'points' && values[0]?.unit === '%')
  if (values.length < 3 || !isLike || !isMisprint(stated.value, exactValue(kind, values))) return UNCHECKED
  return miss(figure, kind, values, { name: key ?? '', column: missed.of.name, isSure: false })
}

function changesIn(matrix: Matrix): readonly Line[] {
  return linesOfMatrix(matrix).filter(({ isColumn, of }) => isColumn && of.role === 'difference')
}

/** Rows that are numbered begin with the first; a table of some of them says nothing about all. */
function isWholeTable({ matrix: { rows, table } }: Line): boolean {
  const isCut = table.rows.some(([cell]) => /^(?:\.{2,}|…|others?|其他|其余)/i.test(cell?.text ?? ''))
  const title = `${table.section?.title ?? ''} ${table.caption?.text.slice(-60) ?? ''}`
  const isPart = /top|sample|部分|recent|last|first|前|最近|示例|examples?|selected/i.test(title)
  return !isCut && !isPart && (rows[0]?.step ?? 0) <= 1
}

function fitsSize(kind: Kind, values: readonly Quantity[], stated: Quantity): boolean {
  if (values.length < 2) return false
  return fits(kind, values, stated) || meets(sizeOf(statedRange(stated)), sizeOf(computed(kind, values)))
}

const COUNTED = {
  rises: (value: number): boolean => value > 0,
  falls: (value: number): boolean => value < 0,
  ties: (value: number): boolean => value === 0,
} as const

/** "Improved: 5/12" against the signs of a column of differences with twelve rows. */
function checkCount(assertion: Assertion, figure: Figure, kind: keyof typeof COUNTED, lines: readonly Line[]): Outcome {
  const whole = figureAs(assertion, 'whole')?.quantity.value
  const fitting = lines.filter(({ points }) => points.length === whole)
  const [line] = fitting
  if (line === undefined) return UNCHECKED
  const countIn = ({ points }: Line): number => points.filter(({ quantity }) => COUNTED[kind](quantity.value)).length
  const matching = fitting.filter(one => countIn(one) === figure.quantity.value)
  if (matching.some(one => calledLevel(one, kind) === 0)) return confirmed('the table above')
  const [called] = matching
  const level = called === undefined ? 0 : calledLevel(called, kind)
  const count = countIn(called ?? line) + (kind === 'ties' ? level : -level)
  const params = { found: figure.text, name: assertion.quantity ?? '', column: line.of.name, total: line.points.length }
  return refute('count-mismatch', figure.offset, say('audit.count-mismatch', { ...params, expected: count }), {
    severity: called === undefined ? 'error' : 'warning',
    isFix: true,
  })
}

/** Rows that the table's own remarks call level, though their difference is not zero. */
function calledLevel({ matrix, points }: Line, kind: keyof typeof COUNTED): number {
  const remarks = matrix.columns.filter(({ role }) => role === 'remark')
  return points.filter(({ at, quantity: { value } }) => {
    if (kind === 'ties' ? value === 0 : !COUNTED[kind](value)) return false
    return remarks.some(({ index }) => has(matrix.table.rows[at.index]?.[index]?.text ?? '', 'same'))
  }).length
}

export const summary: Relation = { names: ['mean', 'count'], inTable, inEntries, inClause, check }

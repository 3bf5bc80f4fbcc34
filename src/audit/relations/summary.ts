import type { Statement, Table } from '../../document/document.js'
import { type Line, linesOfMatrix, type Matrix, mainQuantity, matrixOf } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import type { Range } from '../../stats/rounding.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted, isMisprint, meets, sizeOf, statedRange } from '../arithmetic.js'
import { type Assertion, confirmed, type Outcome, type Relation, refuted, UNCHECKED } from '../assertion.js'
import { type Entry, entriesOf } from '../entries.js'
import { type Evidence, isAround } from '../evidence.js'
import { fault } from '../fault.js'
import { has, source } from '../lexicon.js'
import { clausesOf, mentionsInText } from '../mentions.js'
import { assertionIn, figureOf } from '../read.js'
import { stanceOf } from '../stance.js'

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
  if (/^(?:最小|最低)|^min(?:imum)?(?![a-z])|^(?:smallest|lowest)/i.test(name)) return 'min'
  return null
}

function* read(evidence: Evidence): Generator<Assertion> {
  for (const matrix of evidence.matrices) yield* inTable(matrix)
  for (const statement of evidence.document.statements)
    if (statement.kind !== 'cell' && statement.kind !== 'code' && has(statement.text, 'mean'))
      yield* inSentences(statement)
  for (const entry of entriesOf(evidence)) {
    const kind = kindOfName(entry.key) ?? (isMeanList(entry) ? 'mean' : null)
    const [stated] = entry.quantities
    if (kind === null || stated === undefined || stated.from > 4 || entry.quantities.length > 4) continue
    if (/→|->/.test(entry.value)) continue
    const isChange = isMeanList(entry) || has(entry.key, 'change', 'up', 'down', 'better', 'worse')
    if (kind === 'sum' || kind === 'max' || kind === 'min' ? !isChange : false) continue
    yield {
      relation: kind === 'mean' ? 'mean' : 'count',
      stance: entry.statement === null ? 'said' : stanceOf(entry.statement, 0, entry.statement.text.length),
      quote: `${entry.key}: ${entry.value}`,
      offset: entry.offset,
      subjects: [],
      quantity: entry.key,
      figures: [
        { role: 'result', quantity: stated, offset: entry.offset, text: entry.value.slice(stated.from, stated.to) },
        ...wholeOf(entry),
      ],
      sense: null,
      scope: { section: entry.section, table: entry.table, steps: null, statement: entry.statement, stretch: null },
      manner: `below ${kind}${isChange ? ' change' : ''}`,
    }
  }
}

/** Items under "average difference:". */
function isMeanList({ leads: [lead = ''], quantities }: Entry): boolean {
  return (
    lead.length < 30 &&
    has(lead, 'mean') &&
    has(lead, 'change') &&
    quantities.length === 1 &&
    quantities[0]?.signed === true
  )
}

/** The n of "7/16". */
function wholeOf({ quantities, value, offset }: Entry): Assertion['figures'] {
  const [part, whole] = quantities
  if (part === undefined || whole === undefined || !/^\s?\/\s?$/.test(value.slice(part.to, whole.from))) return []
  return [{ role: 'whole', quantity: whole, offset, text: value.slice(whole.from, whole.to) }]
}

const MEAN_IS = new RegExp(`${source('mean')}(?:为|是|[:：=]| of| is| was)?\\s?$`, 'i')

/** "The mean of val is 45.9". */
function* inSentences(statement: Statement): Generator<Assertion> {
  for (const { from, to, text } of clausesOf(statement)) {
    const inside = statement.quantities.filter(one => one.from >= from && one.to <= to)
    const [stated] = inside
    if (
      stated === undefined ||
      inside.length !== 1 ||
      stated.signed ||
      !MEAN_IS.test(statement.text.slice(from, stated.from))
    )
      continue
    const figures = [figureOf(statement, stated, 'result')]
    yield assertionIn(statement, 'mean', { from, to, figures, quantity: text, manner: 'below mean' })
  }
}

function* inTable(matrix: Matrix): Generator<Assertion> {
  const { table, rows, columns, alongColumns, alongRows } = matrix
  for (const row of alongColumns ? rows : []) {
    if (row.role !== 'summary') continue
    for (const column of columns) {
      if (column.role !== 'value' && column.role !== 'difference' && column.role !== 'summary') continue
      yield* cellAssertion(table, row.index, column.index, row.name, 'row')
    }
  }
  for (const column of alongRows ? columns : []) {
    if (column.role !== 'summary') continue
    for (const row of rows)
      if (row.role === 'value') yield* cellAssertion(table, row.index, column.index, column.name, 'column')
  }
}

function* cellAssertion(table: Table, row: number, column: number, name: string, axis: string): Generator<Assertion> {
  const cell = table.rows[row]?.[column]
  const stated = cell === undefined || cell.pending ? null : mainQuantity(cell)
  const kind = kindOfName(name)
  if (cell === undefined || stated === null || kind === null || cell.quantities.length > 2 || stated.ends !== null)
    return
  yield {
    relation: kind === 'mean' ? 'mean' : 'count',
    stance: 'said',
    quote: cell.text,
    offset: cell.offset,
    subjects: [name],
    quantity: table.header[column]?.text ?? null,
    figures: [{ role: 'result', quantity: stated, offset: cell.offset, text: cell.text.slice(stated.from, stated.to) }],
    sense: null,
    scope: { section: table.section, table, steps: null, statement: null, stretch: null },
    manner: `${axis} ${kind} ${row} ${column}`,
  }
}

function check(assertion: Assertion, evidence: Evidence): Outcome {
  const [, axis = '', kind = '', row = '', column = ''] =
    /^(\w+) (\w+)(?: (\d+) (\d+)| change)?$/.exec(assertion.manner) ?? []
  const [figure] = assertion.figures
  if (figure === undefined || !isKind(kind)) return UNCHECKED
  if (axis === 'below') return checkBelow(assertion, evidence, kind)
  const matrix = assertion.scope.table === null ? undefined : matrixOf(assertion.scope.table)
  if (matrix === undefined) return UNCHECKED
  const values =
    axis === 'row' ? columnValues(matrix, Number(row), Number(column)) : rowValues(matrix, Number(row), Number(column))
  if (values.length < 2) return UNCHECKED
  const readings = [values, ...weighted(matrix, Number(row), Number(column), axis)]
  if (readings.some(list => computed(kind, list).some(range => meets(statedRange(figure.quantity), range)))) {
    return confirmed(`${values.length} cells`)
  }
  const isSure =
    axis === 'row'
      ? someOtherFits(matrix, Number(row), Number(column), kind)
      : someRowFits(matrix, Number(row), Number(column), kind)
  if (axis === 'column' && !isSure) return UNCHECKED
  const exact = exactValue(kind, values)
  return judgeMiss(assertion, figure, kind, values, exact, isSure, assertion.subjects[0] ?? '')
}

function judgeMiss(
  assertion: Assertion,
  figure: Assertion['figures'][number],
  kind: Kind,
  values: readonly Quantity[],
  exact: number,
  isSure: boolean,
  name: string,
): Outcome {
  const expected = asPrinted(exact, figure.quantity)
  if (expected === figure.text) return UNCHECKED
  const shown =
    values
      .slice(0, 6)
      .map(({ value }) => String(value))
      .join(', ') + (values.length > 6 ? ', …' : '')
  const key = kind === 'mean' ? 'audit.wrong-mean' : kind === 'sum' ? 'audit.wrong-sum' : 'audit.summary-extremum'
  const message =
    key === 'audit.summary-extremum'
      ? say(key, {
          found: figure.text,
          name,
          which: kind === 'max' ? '↑' : '↓',
          column: assertion.quantity ?? '',
          expected,
        })
      : say(key, { found: figure.text, name, values: shown, expected })
  return refuted(
    fault(kind === 'mean' ? 'wrong-mean' : kind === 'sum' ? 'wrong-sum' : 'own-extremum', figure.offset, message, {
      severity: isSure ? 'error' : 'warning',
      found: figure.text,
      expected,
      isFix: true,
    }),
  )
}

function isKind(text: string): text is Kind {
  return ['mean', 'sum', 'max', 'min', 'rises', 'falls', 'ties'].includes(text)
}

/** The cells above a summary, up to the summary before it. */
function columnValues({ table, rows }: Matrix, row: number, column: number): readonly Quantity[] {
  const found: Quantity[] = []
  for (let at = row - 1; at >= 0; at -= 1) {
    if (rows[at]?.role === 'summary') {
      if (found.length > 0) break
      continue
    }
    if (rows[at]?.role !== 'value') continue
    const cell = table.rows[at]?.[column]
    const quantity = cell === undefined || cell.pending ? null : mainQuantity(cell)
    if (quantity === null || quantity.ends !== null || (cell?.quantities.length ?? 0) > 1) return []
    found.push(quantity)
  }
  return found
}

function rowValues({ table, columns }: Matrix, row: number, column: number): readonly Quantity[] {
  return columns.flatMap(axis => {
    const cell = table.rows[row]?.[axis.index]
    const quantity =
      axis.role !== 'value' || axis.index === column || cell === undefined || cell.pending ? null : mainQuantity(cell)
    return quantity === null ? [] : [quantity]
  })
}

/** A mean may be weighted by a column of counts. */
function weighted(
  { table, columns, rows }: Matrix,
  row: number,
  column: number,
  axis: string,
): readonly (readonly Quantity[])[] {
  if (axis !== 'row') return []
  const counts = columns.filter(
    ({ name, index }) =>
      index !== column && /^(?:n|count|samples?|size|#|数量|样本数?|题数|次数|total)$/i.test(name.trim()),
  )
  return counts.flatMap(({ index }) => {
    const list: Quantity[] = []
    for (let at = 0; at < row; at += 1) {
      const [value, count] = [table.rows[at]?.[column], table.rows[at]?.[index]].map(cell =>
        cell === undefined ? null : mainQuantity(cell),
      )
      if (rows[at]?.role !== 'value' || value == null || count == null || count.value > 1e6) continue
      const times = Math.round((count.value * 100) / Math.max(1, totalOf(table, index)))
      for (let i = 0; i < times; i += 1) list.push(value)
    }
    return list.length > 1 ? [list] : []
  })
}

function totalOf(table: Table, column: number): number {
  return table.rows.reduce((sum, row) => sum + (row[column]?.quantities[0]?.value ?? 0), 0)
}

function exactValue(kind: Kind, values: readonly Quantity[]): number {
  const numbers = values.map(({ value }) => value)
  const sum = numbers.reduce((total, value) => total + value, 0)
  if (kind === 'sum') return sum
  if (kind === 'max') return Math.max(...numbers)
  if (kind === 'min') return Math.min(...numbers)
  return sum / numbers.length
}

/** The range of a summary. Rounding errors of many cells cancel out: two standard deviations of them are enough. */
function computed(kind: Kind, values: readonly Quantity[]): readonly Range[] {
  const value = exactValue(kind, values)
  const halves = values.map(({ range }) => (range.high - range.low) / 2)
  const spread = 1.155 * Math.hypot(...halves)
  if (kind === 'mean') return [{ low: value - spread / values.length, high: value + spread / values.length }]
  if (kind === 'sum') return [{ low: value - spread, high: value + spread }]
  return [{ low: value, high: value }]
}

/** A column of totals or means is one where some other row obeys. */
function someRowFits(matrix: Matrix, row: number, column: number, kind: Kind): boolean {
  return matrix.rows.some(({ index }) => {
    const cell = matrix.table.rows[index]?.[column]
    const stated = index === row || cell === undefined ? null : mainQuantity(cell)
    const values = rowValues(matrix, index, column)
    return (
      stated !== null && values.length > 1 && computed(kind, values).some(range => meets(statedRange(stated), range))
    )
  })
}

function someOtherFits(matrix: Matrix, row: number, column: number, kind: Kind): boolean {
  return matrix.columns.some(axis => {
    if (axis.index === column || axis.role === 'label' || axis.role === 'remark') return false
    const cell = matrix.table.rows[row]?.[axis.index]
    const stated = cell === undefined ? null : mainQuantity(cell)
    const values = columnValues(matrix, row, axis.index)
    return (
      stated !== null && values.length > 1 && computed(kind, values).some(range => meets(statedRange(stated), range))
    )
  })
}

/** A line outside a table against the lines near by that it names, or against their differences. */
function checkBelow(assertion: Assertion, evidence: Evidence, kind: Kind): Outcome {
  const [figure] = assertion.figures
  if (figure === undefined || assertion.stance === 'planned' || assertion.stance === 'advised') return UNCHECKED
  const { section, table: own } = assertion.scope
  const near = evidence
    .near(assertion.offset)
    .filter(
      ({ table }) =>
        table !== own && isAround(table.section, section) && Math.abs(table.offset - assertion.offset) < FARTHEST,
    )
    .slice(0, NEAREST)
  if (kind === 'rises' || kind === 'falls' || kind === 'ties') {
    const [above] = near.filter(({ table }) => table.offset < assertion.offset)
    const changes =
      above === undefined ? [] : linesOfMatrix(above).filter(({ isColumn, of }) => isColumn && of.role === 'difference')
    return changes.length === 0 ? UNCHECKED : checkCount(assertion, figure, kind, changes)
  }
  const key = assertion.quantity ?? ''
  const isChange = assertion.manner.endsWith('change')
  const stated = figure.quantity
  const sizes = (line: Line): readonly Quantity[] => line.points.map(({ quantity }) => quantity)
  let miss: Line | null = null
  for (const matrix of near) {
    const lines = linesOfMatrix(matrix).filter(line => line.isColumn)
    if (lines.some(line => fitsLine(kind, sizes(line), stated)) || isPrinted(matrix, stated))
      return confirmed('the table')
    const changes = lines.filter(({ of }) => of.role === 'difference')
    const named = mentionsInText(key, matrix).filter(({ isRow, axes }) => !isRow && axes.length === 1)
    const pool = isChange && changes.length > 0 ? changes : lines
    const byName = pool.filter(({ of }) => named.some(({ axes }) => axes.includes(of)))
    const candidates = byName.length > 0 ? byName : isChange ? changes : []
    const off = (one: Line): number => Math.abs(Math.abs(exactValue(kind, sizes(one))) - Math.abs(stated.value))
    const [best] = [...candidates].sort((a, b) => off(a) - off(b))
    if (best !== undefined && candidates.length <= 3 && isWholeTable(best)) miss ??= best
  }
  if (miss === null) return UNCHECKED
  const values = sizes(miss)
  const isLike = stated.unit === values[0]?.unit || (stated.unit === 'points' && values[0]?.unit === '%')
  if (values.length < 3 || !isLike || !isMisprint(stated.value, exactValue(kind, values))) return UNCHECKED
  return judgeMiss({ ...assertion, quantity: miss.of.name }, figure, kind, values, exactValue(kind, values), false, key)
}

const NEAREST = 3

function isPrinted({ table }: Matrix, { value }: Quantity): boolean {
  return table.rows.some(row => row.some(({ quantities }) => quantities.some(one => one.value === value)))
}

/** Rows that are numbered begin with the first; a table of some of them says nothing about all. */
function isWholeTable({ matrix: { rows, table } }: Line): boolean {
  const [first] = rows
  const isCut = table.rows.some(([cell]) => /^(?:\.{2,}|…|others?|其他|其余)/i.test(cell?.text ?? ''))
  const title = `${table.section?.title ?? ''} ${table.caption?.text.slice(-60) ?? ''}`
  return (
    !isCut &&
    !/top|sample|部分|recent|last|first|前|最近|示例|examples?|selected/i.test(title) &&
    (first?.step ?? 0) <= 1
  )
}

function fitsLine(kind: Kind, values: readonly Quantity[], stated: Quantity): boolean {
  if (values.length < 2) return false
  const size = sizeOf(statedRange(stated))
  return computed(kind, values).some(range => meets(statedRange(stated), range) || meets(size, sizeOf(range)))
}

/** Rows that the table's own remarks call level, though their difference is not zero. */
function calledLevel({ matrix, points }: Line, kind: 'rises' | 'falls' | 'ties'): number {
  const remarks = matrix.columns.filter(({ role }) => role === 'remark')
  return points.filter(({ at, quantity: { value } }) => {
    if (kind === 'rises' ? value <= 0 : kind === 'falls' ? value >= 0 : value === 0) return false
    return remarks.some(({ index }) => has(matrix.table.rows[at.index]?.[index]?.text ?? '', 'same'))
  }).length
}

function checkCount(
  assertion: Assertion,
  figure: Assertion['figures'][number],
  kind: 'rises' | 'falls' | 'ties',
  lines: readonly Line[],
): Outcome {
  const whole = assertion.figures.find(({ role }) => role === 'whole')?.quantity.value ?? null
  const fitting = lines.filter(({ points }) => whole === null || points.length === whole)
  const [line] = fitting
  if (line === undefined || whole === null) return UNCHECKED
  const countIn = ({ points }: Line): number =>
    points.filter(({ quantity: { value } }) =>
      kind === 'rises' ? value > 0 : kind === 'falls' ? value < 0 : value === 0,
    ).length
  const level = (one: Line): number => calledLevel(one, kind)
  const matching = fitting.filter(one => countIn(one) === figure.quantity.value)
  if (matching.some(one => level(one) === 0)) return confirmed('the table above')
  const [called] = matching
  const count =
    called === undefined ? countIn(line) : countIn(called) + (kind === 'ties' ? level(called) : -level(called))
  return refuted(
    fault(
      'count-mismatch',
      figure.offset,
      say('audit.count-mismatch', {
        found: figure.text,
        name: assertion.quantity ?? '',
        column: line.of.name,
        expected: count,
        total: line.points.length,
      }),
      { severity: called === undefined ? 'error' : 'warning', expected: String(count), isFix: true },
    ),
  )
}

const FARTHEST = 4_000

export const mean: Relation = { name: 'mean', read, check }
export const count: Relation = { name: 'count', read: () => [], check }

import { type Axis, type Matrix, valueAt } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted, meets, statedRange } from '../arithmetic.js'
import type { Fault, Rule } from '../assertion.js'
import { type Entry, entriesOf } from '../entries.js'
import type { Evidence } from '../evidence.js'
import { fault } from '../fault.js'

/**
 * Marks that contradict what they stand on: an arrow against the sign beside it, bold on a figure that is not the best of
 * its row where bold marks the best elsewhere, a total that its parts do not make.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.arrow-contradicted': { en: '“{found}” in row “{row}”: the arrow contradicts the sign, unlike in {count} other cells of the column', zh: '“{row}”行的“{found}”：箭头与正负号相反，而同列其余 {count} 格一致' },
  'audit.bold-not-best': { en: '“{found}” in row “{row}” is bold, but {owner} has {expected}; in {count} other rows bold marks the best', zh: '“{row}”行加粗的是“{found}”，而 {owner} 是 {expected}；其余 {count} 行加粗的都是最优值' },
  'audit.wrong-total': { en: '“{key}: {found}”: the {count} figures above add up to {expected}; write {expected}', zh: '“{key}: {found}”：上面 {count} 个数之和是 {expected}；应写 {expected}' },
})

function* check(evidence: Evidence): Generator<Fault> {
  for (const matrix of evidence.matrices) {
    yield* arrows(matrix, evidence.document.text)
    yield* bold(matrix)
  }
  yield* totals(entriesOf(evidence))
}

const FEWEST_USUAL = 3

/** Arrows follow the sign everywhere in the table but here. */
function* arrows({ table, columns, rows }: Matrix, text: string): Generator<Fault> {
  const marked = columns.flatMap(({ index, role }) =>
    role !== 'difference'
      ? []
      : rows.flatMap(row => {
          const cell = table.rows[row.index]?.[index]
          const [quantity] = cell?.quantities ?? []
          const next = table.rows[row.index]?.[index + 1]?.offset ?? (cell?.offset ?? 0) + 40
          const raw =
            cell === undefined ? '' : (text.slice(cell.offset, Math.min(next, cell.offset + 60)).split('|')[0] ?? '')
          const arrow = /⬆|↑|🔺|📈/u.test(raw) ? 1 : /⬇|↓|🔻|📉/u.test(raw) ? -1 : 0
          return cell === undefined || quantity === undefined || !quantity.signed || quantity.value === 0 || arrow === 0
            ? []
            : [{ cell, row, agrees: Math.sign(quantity.value) === arrow }]
        }),
  )
  const wrong = marked.filter(({ agrees }) => !agrees)
  const right = marked.length - wrong.length
  const isAlone = wrong.length === 1 && marked.length === 1
  if (wrong.length === 0 || (!isAlone && (right < FEWEST_USUAL || wrong.length > right / 3))) return
  for (const { cell, row } of wrong) {
    yield fault(
      'arrow-contradicted',
      cell.offset,
      say('audit.arrow-contradicted', { found: cell.text, row: row.name, count: right }),
    )
  }
}

/** One bold figure a row, and mostly the greatest one. */
function* bold(matrix: Matrix): Generator<Fault> {
  const { table, columns, rows, alongRows } = matrix
  const values = columns.filter(({ role, index }) => role === 'value' && index > 0)
  if (!alongRows || values.length < 3 || rows.length < FEWEST_USUAL || rows.length > 60) return
  const marked = rows.flatMap(row => {
    const cells = values.flatMap(column => {
      const [cell, quantity] = [table.rows[row.index]?.[column.index], valueAt(matrix, row.index, column.index)]
      return cell === undefined || quantity === null ? [] : [{ cell, quantity, column }]
    })
    const bolds = cells.filter(({ cell }) => cell.bold)
    const [only] = bolds
    const top = cells.reduce(
      (best, one) => (best === null || one.quantity.value > best.quantity.value ? one : best),
      cells[0] ?? null,
    )
    return only === undefined || bolds.length !== 1 || top === null || cells.length < 3
      ? []
      : [{ row, only, top, isBest: isBestOf(only, cells) }]
  })
  const wrong = marked.filter(({ isBest }) => !isBest)
  const usual = marked.length - wrong.length
  if (usual < FEWEST_USUAL || wrong.length > usual / 2) return
  for (const { row, only, top } of wrong) {
    yield fault(
      'bold-not-best',
      only.cell.offset,
      say('audit.bold-not-best', {
        found: only.cell.text,
        row: row.name,
        owner: top.column.name,
        expected: top.cell.text,
        count: usual,
      }),
      { also: [top.cell.offset] },
    )
  }
}

const BASELINE = /baseline|基线|对照|之前|旧|old|before|原/i

/** The best of all, or of all but what it is set against. */
function isBestOf(
  { quantity }: { readonly quantity: Quantity },
  cells: readonly { readonly quantity: Quantity; readonly column: Axis }[],
): boolean {
  const rivals = [cells, cells.filter(({ column }) => !BASELINE.test(column.name))]
  return rivals.some(list => list.every(one => one.quantity.value <= quantity.value))
}

const TOTAL = /^(?:total|sum|合计|总计|总和|共计)$/i

/** A list of figures that ends with its total, or hangs below a line that gives it. */
function* totals(entries: readonly Entry[]): Generator<Fault> {
  for (const [i, entry] of entries.entries()) {
    const [stated] = entry.quantities
    if (stated === undefined) continue
    if (stated.from <= 3 && TOTAL.test(entry.key.trim())) yield* total(entry, above(entries, i, 12))
    const children = entries
      .slice(i + 1, i + 9)
      .filter(({ leads: [lead], section }) => lead === entry.statement?.text && section === entry.section)
    if (children.length > 1) yield* ofChildren(entry, stated, children)
  }
}

/** "60 questions: 20 of this kind, 20 of that, 20 of the third", in counts of one unit. */
function* ofChildren(entry: Entry, stated: Quantity, children: readonly Entry[]): Generator<Fault> {
  const counts = children.flatMap(({ quantities: [first, more] }) =>
    first === undefined || more !== undefined ? [] : [first],
  )
  const isCount = ({ unit, decimals, signed, ends }: Quantity): boolean =>
    (unit === 'other' || unit === 'sample') && decimals === 0 && !signed && ends === null
  if (counts.length !== children.length || ![stated, ...counts].every(isCount) || stated.hedge !== null) return
  const sum = counts.reduce((all, { value }) => all + value, 0)
  if (sum === stated.value || Math.abs(sum / stated.value - 1) > 0.5) return
  const found = entry.value.slice(stated.from, stated.to)
  const params = { key: entry.key, found, count: counts.length, expected: String(sum) }
  yield fault('wrong-sum', entry.offset, say('audit.wrong-total', params), {
    severity: 'warning',
    also: children.map(({ offset }) => offset),
  })
}

/** The entries right before one, in the same list. */
function above(entries: readonly Entry[], at: number, most: number): readonly Entry[] {
  const own = entries[at]
  const found: Entry[] = []
  for (let i = at - 1; i >= 0 && found.length < most; i -= 1) {
    const entry = entries[i]
    if (entry === undefined || own === undefined || entry.section !== own.section || own.offset - entry.offset > 900)
      break
    found.unshift(entry)
  }
  return found
}

function* total(entry: Entry, parts: readonly Entry[]): Generator<Fault> {
  const [stated] = entry.quantities
  const figures = parts.flatMap(({ quantities: [first, more] }) =>
    first !== undefined && more === undefined && first.from <= 2 && first.unit === stated?.unit ? [first] : [],
  )
  if (stated === undefined || figures.length < 3 || figures.length !== parts.length || stated.unit === null) return
  const sum = figures.reduce((all, { value }) => all + value, 0)
  const half = figures.reduce((all, { range }) => all + (range.high - range.low) / 2, 0)
  if (meets(statedRange(stated), { low: sum - half, high: sum + half })) return
  // A total that is far off counts something else.
  if (Math.abs(sum / stated.value - 1) > 0.3) return
  const expected = asPrinted(sum, stated)
  const found = entry.value.slice(stated.from, stated.to)
  yield fault(
    'wrong-sum',
    entry.offset,
    say('audit.wrong-total', { key: entry.key, found, count: figures.length, expected }),
  )
}

export const marks: Rule = { check }

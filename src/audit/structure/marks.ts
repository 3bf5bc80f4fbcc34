import { type Matrix, type Point, valueAt } from '../../document/matrix.js'
import { sentences } from '../../text/sentences.js'
import type { Fault, Rule } from '../assertion.js'
import { type Evidence, topOf } from '../evidence.js'
import { fault } from '../fault.js'

/**
 * Marks that contradict what they stand on: an arrow against the sign beside it, bold on a figure that is not the best of
 * its row. Both are held against their author only where the table shows that he means it so elsewhere.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.arrow-contradicted': { en: '“{found}” in row “{row}”: the arrow contradicts the sign, unlike in {count} other cells of the column', zh: '“{row}”行的“{found}”：箭头与正负号相反，而同列其余 {count} 格一致' },
  'audit.bold-not-best': { en: '“{found}” in row “{row}” is bold, but {owner} has {expected}; in {count} other rows bold marks the best', zh: '“{row}”行加粗的是“{found}”，而 {owner} 是 {expected}；其余 {count} 行加粗的都是最优值' },
})

function* check({ matrices, document }: Evidence): Generator<Fault> {
  for (const matrix of matrices) {
    yield* arrows(matrix, document.text)
    yield* bold(matrix)
  }
}

interface Mark extends Point {
  readonly isRight: boolean
}

const FEWEST_USUAL = 3
const LONGEST_CELL = 60

/** Arrows follow the sign everywhere in the table but here; marks are no part of a cell's text. */
function* arrows({ table, columns, rows }: Matrix, text: string): Generator<Fault> {
  const differences = columns.filter(({ role }) => role === 'difference')
  const marks = differences.flatMap(({ index }) =>
    rows.flatMap((at): Mark[] => {
      const cell = table.rows[at.index]?.[index]
      const [quantity] = cell?.quantities ?? []
      if (cell === undefined || quantity === undefined || !quantity.signed || quantity.value === 0) return []
      const [raw = ''] = text.slice(cell.offset, cell.offset + LONGEST_CELL).split(/[|\n]/)
      const arrow = /⬆|↑|🔺|📈/u.test(raw) ? 1 : /⬇|↓|🔻|📉/u.test(raw) ? -1 : 0
      return arrow === 0 ? [] : [{ at, cell, quantity, isRight: Math.sign(quantity.value) === arrow }]
    }),
  )
  const wrong = marks.filter(({ isRight }) => !isRight)
  const count = marks.length - wrong.length
  if (marks.length > 1 && (count < FEWEST_USUAL || wrong.length > count / 3)) return
  for (const { at, cell } of wrong) {
    const params = { found: cell.text, row: at.name, count }
    yield fault('arrow-contradicted', cell.offset, say('audit.arrow-contradicted', params))
  }
}

const BASELINE = /baseline|基线|对照|之前|旧|old|before|原/i
const MOST_ROWS = 60

/** One bold figure a row, and mostly the greatest one: of all, or of all but what they are set against. */
function* bold(matrix: Matrix): Generator<Fault> {
  const { table, columns, rows, alongRows } = matrix
  const values = columns.filter(({ role, index }) => role === 'value' && index > 0)
  if (!alongRows || values.length < 3 || rows.length < FEWEST_USUAL || rows.length > MOST_ROWS) return
  const marked = rows.flatMap(({ name, index }) => {
    const points = values.flatMap((at): Point[] => {
      const [cell, quantity] = [table.rows[index]?.[at.index], valueAt(matrix, index, at.index)]
      return cell === undefined || quantity === null ? [] : [{ at, cell, quantity }]
    })
    const [only, more] = points.filter(({ cell }) => cell.bold)
    const top = topOf(points, 'max')
    if (only === undefined || more !== undefined || top === null || points.length < 3) return []
    const rival = topOf(
      points.filter(({ at }) => !BASELINE.test(at.name)),
      'max',
    )
    const isBest = [top, rival].some(best => best !== null && best.quantity.value <= only.quantity.value)
    return [{ name, only, top, isBest }]
  })
  const wrong = marked.filter(({ isBest }) => !isBest)
  const count = marked.length - wrong.length
  if (count < FEWEST_USUAL || wrong.length > count / 2) return
  for (const { name, only, top } of wrong) {
    const params = { found: only.cell.text, row: name, owner: top.at.name, expected: top.cell.text, count }
    yield fault('bold-not-best', only.cell.offset, say('audit.bold-not-best', params), { also: [top.cell.offset] })
  }
}

export const marks: Rule = { check }

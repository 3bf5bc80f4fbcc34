import { lineOf, linesOfMatrix, type Matrix } from '../../document/matrix.js'
import { sentences } from '../../text/sentences.js'
import type { Fault } from '../assertion.js'
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

export function* marks({ matrices, document }: Evidence): Generator<Fault> {
  for (const matrix of matrices) {
    yield* arrows(matrix, document.text)
    yield* bold(matrix)
  }
}

const FEWEST_USUAL = 3
const LONGEST_CELL = 60

/** Arrows follow the sign everywhere in the table but here; marks are no part of a cell's text. */
function* arrows(matrix: Matrix, text: string): Generator<Fault> {
  const differences = matrix.columns.filter(({ role }) => role === 'difference')
  const points = differences.flatMap(column => lineOf(matrix, column, true, matrix.rows).points)
  const marked = points.flatMap(({ at, cell, quantity: { value, signed } }) => {
    const [raw] = text.slice(cell.offset, cell.offset + LONGEST_CELL).split(/[|\n]/, 1)
    const arrow = /⬆|↑|🔺|📈/u.test(raw) ? 1 : /⬇|↓|🔻|📉/u.test(raw) ? -1 : 0
    return !signed || value * arrow === 0 ? [] : [{ cell, row: at.name, isRight: value * arrow > 0 }]
  })
  const wrong = marked.filter(({ isRight }) => !isRight)
  const count = marked.length - wrong.length
  if (marked.length > 1 && (count < FEWEST_USUAL || wrong.length > count / 3)) return
  for (const { cell, row } of wrong)
    yield fault('arrow-contradicted', cell.offset, say('audit.arrow-contradicted', { found: cell.text, row, count }))
}

const BASELINE = /baseline|基线|对照|之前|旧|old|before|原/i

/** One bold figure a row, and mostly the greatest one of all but what they are set against. */
function* bold(matrix: Matrix): Generator<Fault> {
  const rows = linesOfMatrix(matrix).filter(({ isColumn, points }) => !isColumn && points.length > 2)
  const marked = rows.flatMap(({ of, points }) => {
    const [only, more] = points.filter(({ cell }) => cell.bold)
    const rivals = points.filter(({ at }) => !BASELINE.test(at.name))
    const best = topOf(rivals, 'max')
    return only === undefined || more !== undefined || best === null ? [] : [{ row: of.name, only, best }]
  })
  const wrong = marked.filter(({ only, best }) => only.quantity.value < best.quantity.value)
  const count = marked.length - wrong.length
  if (count < FEWEST_USUAL || wrong.length > count / 2) return
  for (const { row, only, best } of wrong) {
    const params = { found: only.cell.text, row, owner: best.at.name, expected: best.cell.text, count }
    yield fault('bold-not-best', only.cell.offset, say('audit.bold-not-best', params), { also: [best.cell.offset] })
  }
}

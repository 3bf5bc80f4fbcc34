import { type Line, lineOf, linesOfMatrix, type Matrix } from '../../document/matrix.js'
import { sentences } from '../../text/sentences.js'
import type { Fault } from '../assertion.js'
import { type Evidence, significantDigits } from '../evidence.js'
import { fault } from '../fault.js'

/**
 * Lines of measurements that agree digit by digit although they bear different names: two settings, two checkpoints, two
 * runs; in one table also rows whose names have nothing in common. A table that restates another under the same name is
 * none; nor are lines of settings or of few digits.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.identical-rows': { en: '“{name}” has the very figures of “{other}” (line {line}): {found}; check first that different checkpoints were measured', zh: '“{name}”与“{other}”（第 {line} 行）的数字完全相同：{found}；先确认测的不是同一个 checkpoint' },
})

/** Where more lines agree, the first few make the point. */
const MOST_TOLD = 3
const MOST_SHOWN = 4
/** So many digits do not meet by chance, nor so many different figures. */
const FEWEST_DIGITS = 8
const FEWEST_FIGURES = 3
/** "61.5 =" says itself that it is the same; so may a remark. */
const SAID_SAME = /=|[(（]见|同[上左前]|相同|一致|重合|(?<![a-z])(?:same|see|identical|duplicates?|tied?)(?![a-z])/i

export function* copied({ matrices, document }: Evidence): Generator<Fault> {
  const known = new Map<string, Line[]>()
  const copies = matrices.flatMap(linesIn).flatMap(line => {
    const { of, points, matrix } = line
    const key = points.map(({ at, quantity }) => `${bare(at.name)} ${quantity.value}`).join(' ')
    const equal = known.get(key) ?? []
    known.set(key, [...equal, line])
    const cells = [...points.map(({ cell }) => cell), ...(line.isColumn ? [] : matrix.table.rows[of.index])]
    const twin = cells.some(({ text }) => SAID_SAME.test(text)) ? undefined : equal.find(one => areTwins(one, line))
    return twin === undefined ? [] : [{ line, twin }]
  })
  for (const { line, twin } of copies.slice(0, MOST_TOLD)) {
    const [here, there] = [line, twin].map(one => one.points.map(({ cell }) => cell.offset))
    const found = line.points.slice(0, MOST_SHOWN).map(({ cell }) => cell.text)
    const params = { name: line.of.name, other: twin.of.name, line: document.placeOf(there[0]).line }
    const message = say('audit.identical-rows', { ...params, found: found.join(', ') })
    yield fault('identical-rows', here[0], message, { also: [...here, ...there] })
  }
}

/** Whatever they are called, two rows of one table differ somewhere; other lines must be of one kind. */
function areTwins(one: Line, other: Line): boolean {
  const isOne = one.matrix === other.matrix
  if (isOne && !one.isColumn && !other.isColumn) return true
  const [a, b] = [one.of.name, other.of.name]
  // "Before" in one table may be "score" in the one before it; "alpha 0.12" is not "alpha 0.18".
  return areSiblings(a, b) && (isOne || (/\d/.test(a) && /\d/.test(b)))
}

/** Columns whose values can be compared, and rows: they may agree whatever their cells are. */
function linesIn(matrix: Matrix): readonly Line[] {
  const figures = matrix.columns.filter(({ role }) => role === 'value' || role === 'difference')
  const columns = linesOfMatrix(matrix).filter(({ isColumn, of }) => isColumn && of.role === 'value')
  return [...columns, ...matrix.rows.map(row => lineOf(matrix, row, false, figures))].filter(isTelling)
}

/** None and all are no figures to differ in, and a course may stand still for a step. */
function isTelling({ of, points }: Line): boolean {
  const own = points.filter(
    ({ at, quantity: { value } }) => value % 100 !== 0 && (of.step === null || at.role === 'value'),
  )
  const digits = new Map(own.map(({ quantity }) => [quantity.value, significantDigits(quantity)]))
  return digits.size >= FEWEST_FIGURES && [...digits.values()].reduce((sum, count) => sum + count, 0) >= FEWEST_DIGITS
}

/**
 * Two settings or checkpoints of one kind: "alpha 0.12" and "alpha 0.18". "Baseline" and "Baseline (old)" are one thing
 * restated, and names with nothing in common may be two names of one thing.
 */
function areSiblings(a: string, b: string): boolean {
  const [x, y] = [bare(a), bare(b)]
  if (x.includes(y) || y.includes(x)) return false
  return /^\d+$/.test(x + y) || x.slice(0, 2) === y.slice(0, 2) || x.slice(-2) === y.slice(-2)
}

export function bare(name: string): string {
  const outside = name.toLowerCase().replace(/[(（[].*?[)）\]]/g, '')
  return outside.replace(/[^\p{L}\p{N}]/gu, '')
}

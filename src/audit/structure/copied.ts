import { type Line, linesOfMatrix, type Matrix, type Point } from '../../document/matrix.js'
import { isMetricName } from '../../document/metric-name.js'
import { sentences } from '../../text/sentences.js'
import type { Fault, Rule } from '../assertion.js'
import { type Evidence, significantDigits } from '../evidence.js'
import { fault } from '../fault.js'

/**
 * Lines of measurements that agree digit by digit although they bear different names: two settings, two checkpoints, two
 * runs. A table that restates another under the same name is none; nor are lines of settings or of few digits.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.identical-rows': { en: '“{name}” has the very figures of “{other}” (line {line}): {values}; check first that different checkpoints were measured', zh: '“{name}”与“{other}”（第 {line} 行）的数字完全相同：{values}；先确认测的不是同一个 checkpoint' },
  'audit.copied-cells': { en: 'row “{name}” repeats {values} of row “{other}” to the last digit while its other values differ: copied?', zh: '“{name}”行的 {values} 与“{other}”行逐位相同，而其余数值不同：是不是复制来的？' },
})

/** Where more lines agree, the first few make the point. */
const MOST_TOLD = 3
const FEWEST_EQUAL = 3
const MOST_SHOWN = 4
const MOST_ROWS = 400

function* check(evidence: Evidence): Generator<Fault> {
  yield* identicalLines(evidence)
  for (const matrix of evidence.matrices) yield* copiedRows(matrix)
}

/** Lines of any two tables, over points of the same names; rows also where their cells are different quantities. */
function* identicalLines({ matrices, document }: Evidence): Generator<Fault> {
  const seen = new Map<string, Line>()
  let told = 0
  for (const line of matrices.filter(({ isSettings }) => !isSettings).flatMap(linesIn)) {
    const { points, of } = line
    const long = points.filter(({ quantity }) => significantDigits(quantity) >= 3)
    const distinct = new Set(long.map(({ quantity }) => quantity.value)).size
    if (of.role !== 'value' || long.length < points.length * 0.75 || distinct < FEWEST_EQUAL) continue
    const key = points.map(({ at, quantity }) => `${bare(at.name)} ${quantity.value}`).join(' ')
    const first = seen.get(key) ?? line
    seen.set(key, first)
    const [name, other] = [nameOf(line), nameOf(first)]
    if (first === line || told >= MOST_TOLD || !areSiblings(other, name)) continue
    told += 1
    const also = [...points, ...first.points].map(({ cell }) => cell.offset)
    const params = { name, other, line: document.placeOf(offsetOf(first.points)).line, values: shown(points) }
    yield fault('identical-rows', offsetOf(points), say('audit.identical-rows', params), { found: params.values, also })
  }
}

const offsetOf = ([first]: readonly Point[]): number => first?.cell.offset ?? 0
const textOf = ({ cell }: Point): string => cell.text
const shown = (points: readonly Point[]): string => points.slice(0, MOST_SHOWN).map(textOf).join(', ')

function linesIn(matrix: Matrix): readonly Line[] {
  const rows = matrix.alongRows || matrix.rows.length > MOST_ROWS ? [] : matrix.rows
  const turned = rows.map(of => ({ matrix, of, isColumn: false, points: pointsIn(matrix, of.index) }))
  return [...linesOfMatrix(matrix), ...turned]
}

const nameOf = ({ of, matrix }: Line): string => of.name || (matrix.table.section?.title ?? '')

/**
 * Two settings or checkpoints of one kind: "alpha 0.12" and "alpha 0.18". "Baseline" and "Baseline (old)" are one thing
 * restated, and names with nothing in common may be two names of one thing.
 */
function areSiblings(a: string, b: string): boolean {
  const [x, y] = [bare(a), bare(b)]
  if (x === '' || y === '' || x.includes(y) || y.includes(x) || /@/.test(a + b)) return false
  if ((/^[\d.]+$/.test(x) && /^[\d.]+$/.test(y)) || Math.max(x.length, y.length) < 3) return true
  const shared = sharedStart([...x], [...y]) + sharedStart([...x].reverse(), [...y].reverse())
  return shared >= 0.4 * Math.min(x.length, y.length)
}

function sharedStart(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((letter, i) => letter !== b[i])
  return at < 0 ? a.length : at
}

function bare(name: string): string {
  return name
    .toLowerCase()
    .replace(/[(（[].*?[)）\]]/g, '')
    .replace(/(?:vs|对比|相对).*$/, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
}

/** So many digits of a row that repeats another throughout: they do not meet by chance. */
const FEWEST_DIGITS = 8

/**
 * Two rows of one table that agree throughout, or in long figures while others differ. Only figures that no third row
 * has count: where several have one, the column is coarse, or it is a property of them all.
 */
function* copiedRows(matrix: Matrix): Generator<Fault> {
  const { rows, isSettings } = matrix
  if (isSettings || rows.length > MOST_ROWS || rows.some(({ keys }) => keys.length > 1)) return
  const points = rows.map(({ index }) => pointsIn(matrix, index))
  for (const [[i, j], rare] of sharedByTwo(points)) {
    const [earlier = [], later = []] = [points[i], points[j]]
    const values = new Map(earlier.map(({ cell, quantity }) => [cell.column, quantity.value]))
    const both = later.filter(({ cell }) => values.has(cell.column))
    const differing = both.filter(({ cell, quantity }) => values.get(cell.column) !== quantity.value)
    const isPart = differing.some(isLong) && rare.every(isLong) && rare.length === both.length - differing.length
    const digits = rare.reduce((sum, { quantity }) => sum + significantDigits(quantity), 0)
    const [name, other] = [rows[j]?.name ?? '', rows[i]?.name ?? '']
    // A count and its share, or two metrics of one thing, agree by themselves.
    const isBound = (isMetricName(name) && !/\d/.test(name)) || isCountWithShare(rare)
    // "61.5 =": the author says so.
    const isSaid = rare.some(({ cell }) => cell.text.includes('='))
    const isWhole = !isSaid && differing.length === 0 && !isBound && digits >= FEWEST_DIGITS && areSiblings(name, other)
    if ((!isPart && !isWhole) || new Set(rare.map(({ quantity }) => quantity.value)).size < 2) continue
    const params = { name, other, values: shown(rare) }
    const more = { found: params.values, also: [offsetOf(earlier)] }
    yield fault('copied-cells', offsetOf(rare), say('audit.copied-cells', params), more)
  }
}

function isCountWithShare([a, b, more]: readonly Point[]): boolean {
  return more === undefined && a?.quantity.unit !== b?.quantity.unit
}

type Shared = readonly [rows: readonly [number, number], points: Point[]]

/** For each two rows the figures that they have in common, and no other row has; the only one of a column is its own. */
function sharedByTwo(rows: readonly (readonly Point[])[]): Iterable<Shared> {
  const values = new Map<number, Map<number, number[]>>()
  const shared = new Map<string, Shared>()
  for (const [row, points] of rows.entries())
    for (const { cell, quantity } of points) {
      const column = values.get(cell.column) ?? new Map<number, number[]>()
      const known = column.get(quantity.value)
      if (known === undefined) values.set(cell.column, column.set(quantity.value, [row]))
      else known.push(row)
    }
  for (const [row, points] of rows.entries())
    for (const point of points) {
      const column = values.get(point.cell.column)
      const [first, second, third] = column?.get(point.quantity.value) ?? []
      if (first === undefined || second !== row || third !== undefined || column?.size === 1) continue
      const key = `${first} ${second}`
      const known: Shared = shared.get(key) ?? [[first, second], []]
      known[1].push(point)
      shared.set(key, known)
    }
  return shared.values()
}

/** Four digits that are not padding, and no percentage. */
function isLong({ quantity: { value, unit } }: Point): boolean {
  return unit !== '%' && String(Math.abs(value)).replace(/^0?\.0*|\./g, '').length >= 4
}

/** The cells of a row that hold one measured figure each. */
function pointsIn({ table, columns }: Matrix, row: number): readonly Point[] {
  return columns.flatMap(at => {
    const cell = table.rows[row]?.[at.index]
    const [quantity, more] = cell?.quantities ?? []
    const isOne = at.role === 'value' && quantity !== undefined && more === undefined
    return cell === undefined || !isOne ? [] : [{ at, cell, quantity }]
  })
}

export const copied: Rule = { check }

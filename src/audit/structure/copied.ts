import { type Line, linesOfMatrix, type Matrix, type Point } from '../../document/matrix.js'
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

const FEWEST_EQUAL = 3
/** Where more lines agree, the first few make the point. */
const MOST_TOLD = 3

function* check(evidence: Evidence): Generator<Fault> {
  const seen = new Map<string, { line: Line; name: string }>()
  const told = new Set<string>()
  for (const matrix of evidence.matrices) {
    for (const line of [...linesOfMatrix(matrix), ...rowLines(matrix)]) {
      if (line.of.role !== 'value' || matrix.isSettings || told.size >= MOST_TOLD) continue
      const points = line.points.filter(({ quantity }) => significantDigits(quantity) >= 3)
      if (points.length < FEWEST_EQUAL || points.length < line.points.length * 0.75) continue
      if (new Set(points.map(({ quantity }) => quantity.value)).size < FEWEST_EQUAL) continue
      const key = line.points.map(({ quantity }) => quantity.value).join(' ')
      const name = nameOf(line)
      const first = seen.get(key)
      if (first === undefined) seen.set(key, { line, name })
      else if (areSiblings(first.name, name) && !told.has(`${name} ${key}`) && axesAgree(first.line, line)) {
        told.add(`${name} ${key}`)
        yield identical(evidence, line, name, first)
      }
    }
    yield* copiedWithin(matrix)
    yield* doubled(matrix)
  }
}

/** Rows as lines, also where their cells are different quantities. */
function rowLines(matrix: Matrix): readonly Line[] {
  if (matrix.alongRows || matrix.rows.length > 400) return []
  return matrix.rows.map(of => ({ matrix, of, isColumn: false, points: linePoints(matrix, of.index) }))
}

/** With the step or epoch that the heading gives, as people name what they measured. */
function nameOf({ of, matrix }: Line): string {
  return of.name === '' ? (matrix.table.section?.title ?? '') : of.name
}

/**
 * Two settings or checkpoints of one kind: "alpha 0.12" and "alpha 0.18". "Baseline" and "Baseline (old)" are one thing
 * restated, and names with nothing in common may be two names of one thing.
 */
function areSiblings(a: string, b: string): boolean {
  const [x, y] = [bare(a), bare(b)]
  if (x === '' || y === '' || x.includes(y) || y.includes(x) || /@/.test(a + b)) return false
  if (/^[\d.]+$/.test(x) && /^[\d.]+$/.test(y)) return true
  return (
    sharedPrefix(x, y) + sharedPrefix([...x].reverse().join(''), [...y].reverse().join('')) >=
    0.4 * Math.min(x.length, y.length)
  )
}

function sharedPrefix(a: string, b: string): number {
  let at = 0
  while (at < Math.min(a.length, b.length) && a[at] === b[at]) at += 1
  return at
}

function bare(name: string): string {
  return name
    .toLowerCase()
    .replace(/[(（[].*?[)）\]]/g, '')
    .replace(/(?:vs|对比|相对).*$/, '')
    .replace(/[^\p{L}\p{N}]/gu, '')
}

function axesAgree(a: Line, b: Line): boolean {
  return (
    a.points.length === b.points.length &&
    a.points.every((point, i) => bare(point.at.name) === bare(b.points[i]?.at.name ?? ''))
  )
}

function identical(evidence: Evidence, line: Line, name: string, first: { line: Line; name: string }): Fault {
  const offset = line.points[0]?.cell.offset ?? 0
  const place = first.line.points[0]?.cell.offset ?? 0
  const values = line.points
    .slice(0, 4)
    .map(({ cell }) => cell.text)
    .join(', ')
  return fault(
    'identical-rows',
    offset,
    say('audit.identical-rows', { name, other: first.name, line: evidence.document.placeOf(place).line, values }),
    { found: values, also: [...line.points, ...first.line.points].map(({ cell }) => cell.offset) },
  )
}

/** Two rows of one table under different names with the same long figures throughout. */
function* doubled(matrix: Matrix): Generator<Fault> {
  const { rows } = matrix
  if (rows.length > 60) return
  const cells = rows.map(({ index }) => linePoints(matrix, index))
  const seen = new Map<string, { name: string; points: readonly Point[] }>()
  for (const [i, row] of rows.entries()) {
    const points = cells[i] ?? []
    if (
      points.length !== 2 ||
      points[0]?.quantity.unit !== points[1]?.quantity.unit ||
      points.some(({ quantity }) => (quantity.decimals ?? 0) < 1) ||
      !points.every(({ quantity }) => significantDigits(quantity) >= 4) ||
      row.keys.length > 1
    )
      continue
    const key = points.map(({ quantity }) => quantity.value).join(' ')
    const first = seen.get(key)
    const isOneValue = new Set(points.map(({ quantity }) => quantity.value)).size < 2
    if (first === undefined || isOneValue || !points.every(point => isRare(point, cells))) {
      seen.set(key, { name: row.name, points })
      continue
    }
    const values = points.map(({ cell }) => cell.text).join(', ')
    yield fault(
      'copied-cells',
      points[0]?.cell.offset ?? 0,
      say('audit.copied-cells', { name: row.name, other: first.name, values }),
      { found: values, also: first.points.map(({ cell }) => cell.offset) },
    )
  }
}

/** Two neighbouring cells of five digits or more, the same in two rows whose other figures differ. */
function* copiedWithin(matrix: Matrix): Generator<Fault> {
  const { rows } = matrix
  if (rows.length > 60 || rows.some(({ keys }) => keys.length > 1)) return
  const cells = rows.map(({ index }) => linePoints(matrix, index))
  for (const [i, row] of cells.entries()) {
    for (const [j, earlier] of cells.slice(0, i).entries()) {
      const equal = row.filter(point =>
        earlier.some(one => one.cell.column === point.cell.column && one.quantity.value === point.quantity.value),
      )
      const differ = row.filter(point =>
        earlier.some(one => one.cell.column === point.cell.column && one.quantity.value !== point.quantity.value),
      )
      const long = equal.filter(
        point => longNumber(point.quantity) && !isConstant(matrix, point.at.index) && isRare(point, cells),
      )
      if (
        new Set(long.map(({ quantity }) => quantity.value)).size < 2 ||
        differ.length < 1 ||
        long.length !== equal.length
      )
        continue
      if (!differ.some(({ quantity }) => longNumber(quantity))) continue
      yield fault(
        'copied-cells',
        long[0]?.cell.offset ?? 0,
        say('audit.copied-cells', {
          name: rows[i]?.name ?? '',
          other: rows[j]?.name ?? '',
          values: long.map(({ cell }) => cell.text).join(', '),
        }),
        {
          found: long.map(({ cell }) => cell.text).join(', '),
          also: earlier.slice(0, 1).map(({ cell }) => cell.offset),
        },
      )
      break
    }
  }
}

/** A value that further rows have too comes by itself: the column is coarse. */
function isRare({ cell, quantity }: Point, rows: readonly (readonly Point[])[]): boolean {
  const isSame = (one: Point): boolean => one.cell.column === cell.column && one.quantity.value === quantity.value
  return rows.filter(points => points.some(isSame)).length === 2
}

/** Four digits that are not padding, and no percentage: such figures do not meet by chance. */
function longNumber({ value, unit }: Point['quantity']): boolean {
  return unit !== '%' && String(Math.abs(value)).replace(/^0?\.0*|\./g, '').length >= 4
}

/** A column with one value for all rows is a property of the data, not of the rows. */
function isConstant({ table, rows }: Matrix, column: number): boolean {
  const values = rows.flatMap(({ index }) => table.rows[index]?.[column]?.quantities[0]?.value ?? [])
  return values.length > 1 && new Set(values).size === 1
}

function linePoints({ table, columns }: Matrix, row: number): readonly Point[] {
  return columns.flatMap(at => {
    const cell = table.rows[row]?.[at.index]
    const [quantity] = cell?.quantities ?? []
    return at.role === 'value' && cell !== undefined && quantity !== undefined && cell.quantities.length === 1
      ? [{ at, cell, quantity }]
      : []
  })
}

export const copied: Rule = { check }

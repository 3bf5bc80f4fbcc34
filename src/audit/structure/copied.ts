import { type Line, lineOf, linesOfMatrix, type Matrix } from '../../document/matrix.js'
import { sentences } from '../../text/sentences.js'
import type { Fault } from '../assertion.js'
import { type Evidence, significantDigits } from '../evidence.js'
import { fault } from '../fault.js'

/**
 * Lines of measurements that agree digit by digit although they bear different names: two settings, two checkpoints, two
 * runs. A table that restates another under the same name is none; nor are lines of settings or of few digits.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.identical-rows': { en: '“{name}” has the very figures of “{other}” (line {line}): {found}; check first that different checkpoints were measured', zh: '“{name}”与“{other}”（第 {line} 行）的数字完全相同：{found}；先确认测的不是同一个 checkpoint' },
})

/** Where more lines agree, the first few make the point. */
const MOST_TOLD = 3
const MOST_SHOWN = 4
/** So many digits do not meet by chance, if most figures are long. */
const FEWEST_DIGITS = 8
const LONG = 3
const SHARE_LONG = 0.6

export function* copied({ matrices, document }: Evidence): Generator<Fault> {
  const known = new Map<string, Line[]>()
  let told = 0
  for (const line of matrices.filter(({ isSettings }) => !isSettings).flatMap(linesIn)) {
    // A course may stand still for a step; and "61.5 =" says itself that it is the same.
    const own = line.points.filter(({ at }) => line.of.step === null || at.role === 'value')
    const digits = own.map(({ quantity }) => significantDigits(quantity))
    const isLong = digits.filter(count => count >= LONG).length >= SHARE_LONG * digits.length
    const distinct = new Map(own.map(({ quantity }, i) => [quantity.value, digits[i]]))
    const total = [...distinct.values()].reduce((sum, count) => sum + count, 0)
    const isFew = distinct.size < (line.of.step === null ? 2 : 3) || total < FEWEST_DIGITS
    const isSaid = own.some(({ cell }) => cell.text.includes('='))
    if (line.of.role !== 'value' || isFew || !isLong || isSaid) continue
    const key = line.points.map(({ at, quantity }) => `${bare(at.name)} ${quantity.value}`).join(' ')
    const equal = known.get(key) ?? []
    known.set(key, [...equal, line])
    const twin = equal.find(one => areSiblings(one.of.name, line.of.name))
    if (twin === undefined || told >= MOST_TOLD) continue
    told += 1
    const [here, there] = [line, twin].map(({ points }) => points.map(({ cell }) => cell.offset))
    const found = line.points.slice(0, MOST_SHOWN).map(({ cell }) => cell.text)
    const params = { name: line.of.name, other: twin.of.name, line: document.placeOf(there[0]).line }
    const message = say('audit.identical-rows', { ...params, found: found.join(', ') })
    yield fault('identical-rows', here[0], message, { also: [...here, ...there] })
  }
}

/** Columns whose values can be compared, and rows of one name each: they may agree whatever their cells are. */
function linesIn(matrix: Matrix): readonly Line[] {
  const figures = matrix.columns.filter(({ role }) => role === 'value' || role === 'difference')
  const columns = linesOfMatrix(matrix).filter(({ isColumn }) => isColumn)
  const rows = matrix.rows.filter(({ keys }) => keys.length === 1)
  return [...columns, ...rows.map(row => lineOf(matrix, row, false, figures))]
}

/**
 * Two settings or checkpoints of one kind: "alpha 0.12" and "alpha 0.18". "Baseline" and "Baseline (old)" are one thing
 * restated, and names with nothing in common may be two names of one thing.
 */
function areSiblings(a: string, b: string): boolean {
  const [x, y] = [bare(a), bare(b)]
  if (x.includes(y) || y.includes(x)) return false
  if (/^\d+$/.test(x + y) || Math.max(x.length, y.length) < 3) return true
  const shared = sharedStart([...x], [...y]) + sharedStart([...x].reverse(), [...y].reverse())
  return shared >= 0.4 * Math.min(x.length, y.length)
}

function sharedStart(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((letter, i) => letter !== b[i])
  return at < 0 ? a.length : at
}

function bare(name: string): string {
  const outside = name.toLowerCase().replace(/[(（[].*?[)）\]]/g, '')
  return outside.replace(/[^\p{L}\p{N}]/gu, '')
}

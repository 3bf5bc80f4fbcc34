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
const MOST_EQUAL = 40
/** So many digits do not meet by chance: in lines most figures of which have some, and in whole rows of one table. */
const FEWEST_DIGITS = 8
const FEWEST_IN_ROW = 7
const LONG = 3
const SHARE_LONG = 0.6
const SAID_SAME = /=|[(（]见|同[上左前]|相同|一致|重合|(?<![a-z])(?:same|see|identical|duplicates?|tied?)(?![a-z])/i

export function* copied({ matrices, document }: Evidence): Generator<Fault> {
  const known = new Map<string, Line[]>()
  let told = 0
  for (const line of matrices.flatMap(linesIn)) {
    const { of, points, isColumn, matrix } = line
    // A course may stand still for a step.
    const own = points.filter(({ at }) => of.step === null || at.role === 'value')
    const digits = own.map(({ quantity }) => significantDigits(quantity))
    const distinct = new Map(own.map(({ quantity }, i) => [quantity.value, digits[i]]))
    const total = [...distinct.values()].reduce((sum, count) => sum + count, 0)
    const isFew = distinct.size < (of.step === null ? 2 : 3) || total < FEWEST_DIGITS
    const isLong = !isFew && digits.filter(count => count >= LONG).length >= SHARE_LONG * digits.length
    // Whatever they are called, two rows of one table differ somewhere; none and all are no figures to differ in.
    const free = [...distinct.keys()].filter(value => value !== 0 && value !== 100)
    const isFullRow = !isColumn && free.length > 2 && total >= FEWEST_IN_ROW
    if (!isLong && !isFullRow) continue
    const key = points.map(({ at, quantity }) => `${bare(at.name)} ${quantity.value}`).join(' ')
    const equal = known.get(key) ?? []
    if (equal.length < MOST_EQUAL) known.set(key, [...equal, line])
    const isTwin = (one: Line): boolean =>
      (isLong && areSiblings(one.of.name, of.name) && (one.matrix === matrix || areNumbered(one.of.name, of.name))) ||
      (isFullRow && one.matrix === matrix)
    const twin = equal.find(isTwin)
    // "61.5 =" says itself that it is the same; so may a remark.
    const cells = isColumn ? points.map(({ cell }) => cell) : matrix.table.rows[of.index]
    if (twin === undefined || told >= MOST_TOLD || cells.some(({ text }) => SAID_SAME.test(text))) continue
    told += 1
    const [here, there] = [line, twin].map(one => one.points.map(({ cell }) => cell.offset))
    const found = points.slice(0, MOST_SHOWN).map(({ cell }) => cell.text)
    const params = { name: of.name, other: twin.of.name, line: document.placeOf(there[0]).line }
    const message = say('audit.identical-rows', { ...params, found: found.join(', ') })
    yield fault('identical-rows', here[0], message, { also: [...here, ...there] })
  }
}

/** Columns whose values can be compared, and rows: they may agree whatever their cells are. */
function linesIn(matrix: Matrix): readonly Line[] {
  const figures = matrix.columns.filter(({ role }) => role === 'value' || role === 'difference')
  const columns = linesOfMatrix(matrix).filter(({ isColumn }) => isColumn)
  return [...columns, ...matrix.rows.map(row => lineOf(matrix, row, false, figures))]
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

/** "Before" in one table may be "score" in the one before it; "alpha 0.12" is not "alpha 0.18". */
const areNumbered = (a: string, b: string): boolean => /\d/.test(a) && /\d/.test(b)

function sharedStart(a: readonly string[], b: readonly string[]): number {
  const at = a.findIndex((letter, i) => letter !== b[i])
  return at < 0 ? a.length : at
}

export function bare(name: string): string {
  const outside = name.toLowerCase().replace(/[(（[].*?[)）\]]/g, '')
  return outside.replace(/[^\p{L}\p{N}]/gu, '')
}

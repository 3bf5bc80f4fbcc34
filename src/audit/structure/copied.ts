import { type Line, lineOf, linesOfMatrix, type Matrix, type Point } from '../../logs/document/matrix.js'
import { sentences } from '../../text/sentences.js'
import { meets, statedRange } from '../arithmetic.js'
import { type Fault, fault } from '../assertion.js'
import { type ReportEvidence, significantDigits } from '../evidence.js'

/**
 * Lines of measurements that agree digit by digit although they bear different names: two settings, two checkpoints, two
 * runs; in one table also rows whose names have nothing in common. A table that restates another under the same name is
 * none; nor are lines of settings or of few digits.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.identical-rows': { en: '“{name}” has the very figures of “{other}” (line {line}): {found}; check first that different checkpoints were measured', zh: '“{name}”与“{other}”（第 {line} 行）的数字完全相同：{found}；先确认测的不是同一个 checkpoint' },
  'audit.cross-estimate': { en: 'at {step} the estimate {found} stands for a measured {expected} in {file}; write {expected}', zh: '{step} 的估计值 {found}，在 {file} 中实测为 {expected}；应写 {expected}' },
  'audit.cross-value': { en: 'at {step} this report has {found}, {file} has {expected} for the same curve; one of the two is wrong', zh: '{step} 处本报告是 {found}，而 {file} 中同一曲线是 {expected}；两者必有一错' },
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

export function* copied({ matrices, document }: ReportEvidence): Generator<Fault> {
  const known = new Map<string, Line[]>()
  let told = 0
  for (const line of matrices.flatMap(linesIn)) {
    const { of, points, isColumn, matrix } = line
    // A course may stand still for a step.
    const own = points.filter(({ at }) => of.step === null || at.role === 'value')
    const digits = own.map(({ quantity }) => significantDigits(quantity))
    const distinct = new Map(own.map(({ quantity }, i) => [quantity.value, digits[i] ?? 0]))
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
    const cells = isColumn ? points.map(({ cell }) => cell) : (matrix.table.rows[of.index] ?? [])
    if (twin === undefined || told >= MOST_TOLD || cells.some(({ text }) => SAID_SAME.test(text))) continue
    told += 1
    const offsetsOf = (one: Line) => one.points.map(({ cell }) => cell.offset)
    const [here, there] = [offsetsOf(line), offsetsOf(twin)]
    const found = points.slice(0, MOST_SHOWN).map(({ cell }) => cell.text)
    const params = { name: of.name, other: twin.of.name, line: document.placeOf(there[0] ?? 0).line }
    const message = say('audit.identical-rows', { ...params, found: found.join(', ') })
    yield fault('identical-rows', here[0] ?? 0, message, { also: [...here, ...there] })
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

function bare(name: string): string {
  const outside = name.toLowerCase().replace(/[(（[].*?[)）\]]/g, '')
  return outside.replace(/[^\p{L}\p{N}]/gu, '')
}

/**
 * Reports that were given together and print the same curve: known by its values, never by its name. Where they agree at
 * three steps or more, every other step must agree too; a guess in one is answered by the measurement in the other.
 */
const FEWEST_AGREEING = 3
const MOST_CURVES = 60

export function* cross(evidence: ReportEvidence, others: readonly ReportEvidence[]): Generator<Fault> {
  const own = others.length === 0 ? [] : curvesOf(evidence)
  for (const other of others)
    for (const twin of curvesOf(other)) for (const line of own) yield* compare(line, twin, other.document.file)
}

function curvesOf({ matrices }: ReportEvidence): readonly Line[] {
  const isCurve = ({ of, points }: Line): boolean =>
    of.role === 'value' && points.length > 2 && points.every(({ at }) => at.step !== null)
  return matrices.flatMap(linesOfMatrix).filter(isCurve).slice(0, MOST_CURVES)
}

const isGuess = ({ quantity }: Point): boolean => quantity.hedge !== null

function* compare(line: Line, twin: Line, file: string): Generator<Fault> {
  const measuredAt = new Map(twin.points.filter(point => !isGuess(point)).map(point => [point.at.step, point]))
  const shared = line.points.flatMap(point => {
    const other = measuredAt.get(point.at.step)
    return other === undefined
      ? []
      : [{ point, other, isEqual: meets(statedRange(point.quantity), other.quantity.range) }]
  })
  const measured = shared.filter(({ point }) => !isGuess(point) && significantDigits(point.quantity) > 2)
  const agreeing = measured.filter(({ isEqual }) => isEqual).length
  // Two ends that agree are enough for the guesses between them.
  const areGuesses = shared.filter(({ point }) => isGuess(point)).length >= FEWEST_AGREEING && measured.length === 2
  if (agreeing < (areGuesses ? 2 : Math.max(FEWEST_AGREEING, 0.6 * measured.length))) return
  for (const { point, other } of shared.filter(({ isEqual }) => !isEqual)) {
    const rule = isGuess(point) ? 'cross-estimate' : 'cross-value'
    const params = { step: point.at.name, found: point.cell.text, expected: other.cell.text, file }
    yield fault(rule, point.cell.offset, say(`audit.${rule}`, params))
  }
}

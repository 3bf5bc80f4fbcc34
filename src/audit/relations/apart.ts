import type { Point } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { exactly, subtract } from '../../stats/rounding.js'
import { asPrinted, middle, percentOf, sizeOf } from '../arithmetic.js'
import { type Frame, isBaseIn } from '../binding.js'
import { has } from '../lexicon.js'
import { type Clause, mentionsIn } from '../mentions.js'

/**
 * How far two lines of a table are apart, item by item: what "gains between 1 and 4", 差距都在 2 以内 and "never loses more
 * than 3" are said of. What is said of all sizes is said of all tables that have the two.
 */
export const GAP =
  /差异|幅度|[涨增降跌]幅|差距|相差|量级|增量|的提升|变[化动](?:超过|大于)|(?<![a-z])(?:within [^,]{1,16} of|differences?|improvements?|gaps?|gains?|drops?|loss(?:es)?(?= (?:stays?|are|is|of))|margins?|leads?|(?:moved|moves|changed|changes|shifted|shifts) by|lo(?:ses?|st)(?: no)?(?= (?:more|less|at)))(?![a-z])/i

export interface Bounded extends Pick<Frame, 'line' | 'points'> {
  /** The line, the kind of its rows, or its unit is named. */
  readonly isMeant: boolean
}

interface Pairs extends Bounded {
  readonly isHere: boolean
  /** Of tables with the same columns, and the same two of them. */
  readonly kind: string
}

/** "A is at least 2 above B everywhere", A 与 B 的差距: how far two named lines are apart, item by item. */
export function pairsFor(
  { statement, from, to, text }: Clause,
  frames: readonly Frame[],
  stated: Quantity,
): readonly Pairs[] {
  const isGap = GAP.test(text)
  const tables = [...new Set(frames.map(({ line }) => line.matrix))]
  const frameOf = new Map(frames.map(frame => [frame.line.of, frame]))
  return tables.flatMap(matrix => {
    const own = mentionsIn(statement, matrix).filter(one => one.from >= from && one.to <= to)
    // Beside "B - A" there is one B.
    const named = own.flatMap(one => {
      const [axis, more] = one.axes.filter(({ role }) => role === 'value')
      return axis === undefined || more !== undefined ? [] : [{ ...one, axis }]
    })
    return [true, false].flatMap(isColumn => {
      const axes = new Map(named.filter(one => one.isRow !== isColumn).map(one => [one.axis, one]))
      // "On x and y, A and B are …": x and y say where.
      if (axes.size === 2 && named.at(-1)?.isRow === isColumn) return []
      const [first, second, more] = [...axes].flatMap(([axis, mention]) => {
        const frame = frameOf.get(axis)
        return frame === undefined ? [] : [{ frame, isBase: isBaseIn(statement.text, mention) }]
      })
      const isOpen = isColumn ? matrix.alongRows : matrix.alongColumns
      if (!isOpen || first === undefined || second === undefined || more !== undefined) return []
      if (!isGap && !first.isBase && !second.isBase) return []
      const [base, { line, points, subjects, isHere }] = first.isBase ? [first, second.frame] : [second, first.frame]
      const isSize = !stated.signed && !ONE_SIDED.test(text) && (!base.isBase || has(text, 'down', 'smaller'))
      const items = subjects.length > 0 ? subjects.map(({ point }) => point) : points
      const apart = items.flatMap(point => {
        const other = base.frame.line.points.find(({ at }) => at === point.at)
        return other === undefined ? [] : (apartFrom(other, point, stated, isSize) ?? [])
      })
      const of = { ...line.of, name: `${line.of.name} − ${base.frame.line.of.name}`, role: 'difference' as const }
      const kind = `${of.name} ${matrix.columns.map(({ name }) => name).join()}`
      return [{ line: { ...line, of, points: apart }, points: apart, isMeant: true, isHere, kind }]
    })
  })
}

/** What is said of all sizes, away from their tables, has a table for each: the pairs of like tables are one. */
export function together(pairs: readonly Pairs[], { statement, to }: Clause): readonly Bounded[] {
  const isLike = (one: Pairs, other: Pairs): boolean => one.kind === other.kind
  const groups = pairs.map(one => pairs.filter(other => isLike(one, other)))
  const [like = []] = groups.toSorted((one, other) => other.length - one.length)
  const [first, second] = like
  const isInside = pairs.some(({ line }) => line.matrix.table.section === statement.section)
  const isOfAll = !isInside && has(statement.text.slice(0, to), 'all')
  const several = pairs.filter(({ points, isHere }) => isHere && points.length > 1)
  if (first === undefined || second === undefined || !isOfAll) return several
  const points = like.flatMap(one => one.points)
  return [{ ...first, line: { ...first.line, points }, points }, ...several.filter(one => !like.includes(one))]
}

/** The difference of two cells, or the relative one where percents are spoken of and none are printed. */
function apartFrom(base: Point, point: Point, stated: Quantity, isSize: boolean): Point | null {
  // What is counted is not rounded.
  const [a, b] = [base, point].map(({ quantity: { value, range, decimals } }) =>
    decimals === 0 ? exactly(value) : range,
  )
  const isRelative = stated.unit === '%' && base.quantity.unit !== '%'
  const change = isRelative ? percentOf(a, b) : subtract(b, a)
  const range = change !== null && isSize ? sizeOf(change) : change
  if (range === null) return null
  const quantity = { ...point.quantity, range, value: middle(range), unit: stated.unit, signed: true }
  const decimals = Math.max(stated.decimals, point.quantity.decimals)
  const text = asPrinted(quantity.value, { ...stated, decimals, signed: true })
  return { ...point, cell: { ...point.cell, text }, quantity }
}

/** "Every gain", "all losses": those of one sign. 降幅都在 5% 以上: falls are spoken of without theirs. */
export function ofSign(points: readonly Point[], text: string, isAbove: boolean): readonly Point[] {
  const [ups, downs] = [1, -1].map(sign => points.filter(({ quantity }) => Math.sign(quantity.value) === sign))
  if (GAINS.test(text) && ups.length > 0) return ups
  const areLosses = LOSSES.test(text) && downs.length > 0
  return areLosses || (isAbove && ups.length === 0) ? (areLosses ? downs : points).map(unsigned) : points
}

const GAINS =
  /(?:every|each|all|both) (?:\w+ )?(?:gains?|improvements?)(?![a-z])|gains? [a-z ]{0,30}(?:that|which) (?:improved?|gain(?:ed)?|rose|rise)(?![a-z])|(?:所有|每[个项])的?提升/i
const LOSSES =
  /(?:every|each|all|both) (?:\w+ )?(?:loss(?:es)?|drops?|regressions?)(?![a-z])|(?<![a-z])lo(?:ses?|st)(?: no)?(?= (?:more|less|at))|(?:所有|每[个项])的?(?:下降|损失)/i
export const ONE_SIDED = new RegExp(`${GAINS.source}|${LOSSES.source}`, 'i')

export function unsigned(point: Point): Point {
  const { value, range } = point.quantity
  return { ...point, quantity: { ...point.quantity, value: Math.abs(value), range: sizeOf(range) } }
}

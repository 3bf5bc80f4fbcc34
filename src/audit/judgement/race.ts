import { type Line, linesOfMatrix, type Matrix, type Point } from '../../document/matrix.js'
import { type Evidence, goalOfLine } from '../evidence.js'

/**
 * "Reaches its best sooner": each run is timed to its own best, which is a level of its own. Where a table shows that the
 * other run was beyond that level earlier, the claim is false, and this is the proof; else it is merely no speed.
 */
export function raceIn({ matrices }: Evidence) {
  return matrices.flatMap(matrix => raceOf(matrix) ?? []).at(0) ?? null
}

const FEWEST_POINTS = 5

/** Two curves over the same steps: the one with the earlier best, and the point where the other was beyond it before. */
function raceOf(matrix: Matrix) {
  const isCurve = ({ isColumn, of, points }: Line): boolean =>
    isColumn && of.role === 'value' && points.length >= FEWEST_POINTS && points.every(({ at }) => at.step !== null)
  const [a, b, more] = linesOfMatrix(matrix).filter(isCurve)
  if (a === undefined || b === undefined || more !== undefined) return null
  const sign = goalOfLine(a) === 'min' ? -1 : 1
  const isBeyond = (one: Point, other: Point): boolean => sign * (one.quantity.value - other.quantity.value) > 0
  const bestOf = ({ points }: Line): Point => points.reduce((best, one) => (isBeyond(one, best) ? one : best))
  const [own, other] = stepOf(bestOf(a)) < stepOf(bestOf(b)) ? [a, b] : [b, a]
  const best = bestOf(own)
  const isSooner = (one: Point): boolean => stepOf(one) < stepOf(best) && one.quantity.hedge === null
  const sooner = other.points.find(one => isSooner(one) && isBeyond(one, best))
  if (sooner === undefined) return null
  const reached = { value: sooner.cell.text, step: stepOf(sooner) }
  return { own: own.of.name, other: other.of.name, best: best.cell.text, at: stepOf(best), ...reached }
}

const stepOf = ({ at }: Point): number => at.step ?? 0

import { type Line, linesOfMatrix, type Matrix, type Point } from '../../document/matrix.js'
import { sentences } from '../../text/sentences.js'
import type { Fault } from '../assertion.js'
import { type Evidence, goalOfLine, topOf } from '../evidence.js'
import { claimsIn } from './claims.js'
import { once } from './hits.js'

/**
 * "Reaches its best sooner": each run is timed to its own best, which is a level of its own. Where the tables show that
 * the other run was beyond that level earlier, the claim is false; else it is merely no speed.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.speed-contradicted': { en: '“{quote}”: {other} reached {value} at step {step}, beyond the best of {own} ({best} at step {at}) (lines {lines}); compare the steps to one level', zh: '“{quote}”：{other} 在第 {step} 步就到了 {value}，已超过 {own} 的最佳值（第 {at} 步的 {best}）（第 {lines} 行）；应比较到达同一水平的步数' },
  'audit.speed-untested': { en: '“{quote}”: each run is timed to its own best, and these are different levels (lines {lines}); compare the steps to one level, over several runs', zh: '“{quote}”：各自到达自己的最佳值，水平不同，不能算快慢（第 {lines} 行）；应比较多个 run 到达同一水平的步数' },
})

const TIMED = /步|step|epoch|轮|最佳|最优|best|收敛|converge|峰值|peak/i

export function* speed(evidence: Evidence): Generator<Fault> {
  const [hits = []] = claimsIn(evidence, [{ sense: 'faster', only: TIMED, longest: 200 }])
  const race = hits.length === 0 ? undefined : evidence.matrices.flatMap(matrix => raceIn(matrix) ?? [])[0]
  if (race === undefined)
    return yield* once(evidence, 'speed-untested', hits, said => say('audit.speed-untested', said))
  yield* once(evidence, 'speed-contradicted', hits, said => say('audit.speed-contradicted', { ...said, ...race }))
}

type Race = Readonly<Record<'own' | 'other' | 'best' | 'at' | 'value' | 'step', string | number>>

/** Two curves over the same steps: the one with the earlier best, and the point where the other was beyond it before. */
function raceIn(matrix: Matrix): Race | null {
  const isCurve = ({ isColumn, of, points }: Line): boolean =>
    isColumn && of.role === 'value' && points.length > 4 && points.every(({ at }) => at.step !== null)
  const [a, b, more] = linesOfMatrix(matrix).filter(isCurve)
  if (a === undefined || b === undefined || more !== undefined) return null
  const goal = goalOfLine(a) ?? 'max'
  const [first, second] = [a, b]
    .flatMap(line => ({ line, best: topOf(line.points, goal) }))
    .sort((one, other) => stepOf(one.best) - stepOf(other.best))
  if (first?.best == null || second === undefined || stepOf(first.best) === stepOf(second.best)) return null
  const { best } = first
  const isBeyond = ({ quantity }: Point): boolean =>
    goal === 'max' ? quantity.value > best.quantity.value : quantity.value < best.quantity.value
  const sooner = second.line.points.find(
    one => stepOf(one) < stepOf(best) && one.quantity.hedge === null && isBeyond(one),
  )
  if (sooner === undefined) return null
  const [own, other] = [first.line.of.name, second.line.of.name]
  return { own, other, best: best.cell.text, at: stepOf(best), value: sooner.cell.text, step: stepOf(sooner) }
}

const stepOf = (point: Point | null): number => point?.at.step ?? 0

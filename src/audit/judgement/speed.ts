import { type Line, linesOfMatrix, type Point } from '../../document/matrix.js'
import { sentences } from '../../text/sentences.js'
import type { Fault, Rule } from '../assertion.js'
import { type Evidence, goalOfLine, topOf } from '../evidence.js'
import { fault } from '../fault.js'
import { has } from '../lexicon.js'
import { stanceOf } from '../stance.js'
import { linesOf, TESTED } from './claims.js'

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

function* check(evidence: Evidence): Generator<Fault> {
  const hits = evidence.document.statements.flatMap(statement => {
    const { text, kind } = statement
    if (kind === 'code' || kind === 'heading' || !has(text, 'faster') || !TIMED.test(text) || text.length > 200)
      return []
    return stanceOf(statement, 0, text.length) === 'said'
      ? [{ offset: statement.offsetOf(0), quote: text.slice(0, 48) }]
      : []
  })
  const [first] = hits
  if (first === undefined) return
  if (TESTED.test(evidence.document.text)) return
  const race = evidence.matrices.map(raceIn).find(found => found !== null) ?? null
  const lines = linesOf(evidence, hits)
  yield fault(
    race === null ? 'speed-untested' : 'speed-contradicted',
    first.offset,
    race === null
      ? say('audit.speed-untested', { quote: first.quote, lines })
      : say('audit.speed-contradicted', {
          quote: first.quote,
          lines,
          own: race.own.of.name,
          other: race.other.of.name,
          best: race.best.cell.text,
          at: race.best.at.step ?? 0,
          value: race.sooner.cell.text,
          step: race.sooner.at.step ?? 0,
        }),
    { severity: race === null ? 'note' : 'error', found: first.quote, also: hits.map(({ offset }) => offset) },
  )
}

interface Race {
  readonly own: Line
  readonly other: Line
  readonly best: Point
  readonly sooner: Point
}

/** Two curves over the same steps: the one with the earlier best, and the point where the other was beyond it before. */
function raceIn(matrix: Evidence['matrices'][number]): Race | null {
  const curves = linesOfMatrix(matrix).filter(
    ({ isColumn, of, points }) =>
      isColumn && of.role === 'value' && points.length > 4 && points.every(({ at }) => at.step !== null),
  )
  const [a, b] = curves
  if (a === undefined || b === undefined || curves.length !== 2) return null
  const goal = goalOfLine(a) ?? 'max'
  const [topA, topB] = [topOf(a.points, goal), topOf(b.points, goal)]
  if (topA === null || topB === null || topA.at.step === topB.at.step) return null
  const isFirst = (topA.at.step ?? 0) < (topB.at.step ?? 0)
  const [own, other, best] = isFirst ? [a, b, topA] : [b, a, topB]
  const sooner = other.points.find(
    ({ at, quantity }) =>
      (at.step ?? 0) < (best.at.step ?? 0) &&
      quantity.hedge === null &&
      (goal === 'max' ? quantity.value > best.quantity.value : quantity.value < best.quantity.value),
  )
  return sooner === undefined ? null : { own, other, best, sooner }
}

export const speed: Rule = { check }

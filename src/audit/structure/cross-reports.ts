import { type Line, linesOfMatrix, type Point } from '../../logs/document/matrix.js'
import { sentences } from '../../text/sentences.js'
import { meets, statedRange } from '../arithmetic.js'
import { type Fault, fault } from '../assertion.js'
import { type ReportEvidence, significantDigits } from '../evidence.js'

/**
 * Reports that were given together and print the same curve: known by its values, at three steps or more, never by its
 * name. A guess in one is answered by the measurement in the other. What both measured may differ: a later evaluation does.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.cross-estimate': { en: '{step}: the estimate {found} was measured as {expected} in {file}', zh: '{step}：估计值 {found} 在 {file} 中实测为 {expected}' },
})

const FEWEST_AGREEING = 3
const MOST_CURVES = 60

export function* crossReports(evidence: ReportEvidence, others: readonly ReportEvidence[]): Generator<Fault> {
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
  const guessed = shared.filter(({ point }) => isGuess(point))
  const measured = shared.filter(({ point }) => !isGuess(point) && significantDigits(point.quantity) > 2)
  const agreeing = measured.filter(({ isEqual }) => isEqual).length
  // Two ends that agree are enough for the guesses between them.
  const isBetween = guessed.length >= FEWEST_AGREEING && measured.length === 2
  if (agreeing < (isBetween ? 2 : Math.max(FEWEST_AGREEING, 0.6 * measured.length))) return
  for (const { point, other } of guessed.filter(({ isEqual }) => !isEqual)) {
    const params = { step: point.at.name, found: point.cell.text, expected: other.cell.text, file }
    yield fault('cross-estimate', point.cell.offset, say('audit.cross-estimate', params))
  }
}

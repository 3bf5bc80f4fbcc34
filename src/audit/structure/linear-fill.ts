import { type Line, linesOfMatrix, type Matrix } from '../../logs/document/matrix.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted } from '../arithmetic.js'
import { type Fault, fault } from '../assertion.js'
import type { ReportEvidence } from '../evidence.js'

/** Values of a curve that are marked as estimates and lie on a straight line: drawn by hand between two measurements. */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.linear-fill': { en: '{count} estimates of “{line}” rise by {step} each: a straight line, not measurements; leave them out, or evaluate', zh: '“{line}”的 {count} 个估计值逐个相差 {step}，是一条直线，不是实测；应删去，或补做评估' },
})

const FEWEST = 4

export function* linearFill({ matrices }: ReportEvidence): Generator<Fault> {
  for (const matrix of matrices) if (hasEstimates(matrix)) for (const line of linesOfMatrix(matrix)) yield* inLine(line)
}

/** Most tables have none, and lines are costly where there are many tables. */
const hasEstimates = ({ table: { rows } }: Matrix): boolean =>
  rows.some(row => row.some(({ quantities }) => quantities.some(({ hedge }) => hedge === 'estimated')))

function* inLine({ of, points, isColumn }: Line): Generator<Fault> {
  const guessed = points.filter(({ quantity }) => quantity.hedge === 'estimated')
  const [first, second] = guessed
  if (!isColumn || guessed.length < FEWEST || first === undefined || second === undefined) return
  const step = second.quantity.value - first.quantity.value
  const isStraight = guessed.every(
    ({ quantity: { value } }, i) => Math.abs(value - first.quantity.value - i * step) < 1e-9,
  )
  if (step === 0 || !isStraight) return
  const params = { count: guessed.length, line: of.name, step: asPrinted(step, first.quantity) }
  const more = { found: first.cell.text, also: guessed.map(({ cell }) => cell.offset) }
  yield fault('linear-fill', first.cell.offset, say('audit.linear-fill', params), more)
}

import type { Message } from '../../../logs/model/run.js'
import type { Verdict } from '../../../logs/model/verdict.js'
import { mean } from '../../../stats/descriptive.js'
import { FEWEST_EVALUATIONS } from '../../../stats/paired-mean.js'
import { meanDeviation, neighbourDeviations, spreadRatio } from '../../../stats/stability.js'
import { intervalOf, pValueOf, welch } from '../../../stats/student-estimate.js'
import { comparisonSentences as message } from '../../../text/compare.js'
import { figure, fixed } from '../../../text/numbers.js'
import type { SeriesPoints } from '../../store/series.js'
import { hasFewEvaluations, tagsOf } from '../conventions.js'
import { hasReplicates, type SharedCurves, sharedCurves } from './align-sides.js'
import { tooFewShared, undetermined } from './judge.js'
import { permutationCheck } from './seeds.js'
import type { QuestionSpec } from './specification.js'

/** Which side wobbles less? Not read off a maximum, and not from the level. */

/**
 * Stability: how far an evaluation lies off its neighbours, as other over baseline; 1 is equal, below 1 the other is
 * steadier. Several runs average the noise, so that the little that a learning curve bends between two neighbours would
 * show: they are set against four.
 */
export function compareStability(
  asked: QuestionSpec,
  baseline: readonly SeriesPoints[],
  other: readonly SeriesPoints[],
  /** Prompts behind each evaluation; null where nothing tells. */
  prompts: number | null,
): Verdict {
  const curves = sharedCurves(baseline, other)
  if (curves.steps.length < FEWEST_EVALUATIONS) return tooFewShared(asked, curves.steps.length)
  const reach = hasReplicates(curves) ? 2 : 1
  const spreads = curves.runs.map(side =>
    side.map(values => meanDeviation(neighbourDeviations(values, curves.steps, reach))),
  )
  if (spreads.flat().some(spread => !(spread > 1e-12))) {
    return undetermined(asked, { scope: 'runs', reasons: [message('compare.no-wobble', {})] })
  }
  const noise = evaluationNoise(curves, spreads, prompts)
  if (hasReplicates(curves)) return stabilityOfMany(asked, spreads, noise)
  const [first, second] = curves.means.map((values, side) => perRun(values, curves.runs[side].length))
  const { ratio, p, degreesOfFreedom, clusters } = spreadRatio(second, first, curves.steps)
  const isPhase = clusters && (ratio.low > 1 || ratio.high < 1)
  const limits = isPhase ? [...noise, message('compare.noise-in-phases', {})] : noise
  return stabilityVerdict(asked, ratio, p, limits, {
    scope: 'runs',
    tags: tagsOf({ fragile: clusters || hasFewEvaluations(curves.steps.length), promptsCounted: true }),
    method: { id: 'spread-ratio', numbers: { evaluations: curves.steps.length, degreesOfFreedom } },
  })
}

/** The mean of two runs wobbles less than one does: at the scale of one. */
function perRun(values: readonly number[], runs: number): readonly number[] {
  return runs === 1 ? values : values.map(value => value * Math.sqrt(runs))
}

/** Of normal noise: standard deviation over mean absolute deviation, √(π/2). */
const DEVIATION_TO_SPREAD = Math.sqrt(Math.PI / 2)

/** A score in 0 … 1 from n prompts has an error of at most √(p(1 − p)/n); a wobble of that size says nothing else. */
function evaluationNoise(
  { means }: SharedCurves,
  spreads: readonly (readonly number[])[],
  prompts: number | null,
): Message[] {
  const values = means.flat()
  if (prompts === null || values.some(value => value < 0 || value > 1)) return []
  const level = mean(values)
  const error = Math.sqrt((level * (1 - level)) / prompts)
  return spreads.flat().every(spread => spread * DEVIATION_TO_SPREAD <= error)
    ? [message('compare.wobble-is-noise', { n: prompts, error: figure(error, 4) })]
    : []
}

/** Several runs a side: each run's spread is one number, and Welch's test compares their logarithms. */
function stabilityOfMany(
  asked: QuestionSpec,
  [first, second]: readonly (readonly number[])[],
  noise: readonly Message[],
): Verdict {
  const estimate = welch(first.map(Math.log), second.map(Math.log))
  const { low, high } = intervalOf(estimate)
  const ratio = { estimate: Math.exp(estimate.mean), low: Math.exp(low), high: Math.exp(high) }
  const verdict = stabilityVerdict(asked, ratio, pValueOf(estimate), noise, {
    scope: 'configs',
    tags: [],
    method: { id: 'spread-of-runs', numbers: { first: first.length, second: second.length } },
  })
  return permutationCheck(verdict, first.map(Math.log), second.map(Math.log))
}

function stabilityVerdict(
  asked: QuestionSpec,
  ratio: { readonly estimate: number; readonly low: number; readonly high: number },
  p: number,
  noise: readonly Message[],
  { scope, tags, method }: Pick<Verdict, 'scope' | 'tags' | 'method'>,
): Verdict {
  const reasons = [
    message('compare.spread-ratio', {
      ratio: fixed(ratio.estimate, 2),
      low: fixed(ratio.low, 2),
      high: fixed(ratio.high, 2),
    }),
    ...noise,
  ]
  const verdict = undetermined(asked, { scope, reasons }, ratio.estimate)
  const answer = ratio.high < 1 ? 'better' : ratio.low > 1 ? 'worse' : 'undetermined'
  const kept = answer === 'undetermined' ? [] : tags
  return { ...verdict, interval: [ratio.low, ratio.high], p, answer, tags: kept, method }
}

import { mean, variance } from '../../stats/descriptive.js'
import { normalQuantile } from '../../stats/distributions.js'
import { trend } from '../../stats/trend.js'
import { figure } from '../../text/figure.js'
import { message } from '../../text/say.js'
import { cannotSay, type Rule, type Symptom } from '../rule.js'
import { type Curve, inBlocks, stepsOf } from '../signs/curve.js'
import { type SamplingError, samplingError, validationCurves } from '../signs/validation.js'

const FEWEST = 5
/** The test for a trend looks at every pair. */
const MOST_POINTS = 200

/**
 * All movement of validation is what drawing so few prompts does by itself (docs/statistics.md): spread no larger than
 * the sampling error, no outlier and no trend. Then no evaluation is better than another.
 */
export const evalNoise: Rule = {
  id: 'eval-noise',
  severity: 'note',
  needs: ['val.score'],
  detect(subject) {
    const judged = validationCurves(subject).flatMap(curve => {
      const error = curve.values.length < FEWEST ? null : samplingError(subject, curve)
      return error === null ? [] : [{ curve, error }]
    })
    if (judged.length === 0) return cannotSay(message('eval-noise.unknown', { needed: FEWEST }))
    return judged.flatMap(({ curve, error }) => noiseSymptom(curve, error))
  },
}

function noiseSymptom(whole: Curve, error: SamplingError): Symptom[] {
  const curve = inBlocks(whole, MOST_POINTS)
  const n = whole.values.length
  if (whole.values.every(value => value === whole.values[0])) return []
  const spread = variance(whole.values)
  if (spread > error.size ** 2 * largestRatio(n - 1)) return []
  const centre = mean(whole.values)
  const farthest = whole.values.reduce((far, value) => Math.max(far, Math.abs(value - centre)), 0)
  if (farthest > error.size * normalQuantile(1 - 0.025 / n)) return []
  if (trend(curve.steps, curve.values).p < 0.05) return []
  const figures = { metric: whole.metric, n: error.prompts, error: figure(error.size) }
  return [
    {
      steps: stepsOf(whole),
      evidence: { metric: whole.metric, spread: Math.sqrt(spread), error: error.size, prompts: error.prompts },
      message: message('eval-noise', { ...figures, spread: figure(Math.sqrt(spread)) }),
      remedy: message('eval-noise.remedy', { many: 10 * error.prompts }),
    },
  ]
}

/** 95 % quantile of χ²/df by Wilson and Hilferty's cube, good to a per cent from four degrees on. */
function largestRatio(degrees: number): number {
  const share = 2 / (9 * degrees)
  return (1 - share + normalQuantile(0.95) * Math.sqrt(share)) ** 3
}

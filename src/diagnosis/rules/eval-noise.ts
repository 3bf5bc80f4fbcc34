import { mean, variance } from '../../stats/descriptive.js'
import { normalQuantile } from '../../stats/distributions.js'
import { trend } from '../../stats/trend.js'
import { figure } from '../../text/figure.js'
import { cannotSay, runRule, type Symptom, threshold } from '../run-rule.js'
import { type Curve, inBlocks, stepsOf } from '../signs/curve.js'
import { type SamplingError, samplingError, validationCurves } from '../signs/validation.js'

/** The test for a trend looks at every pair. */
const MOST_POINTS = 200

export const evalNoise = runRule({
  id: 'eval-noise',
  severity: 'note',
  about: {
    en: 'All movement of validation is what drawing so few prompts does by itself (docs/statistics.md): spread no larger than the sampling error, no outlier and no trend. Then no evaluation is better than another.',
    zh: '验证的全部波动都可由评测样本太少来解释（docs/statistics.md）：离散程度不超过抽样误差，没有离群值，也没有趋势。此时各次验证分不出高下。',
  },
  needs: ['val.score'],
  thresholds: {
    FEWEST: threshold(5, { en: 'Evaluations that are needed. Derived.', zh: '至少需要的验证次数。推得。' }),
  },
  says: {
    'eval-noise': {
      en: 'all movement of {metric} (spread {spread}) is what evaluating on {n} prompts does by itself (error {error}): no evaluation is better than another',
      zh: '{metric} 的全部波动（标准差 {spread}）都可由仅 {n} 个评测样本的抽样误差（{error}）解释：各次验证无法分出高下',
    },
    'eval-noise.remedy': {
      en: 'do not choose a checkpoint by this curve; evaluate a few of them on about {many} prompts, or several answers per prompt',
      zh: '不要按这条曲线选 checkpoint；用约 {many} 个评测样本、或每个样本多次采样，重新评测其中几个',
    },
    'eval-noise.cannot.unknown': {
      en: 'neither per-prompt scores nor, for shares, the number of prompts is known for {needed} evaluations or more',
      zh: '没有逐样本得分，也不知道评测样本数（或得分不在 0~1 之间、验证少于 {needed} 次）',
    },
  },
  check(subject, { say, FEWEST }) {
    const judged = validationCurves(subject).flatMap(curve => {
      const error = curve.values.length < FEWEST ? null : samplingError(subject, curve)
      return error === null ? [] : [{ curve, error }]
    })
    if (judged.length === 0) return cannotSay(say('eval-noise.cannot.unknown', { needed: FEWEST }))
    return judged.flatMap(({ curve, error }) => noiseSymptom(curve, error))
  },
})

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
      message: evalNoise.say('eval-noise', { ...figures, spread: figure(Math.sqrt(spread)) }),
      remedy: evalNoise.say('eval-noise.remedy', { many: 10 * error.prompts }),
    },
  ]
}

/** 95 % quantile of χ²/df by Wilson and Hilferty's cube, good to a per cent from four degrees on. */
function largestRatio(degrees: number): number {
  const share = 2 / (9 * degrees)
  return (1 - share + normalQuantile(0.95) * Math.sqrt(share)) ** 3
}

import { mean, variance } from '../../../stats/descriptive.js'
import { normalQuantile } from '../../../stats/distributions.js'
import { trend } from '../../../stats/trend.js'
import { figure } from '../../../text/numbers.js'
import { cannotSay, runRule, type Symptom, settingUnknown, threshold, tooShort } from '../run-rule.js'
import { type Curve, inBlocks, lastOf, longestOf, stepsOf } from '../signs/curve.js'
import { afterStart, type SamplingError, samplingError, validationCurves } from '../signs/validation.js'
import type { Subject } from '../subject.js'

export const evalsInWarmup = runRule({
  id: 'evals-in-warmup',
  severity: 'warning',
  about: {
    en: 'Every evaluation was made while the learning rate was still rising: the run has not yet trained as it was meant to. The logged rate is believed before the config; it is silent where it prints as 0.000.',
    zh: '所有验证都在学习率仍在上升时进行：该 run 还没有按预期训练。优先看日志中的学习率；若打印为 0.000 则看不出来。',
  },
  needs: ['val.score'],
  uses: ['lr'],
  thresholds: {
    FEWEST_RATES: threshold(3, {
      en: 'A rate that is logged less often may have peaked unseen. Derived.',
      zh: '学习率记录得更少时，可能看不到峰值。推得。',
    }),
  },
  says: {
    'evals-in-warmup': {
      en: 'all {n} evaluation{n||s} (steps {first}–{last}) are inside the learning-rate warm-up, which lasts until step {end}: they say nothing about the full learning rate',
      zh: '全部 {n} 次验证（step {first}–{last}）都在学习率 warmup 内（到 step {end} 结束），不能说明正常学习率下的效果',
    },
    'evals-in-warmup.rising': {
      en: 'all {n} evaluation{n||s} (steps {first}–{last}) were made while the learning rate was still rising: they say nothing about the full learning rate',
      zh: '全部 {n} 次验证（step {first}–{last}）时学习率仍在上升，不能说明正常学习率下的效果',
    },
    'evals-in-warmup.cannot.none': { en: 'no evaluation after the start', zh: '训练开始后没有验证' },
  },
  remedy: {
    en: 'train and evaluate past the warm-up before comparing this run with another, or shorten the warm-up',
    zh: '先训练并验证到 warmup 之后，再与其他 run 比较；或缩短 warmup',
  },
  check(subject, { say }) {
    const evaluated = validationCurves(subject).map(afterStart)
    const steps = [...new Set(evaluated.flatMap(curve => Array.from(curve.steps)))].sort((a, b) => a - b)
    if (steps.length === 0) return cannotSay(say('evals-in-warmup.cannot.none', {}))
    const warmup = warmupOf(subject)
    if (warmup === null) return settingUnknown('lr.warmup.steps')
    const last = steps[steps.length - 1]
    if (last > warmup.end || warmup.end <= 0) return
    const share = { n: steps.length, first: steps[0], last, end: warmup.end }
    return {
      steps: [steps[0], last],
      evidence: { evaluations: steps.length, warmupEnd: warmup.end, from: warmup.from, lastEvaluation: last },
      message: warmup.isOver
        ? say('evals-in-warmup', share)
        : say('evals-in-warmup.rising', { n: steps.length, first: steps[0], last }),
    }
  },
})

interface Warmup {
  /** The step at which the rate is, or was last seen, at its highest. */
  readonly end: number
  /** False: the log ends while the rate rises, so the warm-up goes on for longer. */
  readonly isOver: boolean
  readonly from: 'log' | 'config'
}

function warmupOf({ curve, settings }: Subject): Warmup | null {
  const rate = curve('lr')
  const logged = rate === undefined ? null : loggedWarmup(rate)
  if (logged !== null) return logged
  const steps = settings.get('lr.warmup.steps')?.effective
  if (typeof steps === 'number' && steps >= 0) return { end: steps, isOver: true, from: 'config' }
  const ratio = settings.get('lr.warmup.ratio')?.effective
  if (ratio === 0) return { end: 0, isOver: true, from: 'config' }
  const total = settings.get('steps')?.effective
  if (typeof ratio !== 'number' || typeof total !== 'number' || total <= 0) return null
  return { end: Math.floor(ratio * total), isOver: true, from: 'config' }
}

function loggedWarmup({ steps, values }: Curve): Warmup | null {
  const { FEWEST_RATES } = evalsInWarmup.limits
  if (values.length < FEWEST_RATES) return null
  const highest = values.reduce((high, value) => Math.max(high, value), Number.NEGATIVE_INFINITY)
  const peak = values.indexOf(highest)
  if (values[values.length - 1] === values[0] && values.every(value => value === values[0])) {
    return highest > 0 ? { end: 0, isOver: true, from: 'log' } : null
  }
  return { end: steps[peak], isOver: peak < values.length - 1, from: 'log' }
}

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
      en: 'all variation of {metric} (std {spread}) is sampling noise of {n} prompt{n||s} (error {error}): no evaluation is better than another',
      zh: '{metric} 的全部波动（标准差 {spread}）都可由仅 {n} 个评测样本的抽样误差（{error}）解释：各次验证无法分出高下',
    },
    'eval-noise.remedy': {
      en: 'do not choose a checkpoint by this curve; evaluate a few of them on about {many} prompt{many||s}, or sample several responses per prompt',
      zh: '不要按这条曲线选 checkpoint；用约 {many} 个评测样本、或每个样本多次采样，重新评测其中几个',
    },
    'eval-noise.cannot.unknown': {
      en: 'neither per-prompt scores nor, for shares, the number of prompts is known for at least {needed} evaluations',
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

export const bestIsLast = runRule({
  id: 'best-is-last',
  severity: 'note',
  about: {
    en: 'The best evaluation is the last one: the best that this run can do has not been seen (the maximum is censored).',
    zh: '最好的一次验证是最后一次：该 run 的最好水平还没有看到（最大值被截断）。',
  },
  needs: ['val.score'],
  thresholds: {
    FEWEST: threshold(3, {
      en: 'Of two evaluations one is the last; that says nothing.',
      zh: '两次验证中总有一次是最后的，不说明问题。',
    }),
  },
  says: {
    'best-is-last': {
      en: 'the best of {n} evaluation{n||s} of {metric} is the last one ({value} at step {step}): it may still be rising, so its peak is unknown',
      zh: '{metric} 的 {n} 次验证中，最后一次最高（{value}，step {step}）：可能仍在上升，峰值未知',
    },
  },
  remedy: {
    en: 'train on until several evaluations no longer improve before naming a best checkpoint or a convergence speed',
    zh: '继续训练到连续几次验证不再提高，再谈最佳 checkpoint 或收敛速度',
  },
  check(subject, { say, FEWEST }) {
    const curves = validationCurves(subject)
    const judged = curves.filter(({ values }) => values.length >= FEWEST)
    if (judged.length === 0) return tooShort(longestOf(curves), FEWEST)
    return judged.flatMap(curve => {
      const { metric, steps, values } = curve
      const last = lastOf(curve)
      if (values.subarray(0, -1).some(value => value >= last)) return []
      const step = steps[steps.length - 1]
      return [
        {
          steps: [step, step] as const,
          evidence: { metric, value: last, evaluations: values.length },
          message: say('best-is-last', { metric, value: figure(last), step, n: values.length }),
        },
      ]
    })
  },
})

import { cannotSay, runRule, settingUnknown, threshold } from '../run-rule.js'
import type { Curve } from '../signs/curve.js'
import { afterStart, validationCurves } from '../signs/validation.js'
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
      en: 'all {n} evaluations (steps {first}–{last}) lie inside the learning-rate warm-up, which lasts until step {end}: they say nothing about the full rate',
      zh: '全部 {n} 次验证（step {first}–{last}）都在学习率 warmup 内（到 step {end} 结束），不能说明正常学习率下的效果',
    },
    'evals-in-warmup.rising': {
      en: 'all {n} evaluations (steps {first}–{last}) were made while the learning rate was still rising: they say nothing about the full rate',
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

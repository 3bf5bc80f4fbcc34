import type { Message } from '../../model/run.js'
import { FEWEST_FOR_CHANGE } from '../../stats/change-point.js'
import { figure, percentage } from '../../text/figure.js'
import { runRule, type Symptom, threshold, tooShort } from '../run-rule.js'
import { savedUpTo } from '../signs/acting.js'
import { type Curve, longestOf } from '../signs/curve.js'
import { evaluationNoise, validationCurves } from '../signs/validation.js'
import { COLLAPSE_THRESHOLDS, type Collapse, collapsesOf } from '../signs/validation-collapse.js'
import { haveFallenTogether } from '../signs/validation-fall.js'
import type { Subject } from '../subject.js'

export const validationCollapse = runRule({
  id: 'validation-collapse',
  severity: 'error',
  about: {
    en: 'Validation broke down: far below the best that it held, by more than its noise, and for long. The best is a mean of neighbours, since a single maximum is mostly luck. Of several validation sets each is asked at a level that allows for their number, and one that loses less than half while their mean holds is a note.',
    zh: '验证崩塌：远低于曾经保持的最好水平，超出噪声，且持续较久。最好水平取相邻几次的均值，因为单个最大值多半是运气。有多个验证集时，显著性水平除以其个数；单个验证集损失不到一半而均值不降，只作提示。',
  },
  needs: ['val.score'],
  thresholds: {
    FEWEST_EVALUATIONS: threshold(3, {
      en: 'Fewer evaluations have no course. Derived.',
      zh: '验证次数更少则谈不上走势。推得。',
    }),
    ...COLLAPSE_THRESHOLDS,
  },
  says: {
    'validation-collapse': {
      en: '{metric} collapsed at step {onset}: from {best} to {end} (−{change} %), and did not come back',
      zh: '{metric} 在 step {onset} 崩塌：从 {best} 降到 {end}（−{change}%），此后没有恢复',
    },
    'validation-collapse.undated': {
      en: '{metric} collapsed from {best} to {end} (−{change} %) and did not come back; {n} evaluations only tell that it was between step {before} and step {onset}',
      zh: '{metric} 从 {best} 崩塌到 {end}（−{change}%）且没有恢复；仅 {n} 次验证，只能确定发生在 step {before} 与 step {onset} 之间',
    },
    'validation-collapse.back': {
      en: '{metric} broke down from {best} to {end} (−{change} %) in steps {onset}–{last} and came back only in part or for a while',
      zh: '{metric} 在 step {onset}–{last} 从 {best} 崩塌到 {end}（−{change}%），之后只是部分或暂时恢复',
    },
    'validation-collapse.remedy': {
      en: 'go back to the checkpoint of step {before}; lower the learning rate or add a KL penalty before resuming, and stop on such a fall: {wasted} further steps were spent on it here',
      zh: '回到 step {before} 的 checkpoint；降低学习率或加 KL 约束后再继续，并在出现此类下跌时提前停止：这里又白跑了 {wasted} 步',
    },
  },
  check(subject, { FEWEST_EVALUATIONS }) {
    const curves = validationCurves(subject)
    const longest = longestOf(curves)
    if (longest.steps.length < FEWEST_EVALUATIONS) return tooShort(longest, FEWEST_EVALUATIONS)
    return collapsesOf(subject).map(({ curve, collapse }) => {
      const isAlone = !collapse.isGrave && haveFallenTogether(subject) === false
      return {
        ...symptomOf(curve, subject, collapse),
        severity: collapse.isGrave ? 'error' : isAlone ? 'note' : 'warning',
      }
    })
  },
})

function symptomOf(curve: Curve, subject: Subject, collapse: Collapse): Symptom {
  const noise = evaluationNoise(subject, curve)
  const { best, bestStep, limit, lastAbove, onset, last, end, below, change } = collapse
  return {
    steps: [onset, last],
    evidence: {
      metric: curve.metric,
      best,
      bestStep,
      limit,
      lastAbove,
      below: Array.from(below.steps),
      values: Array.from(below.values),
      after: end,
      ...(Number.isFinite(noise) && { noise }),
      ...(change !== null && { changeStep: change.step, changeP: change.p }),
    },
    message: sentence(curve, collapse),
    remedy: validationCollapse.say('validation-collapse.remedy', {
      before: savedUpTo(subject, lastAbove),
      wasted: last - onset,
    }),
  }
}

/** Fewer than twelve evaluations are not dated (docs/statistics.md). */
function sentence({ metric, values }: Curve, { best, end, onset, last, lastAbove, cameBack }: Collapse): Message {
  const n = values.length
  const figures = { metric, best: figure(best), end: figure(end), change: percentage((best - end) / Math.abs(best)) }
  if (cameBack) return validationCollapse.say('validation-collapse.back', { ...figures, onset, last })
  if (n >= FEWEST_FOR_CHANGE) return validationCollapse.say('validation-collapse', { ...figures, onset })
  return validationCollapse.say('validation-collapse.undated', { ...figures, n, before: lastAbove, onset })
}

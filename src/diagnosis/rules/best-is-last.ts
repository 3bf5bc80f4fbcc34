import { figure } from '../../text/figure.js'
import { runRule, threshold, tooShort } from '../run-rule.js'
import { lastOf, longestOf } from '../signs/curve.js'
import { validationCurves } from '../signs/validation.js'

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
      en: 'the best of {n} evaluations of {metric} is the last one ({value} at step {step}): it may still be rising, so its peak is not known',
      zh: '{metric} 的 {n} 次验证中，最后一次最高（{value}，step {step}）：可能仍在上升，峰值未知',
    },
  },
  remedy: {
    en: 'train on until several evaluations no longer improve before naming a best checkpoint or a speed',
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

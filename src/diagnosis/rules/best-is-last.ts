import { figure } from '../../text/figure.js'
import { message } from '../../text/say.js'
import { cannotSay, type Rule } from '../rule.js'
import { lastOf } from '../signs/curve.js'
import { validationCurves } from '../signs/validation.js'

/** Of two evaluations one is the last; that says nothing. */
const FEWEST = 3

/** The best evaluation is the last one: the best that this run can do has not been seen (the maximum is censored). */
export const bestIsLast: Rule = {
  id: 'best-is-last',
  severity: 'note',
  needs: ['val.score'],
  detect(subject) {
    const curves = validationCurves(subject)
    const judged = curves.filter(({ values }) => values.length >= FEWEST)
    if (judged.length === 0) {
      const { metric, values } = curves[0]
      return cannotSay(message('diagnose.too-short', { n: values.length, metric, needed: FEWEST }))
    }
    return judged.flatMap(curve => {
      const { metric, steps, values } = curve
      const last = lastOf(curve)
      if (values.subarray(0, -1).some(value => value >= last)) return []
      const step = steps[steps.length - 1]
      return [
        {
          steps: [step, step] as const,
          evidence: { metric, value: last, evaluations: values.length },
          message: message('best-is-last', { metric, value: figure(last), step, n: values.length }),
          remedy: message('best-is-last.remedy', {}),
        },
      ]
    })
  },
}

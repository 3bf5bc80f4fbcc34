import { figure, percentage } from '../../text/figure.js'
import { message } from '../../text/say.js'
import { cannotSay, type Rule, type Symptom } from '../rule.js'
import type { Curve } from '../signs/curve.js'
import { evaluationNoise, validationCurves } from '../signs/validation.js'
import { collapseOf } from '../signs/validation-collapse.js'
import { type Fall, FEWEST_FOR_TREND, fallOf } from '../signs/validation-fall.js'

/**
 * Validation has come down from where it was, short of a collapse, which is another rule's. A loss that rises is milder:
 * it need not follow the task.
 */
export const validationWorsened: Rule = {
  id: 'validation-worsened',
  severity: 'warning',
  needs: [['val.score', 'val.loss']],
  detect(subject) {
    const scores = validationCurves(subject)
    const curves = scores.length > 0 ? scores : subject.curves('val.loss').slice(0, 1)
    const longest = Math.max(...curves.map(({ steps }) => steps.length))
    if (longest < FEWEST_FOR_TREND) {
      return cannotSay(
        message('diagnose.too-short', { n: longest, metric: curves[0].metric, needed: FEWEST_FOR_TREND }),
      )
    }
    if (scores.length === 0) return curves.flatMap(curve => lossSymptom(curve, evaluationNoise(subject, curve)))
    const falls = curves.flatMap(curve => {
      const noise = evaluationNoise(subject, curve)
      const fall = fallOf(curve, noise)
      return fall === null ? [] : [{ curve, fall, collapse: collapseOf(curve, noise) }]
    })
    const others = falls.filter(({ fall, collapse }) => collapse === undefined || collapse.last < fall.steps[0])
    if (falls.length > 0 && others.length === 0) return cannotSay(message('validation-worsened.collapse', {}))
    return others.map(({ curve, fall }) => scoreSymptom(curve, fall))
  },
}

function scoreSymptom(curve: Curve, fall: Fall): Symptom {
  const { how, before, after, beforeSteps, steps } = fall
  const change = percentage((before - after) / Math.abs(before))
  const figures = { metric: curve.metric, before: figure(before), after: figure(after), change }
  return {
    steps,
    evidence: evidenceOf(curve, fall, 1),
    message:
      how === 'start'
        ? message('validation-worsened.start', { ...figures, step: beforeSteps[0] })
        : message('validation-worsened', { ...figures, from: beforeSteps[0], to: beforeSteps[1] }),
    remedy:
      how === 'start'
        ? message('validation-worsened.start.remedy', { step: steps[0] })
        : message('validation-worsened.remedy', { step: beforeSteps[1] }),
  }
}

function lossSymptom(curve: Curve, noise: number): Symptom[] {
  const fall = fallOf({ ...curve, values: curve.values.map(value => -value) }, noise, SMALLEST_RISE_OF_LOSS)
  if (fall === null) return []
  const { before, after, steps } = fall
  return [
    {
      severity: 'note',
      steps,
      evidence: evidenceOf(curve, fall, -1),
      message: message('validation-worsened.loss', {
        metric: curve.metric,
        before: figure(-before),
        after: figure(-after),
        change: percentage((before - after) / Math.abs(before)),
      }),
      remedy: message('validation-worsened.loss.remedy', {}),
    },
  ]
}

/** Derived: a loss has an offset that no training removes, so a share of it says less; 1 % keeps rounding out. */
const SMALLEST_RISE_OF_LOSS = 0.01

function evidenceOf({ metric }: Curve, { how, before, after, beforeSteps, p }: Fall, sign: number) {
  return { metric, how, before: sign * before, after: sign * after, beforeSteps, ...(p !== null && { p }) }
}

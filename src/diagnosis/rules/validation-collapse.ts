import type { Message } from '../../model/run.js'
import { FEWEST_FOR_CHANGE } from '../../stats/change-point.js'
import { figure, percentage } from '../../text/figure.js'
import { message } from '../../text/say.js'
import { cannotSay, type Rule, type Symptom } from '../rule.js'
import type { Curve } from '../signs/curve.js'
import { evaluationNoise, validationCurves } from '../signs/validation.js'
import { type Collapse, collapseOf } from '../signs/validation-collapse.js'

const FEWEST_EVALUATIONS = 3

/** Validation broke down. What counts as that stands in analysis/validation-collapse.ts. */
export const validationCollapse: Rule = {
  id: 'validation-collapse',
  severity: 'error',
  needs: ['val.score'],
  detect(subject) {
    const curves = validationCurves(subject)
    const longest = Math.max(...curves.map(({ steps }) => steps.length))
    if (longest < FEWEST_EVALUATIONS) {
      return cannotSay(
        message('diagnose.too-short', { n: longest, metric: curves[0].metric, needed: FEWEST_EVALUATIONS }),
      )
    }
    return curves.flatMap(curve => {
      const noise = evaluationNoise(subject, curve)
      const collapse = collapseOf(curve, noise)
      return collapse === undefined ? [] : [symptomOf(curve, noise, collapse)]
    })
  },
}

function symptomOf(curve: Curve, noise: number, collapse: Collapse): Symptom {
  const { best, bestStep, limit, lastAbove, onset, last, end, below, change } = collapse
  return {
    severity: collapse.isGrave ? 'error' : 'warning',
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
    remedy: message('validation-collapse.remedy', { before: lastAbove, wasted: last - onset }),
  }
}

/** Fewer than twelve evaluations are not dated (docs/statistics.md). */
function sentence({ metric, values }: Curve, { best, end, onset, last, lastAbove, cameBack }: Collapse): Message {
  const n = values.length
  const figures = { metric, best: figure(best), end: figure(end), change: percentage((best - end) / Math.abs(best)) }
  if (cameBack) return message('validation-collapse.back', { ...figures, onset, last })
  if (n >= FEWEST_FOR_CHANGE) return message('validation-collapse', { ...figures, onset })
  return message('validation-collapse.undated', { ...figures, n, before: lastAbove, onset })
}

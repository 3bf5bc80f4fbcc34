import { figure, listed } from '../../text/figure.js'
import { message } from '../../text/say.js'
import type { Rule } from '../rule.js'
import type { Subject } from '../subject.js'

/** Fewer points may well agree in three printed decimals. Derived. */
const FEWEST_POINTS = 20

/**
 * Quantities that differ from batch to batch in any run that trains. Not rates, coefficients, maxima at a limit or clip
 * fractions: those may stand still. Not losses: on-policy they print as 0.
 */
const MUST_VARY = ['reward.mean', 'score.mean', 'entropy', 'grad.norm', 'kl.ref', 'len.response', 'time.step'] as const

/** A metric that must vary never does: a placeholder, too few digits, or nothing happens. */
export const seriesConstant: Rule = {
  id: 'series-constant',
  severity: 'note',
  needs: [MUST_VARY],
  detect(subject) {
    const still = MUST_VARY.flatMap(meaning => (mayStandStill(meaning, subject) ? [] : constantOf(subject, meaning)))
    if (still.length === 0) return
    return {
      steps: [Math.min(...still.map(({ from }) => from)), Math.max(...still.map(({ to }) => to))],
      evidence: { metrics: still.map(({ metric }) => metric), values: still.map(({ value }) => value) },
      message: message('series-constant', {
        n: still.length,
        list: listed(still.map(({ metric, value }) => `${metric} = ${figure(value)}`)),
      }),
      remedy: message('series-constant.remedy', {}),
    }
  },
}

/** Without a penalty some trainers log a divergence of 0 that nobody computed. */
function mayStandStill(meaning: string, { kl }: Subject): boolean {
  return meaning === 'kl.ref' && kl.inLoss.on !== true && kl.inReward.on !== true
}

function constantOf({ curve }: Subject, meaning: string) {
  const found = curve(meaning)
  if (found === undefined || found.values.length < FEWEST_POINTS) return []
  const { metric, steps, values } = found
  return values.every(value => value === values[0])
    ? [{ metric, value: values[0], from: steps[0], to: steps[steps.length - 1] }]
    : []
}

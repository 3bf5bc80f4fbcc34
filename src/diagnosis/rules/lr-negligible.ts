import { figure } from '../../text/figure.js'
import { message } from '../../text/say.js'
import { cannotSay, type Rule } from '../rule.js'
import { configuredRate, loggedRate } from '../signs/acting.js'
import { type Curve, firstOf, lastOf, stepsOf } from '../signs/curve.js'
import { decimalsOf, rangeOf } from '../signs/printed.js'
import { type Subject, wholeRun } from '../subject.js'

/** Typical rates of RL with Adam are 1e-7 to 1e-4 (1e-6, 3e-6, 1e-5). */
const SMALLEST_USUAL = 1e-7
/** Derived: ten times below it nothing can move in any affordable number of steps, whatever the curves say. */
const HOPELESS = SMALLEST_USUAL / 10
/** Derived: same weights give 1e-6 and more by other kernels alone. */
const UNMOVED_KL = 1e-5
/** Derived: three evaluations in a row may agree by chance, five do not. */
const FEWEST_EVALUATIONS = 5

/** The learning rate is too small to change the policy at all. */
export const lrNegligible: Rule = {
  id: 'lr-negligible',
  severity: 'warning',
  needs: [],
  uses: ['lr', 'kl.ref', 'val.score'],
  detect(subject) {
    const rate = peakRate(subject)
    if (rate === null) return cannotSay(message('diagnose.setting-unknown', { key: 'lr' }))
    if (!(rate > 0 && rate < SMALLEST_USUAL)) return
    const [kl, score] = [subject.curve('kl.ref'), subject.curve('val.score')]
    // A KL printed as 0.000 may be anything up to 0.0005.
    const highest = kl === undefined ? undefined : rangeOf(largest(kl), decimalsOf(kl)).high
    const still = highest !== undefined && highest < UNMOVED_KL
    const frozen = score !== undefined && score.steps.length >= FEWEST_EVALUATIONS && isConstant(score)
    if (rate >= HOPELESS && !still && !frozen) return
    const logged = loggedRate(subject)
    return {
      ...(still || frozen ? { severity: 'error' } : {}),
      steps: logged === undefined ? wholeRun(subject) : stepsOf(logged),
      evidence: {
        rate,
        usual: [SMALLEST_USUAL, 1e-4],
        ...(highest === undefined ? {} : { highestKl: highest }),
        ...(frozen ? { score: score.values[0] } : {}),
      },
      message: message(still || frozen ? 'lr-negligible.still' : 'lr-negligible', { rate: figure(rate) }),
      remedy: message('lr-negligible.remedy', {}),
    }
  },
}

/** The highest that was logged; where that prints as 0, or is still warming up, what was configured. */
function peakRate(subject: Subject): number | null {
  const logged = loggedRate(subject)
  const peak = logged === undefined ? 0 : largest(logged)
  const isWarmingUp = logged !== undefined && firstOf(logged) < peak && lastOf(logged) === peak
  return peak > 0 && !isWarmingUp ? peak : configuredRate(subject)
}

function largest({ values }: Curve): number {
  return values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)
}

function isConstant({ values }: Curve): boolean {
  return values.every(value => value === values[0])
}

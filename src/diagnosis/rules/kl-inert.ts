import { figure } from '../../text/figure.js'
import { message } from '../../text/say.js'
import { cannotSay, type Rule } from '../rule.js'
import { actingCoefficient, klPathOf } from '../signs/acting.js'
import { medianOf, stepsOf } from '../signs/curve.js'
import { decimalsOf, rangeOf } from '../signs/printed.js'

/**
 * A penalty below this share of the policy loss is lost in its noise. Derived, not measured: the UserRL run whose KL
 * term was 0.5 % of its policy loss (docs/statistics.md) is the case that people asked about.
 */
const SMALLEST_SHARE = 0.01
/** Below it the policy has not moved, and no coefficient would act: numerical noise. */
const UNMOVED = 1e-6

/** The KL term is too small to act: the policy trains as if it had no reference. */
export const klInert: Rule = {
  id: 'kl-inert',
  severity: 'note',
  needs: ['kl.ref', 'loss.policy'],
  uses: ['kl.coef'],
  detect(subject) {
    const [divergence, policyLoss] = [subject.curve('kl.ref'), subject.curve('loss.policy')]
    if (divergence === undefined || policyLoss === undefined) return
    const coefficient = actingCoefficient(subject)
    if (coefficient === null) return cannotSay(message('diagnose.kl-coefficient-unknown', {}))
    if (coefficient === 0) return
    if (klPathOf(divergence, subject) !== subject.kl.inLoss) return cannotSay(message('kl-inert.in-reward', {}))
    // A KL printed as 0.000 may be anything up to 0.0005.
    const kl = rangeOf(medianOf(divergence), decimalsOf(divergence)).high
    const loss = medianOf({ ...policyLoss, values: policyLoss.values.map(Math.abs) })
    const share = Math.abs(coefficient * kl) / loss
    if (kl < UNMOVED || !(share < SMALLEST_SHARE)) return
    return {
      steps: stepsOf(divergence),
      evidence: {
        metrics: [divergence.metric, policyLoss.metric],
        coefficient,
        kl: medianOf(divergence),
        policyLoss: loss,
        share,
      },
      message: message('kl-inert', { share: figure(100 * share, 2) }),
      remedy: message('kl-inert.remedy', {}),
    }
  },
}

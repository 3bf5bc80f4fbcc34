import { medianOf } from '../analysis/curve.js'
import { message } from '../text/say.js'
import type { Rule } from './rule.js'

/**
 * A penalty below this share of the policy loss is lost in its noise. Derived, not measured: the UserRL run whose KL
 * term was 0.5 % of its policy loss (facts/statistics 2.1) is the case that people asked about.
 */
const SMALLEST_SHARE = 0.01

/** The KL term is too small to act: the policy trains as if it had no reference. */
export const klInert: Rule = {
  id: 'kl-inert',
  severity: 'note',
  needs: ['kl.ref', 'loss.policy'],
  uses: ['kl.coef'],
  detect({ kl, curve }) {
    const [divergence, policyLoss, logged] = [curve('kl.ref'), curve('loss.policy'), curve('kl.coef')]
    if (divergence === undefined || policyLoss === undefined) return
    const coefficient = logged === undefined ? kl.inLoss.coefficient : medianOf(logged)
    if (coefficient === null) return { cannotSay: message('diagnose.kl-coefficient-unknown', {}) }
    if (coefficient === 0) return
    const loss = medianOf({ ...policyLoss, values: policyLoss.values.map(Math.abs) })
    const share = Math.abs(coefficient * medianOf(divergence)) / loss
    if (!(share < SMALLEST_SHARE)) return
    return {
      steps: [divergence.steps[0], divergence.steps[divergence.steps.length - 1]],
      evidence: { coefficient, kl: medianOf(divergence), policyLoss: loss, share },
      message: message('kl-inert', { share: (100 * share).toPrecision(2) }),
      remedy: message('kl-inert.remedy', {}),
    }
  },
}

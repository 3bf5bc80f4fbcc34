import { percentage } from '../../text/figure.js'
import { message } from '../../text/say.js'
import { cannotSay, type Rule } from '../rule.js'
import { ends, medianOf, stepsOf, within } from '../signs/curve.js'
import { deadEnd, updateSize } from '../signs/dead-run.js'
import { lastingToTheEnd } from '../signs/lasting.js'

/** Derived: healthy norms stay within a factor of ten of their start (0.97 → 1.24, 1.4 → 1). */
const SHARE_OF_START = 0.01
/** Below any float32 noise of a working update; the same limit as for a dead run. */
const NOTHING = 1e-6
const FEWEST = 10

/** The gradient has become a hundredth of what it was, and stays there. */
export const gradVanishing: Rule = {
  id: 'grad-vanishing',
  severity: 'warning',
  needs: ['grad.norm'],
  uses: ['loss.policy', 'loss.total'],
  detect(subject) {
    const gradient = subject.curve('grad.norm')
    if (gradient === undefined) return
    const { metric, steps } = gradient
    if (steps.length < FEWEST) {
      return cannotSay(message('diagnose.too-short', { n: steps.length, metric, needed: FEWEST }))
    }
    const update = updateSize(subject)
    if (update !== undefined && deadEnd(update) !== undefined) return cannotSay(message('grad-vanishing.dead', {}))
    const start = medianOf(ends(gradient).start)
    const found = lastingToTheEnd(gradient, norm => norm < Math.max(NOTHING, SHARE_OF_START * start), FEWEST)
    if (found === undefined) return
    const small = within(gradient, found)
    return {
      steps: stepsOf(small),
      evidence: { metric, start, end: medianOf(small) },
      message: message('grad-vanishing', { share: percentage(medianOf(small) / start), step: small.steps[0] }),
      remedy: message('grad-vanishing.remedy', {}),
    }
  },
}

import { percentage } from '../../text/figure.js'
import { message } from '../../text/say.js'
import { cannotSay, type Rule } from '../rule.js'
import { stepsOf } from '../signs/curve.js'
import { deadEnd, deadPoints, FEWEST_DEAD, updateSize } from '../signs/dead-run.js'

/** No gradient and no loss up to the end of the log: every further step is paid for and does nothing. */
export const runDead: Rule = {
  id: 'run-dead',
  severity: 'error',
  needs: ['grad.norm', ['loss.policy', 'loss.total']],
  detect(subject) {
    const update = updateSize(subject)
    if (update === undefined) return
    const { metric, steps } = update
    if (steps.length < FEWEST_DEAD) {
      return cannotSay(message('diagnose.too-short', { n: steps.length, metric, needed: FEWEST_DEAD }))
    }
    const dead = deadEnd(update)
    if (dead === undefined) return
    const [from, to] = stepsOf(dead)
    const born = from === steps[0]
    return {
      steps: [from, to],
      evidence: { gradient: metric, deadPoints: deadPoints(dead), points: dead.steps.length },
      message: message(born ? 'run-dead.start' : 'run-dead', {
        from,
        to,
        share: percentage(deadPoints(dead) / dead.steps.length),
      }),
      remedy: message(born ? 'run-dead.start.remedy' : 'run-dead.remedy', { from }),
    }
  },
}

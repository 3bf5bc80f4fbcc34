import { figure } from '../../text/figure.js'
import { message } from '../../text/say.js'
import { cannotSay, type Rule } from '../rule.js'
import { type Curve, medianOf, stepsOf, within } from '../signs/curve.js'
import { lastingToTheEnd } from '../signs/lasting.js'
import { SCORES, scoreCourse } from '../signs/score.js'

/** Nats per token: rising is fine below 1, at 2 answers degrade (rllm #116). */
const HIGH = 1
/** Derived: a base model may begin at 2 nats and more, so it must also be three times what the run began with. */
const TIMES_START = 3
/** The start is the median of so many points: one step is noisy, twenty are already training. */
const STARTING_POINTS = 5
const FEWEST = 2 * STARTING_POINTS

/** The policy dissolves into noise. */
export const entropyExplosion: Rule = {
  id: 'entropy-explosion',
  severity: 'warning',
  needs: ['entropy'],
  uses: SCORES,
  detect(subject) {
    const entropy = subject.curve('entropy')
    if (entropy === undefined) return
    if (entropy.steps.length < FEWEST) {
      return cannotSay(
        message('diagnose.too-short', { n: entropy.steps.length, metric: entropy.metric, needed: FEWEST }),
      )
    }
    const start = startOf(entropy)
    const limit = Math.max(HIGH, TIMES_START * start)
    const found = lastingToTheEnd(entropy, value => value > limit)
    if (found === undefined) return
    const high = within(entropy, found)
    return {
      ...(scoreCourse(subject)?.fell === true ? { severity: 'error' } : {}),
      steps: stepsOf(high),
      evidence: { metric: entropy.metric, start, entropy: medianOf(high), limit },
      message: message('entropy-explosion', {
        start: figure(start),
        entropy: figure(medianOf(high)),
        limit: figure(limit),
        step: high.steps[0],
      }),
      remedy: message('entropy-explosion.remedy', {}),
    }
  },
}

function startOf(entropy: Curve): number {
  return medianOf(within(entropy, { from: 0, to: STARTING_POINTS }))
}

import { figure } from '../../text/figure.js'
import { message } from '../../text/say.js'
import type { Rule, Symptom } from '../rule.js'
import { configuredRate, loggedRate } from '../signs/acting.js'
import { type Curve, stepsOf, within } from '../signs/curve.js'
import { stretches } from '../signs/lasting.js'
import { decimalsOf, isPrintedInFull } from '../signs/printed.js'
import type { Subject } from '../subject.js'

/** Derived: a warm-up starts at 0 and a decay ends there, for a point or two; more than these are steps without learning. */
const FEWEST_IDLE = 10
const IDLE_SHARE = 0.05
/** verl 0.4 prints three decimals; a rate of 1e-4 and less then prints as 0.000. */
const LARGEST_THAT_VANISHES = 0.0005

/** The logged rate is zero: because it was printed with three decimals, or because it is. */
export const lrPrintsZero: Rule = {
  id: 'lr-prints-zero',
  severity: 'note',
  needs: ['lr'],
  detect(subject) {
    const rate = loggedRate(subject)
    if (rate === undefined) return
    const zeros = stretches(rate, value => value === 0)
    const longest = zeros.reduce((most, { from, to }) => Math.max(most, to - from), 0)
    if (longest === 0) return
    const all = longest === rate.values.length
    if (!isPrintedInFull(subject.manifest) && decimalsOf(rate) !== 'full')
      return all ? rounded(rate, subject) : undefined
    if (longest < Math.max(FEWEST_IDLE, IDLE_SHARE * rate.values.length)) return
    const found = zeros.find(({ from, to }) => to - from === longest)
    return found === undefined ? undefined : idle(within(rate, found), all)
  },
}

function rounded(rate: Curve, subject: Subject): Symptom | undefined {
  const configured = configuredRate(subject)
  if (configured !== null && !(configured > 0 && configured < LARGEST_THAT_VANISHES)) return idle(rate, true)
  return {
    steps: stepsOf(rate),
    evidence: { metric: rate.metric, points: rate.values.length, ...(configured === null ? {} : { configured }) },
    message:
      configured === null
        ? message('lr-prints-zero.unknown', {})
        : message('lr-prints-zero', { configured: figure(configured) }),
    remedy: message('lr-prints-zero.remedy', {}),
  }
}

/** Really zero. At the end of a run it is a schedule that was shorter than the training. */
function idle(zero: Curve, all: boolean): Symptom {
  const [from, to] = stepsOf(zero)
  return {
    severity: all ? 'error' : 'warning',
    steps: [from, to],
    evidence: { metric: zero.metric, points: zero.values.length },
    message: message(all ? 'lr-prints-zero.always' : 'lr-prints-zero.idle', { from, to }),
    remedy: message(all ? 'lr-prints-zero.always.remedy' : 'lr-prints-zero.idle.remedy', {}),
  }
}

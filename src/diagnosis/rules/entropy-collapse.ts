import { numberOf } from '../../model/vocabulary/config-value.js'
import { trend } from '../../stats/trend.js'
import { figure } from '../../text/figure.js'
import { message } from '../../text/say.js'
import { cannotSay, type Rule, type Symptom } from '../rule.js'
import { between, type Curve, inBlocks, lastOf, medianOf, stepsOf, within } from '../signs/curve.js'
import { lastingToTheEnd } from '../signs/lasting.js'
import { isScoreRising, SCORES, scoreCourse } from '../signs/score.js'
import type { Subject } from '../subject.js'

/**
 * Nats per token. Derived: at 0.01 about one token in a thousand is not the likeliest one, so all answers to a prompt
 * are the same and no group has anything to learn from. Healthy logs stand at 0.1–1; TRL calls 0.2 near collapse, but
 * runs that still improve are seen at 0.05.
 */
const FLOOR = 0.01
/** Derived: a policy that never was above five floors did not fall; it is logged as 0 or began deterministic. */
const ONCE_OPEN = 5 * FLOOR
const FEWEST = 5
/** The trend test looks at every pair of points. */
const TREND_BLOCKS = 40
const FEWEST_FOR_TREND = 10
const TREND_LEVEL = 0.01

/** The policy has stopped exploring, or will before the run ends, with nothing gained by it. */
export const entropyCollapse: Rule = {
  id: 'entropy-collapse',
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
    return atFloor(entropy, subject) ?? onTheWay(entropy, subject)
  },
}

function atFloor(entropy: Curve, subject: Subject): Symptom | undefined {
  const found = lastingToTheEnd(entropy, value => value < FLOOR)
  if (found === undefined) return undefined
  const highest = entropy.values.reduce((most, value) => Math.max(most, value), 0)
  const floor = within(entropy, found)
  const fell = scoreCourse(subject)?.fell === true
  const opened = highest >= ONCE_OPEN
  return {
    severity: !opened ? 'note' : fell ? 'error' : 'warning',
    steps: stepsOf(floor),
    evidence: { metric: entropy.metric, floor: FLOOR, highest, entropy: medianOf(floor) },
    message: message(opened ? 'entropy-collapse' : 'entropy-collapse.never', {
      step: floor.steps[0],
      highest: figure(highest),
      entropy: figure(medianOf(floor)),
    }),
    remedy: message(opened ? 'entropy-collapse.remedy' : 'entropy-collapse.never.remedy', {}),
  }
}

/**
 * Entropy falls by a share of what is left, so its logarithm is followed: over the second half of the log it must fall
 * demonstrably, reach the floor before the run is over, and the score must not be rising meanwhile.
 */
function onTheWay(entropy: Curve, subject: Subject): Symptom | undefined {
  const planned = numberOf(subject.settings.get('steps')?.effective ?? undefined)
  const [first, last] = stepsOf(entropy)
  if (planned === null || planned <= last) return undefined
  const late = inBlocks(between(entropy, (first + last) / 2, last), TREND_BLOCKS)
  if (late.steps.length < FEWEST_FOR_TREND || late.values.some(value => value <= FLOOR)) return undefined
  const { slope, p } = trend(late.steps, late.values.map(Math.log))
  if (slope >= 0 || p > TREND_LEVEL) return undefined
  const reached = last + Math.log(lastOf(late) / FLOOR) / -slope
  if (reached > planned || isScoreRising(subject)) return undefined
  return {
    steps: [late.steps[0], last],
    evidence: {
      metric: entropy.metric,
      floor: FLOOR,
      entropy: lastOf(late),
      floorAtStep: Math.round(reached),
      planned,
      p,
    },
    message: message('entropy-collapse.soon', {
      entropy: figure(lastOf(late)),
      reached: Math.round(reached),
      planned,
    }),
    remedy: message('entropy-collapse.remedy', {}),
  }
}

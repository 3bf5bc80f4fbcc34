import { median } from '../../stats/descriptive.js'
import { figure } from '../../text/figure.js'
import { message } from '../../text/say.js'
import { cannotSay, type Rule, type Symptom } from '../rule.js'
import { actingCoefficient, isKlPerSequence, timesKlIsSummed } from '../signs/acting.js'
import { type Curve, ends, medianOf, stepsOf, within } from '../signs/curve.js'
import { lasting } from '../signs/lasting.js'
import { SCORES, scoreCourse } from '../signs/score.js'
import type { Subject } from '../subject.js'

/**
 * Nats per token. Derived: controllers aim at 0.01–0.1, 56 healthy runs stay at or below 0.43
 * (median of 21 steps) and LLM logs below 0.5; at 1 nat the policy gives its typical token e times the probability that
 * the reference gives it.
 */
const FAR = 1
/** Derived: the same, summed over an answer of fifty tokens. */
const FAR_PER_SEQUENCE = 50
/**
 * Derived: what grows like a power p of time stands at 2^p times its median so far: linear at 2, quadratic at 4, cubic
 * at 8. Ten times is no longer drift. Counted from a third of FAR on.
 */
const ACCELERATION = 10
const BLOCKS = 40
/** Derived: a warm-up holds the KL at zero for a while; half a run is long enough to say what is usual. */
const USUAL_SHARE = 0.5
const FEWEST = 5
/** Within so many points there is no earlier checkpoint to go back to. */
const AT_ONCE = 5
/** Points near the reference after which it has come back. Derived: one may be an odd batch. */
const FEWEST_BACK = 2

/** The policy leaves its reference and does not come back. */
export const klRunaway: Rule = {
  id: 'kl-runaway',
  severity: 'warning',
  needs: ['kl.ref'],
  uses: ['kl.coef', ...SCORES],
  detect(subject) {
    const kl = subject.curve('kl.ref')
    if (kl === undefined) return
    const coefficient = actingCoefficient(subject)
    if (coefficient !== null && coefficient < 0) return ofSign(kl, coefficient)
    if (kl.steps.length < FEWEST) {
      return cannotSay(message('diagnose.too-short', { n: kl.steps.length, metric: kl.metric, needed: FEWEST }))
    }
    const far = (isKlPerSequence(subject) ? FAR_PER_SEQUENCE : FAR) * timesKlIsSummed(kl, subject)
    return ofLevel(kl, far, subject) ?? ofPace(kl, far, subject)
  },
}

/** A negative coefficient rewards distance from the reference, from the first update on (Logic-RL #58, ToolRL #52). */
function ofSign(kl: Curve, coefficient: number): Symptom {
  const { start, end } = ends(kl)
  return {
    severity: 'error',
    steps: stepsOf(kl),
    evidence: { metric: kl.metric, coefficient, start: medianOf(start), end: medianOf(end) },
    message: message('kl-runaway.sign', {
      coefficient,
      start: figure(medianOf(start)),
      end: figure(medianOf(end)),
    }),
    remedy: message('kl-runaway.sign.remedy', {}),
  }
}

function ofLevel(kl: Curve, far: number, subject: Subject): Symptom | undefined {
  const found = lasting(kl, value => value > far, FEWEST)
  const long = found.find(({ from, to }) => to - from >= kl.steps.length / 10 || to === kl.steps.length)
  if (long === undefined) return undefined
  const { to } = found[found.length - 1]
  const beyond = within(kl, { from: long.from, to })
  const after = within(kl, { from: to, to: kl.steps.length })
  if (after.steps.length >= FEWEST_BACK && medianOf(after) <= far) return ofSpike(beyond, after, far)
  return {
    ...graver(subject),
    steps: stepsOf(beyond),
    evidence: { metric: kl.metric, far, kl: medianOf(beyond), ...scoreEvidence(subject) },
    message: message('kl-runaway', { far, step: beyond.steps[0], kl: figure(medianOf(beyond)) }),
    remedy: message(long.from < AT_ONCE ? 'kl-runaway.start.remedy' : 'kl-runaway.remedy', {}),
  }
}

/** Far away for a while, but it came back: what made it jump may do so again. */
function ofSpike(beyond: Curve, after: Curve, far: number): Symptom {
  const highest = beyond.values.reduce((most, value) => Math.max(most, value))
  const [from, to] = stepsOf(beyond)
  const [back] = after.steps
  return {
    steps: [from, to],
    evidence: { metric: beyond.metric, far, highest, kl: medianOf(beyond), back, after: medianOf(after) },
    message: message('kl-runaway.back', {
      far,
      from,
      to,
      highest: figure(highest),
      back,
      after: figure(medianOf(after)),
    }),
    remedy: message('kl-runaway.back.remedy', { from }),
  }
}

/** Still near, but on its way: many times what it used to be, and still there at the end. */
function ofPace(kl: Curve, far: number, subject: Subject): Symptom | undefined {
  const blocks = mediansOfBlocks(kl)
  const count = blocks.values.length
  for (let i = Math.ceil(USUAL_SHARE * count); i < count; i += 1) {
    const usual = median(blocks.values.subarray(0, i))
    const limit = Math.max(far / 3, ACCELERATION * usual)
    if (blocks.values[i - 1] > limit || !blocks.values.subarray(i).every(value => value > limit)) continue
    const now = blocks.values[count - 1]
    return {
      ...graver(subject),
      steps: [blocks.steps[i], kl.steps[kl.steps.length - 1]],
      evidence: { metric: kl.metric, usual, kl: now, times: now / usual, ...scoreEvidence(subject) },
      message: message('kl-runaway.pace', { usual: figure(usual), kl: figure(now), step: blocks.steps[i] }),
      remedy: message('kl-runaway.remedy', {}),
    }
  }
  return undefined
}

function mediansOfBlocks({ metric, steps, values }: Curve): Curve {
  const count = Math.min(BLOCKS, Math.floor(steps.length / FEWEST))
  const edge = (i: number): number => Math.round((i * steps.length) / count)
  return {
    metric,
    steps: Float64Array.from({ length: count }, (_, i) => steps[edge(i)]),
    values: Float64Array.from({ length: count }, (_, i) => median(values.subarray(edge(i), edge(i + 1)))),
  }
}

function graver(subject: Subject): Pick<Symptom, 'severity'> {
  return scoreCourse(subject)?.fell === true ? { severity: 'error' } : {}
}

function scoreEvidence(subject: Subject): Symptom['evidence'] {
  const course = scoreCourse(subject)
  return course === undefined ? {} : { score: course.metric, bestScore: course.best, endScore: course.end }
}

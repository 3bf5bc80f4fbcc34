import { mean, median, standardDeviation } from '../../stats/descriptive.js'
import { figure, percentage } from '../../text/figure.js'
import { message } from '../../text/say.js'
import { cannotSay, type Rule, type Symptom } from '../rule.js'
import { between, type Curve, medianOf } from '../signs/curve.js'
import { stretches } from '../signs/lasting.js'
import type { Subject } from '../subject.js'

/**
 * The environment fails, not the policy. A judge or user simulator that is down gives reward 0 for everything,
 * at once and whatever the policy does; a policy that dies takes several steps, and its
 * gradient, answers and entropy die with it. Where all of a batch is 0 and no KL or entropy acts, the gradient is 0 in
 * both cases; then only a policy that otherwise writes as before speaks for an outage.
 */
export const environmentOutage: Rule = {
  id: 'environment-outage',
  severity: 'error',
  needs: [['score.mean', 'reward.mean', 'tools.failures', 'len.aborted']],
  uses: ['grad.norm', 'len.response', 'entropy'],
  detect(subject) {
    const failures = ['tools.failures', 'len.aborted'].flatMap(meaning => suddenFailures(subject.curve(meaning)))
    const reward = subject.curve('score.mean') ?? subject.curve('reward.mean')
    if (reward === undefined) return failures
    const zeros = suddenZeros(reward)
    if (zeros.length === 0) return failures
    const signs = SIGNS_OF_LIFE.flatMap(meaning => subject.curve(meaning) ?? [])
    if (signs.length === 0) return cannotSay(message('environment-outage.blind', { step: reward.steps[zeros[0].from] }))
    return [...failures, ...zeros.flatMap(zero => outage(subject, reward, zero))]
  },
}

const SIGNS_OF_LIFE = ['grad.norm', 'len.response', 'entropy'] as const

/** Points before the fall that must show a level, and points at zero. Derived: see `suddenZeros`. */
const FEWEST_BEFORE = 10
const FEWEST_ZEROS = 3
/** The level must stand so many standard deviations above 0. For counts of rare successes that makes one zero 1e-4. */
const CLEARLY_ABOVE = 3
/** The last point before: a policy that is dying has lost half by then. Derived. */
const STILL_THERE = 0.5
/** A dead gradient. */
const DEAD_GRADIENT = 1e-6
/** Answers and entropy as before, within a factor of two: the length rule's own measure of a collapse. */
const AS_BEFORE = 2

interface Zeros {
  readonly from: number
  /** Index after the last zero. */
  readonly to: number
  readonly level: number
}

/** Three zeros or more in a row after a level that makes zeros next to impossible, with no slope in between. */
function suddenZeros(reward: Curve): Zeros[] {
  return stretches(reward, value => value === 0).flatMap(({ from, to }) => {
    if (to - from < FEWEST_ZEROS || from < FEWEST_BEFORE) return []
    const before = reward.values.subarray(Math.max(0, from - 2 * FEWEST_BEFORE), from)
    const level = mean(before)
    const isClear = level >= CLEARLY_ABOVE * standardDeviation(before)
    return isClear && reward.values[from - 1] >= STILL_THERE * median(before) ? [{ from, to, level }] : []
  })
}

function outage({ curve }: Subject, reward: Curve, { from, to, level }: Zeros): Symptom[] {
  const [first, last] = [reward.steps[from], reward.steps[to - 1]]
  const gradient = curve('grad.norm')
  const during = gradient === undefined ? undefined : between(gradient, first, last)
  const norm = during === undefined || during.steps.length === 0 ? null : medianOf(during)
  const isAlive = norm !== null && norm > DEAD_GRADIENT
  const writes = (['len.response', 'entropy'] as const).flatMap(meaning => ratioOf(curve(meaning), reward, from, to))
  const writesAsBefore = writes.length > 0 && writes.every(ratio => ratio > 1 / AS_BEFORE && ratio < AS_BEFORE)
  if (!isAlive && !writesAsBefore) return []
  const recovered = to < reward.steps.length ? reward.steps[to] : null
  const figures = { metric: reward.metric, level: figure(level), first }
  return [
    {
      steps: [first, last],
      evidence: {
        metric: reward.metric,
        before: level,
        zeros: to - from,
        ...(norm !== null && { gradient: norm }),
        ...(recovered !== null && { recovered }),
      },
      message: isAlive
        ? message('environment-outage', { ...figures, gradient: figure(norm) })
        : message('environment-outage.frozen', figures),
      remedy:
        recovered === null
          ? message('environment-outage.remedy', { before: reward.steps[from - 1] })
          : message('environment-outage.recovered.remedy', { first, last, before: reward.steps[from - 1] }),
    },
  ]
}

/** How the policy writes during the zeros, relative to before; its first moments there, since a frozen policy stays. */
function ratioOf(curve: Curve | undefined, reward: Curve, from: number, to: number): number[] {
  if (curve === undefined) return []
  const before = between(curve, reward.steps[Math.max(0, from - FEWEST_BEFORE)], reward.steps[from - 1])
  const during = between(curve, reward.steps[from], reward.steps[to - 1])
  return before.steps.length === 0 || during.steps.length === 0 ? [] : [medianOf(during) / medianOf(before)]
}

/** Derived: when more than half of the calls fail, failures are what the policy learns from. */
const MOSTLY = 0.5
/** A policy that is new to its tools fails often too, so it must have been at half of that before. Derived. */
const SELDOM = 0.25

function suddenFailures(curve: Curve | undefined): Symptom[] {
  if (curve === undefined) return []
  return stretches(curve, share => share > MOSTLY).flatMap(({ from, to }): Symptom[] => {
    if (to - from < FEWEST_ZEROS || from < FEWEST_BEFORE) return []
    const before = median(curve.values.subarray(from - FEWEST_BEFORE, from))
    if (before > SELDOM) return []
    const level = median(curve.values.subarray(from, to))
    const steps = [curve.steps[from], curve.steps[to - 1]] as const
    return [
      {
        steps,
        evidence: { metric: curve.metric, before, level },
        message: message('environment-outage.failures', {
          metric: curve.metric,
          before: percentage(before),
          level: percentage(level),
          first: steps[0],
        }),
        remedy: message('environment-outage.remedy', { before: curve.steps[from - 1] }),
      },
    ]
  })
}

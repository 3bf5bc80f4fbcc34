import type { Severity } from '../../model/finding.js'
import { figure } from '../../text/figure.js'
import { message } from '../../text/say.js'
import { type CannotSay, cannotSay, type Rule, type Symptom } from '../rule.js'
import { actingCoefficient, updatesPerStep } from '../signs/acting.js'
import { type Curve, firstOf, stepsOf } from '../signs/curve.js'
import type { Subject } from '../subject.js'

/** Same weights, other kernels: KL of 1e-6 to 1e-3 is numerical noise; bf16 may triple it. */
const NOISE = 0.003
/** Derived: ten times the usual noise cannot be rounding, nor what the updates within one step do. */
const CLEAR = 0.01
/** Derived: 56 healthy runs end with a KL of 0.1–0.43; who starts there has another reference, or dropout. */
const GRAVE = 0.5
/** On-policy ratios of 0.997–1.002 are normal (OpenRLHF #931); reef PR #536 and TRL #3500 show dropout far outside. */
const RATIO_NOISE = 0.01
/** Derived: TRL's PPO sums the KL over an answer of about a hundred tokens. */
const TOKENS_PER_SEQUENCE = 100

/** The policy differs from its reference, or from itself, before it was updated once. */
export const klStartNonzero: Rule = {
  id: 'kl-start-nonzero',
  severity: 'warning',
  needs: [['kl.ref.start', 'ratio.mean.start', 'kl.ref']],
  uses: ['kl.coef'],
  detect(subject) {
    if (subject.framework === 'lever-plus') return ofLeverPlus(subject)
    const [ratio, measured] = [subject.curve('ratio.mean.start'), subject.curve('kl.ref.start')]
    const kl = measured ?? subject.curve('kl.ref')
    const start = kl?.steps[0] ?? ratio?.steps[0] ?? Number.NaN
    if (start > 1) return cannotSay(message('kl-start-nonzero.late', { step: start }))
    if (ratio !== undefined && isIrreproducible(ratio)) return ofRatio(ratio, kl)
    if (kl === undefined) return
    if (measured === undefined) return afterStep(kl, subject)
    return ofKl(kl, subject)
  },
}

function isOff(ratio: number): boolean {
  return Math.abs(ratio - 1) > RATIO_NOISE
}

/** Every step measures it before its first update. By chance it may be near 1 at one of them, but not at most. */
function isIrreproducible({ values }: Curve): boolean {
  return isOff(values[0]) || values.filter(isOff).length > values.length / 10
}

function ofRatio(ratio: Curve, kl: Curve | undefined): Symptom {
  const [first, last] = [ratio.values.findIndex(isOff), ratio.values.findLastIndex(isOff)]
  return {
    severity: 'error',
    steps: [ratio.steps[first], ratio.steps[last]],
    evidence: {
      metric: ratio.metric,
      ratio: ratio.values[first],
      stepsOff: ratio.values.filter(isOff).length,
      ...(kl === undefined ? {} : { kl: firstOf(kl) }),
    },
    message: message('kl-start-nonzero.ratio', { ratio: figure(ratio.values[first]), step: ratio.steps[first] }),
    remedy: message('kl-start-nonzero.remedy', {}),
  }
}

function ofKl(kl: Curve, subject: Subject, severest: Severity = 'error'): Symptom | undefined {
  const size = Math.abs(firstOf(kl)) / (subject.framework === 'trl-ppo' ? TOKENS_PER_SEQUENCE : 1)
  if (!(size > (severest === 'note' ? CLEAR : NOISE))) return undefined
  const severity = size > GRAVE ? 'error' : size > CLEAR ? 'warning' : 'note'
  const harmless = severest === 'note' || actingCoefficient(subject) === 0
  return {
    severity: harmless ? 'note' : severity,
    steps: [kl.steps[0], kl.steps[0]],
    evidence: { metric: kl.metric, kl: firstOf(kl), noise: NOISE },
    message: message(severest === 'note' ? 'kl-start-nonzero.unsure' : 'kl-start-nonzero', {
      kl: figure(firstOf(kl)),
      step: kl.steps[0],
    }),
    remedy: message('kl-start-nonzero.remedy', {}),
  }
}

/** The KL of a whole step: with several mini-batches most of it was measured after the first updates. */
function afterStep(kl: Curve, subject: Subject): Symptom | CannotSay | undefined {
  // KL in the reward is taken from the rollouts, before any update of the step.
  const updates = /reward_kl_penalty/.test(kl.metric) ? 1 : updatesPerStep(subject)
  if (updates === 1) return ofKl(kl, subject)
  if (updates === null) return ofKl(kl, subject, 'note')
  return cannotSay(message('kl-start-nonzero.several', { updates }))
}

/**
 * Lever-Plus freezes its reference before the supervised phase and takes it without dropout, while the policy trains
 * with dropout 0.5: the KL of its first epoch was there before GRPO.
 */
function ofLeverPlus({ curve }: Subject): Symptom | undefined {
  const kl = curve('kl.ref')
  if (kl === undefined || kl.steps[0] > 1 || !(firstOf(kl) > CLEAR)) return undefined
  return {
    severity: 'note',
    steps: stepsOf(kl),
    evidence: { metric: kl.metric, kl: firstOf(kl), last: kl.values[kl.values.length - 1] },
    message: message('kl-start-nonzero.lever-plus', { kl: figure(firstOf(kl)) }),
    remedy: message('kl-start-nonzero.lever-plus.remedy', {}),
  }
}

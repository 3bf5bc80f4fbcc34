/**
 * The KL coefficient as it acts, step by step. Whatever the rule, the value in force is in the state, so what is logged
 * is what was used: the original printed the coefficient after a controller had moved it, and its reports quote the one
 * that was configured. The state is plain data and goes into the checkpoint.
 */
export type KlRule = { readonly kind: 'constant'; readonly coefficient: number } | ScheduledKl | BandKl | ProportionalKl

/** From one coefficient to another: small while the policy explores, larger late, or the other way round. */
interface ScheduledKl {
  readonly kind: 'scheduled'
  readonly coefficient: number
  readonly finalCoefficient: number
  /** A straight line over all steps, or one jump halfway through them. */
  readonly shape: 'linear' | 'step'
}

/**
 * The original's controller: times `factor` after every batch whose KL lies above the band, divided by it below. It has
 * no memory, so a KL that stays outside reaches the end stop within a dozen batches (0.1 to 0.001 in 12 at factor 1.5).
 */
export interface BandKl {
  readonly kind: 'band'
  readonly coefficient: number
  readonly low: number
  readonly high: number
  readonly factor: number
  readonly floor: number
  readonly ceiling: number
}

/**
 * verl's and OpenRLHF's (Ziegler et al. 2019): times 1 + clip(kl/target − 1, ±0.2) · batch/horizon after every batch.
 */
export interface ProportionalKl {
  readonly kind: 'proportional'
  readonly coefficient: number
  readonly target: number
  /** In queries: how many it takes for the error to act in full. */
  readonly horizon: number
}

export interface KlCoefficientState {
  readonly step: number
  /** The coefficient in force at this step. */
  readonly effective: number
}

interface KlObservation {
  /** Of the batch that has just been trained on. */
  readonly kl: number
  readonly batchSize: number
  readonly totalSteps: number
}

export function firstKlCoefficient(rule: KlRule): KlCoefficientState {
  return { step: 0, effective: rule.coefficient }
}

export function nextKlCoefficient(
  rule: KlRule,
  { step, effective }: KlCoefficientState,
  observed: KlObservation,
): KlCoefficientState {
  return { step: step + 1, effective: coefficientAfter(rule, step + 1, effective, observed) }
}

function coefficientAfter(rule: KlRule, step: number, before: number, observed: KlObservation): number {
  switch (rule.kind) {
    case 'constant':
      return rule.coefficient
    case 'scheduled':
      return scheduled(rule, step / Math.max(1, observed.totalSteps - 1))
    case 'band':
      return inBand(rule, before, observed.kl)
    case 'proportional':
      return proportional(rule, before, observed)
  }
}

function scheduled({ coefficient, finalCoefficient, shape }: ScheduledKl, progress: number): number {
  if (shape === 'step') return progress < 0.5 ? coefficient : finalCoefficient
  return coefficient + (finalCoefficient - coefficient) * Math.min(1, progress)
}

function inBand({ low, high, factor, floor, ceiling }: BandKl, before: number, kl: number): number {
  if (kl > high) return Math.min(ceiling, Math.max(floor, before * factor))
  if (kl < low) return Math.min(ceiling, Math.max(floor, before / factor))
  return Math.min(ceiling, Math.max(floor, before))
}

/** verl's limit on how much one batch may count. */
const LARGEST_ERROR = 0.2

function proportional({ target, horizon }: ProportionalKl, before: number, { kl, batchSize }: KlObservation): number {
  // One batch without a KL must not turn the coefficient into NaN for the rest of the run.
  if (!Number.isFinite(kl)) return before
  const error = Math.min(LARGEST_ERROR, Math.max(-LARGEST_ERROR, kl / target - 1))
  return before * (1 + (error * batchSize) / horizon)
}

/** The two coefficients that a language model is trained with, and how each moves. */
export interface CoefficientRules {
  readonly kl: KlRule
  readonly entropy: KlRule
}

export interface Coefficients {
  readonly kl: KlCoefficientState
  readonly entropy: KlCoefficientState
}

/** After a batch that was learned from. */
export function nextCoefficients(
  rules: CoefficientRules,
  before: Coefficients,
  seen: KlObservation & { readonly entropy: number },
): Coefficients {
  return {
    kl: nextKlCoefficient(rules.kl, before.kl, seen),
    entropy: nextKlCoefficient(rules.entropy, before.entropy, { ...seen, kl: mirrored(rules.entropy, seen.entropy) }),
  }
}

/** A controller acts on what is too high; entropy that is too low must look to it like that. */
function mirrored(rule: KlRule, entropy: number): number {
  switch (rule.kind) {
    case 'band':
      return rule.low + rule.high - entropy
    case 'proportional':
      return 2 * rule.target - entropy
    default:
      return entropy
  }
}

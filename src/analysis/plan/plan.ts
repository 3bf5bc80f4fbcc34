import { studentQuantile } from '../../stats/distributions.js'
import { type Aim, evaluationsNeeded, smallestShown } from '../../stats/evaluations-needed.js'
import {
  pairedPrompts,
  promptsForEquivalence,
  reachOf,
  seedsForDifference,
  seedsForEquivalence,
  varianceOfComparison,
} from '../../stats/sample-size.js'

/**
 * How much more data would settle it (facts 1.13). Prompts settle which of two checkpoints is better, evaluations which
 * of two runs, seeds which of two settings: three questions, and more of one never answers the next.
 */

/** What is known about the noise; null where nothing tells. All in the metric's own unit. */
export interface Noise {
  /** Variance of the difference of two scores of one prompt. */
  readonly pairedVariance: number | null
  /** Spread of single prompts' scores within one evaluation. */
  readonly promptScatter: number | null
  /** Spread of the difference of two runs from one evaluation to the next, and how sticky it is. */
  readonly evaluations: EvaluationNoise | null
  /** Spread of whole runs of one setting. */
  readonly seedScatter: number | null
}

export interface EvaluationNoise {
  readonly spread: number
  readonly autocorrelation: number
}

export interface Amounts {
  /** The same prompts for both checkpoints. */
  readonly prompts?: number
  /** A side, where the two answer different prompts. */
  readonly unpairedPrompts?: number
  readonly evals?: number
  readonly seeds?: number
}

export function amountsForDifference(difference: number, power: number, noise: Noise): Amounts {
  const { pairedVariance, promptScatter, evaluations, seedScatter } = noise
  const wish = { difference, power }
  return {
    ...(pairedVariance !== null && { prompts: atLeastOne(pairedPrompts(pairedVariance, wish)) }),
    ...(promptScatter !== null && { unpairedPrompts: atLeastOne(pairedPrompts(2 * promptScatter ** 2, wish)) }),
    ...(evaluations !== null && { evals: evaluationsFor(difference, evaluations, power, 'difference') }),
    ...(seedScatter !== null && { seeds: seedsForDifference(seedScatter, wish) }),
  }
}

export function amountsForMargin(margin: number, power: number, noise: Noise): Amounts {
  const { pairedVariance, promptScatter, evaluations, seedScatter } = noise
  const wish = { margin, power }
  return {
    ...(pairedVariance !== null && { prompts: atLeastOne(promptsForEquivalence(pairedVariance, wish)) }),
    ...(promptScatter !== null && { unpairedPrompts: atLeastOne(promptsForEquivalence(2 * promptScatter ** 2, wish)) }),
    ...(evaluations !== null && { evals: evaluationsFor(margin, evaluations, power, 'equivalence') }),
    ...(seedScatter !== null && { seeds: seedsForEquivalence(seedScatter, wish) }),
  }
}

function atLeastOne(count: number): number {
  return Math.max(1, count)
}

/** The smallest difference of two runs that so many shared evaluations would show. */
export function detectableWithEvaluations(count: number, noise: EvaluationNoise, power: number): number {
  return noise.spread * smallestShown(count, noise.autocorrelation, power, 'difference')
}

function evaluationsFor(size: number, { spread, autocorrelation }: EvaluationNoise, power: number, aim: Aim): number {
  return evaluationsNeeded(size / spread, autocorrelation, power, aim)
}

/** The smallest difference that n prompts, the same for both, would show. */
export function detectableWithPrompts(prompts: number, pairedVariance: number, power: number): number {
  return reachOf(power) * Math.sqrt(pairedVariance / prompts)
}

export interface Costs {
  readonly budget: number
  readonly run: number
  readonly prompt: number
}

export interface Split {
  readonly seeds: number
  readonly prompts: number
  /** The smallest difference that this split would show. */
  readonly detectable: number
  readonly spent: number
}

const MOST_SEEDS = 10_000

/**
 * Two settings, K seeds each, n prompts per run: the split of a budget that shows the smallest difference. It searches
 * rather than takes the textbook's n = σ/τ · √(cost of a run / cost of a prompt), because K is a small whole number and
 * its degrees of freedom count. Null where the budget does not buy two runs a side.
 */
export function splitBudget(
  { budget, run, prompt }: Costs,
  seedScatter: number,
  promptScatter: number,
  power: number,
): Split | null {
  let best: Split | null = null
  for (let seeds = 2; seeds <= MOST_SEEDS; seeds += 1) {
    const prompts = Math.floor((budget / (2 * seeds) - run) / prompt)
    if (prompts < 1) break
    const free = 2 * seeds - 2
    const reach = studentQuantile(0.975, free) + studentQuantile(power, free)
    const detectable = reach * Math.sqrt(varianceOfComparison(seedScatter, promptScatter, seeds, prompts))
    if (best === null || detectable < best.detectable) {
      best = { seeds, prompts, detectable, spent: 2 * seeds * (run + prompts * prompt) }
    }
  }
  return best
}

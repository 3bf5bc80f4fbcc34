import { z } from 'zod'
import { studentQuantile } from '../../../stats/distributions.js'
import {
  equivalenceReachOf,
  evaluationsNeeded,
  pairedPrompts,
  promptsForEquivalence,
  reachOf,
  type SampleSizeAim,
  seedsForDifference,
  seedsForEquivalence,
  smallestShown,
  varianceOfComparison,
} from '../../../stats/sample-size.js'
import { evaluationsFor, judgedCount } from '../conventions.js'

/**
 * How much more data would settle it. Prompts settle which of two checkpoints is better, evaluations which of two runs,
 * seeds which of two settings: three questions, and more of one never answers the next. Evaluations are planned for the
 * verdict that a comparison headlines, the end of training; the luck of the prompts that all of them ask stays, however
 * many there are, and may be more than the difference that is looked for.
 */

/** What is known about the noise; null where nothing tells. All in the metric's own unit. */
export interface Noise {
  /** Variance of the difference of two scores of one prompt. */
  readonly pairedVariance: number | null
  /** Spread of single prompts' scores within one evaluation. */
  readonly promptScatter: number | null
  /** Spread of the difference of two runs from one evaluation to the next, and how sticky it is. */
  readonly evaluations: EvaluationNoise | null
  /** What the luck of the prompts makes of the difference of two runs, whatever the number of evaluations. */
  readonly promptLuck: PromptNoise | null
  /** Spread of whole runs of one setting. */
  readonly seedScatter: number | null
}

export interface PromptNoise {
  /** Standard error. */
  readonly error: number
  readonly prompts: number
}

export interface EvaluationNoise {
  readonly spread: number
  readonly autocorrelation: number
}

export const amounts = z.object({
  /** The same prompts for both checkpoints. */
  prompts: z.number().optional(),
  /** A side, where the two answer different prompts. */
  unpairedPrompts: z.number().optional(),
  /** Evaluations of the whole training; null where no number of them will do. */
  evals: z.number().nullable().optional(),
  /** Where none will do: the prompts per evaluation that would leave room for evaluations to count. */
  promptsPerEvaluation: z.number().optional(),
  seeds: z.number().optional(),
})

export type Amounts = z.infer<typeof amounts>

export function amountsForDifference(difference: number, power: number, noise: Noise): Amounts {
  const { pairedVariance, promptScatter, seedScatter } = noise
  const wish = { difference, power }
  return {
    ...(pairedVariance !== null && { prompts: atLeastOne(pairedPrompts(pairedVariance, wish)) }),
    ...(promptScatter !== null && { unpairedPrompts: atLeastOne(pairedPrompts(2 * promptScatter ** 2, wish)) }),
    ...forRuns(difference, noise, power, 'difference'),
    ...(seedScatter !== null && { seeds: seedsForDifference(seedScatter, wish) }),
  }
}

export function amountsForMargin(margin: number, power: number, noise: Noise): Amounts {
  const { pairedVariance, promptScatter, seedScatter } = noise
  const wish = { margin, power }
  return {
    ...(pairedVariance !== null && { prompts: atLeastOne(promptsForEquivalence(pairedVariance, wish)) }),
    ...(promptScatter !== null && { unpairedPrompts: atLeastOne(promptsForEquivalence(2 * promptScatter ** 2, wish)) }),
    ...forRuns(margin, noise, power, 'equivalence'),
    ...(seedScatter !== null && { seeds: seedsForEquivalence(seedScatter, wish) }),
  }
}

function atLeastOne(count: number): number {
  return Math.max(1, count)
}

/** The smallest difference of two runs that a training with so many shared evaluations would show. */
export function detectableWithEvaluations(
  count: number,
  { evaluations, promptLuck }: Pick<Noise, 'evaluations' | 'promptLuck'>,
  power: number,
): number {
  if (evaluations === null) return Number.NaN
  const ofCourse =
    evaluations.spread * smallestShown(judgedCount(count), evaluations.autocorrelation, power, 'difference')
  return Math.hypot(ofCourse, reachOf(power) * (promptLuck?.error ?? 0))
}

/** Of the room that a size leaves, the prompts' luck takes its part first; what is left is for the evaluations. */
function forRuns(size: number, { evaluations, promptLuck }: Noise, power: number, aim: SampleSizeAim): Amounts {
  if (evaluations === null) return {}
  const reach = aim === 'difference' ? reachOf(power) : equivalenceReachOf(power)
  const luck = reach * (promptLuck?.error ?? 0)
  if (promptLuck !== null && luck >= LARGEST_LUCK * size) {
    return { evals: null, promptsPerEvaluation: Math.ceil(promptLuck.prompts * 2 * (luck / size) ** 2) }
  }
  const left = Math.sqrt(size ** 2 - luck ** 2)
  const judged = evaluationsNeeded(left / evaluations.spread, evaluations.autocorrelation, power, aim)
  return { evals: evaluationsFor(judged) }
}

/** Nearer to the whole of the difference, and evaluations by the thousand buy next to nothing. */
const LARGEST_LUCK = 0.95

/** The smallest difference that n prompts, the same for both, would show. */
export function detectableWithPrompts(prompts: number, pairedVariance: number, power: number): number {
  return reachOf(power) * Math.sqrt(pairedVariance / prompts)
}

export interface Costs {
  readonly budget: number
  readonly run: number
  readonly prompt: number
}

export const budgetSplit = z.object({
  seeds: z.number(),
  prompts: z.number(),
  detectable: z.number(),
  spent: z.number(),
})

export type Split = z.infer<typeof budgetSplit>

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

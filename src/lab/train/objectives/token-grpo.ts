/**
 * GRPO on the tokens of dialogues: the clipped loss, a KL to the reference, an entropy bonus.
 *
 *   loss = Σ_i w_i ( clipped(log r_i, A_i) + β KL_i − c H_i ),    or CISPO's weighted loss in place of the clipped one
 *
 * over the model's own tokens i, w_i by the aggregation. log r_i is log π − log π_old of the token, or with ratio
 * `sequence` (GSPO, Zheng et al. 2025) its mean over the sequence, whose slope each token has in full, as in verl: with
 * one advantage for a sequence and seq-mean-token-mean that is GSPO's own gradient. All in float64; a loss is a sum over
 * tokens, so the parts of a batch are gone through one by one and added up.
 */
import type { TokenSlopes } from '../lm/head.js'
import type { TokenScores } from '../lm/language-model.js'
import { clippedLoss, weightedLoss } from './clipped-loss.js'
import type { GrpoOptions } from './grpo.js'
import { klEstimate, klTerm, VERL_KL_LIMITS } from './kl-estimators.js'

/** Of the tokens that `scores` are of, in the same order. */
interface TokenTargets {
  readonly oldLogProbs: ArrayLike<number>
  readonly advantages: ArrayLike<number>
  /** For each sequence what one of its tokens weighs (`tokenWeights`), taken over the whole batch. */
  readonly weights: ArrayLike<number>
}

export interface TokenGrpoOptions extends GrpoOptions {
  readonly ratio: 'token' | 'sequence'
}

/** verl keeps the logarithm of a token's ratio within ± this. */
const LARGEST_LOG_RATIO = 20

interface TokenGrpoResult {
  readonly slopes: TokenSlopes
  readonly sums: TokenGrpoSums
}

/** Weighed: what the loss is made of. */
interface LossSums {
  readonly policy: number
  /** Without its coefficient. 0 where there is no reference. */
  readonly kl: number
  readonly entropy: number
}

/** Over tokens; divided by `tokens` they are the means that verl logs. */
export interface TokenGrpoSums extends LossSums {
  readonly tokens: number
  readonly ratio: number
  readonly clipped: number
  readonly clippedDual: number
  /** log π_old − log π: verl's ppo_kl. */
  readonly movedByK1: number
  readonly entropyOfTokens: number
  readonly klByK1: number
  readonly klByK3: number
  readonly klExact: number
}

export function tokenGrpo(scores: TokenScores, targets: TokenTargets, options: TokenGrpoOptions): TokenGrpoResult {
  const { logProbs, entropies, reference, boundaries } = scores
  const { klCoefficient, klEstimator, klIsWeighted, entropyCoefficient } = options
  if (klCoefficient !== 0 && reference === null) throw new Error('a KL in the loss needs the scores of a reference')
  const slopes = {
    logProbs: new Float64Array(logProbs.length),
    entropies: new Float64Array(logProbs.length),
    divergences: new Float64Array(logProbs.length),
    forward: new Float64Array(logProbs.length),
  }
  const sums: { -readonly [Name in keyof TokenGrpoSums]: number } = { ...NO_SUMS }
  for (let sequence = 0; sequence + 1 < boundaries.length; sequence++) {
    const [first, end] = [boundaries[sequence], boundaries[sequence + 1]]
    const weight = targets.weights[sequence]
    const logRatios = logRatiosOf(scores, targets, first, end, options.ratio)
    for (let i = first; i < end; i++) {
      const [logRatio, advantage] = [logRatios[i - first], targets.advantages[i]]
      const token =
        options.surrogate === 'cispo'
          ? weightedLoss(logProbs[i], logRatio, advantage, options.clip)
          : clippedLoss(logRatio, advantage, options.clip, LARGEST_LOG_RATIO)
      sums.policy += weight * token.loss
      sums.entropy += weight * entropies[i]
      slopes.logProbs[i] = weight * token.slope
      slopes.entropies[i] = -entropyCoefficient * weight
      sums.tokens += 1
      sums.ratio += token.ratio
      sums.clipped += token.clipped === 'ratio' ? 1 : 0
      sums.clippedDual += token.clipped === 'dual' ? 1 : 0
      sums.movedByK1 += targets.oldLogProbs[i] - logProbs[i]
      sums.entropyOfTokens += entropies[i]
      if (reference === null) continue
      const difference = logProbs[i] - reference.logProbs[i]
      const divergence = reference.divergences[i]
      sums.klByK1 += difference
      sums.klByK3 += klEstimate(difference, 'k3', VERL_KL_LIMITS)
      sums.klExact += divergence
      if (klEstimator === 'exact') {
        sums.kl += weight * divergence
        slopes.divergences[i] = klCoefficient * weight
      } else if (klEstimator === 'forward') {
        sums.kl += weight * (reference.forward?.[i] ?? Number.NaN)
        slopes.forward[i] = klCoefficient * weight
      } else {
        const ratio = klIsWeighted ? logProbs[i] - targets.oldLogProbs[i] : null
        const term = klTerm(difference, klEstimator, ratio, VERL_KL_LIMITS)
        sums.kl += weight * term.value
        slopes.logProbs[i] += klCoefficient * weight * term.slope
      }
    }
  }
  return { slopes, sums }
}

export function totalLoss({ policy, kl, entropy }: LossSums, options: TokenGrpoOptions): number {
  return policy + options.klCoefficient * kl - options.entropyCoefficient * entropy
}

function logRatiosOf(
  { logProbs }: TokenScores,
  { oldLogProbs }: TokenTargets,
  first: number,
  end: number,
  level: TokenGrpoOptions['ratio'],
): Float64Array {
  const ofTokens = Float64Array.from({ length: end - first }, (_, i) => logProbs[first + i] - oldLogProbs[first + i])
  if (level === 'token') return ofTokens
  const mean = ofTokens.reduce((sum, value) => sum + value, 0) / ofTokens.length
  return ofTokens.fill(mean)
}

export const NO_SUMS: TokenGrpoSums = {
  ...{ policy: 0, kl: 0, entropy: 0, tokens: 0, ratio: 0, clipped: 0, clippedDual: 0 },
  ...{ movedByK1: 0, entropyOfTokens: 0, klByK1: 0, klByK3: 0, klExact: 0 },
}

export function addedSums(a: TokenGrpoSums, b: TokenGrpoSums): TokenGrpoSums {
  return {
    policy: a.policy + b.policy,
    kl: a.kl + b.kl,
    entropy: a.entropy + b.entropy,
    tokens: a.tokens + b.tokens,
    ratio: a.ratio + b.ratio,
    clipped: a.clipped + b.clipped,
    clippedDual: a.clippedDual + b.clippedDual,
    movedByK1: a.movedByK1 + b.movedByK1,
    entropyOfTokens: a.entropyOfTokens + b.entropyOfTokens,
    klByK1: a.klByK1 + b.klByK1,
    klByK3: a.klByK3 + b.klByK3,
    klExact: a.klExact + b.klExact,
  }
}

/**
 * How the losses of tokens become one number. Every mode is a weight for each token, the same for all tokens of a
 * sequence, so that a batch can be gone through in parts whose losses and gradients add up. With T tokens in all, T_s in
 * a sequence, S sequences that have any:
 *   token-mean               1 / T             every token counts alike (DAPO, verl's default)
 *   token-sum                1
 *   seq-mean-token-sum       1 / S
 *   seq-mean-token-mean      1 / (S T_s)       every sequence counts alike (GRPO's paper)
 *   seq-mean-token-sum-norm  1 / (S L)         L a constant, the longest response there may be (Dr. GRPO)
 */
export const AGGREGATIONS = [
  'token-mean',
  'token-sum',
  'seq-mean-token-sum',
  'seq-mean-token-mean',
  'seq-mean-token-sum-norm',
] as const
export type Aggregation = (typeof AGGREGATIONS)[number]

/** For each sequence what one of its tokens weighs. `counts`: tokens of each sequence; `longest`: L. */
export function tokenWeights(counts: readonly number[], aggregation: Aggregation, longest: number): Float64Array {
  const tokens = counts.reduce((sum, count) => sum + count, 0)
  const sequences = counts.filter(count => count > 0).length
  return Float64Array.from(counts, count =>
    count === 0 ? 0 : weightOf(aggregation, tokens, sequences, count, longest),
  )
}

function weightOf(
  aggregation: Aggregation,
  tokens: number,
  sequences: number,
  ownTokens: number,
  longest: number,
): number {
  switch (aggregation) {
    case 'token-mean':
      return 1 / tokens
    case 'token-sum':
      return 1
    case 'seq-mean-token-sum':
      return 1 / sequences
    case 'seq-mean-token-mean':
      return 1 / (sequences * ownTokens)
    case 'seq-mean-token-sum-norm':
      return 1 / (sequences * longest)
  }
}

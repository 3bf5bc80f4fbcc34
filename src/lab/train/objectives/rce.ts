import { bestOf, rankScores } from './group.js'
import { normalisedRewards } from './rewards.js'

/**
 * Reward-weighted cross-entropy, the warm-up: imitate the beams, the better ones more.
 *
 *   loss = − Σ_i w_i · log π(beam_i),   w = softmax(score / τ),   d loss / d log π(beam_i) = − w_i
 *
 * The score of a beam is its reward, its z-score within the query, or its rank. As τ falls the weights move from all
 * beams to the best. `best` and `first` take one beam alone and average over its steps instead of summing, as the
 * original's top-1 does; the original takes the first beam and trusts that it was stored as the best.
 */
export type RceWeights = 'raw' | 'normalised' | 'rank' | 'best' | 'first'

interface RceInput {
  /** log π of each beam, summed over its steps. */
  readonly logProbs: Float64Array
  readonly rewards: Float64Array
  readonly shots: number
}

interface RceOptions {
  readonly weights: RceWeights
  readonly temperature: number
}

interface RceResult {
  readonly loss: number
  readonly gradient: { readonly logProbs: Float64Array }
  readonly metrics: {
    readonly 'loss.rce': number
    readonly 'rce.temperature': number
    /** 1 / Σ w²: how many beams the weights spread over. */
    readonly 'rce.effective_beams': number
  }
}

export function rce({ logProbs, rewards, shots }: RceInput, { weights, temperature }: RceOptions): RceResult {
  const share = beamWeights(rewards, weights, temperature)
  const scale = weights === 'best' || weights === 'first' ? 1 / shots : 1
  let loss = 0
  let squares = 0
  const gradient = new Float64Array(logProbs.length)
  for (let beam = 0; beam < logProbs.length; beam += 1) {
    loss -= scale * share[beam] * logProbs[beam]
    gradient[beam] = -scale * share[beam]
    squares += share[beam] ** 2
  }
  return {
    loss,
    gradient: { logProbs: gradient },
    metrics: { 'loss.rce': loss, 'rce.temperature': temperature, 'rce.effective_beams': 1 / squares },
  }
}

/** The clamp of the original's data set, which stores `normalised` rewards. */
const NORMALISED_LIMIT = 3

function beamWeights(rewards: Float64Array, weights: RceWeights, temperature: number): Float64Array {
  switch (weights) {
    case 'raw':
      return softmax(rewards, temperature)
    case 'normalised':
      return softmax(normalisedRewards(rewards, NORMALISED_LIMIT), temperature)
    case 'rank':
      return softmax(rankScores(rewards), temperature)
    case 'best':
      return only(bestOf(rewards), rewards.length)
    case 'first':
      return only(0, rewards.length)
  }
}

function softmax(scores: Float64Array, temperature: number): Float64Array {
  const highest = scores[bestOf(scores)]
  const powers = scores.map(score => Math.exp((score - highest) / temperature))
  const total = powers.reduce((sum, power) => sum + power, 0)
  return powers.map(power => power / total)
}

function only(chosen: number, beams: number): Float64Array {
  return new Float64Array(beams).fill(1, chosen, chosen + 1)
}

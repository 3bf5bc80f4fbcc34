/** The next token of a row of a distribution: the most probable one, or one drawn. */
import type { Random } from '../../stats/random.js'
import type { FloatArray } from '../kernels/kernels.js'

export type Decoding = { readonly kind: 'greedy' } | SampledDecoding

export interface SampledDecoding {
  readonly kind: 'sample'
  readonly temperature: number
  /** Only the most probable tokens whose probabilities together reach this are drawn from (Holtzman et al. 2020). */
  readonly topP: number
}

/** The first of several. */
export function mostProbable(logits: FloatArray): number {
  let best = 0
  for (let token = 1; token < logits.length; token++) if (logits[token] > logits[best]) best = token
  return best
}

export function drawToken(probabilities: FloatArray, topP: number, random: Random): number {
  return topP < 1 ? drawFromTop(probabilities, topP, random) : drawFromAll(probabilities, random)
}

function drawFromAll(probabilities: FloatArray, random: Random): number {
  let left = random.next()
  for (let token = 0; token < probabilities.length; token++) {
    left -= probabilities[token]
    if (left < 0) return token
  }
  // The probabilities are rounded: they may add up to a hair less than what was drawn.
  return mostProbable(probabilities)
}

function drawFromTop(probabilities: FloatArray, topP: number, random: Random): number {
  const order = Array.from(probabilities, (_, token) => token).sort((a, b) => probabilities[b] - probabilities[a])
  let kept = 0
  let together = 0
  while (kept < order.length && together < topP) together += probabilities[order[kept++]]
  let left = random.next() * together
  for (let i = 0; i < kept; i++) {
    left -= probabilities[order[i]]
    if (left < 0) return order[i]
  }
  return order[0]
}

/**
 * Dropout as data: factors 0 or 1 / (1 - rate), drawn once and given to `evaluate`. The same mask given to a policy and
 * to its reference makes their difference a difference of weights; a mask for the one and none for the other gives the
 * original's curves, whose KL starts above zero. One mask serves all beams of a query, since they share the candidates;
 * the original draws one for each copy of the query.
 */
import type { Random } from '../../../stats/random.js'
import type { PolicyShape } from './shape.js'

interface DropoutRates {
  /** Of the query and the candidates, about the pointer's projections. */
  readonly hidden: number
  /** Of the attention weights. */
  readonly attention: number
}

export interface DropoutMask {
  readonly candidateCount: number
  /** `hidden` factors */
  readonly query: Float32Array
  /** candidates x `hidden` factors */
  readonly candidates: Float32Array
  /** layers x heads x candidates factors */
  readonly attention: Float32Array
}

/** Undefined where nothing is dropped. */
export function drawDropoutIfAny(
  shape: PolicyShape,
  candidateCount: number,
  rates: DropoutRates,
  random: Random,
): DropoutMask | undefined {
  return rates.hidden + rates.attention > 0 ? drawDropout(shape, candidateCount, rates, random) : undefined
}

export function drawDropout(
  shape: PolicyShape,
  candidateCount: number,
  rates: DropoutRates,
  random: Random,
): DropoutMask {
  const factors = (length: number, rate: number): Float32Array => {
    const kept = 1 / (1 - rate)
    const mask = new Float32Array(length)
    for (let i = 0; i < length; i++) mask[i] = random.next() < rate ? 0 : kept
    return mask
  }
  return {
    candidateCount,
    query: factors(shape.hidden, rates.hidden),
    candidates: factors(candidateCount * shape.hidden, rates.hidden),
    attention: factors(shape.layers * shape.heads * candidateCount, rates.attention),
  }
}

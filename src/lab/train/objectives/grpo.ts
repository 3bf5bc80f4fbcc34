import { mean, standardDeviation } from '../../../stats/descriptive.js'
import { type ClipOptions, clippedLoss, weightedLoss } from './clipped-loss.js'
import { type ExactValues, exactAlongPointers, exactSlope, type StepShape } from './exact.js'
import { type ExactKl, type KlEstimator, klTerm, meanKlEstimate } from './kl-estimators.js'

/**
 * GRPO on one group: PPO's clipped surrogate, a KL to the reference, an entropy bonus.
 *
 *   r_i  = π(beam_i) / π_old(beam_i)
 *   loss = − mean_i min(r_i·A_i, clip(r_i, 1 − low, 1 + high)·A_i)  +  β · KL(π ‖ reference)  −  c · H(π)
 *
 * The old policy is the one that the inner epochs start from, or the reference (`clip.old`): the original has one object
 * for both, so that its clip bounds the whole way from there. In the first inner epoch after `inner` the ratio is 1 and
 * nothing is clipped, by construction; the gradient is A all the same. The reference never moves. Ratio, KL and entropy are of whole beams, summed over
 * their steps, in nats per sequence. Advantages come from advantages.ts, once per group, before the inner epochs.
 */
export interface GrpoInput {
  readonly logProbs: Float64Array
  readonly oldLogProbs: Float64Array
  readonly referenceLogProbs: Float64Array
  readonly advantages: Float64Array
  /** Needed for the exact KL and the entropy, as a term or as a metric; null saves their cost. */
  readonly steps: GrpoSteps | null
}

export interface GrpoSteps extends StepShape {
  readonly policy: Float64Array
  readonly reference: Float64Array
}

export interface GrpoOptions {
  readonly clip: ClipOptions
  /** β of the KL in the loss as it acts now; 0 when the KL is in the reward or off. */
  readonly klCoefficient: number
  readonly klEstimator: KlEstimator | ExactKl
  /** Whether estimates are weighed by π / π_old. */
  readonly klIsWeighted?: boolean
  /** PPO's clipped loss, or CISPO's weighted one. */
  readonly surrogate?: 'ppo' | 'cispo'
  readonly entropyCoefficient: number
}

interface GrpoMetrics {
  readonly 'loss.total': number
  readonly 'loss.policy': number
  /** By the configured estimator; β · this is `kl.weighted`. */
  readonly 'kl.ref': number
  readonly 'kl.weighted': number
  readonly 'kl.coef': number
  readonly 'kl.ref.k1': number
  readonly 'kl.ref.k2': number
  readonly 'kl.ref.k3': number
  /** How far this update has moved from where its inner epochs began, by k3. */
  readonly 'kl.old': number
  readonly 'ratio.mean': number
  readonly 'clip.frac': number
  readonly 'clip.frac.low': number
  readonly 'clip.frac.high': number
  readonly 'adv.mean': number
  readonly 'adv.std': number
  /** The largest |A|. */
  readonly 'adv.max': number
  readonly 'kl.ref.exact'?: number
  readonly 'entropy.sequence'?: number
}

interface GrpoResult {
  readonly loss: number
  readonly gradient: { readonly logProbs: Float64Array; readonly nodeLogProbs: Float64Array | null }
  readonly metrics: GrpoMetrics
}

export function grpo(input: GrpoInput, options: GrpoOptions): GrpoResult {
  const { logProbs, referenceLogProbs, advantages, steps } = input
  const { klCoefficient, klEstimator, klIsWeighted, entropyCoefficient } = options
  const beams = logProbs.length

  const surrogate = clippedSurrogate(input, options)
  const exact = steps === null ? null : exactAlongPointers(steps.policy, steps.reference, steps)
  const gradient = surrogate.slope
  let kl = 0
  if (klEstimator === 'exact') kl = mean(needed(exact).kl)
  else if (klEstimator === 'forward') kl = mean(needed(exact).forward)
  else {
    for (let beam = 0; beam < beams; beam += 1) {
      const difference = logProbs[beam] - referenceLogProbs[beam]
      const ratio = klIsWeighted ? logProbs[beam] - input.oldLogProbs[beam] : null
      const term = klTerm(difference, klEstimator, ratio)
      kl += term.value
      gradient[beam] += (klCoefficient * term.slope) / beams
    }
    kl /= beams
  }
  const entropyTerm = entropyCoefficient === 0 ? 0 : entropyCoefficient * mean(needed(exact).entropy)
  const loss = surrogate.loss + klCoefficient * kl - entropyTerm

  const factors = {
    kl: klEstimator === 'exact' ? klCoefficient : 0,
    forward: klEstimator === 'forward' ? klCoefficient : 0,
    entropy: -entropyCoefficient,
  }
  const anyFactor = Object.values(factors).some(factor => factor !== 0)
  const nodeLogProbs = steps !== null && anyFactor ? exactSlope(steps.policy, steps.reference, steps, factors) : null

  return {
    loss,
    gradient: { logProbs: gradient, nodeLogProbs },
    metrics: {
      'loss.total': loss,
      'loss.policy': surrogate.loss,
      'kl.ref': kl,
      'kl.weighted': klCoefficient * kl,
      'kl.coef': klCoefficient,
      'kl.ref.k1': meanKlEstimate(logProbs, referenceLogProbs, 'k1'),
      'kl.ref.k2': meanKlEstimate(logProbs, referenceLogProbs, 'k2'),
      'kl.ref.k3': meanKlEstimate(logProbs, referenceLogProbs, 'k3'),
      'kl.old': meanKlEstimate(logProbs, input.oldLogProbs, 'k3'),
      'ratio.mean': surrogate.meanRatio,
      'clip.frac': (surrogate.clippedLow + surrogate.clippedHigh) / beams,
      'clip.frac.low': surrogate.clippedLow / beams,
      'clip.frac.high': surrogate.clippedHigh / beams,
      'adv.mean': mean(advantages),
      'adv.std': beams < 2 ? 0 : standardDeviation(advantages),
      'adv.max': advantages.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0),
      ...(exact === null ? {} : { 'kl.ref.exact': mean(exact.kl), 'entropy.sequence': mean(exact.entropy) }),
    },
  }
}

/** The mean of the beams' losses. With PPO's a beam whose clipped term is the larger one has no slope left. */
function clippedSurrogate({ logProbs, oldLogProbs, advantages }: GrpoInput, { clip, surrogate }: GrpoOptions) {
  const beams = logProbs.length
  const slope = new Float64Array(beams)
  let [loss, ratios, clippedLow, clippedHigh] = [0, 0, 0, 0]
  for (let beam = 0; beam < beams; beam += 1) {
    const logRatio = logProbs[beam] - oldLogProbs[beam]
    const one =
      surrogate === 'cispo'
        ? weightedLoss(logProbs[beam], logRatio, advantages[beam], clip)
        : clippedLoss(logRatio, advantages[beam], clip)
    ratios += one.ratio
    loss += one.loss / beams
    slope[beam] = one.slope / beams
    if (one.clipped === 'no') continue
    if (one.ratio < 1) clippedLow += 1
    else clippedHigh += 1
  }
  return { loss, slope, meanRatio: ratios / beams, clippedLow, clippedHigh }
}

function needed(exact: ExactValues | null): ExactValues {
  if (exact === null) throw new Error('The exact KL and the entropy bonus need step log-probs, and none were given.')
  return exact
}

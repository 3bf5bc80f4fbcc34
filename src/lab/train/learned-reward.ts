import { mean } from '../../stats/descriptive.js'
import { type Random, seededRandom } from '../../stats/random.js'
import { ridgeWeights, rowDot, type SparseRow } from '../../stats/ridge.js'

/**
 * A reward that is learned, as from human labels: some samples of the policy that training starts from are labelled with what
 * they are truly worth plus noise, and a linear model is fitted to the labels. Training then maximises the model and never
 * sees the truth, which is logged at validation only. The model is right on average where it has labels. Far from there it is
 * not, and a policy that is paid by it finds out where it errs upwards (Gao et al. 2022): what a KL penalty is for.
 */
export interface LabelledSample {
  readonly features: SparseRow
  /** What it is truly worth. */
  readonly worth: number
}

export type RewardModel = (features: SparseRow) => number

/** Pulls every weight to 0 as one label of its feature pulls it away: enough to keep features seen once or twice small. */
const PENALTY = 1

export function fitRewardModel(
  samples: readonly LabelledSample[],
  { size, noise, random }: { readonly size: number; readonly noise: number; readonly random: Random },
): RewardModel {
  const labels = samples.map(({ worth }) => worth + noise * random.normal())
  const usual = labels.length === 0 ? 0 : mean(labels)
  const weights = ridgeWeights(
    samples.map(({ features }) => features),
    labels.map(label => label - usual),
    { size, penalty: PENALTY },
  )
  return features => usual + rowDot(features, weights)
}

/** Apart from the stream that trains, so that a learned reward changes what is paid and no other chance. */
const LABEL_STREAM = 0x9e3779b9

/** A run's own labels: seeds differ in their reward model too, and settings of one seed share it. */
export function labelRandom(seed: number): Random {
  return seededRandom((seed + LABEL_STREAM) % 2 ** 32)
}

import { exactAlongPointers, type StepShape } from './exact.js'

/**
 * KL and entropy over every sequence of distinct picks, none sampled. The last step needs no enumeration, its whole
 * distribution is known; so all prefixes of shots − 1 picks suffice: 64 evaluations for two shots of 64 candidates,
 * where all sequences would be 4,032.
 */

/** beams × shots pointers that hold every ordered prefix of shots − 1 distinct picks once, each ended by any pick left. */
export function allPrefixes({ shots, candidates }: StepShape): Int32Array {
  let prefixes: readonly (readonly number[])[] = [[]]
  for (let step = 1; step < shots; step += 1) {
    prefixes = prefixes.flatMap(prefix => unused(prefix, candidates).map(pick => [...prefix, pick]))
  }
  return Int32Array.from(prefixes.flatMap(prefix => [...prefix, unused(prefix, candidates)[0]]))
}

function unused(prefix: readonly number[], candidates: number): number[] {
  return Array.from({ length: candidates }, (_, pick) => pick).filter(pick => !prefix.includes(pick))
}

/**
 * From the step log-probs of policy and reference on `allPrefixes`: each prefix counts with its probability,
 * W = Π_{t < shots − 1} π_t(pick), and the W of all prefixes add up to 1.
 */
export function exactOverAllSequences(
  policy: Float64Array,
  reference: Float64Array,
  shape: StepShape,
): { readonly kl: number; readonly entropy: number } {
  const { shots, candidates } = shape
  const pointers = allPrefixes(shape)
  const perBeam = exactAlongPointers(policy, reference, shape)
  let kl = 0
  let entropy = 0
  for (let beam = 0; beam < perBeam.kl.length; beam += 1) {
    let logWeight = 0
    for (let step = 0; step < shots - 1; step += 1) {
      const row = (beam * shots + step) * candidates
      logWeight += policy[row + pointers[beam * shots + step]]
    }
    kl += Math.exp(logWeight) * perBeam.kl[beam]
    entropy += Math.exp(logWeight) * perBeam.entropy[beam]
  }
  return { kl, entropy }
}

/**
 * Exact KL and entropy of the choices, summed over the candidates at each step instead of estimated from the one that
 * was sampled. By the chain rule, with x_<t the picks before step t,
 *
 *   KL(π ‖ ref) = E_{x ~ π} Σ_t KL(π_t(· | x_<t) ‖ ref_t(· | x_<t)),    H(π) likewise.
 *
 * Along the pointers of a group the inner KL is exact and the outer mean runs over the group's own picks: unbiased when
 * the beams were sampled from π, and with one shot exact without condition. Where every sequence must count, evaluate
 * the policy on `allPrefixes` (enumerate.ts): then the outer mean is a sum as well.
 */

/** beams × shots × candidates log-probabilities, row-major: each row is one step's whole distribution. */
export interface StepShape {
  readonly shots: number
  readonly candidates: number
}

export interface ExactValues {
  /** Per beam, summed over its steps. */
  readonly kl: Float64Array
  readonly entropy: Float64Array
}

export function exactAlongPointers(policy: Float64Array, reference: Float64Array, shape: StepShape): ExactValues {
  const { shots, candidates } = shape
  const beams = policy.length / (shots * candidates)
  const values = { kl: new Float64Array(beams), entropy: new Float64Array(beams) }
  for (let step = 0; step < shots; step += 1) {
    const first = step * candidates
    const ofFirst = exactOfStep(policy, reference, first, candidates)
    for (let beam = 0; beam < beams; beam += 1) {
      const start = (beam * shots + step) * candidates
      // Beams that begin alike have the same distribution here; to look costs a tenth of computing it again.
      const isSame = isRepeated(policy, first, start, candidates) && isRepeated(reference, first, start, candidates)
      const { kl, entropy } = isSame ? ofFirst : exactOfStep(policy, reference, start, candidates)
      values.kl[beam] += kl
      values.entropy[beam] += entropy
    }
  }
  // A sum of rounded terms may end a hair below zero, which no KL is.
  for (let beam = 0; beam < beams; beam += 1) values.kl[beam] = Math.max(0, values.kl[beam])
  return values
}

function exactOfStep(policy: Float64Array, reference: Float64Array, start: number, candidates: number) {
  let [kl, entropy] = [0, 0]
  for (let i = start; i < start + candidates; i += 1) {
    const probability = Math.exp(policy[i])
    // A candidate that cannot be picked adds nothing, even where its logarithm is −∞.
    if (probability === 0) continue
    kl += probability * (policy[i] - reference[i])
    entropy -= probability * policy[i]
  }
  return { kl, entropy }
}

function isRepeated(values: Float64Array, first: number, start: number, length: number): boolean {
  for (let k = 0; k < length; k += 1) if (values[first + k] !== values[start + k]) return false
  return true
}

/** What each exact quantity weighs in the loss. */
export interface ExactFactors {
  readonly kl: number
  readonly entropy: number
}

/**
 * The slope of factors.kl · mean KL + factors.entropy · mean entropy in each step log-prob l, taken as free variables
 * (the policy's backward pass closes the softmax):
 *
 *   d KL / dl = p · (l − ref + 1),    d H / dl = −p · (l + 1)
 *
 * The picks before a step are held fixed, as in every estimator of a sampled KL.
 */
export function exactSlope(
  policy: Float64Array,
  reference: Float64Array,
  shape: StepShape,
  factors: ExactFactors,
): Float64Array {
  const beams = policy.length / (shape.shots * shape.candidates)
  const klFactor = factors.kl / beams
  const entropyFactor = factors.entropy / beams
  const slope = new Float64Array(policy.length)
  for (let i = 0; i < policy.length; i += 1) {
    const probability = Math.exp(policy[i])
    if (probability === 0) continue
    slope[i] = probability * (klFactor * (policy[i] - reference[i] + 1) - entropyFactor * (policy[i] + 1))
  }
  return slope
}

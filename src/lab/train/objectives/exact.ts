/**
 * Exact KL and entropy of the choices, summed over the candidates at each step instead of estimated from the one that
 * was sampled. By the chain rule, with x_<t the picks before step t,
 *
 *   KL(π ‖ ref) = E_{x ~ π} Σ_t KL(π_t(· | x_<t) ‖ ref_t(· | x_<t)),    H(π) likewise.
 *
 * Along the pointers of a group the inner KL is exact and the outer mean runs over the group's own picks: unbiased when
 * the beams were sampled from π, and with one shot exact without condition.
 */

/** Log-probabilities row by row: each row is one step's whole distribution over the candidates. */
export interface StepShape {
  readonly shots: number
  readonly candidates: number
  /** beams × shots: the row from which a beam makes its pick, since beams that begin alike share it. Left out: no two do. */
  readonly nodeOf?: Int32Array
}

export interface ExactValues {
  /** Per beam, summed over its steps. */
  readonly kl: Float64Array
  /** KL(reference ‖ π) at each step, along the same picks: those that π made, not the reference. */
  readonly forward: Float64Array
  readonly entropy: Float64Array
}

export function exactAlongPointers(policy: Float64Array, reference: Float64Array, shape: StepShape): ExactValues {
  const { shots, candidates, nodeOf = rowsInOrder(policy.length / candidates) } = shape
  const beams = nodeOf.length / shots
  const values = { kl: new Float64Array(beams), forward: new Float64Array(beams), entropy: new Float64Array(beams) }
  const nodes = nodeOf.reduce((most, node) => Math.max(most, node + 1), 0)
  const klOfNode = new Float64Array(nodes)
  const forwardOfNode = new Float64Array(nodes)
  const entropyOfNode = new Float64Array(nodes)
  for (let node = 0; node < nodes; node += 1) {
    for (let i = node * candidates; i < (node + 1) * candidates; i += 1) {
      const probability = Math.exp(policy[i])
      const ofReference = Math.exp(reference[i])
      // A candidate that cannot be picked adds nothing, even where its logarithm is −∞.
      if (ofReference > 0) forwardOfNode[node] += ofReference * (reference[i] - policy[i])
      if (probability === 0) continue
      klOfNode[node] += probability * (policy[i] - reference[i])
      entropyOfNode[node] -= probability * policy[i]
    }
  }
  for (let beam = 0; beam < beams; beam += 1) {
    for (let at = beam * shots; at < (beam + 1) * shots; at += 1) {
      values.kl[beam] += klOfNode[nodeOf[at]]
      values.forward[beam] += forwardOfNode[nodeOf[at]]
      values.entropy[beam] += entropyOfNode[nodeOf[at]]
    }
    // A sum of rounded terms may end a hair below zero, which no KL is.
    values.kl[beam] = Math.max(0, values.kl[beam])
    values.forward[beam] = Math.max(0, values.forward[beam])
  }
  return values
}

function rowsInOrder(rows: number): Int32Array {
  return Int32Array.from({ length: rows }, (_, row) => row)
}

/** What each exact quantity weighs in the loss. */
interface ExactFactors {
  readonly kl: number
  readonly forward?: number
  readonly entropy: number
}

/**
 * The slope of factors.kl · mean KL + factors.forward · mean forward KL + factors.entropy · mean entropy in each log-prob l of a node, taken as free variables
 * (the policy's backward pass closes the softmax); a node counts once for each beam that passes it:
 *
 *   d KL / dl = p · (l − ref + 1),    d forward / dl = −e^ref,    d H / dl = −p · (l + 1)
 *
 * The picks before a step are held fixed, as in every estimator of a sampled KL.
 */
export function exactSlope(
  policy: Float64Array,
  reference: Float64Array,
  shape: StepShape,
  factors: ExactFactors,
): Float64Array {
  const { shots, candidates, nodeOf = rowsInOrder(policy.length / candidates) } = shape
  const beams = nodeOf.length / shots
  const klFactor = factors.kl / beams
  const forwardFactor = (factors.forward ?? 0) / beams
  const entropyFactor = factors.entropy / beams
  const slope = new Float64Array(policy.length)
  for (const node of nodeOf) {
    for (let i = node * candidates; i < (node + 1) * candidates; i += 1) {
      slope[i] -= forwardFactor * Math.exp(reference[i])
      const probability = Math.exp(policy[i])
      if (probability === 0) continue
      slope[i] += probability * (klFactor * (policy[i] - reference[i] + 1) - entropyFactor * (policy[i] + 1))
    }
  }
  return slope
}

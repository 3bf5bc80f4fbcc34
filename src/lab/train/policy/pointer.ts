/**
 * Picking without replacement. Beams that begin alike share their distributions: the beams of a query form a tree whose
 * nodes are beginnings, and each node holds one distribution over the candidates. In float64, whatever the engine.
 */
import type { Random } from '../../../stats/random.js'

export interface Tree {
  readonly beamCount: number
  readonly shots: number
  /** How many candidates there are. */
  readonly width: number
  /** beams x shots: the node from which a beam makes its pick. */
  readonly nodeOf: Int32Array
  /** beams x shots: the pick. */
  readonly picks: Int32Array
  readonly parent: Int32Array
  /** The pick that led from the parent to the node. */
  readonly cameBy: Int32Array
  /** Nodes of level t are levels[t] up to levels[t + 1]. */
  readonly levels: Int32Array
  /** nodes x candidates */
  readonly probabilities: Float64Array
  readonly logProbs: Float64Array
}

/** Chooses a candidate for a beam that has come to `node`. */
export type Choose = (beam: number, step: number, tree: Tree, node: number) => number

/** Where the logits come from, level by level. */
export interface Logits {
  /** Called when all nodes of a level are known and before any of their logits is asked for. */
  prepare(tree: Tree, level: number): void
  write(node: number, target: Float64Array, start: number): void
  /** All nodes have the logits of the first and differ only in what is taken: the static form. */
  readonly areShared: boolean
}

export const mostProbable: Choose = (_beam, _step, { width, probabilities }, node) => {
  let best = 0
  for (let k = 1; k < width; k++) if (probabilities[node * width + k] > probabilities[node * width + best]) best = k
  return best
}

export const drawnBy =
  (random: Random): Choose =>
  (_beam, _step, { width, probabilities }, node) => {
    let left = random.next()
    let pick = -1
    for (let k = 0; k < width; k++) {
      const probability = probabilities[node * width + k]
      if (probability === 0) continue
      pick = k
      left -= probability
      if (left < 0) break
    }
    return pick
  }

export const mostNodes = (beamCount: number, shots: number): number => 1 + beamCount * (shots - 1)

/** What a tree needs only while it is the last one of its policy; a fresh array costs more than a short loop over it. */
interface TreeScratch {
  take(
    beamCount: number,
    shots: number,
    width: number,
  ): Omit<Tree, 'beamCount' | 'shots' | 'width' | 'nodeOf' | 'logProbs'>
}

export function createTreeScratch(): TreeScratch {
  let known: ReturnType<TreeScratch['take']> | undefined
  return {
    take(beamCount, shots, width) {
      const most = mostNodes(beamCount, shots)
      const fits =
        known?.parent.length === most &&
        known.picks.length === beamCount * shots &&
        known.probabilities.length === most * width
      if (known !== undefined && fits) return known
      known = {
        picks: new Int32Array(beamCount * shots),
        // The first node has no parent; that of any other is written when it comes to be.
        parent: new Int32Array(most).fill(-1),
        cameBy: new Int32Array(most).fill(-1),
        levels: new Int32Array(shots + 1),
        probabilities: new Float64Array(most * width),
      }
      return known
    },
  }
}

/** `nodeOf` and `logProbs` are the tree's own, to be handed on; the rest is taken from the scratch. */
export function growTree(
  scratch: TreeScratch,
  beamCount: number,
  shots: number,
  width: number,
  logits: Logits,
  choose: Choose,
): Tree {
  if (shots > width) throw new RangeError(`${shots} picks without replacement need more than ${width} candidates`)
  const tree: Tree = {
    beamCount,
    shots,
    width,
    nodeOf: new Int32Array(beamCount * shots),
    logProbs: new Float64Array(mostNodes(beamCount, shots) * width),
    ...scratch.take(beamCount, shots, width),
  }
  tree.levels[1] = 1
  for (let step = 0; step < shots; step++) {
    logits.prepare(tree, step)
    for (let node = tree.levels[step]; node < tree.levels[step + 1]; node++) {
      if (node > 0 && logits.areShared) {
        withoutTaken(tree, node)
      } else {
        logits.write(node, tree.logProbs, node * width)
        logSoftmax(tree, node)
      }
    }
    for (let beam = 0; beam < beamCount; beam++) {
      const at = beam * shots + step
      const pick = choose(beam, step, tree, tree.nodeOf[at])
      if (!(tree.logProbs[tree.nodeOf[at] * width + pick] > Number.NEGATIVE_INFINITY)) refuse(tree, beam, step, pick)
      tree.picks[at] = pick
    }
    if (step + 1 < shots) branch(tree, step)
  }
  return tree
}

function branch(tree: Tree, step: number): void {
  const { beamCount, shots, width, nodeOf, picks, parent, cameBy, levels } = tree
  const children = new Map<number, number>()
  let next = levels[step + 1]
  for (let beam = 0; beam < beamCount; beam++) {
    const at = beam * shots + step
    const key = nodeOf[at] * width + picks[at]
    let child = children.get(key)
    if (child === undefined) {
      child = next++
      parent[child] = nodeOf[at]
      cameBy[child] = picks[at]
      children.set(key, child)
    }
    nodeOf[at + 1] = child
  }
  levels[step + 2] = next
}

/** Below it too little is left of the first node's probabilities to be scaled up again without loss. */
const LEAST_LEFT = 1e-8

/** The first node's distribution without what was taken on the way here, scaled up again: no exponentials to compute. */
function withoutTaken(tree: Tree, node: number): void {
  const { width, parent, cameBy, probabilities, logProbs } = tree
  const start = node * width
  probabilities.copyWithin(start, 0, width)
  logProbs.copyWithin(start, 0, width)
  for (let at = node; parent[at] >= 0; at = parent[at]) {
    probabilities[start + cameBy[at]] = 0
    logProbs[start + cameBy[at]] = Number.NEGATIVE_INFINITY
  }
  let left = 0
  for (let i = start; i < start + width; i++) left += probabilities[i]
  if (!(left > LEAST_LEFT)) {
    logSoftmax(tree, node)
    return
  }
  const shift = Math.log(left)
  for (let i = start; i < start + width; i++) {
    probabilities[i] /= left
    logProbs[i] -= shift
  }
}

/** Over the candidates not yet taken; those taken get log-probability -Infinity. */
function logSoftmax({ width, parent, cameBy, probabilities, logProbs }: Tree, node: number): void {
  const start = node * width
  const end = start + width
  for (let at = node; parent[at] >= 0; at = parent[at]) logProbs[start + cameBy[at]] = Number.NEGATIVE_INFINITY
  let most = Number.NEGATIVE_INFINITY
  for (let i = start; i < end; i++) if (logProbs[i] > most) most = logProbs[i]
  let total = 0
  for (let i = start; i < end; i++) {
    const value = Math.exp(logProbs[i] - most)
    probabilities[i] = value
    total += value
  }
  const shift = most + Math.log(total)
  for (let i = start; i < end; i++) {
    probabilities[i] /= total
    logProbs[i] -= shift
  }
}

function refuse({ width, nodeOf, logProbs, shots }: Tree, beam: number, step: number, pick: number): never {
  if (!Number.isInteger(pick) || pick < 0 || pick >= width) {
    throw new RangeError(
      `pick ${step + 1} of beam ${beam + 1} is candidate ${pick}; there are ${width}, counted from 0`,
    )
  }
  if (Number.isNaN(logProbs[nodeOf[beam * shots + step] * width + pick])) {
    throw new RangeError('the policy gives NaN: its parameters or an embedding are not finite')
  }
  throw new RangeError(`pick ${step + 1} of beam ${beam + 1} takes candidate ${pick} a second time`)
}

/**
 * Gradient of the logits of every node, from gradients of the log-probabilities of whole beams and, where given, of every
 * candidate at every node: d logit = d logp - p sum(d logp). What is said of a candidate already taken is ignored.
 */
export function logitGradients(tree: Tree, ofBeams: Float64Array, ofNodes: Float64Array | undefined): Float64Array {
  const { beamCount, shots, width, nodeOf, picks, probabilities, logProbs, levels } = tree
  const nodes = levels[shots]
  const gradients = new Float64Array(nodes * width)
  for (let beam = 0; beam < beamCount; beam++) {
    for (let at = beam * shots; at < (beam + 1) * shots; at++)
      gradients[nodeOf[at] * width + picks[at]] += ofBeams[beam]
  }
  if (ofNodes !== undefined) {
    for (let i = 0; i < nodes * width; i++) if (logProbs[i] > Number.NEGATIVE_INFINITY) gradients[i] += ofNodes[i]
  }
  for (let start = 0; start < nodes * width; start += width) {
    let total = 0
    for (let i = start; i < start + width; i++) total += gradients[i]
    for (let i = start; i < start + width; i++) gradients[i] -= probabilities[i] * total
  }
  return gradients
}

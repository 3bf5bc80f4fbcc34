/**
 * The pointer-selector policy: forward and backward derived by hand, one query at a time. `evaluate` gives the
 * log-probability of each beam and of every candidate at every step (the action space is small enough for exact KL and
 * entropy); `backward` takes the gradients of a loss with respect to these and adds to the gradients of the parameters.
 * An objective needs nothing else, and no kernel knowledge.
 *
 * A policy remembers the intermediate values of its last evaluation only: call `backward` before the next `evaluate`,
 * `sample` or `greedy` on the same policy. Gradients add up over calls until `zeroGradients`.
 */
import type { Random } from '../../../stats/random.js'
import type { Engine } from '../kernels/engine.js'
import type { FloatArray } from '../kernels/kernels.js'
import { createMatrixKernels, createScratch, type Matrix, numbersIn, rowOf, rowsOf } from '../matrix/matrix.js'
import { createParameters, type ParameterSet, settleGradients } from '../matrix/parameters.js'
import { attentionBlocks } from './attention.js'
import type { DropoutMask } from './dropout.js'
import { createKnownScores, type EmbeddingTable, type PolicyQuery } from './embeddings.js'
import { createEncoder, type States } from './encoder.js'
import { createGate } from './gate.js'
import { createInputSide, type Inputs } from './inputs.js'
import {
  type Choose,
  createTreeScratch,
  drawnBy,
  growTree,
  type Logits,
  logitGradients,
  mostNodes,
  mostProbable,
  type Tree,
} from './pointer.js'
import { type Model, type PolicyShape, tensorsOf } from './shape.js'

export interface Evaluation {
  readonly beams: readonly (readonly number[])[]
  readonly shots: number
  readonly candidateCount: number
  /** Of each beam. */
  readonly logProbs: Float64Array
  /** beams x shots: the node from which a beam makes its pick. Beams that begin alike share it. */
  readonly nodeOf: Int32Array
  /** nodes x candidates, each row the distribution of one pick; -Infinity where the candidate is already taken. */
  readonly nodeLogProbs: Float64Array
}

/** Of a loss with respect to what an Evaluation holds. */
interface EvaluationGradients {
  readonly logProbs: Float64Array
  readonly nodeLogProbs?: Float64Array
}

interface EvaluateOptions {
  readonly dropout?: DropoutMask | undefined
}

interface PickOptions extends EvaluateOptions {
  /** How many to pick, if not as many as the policy's shape says. */
  readonly shots?: number
}

export interface Policy {
  readonly shape: PolicyShape
  readonly parameters: ParameterSet
  /** Beams are lists of candidates, counted from 0 in the query's order, all of one length. */
  evaluate(query: PolicyQuery, beams: readonly (readonly number[])[], options?: EvaluateOptions): Evaluation
  backward(evaluation: Evaluation, gradients: EvaluationGradients): void
  zeroGradients(): void
  /** Draws `count` beams; they may coincide. */
  sample(query: PolicyQuery, random: Random, count: number, options?: PickOptions): Evaluation
  /** The most probable candidate at each step. */
  greedy(query: PolicyQuery, options?: PickOptions): readonly number[]
}

interface PolicyOptions {
  /** Parameters whose names begin so are not trained, and have no gradient. */
  readonly frozen?: readonly string[]
  readonly embeddings?: EmbeddingTable
}

interface Trace {
  readonly evaluation: Evaluation
  readonly tree: Tree
  /** Undefined when the scores were known: only a policy with nothing to train knows any. */
  readonly inputs: Inputs | undefined
  readonly mask: DropoutMask | undefined
}

export function createPolicy(engine: Engine, shape: PolicyShape, options: PolicyOptions = {}): Policy {
  const kernels = createMatrixKernels(engine)
  const { form, hidden, heads, temperature } = shape
  const parameters = createParameters(engine, tensorsOf(shape), options.frozen ?? [], name => {
    if (name.endsWith('in_proj_weight')) return attentionBlocks(hidden, heads)
    return name.endsWith('out_proj.weight') || name === 'query_proj.weight' ? [hidden] : []
  })
  const pointer = createTreeScratch()
  const scratch = createScratch(engine)
  const model: Model = { engine, kernels, shape, parameters, scratch }
  const inputSide = createInputSide(model, options.embeddings)
  const encoder = createEncoder(model, inputSide.inputTrainable)
  const gate = form === 'gated' ? createGate(model) : undefined
  const knownScores =
    parameters.trainable.length === 0 && gate === undefined ? createKnownScores(parameters) : undefined
  let last: Trace | undefined

  /** Without `beams`, they are what `choose` makes them. */
  function run(
    query: PolicyQuery,
    beamCount: number,
    shots: number,
    mask: DropoutMask | undefined,
    choose: Choose,
    beams?: Evaluation['beams'],
  ): Trace {
    last = undefined
    const known = mask === undefined ? knownScores?.of(query) : undefined
    if (known !== undefined) {
      const tree = growTree(pointer, beamCount, shots, known.length, logitsFrom(known), choose)
      last = { evaluation: evaluationOf(tree, beams), tree, inputs: undefined, mask }
      return last
    }
    const inputs = inputSide.load(query, mask)
    const { unit } = inputs
    const count = unit.rows
    const most = gate === undefined ? 1 : mostNodes(beamCount, shots)
    const at = statesOf(most)
    const scores = scratch('scores', most, count)
    encoder.forward(inputs, mask, first(at))
    const logits: Logits = {
      prepare(tree, level) {
        if (level > 0 && gate === undefined) return
        if (level > 0) gate?.advance(tree, level, at, unit)
        const from = tree.levels[level]
        const nodes = tree.levels[level + 1] - from
        kernels.multiplyTransposed(rowsOf(scores, from, nodes), rowsOf(at.states, from, nodes), unit)
        if (mask === undefined) knownScores?.keep(query, numbersIn(engine, rowOf(scores, 0)))
      },
      write(node, target, start) {
        const numbers = engine.numbers()
        const { start: row } = rowOf(scores, gate === undefined ? 0 : node)
        for (let k = 0; k < count; k++) target[start + k] = numbers[row + k] / temperature
      },
      areShared: gate === undefined,
    }
    const tree = growTree(pointer, beamCount, shots, count, logits, choose)
    last = { evaluation: evaluationOf(tree, beams), tree, inputs, mask }
    return last
  }

  const statesOf = (nodes: number): States => ({
    states: scratch('states', nodes, hidden),
    norms: scratch('state norms', nodes, 1),
  })

  const logitsFrom = (scores: FloatArray): Logits => ({
    prepare() {},
    write(_node, target, start) {
      for (let k = 0; k < scores.length; k++) target[start + k] = scores[k] / temperature
    },
    areShared: true,
  })

  function backward(evaluation: Evaluation, gradients: EvaluationGradients): void {
    if (last === undefined || last.evaluation !== evaluation) {
      throw new Error('backward must follow its own evaluation, before the policy evaluates anything else')
    }
    checkLength('log-probabilities', gradients.logProbs, evaluation.logProbs)
    checkLength('log-probabilities of nodes', gradients.nodeLogProbs, evaluation.nodeLogProbs)
    const { tree, inputs, mask } = last
    if (inputs === undefined) return
    const { unit } = inputs
    const count = unit.rows
    const { candidatesTrainable, inputTrainable } = inputSide
    const most = gate === undefined ? 1 : tree.parent.length
    const nodes = gate === undefined ? 1 : tree.levels[tree.shots]
    const at = statesOf(most)
    const dScores = rowsOf(scratch('d scores', most, count), 0, nodes)
    const dStates = scratch('d states', most, hidden)
    const dUnit = candidatesTrainable ? scratch('d unit', count, hidden) : undefined
    const dReduced = inputTrainable ? scratch('d reduced', count, hidden) : undefined
    settleGradients(parameters)
    writeScoreGradients(logitGradients(tree, gradients.logProbs, gradients.nodeLogProbs), dScores)
    kernels.multiply(dStates, dScores, unit)
    if (dUnit !== undefined) kernels.transposedMultiply(dUnit, dScores, at.states)
    gate?.backward(tree, at, dStates, dUnit)
    if (dUnit !== undefined) inputSide.candidatesBackward(inputs, mask, dUnit, dReduced)
    const dReducedQuery = encoder.backward(mask, first(at), rowOf(dStates, 0), dReduced)
    if (dReduced !== undefined) inputSide.inputBackward(inputs, dReduced, dReducedQuery)
  }

  /** In the static form all nodes share one state, so their gradients are summed. */
  function writeScoreGradients(ofLogits: Float64Array, dScores: Matrix): void {
    const target = numbersIn(engine, dScores)
    const count = dScores.columns
    const summed = target.length === ofLogits.length ? ofLogits : new Float64Array(target.length)
    if (summed !== ofLogits) {
      for (let node = 0; node < ofLogits.length; node += count) {
        for (let k = 0; k < count; k++) summed[k] += ofLogits[node + k]
      }
    }
    for (let i = 0; i < summed.length; i++) target[i] = summed[i] / temperature
  }

  return {
    shape,
    parameters,
    evaluate(query, beams, { dropout } = {}) {
      const shots = beams[0]?.length ?? 0
      if (shots === 0) throw new RangeError('there is no beam to evaluate, or the first one is empty')
      const odd = beams.findIndex(beam => beam.length !== shots)
      if (odd >= 0) throw new RangeError(`beam ${odd + 1} has ${beams[odd].length} picks, the first one ${shots}`)
      return run(query, beams.length, shots, dropout, (beam, step) => beams[beam][step], beams).evaluation
    },
    backward,
    zeroGradients: () => parameters.zeroGradients(),
    sample(query, random, count, { dropout, shots = shape.shots } = {}) {
      return run(query, count, shots, dropout, drawnBy(random)).evaluation
    },
    greedy(query, { dropout, shots = shape.shots } = {}) {
      return run(query, 1, shots, dropout, mostProbable).evaluation.beams[0]
    },
  }
}

/** Of the first node alone, where nothing has been picked. */
function first({ states, norms }: States): States {
  return { states: rowOf(states, 0), norms: rowOf(norms, 0) }
}

function evaluationOf(
  { beamCount, shots, width, nodeOf, picks, levels, logProbs }: Tree,
  beams: Evaluation['beams'] | undefined,
): Evaluation {
  const ofBeams = new Float64Array(beamCount)
  for (let beam = 0; beam < beamCount; beam++) {
    for (let at = beam * shots; at < (beam + 1) * shots; at++) ofBeams[beam] += logProbs[nodeOf[at] * width + picks[at]]
  }
  return {
    beams:
      beams ?? Array.from({ length: beamCount }, (_, beam) => [...picks.subarray(beam * shots, (beam + 1) * shots)]),
    shots,
    candidateCount: width,
    logProbs: ofBeams,
    nodeOf,
    nodeLogProbs: logProbs.subarray(0, levels[shots] * width),
  }
}

function checkLength(what: string, gradient: Float64Array | undefined, values: Float64Array): void {
  if (gradient === undefined || gradient.length === values.length) return
  throw new RangeError(`${gradient.length} gradients for ${values.length} ${what}`)
}

/**
 * The gated form's step from one pick to the next. With s the query state, c the unit vector of the candidate picked:
 *   g = sigmoid(G [s; c] + b)      v = g s + (1 - g) c      next state = v / |v|
 * All nodes of a level are done together. G s is computed once for each parent and not for each child.
 */
import type { FloatArray } from '../kernels/kernels.js'
import { createLinear, type Matrix, matrixAt, matrixOf, numbersIn, rowOf, rowsOf, zero } from '../matrix/matrix.js'
import { denseGradient } from '../matrix/parameters.js'
import type { States } from './encoder.js'
import type { Tree } from './pointer.js'
import type { Model } from './shape.js'

interface Gate {
  /** Writes the states of level `level` from those of the level before. */
  advance(tree: Tree, level: number, at: States, unit: Matrix): void
  /**
   * The reverse, from the last level to the first: reads `dStates` of a level and adds to those of the level before, and
   * to `dUnit` unless it is undefined.
   */
  backward(tree: Tree, at: States, dStates: Matrix, dUnit: Matrix | undefined): void
}

export function createGate({ engine, kernels, shape, parameters, scratch }: Model): Gate {
  const { hidden } = shape
  const weight = parameters.get('query_update_gate.weight')
  const bias = parameters.get('query_update_gate.bias')
  const ofState = createLinear(engine, weight, [0, hidden])
  const ofChosen = createLinear(engine, weight, [hidden, hidden])
  const numbers = (matrix: Matrix): FloatArray => numbersIn(engine, matrix)

  /** The rows of a level's nodes, and of their parents, in a matrix of all nodes. */
  function rowsAt({ levels }: Tree, level: number) {
    const [above, from, end] = levels.subarray(level - 1, level + 2)
    return {
      from,
      end,
      parents: (all: Matrix): Matrix => rowsOf(all, above, from - above),
      children: (all: Matrix): Matrix => rowsOf(all, from, end - from),
    }
  }

  function advance(tree: Tree, level: number, { states, norms }: States, unit: Matrix): void {
    const { parent, cameBy } = tree
    const { from, end, parents, children } = rowsAt(tree, level)
    const nodes = parent.length
    const chosen = scratch('chosen', nodes, hidden)
    const gates = scratch('gates', nodes, hidden)
    const shared = scratch('gate of state', nodes, hidden)
    const mixed = scratch('mixed', nodes, hidden)
    for (let node = from; node < end; node++) kernels.copy(rowOf(chosen, node), rowOf(unit, cameBy[node]))
    ofState.forward(parents(shared), parents(states))
    ofChosen.forward(children(gates), children(chosen))
    const [g, ofParents, s, c, v] = [gates, shared, states, chosen, mixed].map(numbers)
    const b = numbers(matrixOf(bias))
    for (let node = from; node < end; node++) {
      const before = parent[node] * hidden
      for (let i = 0; i < hidden; i++) {
        const at = node * hidden + i
        const open = 1 / (1 + Math.exp(-(g[at] + ofParents[before + i] + b[i])))
        g[at] = open
        v[at] = open * s[before + i] + (1 - open) * c[at]
      }
    }
    kernels.normaliseRows(children(states), children(norms), children(mixed))
  }

  function backwardLevel(
    tree: Tree,
    level: number,
    { states, norms }: States,
    dStates: Matrix,
    dUnit: Matrix | undefined,
  ): void {
    const { parent, cameBy } = tree
    const { from, end, parents, children } = rowsAt(tree, level)
    const nodes = parent.length
    const chosen = scratch('chosen', nodes, hidden)
    const gates = scratch('gates', nodes, hidden)
    const dMixed = scratch('d mixed', nodes, hidden)
    const dGates = scratch('d gates', nodes, hidden)
    const dGatesOfParents = scratch('d gates of parents', nodes, hidden)
    const dChosen = scratch('d chosen', nodes, hidden)
    kernels.normaliseRowsBackward(children(dMixed), children(dStates), children(states), children(norms))
    zero(engine, parents(dGatesOfParents))
    const [g, s, c] = [gates, states, chosen].map(numbers)
    const [dv, dg, dgOfParents, dc, ds] = [dMixed, dGates, dGatesOfParents, dChosen, dStates].map(numbers)
    for (let node = from; node < end; node++) {
      const before = parent[node] * hidden
      for (let i = 0; i < hidden; i++) {
        const at = node * hidden + i
        const slope = dv[at]
        const open = g[at]
        ds[before + i] += slope * open
        dc[at] = slope * (1 - open)
        const inner = slope * (s[before + i] - c[at]) * open * (1 - open)
        dg[at] = inner
        dgOfParents[before + i] += inner
      }
    }
    // The two halves of the weight have one gradient: whether it is added to is asked once for both.
    const adds = weight.gradient.state !== 'none'
    ofState.addWeightGradient(parents(dGatesOfParents), parents(states), adds)
    ofChosen.addWeightGradient(children(dGates), children(chosen), adds)
    if (bias.trainable) {
      const target = matrixAt(denseGradient(engine, bias), 1, hidden)
      const { rows } = parents(dGatesOfParents)
      for (let row = 0; row < rows; row++) kernels.add(target, rowOf(parents(dGatesOfParents), row))
    }
    ofState.inputGradient(parents(dStates), parents(dGatesOfParents), true)
    if (dUnit === undefined) return
    ofChosen.inputGradient(children(dChosen), children(dGates), true)
    for (let node = from; node < end; node++) kernels.add(rowOf(dUnit, cameBy[node]), rowOf(dChosen, node))
  }

  return {
    advance,
    backward(tree, at, dStates, dUnit) {
      for (let level = tree.shots - 1; level > 0; level--) backwardLevel(tree, level, at, dStates, dUnit)
    },
  }
}

/**
 * The gated form's step from one pick to the next. With s the query state, c the unit vector of the candidate picked:
 *   g = sigmoid(G [s; c] + b)      v = g s + (1 - g) c      next state = v / |v|
 * All nodes of a level are done together. G s is computed once for each parent and not for each child.
 */
import { addTo, type Model } from './model.js'
import { denseGradient } from './parameters.js'
import type { Tree } from './pointer.js'
import { NORMALISE_EPSILON } from './shape.js'

export interface Gate {
  /** Writes the states of level `level` from those of the level before. */
  advance(tree: Tree, level: number, states: number, norms: number, unit: number): void
  /**
   * The reverse, from the last level to the first: reads `dStates` of a level and adds to those of the level before, and
   * to `dUnit` unless it is undefined.
   */
  backward(tree: Tree, states: number, norms: number, dStates: number, dUnit: number | undefined): void
}

export function createGate({ engine, shape, parameters, workspace }: Model): Gate {
  const { kernels } = engine
  const { hidden } = shape
  const weight = parameters.get('query_update_gate.weight')
  const bias = parameters.get('query_update_gate.bias')
  const ofChosen = weight.start + hidden
  const wide = 2 * hidden

  function advance(tree: Tree, level: number, states: number, norms: number, unit: number): void {
    const { levels, parent, cameBy } = tree
    const above = levels[level - 1]
    const from = levels[level]
    const count = levels[level + 1] - from
    const nodes = tree.parent.length
    const chosen = workspace('chosen', nodes * hidden)
    const gates = workspace('gates', nodes * hidden)
    const shared = workspace('gate of state', nodes * hidden)
    const mixed = workspace('mixed', nodes * hidden)
    const a = engine.numbers()
    const row = (start: number, node: number): number => start + node * hidden
    for (let node = from; node < from + count; node++) {
      kernels.copy(row(chosen, node), row(unit, cameBy[node]), hidden)
    }
    kernels.multiplyTransposed(
      row(shared, above),
      row(states, above),
      weight.start,
      from - above,
      hidden,
      hidden,
      hidden,
      hidden,
      wide,
    )
    kernels.multiplyTransposed(
      row(gates, from),
      row(chosen, from),
      ofChosen,
      count,
      hidden,
      hidden,
      hidden,
      hidden,
      wide,
    )
    for (let node = from; node < from + count; node++) {
      const before = row(states, parent[node])
      const ofState = row(shared, parent[node])
      for (let i = 0; i < hidden; i++) {
        const at = node * hidden + i
        const open = 1 / (1 + Math.exp(-(a[gates + at] + a[ofState + i] + a[bias.start + i])))
        a[gates + at] = open
        a[mixed + at] = open * a[before + i] + (1 - open) * a[chosen + at]
      }
    }
    kernels.normaliseRows(row(states, from), norms + from, row(mixed, from), count, hidden, NORMALISE_EPSILON)
  }

  function backward(tree: Tree, states: number, norms: number, dStates: number, dUnit: number | undefined): void {
    for (let level = tree.shots - 1; level > 0; level--) {
      backwardLevel(tree, level, states, norms, dStates, dUnit)
    }
  }

  function backwardLevel(
    { levels, parent, cameBy }: Tree,
    level: number,
    states: number,
    norms: number,
    dStates: number,
    dUnit: number | undefined,
  ): void {
    const above = levels[level - 1]
    const from = levels[level]
    const parents = from - above
    const count = levels[level + 1] - from
    const nodes = parent.length
    const chosen = workspace('chosen', nodes * hidden)
    const gates = workspace('gates', nodes * hidden)
    const dMixed = workspace('d mixed', nodes * hidden)
    const dGates = workspace('d gates', nodes * hidden)
    const dGatesOfParents = workspace('d gates of parents', nodes * hidden)
    const dChosen = workspace('d chosen', nodes * hidden)
    const a = engine.numbers()
    const row = (start: number, node: number): number => start + node * hidden
    kernels.normaliseRowsBackward(
      row(dMixed, from),
      row(dStates, from),
      row(states, from),
      norms + from,
      count,
      hidden,
      NORMALISE_EPSILON,
    )
    a.fill(0, row(dGatesOfParents, above), row(dGatesOfParents, from))
    for (let node = from; node < from + count; node++) {
      const before = row(states, parent[node])
      const dBefore = row(dStates, parent[node])
      const dGatesOfParent = row(dGatesOfParents, parent[node])
      for (let i = 0; i < hidden; i++) {
        const at = node * hidden + i
        const slope = a[dMixed + at]
        const open = a[gates + at]
        a[dBefore + i] += slope * open
        a[dChosen + at] = slope * (1 - open)
        const inner = slope * (a[before + i] - a[chosen + at]) * open * (1 - open)
        a[dGates + at] = inner
        a[dGatesOfParent + i] += inner
      }
    }
    if (weight.trainable) {
      const { gradient } = weight
      const { dense } = gradient
      const adds = gradient.state !== 'none'
      gradient.state = 'dense'
      const dParents = row(dGatesOfParents, above)
      const parentStates = row(states, above)
      kernels.transposedMultiply(dense, dParents, parentStates, parents, hidden, hidden, wide, hidden, hidden, adds)
      const dNodes = row(dGates, from)
      const picked = row(chosen, from)
      kernels.transposedMultiply(dense + hidden, dNodes, picked, count, hidden, hidden, wide, hidden, hidden, adds)
    }
    if (bias.trainable) {
      const target = denseGradient(engine, bias)
      for (let node = above; node < from; node++) addTo(a, target, row(dGatesOfParents, node), hidden)
    }
    kernels.multiply(
      row(dStates, above),
      row(dGatesOfParents, above),
      weight.start,
      parents,
      hidden,
      hidden,
      hidden,
      hidden,
      wide,
      true,
    )
    if (dUnit === undefined) return
    kernels.multiply(row(dChosen, from), row(dGates, from), ofChosen, count, hidden, hidden, hidden, hidden, wide, true)
    for (let node = from; node < from + count; node++) addTo(a, row(dUnit, cameBy[node]), row(dChosen, node), hidden)
  }

  return { advance, backward }
}

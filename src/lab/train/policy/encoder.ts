/**
 * From the reduced query to the pointer's first state: the layers of attention, then query_proj and a unit vector.
 * Dropout stands after query_proj in the static form and before it in the gated one, as in the original.
 */
import { allocateMatrix, type Matrix, matrixOf, zero } from '../matrix/matrix.js'
import { addOuterGradient } from '../matrix/parameters.js'
import { createAttention } from './attention.js'
import type { DropoutMask } from './dropout.js'
import type { Inputs } from './inputs.js'
import { layerNames, type Model, scaleBy } from './shape.js'

/** The query's state at nodes of the tree of picks, a unit vector each, and the lengths that they had before. */
export interface States {
  readonly states: Matrix
  readonly norms: Matrix
}

interface Encoder {
  /** Writes the first state. */
  forward(inputs: Inputs, mask: DropoutMask | undefined, first: States): void
  /** Of the last forward. Adds to `dReduced` unless it is undefined; answers the gradient of the query. */
  backward(mask: DropoutMask | undefined, first: States, dState: Matrix, dReduced: Matrix | undefined): Matrix
}

export function createEncoder(model: Model, inputTrainable: boolean): Encoder {
  const { engine, kernels, shape, parameters } = model
  const { form, hidden, heads, layers } = shape
  const attention = Array.from({ length: layers }, (_, layer) => createAttention(model, layer))
  const projection = parameters.get('query_proj.weight')
  const vector = (): Matrix => allocateMatrix(engine, 1, hidden)
  const enhanced = attention.map(vector)
  const projectionInput = vector()
  const projected = vector()
  const dProjected = vector()
  const dQuery = Array.from({ length: layers + 1 }, vector)

  const trains = (layer: number): boolean =>
    Object.values(layerNames(layer)).some(name => parameters.get(name).trainable)
  const firstTrained = attention.findIndex((_, layer) => trains(layer))
  /** Below this layer there is nothing to train; -1 stands for the input. */
  const lowest = inputTrainable ? -1 : firstTrained < 0 ? layers : firstTrained

  return {
    forward({ reduced, reducedQuery }, mask, { states, norms }) {
      const size = heads * reduced.rows
      let query = reducedQuery
      attention.forEach((layer, index) => {
        const dropout = mask?.attention.subarray(index * size, (index + 1) * size)
        layer.forward(query, enhanced[index], reduced, dropout)
        query = enhanced[index]
      })
      kernels.copy(projectionInput, query)
      if (mask !== undefined && form === 'gated') scaleBy(engine, projectionInput, mask.query)
      kernels.matrixVector(projected, matrixOf(projection), projectionInput)
      if (mask !== undefined && form === 'static') scaleBy(engine, projected, mask.query)
      kernels.normaliseRows(states, norms, projected)
    },

    backward(mask, { states, norms }, dState, dReduced) {
      kernels.normaliseRowsBackward(dProjected, dState, states, norms)
      if (mask !== undefined && form === 'static') scaleBy(engine, dProjected, mask.query)
      addOuterGradient(engine, projection, 0, dProjected, projectionInput)
      kernels.transposedVector(dQuery[layers], matrixOf(projection), dProjected)
      if (mask !== undefined && form === 'gated') scaleBy(engine, dQuery[layers], mask.query)
      for (let layer = layers - 1; layer >= Math.max(0, lowest); layer--) {
        zero(engine, dQuery[layer])
        attention[layer].backward(dQuery[layer + 1], dQuery[layer], layer > lowest, dReduced)
      }
      return dQuery[0]
    },
  }
}

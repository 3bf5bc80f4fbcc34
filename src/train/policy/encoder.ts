/**
 * From the reduced query to the pointer's first state: the layers of attention, then query_proj and a unit vector.
 * Dropout stands after query_proj in the static form and before it in the gated one, as in the original.
 */
import { createAttention } from './attention.js'
import type { DropoutMask } from './dropout.js'
import type { Inputs } from './inputs.js'
import { type Model, scaleBy } from './model.js'
import { addOuterGradient } from './parameters.js'
import { layerNames, NORMALISE_EPSILON } from './shape.js'

export interface Encoder {
  forward(inputs: Inputs, mask: DropoutMask | undefined, state: number, norm: number): void
  /** Of the last forward. Adds to `dReduced` unless it is undefined; answers where the gradient of the query is. */
  backward(
    mask: DropoutMask | undefined,
    state: number,
    norm: number,
    dState: number,
    dReduced: number | undefined,
  ): number
}

export function createEncoder(model: Model, inputTrainable: boolean): Encoder {
  const { engine, shape, parameters } = model
  const { kernels } = engine
  const { form, hidden, heads, layers } = shape
  const attention = Array.from({ length: layers }, (_, layer) => createAttention(model, layer))
  const projection = parameters.get('query_proj.weight')
  const enhanced = attention.map(() => engine.allocate(hidden))
  const projectionInput = engine.allocate(hidden)
  const projected = engine.allocate(hidden)
  const dProjected = engine.allocate(hidden)
  const dQuery = Array.from({ length: layers + 1 }, () => engine.allocate(hidden))

  const trains = (layer: number): boolean =>
    Object.values(layerNames(layer)).some(name => parameters.get(name).trainable)
  const firstTrained = attention.findIndex((_, layer) => trains(layer))
  /** Below this layer there is nothing to train; -1 stands for the input. */
  const lowest = inputTrainable ? -1 : firstTrained < 0 ? layers : firstTrained

  return {
    forward(inputs, mask, state, norm) {
      const { reduced, count, reducedQuery } = inputs
      let query = reducedQuery
      attention.forEach((layer, index) => {
        const size = heads * count
        layer.forward(
          query,
          enhanced[index],
          reduced,
          count,
          mask?.attention.subarray(index * size, (index + 1) * size),
        )
        query = enhanced[index]
      })
      kernels.copy(projectionInput, query, hidden)
      if (mask !== undefined && form === 'gated') scaleBy(engine.numbers(), projectionInput, mask.query)
      kernels.matrixVector(projected, projection.start, projectionInput, hidden, hidden, hidden)
      if (mask !== undefined && form === 'static') scaleBy(engine.numbers(), projected, mask.query)
      kernels.normaliseRows(state, norm, projected, 1, hidden, NORMALISE_EPSILON)
    },

    backward(mask, state, norm, dState, dReduced) {
      kernels.normaliseRowsBackward(dProjected, dState, state, norm, 1, hidden, NORMALISE_EPSILON)
      if (mask !== undefined && form === 'static') scaleBy(engine.numbers(), dProjected, mask.query)
      addOuterGradient(engine, projection, 0, dProjected, projectionInput)
      kernels.transposedVector(dQuery[layers], projection.start, dProjected, hidden, hidden, hidden)
      if (mask !== undefined && form === 'gated') scaleBy(engine.numbers(), dQuery[layers], mask.query)
      for (let layer = layers - 1; layer >= Math.max(0, lowest); layer--) {
        engine.numbers().fill(0, dQuery[layer], dQuery[layer] + hidden)
        attention[layer].backward(dQuery[layer + 1], dQuery[layer], layer > lowest, dReduced)
      }
      return dQuery[0]
    },
  }
}

/** The reverse of inputs.ts: from gradients of the unit candidates and of the reduced query to those of the weights. */
import type { DropoutMask } from './dropout.js'
import type { Inputs } from './inputs.js'
import { type Model, scaleBy } from './model.js'
import { NORMALISE_EPSILON } from './shape.js'

/**
 * dP = (dU - U (U . dU)) / |P|        dW_c += dP^T R        dR = dP W_c
 * Writes dR to `dReduced` if there is an input projection to train.
 */
export function candidatesBackward(
  { engine, shape, parameters, workspace }: Model,
  inputs: Inputs,
  mask: DropoutMask | undefined,
  dUnit: number,
  dReduced: number | undefined,
): void {
  const { kernels } = engine
  const { hidden, form } = shape
  const { count, norms, unit, projectionInput } = inputs
  const projection = parameters.get('cand_proj.weight')
  const dProjected = workspace('d projected', count * hidden)
  kernels.normaliseRowsBackward(dProjected, dUnit, unit, norms, count, hidden, NORMALISE_EPSILON)
  if (mask !== undefined && form === 'static') scaleBy(engine.numbers(), dProjected, mask.candidates)
  if (projection.trainable) {
    const { gradient } = projection
    const { dense } = gradient
    const adds = gradient.state !== 'none'
    kernels.transposedMultiply(dense, dProjected, projectionInput, count, hidden, hidden, hidden, hidden, hidden, adds)
    gradient.state = 'dense'
  }
  if (dReduced === undefined) return
  kernels.multiply(dReduced, dProjected, projection.start, count, hidden, hidden, hidden, hidden, hidden, false)
  if (mask !== undefined && form === 'gated') scaleBy(engine.numbers(), dReduced, mask.candidates)
}

/** dW_in += dR^T C + dq x^T */
export function inputBackward(
  { engine, shape, parameters }: Model,
  inputs: Inputs,
  dReduced: number,
  dReducedQuery: number,
): void {
  const { kernels } = engine
  const { width, hidden } = shape
  const { gradient } = parameters.get('input_proj.weight')
  const { dense } = gradient
  const adds = gradient.state !== 'none'
  kernels.transposedMultiply(
    dense,
    dReduced,
    inputs.rawCandidates,
    inputs.count,
    hidden,
    width,
    width,
    hidden,
    width,
    adds,
  )
  kernels.addOuter(dense, dReducedQuery, inputs.rawQuery, hidden, width, width)
  gradient.state = 'dense'
}

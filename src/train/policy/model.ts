/** What every part of a policy works with. */
import type { Engine } from '../kernels/engine.js'
import type { FloatArray } from '../kernels/kernels.js'
import type { ParameterSet } from './parameters.js'
import type { PolicyShape } from './shape.js'
import type { Workspace } from './workspace.js'

export interface Model {
  readonly engine: Engine
  readonly shape: PolicyShape
  readonly parameters: ParameterSet
  readonly workspace: Workspace
}

/** numbers[start + i] *= factors[i] */
export function scaleBy(numbers: FloatArray, start: number, factors: Float32Array): void {
  for (let i = 0; i < factors.length; i++) numbers[start + i] *= factors[i]
}

/** target[i] += source[i] */
export function addTo(numbers: FloatArray, target: number, source: number, length: number): void {
  for (let i = 0; i < length; i++) numbers[target + i] += numbers[source + i]
}

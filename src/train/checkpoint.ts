import type { JsonObject } from '../model/json.js'
import { writeSafetensors } from '../weights/safetensors-write.js'
import type { Tensor } from '../weights/tensor.js'
import type { ParameterSet } from './policy/parameters.js'

/** A policy on disk: its weights under the original's names, and what it says of itself: config, data, epoch, parent. */
export async function saveCheckpoint(path: string, parameters: ParameterSet, about: JsonObject): Promise<void> {
  const values = parameters.read()
  const tensors = parameters.all.map(({ name, dimensions }): Tensor => {
    const floats = Float32Array.from(values.get(name) ?? [])
    return {
      name,
      dtype: 'F32',
      shape: dimensions,
      part: 'model',
      async *bytes() {
        yield Buffer.from(floats.buffer, floats.byteOffset, floats.byteLength)
      },
    }
  })
  await writeSafetensors(path, tensors, about)
}

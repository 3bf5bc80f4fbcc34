import { createHash } from 'node:crypto'
import { plainName } from './selector-names.js'
import type { Tensor } from './tensor.js'

/**
 * Which weights these are, whatever file they lie in: SHA-256 over the names, types, shapes and bytes of the model's
 * tensors in the order of their names. The same weights as `.pt`, as `.ckpt` and as safetensors have the same hash; a
 * config or an optimiser's state beside them does not count.
 */
export async function contentHash(tensors: readonly Tensor[]): Promise<string> {
  const whole = createHash('sha256')
  const model = tensors
    .filter(({ part }) => part === 'model')
    .map(tensor => ({ ...tensor, name: plainName(tensor.name) }))
  for (const tensor of model.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const one = createHash('sha256')
    for await (const piece of tensor.bytes()) one.update(piece)
    const { name, dtype, shape } = tensor
    whole.update(`${JSON.stringify([name, dtype, shape, one.digest('hex')])}\n`)
  }
  return whole.digest('hex')
}

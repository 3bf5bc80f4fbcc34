import { createHash } from 'node:crypto'
import { Problem } from '../../logs/model/problem.js'
import { message } from '../../text/say.js'
import { bytesPerElement, type Dtype, decode } from './dtype.js'
import { plainName } from './lever-plus.js'
import { pieces, type Region } from './region.js'

/** A tensor as it lies in a file: described without being read, streamed when wanted. */

export interface Tensor {
  readonly name: string
  readonly dtype: Dtype
  readonly shape: readonly number[]
  /** A parameter of the model, or other state that a checkpoint holds beside it (an optimiser's, say). */
  readonly part: 'model' | 'state'
  /** Where it is one rank's part of a larger tensor. */
  readonly shard?: Shard
  /** Row-major little-endian bytes, in pieces of whole elements. */
  bytes(): AsyncIterable<Buffer>
}

/** What one rank of FSDP holds: a part of a tensor of this shape, cut along a dimension, or all of it. */
export interface Shard {
  readonly shape: readonly number[]
  /** Null: every rank holds the whole. */
  readonly dimension: number | null
}

/** How a tensor lies in its storage, counted in elements. */
export interface Placement {
  readonly dtype: Dtype
  readonly offset: number
  readonly shape: readonly number[]
  readonly strides: readonly number[]
}

/** A transposed or expanded tensor is put in order in memory; one whose storage is larger than this is refused. */
const LARGEST_GATHERED_BYTES = 1 << 30
/** Elements put in order at a time. */
const GATHERED_ELEMENTS = 1 << 18

export function elementCount(shape: readonly number[]): number {
  return shape.reduce((product, size) => product * size, 1)
}

export function byteCount({ dtype, shape }: Pick<Tensor, 'dtype' | 'shape'>): number {
  return elementCount(shape) * bytesPerElement(dtype)
}

/** A shape whose every size, and whose bytes, can be counted exactly. */
export function isShape(value: unknown): value is readonly number[] {
  if (!Array.isArray(value) || value.length > 64) return false
  if (!value.every(size => Number.isSafeInteger(size) && size >= 0)) return false
  return (
    value.includes(0) || value.reduce((product: number, size: number) => product * size, 8) <= Number.MAX_SAFE_INTEGER
  )
}

export function rowMajorStrides(shape: readonly number[]): number[] {
  const strides = shape.map(() => 1)
  for (let i = shape.length - 2; i >= 0; i -= 1) strides[i] = strides[i + 1] * shape[i + 1]
  return strides
}

/** The last element of its storage that a tensor touches, or -1. */
export function lastElement({ offset, shape, strides }: Placement): number {
  if (elementCount(shape) === 0) return -1
  return shape.reduce((last, size, i) => last + (size - 1) * strides[i], offset)
}

export async function* placedBytes(name: string, placement: Placement, storage: Region): AsyncGenerator<Buffer> {
  const { dtype, offset, shape, strides } = placement
  const size = bytesPerElement(dtype)
  const total = elementCount(shape)
  if (total === 0) return
  const ordered = rowMajorStrides(shape)
  if (shape.every((length, i) => length === 1 || strides[i] === ordered[i])) {
    yield* pieces(storage, offset * size, total * size)
    return
  }
  const span = (lastElement(placement) + 1 - offset) * size
  if (span > LARGEST_GATHERED_BYTES) {
    throw new Problem('unreadable', message('weights.too-large-to-order', { path: storage.path, tensor: name }))
  }
  const source = await storage.read(offset * size, span)
  const index = shape.map(() => 0)
  for (let done = 0; done < total; done += GATHERED_ELEMENTS) {
    const count = Math.min(GATHERED_ELEMENTS, total - done)
    const target = Buffer.allocUnsafe(count * size)
    for (let i = 0; i < count; i += 1) {
      const from = index.reduce((sum, at, axis) => sum + at * strides[axis], 0) * size
      source.copy(target, i * size, from, from + size)
      step(index, shape)
    }
    yield target
  }
}

function step(index: number[], shape: readonly number[]): void {
  for (let axis = shape.length - 1; axis >= 0; axis -= 1) {
    index[axis] += 1
    if (index[axis] < shape[axis]) return
    index[axis] = 0
  }
}

/** All numbers of a tensor at once, for what must be held in memory anyway. */
export async function tensorValues(tensor: Tensor): Promise<Float64Array> {
  const values = new Float64Array(elementCount(tensor.shape))
  let filled = 0
  for await (const piece of tensor.bytes()) {
    const part = decode(tensor.dtype, piece)
    values.set(part, filled)
    filled += part.length
  }
  return values
}

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

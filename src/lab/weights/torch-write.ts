import { isJsonObject, type Json } from '../../logs/model/json.js'
import type { Dtype } from './dtype.js'
import { elementCount, rowMajorStrides, type Tensor } from './tensor.js'
import { type NewEntry, writeZip } from './zip-write.js'

/**
 * Writes what `torch.load` reads, also with `weights_only=True`: dicts, lists, texts, numbers and tensors, pickled with
 * protocol 2. Nothing else can be written, so nothing that we write can run.
 */

/** A float is marked, because JSON does not tell 1 from 1.0 and Python does. */
export type Picklable =
  | null
  | boolean
  | number
  | string
  | { readonly float: number }
  | { readonly tensor: Tensor }
  | { readonly list: readonly Picklable[] }
  | { readonly dict: readonly (readonly [string, Picklable])[] }

const STORAGE_TYPES: { readonly [dtype in Dtype]: string } = {
  F64: 'DoubleStorage',
  F32: 'FloatStorage',
  F16: 'HalfStorage',
  BF16: 'BFloat16Storage',
  I64: 'LongStorage',
  I32: 'IntStorage',
  I16: 'ShortStorage',
  I8: 'CharStorage',
  U8: 'ByteStorage',
  BOOL: 'BoolStorage',
}

/** PyTorch names the folder in the zip after the file; any name will do. */
const FOLDER = 'archive'

export async function writeTorch(path: string, root: Picklable): Promise<void> {
  const tensors: Tensor[] = []
  const data = Buffer.concat([Buffer.from([0x80, 2]), ...pickle(root, tensors), Buffer.from('.')])
  const file = (name: string, bytes: NewEntry['bytes']): NewEntry => ({ name: `${FOLDER}/${name}`, bytes })
  await writeZip(path, [
    file('data.pkl', () => [data]),
    file('byteorder', () => [Buffer.from('little')]),
    ...tensors.map((tensor, i) => file(`data/${i}`, () => tensor.bytes())),
    file('version', () => [Buffer.from('3\n')]),
  ])
}

/** A value of a config. Whole numbers are integers for Python, unless they are too large for one of 64 bits. */
export function picklable(value: Json): Picklable {
  if (isJsonObject(value)) return { dict: Object.entries(value).map(([key, member]) => [key, picklable(member)]) }
  if (typeof value === 'object' && value !== null) return { list: value.map(picklable) }
  return value
}

function* pickle(value: Picklable, tensors: Tensor[]): Generator<Buffer> {
  if (value === null) yield Buffer.from('N')
  else if (typeof value === 'boolean') yield Buffer.from([value ? 0x88 : 0x89])
  else if (typeof value === 'string') yield textOf(value)
  else if (typeof value === 'number') yield numberOf(value)
  else if ('float' in value) yield floatOf(value.float)
  else if ('tensor' in value) yield* pickleTensor(value.tensor, tensors)
  else if ('list' in value) {
    yield Buffer.from('](')
    for (const item of value.list) yield* pickle(item, tensors)
    yield Buffer.from('e')
  } else {
    yield Buffer.from('}(')
    for (const [key, member] of value.dict) {
      yield textOf(key)
      yield* pickle(member, tensors)
    }
    yield Buffer.from('u')
  }
}

/** `torch._utils._rebuild_tensor_v2(storage, offset, size, strides, requires_grad, hooks)`. */
function* pickleTensor(tensor: Tensor, tensors: Tensor[]): Generator<Buffer> {
  const { dtype, shape } = tensor
  const key = String(tensors.length)
  tensors.push(tensor)
  yield Buffer.from('ctorch._utils\n_rebuild_tensor_v2\n((')
  yield textOf('storage')
  yield Buffer.from(`ctorch\n${STORAGE_TYPES[dtype]}\n`)
  yield textOf(key)
  yield textOf('cpu')
  yield numberOf(elementCount(shape))
  yield Buffer.from('tQ')
  yield numberOf(0)
  for (const numbers of [shape, rowMajorStrides(shape)]) {
    yield Buffer.from('(')
    for (const number of numbers) yield numberOf(number)
    yield Buffer.from('t')
  }
  yield Buffer.concat([Buffer.from([0x89]), Buffer.from('ccollections\nOrderedDict\n)RtR')])
}

function textOf(text: string): Buffer {
  const bytes = Buffer.from(text)
  const head = Buffer.alloc(5)
  head.write('X')
  head.writeUInt32LE(bytes.length, 1)
  return Buffer.concat([head, bytes])
}

function numberOf(value: number): Buffer {
  if (!Number.isSafeInteger(value) || Object.is(value, -0)) return floatOf(value)
  const isShort = value >= -(2 ** 31) && value < 2 ** 31
  const bytes = Buffer.alloc(isShort ? 5 : 10)
  if (isShort) {
    bytes.write('J')
    bytes.writeInt32LE(value, 1)
    return bytes
  }
  bytes.set([0x8a, 8])
  bytes.writeBigInt64LE(BigInt(value), 2)
  return bytes
}

function floatOf(value: number): Buffer {
  const bytes = Buffer.alloc(9)
  bytes.write('G')
  bytes.writeDoubleBE(value, 1)
  return bytes
}

import { type Json, jsonNumber } from '../../logs/model/json.js'
import type { PickledObject, PickleValue } from '../../logs/sources/pickle/read.js'
import { bytesPerElement, type Dtype, decode } from './dtype.js'
import { columnMajorStrides, dtypeFromNumpy } from './npy.js'
import { isShape, type Placement, rowMajorStrides, type Shard } from './tensor.js'

/**
 * What the written-down calls of a pickle mean, for the few that checkpoints are made of: PyTorch's tensors and storages,
 * NumPy's arrays and numbers, ordered dicts. All else keeps its name and stays what it is: something Python would call.
 */

export interface StorageReference {
  readonly key: string
  readonly dtype: Dtype
  readonly count: number
}

export type Meaning =
  | { readonly kind: 'plain'; readonly value: Json }
  | { readonly kind: 'dict'; readonly entries: readonly (readonly [PickleValue, PickleValue])[] }
  | { readonly kind: 'list'; readonly items: readonly PickleValue[] }
  | {
      readonly kind: 'tensor'
      readonly placement: Placement
      readonly storage: StorageReference | Buffer
      /** Where it is one rank's part of a larger one. */
      readonly shard?: Shard
    }
  /** A tensor whose description makes no sense. */
  | { readonly kind: 'broken' }
  | {
      readonly kind: 'unknown'
      readonly name: string
      readonly inside: readonly (readonly [PickleValue, PickleValue])[]
    }

const STORAGES: { readonly [name: string]: Dtype } = {
  'torch.DoubleStorage': 'F64',
  'torch.FloatStorage': 'F32',
  'torch.HalfStorage': 'F16',
  'torch.BFloat16Storage': 'BF16',
  'torch.LongStorage': 'I64',
  'torch.IntStorage': 'I32',
  'torch.ShortStorage': 'I16',
  'torch.CharStorage': 'I8',
  'torch.ByteStorage': 'U8',
  'torch.BoolStorage': 'BOOL',
}

const DICTS = new Set(['collections.OrderedDict', 'collections.defaultdict', 'collections.Counter', 'builtins.dict'])
const SEQUENCES = new Set(['torch.Size', 'builtins.set', 'builtins.frozenset', 'builtins.list', 'builtins.tuple'])
const PATHS = new Set(['pathlib.PosixPath', 'pathlib.PurePosixPath', 'pathlib._local.PosixPath'])
/** `torch.float32` and its kin name a type of number; nothing is called. */
const NUMBER_TYPE = /^torch\.(?:b?float|u?int|half|double|long|short|bool|complex)\d*$/

export function meaningOf(value: PickleValue): Meaning {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return plain(value)
  if (typeof value === 'number') return plain(jsonNumber(value))
  if (typeof value === 'bigint') return plain(String(value))
  if (Buffer.isBuffer(value)) return plain(`<${value.length} bytes>`)
  switch (value.kind) {
    case 'dict':
      return { kind: 'dict', entries: value.entries }
    case 'list':
    case 'tuple':
    case 'set':
      return { kind: 'list', items: value.items }
    case 'global':
      return NUMBER_TYPE.test(value.name) ? plain(value.name) : { kind: 'unknown', name: value.name, inside: [] }
    case 'reference':
      return { kind: 'unknown', name: storageName(value) ?? 'persistent_load', inside: [] }
    case 'object': {
      const known = meanings.get(value) ?? objectMeaning(value)
      meanings.set(value, known)
      return known
    }
  }
}

/** A file can name one object a million times; what it means is worked out once. */
const meanings = new WeakMap<PickledObject, Meaning>()

function objectMeaning(value: PickledObject): Meaning {
  const { name, args, entries, items } = value
  if (DICTS.has(name)) return { kind: 'dict', entries: [...pairs(args), ...entries] }
  if (SEQUENCES.has(name)) return { kind: 'list', items: [...sequence(args[0]), ...items] }
  if (PATHS.has(name)) return plain(args.filter(part => typeof part === 'string').join('/'))
  if (name === 'torch.device') return plain(args.map(String).join(':'))
  if (name === '_codecs.encode') return meaningOf(encoded(value) ?? '')
  const known = /^torch\._utils\._rebuild_tensor(?:_v2)?$/.test(name)
    ? torchTensor(args)
    : /^torch\._utils\._rebuild_parameter(?:_with_state)?$/.test(name) && args.length > 0
      ? parameter(args[0])
      : name === 'torch._tensor._rebuild_from_type_v2'
        ? distributedTensor(args)
        : /^numpy\.(?:_core|core)\.multiarray\.scalar$/.test(name)
          ? numpyScalar(args)
          : /^numpy\.(?:_core|core)\.multiarray\._reconstruct$/.test(name)
            ? numpyArray(value)
            : null
  return known ?? unknown(value)
}

const plain = (value: Json): Meaning => ({ kind: 'plain', value })

/** An object that is not understood still shows what was put into it: a config in an argparse.Namespace, say. */
function unknown({ name, args, state, items, entries }: PickledObject): Meaning {
  const inside: (readonly [PickleValue, PickleValue])[] = []
  if (args.length > 0) inside.push(['args', { kind: 'list', items: [...args] }])
  if (typeof state === 'object' && state !== null && !Buffer.isBuffer(state) && state.kind === 'dict')
    inside.push(...state.entries)
  else if (state !== null) inside.push(['state', state])
  if (items.length > 0) inside.push(['items', { kind: 'list', items }])
  return { kind: 'unknown', name, inside: [...inside, ...entries] }
}

function parameter(data: PickleValue): Meaning | null {
  return isObject(data) && data.name.startsWith('torch._utils._rebuild_tensor') ? torchTensor(data.args) : null
}

function torchTensor([reference, offset, size, strides]: readonly PickleValue[]): Meaning | null {
  const storage = storageOf(reference)
  const [shape, steps] = [numbers(size), numbers(strides)]
  // A storage of an unknown type is named, so that the reader learns which tensor could not be read, and why.
  if (storage === null) {
    const name = storageName(reference)
    return name === null ? null : { kind: 'unknown', name, inside: [] }
  }
  if (!isShape(shape) || !isShape(steps) || steps.length !== shape.length || !isCount(offset)) return { kind: 'broken' }
  return { kind: 'tensor', placement: { dtype: storage.dtype, offset, shape, strides: steps }, storage }
}

const DTENSOR = /^torch\.distributed\.(?:_tensor|tensor)(?:\.\w+)*\.DTensor$/

/**
 * A tensor of FSDP: its rank's part, the shape of the whole, and along which dimension it was cut. The call that would make
 * it again is `_rebuild_from_type_v2(function, class, (class, type, shape, …), state)`, the state a dict or, where the class
 * has slots, nothing and a dict.
 */
function distributedTensor([, type, description, state]: readonly PickleValue[]): Meaning | null {
  if (typeof type !== 'object' || type === null || !('name' in type) || !DTENSOR.test(type.name)) return null
  const members = membersOf(sequence(state)[1] ?? state)
  const [local, spec] = [members.get('_local_tensor'), members.get('_spec')]
  const shape = numbers(sequence(description)[2])
  if (local === undefined || !isObject(spec)) return null
  const part = meaningOf(local)
  if (part.kind !== 'tensor' || !isShape(shape)) return { kind: 'broken' }
  const placements = sequence(membersOf(spec.state).get('placements')).map(placementOf)
  const cuts = placements.filter(placement => placement !== 'replicated')
  // Cut twice, as by tensor parallelism, or summed over ranks: verl writes neither.
  if (cuts.length > 1 || cuts.includes('other')) return { kind: 'unknown', name: type.name, inside: [] }
  return { ...part, shard: { shape, dimension: typeof cuts[0] === 'number' ? cuts[0] : null } }
}

function placementOf(value: PickleValue): number | 'replicated' | 'other' {
  if (!isObject(value)) return 'other'
  if (value.name.endsWith('.Replicate')) return 'replicated'
  const dimension = membersOf(value.state).get('dim') ?? value.args[0]
  return value.name.endsWith('.Shard') && isCount(dimension) ? dimension : 'other'
}

function membersOf(value: PickleValue | undefined): ReadonlyMap<PickleValue, PickleValue> {
  const meaning = value === undefined ? null : meaningOf(value)
  return new Map(meaning?.kind === 'dict' ? meaning.entries : [])
}

function storageParts(value: PickleValue | undefined): readonly PickleValue[] {
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value) || value.kind !== 'reference') return []
  const parts = sequence(value.id)
  return parts[0] === 'storage' ? parts : []
}

export function storageName(value: PickleValue | undefined): string | null {
  const type = storageParts(value)[1]
  return typeof type === 'object' && type !== null && 'name' in type ? type.name : null
}

export function storageOf(value: PickleValue | undefined): StorageReference | null {
  const [, , key, , count, view] = storageParts(value)
  const name = storageName(value)
  if (name === null || !Object.hasOwn(STORAGES, name) || typeof key !== 'string' || !isCount(count)) return null
  // A sixth member that is no None is a view of another storage, as PyTorch before 0.4 wrote them.
  return view === undefined || view === null ? { key, dtype: STORAGES[name], count } : null
}

function numpyDtype(value: PickleValue | undefined): Dtype | null {
  if (!isObject(value) || value.name !== 'numpy.dtype' || typeof value.args[0] !== 'string') return null
  const order = sequence(value.state)[1]
  return order === '>' ? null : dtypeFromNumpy(value.args[0])
}

function numpyScalar([type, data]: readonly PickleValue[]): Meaning | null {
  const [dtype, bytes] = [numpyDtype(type), encoded(data)]
  if (dtype === null || bytes === null || bytes.length !== bytesPerElement(dtype)) return null
  const [number] = decode(dtype, bytes)
  return plain(dtype === 'BOOL' ? number !== 0 : jsonNumber(number))
}

/** State: version, shape, type, whether columns come first, bytes. */
function numpyArray({ state }: PickledObject): Meaning | null {
  const [, size, type, isFortran, data] = sequence(state)
  const [shape, dtype, bytes] = [numbers(size), numpyDtype(type), encoded(data)]
  if (!isShape(shape) || dtype === null || bytes === null) return null
  const strides = isFortran === true ? columnMajorStrides(shape) : rowMajorStrides(shape)
  return { kind: 'tensor', placement: { dtype, offset: 0, shape, strides }, storage: bytes }
}

/** Bytes, or how protocol 2 spells bytes: a text to be encoded as Latin-1. */
function encoded(value: PickleValue | undefined): Buffer | null {
  if (Buffer.isBuffer(value)) return value
  if (!isObject(value)) return null
  if (value.name === 'builtins.bytes' && value.args.length === 0) return Buffer.alloc(0)
  const [text, encoding] = value.args
  if (value.name !== '_codecs.encode' || typeof text !== 'string' || encoding !== 'latin1') return null
  return Buffer.from(text, 'latin1')
}

function pairs(args: readonly PickleValue[]): (readonly [PickleValue, PickleValue])[] {
  return args.flatMap(sequence).flatMap(pair => {
    const [key, value] = sequence(pair)
    return key === undefined || value === undefined ? [] : [[key, value] as const]
  })
}

function sequence(value: PickleValue | undefined): readonly PickleValue[] {
  if (typeof value !== 'object' || value === null || Buffer.isBuffer(value)) return []
  const inner = value.kind === 'object' && value.name === 'torch.Size' ? value.args[0] : value
  if (typeof inner !== 'object' || inner === null || Buffer.isBuffer(inner) || inner.kind === 'object') return []
  return 'items' in inner ? inner.items : []
}

function numbers(value: PickleValue | undefined): readonly PickleValue[] | null {
  return value === undefined || value === null ? null : sequence(value)
}

function isObject(value: PickleValue | undefined): value is PickledObject {
  return typeof value === 'object' && value !== null && !Buffer.isBuffer(value) && value.kind === 'object'
}

function isCount(value: PickleValue | undefined): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
}

import { isJsonObject, type Json, type JsonObject } from '../../logs/model/json.js'
import { Problem } from '../../logs/model/problem.js'
import type { PickleValue } from '../../logs/sources/pickle/read.js'
import { message } from '../../text/say.js'
import { bytesPerElement } from './dtype.js'
import { isV2Name } from './lever-plus.js'
import { type Meaning, meaningOf, type StorageReference } from './pickle-meaning.js'
import { memoryRegion, type Region } from './region.js'
import { byteCount, elementCount, lastElement, placedBytes, type Tensor } from './tensor.js'
import { type Contents, DEEPEST, isPlausibleSize, type Layout, NAMELESS } from './weights-file.js'

/** Sorts what a PyTorch file holds into tensors with names and everything else. */

/** Where the file keeps the bytes behind tensors. */
interface Storages {
  /** Bytes that the file has for this storage; null when it has none. */
  sizeOf(storage: StorageReference): number | null
  open(storage: StorageReference): Promise<Region>
}

/** A pickle may name one list a million times; walking it must still end. */
const MOST_VALUES = 1_000_000
/** Nor may one long text become a thousand: all that is no tensor is printed and kept as JSON. */
const MOST_CHARACTERS = 1 << 26
/** Names of parameters have a hundred characters. */
const LONGEST_NAME = 1 << 14
const MODEL_KEYS = ['model_state_dict', 'state_dict', 'model']
/** What klens adds to the original's layouts, so that nothing is lost on the way there and back. */
export const OWN_KEY = 'klens'

interface Walk {
  readonly file: Region
  readonly storages: Storages
  readonly tensors: Map<string, Tensor>
  readonly notRun: Set<string>
  readonly above: Set<PickleValue>
  tensorBytes: number
  visited: number
  characters: number
}

export function torchContents(file: Region, root: PickleValue, storages: Storages): Contents {
  const walk: Walk = {
    file,
    storages,
    tensors: new Map(),
    notRun: new Set(),
    above: new Set(),
    tensorBytes: 0,
    visited: 0,
    characters: 0,
  }
  const meaning = meaningOf(root)
  const modelKey = modelKeyOf(meaning)
  const about = modelKey === null ? visit(walk, root, [], 'model') : visitCheckpoint(walk, meaning, modelKey)
  return {
    layout: layoutOf(meaning, modelKey, walk),
    tensors: [...walk.tensors.values()],
    about: unfolded(about),
    notRun: [...walk.notRun].sort(),
  }
}

function modelKeyOf(root: Meaning): string | null {
  if (root.kind !== 'dict') return null
  return (
    MODEL_KEYS.find(key => root.entries.some(([name, value]) => name === key && meaningOf(value).kind === 'dict')) ??
    null
  )
}

function layoutOf(root: Meaning, modelKey: string | null, { tensors }: Walk): Layout {
  if (root.kind === 'tensor') return 'tensor'
  if (modelKey === 'model_state_dict') return 'v3'
  if (modelKey !== 'state_dict') return 'state-dict'
  return [...tensors.keys()].some(isV2Name) ? 'v2' : 'lightning'
}

function visitCheckpoint(walk: Walk, root: Meaning, modelKey: string): Json | undefined {
  if (root.kind !== 'dict') return undefined
  const members: [string, Json][] = []
  for (const [key, value] of root.entries) {
    const isModel = key === modelKey
    const name = keyText(walk, key)
    const shown = visit(walk, value, isModel ? [] : [name], isModel ? 'model' : 'state')
    if (shown !== undefined) members.push([name, shown])
  }
  return Object.fromEntries(members)
}

/** Notes the tensors in a value; gives back the rest of it, or undefined when nothing but tensors was in it. */
function visit(walk: Walk, value: PickleValue, path: readonly string[], part: Tensor['part']): Json | undefined {
  walk.visited += 1
  if (walk.visited > MOST_VALUES || path.length > DEEPEST)
    throw new Problem('unreadable', message('weights.overfull', { path: walk.file.path }))
  if (walk.above.has(value)) return '…'
  const meaning = meaningOf(value)
  if (meaning.kind === 'plain') {
    if (typeof meaning.value === 'string') countCharacters(walk, meaning.value)
    return meaning.value
  }
  if (meaning.kind === 'broken')
    throw new Problem('unreadable', message('weights.bad-entry', { path: walk.file.path, tensor: path.join('.') }))
  if (meaning.kind === 'tensor') {
    addTensor(walk, path, part, meaning)
    return undefined
  }
  walk.above.add(value)
  const shown =
    meaning.kind === 'list' ? visitItems(walk, meaning.items, path, part) : visitEntries(walk, meaning, path, part)
  walk.above.delete(value)
  return shown
}

function visitItems(
  walk: Walk,
  items: readonly PickleValue[],
  path: readonly string[],
  part: Tensor['part'],
): Json | undefined {
  const shown = items.map((item, i) => visit(walk, item, [...path, String(i)], part)).filter(item => item !== undefined)
  return shown.length === 0 && items.length > 0 ? undefined : shown
}

function visitEntries(
  walk: Walk,
  meaning: Extract<Meaning, { readonly kind: 'dict' | 'unknown' }>,
  path: readonly string[],
  part: Tensor['part'],
): Json | undefined {
  const isDict = meaning.kind === 'dict'
  if (!isDict) walk.notRun.add(meaning.name)
  const entries = isDict ? meaning.entries : meaning.inside
  const members: [string, Json][] = isDict ? [] : [['$class', meaning.name]]
  for (const [key, value] of entries) {
    const name = keyText(walk, key)
    const shown = visit(walk, value, [...path, name], part)
    if (shown !== undefined) members.push([name, shown])
  }
  return members.length === 0 && entries.length > 0 ? undefined : Object.fromEntries(members)
}

function keyText(walk: Walk, key: PickleValue): string {
  const meaning = meaningOf(key)
  const text = meaning.kind === 'plain' ? String(meaning.value) : `(${meaning.kind})`
  countCharacters(walk, text)
  if (text.length > LONGEST_NAME) throw overfull(walk)
  return text
}

function countCharacters(walk: Walk, text: string): void {
  walk.characters += text.length
  if (walk.characters > MOST_CHARACTERS) throw overfull(walk)
}

function overfull({ file }: Walk): Error {
  return new Problem('unreadable', message('weights.overfull', { path: file.path }))
}

function addTensor(
  walk: Walk,
  path: readonly string[],
  part: Tensor['part'],
  { placement, storage, shard }: Extract<Meaning, { readonly kind: 'tensor' }>,
): void {
  const { file, storages, tensors } = walk
  const { dtype, shape } = placement
  const name = path.length === 0 ? NAMELESS : path.join('.')
  countCharacters(walk, name)
  const isInline = Buffer.isBuffer(storage)
  const stored = isInline ? storage.length : storages.sizeOf(storage)
  const needed = (lastElement(placement) + 1) * bytesPerElement(dtype)
  if (elementCount(shape) > 0 && (stored === null || needed > stored)) {
    throw new Problem('unreadable', message('weights.beyond-file', { path: file.path, tensor: name }))
  }
  walk.tensorBytes += byteCount(placement)
  if (!isPlausibleSize(walk.tensorBytes, file.length))
    throw new Problem('unreadable', message('weights.overfull', { path: file.path }))
  if (tensors.has(name)) throw new Problem('unreadable', message('weights.twice', { path: file.path, tensor: name }))
  const open = async (): Promise<Region> => (isInline ? memoryRegion(file.path, storage) : storages.open(storage))
  tensors.set(name, {
    name,
    dtype,
    shape,
    part,
    ...(shard !== undefined && { shard }),
    async *bytes() {
      if (elementCount(shape) > 0) yield* placedBytes(name, placement, await open())
    },
  })
}

function unfolded(about: Json | undefined): JsonObject {
  if (about === undefined) return {}
  if (!isJsonObject(about)) return { [NAMELESS]: about }
  const { [OWN_KEY]: own, ...others } = about
  return isJsonObject(own) ? { ...others, ...own } : about
}

import { Problem } from '../../logs/model/problem.js'
import { PickleError } from '../../logs/sources/pickle/cursor.js'
import type { PickledReference, PickleValue } from '../../logs/sources/pickle/read.js'
import { readPickle } from '../../logs/sources/pickle/read.js'
import { message } from '../../text/say.js'
import { bytesPerElement } from './dtype.js'
import { meaningOf, storageName, storageOf } from './pickle-meaning.js'
import { partOf, pieces, type Region } from './region.js'
import { torchContents } from './torch-contents.js'
import type { Contents } from './weights-file.js'
import { readZip, type ZipEntry } from './zip-read.js'

/** PyTorch's present format: a zip with a pickle (`data.pkl`) and one entry per storage (`data/0`, `data/1`, …). */

/** Arrays of NumPy lie inside the pickle, so it may be large; but it is read as a whole. */
const LARGEST_PICKLE_BYTES = 1 << 28

export async function readTorchZip(file: Region): Promise<Contents> {
  const entries = await readZip(file)
  const pickle = entries.find(({ name }) => /^(?:[^/]+\/)?data\.pkl$/.test(name))
  if (pickle === undefined) throw new Problem('unreadable', message('weights.no-pickle', { path: file.path }))
  const folder = pickle.name.slice(0, -'data.pkl'.length)
  const byName = new Map(entries.map(entry => [entry.name, entry]))
  const order = byName.get(`${folder}byteorder`)
  if (order !== undefined && order.size <= 16 && (await wholeEntry(order)).toString('latin1') === 'big') {
    throw new Problem('unreadable', message('weights.big-endian', { path: file.path }))
  }
  if (pickle.size > LARGEST_PICKLE_BYTES)
    throw new Problem('unreadable', message('weights.overfull', { path: file.path }))
  const root = unpickled(file.path, await wholeEntry(pickle))
  const entryOf = (key: string): ZipEntry | undefined => byName.get(`${folder}data/${key}`)
  return torchContents(file, root, {
    sizeOf: ({ key, dtype, count }) => {
      const size = entryOf(key)?.size ?? null
      return size === null ? null : Math.min(size, count * bytesPerElement(dtype))
    },
    open: async ({ key }) => {
      const entry = entryOf(key)
      if (entry === undefined) throw new Problem('unreadable', message('weights.no-pickle', { path: file.path }))
      return entry.open()
    },
  })
}

async function wholeEntry(entry: ZipEntry): Promise<Buffer> {
  const region = await entry.open()
  const parts: Buffer[] = []
  for await (const piece of pieces(region, 0, region.length)) parts.push(piece)
  return Buffer.concat(parts)
}

function unpickled(path: string, bytes: Buffer): PickleValue {
  try {
    return readPickle(bytes).value
  } catch (error) {
    throw pickleProblem(path, error)
  }
}

function pickleProblem(path: string, error: unknown): unknown {
  if (!(error instanceof PickleError)) return error
  return error.fault === 'overfull'
    ? new Problem('unreadable', message('weights.overfull', { path }))
    : new Problem('unreadable', message('weights.bad-pickle', { path }))
}

/**
 * PyTorch's format before 1.6, still written on request: five pickles in a row (a magic number, a version, the writer's
 * machine, the object, the keys of its storages), then each storage as its length and its bytes.
 */

const MAGIC = 0x1950a86a20f9469cfc6cn
const FIRST_READ_BYTES = 1 << 20

interface Head {
  readonly root: PickleValue
  readonly references: readonly PickledReference[]
  readonly keys: readonly string[]
  readonly end: number
}

export async function readTorchLegacy(file: Region): Promise<Contents> {
  const { path } = file
  const { root, references, keys, end } = await readHead(file)
  const strange = references.find(reference => storageOf(reference) === null)
  if (strange !== undefined) {
    throw new Problem(
      'unreadable',
      message('weights.unknown-storage', { path, storage: storageName(strange) ?? 'persistent_load' }),
    )
  }
  const dtypes = new Map(
    references.flatMap(reference => storageOf(reference) ?? []).map(({ key, dtype }) => [key, dtype]),
  )
  const regions = new Map<string, Region>()
  let at = end
  for (const key of keys) {
    const dtype = dtypes.get(key)
    if (dtype === undefined) throw new Problem('unreadable', message('weights.bad-pickle', { path }))
    if (at + 8 > file.length) throw new Problem('unreadable', message('weights.cut-short', { path, needed: at + 8 }))
    const length = Number((await file.read(at, 8)).readBigUInt64LE()) * bytesPerElement(dtype)
    at += 8
    if (at + length > file.length)
      throw new Problem('unreadable', message('weights.cut-short', { path, needed: at + length }))
    regions.set(key, partOf(file, at, length))
    at += length
  }
  return torchContents(file, root, {
    sizeOf: ({ key }) => regions.get(key)?.length ?? null,
    open: async ({ key }) => regions.get(key) ?? partOf(file, 0, 0),
  })
}

/** How long the pickles are is only known when they have been read: more of the file is read until they are whole. */
async function readHead(file: Region): Promise<Head> {
  for (let length = Math.min(FIRST_READ_BYTES, file.length); ; length = Math.min(length * 8, file.length)) {
    try {
      return parseHead(file.path, await file.read(0, length))
    } catch (error) {
      const isShort = error instanceof PickleError && error.fault === 'truncated'
      if (isShort && length === file.length)
        throw new Problem('unreadable', message('weights.cut-short', { path: file.path, needed: length + 1 }))
      if (!isShort) throw pickleProblem(file.path, error)
      if (length >= LARGEST_PICKLE_BYTES)
        throw new Problem('unreadable', message('weights.overfull', { path: file.path }))
    }
  }
}

function parseHead(path: string, bytes: Buffer): Head {
  const magic = readPickle(bytes)
  if (magic.value !== MAGIC) throw new Problem('unreadable', message('weights.bare-pickle', { path }))
  const version = readPickle(bytes, magic.end)
  const machine = readPickle(bytes, version.end)
  const described = meaningOf(machine.value)
  const order = described.kind === 'dict' ? described.entries.find(([key]) => key === 'little_endian')?.[1] : undefined
  if (order !== true) throw new Problem('unreadable', message('weights.big-endian', { path }))
  const root = readPickle(bytes, machine.end)
  const keys = readPickle(bytes, root.end)
  const list = meaningOf(keys.value)
  if (list.kind !== 'list') throw new Problem('unreadable', message('weights.bad-pickle', { path }))
  const names = list.items.filter(key => typeof key === 'string')
  return { root: root.value, references: root.references, keys: names, end: keys.end }
}

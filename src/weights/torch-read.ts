import { Problem } from '../model/problem.js'
import { PickleError } from '../sources/pickle/cursor.js'
import { type PickleValue, readPickle } from '../sources/pickle/read.js'
import { message } from '../text/say.js'
import { bytesPerElement } from './dtype.js'
import { pieces, type Region } from './region.js'
import { torchContents } from './torch-contents.js'
import type { Contents } from './weights-file.js'
import { readZip, type ZipEntry } from './zip-read.js'

/** PyTorch's present format: a zip with a pickle (`data.pkl`) and one entry per storage (`data/0`, `data/1`, …). */

/** Arrays of NumPy lie inside the pickle, so it may be large; but it is read as a whole. */
export const LARGEST_PICKLE_BYTES = 1 << 28

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

export function pickleProblem(path: string, error: unknown): unknown {
  if (!(error instanceof PickleError)) return error
  return error.fault === 'overfull'
    ? new Problem('unreadable', message('weights.overfull', { path }))
    : new Problem('unreadable', message('weights.bad-pickle', { path }))
}

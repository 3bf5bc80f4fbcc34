import { open } from 'node:fs/promises'
import { z } from 'zod'
import { makeFileAtomically } from '../../core/store/atomic.js'
import { isJsonObject, type JsonObject } from '../../logs/model/json.js'
import { Problem } from '../../logs/model/problem.js'
import { message } from '../../text/say.js'
import { isDtype } from './dtype.js'
import { partOf, pieces, type Region } from './region.js'
import { byteCount, isShape, type Tensor } from './tensor.js'
import { type Contents, NAMELESS, parseBoundedJson, STATE_PREFIX } from './weights-file.js'

/**
 * safetensors: eight bytes with the length of a JSON header, the header, then the tensors without gaps. Only the header
 * is read here. Its rules (a limit on the header, no overlap, no hole) are those of the reference implementation, so
 * what klens accepts others accept.
 */

/** Room for 200,000 tensors. The format allows four times as much, which as JSON takes gigabytes of memory. */
const LARGEST_HEADER_BYTES = 25_000_000
const METADATA = '__metadata__'
/** klens keeps what is no tensor as JSON under this key; the format itself only allows strings. */
const OWN_METADATA = 'klens'

const entrySchema = z.object({
  dtype: z.string(),
  shape: z.array(z.number()),
  data_offsets: z.tuple([z.int().nonnegative(), z.int().nonnegative()]),
})
const metadataSchema = z.record(z.string(), z.string())

interface Placed {
  readonly tensor: Tensor
  readonly from: number
  readonly to: number
}

export async function readSafetensors(file: Region): Promise<Contents> {
  const header = await readHeader(file)
  const dataStart = header.end
  const data = partOf(file, dataStart, file.length - dataStart)
  const placed = Object.entries(header.json)
    .filter(([name]) => name !== METADATA)
    .map(([name, entry]) => placedTensor(data, name, entry))
  checkCoverage(file.path, placed, data.length)
  const tensors = placed.map(({ tensor }) => tensor)
  const nameless = tensors.length === 1 && tensors[0].name === NAMELESS
  return {
    layout: nameless ? 'tensor' : 'state-dict',
    tensors,
    about: aboutOf(file.path, header.json[METADATA]),
    notRun: [],
  }
}

async function readHeader(file: Region): Promise<{ readonly json: JsonObject; readonly end: number }> {
  const { path } = file
  if (file.length < 8) throw new Problem('unreadable', message('weights.cut-short', { path, needed: 8 }))
  const length = Number((await file.read(0, 8)).readBigUInt64LE())
  if (length > LARGEST_HEADER_BYTES)
    throw new Problem('unreadable', message('weights.huge-header', { path, bytes: length }))
  if (8 + length > file.length)
    throw new Problem('unreadable', message('weights.cut-short', { path, needed: 8 + length }))
  const json = parseBoundedJson((await file.read(8, length)).toString('utf8'))
  if (!isJsonObject(json)) throw new Problem('unreadable', message('weights.bad-header', { path }))
  return { json, end: 8 + length }
}

function placedTensor(data: Region, name: string, entry: unknown): Placed {
  const { path } = data
  const parsed = entrySchema.safeParse(entry)
  if (!parsed.success || !isShape(parsed.data.shape))
    throw new Problem('unreadable', message('weights.bad-entry', { path, tensor: name }))
  const { dtype, shape, data_offsets } = parsed.data
  if (!isDtype(dtype)) throw new Problem('unreadable', message('weights.unknown-dtype', { path, tensor: name, dtype }))
  const [from, to] = data_offsets
  if (to > data.length) throw new Problem('unreadable', message('weights.beyond-file', { path, tensor: name }))
  if (to - from !== byteCount({ dtype, shape }))
    throw new Problem('unreadable', message('weights.bad-entry', { path, tensor: name }))
  const isState = name.startsWith(STATE_PREFIX)
  const tensor: Tensor = {
    name: isState ? name.slice(STATE_PREFIX.length) : name,
    dtype,
    shape,
    part: isState ? 'state' : 'model',
    bytes: () => pieces(data, from, to - from),
  }
  return { tensor, from, to }
}

function checkCoverage(path: string, placed: readonly Placed[], length: number): void {
  let end = 0
  for (const { tensor, from, to } of placed.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    if (from < end) throw new Problem('unreadable', message('weights.overlap', { path, tensor: tensor.name }))
    if (from > end) throw new Problem('unreadable', message('weights.hole', { path, bytes: from - end }))
    end = to
  }
  if (end < length) throw new Problem('unreadable', message('weights.hole', { path, bytes: length - end }))
}

function aboutOf(path: string, metadata: unknown): JsonObject {
  if (metadata === undefined) return {}
  const parsed = metadataSchema.safeParse(metadata)
  if (!parsed.success) throw new Problem('unreadable', message('weights.bad-header', { path }))
  const { [OWN_METADATA]: own, ...others } = parsed.data
  if (own === undefined) return others
  const inside = parseBoundedJson(own)
  return isJsonObject(inside) ? { ...others, ...inside } : parsed.data
}

/** Writes safetensors, tensor by tensor: whole or not at all, and in constant memory. */

/** The reference implementation pads the header so that the tensors begin at a multiple of eight. */
const ALIGNMENT = 8

/** `metadata`: what other readers look for in the header; `about` is klens's own. */
export async function writeSafetensors(
  path: string,
  tensors: readonly Tensor[],
  about: JsonObject,
  metadata: Readonly<Record<string, string>> = {},
): Promise<void> {
  // Largest elements first keeps every tensor aligned without gaps, which the format forbids.
  const ordered = tensors.toSorted((a, b) => elementBytes(b) - elementBytes(a))
  const header: [string, unknown][] = []
  const own = Object.keys(about).length > 0 ? { [OWN_METADATA]: JSON.stringify(about) } : {}
  const allMetadata = { ...metadata, ...own }
  if (Object.keys(allMetadata).length > 0) header.push(['__metadata__', allMetadata])
  let end = 0
  for (const tensor of ordered) {
    const from = end
    end += byteCount(tensor)
    const name = tensor.part === 'state' ? STATE_PREFIX + tensor.name : tensor.name
    header.push([name, { dtype: tensor.dtype, shape: tensor.shape, data_offsets: [from, end] }])
  }
  const text = Buffer.from(JSON.stringify(Object.fromEntries(header)))
  const padded = Buffer.alloc(Math.ceil(text.length / ALIGNMENT) * ALIGNMENT, ' ')
  text.copy(padded)
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(padded.length))
  await makeFileAtomically(path, async beside => {
    const file = await open(beside, 'wx')
    try {
      await file.writeFile(Buffer.concat([length, padded]))
      for (const tensor of ordered) for await (const piece of tensor.bytes()) await file.writeFile(piece)
    } finally {
      await file.close()
    }
  })
}

function elementBytes(tensor: Tensor): number {
  return byteCount({ dtype: tensor.dtype, shape: [1] })
}

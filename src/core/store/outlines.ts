import { closeSync, fstatSync, lstatSync, openSync, readSync } from 'node:fs'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { crc32 } from 'node:zlib'
import { z } from 'zod'
import { BUCKET_COLUMNS, type Buckets, bucketsFrom, regrouped, stretchAt } from './buckets.js'
import { isPlain, type Manifest, type StoredRun } from './manifest.js'
import type { PointBuffer } from './point-buffer.js'
import { cacheFolder, type RunPlace } from './workspace.js'

/**
 * Envelopes of a run's long series, kept beside the store's other caches, so that the first picture needs neither DuckDB nor
 * the points. Made of the points in memory when a run is written, else by the first that asks. They count only for the parts
 * that they were made of; a file that is gone, torn or of other parts is as good as none.
 */

/** As many as panels of one curve and of twenty show. A series of fewer points than so many a stretch is soon read itself. */
const [FEW_STRETCHES, MOST_STRETCHES] = [600, 1_200]
const POINTS_PER_STRETCH = 16

/** How many stretches are kept of a series; null where none are. */
export function keptStretches(manifest: Manifest, metric: string): number | null {
  const record = manifest.metrics.get(metric)
  const stretches = record === undefined || !isPlain(manifest, metric) ? 0 : record.n / POINTS_PER_STRETCH
  if (stretches < FEW_STRETCHES) return null
  return stretches < MOST_STRETCHES ? FEW_STRETCHES : MOST_STRETCHES
}

export type KeptOutlines = ReadonlyMap<string, Buckets>

const headSchema = z.object({
  /** What the parts were that the outlines are of. */
  parts: z.string(),
  series: z.array(
    z.object({ metric: z.string(), offset: z.number(), stretches: z.number().max(MOST_STRETCHES), check: z.number() }),
  ),
})

/**
 * Of these metrics the outlines that are kept. A hundred small reads at once: in the thread pool they took four times as long,
 * and a page waits for them.
 */
export function readOutlines(run: StoredRun, metrics: ReadonlySet<string>): KeptOutlines {
  const found = new Map<string, Buckets>()
  let file: number | null = null
  try {
    file = openSync(pathOf(run), 'r')
    const head = readHead(file)
    if (head === null || head.parts !== partsOf(run)) return found
    for (const { metric, offset, stretches, check } of head.series) {
      if (!metrics.has(metric)) continue
      const bytes = bytesAt(file, head.end + offset, stretches * BUCKET_COLUMNS.length * 8)
      if (crc32(bytes) === check) found.set(metric, decoded(bytes, stretches))
    }
    return found
  } catch {
    return found
  } finally {
    if (file !== null) closeSync(file)
  }
}

/** Beside those that are kept already. */
export async function keepOutlines(run: StoredRun, made: KeptOutlines): Promise<void> {
  if (made.size === 0) return
  const kept = readOutlines(run, new Set(run.manifest.metrics.keys()))
  const path = pathOf(run)
  const beside = `${path}.${process.pid}.tmp`
  let offset = 0
  const blocks: Uint8Array[] = []
  const series = Array.from(new Map([...kept, ...made]), ([metric, buckets]) => {
    const bytes = Buffer.concat(BUCKET_COLUMNS.map(name => bytesOf(buckets[name])))
    blocks.push(bytes)
    offset += bytes.length
    return { metric, offset: offset - bytes.length, stretches: buckets.from.length, check: crc32(bytes) }
  })
  const head = Buffer.from(JSON.stringify({ parts: partsOf(run), series } satisfies z.input<typeof headSchema>))
  const length = Buffer.alloc(HEAD_LENGTH_BYTES)
  length.writeUInt32LE(head.length)
  try {
    // One folder at a time: a workspace that was removed meanwhile is not begun again by a cache.
    for (const folder of [dirname(dirname(path)), dirname(path)]) await mkdir(folder).catch(() => {})
    await writeFile(beside, [length, head, ...blocks])
    await rename(beside, path)
  } catch {
    // A workspace that may only be read, or a full disk: then they are made again.
    await rm(beside, { force: true }).catch(() => {})
  }
}

/** Of points that were just written and are all that the run has. */
export async function outlineWritten(run: StoredRun, points: PointBuffer): Promise<void> {
  const made = new Map<string, Buckets>()
  for (const [metric, { firstStep: first, lastStep: last, n: total }] of run.manifest.metrics) {
    const stretches = keptStretches(run.manifest, metric)
    if (stretches === null) continue
    const { steps, values } = points.curveOf(metric)
    const reach = { first, last, total }
    const pieces = { from: steps, to: steps, low: values, high: values, mean: values, counts: null }
    made.set(
      metric,
      regrouped(pieces, step => stretchAt(reach, stretches, step), stretches),
    )
  }
  await keepOutlines(run, made)
}

export async function forgetOutlines(place: RunPlace): Promise<void> {
  await rm(pathOf(place), { force: true }).catch(() => {})
}

function pathOf({ workspace, folder }: RunPlace): string {
  return join(cacheFolder(workspace), 'outlines', basename(folder))
}

/** A part is known by its checksum, and by its look where an earlier klens wrote it. */
function partsOf({ folder, manifest: { parts, checksums } }: StoredRun): string {
  const marks = parts.map(part => {
    const look = checksums.has(part) ? undefined : lstatSync(join(folder, part), { throwIfNoEntry: false })
    return `${part} ${checksums.get(part)?.hash ?? `${look?.size} ${look?.mtimeMs}`}`
  })
  return marks.join()
}

const HEAD_LENGTH_BYTES = 4

function readHead(file: number): (z.output<typeof headSchema> & { readonly end: number }) | null {
  const { size } = fstatSync(file)
  const length = bytesAt(file, 0, HEAD_LENGTH_BYTES).readUInt32LE()
  if (HEAD_LENGTH_BYTES + length > size) return null
  const text = bytesAt(file, HEAD_LENGTH_BYTES, length).toString()
  return { ...headSchema.parse(JSON.parse(text)), end: HEAD_LENGTH_BYTES + length }
}

function bytesAt(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  return bytes.subarray(0, readSync(file, bytes, 0, length, position))
}

function decoded(bytes: Buffer, stretches: number): Buckets {
  const all = new Float64Array(bytes.buffer, bytes.byteOffset, stretches * BUCKET_COLUMNS.length)
  return bucketsFrom(BUCKET_COLUMNS.map((_, i) => all.subarray(i * stretches, (i + 1) * stretches)))
}

function bytesOf({ buffer, byteOffset, byteLength }: Float64Array): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}

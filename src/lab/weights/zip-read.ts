import { promisify } from 'node:util'
import { crc32, inflateRaw } from 'node:zlib'
import { Problem } from '../../logs/model/problem.js'
import { message } from '../../text/say.js'
import { memoryRegion, partOf, type Region } from './region.js'

/**
 * The part of zip that PyTorch's files need: the central directory, stored and deflated entries, zip64. By hand, because
 * tensors are read in pieces at their place in the file, which the packages that unpack entries do not offer.
 */

export interface ZipEntry {
  readonly name: string
  readonly size: number
  /** Bytes that can be read at any place. A deflated entry, which PyTorch never writes, is unpacked in memory. */
  open(): Promise<Region>
}

const END_RECORD = 0x06054b50
const END_RECORD_BYTES = 22
const ZIP64_LOCATOR = 0x07064b50
const ZIP64_LOCATOR_BYTES = 20
const ZIP64_END_RECORD = 0x06064b50
const CENTRAL_HEADER = 0x02014b50
const CENTRAL_HEADER_BYTES = 46
const LOCAL_HEADER = 0x04034b50
const LOCAL_HEADER_BYTES = 30
const LONGEST_COMMENT = 0xffff
const IN_ZIP64 = 0xffff_ffff
const STORED = 0
const DEFLATED = 8

/** A million entries of a typical name; PyTorch writes one per tensor. */
const LARGEST_DIRECTORY_BYTES = 1 << 26
/** What a deflated entry may become. A bomb says so in the directory, or is stopped here. */
const LARGEST_INFLATED_BYTES = 1 << 28

const inflate = promisify(inflateRaw)

export async function readZip(file: Region): Promise<readonly ZipEntry[]> {
  const { at, length } = await directoryPlace(file)
  if (length > LARGEST_DIRECTORY_BYTES || at + length > file.length)
    throw new Problem('unreadable', message('weights.bad-zip', { path: file.path }))
  const directory = await file.read(at, length)
  const found: Central[] = []
  for (let offset = 0; offset + CENTRAL_HEADER_BYTES <= directory.length; ) {
    const entry = centralEntry(directory, offset)
    if (entry === null) throw new Problem('unreadable', message('weights.bad-zip', { path: file.path }))
    found.push(entry)
    offset = entry.next
  }
  checkPlaces(file.path, found, at)
  const unpacked = lastUnpacked()
  return found.map(entry => ({ name: entry.name, size: entry.size, open: () => openEntry(file, entry, unpacked) }))
}

type Unpacking = (entry: Central, unpack: () => Promise<Buffer>) => Promise<Buffer>

/** Thousands of tensors may lie in one packed entry; it is unpacked once, and only the last one is kept. */
function lastUnpacked(): Unpacking {
  let last: { readonly entry: Central; readonly bytes: Promise<Buffer> } | null = null
  return (entry, unpack) => {
    if (last?.entry !== entry) last = { entry, bytes: unpack() }
    return last.bytes
  }
}

interface Central {
  readonly name: string
  readonly method: number
  readonly encrypted: boolean
  readonly checksum: number
  readonly packed: number
  readonly size: number
  readonly header: number
  readonly next: number
}

async function directoryPlace(file: Region): Promise<{ readonly at: number; readonly length: number }> {
  const tailBytes = Math.min(file.length, END_RECORD_BYTES + LONGEST_COMMENT + ZIP64_LOCATOR_BYTES)
  const tail = await file.read(file.length - tailBytes, tailBytes)
  for (let i = tail.length - END_RECORD_BYTES; i >= 0; i -= 1) {
    if (tail.readUInt32LE(i) !== END_RECORD) continue
    const [length, at] = [tail.readUInt32LE(i + 12), tail.readUInt32LE(i + 16)]
    if (at !== IN_ZIP64 && length !== IN_ZIP64) return { at, length }
    const locator = i - ZIP64_LOCATOR_BYTES
    if (locator < 0 || tail.readUInt32LE(locator) !== ZIP64_LOCATOR) break
    const place = Number(tail.readBigUInt64LE(locator + 8))
    if (place + 56 > file.length) break
    const record = await file.read(place, 56)
    if (record.readUInt32LE(0) !== ZIP64_END_RECORD) break
    return { at: Number(record.readBigUInt64LE(48)), length: Number(record.readBigUInt64LE(40)) }
  }
  throw new Problem('unreadable', message('weights.zip-cut-short', { path: file.path }))
}

function centralEntry(directory: Buffer, at: number): Central | null {
  if (directory.readUInt32LE(at) !== CENTRAL_HEADER) return null
  const [nameLength, extraLength, commentLength] = [28, 30, 32].map(offset => directory.readUInt16LE(at + offset))
  const nameAt = at + CENTRAL_HEADER_BYTES
  const extraAt = nameAt + nameLength
  const next = extraAt + extraLength + commentLength
  if (next > directory.length) return null
  // Zip64 gives, in this order, those of the three numbers that do not fit where they belong.
  const wide = zip64Numbers(directory.subarray(extraAt, extraAt + extraLength))
  const number = (offset: number): number => {
    const narrow = directory.readUInt32LE(at + offset)
    return narrow === IN_ZIP64 ? (wide.shift() ?? Number.NaN) : narrow
  }
  const [size, packed, header] = [number(24), number(20), number(42)]
  if (![size, packed, header].every(Number.isSafeInteger)) return null
  return {
    name: directory.toString('utf8', nameAt, extraAt),
    encrypted: (directory.readUInt16LE(at + 8) & 1) === 1,
    method: directory.readUInt16LE(at + 10),
    checksum: directory.readUInt32LE(at + 16),
    packed,
    size,
    header,
    next,
  }
}

function zip64Numbers(extra: Buffer): number[] {
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue
    const field = extra.subarray(at + 4, at + 4 + extra.readUInt16LE(at + 2))
    return Array.from({ length: Math.floor(field.length / 8) }, (_, i) => Number(field.readBigUInt64LE(i * 8)))
  }
  return []
}

/** Entries that share bytes are how a small zip becomes a large one. */
function checkPlaces(path: string, entries: readonly Central[], directoryAt: number): void {
  let end = 0
  for (const { header, packed, method, size } of entries.toSorted((a, b) => a.header - b.header)) {
    if (header < end || (method === STORED && packed !== size))
      throw new Problem('unreadable', message('weights.bad-zip', { path }))
    end = header + LOCAL_HEADER_BYTES + packed
    if (end > directoryAt) throw new Problem('unreadable', message('weights.bad-zip', { path }))
  }
}

async function openEntry(file: Region, entry: Central, unpacked: Unpacking): Promise<Region> {
  const { path } = file
  const { name, method, size, packed } = entry
  const local = await file.read(entry.header, LOCAL_HEADER_BYTES)
  const at = entry.header + LOCAL_HEADER_BYTES + local.readUInt16LE(26) + local.readUInt16LE(28)
  if (local.readUInt32LE(0) !== LOCAL_HEADER || at + packed > file.length)
    throw new Problem('unreadable', message('weights.bad-zip', { path }))
  // PyTorch can be asked to leave checksums out; it then writes 0.
  const checksum = entry.checksum === 0 ? undefined : entry.checksum
  if (method === STORED && !entry.encrypted) return partOf(file, at, size, checksum)
  if (method !== DEFLATED || entry.encrypted)
    throw new Problem('unreadable', message('weights.unknown-packing', { path, entry: name }))
  if (size > LARGEST_INFLATED_BYTES || packed > LARGEST_INFLATED_BYTES) {
    throw new Problem('unreadable', message('weights.too-large-packed', { path, entry: name }))
  }
  const bytes = await unpacked(entry, async () => {
    const inside = await inflate(await file.read(at, packed), { maxOutputLength: Math.max(size, 1) }).catch(() => null)
    if (inside === null || inside.length !== size || (checksum !== undefined && crc32(inside) !== checksum)) {
      throw new Problem('unreadable', message('weights.bad-checksum', { path }))
    }
    return inside
  })
  return memoryRegion(path, bytes)
}

import { crc32, deflateRawSync } from 'node:zlib'
import type { Entry } from './entries.js'

/** A ZIP file (a wheel is one) with file modes and without times, so that the same files give the same bytes. */

const VERSION_WITH_DEFLATE = 20
const MADE_ON_UNIX = 3 << 8
const NAMES_ARE_UTF8 = 1 << 11
const DEFLATED = 8
/** The earliest date a ZIP can hold: 1 January 1980. */
const DATE = (1 << 5) | 1
const REGULAR_FILE = 0o100000

export function zip(entries: readonly Entry[]): Uint8Array {
  const files: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let offset = 0
  for (const { path, executable, bytes } of entries) {
    const name = Buffer.from(path)
    const packed = deflateRawSync(bytes)
    const common = commonFields(name, bytes, packed)
    const local = Buffer.concat([signature(0x04034b50), common, name, packed])
    files.push(local)
    directory.push(centralRecord(common, (REGULAR_FILE | (executable ? 0o755 : 0o644)) * 0x10000, offset), name)
    offset += local.length
  }
  const size = directory.reduce((total, part) => total + part.length, 0)
  return Buffer.concat([...files, ...directory, endRecord(entries.length, size, offset)])
}

/** From "version needed" to "extra field length": the same in both headers of a file. */
function commonFields(name: Uint8Array, bytes: Uint8Array, packed: Uint8Array): Uint8Array {
  const fields = Buffer.alloc(26)
  fields.writeUInt16LE(VERSION_WITH_DEFLATE, 0)
  fields.writeUInt16LE(NAMES_ARE_UTF8, 2)
  fields.writeUInt16LE(DEFLATED, 4)
  fields.writeUInt16LE(DATE, 8)
  fields.writeUInt32LE(crc32(bytes), 10)
  fields.writeUInt32LE(packed.length, 14)
  fields.writeUInt32LE(bytes.length, 18)
  fields.writeUInt16LE(name.length, 22)
  return fields
}

function centralRecord(common: Uint8Array, attributes: number, offset: number): Uint8Array {
  const madeBy = Buffer.alloc(2)
  madeBy.writeUInt16LE(MADE_ON_UNIX | VERSION_WITH_DEFLATE)
  const rest = Buffer.alloc(14)
  rest.writeUInt32LE(attributes, 6)
  rest.writeUInt32LE(offset, 10)
  return Buffer.concat([signature(0x02014b50), madeBy, common, rest])
}

function endRecord(count: number, size: number, offset: number): Uint8Array {
  const record = Buffer.alloc(22)
  record.writeUInt32LE(0x06054b50, 0)
  record.writeUInt16LE(count, 8)
  record.writeUInt16LE(count, 10)
  record.writeUInt32LE(size, 12)
  record.writeUInt32LE(offset, 16)
  return record
}

function signature(value: number): Uint8Array {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}

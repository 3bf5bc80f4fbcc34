import { type FileHandle, open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'
import { makeFileAtomically } from '../../core/store/atomic.js'
import { Problem } from '../../logs/model/problem.js'
import { message } from '../../text/say.js'

/** Writes a zip of stored entries as PyTorch's reader wants them: uncompressed, each at a multiple of 64 bytes. */

export interface NewEntry {
  readonly name: string
  readonly bytes: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

const ALIGNMENT = 64
const LOCAL_HEADER_BYTES = 30
const CENTRAL_HEADER_BYTES = 46
/** `FB`, the extra field in which PyTorch puts its padding. */
const PADDING_FIELD = 0x4246
const UTF8_NAMES = 0x0800
const VERSION = 20
/** 1980-01-01, the first day of zip: the same weights make the same bytes, whenever they are written. */
const FIRST_DAY = 0x21
/** Beyond it a zip needs other records; safetensors has no such limit. */
const LARGEST_BYTES = 0xffff_ffff

interface Written {
  readonly name: Buffer
  readonly header: number
  readonly checksum: number
  readonly size: number
}

export async function writeZip(path: string, entries: readonly NewEntry[]): Promise<void> {
  await makeFileAtomically(path, async beside => {
    const file = await open(beside, 'wx')
    try {
      let at = 0
      const written: Written[] = []
      for (const entry of entries) {
        const { one, end } = await writeEntry(file, entry, at)
        if (end > LARGEST_BYTES) throw new Problem('bad-request', message('weights.too-large-for-pt', { path }))
        written.push(one)
        at = end
      }
      await file.write(directory(written, at), 0, null, at)
    } finally {
      await file.close()
    }
  })
}

/** The bytes first, the header before them afterwards, because it tells their checksum. */
async function writeEntry(
  file: FileHandle,
  { name, bytes }: NewEntry,
  header: number,
): Promise<{ readonly one: Written; readonly end: number }> {
  const nameBytes = Buffer.from(name)
  const bare = header + LOCAL_HEADER_BYTES + nameBytes.length + 4
  const padding = (ALIGNMENT - (bare % ALIGNMENT)) % ALIGNMENT
  const dataAt = bare + padding
  let [end, checksum] = [dataAt, 0]
  for await (const piece of bytes()) {
    await file.write(piece, 0, piece.length, end)
    checksum = crc32(piece, checksum)
    end += piece.length
  }
  const one: Written = { name: nameBytes, header, checksum, size: end - dataAt }
  const local = Buffer.alloc(dataAt - header)
  local.writeUInt32LE(0x04034b50, 0)
  common(local, 4, one)
  local.writeUInt16LE(4 + padding, 28)
  nameBytes.copy(local, LOCAL_HEADER_BYTES)
  local.writeUInt16LE(PADDING_FIELD, LOCAL_HEADER_BYTES + nameBytes.length)
  local.writeUInt16LE(padding, LOCAL_HEADER_BYTES + nameBytes.length + 2)
  await file.write(local, 0, null, header)
  return { one, end }
}

/** The fields that both headers share, in the same order. */
function common(target: Buffer, at: number, { name, checksum, size }: Written): void {
  target.writeUInt16LE(VERSION, at)
  target.writeUInt16LE(UTF8_NAMES, at + 2)
  target.writeUInt16LE(FIRST_DAY, at + 8)
  target.writeUInt32LE(checksum, at + 10)
  target.writeUInt32LE(size, at + 14)
  target.writeUInt32LE(size, at + 18)
  target.writeUInt16LE(name.length, at + 22)
}

function directory(entries: readonly Written[], at: number): Buffer {
  const headers = entries.map(entry => {
    const central = Buffer.alloc(CENTRAL_HEADER_BYTES + entry.name.length)
    central.writeUInt32LE(0x02014b50, 0)
    central.writeUInt16LE(VERSION, 4)
    common(central, 6, entry)
    central.writeUInt32LE(entry.header, 42)
    entry.name.copy(central, CENTRAL_HEADER_BYTES)
    return central
  })
  const length = headers.reduce((sum, header) => sum + header.length, 0)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...headers, end])
}

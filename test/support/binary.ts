import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import type { RunEvent } from '../../src/logs/model/events.js'
import type { Json } from '../../src/logs/model/json.js'
import type { Source, SourceFile } from '../../src/logs/sources/source.js'
import { maskedCrc32c } from '../../src/logs/sources/tensorboard/crc32c.js'
import { readEvents as anyEvents, sourceFile as anySourceFile } from './reading.js'

/** For tests only: reads sources like an import does, and writes the binary containers that the sources read. */

const LONG_AGO = 0

/** As reading.ts has it, but by default of a file that nobody has written to for long. */
export function sourceFile(path: string, modifiedMs = LONG_AGO): Promise<SourceFile> {
  return anySourceFile(path, modifiedMs)
}

export function readEvents(
  source: Source,
  path: string,
  { cursor = null, modifiedMs = LONG_AGO }: { readonly cursor?: Json; readonly modifiedMs?: number } = {},
): Promise<RunEvent[]> {
  return anyEvents(source, path, cursor, modifiedMs)
}

type EventOf<Type> = Extract<RunEvent, { readonly type: Type }>

export function eventsOf<Type extends RunEvent['type']>(events: readonly RunEvent[], type: Type): EventOf<Type>[] {
  return events.filter((event): event is EventOf<Type> => event.type === type)
}

/** What a log says, without the claims about its end that every reading makes anew. */
export function substance(events: readonly RunEvent[]): RunEvent[] {
  return events.filter(
    event =>
      !['cursor', 'tail', 'status', 'warning'].includes(event.type) &&
      !(event.type === 'about' && event.about.endedAt !== undefined),
  )
}

/** Puts the bytes into a file of this name for as long as `use` takes. */
export async function withFile<Result>(
  name: string,
  bytes: Uint8Array,
  use: (path: string) => Promise<Result>,
): Promise<Result> {
  const folder = await mkdtemp(join(tmpdir(), 'klens-'))
  try {
    const path = join(folder, name)
    await writeFile(path, bytes)
    return await use(path)
  } finally {
    await rm(folder, { recursive: true })
  }
}

const BLOCK_BYTES = 32_768
const CHUNK_HEADER_BYTES = 7

export interface WrittenChunk {
  readonly record: number
  readonly start: number
  readonly end: number
}

/** A W&B log of these records, and where each piece of them stands. */
export function recordLog(records: readonly Uint8Array[]): { readonly bytes: Buffer; readonly chunks: WrittenChunk[] } {
  const pieces: Buffer[] = [Buffer.from(':W&B\xe1\xbe\x00', 'latin1')]
  const chunks: WrittenChunk[] = []
  let offset = 7
  const write = (piece: Buffer): void => {
    pieces.push(piece)
    offset += piece.length
  }
  for (const [record, payload] of records.entries()) {
    let rest = Buffer.from(payload)
    let isFirst = true
    let isLast = false
    while (!isLast) {
      const left = BLOCK_BYTES - (offset % BLOCK_BYTES)
      if (left < CHUNK_HEADER_BYTES) {
        write(Buffer.alloc(left))
        continue
      }
      const body = rest.subarray(0, left - CHUNK_HEADER_BYTES)
      rest = rest.subarray(body.length)
      isLast = rest.length === 0
      const type = isFirst ? (isLast ? 1 : 2) : isLast ? 4 : 3
      isFirst = false
      const header = Buffer.alloc(CHUNK_HEADER_BYTES)
      header.writeUInt16LE(body.length, 4)
      header[6] = type
      header.writeUInt32LE(crc32(Buffer.concat([header.subarray(6), body])), 0)
      chunks.push({ record, start: offset, end: offset + header.length + body.length })
      write(Buffer.concat([header, body]))
    }
  }
  return { bytes: Buffer.concat(pieces), chunks }
}

export function tfRecord(payload: Uint8Array): Buffer {
  const header = Buffer.alloc(12)
  header.writeBigUInt64LE(BigInt(payload.length), 0)
  header.writeUInt32LE(maskedCrc32c(header, 0, 8), 8)
  const footer = Buffer.alloc(4)
  footer.writeUInt32LE(maskedCrc32c(payload), 0)
  return Buffer.concat([header, payload, footer])
}

/** A protobuf field: a whole number, or something with a length. */
export function field(number: number, value: bigint | string | Uint8Array): Buffer {
  if (typeof value === 'bigint') return Buffer.concat([varint(BigInt(number) << 3n), varint(value)])
  const body = Buffer.from(value)
  return Buffer.concat([varint((BigInt(number) << 3n) | 2n), varint(BigInt(body.length)), body])
}

export function doubleValue(number: number, value: number): Buffer {
  const body = Buffer.alloc(8)
  body.writeDoubleLE(value, 0)
  return Buffer.concat([varint((BigInt(number) << 3n) | 1n), body])
}

export function floatValue(number: number, value: number): Buffer {
  const body = Buffer.alloc(4)
  body.writeFloatLE(value, 0)
  return Buffer.concat([varint((BigInt(number) << 3n) | 5n), body])
}

export function varint(value: bigint): Buffer {
  const bytes: number[] = []
  let rest = BigInt.asUintN(64, value)
  do {
    const byte = Number(rest & 0x7fn)
    rest >>= 7n
    bytes.push(rest === 0n ? byte : byte | 0x80)
  } while (rest !== 0n)
  return Buffer.from(bytes)
}

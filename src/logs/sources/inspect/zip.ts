import { type FileHandle, mkdtemp, open, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inflateRawSync } from 'node:zlib'

/**
 * The members of a zip archive, read one by one. Inspect compressed with deflate until 2025 and with Zstandard since,
 * which Node knows from 22.15 on only; DuckDB, which klens has anyway, unpacks it on every version.
 */
export interface ZipMember {
  readonly name: string
  readonly method: number
  readonly packed: number
  readonly size: number
  readonly offset: number
}

const MEBIBYTE = 1 << 20
const LARGEST_MEMBER = 256 * MEBIBYTE
const LARGEST_DIRECTORY = 64 * MEBIBYTE
const END = 0x06054b50
const DIRECTORY_ENTRY = 0x02014b50
const LOCAL_HEADER = 0x04034b50
const STORED = 0
const DEFLATED = 8
const ZSTANDARD = new Set([20, 93])
/** An archive may end with a comment of so many bytes. */
const LONGEST_END = 22 + 0xffff

/** By name, the last one of a name; of an archive that is cut off those before the cut. Null where it is larger than 4 GiB. */
export async function zipMembers(path: string): Promise<ReadonlyMap<string, ZipMember> | null> {
  return withFile(path, async file => {
    const { size } = await file.stat()
    const tail = await bytesAt(file, Math.max(0, size - LONGEST_END), Math.min(size, LONGEST_END))
    const end = lastSignature(tail)
    if (end < 0) return membersBeforeCut(file, size)
    const [length, start] = [tail.readUInt32LE(end + 12), tail.readUInt32LE(end + 16)]
    if (length > LARGEST_DIRECTORY || start + length > size) return null
    return membersIn(await bytesAt(file, start, length))
  })
}

/** Each member tells its own name and size where it begins; the directory behind them all repeats that. */
async function membersBeforeCut(file: FileHandle, size: number): Promise<ReadonlyMap<string, ZipMember>> {
  const members = new Map<string, ZipMember>()
  for (let offset = 0; offset + 30 <= size; ) {
    const header = await bytesAt(file, offset, 30)
    const [packed, length] = [header.readUInt32LE(18), header.readUInt16LE(26)]
    const end = offset + 30 + length + header.readUInt16LE(28) + packed
    const isWhole = header.readUInt32LE(0) === LOCAL_HEADER && (header.readUInt16LE(6) & SIZES_BEHIND) === 0
    if (!isWhole || end > size) break
    const name = (await bytesAt(file, offset + 30, length)).toString('utf8')
    members.set(name, { name, method: header.readUInt16LE(8), packed, size: header.readUInt32LE(22), offset })
    offset = end
  }
  return members
}

const SIZES_BEHIND = 8

function lastSignature(tail: Buffer): number {
  for (let at = tail.length - 22; at >= 0; at -= 1) if (tail.readUInt32LE(at) === END) return at
  return -1
}

function membersIn(directory: Buffer): ReadonlyMap<string, ZipMember> {
  const members = new Map<string, ZipMember>()
  for (let at = 0; at + 46 <= directory.length && directory.readUInt32LE(at) === DIRECTORY_ENTRY; ) {
    const name = directory.readUInt16LE(at + 28)
    const beside = directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32)
    const member = {
      name: directory.toString('utf8', at + 46, at + 46 + name),
      method: directory.readUInt16LE(at + 10),
      packed: directory.readUInt32LE(at + 20),
      size: directory.readUInt32LE(at + 24),
      offset: directory.readUInt32LE(at + 42),
    }
    members.set(member.name, member)
    at += 46 + name + beside
  }
  return members
}

/** Null where it is damaged, too large, or packed in a way that nothing here unpacks. */
export async function readMember(path: string, member: ZipMember): Promise<string | null> {
  if (!ZSTANDARD.has(member.method)) return (await readMemberBytes(path, member))?.toString('utf8') ?? null
  const bytes = await packedBytes(path, member)
  try {
    return bytes === null ? null : await unpackZstandard(bytes)
  } catch {
    return null
  }
}

/** The same as bytes, of a member that is stored or deflated. */
export async function readMemberBytes(path: string, member: ZipMember): Promise<Buffer | null> {
  const bytes = await packedBytes(path, member)
  if (bytes === null || member.method === STORED) return bytes
  try {
    return member.method === DEFLATED ? inflateRawSync(bytes, { maxOutputLength: LARGEST_MEMBER }) : null
  } catch {
    return null
  }
}

async function packedBytes(path: string, { packed, size, offset }: ZipMember): Promise<Buffer | null> {
  if (packed > LARGEST_MEMBER || size > LARGEST_MEMBER) return null
  return withFile(path, async file => {
    const header = await bytesAt(file, offset, 30)
    if (header.length < 30 || header.readUInt32LE(0) !== LOCAL_HEADER) return null
    const found = await bytesAt(file, offset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28), packed)
    return found.length === packed ? found : null
  })
}

/** As a table of one column without delimiter or quotes, a row for each line. */
async function unpackZstandard(bytes: Buffer): Promise<string> {
  const { DuckDBInstance } = await import('@duckdb/node-api')
  const folder = await mkdtemp(join(tmpdir(), 'klens-'))
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  try {
    const packed = join(folder, 'member.zst')
    await writeFile(packed, bytes)
    const rows = await connection.runAndReadAll(
      `SELECT coalesce(line, '') FROM read_csv('${packed.replaceAll("'", "''")}', compression = 'zstd', auto_detect = false,
       columns = {'line': 'VARCHAR'}, delim = '', quote = '', escape = '', header = false, max_line_size = ${LARGEST_MEMBER})`,
    )
    return rows
      .getRows()
      .map(([line]) => String(line))
      .join('\n')
  } finally {
    connection.closeSync()
    instance.closeSync()
    await rm(folder, { recursive: true, force: true })
  }
}

async function bytesAt(file: FileHandle, from: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  const { bytesRead } = await file.read(bytes, 0, length, from)
  return bytes.subarray(0, bytesRead)
}

async function withFile<T>(path: string, use: (file: FileHandle) => Promise<T>): Promise<T> {
  const file = await open(path, 'r')
  try {
    return await use(file)
  } finally {
    await file.close()
  }
}

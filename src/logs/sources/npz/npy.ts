import { inflateRawSync } from 'node:zlib'

/**
 * The arrays of an .npz: a ZIP of .npy files, as `numpy.savez` writes it. Numbers in the native kinds of NumPy; arrays of
 * Python objects are pickles, which are not unpacked. Nothing here throws: what cannot be read is absent.
 */
export interface NumberArray {
  readonly shape: readonly number[]
  /** Row by row. */
  readonly values: Float64Array
}

const LOCAL_HEADER = 0x04034b50
const CENTRAL_ENTRY = 0x02014b50
const END_OF_CENTRAL = 0x06054b50
/** The end record is 22 bytes, and a remark of at most 64 KiB may follow it. */
const LONGEST_END = 22 + 0xffff
/** Of one array, unpacked: eight million numbers. */
const LARGEST_ARRAY = 64 << 20
const MOST_ENTRIES = 256
const STORED = 0
const DEFLATED = 8

/** Whether the bytes begin a ZIP whose first file is an array. */
export function isNpz(head: Uint8Array): boolean {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  if (bytes.length < 30 || bytes.readUInt32LE(0) !== LOCAL_HEADER) return false
  return bytes.toString('latin1', 30, 30 + bytes.readUInt16LE(26)).endsWith('.npy')
}

/** By name, without `.npy`; null where the ZIP itself is broken. */
export function readNpz(bytes: Buffer): ReadonlyMap<string, NumberArray> | null {
  try {
    const arrays = new Map<string, NumberArray>()
    for (const { name, content } of zipEntries(bytes)) {
      const array = content === null ? null : parseNpy(content)
      if (array !== null && name.endsWith('.npy')) arrays.set(name.slice(0, -'.npy'.length), array)
    }
    return arrays
  } catch {
    return null
  }
}

function* zipEntries(bytes: Buffer): Generator<{ readonly name: string; readonly content: Buffer | null }> {
  let end = bytes.length - 22
  const lowest = Math.max(0, bytes.length - LONGEST_END)
  while (end > lowest && bytes.readUInt32LE(end) !== END_OF_CENTRAL) end -= 1
  const count = Math.min(bytes.readUInt16LE(end + 10), MOST_ENTRIES)
  let at = bytes.readUInt32LE(end + 16)
  for (let entry = 0; entry < count; entry += 1) {
    if (bytes.readUInt32LE(at) !== CENTRAL_ENTRY) throw new Error('no central entry')
    const [method, packed, unpacked] = [at + 10, at + 20, at + 24].map((place, i) =>
      i === 0 ? bytes.readUInt16LE(place) : bytes.readUInt32LE(place),
    )
    const nameLength = bytes.readUInt16LE(at + 28)
    const name = bytes.toString('utf8', at + 46, at + 46 + nameLength)
    const local = bytes.readUInt32LE(at + 42)
    at += 46 + nameLength + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
    yield { name, content: contentOf(bytes, local, { method, packed, unpacked }) }
  }
}

/** Sizes that need the 64-bit fields are beyond the limit anyway. */
function contentOf(
  bytes: Buffer,
  local: number,
  { method, packed = 0, unpacked = 0 }: { method?: number; packed?: number; unpacked?: number },
): Buffer | null {
  if (unpacked > LARGEST_ARRAY || bytes.readUInt32LE(local) !== LOCAL_HEADER) return null
  const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
  const content = bytes.subarray(from, from + packed)
  if (method === STORED) return content
  return method === DEFLATED ? inflateRawSync(content, { maxOutputLength: LARGEST_ARRAY }) : null
}

const KINDS: { readonly [kind: string]: (view: DataView, at: number, little: boolean) => number } = {
  f8: (view, at, little) => view.getFloat64(at, little),
  f4: (view, at, little) => view.getFloat32(at, little),
  i8: (view, at, little) => Number(view.getBigInt64(at, little)),
  i4: (view, at, little) => view.getInt32(at, little),
  i2: (view, at, little) => view.getInt16(at, little),
  i1: (view, at) => view.getInt8(at),
  u8: (view, at, little) => Number(view.getBigUint64(at, little)),
  u4: (view, at, little) => view.getUint32(at, little),
  u2: (view, at, little) => view.getUint16(at, little),
  u1: (view, at) => view.getUint8(at),
  b1: (view, at) => view.getUint8(at),
}

function parseNpy(bytes: Buffer): NumberArray | null {
  if (bytes.toString('latin1', 0, 6) !== '\x93NUMPY') return null
  const isLong = (bytes[6] ?? 1) > 1
  const from = isLong ? 12 : 10
  const length = isLong ? bytes.readUInt32LE(8) : bytes.readUInt16LE(8)
  const header = bytes.toString('latin1', from, from + length)
  const [, order, kind = ''] = /'descr':\s*'([<>|=])([a-z]\d)'/.exec(header) ?? []
  const shape = /'shape':\s*\(([\d,\s]*)\)/.exec(header)?.[1]
  const read = KINDS[kind]
  if (read === undefined || shape === undefined) return null
  const sizes = shape.split(',').flatMap(size => (size.trim() === '' ? [] : [Number(size)]))
  const count = sizes.reduce((product, size) => product * size, 1)
  const width = Number(kind[1])
  const data = bytes.subarray(from + length)
  if (count * width > data.length) return null
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength)
  const values = Float64Array.from({ length: count }, (_, i) => read(view, i * width, order !== '>'))
  const isByColumn = /'fortran_order':\s*True/.test(header)
  return { shape: sizes, values: isByColumn ? rowByRow(values, sizes) : values }
}

function rowByRow(values: Float64Array, [rows = 1, columns = 1, ...more]: readonly number[]): Float64Array {
  if (more.length > 0) return values
  return values.map((_, i) => values[(i % columns) * rows + Math.floor(i / columns)] ?? Number.NaN)
}

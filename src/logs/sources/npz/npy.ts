import { readMemberBytes, zipMembers } from '../inspect/zip.js'

/**
 * The arrays of an .npz: a ZIP of .npy files, as `numpy.savez` writes it. Numbers in the native kinds of NumPy; arrays of
 * Python objects are pickles, which are not unpacked. What cannot be read is absent.
 */
export interface NumberArray {
  readonly shape: readonly number[]
  /** Row by row. */
  readonly values: Float64Array
}

const LOCAL_HEADER = 0x04034b50
/** Of one array, unpacked: eight million numbers. */
const LARGEST_ARRAY = 64 << 20

/** Whether the bytes begin a ZIP whose first file is an array. */
export function isNpz(head: Uint8Array): boolean {
  const bytes = Buffer.from(head.buffer, head.byteOffset, head.byteLength)
  if (bytes.length < 30 || bytes.readUInt32LE(0) !== LOCAL_HEADER) return false
  return bytes.toString('latin1', 30, 30 + bytes.readUInt16LE(26)).endsWith('.npy')
}

/** By name, without `.npy`; null where the ZIP itself is broken. */
export async function readNpz(path: string): Promise<ReadonlyMap<string, NumberArray> | null> {
  const members = await zipMembers(path)
  if (members === null) return null
  const arrays = new Map<string, NumberArray>()
  for (const member of members.values()) {
    if (!member.name.endsWith('.npy') || member.size > LARGEST_ARRAY) continue
    const array = parseNpy((await readMemberBytes(path, member)) ?? Buffer.alloc(0))
    if (array !== null) arrays.set(member.name.slice(0, -'.npy'.length), array)
  }
  return arrays
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

export function parseNpy(bytes: Buffer): NumberArray | null {
  if (bytes.length < 12 || bytes.toString('latin1', 0, 6) !== '\x93NUMPY') return null
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

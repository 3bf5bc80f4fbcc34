import { Problem } from '../../logs/model/problem.js'
import { message } from '../../text/say.js'
import type { Dtype } from './dtype.js'
import { partOf, type Region } from './region.js'
import { byteCount, isShape, type Placement, placedBytes, rowMajorStrides } from './tensor.js'
import { type Contents, NAMELESS } from './weights-file.js'
import { readZip } from './zip-read.js'

/** NumPy's own format: one array, described by a Python dict in text. Arrays of Python objects are pickles, and refused. */

/** NumPy itself refuses more than 10,000 unless asked otherwise. */
const LARGEST_HEADER_BYTES = 1 << 16

export const NPY_MAGIC = Buffer.from('\x93NUMPY', 'latin1')

export async function readNpy(file: Region): Promise<Contents> {
  const { path } = file
  const start = await file.read(0, Math.min(12, file.length))
  if (start.length < 12) throw new Problem('unreadable', message('weights.cut-short', { path, needed: 12 }))
  const isFirstVersion = start[6] === 1
  const headerAt = isFirstVersion ? 10 : 12
  const headerBytes = isFirstVersion ? start.readUInt16LE(8) : start.readUInt32LE(8)
  if (headerBytes > LARGEST_HEADER_BYTES)
    throw new Problem('unreadable', message('weights.huge-header', { path, bytes: headerBytes }))
  const dataAt = headerAt + headerBytes
  if (dataAt > file.length) throw new Problem('unreadable', message('weights.cut-short', { path, needed: dataAt }))
  const header = (await file.read(headerAt, headerBytes)).toString('latin1')
  const description = /'descr': *'([^']+)'/.exec(header)?.[1]
  const isFortran = /'fortran_order': *True/.test(header)
  const sizes = /'shape': *\(([\d, ]*)\)/.exec(header)?.[1]
  const shape = sizes?.split(',').flatMap(size => (size.trim() === '' ? [] : [Number(size)]))
  if (description === undefined || !isShape(shape))
    throw new Problem('unreadable', message('weights.bad-header', { path }))
  const dtype = dtypeFromNumpy(description)
  if (dtype === null)
    throw new Problem('unreadable', message('weights.unknown-dtype', { path, tensor: NAMELESS, dtype: description }))
  if (dataAt + byteCount({ dtype, shape }) > file.length)
    throw new Problem('unreadable', message('weights.beyond-file', { path, tensor: NAMELESS }))
  const placement: Placement = {
    dtype,
    shape,
    offset: 0,
    strides: isFortran ? columnMajorStrides(shape) : rowMajorStrides(shape),
  }
  const data = partOf(file, dataAt, file.length - dataAt)
  const tensor = {
    name: NAMELESS,
    dtype,
    shape,
    part: 'model',
    bytes: () => placedBytes(NAMELESS, placement, data),
  } as const
  return { layout: 'tensor', tensors: [tensor], about: {}, notRun: [] }
}

/** A zip of such arrays, each under its name. */
export async function readNpz(file: Region): Promise<Contents> {
  const arrays = (await readZip(file)).filter(({ name }) => name.endsWith('.npy'))
  const read = await Promise.all(
    arrays.map(async entry => {
      const { tensors } = await readNpy(await entry.open())
      return tensors.map(tensor => ({ ...tensor, name: entry.name.slice(0, -'.npy'.length) }))
    }),
  )
  return { layout: 'state-dict', tensors: read.flat(), about: {}, notRun: [] }
}

export function columnMajorStrides(shape: readonly number[]): number[] {
  return rowMajorStrides(shape.toReversed()).reverse()
}

/** NumPy's codes for the element types klens knows: `f4`, `<f4`, `|u1`. */

const CODES: { readonly [code: string]: Dtype } = {
  f8: 'F64',
  f4: 'F32',
  f2: 'F16',
  i8: 'I64',
  i4: 'I32',
  i2: 'I16',
  i1: 'I8',
  u1: 'U8',
  b1: 'BOOL',
}

/** Null for other types and for big-endian bytes. */
export function dtypeFromNumpy(description: string): Dtype | null {
  const code = description.replace(/^[<|=]/, '')
  return Object.hasOwn(CODES, code) ? CODES[code] : null
}

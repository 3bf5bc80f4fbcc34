import { endianness } from 'node:os'

/**
 * The element types that klens reads and writes, under their safetensors names. All bytes are little-endian, as in every
 * file these formats write today; a big-endian file is refused where it is opened.
 */

export type Dtype = 'F64' | 'F32' | 'F16' | 'BF16' | 'I64' | 'I32' | 'I16' | 'I8' | 'U8' | 'BOOL'

const IS_LITTLE_ENDIAN = endianness() === 'LE'

interface Element {
  readonly bytes: number
  readonly read: (view: DataView, at: number) => number
}

const ELEMENTS: { readonly [name in Dtype]: Element } = {
  F64: { bytes: 8, read: (view, at) => view.getFloat64(at, true) },
  F32: { bytes: 4, read: (view, at) => view.getFloat32(at, true) },
  F16: { bytes: 2, read: (view, at) => halfFloat(view.getUint16(at, true)) },
  BF16: { bytes: 2, read: (view, at) => brainFloat(view.getUint16(at, true)) },
  // Beyond 2^53 the nearest number that JavaScript has; no weight is that large.
  I64: { bytes: 8, read: (view, at) => Number(view.getBigInt64(at, true)) },
  I32: { bytes: 4, read: (view, at) => view.getInt32(at, true) },
  I16: { bytes: 2, read: (view, at) => view.getInt16(at, true) },
  I8: { bytes: 1, read: (view, at) => view.getInt8(at) },
  U8: { bytes: 1, read: (view, at) => view.getUint8(at) },
  BOOL: { bytes: 1, read: (view, at) => (view.getUint8(at) === 0 ? 0 : 1) },
}

export function isDtype(name: string): name is Dtype {
  return Object.hasOwn(ELEMENTS, name)
}

export function bytesPerElement(dtype: Dtype): number {
  return ELEMENTS[dtype].bytes
}

/** A view of the bytes where the machine can read them as they are, else a copy. */
export type Numbers = Float32Array | Float64Array

/** The numbers in a piece of a tensor. The piece holds whole elements. */
export function decode(dtype: Dtype, bytes: Uint8Array): Numbers {
  const { bytes: size, read } = ELEMENTS[dtype]
  const { buffer, byteOffset, byteLength } = bytes
  const length = byteLength / size
  // Most weights are float32, which need no copy.
  if (dtype === 'F32' && IS_LITTLE_ENDIAN && byteOffset % size === 0) {
    return new Float32Array(buffer, byteOffset, length)
  }
  const view = new DataView(buffer, byteOffset, byteLength)
  const values = new Float64Array(length)
  for (let i = 0; i < length; i += 1) values[i] = read(view, i * size)
  return values
}

/** IEEE 754 binary16: 1 sign, 5 exponent, 10 fraction bits. */
function halfFloat(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1
  const exponent = (bits >> 10) & 0x1f
  const fraction = bits & 0x3ff
  if (exponent === 0) return sign * fraction * 2 ** -24
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
  return sign * (1 + fraction / 1024) * 2 ** (exponent - 15)
}

const scratch = new DataView(new ArrayBuffer(4))

/** bfloat16 is the upper half of a float32. */
function brainFloat(bits: number): number {
  scratch.setUint32(0, (bits << 16) >>> 0)
  return scratch.getFloat32(0)
}

/** A .npy file as NumPy writes it, for tests of what reads them. */
export interface NpyOptions {
  readonly type?: '<f2' | '<f4' | '<f8' | '<i8'
}

export function npyFile(
  values: readonly number[],
  shape: readonly number[],
  { type = '<f4' }: NpyOptions = {},
): Buffer {
  const dimensions = shape.length === 1 ? `${shape[0]},` : shape.join(', ')
  const text = `{'descr': '${type}', 'fortran_order': False, 'shape': (${dimensions}), }`
  const header = Buffer.from(text.padEnd(Math.ceil((10 + text.length + 1) / 64) * 64 - 11).concat('\n'))
  const start = Buffer.alloc(10)
  start.write('\x93NUMPY', 'latin1')
  start[6] = 1
  start.writeUInt16LE(header.length, 8)
  return Buffer.concat([start, header, ...values.map(value => encoded(value, type))])
}

function encoded(value: number, type: NpyOptions['type']): Buffer {
  const bytes = Buffer.alloc(type === '<f2' ? 2 : type === '<f4' ? 4 : 8)
  if (type === '<f2') bytes.writeUInt16LE(halfBits(value))
  else if (type === '<f4') bytes.writeFloatLE(value)
  else if (type === '<f8') bytes.writeDoubleLE(value)
  else bytes.writeBigInt64LE(BigInt(Math.trunc(value)))
  return bytes
}

/** Of a value that half precision holds exactly. */
function halfBits(value: number): number {
  const sign = value < 0 ? 0x8000 : 0
  const size = Math.abs(value)
  if (size < 2 ** -14) return sign | (size * 2 ** 24)
  const exponent = Math.floor(Math.log2(size))
  return sign | ((exponent + 15) << 10) | ((size / 2 ** exponent - 1) * 1024)
}

import type { Dtype } from './dtype.js'

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

/** The bytes of a pickle and how its opcodes spell their arguments. */

/** `truncated`: more bytes could help. `damaged`: no. `overfull`: built to exhaust its reader. */
type PickleFault = 'truncated' | 'damaged' | 'overfull'

export class PickleError extends Error {
  readonly fault: PickleFault

  constructor(fault: PickleFault) {
    super(`the pickle is ${fault}`)
    this.fault = fault
  }
}

/** Integers of Python have no limit; those in checkpoints do. Larger ones would only cost time. */
const LARGEST_INTEGER_BYTES = 256
const LONGEST_TEXT_LINE = 1 << 16

export interface PickleCursor {
  position(): number
  take(length: number): Buffer
  byte(): number
  uint16(): number
  int32(): number
  uint32(): number
  /** Lengths of eight bytes: a length beyond the buffer is simply truncated. */
  length64(): number
  /** Big-endian, the only such number in a pickle. */
  float64(): number
  integer(length: number): number | bigint
  line(): string
}

export function pickleCursor(bytes: Buffer, from: number): PickleCursor {
  let at = from
  const take = (length: number): Buffer => {
    if (length > bytes.length - at) throw new PickleError('truncated')
    at += length
    return bytes.subarray(at - length, at)
  }
  return {
    position: () => at,
    take,
    byte() {
      const byte = bytes[at]
      if (byte === undefined) throw new PickleError('truncated')
      at += 1
      return byte
    },
    uint16: () => take(2).readUInt16LE(),
    int32: () => take(4).readInt32LE(),
    uint32: () => take(4).readUInt32LE(),
    length64: () => Number(take(8).readBigUInt64LE()),
    float64: () => take(8).readDoubleBE(),
    integer(length) {
      if (length > LARGEST_INTEGER_BYTES) throw new PickleError('overfull')
      return littleEndianInteger(take(length))
    },
    line() {
      const end = bytes.indexOf(0x0a, at)
      if (end < 0) throw new PickleError(bytes.length - at > LONGEST_TEXT_LINE ? 'damaged' : 'truncated')
      if (end - at > LONGEST_TEXT_LINE) throw new PickleError('overfull')
      return take(end + 1 - at)
        .subarray(0, -1)
        .toString('utf8')
    },
  }
}

/** Two's complement; a number where it is exact. */
function littleEndianInteger(bytes: Buffer): number | bigint {
  if (bytes.length === 0) return 0
  const value = BigInt.asIntN(bytes.length * 8, BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`))
  return narrowed(value)
}

function narrowed(value: bigint): number | bigint {
  const small = Number(value)
  return Number.isSafeInteger(small) ? small : value
}

/** The decimal texts of protocol 0: `1`, `1L`, and `00`, `01` for truth values. */
export function integerFromText(text: string): number | bigint | boolean {
  if (text === '00') return false
  if (text === '01') return true
  const digits = text.replace(/L$/, '')
  if (!/^-?\d{1,600}$/.test(digits)) throw new PickleError('damaged')
  return narrowed(BigInt(digits))
}

/**
 * CRC-32C (Castagnoli), which TFRecord files use and Node's zlib does not have. Sliced by eight: eight bytes per turn
 * of the loop through eight tables, measured 1.5 times as fast as one byte at a time.
 */

const REVERSED_POLYNOMIAL = 0x82f6_3b78

/** Advances a checksum by one byte; each further table by that byte and one more zero byte behind it. */
const T0 = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit += 1) value = (value & 1) === 1 ? (value >>> 1) ^ REVERSED_POLYNOMIAL : value >>> 1
  return value
})
const T1 = withZeroByte(T0)
const T2 = withZeroByte(T1)
const T3 = withZeroByte(T2)
const T4 = withZeroByte(T3)
const T5 = withZeroByte(T4)
const T6 = withZeroByte(T5)
const T7 = withZeroByte(T6)

function withZeroByte(table: Int32Array): Int32Array {
  return table.map(value => (value >>> 8) ^ entry(T0, value))
}

/** Of the 256 that there are, so that V8 leaves the `?? 0` out of what it compiles. */
function entry(table: Int32Array, byte: number): number {
  return table[byte & 0xff] ?? 0
}

/** `end` is within the bytes. */
export function crc32c(bytes: Uint8Array, start = 0, end = bytes.length): number {
  const byte = (index: number): number => bytes[index] ?? 0
  let crc = ~0
  let at = start
  for (; at + 8 <= end; at += 8) {
    crc ^= byte(at) | (byte(at + 1) << 8) | (byte(at + 2) << 16) | (byte(at + 3) << 24)
    crc =
      entry(T7, crc) ^
      entry(T6, crc >>> 8) ^
      entry(T5, crc >>> 16) ^
      entry(T4, crc >>> 24) ^
      entry(T3, byte(at + 4)) ^
      entry(T2, byte(at + 5)) ^
      entry(T1, byte(at + 6)) ^
      entry(T0, byte(at + 7))
  }
  for (; at < end; at += 1) crc = (crc >>> 8) ^ entry(T0, crc ^ byte(at))
  return ~crc >>> 0
}

/** As TFRecord stores it: a checksum of data that contains checksums would be weak, so it is rotated and shifted. */
export function maskedCrc32c(bytes: Uint8Array, start = 0, end = bytes.length): number {
  const crc = crc32c(bytes, start, end)
  return (((crc >>> 15) | (crc << 17)) + 0xa282_ead8) >>> 0
}

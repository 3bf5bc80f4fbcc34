/**
 * CRC-32C (Castagnoli), which TFRecord files use and Node's zlib does not have, a byte at a time: most records are checked by
 * the scanner (`../binary/scanner.ts`).
 */

const REVERSED_POLYNOMIAL = 0x82f6_3b78

/** What advances a checksum by one byte. */
const TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit += 1) value = (value & 1) === 1 ? (value >>> 1) ^ REVERSED_POLYNOMIAL : value >>> 1
  return value
})

export function crc32c(bytes: Uint8Array, start = 0, end = bytes.length): number {
  let crc = ~0
  for (let at = start; at < end; at += 1) crc = (crc >>> 8) ^ TABLE[(crc ^ bytes[at]) & 0xff]
  return ~crc >>> 0
}

/** As TFRecord stores it: a checksum of data that contains checksums would be weak, so it is rotated and shifted. */
export function maskedCrc32c(bytes: Uint8Array, start = 0, end = bytes.length): number {
  const crc = crc32c(bytes, start, end)
  return (((crc >>> 15) | (crc << 17)) + 0xa282_ead8) >>> 0
}

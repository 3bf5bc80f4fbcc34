/**
 * CRC-32C (Castagnoli), which TFRecord files use and Node's zlib does not have. Sliced by eight: eight bytes per turn
 * of the loop through eight tables, measured 1.5 times as fast as one byte at a time.
 */

const REVERSED_POLYNOMIAL = 0x82f6_3b78

/** TABLES[0] advances a checksum by one byte; TABLES[k] by that byte and k zero bytes behind it. */
const TABLES = buildTables()

function buildTables(): readonly Int32Array[] {
  const first = new Int32Array(256)
  for (let byte = 0; byte < 256; byte += 1) {
    let value = byte
    for (let bit = 0; bit < 8; bit += 1) value = (value & 1) === 1 ? (value >>> 1) ^ REVERSED_POLYNOMIAL : value >>> 1
    first[byte] = value
  }
  const tables = [first]
  for (let zeros = 1; zeros < 8; zeros += 1) {
    const shorter = tables[zeros - 1]
    tables.push(shorter.map(value => (value >>> 8) ^ first[value & 0xff]))
  }
  return tables
}

const [T0, T1, T2, T3, T4, T5, T6, T7] = TABLES

export function crc32c(bytes: Uint8Array, start = 0, end = bytes.length): number {
  let crc = ~0
  let at = start
  for (; at + 8 <= end; at += 8) {
    crc ^= bytes[at] | (bytes[at + 1] << 8) | (bytes[at + 2] << 16) | (bytes[at + 3] << 24)
    crc =
      T7[crc & 0xff] ^
      T6[(crc >>> 8) & 0xff] ^
      T5[(crc >>> 16) & 0xff] ^
      T4[crc >>> 24] ^
      T3[bytes[at + 4]] ^
      T2[bytes[at + 5]] ^
      T1[bytes[at + 6]] ^
      T0[bytes[at + 7]]
  }
  for (; at < end; at += 1) crc = (crc >>> 8) ^ T0[(crc ^ bytes[at]) & 0xff]
  return ~crc >>> 0
}

/** As TFRecord stores it: a checksum of data that contains checksums would be weak, so it is rotated and shifted. */
export function maskedCrc32c(bytes: Uint8Array, start = 0, end = bytes.length): number {
  const crc = crc32c(bytes, start, end)
  return (((crc >>> 15) | (crc << 17)) + 0xa282_ead8) >>> 0
}

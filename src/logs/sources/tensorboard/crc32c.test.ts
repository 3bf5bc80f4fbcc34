import fc from 'fast-check'
import { expect, test } from 'vitest'
import { crc32c, maskedCrc32c } from './crc32c.js'

test('agrees with the published check values', () => {
  expect(crc32c(Buffer.from('123456789'))).toBe(0xe306_9283)
  // RFC 3720, B.4
  expect(crc32c(Buffer.alloc(32))).toBe(0x8a91_36aa)
  expect(crc32c(Buffer.alloc(32, 0xff))).toBe(0x62a8_ab43)
  expect(crc32c(Buffer.alloc(0))).toBe(0)
})

test('agrees with the definition, bit by bit, at any length and place', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), fc.nat(8), (bytes, start) => {
      const from = Math.min(start, bytes.length)
      expect(crc32c(bytes, from)).toBe(byDefinition(bytes.subarray(from)))
    }),
  )
})

test('masks as TFRecord does', () => {
  // The first 12 bytes of every event file that torch writes: a record of 24 bytes.
  const header = Buffer.from('1800000000000000a37f4b22', 'hex')
  expect(maskedCrc32c(header, 0, 8)).toBe(header.readUInt32LE(8))
})

function byDefinition(bytes: Uint8Array): number {
  let crc = 0xffff_ffff
  for (const byte of bytes) {
    crc ^= byte
    for (let bit = 0; bit < 8; bit += 1) crc = (crc & 1) === 1 ? (crc >>> 1) ^ 0x82f6_3b78 : crc >>> 1
  }
  return ~crc >>> 0
}

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { doubleValue, field, floatValue, varint } from '../../../../test/support/binary.js'
import {
  bytesField,
  enter,
  leave,
  MalformedMessage,
  readFields,
  readFloat,
  readTag,
  readText,
  readVarint,
  varintField,
  wireOver,
} from './protobuf.js'
import { parseMessage } from './protobuf-message.js'

test('reads every 64-bit integer that a number can hold, negative ones too', () => {
  fc.assert(
    fc.property(fc.maxSafeInteger(), value => {
      expect(readVarint(wireOver(varint(BigInt(value))))).toBe(value)
    }),
  )
  expect(readVarint(wireOver(varint(-1n)))).toBe(-1)
  expect(Number.isSafeInteger(readVarint(wireOver(varint(2n ** 53n))))).toBe(false)
  expect(Number.isSafeInteger(readVarint(wireOver(varint(-(2n ** 63n)))))).toBe(false)
})

test('walks nested messages and skips what it does not know', () => {
  const inner = Buffer.concat([field(9, 'unknown'), field(1, '名字'), doubleValue(8, 1), floatValue(2, 0.5)])
  const wire = wireOver(Buffer.concat([field(7, 300n), field(3, inner), field(4, 12n)]))
  const seen: (string | number)[] = []
  readFields(wire, tag => {
    if (tag === varintField(4)) {
      seen.push(readVarint(wire))
      return true
    }
    if (tag !== bytesField(3)) return false
    const outer = enter(wire)
    readFields(wire, within => {
      if (within === bytesField(1)) seen.push(readText(wire))
      else if (within === ((2 << 3) | 5)) seen.push(readFloat(wire))
      else return false
      return true
    })
    leave(wire, outer)
    return true
  })
  expect(seen).toEqual(['名字', 0.5, 12])
})

test('takes a field with an unexpected wire type for an unknown one', () => {
  const message = parseMessage(Buffer.concat([field(1, 5n), field(2, 'text')]))
  expect(message.text(1)).toBe('')
  expect(message.integer(2)).toBe(0)
  expect(message.integer(1)).toBe(5)
})

test('keeps the last of a repeated field, and all of them when asked', () => {
  const message = parseMessage(Buffer.concat([field(1, 'a'), field(1, 'b')]))
  expect(message.text(1)).toBe('b')
  expect(message.texts(1)).toEqual(['a', 'b'])
})

test('says so instead of reading past the end, whatever the bytes are', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), bytes => {
      const wire = wireOver(Buffer.from(bytes))
      try {
        readFields(wire, () => false)
        expect(wire.position).toBe(bytes.length)
      } catch (error) {
        expect(error).toBeInstanceOf(MalformedMessage)
        expect(wire.position).toBeLessThanOrEqual(bytes.length)
      }
    }),
  )
  expect(() => readTag(wireOver(Buffer.from([0x00])))).toThrow(MalformedMessage)
  expect(() => readVarint(wireOver(Buffer.alloc(11, 0xff)))).toThrow(MalformedMessage)
})

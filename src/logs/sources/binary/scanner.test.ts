import fc from 'fast-check'
import { expect, it } from 'vitest'
import { scan } from './scanner.js'

/** Fields of less than 128 bytes. */
function field(tag: readonly number[], content: Uint8Array): Buffer {
  return Buffer.from([...tag, content.length, ...content])
}

function item(key: string, json: string): Buffer {
  const text = Buffer.concat([field([0x0a], Buffer.from(key)), field([0x82, 0x01], Buffer.from(json))])
  const length = text.length < 128 ? [text.length] : [(text.length & 0x7f) | 0x80, text.length >> 7]
  return Buffer.from([0x0a, ...length, ...text])
}

it('reads decimal numbers as Number does, or leaves them', () => {
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 22 })
  const exponents = fc.option(fc.tuple(fc.constantFrom('e', 'E'), fc.constantFrom('', '+', '-'), digits))
  const written = fc
    .tuple(fc.constantFrom('', '-', '+'), digits, fc.option(digits), exponents)
    .map(
      ([sign, whole, part, exponent]) => `${sign}${whole}${part === null ? '' : `.${part}`}${exponent?.join('') ?? ''}`,
    )
  const others = fc.constantFrom('', '-', '.', 'NaN', 'null', '1 ', ' 1', '1e', '0x10', '1_0', '"1"')
  fc.assert(
    fc.property(fc.oneof(fc.double().map(String), written, others), json => {
      const bytes = item('a', json)
      const { count, end, values } = scan('readItems', bytes, 0)
      expect([count, end]).toEqual([1, bytes.length])
      if (!Number.isNaN(values[0])) expect(values[0]).toBe(Number(json))
    }),
    { numRuns: 5_000 },
  )
  expect(scan('readItems', item('a', '-0.12345678901234567'), 0).values[0]).toBe(Number('-0.12345678901234567'))
})

it('gives each name one number, wherever it stands', () => {
  const numbers = new Map<string, number>()
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 30 }), fc.nat({ max: 20 }), (key, before) => {
      const bytes = Buffer.concat([Buffer.alloc(before, 0xff), item(key, '1'), Buffer.from([0xff])])
      const { count, end, names, shift, starts } = scan('readItems', bytes, before)
      expect([count, end]).toEqual([1, bytes.length - 1])
      expect(bytes[starts[0] + shift]).toBe(0x0a)
      const known = numbers.get(Buffer.from(key).toString()) ?? names[0]
      expect(names[0]).toBe(known)
      numbers.set(Buffer.from(key).toString(), known)
    }),
    { numRuns: 2_000 },
  )
  expect(new Set(numbers.values()).size).toBe(numbers.size)
})

it('reads nothing beyond the bytes that are given', () => {
  const whole = item('loss', '0.5')
  for (let length = 0; length < whole.length; length += 1) expect(scan('readItems', whole, 0, length).count).toBe(0)
})

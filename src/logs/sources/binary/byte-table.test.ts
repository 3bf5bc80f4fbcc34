import fc from 'fast-check'
import { expect, test } from 'vitest'
import { byteTable } from './byte-table.js'

test('gives equal bytes the same entry and different bytes different ones', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 4 })), names => {
      const table = byteTable((bytes, start, end) => ({ name: bytes.toString('utf8', start, end) }))
      const seen = new Map<string, { name: string }>()
      for (const name of names) {
        const bytes = Buffer.from(`<${name}>`)
        const entry = table.find(bytes, 1, bytes.length - 1)
        expect(entry.name).toBe(name)
        expect(seen.get(name) ?? entry).toBe(entry)
        seen.set(name, entry)
      }
    }),
  )
})

test('starts anew when it is full', () => {
  let made = 0
  const table = byteTable(() => (made += 1), { capacity: 2 })
  for (const name of ['a', 'b', 'c', 'a', 'a']) table.find(Buffer.from(name), 0, 1)
  expect(made).toBe(4)
})

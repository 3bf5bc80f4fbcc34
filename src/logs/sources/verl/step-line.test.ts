import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFieldReader, type FieldReader, type Fields } from './step-line.js'

function read(reader: FieldReader, text: string): Fields | undefined {
  const bytes = Buffer.from(`<${text}>`)
  return reader(bytes, 1, bytes.length - 1)
}

test('reads back any keys and numbers, whatever came before', () => {
  const key = fc.stringMatching(/^[a-z@/().-]{1,12}$/).filter(text => !text.startsWith('-') && !text.endsWith('-'))
  const line = fc.array(
    fc.tuple(
      key,
      fc.double({ noNaN: true }).map(value => value + 0),
    ),
    { minLength: 1, maxLength: 8 },
  )
  const reader = createFieldReader()
  fc.assert(
    fc.property(line, fields => {
      const text = fields.map(([name, value]) => ` - ${name}:${value}`).join('')
      expect(read(reader, text)).toMatchObject({
        metrics: fields.map(([name]) => name),
        values: fields.map(([, value]) => value),
        badCount: 0,
      })
    }),
    { numRuns: 1000 },
  )
})

test('goes on reading when keys never repeat', () => {
  const reader = createFieldReader()
  for (let i = 0; i < 60_000; i += 1) read(reader, ` - a/${i}:1`)
  expect(read(reader, ' - a/1:2 - a/2:3')).toMatchObject({ metrics: ['a/1', 'a/2'], values: [2, 3] })
})

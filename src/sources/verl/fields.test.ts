import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createFieldReader } from './fields.js'

test('reads back any keys and numbers, whatever came before', () => {
  const key = fc.stringMatching(/^[a-z@/().-]{1,12}$/).filter(text => !text.startsWith('-') && !text.endsWith('-'))
  const line = fc.array(
    fc.tuple(
      key,
      fc.double({ noNaN: true }).map(value => value + 0),
    ),
    { minLength: 1, maxLength: 8 },
  )
  const read = createFieldReader()
  fc.assert(
    fc.property(line, fields => {
      const text = fields.map(([name, value]) => ` - ${name}:${value}`).join('')
      expect(read(text, 0)).toMatchObject({
        metrics: fields.map(([name]) => name),
        values: fields.map(([, value]) => value),
        badCount: 0,
      })
    }),
    { numRuns: 1000 },
  )
})

test('goes on reading when keys never repeat', () => {
  const read = createFieldReader()
  for (let i = 0; i < 60_000; i += 1) read(` - a/${i}:1`, 0)
  expect(read(' - a/1:2 - a/2:3', 0)).toMatchObject({ metrics: ['a/1', 'a/2'], values: [2, 3] })
})

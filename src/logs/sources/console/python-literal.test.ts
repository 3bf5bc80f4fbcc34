import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json } from '../../model/json.js'
import { readPythonLiteral } from './python-literal.js'

function printed(value: Json): string {
  if (value === null) return 'None'
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'string')
    return `'${value.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`
  if (typeof value === 'number') return String(value)
  if (Array.isArray(value)) return `[${value.map(printed).join(', ')}]`
  return `{${Object.entries(value)
    .map(([key, item]) => `${printed(key)}: ${printed(item)}`)
    .join(',\n ')}}`
}

test('reads back whatever Python would have printed', () => {
  const key = fc.string().filter(text => text !== '__proto__')
  const { value } = fc.letrec<{ value: Json }>(tie => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(null, true, false),
      fc.double({ noNaN: true, noDefaultInfinity: true }).map(number => number + 0),
      fc.string({ unit: 'binary' }),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
    ),
  }))
  fc.assert(
    fc.property(value, json => {
      expect(readPythonLiteral(printed(json))).toEqual(json)
    }),
    { numRuns: 500 },
  )
})

test.each<[string, Json]>([
  [`('a long '\n 'path')`, 'a long path'],
  [`("it's " '"quoted"')`, `it's "quoted"`],
  ['(1, 2)', [1, 2]],
  ['(1,)', [1]],
  ['()', []],
  ["{'a', 'b'}", ['a', 'b']],
  ["{1: 'one'}", { 1: 'one' }],
  ['[1,]', [1]],
  ['nan', 'NaN'],
  ['-inf', '-Infinity'],
  ['np.float64(0.5)', 0.5],
  ["PosixPath('/data')", '/data'],
  ["<class 'verl.Worker'>", "<class 'verl.Worker'>"],
  ["'\\x41\\u4e2d\\n'", 'A中\n'],
  ["{'lr': 1e-06, 'n': -1}", { lr: 1e-6, n: -1 }],
  ['{"use": true, "path": null}', { use: true, path: null }],
])('reads %s', (text, value) => {
  expect(readPythonLiteral(text)).toEqual(value)
})

test.each(['', '{', "{'a': ", "{'a' 1}", '[1 2]', "'open", '1 2', 'f(', '['.repeat(100_000), '{"__proto__":'])(
  'refuses text that is no whole literal',
  text => {
    expect(readPythonLiteral(text)).toBeUndefined()
  },
)

test('keeps a key named __proto__ as a key', () => {
  expect(Object.keys(readPythonLiteral("{'__proto__': {'a': 1}}") ?? {})).toEqual(['__proto__'])
})

test('never throws, whatever the text', () => {
  const mess = fc.string({ unit: fc.constantFrom(...`{}[]()'",:\\ \n<>ab1.-eNone`) })
  fc.assert(
    fc.property(mess, text => void readPythonLiteral(text)),
    { numRuns: 1000 },
  )
})

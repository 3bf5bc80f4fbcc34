import { truncate } from 'node:fs/promises'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fixture, rowsOf, withFile } from '../../../../test/support/reading.js'
import { importFile, importText, warningsIn } from '../../../../test/support/tables.js'
import type { Hints } from '../source.js'
import { closeCutJson } from './head.js'
import { jsonTable } from './json.js'

const read = (text: string, hints: Hints = {}, name = 'x.json') => importText(jsonTable, text, { name, hints })

describe('reading', () => {
  const rows = [
    { step: 1, loss: 0.5 },
    { step: 2, loss: 0.4 },
  ]

  it.each([
    ['a list of rows', JSON.stringify(rows)],
    ['a list of rows over several lines', JSON.stringify(rows, null, 2)],
    ['columns', '{"step":[1,2],"loss":[0.5,0.4]}'],
    ['rows inside an object', JSON.stringify({ name: 'x', metrics: rows, tags: ['a'] })],
    ['columns inside an object', '{"history":{"step":[1,2],"loss":[0.5,0.4]}}'],
    ['rows with nulls and text', '[{"step":1,"loss":0.5,"x":null},{"step":2,"loss":0.4,"x":"y"}]'],
  ])('reads %s', async (_, text) => {
    const { recognised, runs } = await read(text)
    expect(recognised).toBe(true)
    expect(rowsOf(runs[0].events)).toEqual(rows)
  })

  it('reads the example of the documentation', async () => {
    const { recognised, runs } = await importFile(jsonTable, fixture('tables/history.json'))
    expect(recognised).toBe(true)
    expect(rowsOf(runs[0].events)[2]).toEqual({ step: 40, exact: Number.NaN, reward: 0.7219375 })
  })

  it('reads bare NaN, nested numbers and several runs', async () => {
    const { runs } = await read('[{"run":"a","step":1,"x":{"y":NaN}},{"run":"b","step":1,"x":{"y":2}}]')
    expect(runs.map(({ name, events }) => [name, rowsOf(events)])).toEqual([
      ['a', [{ step: 1, 'x.y': Number.NaN }]],
      ['b', [{ step: 1, 'x.y': 2 }]],
    ])
  })

  it('reads a file that is longer than its head', async () => {
    const many = Array.from({ length: 5000 }, (_, step) => ({ step, loss: step / 7, kl: 0.1 }))
    const columns = { loss: many.map(({ loss }) => loss), step: many.map(({ step }) => step) }
    for (const table of [many, columns, { metrics: many }]) {
      const { recognised, runs } = await read(JSON.stringify(table))
      expect(recognised).toBe(true)
      expect(rowsOf(runs[0].events)).toHaveLength(5000)
    }
  })

  it('finds no run without a step until it is named', async () => {
    const text = '[{"tokens":1,"loss":0.5},{"tokens":2,"loss":0.4}]'
    expect(await read(text)).toEqual({ recognised: true, runs: [] })
    expect((await read(text, { step: 'tokens' })).runs).toHaveLength(1)
  })
})

describe('what cannot be read', () => {
  it.each([
    ['an object of scalars', 'x.json', '{"step":1,"loss":0.5}'],
    ['columns of different lengths', 'x.json', '{"step":[1,2],"loss":[0.5]}'],
    ['two tables', 'x.json', '{"a":[{"step":1}],"b":[{"step":1}]}'],
    ['lists of lists', 'x.json', '[[1,2],[3,4]]'],
    ['an empty list', 'x.json', '[]'],
    ['text only', 'x.json', '[{"question":"why?"}]'],
    ['a config', 'config.json', '[{"step":1}]'],
    ['JSONL', 'x.jsonl', '{"step":1,"loss":1}\n{"step":2,"loss":1}\n'],
    ['a hundred thousand brackets', 'x.json', '['.repeat(100_000)],
  ])('does not claim %s', async (_, name, text) => {
    expect((await read(text, {}, name)).recognised).toBe(false)
  })

  it('says that a file was cut off', async () => {
    const whole = JSON.stringify(Array.from({ length: 5000 }, (_, step) => ({ step, loss: 0.5 })))
    for (const length of [80_000, 100]) {
      const { recognised, runs } = await read(whole.slice(0, length))
      expect(recognised).toBe(true)
      expect(warningsIn(runs[0].events)).toMatchObject([{ key: 'table.not-json', params: {} }])
    }
  })

  it('says that a file is too large, without reading it', async () => {
    await withFile(
      `[{"step":1,"loss":0.5},{"step":2,"loss":0.4},${' '.repeat(70_000)}`,
      async path => {
        await truncate(path, 2 ** 33)
        const { recognised, runs } = await importFile(jsonTable, path)
        expect(recognised).toBe(true)
        expect(warningsIn(runs[0].events)).toMatchObject([
          { key: 'table.too-large', params: { size: 8192, limit: 256 } },
        ])
      },
      'x.json',
    )
  })

  it('survives any text', async () => {
    const piece = fc.constantFrom('[', ']', '{', '}', '"step":', '"a":', '1', ',', '"', '\n', 'null', 'NaN')
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async pieces => {
        await read(pieces.join(''))
      }),
      { numRuns: 300 },
    )
  })
})

describe('closeCutJson', () => {
  it('makes any beginning of a JSON object or list parse', () => {
    const whole = fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.jsonValue()))
    fc.assert(
      fc.property(whole, fc.nat(), (value, at) => {
        const text = JSON.stringify(value)
        expect(() => JSON.parse(closeCutJson(text.slice(0, 1 + (at % text.length))))).not.toThrow()
      }),
    )
  })

  it('keeps all members that are whole', () => {
    expect(closeCutJson('{"a":[1,2,3')).toBe('{"a":[1,2]}')
    expect(closeCutJson('[{"a":1},{"b":"x,')).toBe('[{"a":1},{}]')
  })
})

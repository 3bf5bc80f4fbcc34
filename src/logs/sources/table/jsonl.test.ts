import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  aboutTheFile,
  fixture,
  isRow,
  lastCursor,
  readEvents,
  readInTwoSteps,
  rowsOf,
  withFile,
} from '../../../../test/support/reading.js'
import { importFile, importText, warningsIn } from '../../../../test/support/tables.js'
import type { Hints } from '../source.js'
import { jsonl } from './json.js'

async function eventsOf(text: string, hints: Hints = {}, name = 'x.jsonl') {
  const { recognised, runs } = await importText(jsonl, text, { name, hints })
  expect({ recognised, runs: runs.length }).toEqual({ recognised: true, runs: 1 })
  return runs[0].events
}

const rowsIn = async (text: string, hints: Hints = {}) => rowsOf(await eventsOf(text, hints))
const lines = (...objects: readonly object[]) => objects.map(object => `${JSON.stringify(object)}\n`).join('')

describe('reading', () => {
  it('reads a real log, training and evaluation rows', async () => {
    const { recognised, runs } = await importFile(jsonl, fixture('tables/kl-0.1/seed7/loop.jsonl'))
    expect(recognised).toBe(true)
    const rows = rowsOf(runs[0].events)
    expect(rows).toHaveLength(41)
    expect(rows[0]).toEqual({
      step: 0,
      'val-core/addition/reward/mean@1': 0.5975,
      'val-aux/addition/exact/mean@1': 0.38,
    })
    expect(rows[1]['actor/kl_loss']).toBe(0.004279731)
  })

  it('names nested numbers by their path', async () => {
    const text = lines({ step: 1, train: { loss: 0.5, kl: { ref: 0.1 } } }, { step: 2, train: { loss: 0.4 } })
    expect(await rowsIn(text)).toEqual([
      { step: 1, 'train.loss': 0.5, 'train.kl.ref': 0.1 },
      { step: 2, 'train.loss': 0.4 },
    ])
  })

  it('takes numbers only: no text, no truth values, no lists, no nulls', async () => {
    const text = lines({ step: 1, loss: 0.5, note: '0.5', flag: true, list: [1, 2], none: null })
    expect(await rowsIn(text)).toEqual([{ step: 1, loss: 0.5 }])
  })

  it('reads NaN and infinities, bare as Python writes them or as words', async () => {
    expect(await rowsIn('{"step":1,"a":NaN,"b":-Infinity,"c":"nan","d":"Infinity","e":1e999}\n')).toEqual([
      {
        step: 1,
        a: Number.NaN,
        b: Number.NEGATIVE_INFINITY,
        c: Number.NaN,
        d: Number.POSITIVE_INFINITY,
        e: Number.POSITIVE_INFINITY,
      },
    ])
  })

  it('passes over blank lines and comments', async () => {
    expect(await rowsIn('\uFEFF# run 7\r\n\n{"step":1,"loss":0.5}\r\n// resumed\n{"step":2,"loss":0.4}')).toEqual([
      { step: 1, loss: 0.5 },
      { step: 2, loss: 0.4 },
    ])
  })

  it('shares the names of alternating kinds of rows', async () => {
    const text = lines({ step: 1, loss: 1 }, { step: 1, acc: 1 }, { step: 2, loss: 1 }, { step: 2, acc: 1 })
    const rows = (await eventsOf(text)).filter(isRow)
    expect(rows[2].metrics).toBe(rows[0].metrics)
    expect(rows[3].metrics).toBe(rows[1].metrics)
  })

  it('reads the time of a row', async () => {
    const rows = (await eventsOf(lines({ step: 1, _timestamp: 1.7e9, loss: 1 }))).filter(isRow)
    expect(rows).toMatchObject([{ time: 1.7e9, metrics: ['loss'] }])
  })

  it('reads one metric a line, and several runs', async () => {
    const row = (run: string, step: number, metric: string, value: number) => ({ run, step, metric, value })
    const text = lines(row('a', 1, 'loss', 0.5), row('b', 1, 'loss', 0.6), row('a', 1, 'kl', 0.1))
    const { runs } = await importText(jsonl, text, { name: 'x.jsonl' })
    expect(runs.map(({ name, events }) => [name, rowsOf(events)])).toEqual([
      [
        'a',
        [
          { step: 1, loss: 0.5 },
          { step: 1, kl: 0.1 },
        ],
      ],
      ['b', [{ step: 1, loss: 0.6 }]],
    ])
  })

  it('takes the step and the metrics that were asked for', async () => {
    const text = lines({ tokens: 100, loss: 0.5, kl: 0.1 }, { tokens: 200, loss: 0.4, kl: 0.2 })
    expect(await rowsIn(text, { step: 'tokens', metrics: ['kl'] })).toEqual([
      { step: 100, kl: 0.1 },
      { step: 200, kl: 0.2 },
    ])
    expect((await importText(jsonl, text, { name: 'x.jsonl' })).runs).toEqual([])
  })

  it('finds nothing to import in steps alone', async () => {
    expect(
      (await importText(jsonl, lines({ step: 1, text: 'a' }, { step: 2, text: 'b' }), { name: 'x.jsonl' })).runs,
    ).toEqual([])
  })

  it('knows a file by a first line that is longer than the head', async () => {
    const long = lines({ step: 1, text: 'x'.repeat(70_000), loss: 0.5 }, { step: 2, text: '', loss: 0.4 })
    expect((await rowsIn(long)).map(({ step }) => step)).toEqual([1, 2])
  })
})

describe('what cannot be used', () => {
  it('counts bad lines and goes on', async () => {
    const events = await eventsOf('{"step":1,"loss":0.5}\n{"step":2,\n[1]\n7\n{"step":3,"loss":0.3}\n')
    expect(rowsOf(events).map(({ step }) => step)).toEqual([1, 3])
    expect(warningsIn(events)).toMatchObject([{ key: 'source.bad-lines', params: { count: 3, line: 2 } }])
  })

  it('counts rows without a usable step', async () => {
    const good = Array.from({ length: 20 }, (_, step) => ({ step, loss: 1 }))
    const events = await eventsOf(`${lines(...good, { loss: 1 }, { step: '5', loss: 1 })}{"step":1e400,"loss":1}\n`)
    expect(rowsOf(events)).toHaveLength(20)
    expect(warningsIn(events)).toMatchObject([
      { key: 'source.bad-step', params: { count: 2, step: '5' } },
      { key: 'table.no-step-rows', params: { count: 1 } },
    ])
  })

  it('leaves a half-written last line for later', async () => {
    const events = await eventsOf('{"step":1,"loss":0.5}\n{"step":2,"lo')
    expect(rowsOf(events)).toHaveLength(1)
    expect(events).toContainEqual({ type: 'tail', unreadBytes: 13 })
  })

  it('leaves out what is nested a hundred thousand deep', async () => {
    const deep = `{"step":2,"loss":1,"x":${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)},"y":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    const events = await eventsOf(`{"step":1,"loss":1}\n${deep}\n`)
    expect(rowsOf(events)).toEqual([
      { step: 1, loss: 1 },
      { step: 2, loss: 1 },
    ])
    expect(warningsIn(events)).toMatchObject([{ key: 'table.too-deep', params: { count: 1 } }])
  })

  it('does not lose patience with a string that is never closed', async () => {
    const events = await eventsOf(`{"step":1,"loss":1}\n{"NaN${'"\\'.repeat(500_000)}\n{"step":2,"loss":1}\n`)
    expect(rowsOf(events)).toHaveLength(2)
  })

  it('takes keys that JavaScript minds for what they are', async () => {
    const rows = (await eventsOf('{"step":1,"__proto__":2,"constructor":3}\n')).filter(isRow)
    expect(rows).toMatchObject([{ metrics: ['__proto__', 'constructor'], values: [2, 3] }])
  })

  it.each([
    ['JSON over several lines', 'x.json', '{\n "step": 1\n}\n'],
    ['one object in a .json file', 'wandb-summary.json', '{"_step":400,"loss":0.5}'],
    ['a config', 'config.json', '{"step":1}\n{"step":2}\n'],
    ['lines of text', 'x.jsonl', '{"question":"why?"}\n'],
    ['nothing', 'x.jsonl', ''],
  ])('does not claim %s', async (_, name, text) => {
    expect((await importText(jsonl, text, { name })).recognised).toBe(false)
  })
})

describe('growing files', () => {
  const line = fc.oneof(
    {
      weight: 5,
      arbitrary: fc.record({ step: fc.nat(500), loss: fc.double({ noNaN: true, noDefaultInfinity: true }) }),
    },
    fc.record({ step: fc.nat(), val: fc.record({ acc: fc.nat() }), note: fc.string() }),
  )
  const log = fc
    .array(
      fc.oneof(
        { weight: 9, arbitrary: line.map(row => JSON.stringify(row)) },
        fc.constantFrom('', '#', '{"step":', '损失'),
      ),
      {
        minLength: 150,
        maxLength: 400,
      },
    )
    .map(all => Buffer.from(`{"step":0,"loss":1}\n${all.join('\n')}\n`))

  it('gives the same events in two readings as in one', async () => {
    await fc.assert(
      fc.asyncProperty(log, fc.double({ min: 0, max: 1, noNaN: true }), async (content, at) => {
        const whole = aboutTheFile(await withFile(content, path => readEvents(jsonl, path)))
        expect(await readInTwoSteps(jsonl, content, Math.floor(at * content.length))).toEqual(whole)
      }),
      { numRuns: 60 },
    )
  })

  it('goes on behind a whole last line that has no line end yet', async () => {
    const rows = Array.from({ length: 150 }, (_, step) => `{"step":${step},"loss":1}`).join('\n')
    const events = await withFile(rows, path => readEvents(jsonl, path))
    expect(rowsOf(events)).toHaveLength(150)
    expect(lastCursor(events)).toMatchObject({ offset: rows.length })
  })

  it('reads a small file anew when it has grown, since it may then mean something else', async () => {
    expect(lastCursor(await eventsOf('{"step":1,"loss":0.5}\n'))).toBeNull()
  })
})

it('survives any bytes', async () => {
  const words = ['{"step":1,', '"loss":', '2}', '\n', '{', '}', '[', '"', 'NaN']
  const piece = fc.oneof(fc.uint8Array({ maxLength: 20 }), fc.constantFrom(...words.map(text => Buffer.from(text))))
  await fc.assert(
    fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async pieces => {
      const { runs } = await importText(jsonl, Buffer.concat(pieces), { name: 'x.jsonl' })
      for (const { events } of runs) expect(events.length).toBeGreaterThan(0)
    }),
    { numRuns: 300 },
  )
})

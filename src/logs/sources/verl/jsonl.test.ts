import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  aboutTheFile,
  eventsOf,
  fixture,
  isRow,
  lastCursor,
  readEvents,
  readInTwoSteps,
  rowsOf,
  sourceFile,
  withFile,
} from '../../../../test/support/reading.js'
import { verlJsonl } from './jsonl.js'

const LOG = fixture('verl/kl-0.1/seed0/metrics.jsonl')

test('reads a real run with all its digits', async () => {
  const rows = rowsOf(await readEvents(verlJsonl, LOG))
  expect(rows.map(row => row.step)).toEqual(Array.from({ length: 21 }, (_, step) => step))
  expect(rows[0]).toEqual({
    step: 0,
    'val-core/addition/reward/mean@1': 0.5975,
    'val-aux/addition/exact/mean@1': 0.38,
  })
  expect(rows[1]).toMatchObject({ 'actor/kl_loss': 0.007617738, 'critic/advantages/mean': -3.72529e-9 })
  expect(Object.keys(rows[1])).toHaveLength(26)
})

test('rows with the same metrics share their names', async () => {
  const found = await eventsOf(verlJsonl, '{"step":1,"data":{"a":1}}\n{"step":2,"data":{"a":2}}\n')
  const [first, second] = found.filter(isRow)
  expect(second.metrics).toBe(first.metrics)
})

test('leaves out nulls, which were NaN or infinite, and counts them once', async () => {
  const found = await eventsOf(
    verlJsonl,
    '{"step":1,"data":{"a":null,"b":2}}\n{"step":2,"data":{"a":null,"b":null,"note":"x","flag":true}}\n',
  )
  expect(rowsOf(found)).toEqual([{ step: 1, b: 2 }])
  expect(found).toContainEqual(
    expect.objectContaining({
      type: 'warning',
      message: expect.objectContaining({ key: 'verl.null-values', params: { count: 3, metric: 'a', step: 1 } }),
    }),
  )
})

test('reads bare NaN and infinities as well', async () => {
  expect(rowsOf(await eventsOf(verlJsonl, '{"step":1,"data":{"a":NaN,"b":-Infinity,"c":1}}\n'))).toEqual([
    { step: 1, a: Number.NaN, b: Number.NEGATIVE_INFINITY, c: 1 },
  ])
})

test('keeps elapsed_seconds as a metric', async () => {
  expect(rowsOf(await eventsOf(verlJsonl, '{"step":1,"elapsed_seconds":2.5,"data":{"a":1}}\n'))).toEqual([
    { step: 1, a: 1, elapsed_seconds: 2.5 },
  ])
})

test('passes over lines that are no records, and says how many and where', async () => {
  const found = await eventsOf(verlJsonl, '{"step":1,"data":{"a":1}}\n\n{"step":2,"da\n[]\n{"step":3,"data":{"a":3}}\n')
  expect(rowsOf(found)).toEqual([
    { step: 1, a: 1 },
    { step: 3, a: 3 },
  ])
  expect(found).toContainEqual(
    expect.objectContaining({
      type: 'warning',
      message: expect.objectContaining({ key: 'source.bad-lines', params: { count: 2, line: 3 } }),
    }),
  )
})

test('tells a second process in the same file by the same metrics at an earlier step', async () => {
  const found = await eventsOf(verlJsonl, '{"step":9,"data":{"a":1}}\n{"step":3,"data":{"a":1}}\n')
  expect(found.map(event => event.type)).toEqual(['row', 'restart', 'row', 'tail'])
})

test('reads a last line without its end when it is whole, and reads the file again if it grows', async () => {
  await withFile('{"step":1,"data":{"a":1}}\n{"step":2,"data":{"a":2}}', async path => {
    const found = await readEvents(verlJsonl, path)
    expect(rowsOf(found)).toHaveLength(2)
    expect(lastCursor(found)).toBeNull()
  })
})

test('reports the bytes of a last line that is not whole', async () => {
  const found = await eventsOf(verlJsonl, '{"step":1,"data":{"a":1}}\n{"step":2,"da')
  expect(rowsOf(found)).toHaveLength(1)
  expect(found).toContainEqual({ type: 'tail', unreadBytes: 13 })
})

test('from any cut on says the same as reading at once', async () => {
  const content = readFileSync(LOG)
  const whole = aboutTheFile(await readEvents(verlJsonl, LOG))
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 0, max: content.length }), async cut => {
      expect(await readInTwoSteps(verlJsonl, content, cut)).toEqual(whole)
    }),
    { numRuns: 60 },
  )
})

test.each([
  ['a file of the logger', '{"step":0,"data":{"a/b":1.0}}\n', true],
  ['a first line longer than the head', `{"step":0,"data":{"a/b":1.0${',"a/b":1'.repeat(20_000)}}}\n`, true],
  ['a broken first line', 'oops\n{"step":0,"data":{"a/b":1.0}}\n', true],
  ['a rollout dump', '{"input":"x","output":"y","score":1,"step":3}\n', false],
  ['other JSON lines', '{"step":1,"loss":0.5}\n', false],
  ['nothing', '', false],
])('recognises %s: %s → %s', async (_, text, ours) => {
  expect(await withFile(text, async path => verlJsonl.recognise(await sourceFile(path)))).toBe(ours)
})

test('names the run after its folders when the file name says nothing', async () => {
  expect(await verlJsonl.describe(await sourceFile(LOG), {})).toMatchObject([
    { run: `verl:${LOG}`, name: 'kl-0.1/seed0', folder: fixture('verl/kl-0.1/seed0') },
  ])
})

test('never throws, however a log is damaged', async () => {
  const log = readFileSync(LOG).subarray(0, 4000)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.tuple(fc.nat(log.length - 1), fc.nat(255)), { maxLength: 20 }), async wounds => {
      const content = Buffer.from(log)
      for (const [at, byte] of wounds) content[at] = byte
      await withFile(content, async path => {
        const file = await sourceFile(path)
        verlJsonl.recognise(file)
        await verlJsonl.describe(file, {})
        await readEvents(verlJsonl, path)
      })
    }),
    { numRuns: 100 },
  )
})

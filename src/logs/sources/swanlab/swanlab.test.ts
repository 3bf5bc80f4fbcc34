import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  doubleValue,
  eventsOf,
  field,
  readEvents,
  recordLog,
  sourceFile,
  substance,
  withFile,
} from '../../../../test/support/binary.js'
import { fixture, lastCursor } from '../../../../test/support/reading.js'
import type { RunEvent } from '../../model/events.js'
import { numberFromJson } from '../../model/json.js'
import { discover } from '../discover.js'
import { swanlab } from './swanlab.js'

const ALL = ['axes', 'backup-0.6', 'backup-0.7', 'crashed', 'killed', 'system', 'values']

function pathOf(name: string): string {
  const folder = fixture(`swanlab/${name}`)
  return join(folder, readdirSync(folder).find(file => file.endsWith('.swanlab')) ?? '')
}

/** What SwanLab's own reader found in a fixture (make-swanlab.py). */
function expected(name: string): { scalars: [string, number, number | string, number][]; system: string[] } {
  return JSON.parse(readFileSync(fixture(`swanlab/${name}/expected.json`), 'utf8'))
}

function numberOf(value: number | string): number {
  return value === 'INF' ? Number.POSITIVE_INFINITY : (numberFromJson(value) ?? Number(value))
}

function pointsOf(events: readonly RunEvent[]): [string, number, number, number | null][] {
  return eventsOf(events, 'row').map(({ metrics, step, values, time }) => [metrics[0], step, values[0], time])
}

function log(...records: Uint8Array[]): Buffer {
  const { bytes } = recordLog(records)
  bytes.write(':SWL\xd6\xe1\x02', 0, 'latin1')
  return bytes
}

const time = (seconds: number): Buffer => field(4, field(1, BigInt(seconds)))

function scalar(key: string, step: bigint, value: number, seconds = 1): Buffer {
  return field(13, Buffer.concat([field(1, key), field(2, step), time(seconds), field(5, doubleValue(1, value))]))
}

describe('the log of a real run', () => {
  test.each(ALL.filter(name => name !== 'axes'))(
    '%s holds what SwanLab itself reads, without the load of the machine',
    async name => {
      const { scalars, system } = expected(name)
      const wanted = scalars.filter(([key]) => !system.includes(key))
      const events = await readEvents(swanlab, pathOf(name))
      expect(pointsOf(events)).toEqual(wanted.map(([key, step, value, at]) => [key, step, numberOf(value), at]))
      expect(wanted.length).toBeGreaterThan(1)
    },
  )

  test('puts a metric on the axis that it was defined on', async () => {
    const rows = eventsOf(await readEvents(swanlab, pathOf('axes')), 'row')
    const onAxis = rows.filter(({ axis }) => axis === 'epoch').map(({ step, values }) => [step, values[0]])
    expect(onAxis).toEqual([
      [1, 0.15],
      [2, 0.35],
      [3, 0.55],
    ])
    expect(rows.filter(({ metrics }) => metrics[0] === 'loss').map(({ step }) => step)).toEqual([...Array(12).keys()])
  })

  test.each([
    ['values', 'finished'],
    ['crashed', 'failed'],
    ['killed', 'killed'],
    ['backup-0.6', 'finished'],
  ])('%s ended as %s', async (name, status) => {
    expect(eventsOf(await readEvents(swanlab, pathOf(name)), 'status').at(-1)).toEqual({ type: 'status', status })
  })

  test('counts the bytes that a killed process left unfinished', async () => {
    expect(eventsOf(await readEvents(swanlab, pathOf('killed')), 'tail').at(-1)?.unreadBytes).toBeGreaterThan(0)
  })

  test.each(['values', 'backup-0.6', 'backup-0.7'])('%s comes with settings, host and versions', async name => {
    const events = await readEvents(swanlab, pathOf(name))
    const config = Object.assign({}, ...eventsOf(events, 'config').map(event => event.config))
    expect(config).toEqual({ kl_beta: 0.1, 'opt.lr': 1e-6, 'opt.betas': [0.9, 0.95], seed: 7 })
    const about = Object.assign({}, ...eventsOf(events, 'about').map(event => event.about))
    expect(about).toMatchObject({ project: 'klens', notes: 'a note', tags: ['grpo', 'kl'], host: 'trainer-01' })
    expect(about.versions).toMatchObject({ swanlab: expect.stringMatching(/^0\./), python: '3.11.7' })
  })

  test('is one run for its folder, and nothing else in the folder is taken for a log', async () => {
    const { runs, skipped } = await discover([fixture('swanlab/values')])
    expect(runs.map(({ name, source, logs }) => [name, source.id, logs.length])).toEqual([
      ['grpo-values', 'swanlab', 1],
    ])
    expect(skipped.map(({ path }) => path)).toEqual([fixture('swanlab/values/expected.json')])
  })
})

describe('a log that grows', () => {
  test.each(['axes', 'backup-0.7', 'killed', 'values'])('says the same read in two steps: %s', async name => {
    const bytes = readFileSync(pathOf(name))
    const whole = await withFile('x.swanlab', bytes, path => readEvents(swanlab, path, { modifiedMs: Date.now() }))
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 7, max: bytes.length }), async cut => {
        const alive = { modifiedMs: Date.now() }
        const before = await withFile('x.swanlab', bytes.subarray(0, cut), path => readEvents(swanlab, path, alive))
        const cursor = JSON.parse(JSON.stringify(lastCursor(before)))
        const after = await withFile('x.swanlab', bytes, path => readEvents(swanlab, path, { cursor, ...alive }))
        expect(substance([...before, ...after])).toEqual(substance(whole))
      }),
      { numRuns: 12 },
    )
  })

  test('waits for the axis that the same call logs after the metric', async () => {
    const column = field(12, Buffer.concat([field(3, 'acc'), field(13, 'epoch')]))
    const bytes = log(column, scalar('acc', 5n, 0.5), scalar('epoch', 5n, 2), scalar('loss', 6n, 1, 2))
    const rows = eventsOf(await withFile('x', bytes, path => readEvents(swanlab, path)), 'row')
    expect(rows.map(({ metrics, step, axis }) => [metrics[0], step, axis])).toEqual([
      ['epoch', 5, undefined],
      ['acc', 2, 'epoch'],
      ['loss', 6, undefined],
    ])
  })
})

describe('a log that is not as it should be', () => {
  test('of a newer version is not guessed at', async () => {
    const bytes = log(scalar('loss', 1n, 1))
    bytes[6] = 9
    const events = await withFile('x', bytes, path => readEvents(swanlab, path))
    expect(events).toMatchObject([{ type: 'warning', message: { key: 'swanlab.version', params: { version: 9 } } }])
  })

  test('loses only the damaged block, where SwanLab gives up', async () => {
    const bytes = Buffer.from(readFileSync(pathOf('killed')))
    bytes[20_000] ^= 0xff
    const events = await withFile('x', bytes, path => readEvents(swanlab, path))
    expect(eventsOf(events, 'warning')).toMatchObject([{ message: { key: 'swanlab.damaged', params: { count: 1 } } }])
    expect(pointsOf(events).at(-1)).toEqual(pointsOf(await readEvents(swanlab, pathOf('killed'))).at(-1))
  })

  test('with records that are none, or steps that no number holds, says so and goes on', async () => {
    const bytes = log(Buffer.from([0xff]), scalar('loss', 2n ** 60n, 1), scalar('loss', 3n, 1))
    const events = await withFile('x', bytes, path => readEvents(swanlab, path))
    expect(eventsOf(events, 'warning').map(({ message }) => message.key)).toEqual([
      'swanlab.undecodable',
      'source.bad-step',
    ])
    expect(pointsOf(events)).toEqual([['loss', 3, 1, 1]])
  })

  test('does not take a W&B log for its own', async () => {
    const file = await withFile('x', recordLog([]).bytes, sourceFile)
    expect(swanlab.recognise(file)).toBe(false)
  })
})

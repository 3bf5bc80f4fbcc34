import { appendFile, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  eventsOf,
  field,
  readEvents,
  recordLog,
  sourceFile,
  substance,
  withFile,
} from '../../../../test/support/binary.js'
import type { RunEvent } from '../../model/events.js'
import { numberFromJson } from '../../model/json.js'
import type { RunAbout } from '../../model/run.js'
import { readRecords } from '../binary/record-log.js'
import { flatten } from '../python-json.js'
import { wandb } from './wandb.js'

const FIXTURES = fileURLToPath(new URL('../fixtures/wandb', import.meta.url))
const ALL = [
  'axes',
  'changes',
  'finished',
  'killed',
  'killed-cut',
  'media',
  'resumed-1',
  'resumed-2',
  'service',
  'values',
]

const pathOf = (name: string): string => join(FIXTURES, `${name}.wandb`)

/** What W&B's own reader found in a fixture (make-wandb.py). */
async function expected(name: string) {
  return JSON.parse(await readFile(join(FIXTURES, `${name}.expected.json`), 'utf8'))
}

/** All that is said about a run, the last word counting. */
function aboutOf(events: readonly RunEvent[]): RunAbout {
  return Object.assign({}, ...eventsOf(events, 'about').map(({ about }) => about))
}

function configOf(events: readonly RunEvent[]): object {
  return Object.assign({}, ...eventsOf(events, 'config').map(({ config }) => config))
}

/** Rows of one record share its time: put together again what axes took apart. */
function recordsOf(events: readonly RunEvent[]): { time: number | null; values: { [metric: string]: number } }[] {
  const records: { time: number | null; values: { [metric: string]: number } }[] = []
  for (const { time, metrics, values } of eventsOf(events, 'row')) {
    const row = Object.fromEntries(metrics.map((metric, index) => [metric, values[index]]))
    const last = records.at(-1)
    if (last?.time === time) Object.assign(last.values, row)
    else records.push({ time, values: row })
  }
  return records
}

describe.each(ALL)('%s.wandb', name => {
  test('gives every value that the library reads from it, and nothing else', async () => {
    const { history } = await expected(name)
    const found = recordsOf(await readEvents(wandb, pathOf(name)))
    expect(found).toEqual(
      history.map((record: { time: number; values: object }) => ({
        time: record.time,
        values: Object.fromEntries(
          Object.entries(record.values).map(([metric, value]) => [metric, numberFromJson(value)]),
        ),
      })),
    )
  })

  test('gives the config and what else is known about the run', async () => {
    const { config, run, environment } = await expected(name)
    const events = await readEvents(wandb, pathOf(name))
    expect(configOf(events)).toEqual(Object.fromEntries(flatten(config).leaves))
    const { id, wandb: wandbVersion, python, ...said } = run
    const spoken = Object.fromEntries(Object.entries({ ...said, ...environment }).filter(([, value]) => value !== ''))
    expect(aboutOf(events)).toMatchObject({ ...spoken, trackerId: id, versions: { wandb: wandbVersion, python } })
  })

  test('is recognised and described by its first records', async () => {
    const { run } = await expected(name)
    const file = await sourceFile(pathOf(name))
    expect(wandb.recognise(file)).toBe(true)
    expect(await wandb.describe(file, {})).toMatchObject([
      { run: `wandb:/${run.project}/${run.id}`, trackerId: run.id, folder: FIXTURES, order: run.startedAt },
    ])
  })

  test('gives the same when it is read in two steps, wherever it was cut', async () => {
    const bytes = await readFile(pathOf(name))
    const whole = substance(await readEvents(wandb, pathOf(name)))
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 7, max: bytes.length }), async cut => {
        await withFile('run-x.wandb', bytes.subarray(0, cut), async path => {
          const before = await readEvents(wandb, path)
          const cursor = eventsOf(before, 'cursor').at(-1)?.cursor ?? null
          expect(eventsOf(before, 'warning')).toEqual([])
          await appendFile(path, bytes.subarray(cut))
          const after = await readEvents(wandb, path, { cursor: JSON.parse(JSON.stringify(cursor)) })
          expect([...substance(before), ...substance(after)]).toEqual(whole)
        })
      }),
      { numRuns: 20 },
    )
  })
})

describe('how a run ended', () => {
  const statusOf = async (name: string, modifiedMs?: number) =>
    eventsOf(await readEvents(wandb, pathOf(name), { modifiedMs }), 'status').map(({ status }) => status)

  test('is told by the exit record', async () => {
    expect(await statusOf('finished')).toEqual(['finished'])
    expect(await statusOf('changes')).toEqual(['failed'])
    expect(await statusOf('finished', Date.now())).toEqual(['finished'])
  })

  test('is told by the age of the file when there is no exit record', async () => {
    expect(await statusOf('killed')).toEqual(['killed'])
    expect(await statusOf('killed', Date.now() - 60_000)).toEqual(['running'])
  })

  test('is no other in a copy made just now', async () => {
    await withFile('run-x.wandb', await readFile(pathOf('killed')), async path => {
      expect(eventsOf(await readEvents(wandb, path), 'status').map(({ status }) => status)).toEqual(['killed'])
    })
  })

  test('gives the time of the last row as the end', async () => {
    const { history } = await expected('killed')
    expect(aboutOf(await readEvents(wandb, pathOf('killed'))).endedAt).toBe(history.at(-1).time)
    const running = await readEvents(wandb, pathOf('killed'), { modifiedMs: Date.now() })
    expect(aboutOf(running).endedAt).toBeUndefined()
  })
})

test('a log cut off within a record gives all whole records, and tells how many bytes are left', async () => {
  const events = await readEvents(wandb, pathOf('killed-cut'))
  const { size } = await sourceFile(pathOf('killed-cut'))
  const [tail] = eventsOf(events, 'tail')
  expect(tail.unreadBytes).toBeGreaterThan(0)
  expect(eventsOf(events, 'cursor').at(-1)?.cursor).toMatchObject({ offset: size - tail.unreadBytes })
  expect(eventsOf(events, 'warning')).toEqual([])
})

test('a run that was renamed keeps its first name until the log says otherwise', async () => {
  const file = await sourceFile(pathOf('changes'))
  expect((await wandb.describe(file, {}))[0].name).toBe('the changes run')
  const names = eventsOf(await readEvents(wandb, pathOf('changes')), 'about').flatMap(({ about }) => about.name ?? [])
  expect(names[0]).toBe('the changes run')
  expect(names.at(-1)).toBe('renamed')
})

test('two logs with one run id are parts of one run, in the order they were started, and each says that a process started', async () => {
  const parts = await Promise.all(
    ['resumed-1', 'resumed-2'].map(async name => (await wandb.describe(await sourceFile(pathOf(name)), {}))[0]),
  )
  expect(parts[0].run).toBe(parts[1].run)
  expect(parts[0].order).toBeLessThan(parts[1].order)
  for (const name of ['resumed-1', 'resumed-2']) {
    expect(eventsOf(await readEvents(wandb, pathOf(name)), 'restart')).toHaveLength(1)
  }
})

test('metrics with an axis of their own stand in rows of their own', async () => {
  const rows = eventsOf(await readEvents(wandb, pathOf('axes')), 'row').map(({ step, metrics, values, axis }) => ({
    axis: axis ?? null,
    step,
    ...Object.fromEntries(metrics.map((metric, index) => [metric, values[index]])),
  }))
  expect(rows.filter(({ axis }) => axis === 'epoch').map(({ step }) => step)).toEqual([0.5, 1.5, 2.5])
  expect(rows.filter(({ axis }) => axis === 'eval/iteration')).toEqual([
    { axis: 'eval/iteration', step: 1000, 'eval/accuracy': 0.51 },
    { axis: 'eval/iteration', step: 3000, 'eval/accuracy': 0.53 },
    { axis: 'eval/iteration', step: 5000, 'eval/accuracy': 0.55 },
    { axis: 'eval/iteration', step: 5000, 'eval/accuracy': 0.9 },
  ])
  const own = rows.filter(({ axis }) => axis === null)
  expect(own.filter(row => 'epoch' in row).map(({ step }) => step)).toEqual([2, 6, 10])
  expect(own.every(row => !('eval/accuracy' in row) && !('val.score' in row))).toBe(true)
})

test('rows with the same metrics share one array of names, in whatever order they were written', async () => {
  const rows = eventsOf(await readEvents(wandb, pathOf('killed')), 'row')
  expect(new Set(rows.map(({ metrics }) => metrics)).size).toBe(1)
  expect(rows[0].metrics).toEqual(['loss', 'reward/mean'])
})

/** HistoryRecord in a Record. */
const historyRecord = (...parts: Buffer[]): Buffer => field(2, Buffer.concat(parts))
const item = (key: string, json: string): Buffer => field(1, Buffer.concat([field(2, key), field(16, json)]))
const stepField = (step: bigint): Buffer => field(2, field(1, step))

async function readMade(records: readonly Uint8Array[]): Promise<RunEvent[]> {
  return withFile('run-made.wandb', recordLog(records).bytes, path => readEvents(wandb, path))
}

describe('the step of a row', () => {
  const stepsOf = async (...records: Buffer[]) => eventsOf(await readMade(records), 'row').map(({ step }) => step)

  test('is `_step`, else the step field, else one more than the last', async () => {
    const steps = await stepsOf(
      historyRecord(item('loss', '1'), item('_step', '7'), stepField(3n)),
      historyRecord(item('loss', '1'), stepField(9n)),
      historyRecord(item('loss', '1')),
      historyRecord(item('loss', '1'), field(2, Buffer.alloc(0))),
    )
    expect(steps).toEqual([7, 9, 10, 0])
  })

  test('must be a whole number that can be held exactly, or the row is left out and counted', async () => {
    const events = await readMade([
      historyRecord(item('loss', '1'), item('_step', '0.5')),
      historyRecord(item('loss', '1'), stepField(2n ** 60n)),
      historyRecord(item('loss', '1'), stepField(4n)),
    ])
    expect(eventsOf(events, 'row').map(({ step }) => step)).toEqual([4])
    expect(eventsOf(events, 'warning').map(({ message }) => message)).toMatchObject([
      { key: 'source.bad-step', params: { count: 2, step: '0.5' } },
    ])
  })
})

test('a key given twice in a row keeps its last value', async () => {
  const events = await readMade([historyRecord(item('loss', '1'), item('kl', '2'), item('loss', '3'))])
  expect(eventsOf(events, 'row')).toMatchObject([{ metrics: ['kl', 'loss'], values: [2, 3] }])
})

test('a star covers all metrics but the axis itself and those defined by name', async () => {
  const define = (...parts: Buffer[]): Buffer => field(12, Buffer.concat(parts))
  const events = await readMade([
    define(field(1, 'kl')),
    define(field(2, '*'), field(4, 'train/global_step')),
    historyRecord(item('loss', '1'), item('kl', '2'), item('train/global_step', '40'), item('_step', '3')),
  ])
  expect(eventsOf(events, 'row')).toEqual([
    { type: 'row', step: 3, time: null, metrics: ['kl', 'train/global_step'], values: [2, 40] },
    { type: 'row', step: 40, time: null, metrics: ['loss'], values: [1], axis: 'train/global_step' },
  ])
})

test('a metric whose axis never had a value keeps the step of the run', async () => {
  const events = await readMade([
    field(12, Buffer.concat([field(2, 'eval/*'), field(4, 'epoch')])),
    historyRecord(item('eval/a', '1'), item('_step', '5')),
    historyRecord(item('eval/a', '2'), item('epoch', 'NaN'), item('_step', '6')),
  ])
  expect(eventsOf(events, 'row').map(({ step, axis }) => [step, axis])).toEqual([
    [5, undefined],
    [6, undefined],
  ])
})

test('a run record larger than the head of the file is found', async () => {
  const config = field(1, Buffer.concat([field(1, 'long'), field(16, JSON.stringify('x'.repeat(200_000)))]))
  const run = field(17, Buffer.concat([field(1, 'large'), field(4, config), field(8, 'Large')]))
  await withFile('run-other.wandb', recordLog([run]).bytes, async path => {
    expect(await wandb.describe(await sourceFile(path), {})).toMatchObject([{ run: 'wandb:/large', name: 'Large' }])
  })
})

test('names of file and folder stand in for a run record that cannot be read', async () => {
  await withFile('run-abc123.wandb', recordLog([]).bytes, async path => {
    const [belonging] = await wandb.describe(await sourceFile(path, 5_000), {})
    expect(belonging).toMatchObject({ run: 'wandb:/abc123', name: 'abc123', order: 5 })
  })
})

test('damage in the middle costs the rest of one block of 32 KiB', async () => {
  const bytes = await readFile(pathOf('killed'))
  bytes[5_000] ^= 0xff
  const { history } = await expected('killed')
  const events = await withFile('run-x.wandb', bytes, path => readEvents(wandb, path))
  const steps = eventsOf(events, 'row').map(({ step }) => step)
  const lost = history.filter(({ step }: { step: number }) => !steps.includes(step)).length
  expect(lost).toBeGreaterThan(50)
  expect(steps.length + lost).toBe(history.length)
  expect(steps.at(-1)).toBe(history.at(-1).step)
  const [{ message }] = eventsOf(events, 'warning')
  expect(message).toMatchObject({ key: 'wandb.damaged', params: { count: 1 } })
  expect(message.params.offset).toBeLessThanOrEqual(5_000)
  expect(message.params.bytes).toBeLessThanOrEqual(32_768 * 1.1)
})

test('a log of several MB can be resumed from each of its cursors', async () => {
  const [run, ...rest] = await recordsIn(pathOf('axes'))
  const { bytes } = recordLog([run, ...Array.from({ length: 600 }, () => rest).flat()])
  await withFile('run-x.wandb', bytes, async path => {
    const events = await readEvents(wandb, path)
    const cursors = eventsOf(events, 'cursor').map(({ cursor }) => cursor)
    expect(cursors.length).toBeGreaterThan(3)
    for (const cursor of cursors) {
      const position = events.findIndex(event => event.type === 'cursor' && event.cursor === cursor)
      const after = await readEvents(wandb, path, { cursor })
      expect(substance(after).length).toBe(substance(events.slice(position)).length)
      expect(substance(after).slice(0, 50)).toEqual(substance(events.slice(position)).slice(0, 50))
    }
  })
})

test('a log of a format version to come is not guessed at', async () => {
  const bytes = await readFile(pathOf('finished'))
  bytes[6] = 1
  const events = await withFile('run-x.wandb', bytes, path => readEvents(wandb, path))
  expect(events).toMatchObject([{ type: 'warning', message: { key: 'wandb.version', params: { version: 1 } } }])
})

test('other files are not taken for W&B logs', async () => {
  for (const bytes of [Buffer.alloc(0), Buffer.from(':W&B'), Buffer.from(':SWL\xd6\xe1\x02', 'latin1')]) {
    const file = await withFile('run-x.wandb', bytes, path => sourceFile(path))
    expect(wandb.recognise(file)).toBe(false)
  }
})

describe('a hostile log', () => {
  const someFixture = fc.constantFrom('axes', 'media', 'service', 'changes')
  const somePokes = fc.array(fc.tuple(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), fc.nat(255)), {
    minLength: 1,
    maxLength: 12,
  })

  test('with bytes changed at random is read to its end', async () => {
    await fc.assert(
      fc.asyncProperty(someFixture, somePokes, async (name, pokes) => {
        const bytes = await readFile(pathOf(name))
        for (const [where, value] of pokes) bytes[7 + Math.floor(where * (bytes.length - 7))] = value
        await withFile('run-x.wandb', bytes, async path => {
          const events = await readEvents(wandb, path)
          expect(events.at(-1)?.type).toBe('cursor')
          await wandb.describe(await sourceFile(path), {})
        })
      }),
      { numRuns: 150 },
    )
  })

  test('with sound checksums over changed records is read to its end', async () => {
    await fc.assert(
      fc.asyncProperty(someFixture, somePokes, async (name, pokes) => {
        const records = await recordsIn(pathOf(name))
        for (const [where, value] of pokes) {
          const record = records[Math.floor(where * records.length)]
          record[Math.floor(((where * records.length) % 1) * record.length)] = value
        }
        const events = await readMade(records)
        expect(events.at(-1)?.type).toBe('cursor')
      }),
      { numRuns: 150 },
    )
  })
})

test('a history record says the same whatever was read before it', async () => {
  const keys = ['kl', 'loss', 'reward/mean', '_runtime', '_timestamp', '_step', 'x._type']
  const others = fc.constantFrom('-0.12345678901234567', '1e400', 'NaN', 'null', '"text"', '{"a": 1}')
  const someJson = fc.oneof({ weight: 29, arbitrary: fc.nat(99).map(String) }, { weight: 1, arbitrary: others })
  const fewKeys = fc.array(fc.constantFrom(...keys), { maxLength: 6 })
  const usual = fc.shuffledSubarray(keys.slice(0, 4), { minLength: 4 })
  const someKeys = fc.oneof(
    usual,
    fewKeys,
    fc.tuple(usual, fewKeys).map(([first, behind]) => [...first, ...behind]),
  )
  const someRecord = someKeys.chain(held =>
    fc
      .tuple(fc.tuple(...held.map(key => someJson.map(json => item(key, json)))), fc.constantFrom(2, 4, 9), fc.nat(99))
      .map(([items, place, step]) => historyRecord(...items.toSpliced(place, 0, stepField(BigInt(step))))),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(someRecord, { maxLength: 12 }), async records => {
      const together = eventsOf(await readMade(records), 'row')
      const alone = await Promise.all(records.map(record => readMade([record])))
      expect(together).toEqual(alone.flatMap(events => eventsOf(events, 'row')))
    }),
    { numRuns: 200 },
  )
})

async function recordsIn(path: string): Promise<Buffer[]> {
  const records: Buffer[] = []
  for await (const { records: batch } of readRecords(path)) records.push(...batch.map(record => Buffer.from(record)))
  return records
}

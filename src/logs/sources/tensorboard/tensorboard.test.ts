import { readFileSync } from 'node:fs'
import { appendFile, readFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  doubleValue,
  eventsOf,
  field,
  floatValue,
  readEvents,
  sourceFile,
  substance,
  tfRecord,
  withFile,
} from '../../../../test/support/binary.js'
import type { RunEvent } from '../../model/events.js'
import { numberFromJson } from '../../model/json.js'
import { runName } from './head.js'
import { tensorboard } from './tensorboard.js'

const FIXTURES = fileURLToPath(new URL('../fixtures/tensorboard', import.meta.url))

/** Per event file, every scalar as TensorBoard's own reader reports it (make-tensorboard.py). */
const EXPECTED: { readonly [path: string]: readonly [string, number, number, unknown][] } = JSON.parse(
  readFileSync(join(FIXTURES, 'expected.json'), 'utf8'),
)
const PATHS = Object.keys(EXPECTED)
const SESSION = pathLike('hparams/1')
const SCALARS = pathLike('scalars/')

function pathLike(start: string): string {
  const path = PATHS.find(candidate => candidate.startsWith(start))
  if (path === undefined) throw new Error(`no fixture starts with ${start}`)
  return join(FIXTURES, path)
}

describe.each(PATHS.filter(path => !path.startsWith('unused/')))('%s', path => {
  const file = join(FIXTURES, path)
  const isSession = file === SESSION

  test('gives every scalar that TensorBoard reads from it, and nothing else', async () => {
    const rows = eventsOf(await readEvents(tensorboard, file), 'row')
    const found = rows.map(({ metrics, step, time, values }) => [metrics[0], step, time, values[0]])
    const named = (tag: string): string => (isSession && !tag.startsWith('hparam/') ? `hparam/${tag}` : tag)
    expect(found).toEqual(
      EXPECTED[path].map(([tag, step, time, value]) => [named(tag), step, time, numberFromJson(value)]),
    )
  })

  test('is recognised, and belongs to the run of its folder', async () => {
    const source = await sourceFile(file)
    expect(tensorboard.recognise(source)).toBe(true)
    const folder = isSession ? dirname(dirname(file)) : dirname(file)
    const [belonging, ...others] = await tensorboard.describe(source, {})
    expect(others).toEqual([])
    expect(belonging).toMatchObject({ run: `tensorboard:${folder}`, folder })
    expect(belonging.order).toBeGreaterThan(1_794_000_000)
    expect(belonging.firstRecord).toMatch(/^[0-9a-f]{128}$/)
  })

  test('gives the same when it is read in two steps, wherever it was cut', async () => {
    const bytes = await readFile(file)
    const whole = substance(await readEvents(tensorboard, file))
    await fc.assert(
      fc.asyncProperty(fc.nat(bytes.length), async cut => {
        await withFile(basename(file), bytes.subarray(0, cut), async part => {
          const before = await readEvents(tensorboard, part)
          const cursor = eventsOf(before, 'cursor').at(-1)?.cursor ?? null
          expect(eventsOf(before, 'warning')).toEqual([])
          await appendFile(part, bytes.subarray(cut))
          const after = await readEvents(tensorboard, part, { cursor })
          const both = [...substance(before), ...substance(after)]
          // A session is known by its folder, which the copy does not have.
          if (isSession) expect(both.length).toBe(whole.length)
          else expect(both).toEqual(whole)
        })
      }),
      { numRuns: 20 },
    )
  })
})

/** Readings that tell places take no record from the scanner. */
test('says the same of damaged files, with the scanner and without', async () => {
  const bytes = await readFile(SCALARS)
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { maxLength: 3 }),
      fc.boolean(),
      async (changes, isSealed) => {
        let changed: Buffer = Buffer.from(bytes)
        for (const [at, byte] of changes) changed[at] = byte
        if (isSealed) changed = sealedAgain(bytes, changed)
        await withFile(basename(SCALARS), changed, async path => {
          const file = await sourceFile(path)
          const [plain, placed] = await Promise.all(
            [false, true].map(async places => {
              const events: RunEvent[] = []
              const reading = tensorboard.read(file, { run: '', cursor: null, hints: {}, places })
              for await (const batch of reading) events.push(...batch)
              return events.filter(({ type }) => type !== 'cursor').map(event => ({ ...event, at: undefined }))
            }),
          )
          expect(plain).toEqual(placed)
        })
      },
    ),
    { numRuns: 300 },
  )
})

/** The payloads as they were changed, with checksums that fit. */
function sealedAgain(bytes: Buffer, changed: Buffer): Buffer {
  const records: Buffer[] = []
  for (let at = 0; at + 12 < bytes.length; ) {
    const end = at + 12 + bytes.readUInt32LE(at)
    records.push(tfRecord(changed.subarray(at + 12, end)))
    at = end + 4
  }
  return Buffer.concat(records)
}

describe('what a run is called', () => {
  test.each([
    ['/data/logs/kl-0.1', 'kl-0.1'],
    ['/data/tensorboard_log/gsm8k/grpo', 'gsm8k/grpo'],
    ['/data/tensorboard_log/grpo', 'grpo'],
    ['/data/qwen-grpo/runs/Nov15_04-30-00_host', 'qwen-grpo'],
    ['/data/qwen-grpo/runs/first try', 'first try'],
  ])('%s', (folder, name) => {
    expect(runName(folder)).toBe(name)
  })
})

test('settings of an hparams session go to the run above, its figures under names of their own', async () => {
  const events = await readEvents(tensorboard, SESSION)
  expect(eventsOf(events, 'config')).toEqual([
    { type: 'config', config: { lr: 1e-6, optimizer: 'adamw', clip: true, layers: 24 } },
  ])
  expect(eventsOf(events, 'row').map(({ metrics }) => metrics[0])).toEqual(['hparam/best', 'hparam/eval/accuracy'])
})

test('texts that hold settings become the config, other texts do not', async () => {
  const events = await readEvents(tensorboard, pathLike('output/'))
  const config = Object.assign({}, ...eventsOf(events, 'config').map(event => event.config))
  expect(config).toEqual({
    learning_rate: 1e-6,
    'lr_scheduler_kwargs.min': 0.1,
    'model_config.hidden_size': 896,
    'model_config.architectures': ['Qwen2ForCausalLM'],
    gamma: 0.99,
    anneal_lr: true,
    env_id: 'Cart|Pole',
    'actor.kl_loss_coef': 0.001,
    'actor.name': 'ppo',
  })
})

test('event files of one folder are parts of one run, in the order of the times in their names', async () => {
  const files = PATHS.filter(path => path.startsWith('restart/'))
  const parts = await Promise.all(
    files.map(async path => (await tensorboard.describe(await sourceFile(join(FIXTURES, path)), {}))[0]),
  )
  expect(parts.length).toBe(2)
  expect(parts[0].run).toBe(parts[1].run)
  expect(parts[0].order).toBeLessThan(parts[1].order)
  for (const path of files) {
    expect(eventsOf(await readEvents(tensorboard, join(FIXTURES, path)), 'restart')).toEqual([])
  }
})

test('a file in which nothing was logged belongs to no run', async () => {
  const file = await sourceFile(pathLike('unused/'))
  expect(tensorboard.recognise(file)).toBe(true)
  expect(await tensorboard.describe(file, {})).toEqual([])
})

const EMPTY_EVENT = doubleValue(1, 1_794_700_000)
const scalarEvent = (tag: string, step: bigint, value: number): Buffer =>
  Buffer.concat([EMPTY_EVENT, field(2, step), field(5, field(1, Buffer.concat([field(1, tag), floatValue(2, value)])))])

async function readMade(...events: Buffer[]) {
  return withFile('events.out.tfevents.1', Buffer.concat(events.map(tfRecord)), path => readEvents(tensorboard, path))
}

test('a session that starts anew within a file is a restart', async () => {
  const start = Buffer.concat([EMPTY_EVENT, field(2, 5n), field(7, field(1, 1n))])
  const events = await readMade(start, scalarEvent('loss', 7n, 1), start, scalarEvent('loss', 5n, 2))
  expect(substance(events).map(({ type }) => type)).toEqual(['row', 'restart', 'row'])
})

test('a step that a number cannot hold is left out and counted', async () => {
  const events = await readMade(scalarEvent('loss', 2n ** 60n, 1), scalarEvent('loss', 3n, 2))
  expect(eventsOf(events, 'row').map(({ step }) => step)).toEqual([3])
  expect(eventsOf(events, 'warning')).toMatchObject([{ message: { key: 'source.bad-step', params: { count: 1 } } }])
})

test('what rsl_rl logs over seconds stands on an axis of its own', async () => {
  const events = await readMade(scalarEvent('Train/mean_reward', 3n, 1), scalarEvent('Train/mean_reward/time', 90n, 1))
  expect(eventsOf(events, 'row').map(({ axis }) => axis)).toEqual([undefined, 'seconds'])
})

describe('a damaged file', () => {
  /** The first record is the version; the second, at byte 40, the first scalar. */
  const secondRecord = 40

  test('with a damaged payload loses that record only', async () => {
    const bytes = await readFile(SCALARS)
    bytes[secondRecord + 12 + 9] ^= 1
    const events = await withFile('tfevents', bytes, path => readEvents(tensorboard, path))
    expect(eventsOf(events, 'row').length).toBe(
      EXPECTED[PATHS.filter(path => path.startsWith('scalars/'))[0]].length - 1,
    )
    expect(eventsOf(events, 'warning').map(({ message }) => message)).toMatchObject([
      { key: 'tensorboard.bad-records', params: { count: 1, offset: secondRecord } },
    ])
  })

  test('with a damaged length is read up to it, and says how much is missing', async () => {
    const bytes = await readFile(SCALARS)
    bytes[secondRecord] ^= 1
    const events = await withFile('tfevents', bytes, path => readEvents(tensorboard, path))
    expect(eventsOf(events, 'row')).toEqual([])
    expect(eventsOf(events, 'warning').map(({ message }) => message)).toMatchObject([
      { key: 'tensorboard.stopped', params: { offset: secondRecord, bytes: bytes.length - secondRecord } },
    ])
  })

  test('that ends within a record gives the whole ones, and tells how many bytes are left', async () => {
    const bytes = await readFile(SCALARS)
    const events = await withFile('tfevents', bytes.subarray(0, -5), path => readEvents(tensorboard, path))
    expect(eventsOf(events, 'row').length).toBe(
      EXPECTED[PATHS.filter(path => path.startsWith('scalars/'))[0]].length - 1,
    )
    expect(eventsOf(events, 'tail')[0].unreadBytes).toBeGreaterThan(0)
    expect(eventsOf(events, 'warning')).toEqual([])
  })
})

describe('recognises no', () => {
  const example = tfRecord(field(1, field(1, 'a tf.Example starts like this')))
  test.each([
    ['empty file', Buffer.alloc(0)],
    ['zeros', Buffer.alloc(100)],
    ['data set in the same container', example],
    ['text', Buffer.from('brain.Event:2 is only mentioned in this text')],
    ['event of another version', tfRecord(Buffer.concat([EMPTY_EVENT, field(3, 'mind.Event:1')]))],
  ])('%s', async (_, bytes) => {
    const file = await withFile('events.out.tfevents.1', bytes, path => sourceFile(path))
    expect(tensorboard.recognise(file)).toBe(false)
  })
})

describe('a hostile file', () => {
  const somePath = fc.constantFrom(...PATHS.filter(path => !path.startsWith('unused/')))
  const somePokes = fc.array(fc.tuple(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), fc.nat(255)), {
    minLength: 1,
    maxLength: 8,
  })

  test('with bytes changed at random is read as far as it goes', async () => {
    await fc.assert(
      fc.asyncProperty(somePath, somePokes, async (path, pokes) => {
        const bytes = await readFile(join(FIXTURES, path))
        for (const [where, value] of pokes) bytes[Math.floor(where * bytes.length)] = value
        await withFile('tfevents', bytes, async changed => {
          const file = await sourceFile(changed)
          tensorboard.recognise(file)
          await tensorboard.describe(file, {})
          expect((await readEvents(tensorboard, changed)).at(-1)?.type).toBe('cursor')
        })
      }),
      { numRuns: 150 },
    )
  })

  test('with sound checksums over changed events is read to its end', async () => {
    await fc.assert(
      fc.asyncProperty(somePath, somePokes, async (path, pokes) => {
        const bytes = await readFile(join(FIXTURES, path))
        const payloads = payloadsIn(bytes)
        for (const [where, value] of pokes) {
          const payload = payloads[Math.floor(where * payloads.length)]
          payload[Math.floor(((where * payloads.length) % 1) * payload.length)] = value
        }
        const events = await readMade(...payloads)
        expect(eventsOf(events, 'tail')).toEqual([{ type: 'tail', unreadBytes: 0 }])
      }),
      { numRuns: 150 },
    )
  })
})

function payloadsIn(bytes: Buffer): Buffer[] {
  const payloads: Buffer[] = []
  for (let position = 0; position < bytes.length; ) {
    const end = position + 12 + bytes.readUInt32LE(position)
    payloads.push(bytes.subarray(position + 12, end))
    position = end + 4
  }
  return payloads
}

test('reads a scalar whatever its step, and however long its tag', async () => {
  const scalar = fc.record({
    tag: fc.string({ minLength: 1, maxLength: 150 }).filter(tag => !tag.startsWith('_hparams_/')),
    step: fc.oneof(fc.nat(300), fc.integer({ min: -5, max: 2 ** 31 - 1 }), fc.maxSafeInteger()),
    time: fc.double({ noNaN: true, noDefaultInfinity: true }),
    value: fc.float({ noNaN: true }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(scalar, { minLength: 1, maxLength: 6 }), async scalars => {
      const records = scalars.map(({ tag, step, time, value }) => {
        const summary = field(1, Buffer.concat([field(1, tag), floatValue(2, value)]))
        const stepField = step === 0 ? Buffer.alloc(0) : field(2, BigInt(step))
        return tfRecord(Buffer.concat([doubleValue(1, time), stepField, field(5, summary)]))
      })
      await withFile('events', Buffer.concat(records), async path => {
        const rows = eventsOf(await readEvents(tensorboard, path), 'row')
        expect(rows).toEqual(
          scalars.map(({ tag, step, time, value }) => ({ type: 'row', step, time, metrics: [tag], values: [value] })),
        )
      })
    }),
    { numRuns: 100 },
  )
})

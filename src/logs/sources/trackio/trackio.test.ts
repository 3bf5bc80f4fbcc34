import { readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, it, vi } from 'vitest'
import { z } from 'zod'
import { fixture, lastCursor, sourceFile, withFolder } from '../../../../test/support/reading.js'
import { type ReadRun, readRun } from '../../../../test/support/run-events.js'
import { importFile } from '../../../../test/support/tables.js'
import type { RunEvent } from '../../model/events.js'
import { isJsonObject, type Json, type JsonObject } from '../../model/json.js'
import { discover } from '../discover.js'
import { flatten } from '../python-json.js'
import { trackio } from './trackio.js'

const Run = z.object({
  name: z.string(),
  id: z.string().nullable(),
  config: z.record(z.string(), z.json()),
  logs: z.array(z.record(z.string(), z.json())),
})
const Expected = z.object({
  early: z.number(),
  gsm8k: z.array(Run),
  live: z.array(Run),
  old: z.array(Run),
  inbox: z.array(Run),
})
const expected = Expected.parse(JSON.parse(readFileSync(fixture('trackio/expected.json'), 'utf8')))

const REALS: { readonly [name: string]: number } = {
  nan: Number.NaN,
  inf: Number.POSITIVE_INFINITY,
  '-inf': Number.NEGATIVE_INFINITY,
}

function realOf(value: Json): number | null {
  if (typeof value === 'number') return value
  return isJsonObject(value) && typeof value.real === 'string' ? REALS[value.real] : null
}

type Point = readonly [number, number, number | null]

/** Trackio's own reading: numbers, also in nested objects, under dotted names. */
function byTrackio({ name, config, logs }: z.infer<typeof Run>): object {
  const points: { [metric: string]: Point[] } = {}
  const add = (metric: string, value: Json, row: JsonObject): void => {
    const number = realOf(value)
    const time = Date.parse(String(row.timestamp)) / 1000
    if (number !== null)
      points[metric] = [...(points[metric] ?? []), [Number(row.step), number, Math.floor(time * 1000)]]
    else if (isJsonObject(value) && value._type === undefined) {
      for (const [key, member] of Object.entries(value)) add(`${metric}.${key}`, member, row)
    }
  }
  for (const row of logs) {
    for (const [key, value] of Object.entries(row)) if (key !== 'step' && key !== 'timestamp') add(key, value, row)
  }
  const settings = Object.entries(config).filter(([key]) => !key.startsWith('_'))
  const plain = settings.map(([key, value]): [string, Json] => {
    const real = realOf(value)
    return [key, real === null || Number.isFinite(real) ? value : String(real)]
  })
  return { name, config: Object.fromEntries(flatten(Object.fromEntries(plain)).leaves), points }
}

function byKlens({ about: { name }, config, points }: ReadRun): object {
  const rounded = Object.entries(points).map(([metric, those]) => [
    metric,
    those.map(([step, value, time]) => [step, value, Math.floor((time ?? 0) * 1000 + 0.01)]),
  ])
  return { name, config, points: Object.fromEntries(rounded) }
}

function unpack(folder: string): string {
  const path = join(folder, 'live.db')
  for (const suffix of ['', '-wal']) {
    writeFileSync(path + suffix, gunzipSync(readFileSync(fixture(`trackio/live.db${suffix}.gz`))))
  }
  return path
}

it.each(['gsm8k', 'old'] as const)('%s.db holds what Trackio reads in it', async name => {
  const file = await sourceFile(fixture(`trackio/${name}.db`))
  expect(trackio.recognise(file)).toBe(true)
  const belongings = await trackio.describe(file, {})
  expect(belongings.map(({ trackerId }) => trackerId ?? null).sort()).toEqual(expected[name].map(({ id }) => id).sort())
  for (const belonging of belongings) {
    const wanted = expected[name].find(run => run.name === belonging.name)
    const read = await readRun(trackio, file, belonging.run)
    expect(byKlens(read)).toEqual(wanted === undefined ? null : byTrackio(wanted))
    expect(read).toMatchObject({ warnings: [], about: { project: name } })
  }
})

it('reads a database that its writer has open, and goes on with it', () =>
  withFolder(async folder => {
    const path = unpack(folder)
    const whole = readFileSync(`${path}-wal`)
    truncateSync(`${path}-wal`, expected.early)
    const early = await sourceFile(path)
    const [{ run }] = await trackio.describe(early, {})
    const before = await readRun(trackio, early, run)
    expect(before.points.loss).toHaveLength(4)
    writeFileSync(`${path}-wal`, whole)
    const late = await sourceFile(path)
    expect(await trackio.continues?.(late, before.cursor)).toBe(true)
    const after = await readRun(trackio, late, run, before.cursor)
    const loss = [...before.points.loss, ...after.points.loss]
    expect(loss.map(([step, value]) => [step, value])).toEqual(expected.live[0].logs.map(row => [row.step, row.loss]))
  }))

it('takes the fragments of an inbox for one run', async () => {
  const { runs } = await discover([fixture('trackio/inbox')])
  expect(runs.map(({ id, logs }) => [id, logs.length])).toEqual([['fedcba9876543210', 2]])
  const parts = await Promise.all(runs[0].logs.map(({ file, source, run }) => readRun(source, file, run)))
  const points = Object.fromEntries(
    ['loss', 'odd', 'train.kl', 'val-core/gsm8k/acc/mean@8'].map(metric => [
      metric,
      parts.flatMap(part => part.points[metric] ?? []),
    ]),
  )
  const joined = { ...parts[0], points, config: { ...parts[0].config, ...parts[1].config } }
  expect(byKlens(joined)).toEqual(byTrackio(expected.inbox[0]))
})

it('is running until it has been silent for much longer than between two rows', async () => {
  const file = await sourceFile(fixture('trackio/gsm8k.db'))
  const [{ run, name }] = await trackio.describe(file, {})
  const times = expected.gsm8k.filter(each => each.name === name).flatMap(({ logs }) => logs.map(row => row.timestamp))
  const last = Math.max(...times.map(time => Date.parse(String(time))))
  const statusAfter = async (minutes: number): Promise<unknown> => {
    vi.setSystemTime(last + minutes * 60_000)
    const { events } = await readRun(trackio, file, run)
    return events.findLast(({ type }) => type === 'status')
  }
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    expect(await statusAfter(0.5)).toEqual({ type: 'status', status: 'running' })
    expect(await statusAfter(10)).toEqual({ type: 'status', status: 'unknown' })
  } finally {
    vi.useRealTimers()
  }
})

it('reads traces with a score as samples, and passes over those without', async () => {
  const { runs } = await importFile(trackio, fixture('trackio/traces.db'))
  const [{ events }] = runs
  const samples = events.flatMap(event => (event.type === 'samples' ? [event.samples] : []))
  expect(samples.filter(({ metric }) => metric === 'val/score').map(({ step, scores }) => [step, scores])).toEqual([
    [0, [1, 0, 1]],
    [1, [1, 1, 1]],
  ])
  const texts = events.flatMap(event => (event.type === 'texts' ? [event.texts] : []))
  expect(texts.map(({ table, step, inputs, outputs }) => [table, step, inputs[1], outputs[1]])).toEqual([
    ['val', 0, '1 + 1?', '3'],
    ['val', 1, '1 + 1?', '2'],
  ])
  expect(events.filter(({ type }) => type === 'evaluation')).toHaveLength(4)
})

it('says traces once when it reads on', async () => {
  const file = await sourceFile(fixture('trackio/traces.db'))
  const [{ run }] = await trackio.describe(file, {})
  const read = async (cursor: Json): Promise<RunEvent[]> => {
    const events: RunEvent[] = []
    for await (const batch of trackio.read(file, { run, cursor, hints: {} })) events.push(...batch)
    return events
  }
  const again = await read(lastCursor(await read(null)))
  expect(again.filter(({ type }) => ['row', 'samples', 'texts', 'evaluation'].includes(type))).toEqual([])
})

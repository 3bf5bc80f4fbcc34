import { appendFileSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { logFile } from '../../../test/support/log-file.js'
import { leaveLease } from '../../../test/support/processes.js'
import { refusal } from '../../../test/support/refusal.js'
import { temporaryWorkspace } from '../../../test/workspace.js'
import type { RunEvent } from '../../logs/model/events.js'
import { loadRun } from './catalogue.js'
import { takeLease, workerOn } from './lease.js'
import { livePath } from './live-file.js'
import { RunWriter } from './run-writer.js'
import { readSeries } from './series.js'
import { runFolder, type Workspace } from './workspace.js'

const IDENTITY = { id: 'a-run', name: 'a run', source: 'jsonl' }

const LOG = logFile('/log')

function row(step: number, values: { readonly [metric: string]: number }): RunEvent {
  return { type: 'row', step, time: null, metrics: Object.keys(values), values: Object.values(values) }
}

async function write(workspace: Workspace, batches: readonly (readonly RunEvent[])[]): Promise<void> {
  const writer = await RunWriter.open(workspace, IDENTITY, 'import')
  const file = await writer.trackFile(null, LOG)
  for (const events of batches) {
    await writer.write(events, file)
    await writer.flush()
  }
  await writer.close()
}

async function points(workspace: Workspace, metric: string): Promise<[number, number][]> {
  const run = await loadRun(workspace, IDENTITY.id)
  const series = run === null ? undefined : (await readSeries(run, [metric])).get(metric)
  return series === undefined ? [] : Array.from(series.steps, (step, i) => [step, series.values[i]])
}

describe('a run writer', () => {
  it('gives back every point exactly, in step order, whatever order they came in and however often it flushed', async () => {
    const batches = fc.array(
      fc.array(fc.record({ step: fc.integer({ min: 0, max: 30 }), value: fc.double() }), { maxLength: 12 }),
      { minLength: 1, maxLength: 4 },
    )
    await fc.assert(
      fc.asyncProperty(batches, async batches => {
        const workspace = await temporaryWorkspace()
        await write(
          workspace,
          batches.map(rows => rows.map(({ step, value }) => row(step, { m: value }))),
        )
        const last = new Map<number, number>()
        for (const { step, value } of batches.flat()) last.set(step, value)
        const expected = [...last].sort(([a], [b]) => a - b)
        expect(await points(workspace, 'm')).toEqual(expected)

        const record = (await loadRun(workspace, IDENTITY.id))?.manifest.metrics.get('m')
        expect(record?.n ?? 0).toBe(expected.length)
        expect(record?.stored ?? 0).toBe(batches.flat().length)
        if (record !== undefined) {
          const finite = expected.map(([, value]) => value).filter(Number.isFinite)
          // The manifest is JSON, which does not tell −0 from 0.
          const summary = [record.first, record.last, record.min, record.max].map(value => value + 0)
          expect(summary).toEqual(
            [
              expected[0][1],
              expected[expected.length - 1][1],
              finite.length > 0 ? Math.min(...finite) : Number.NaN,
              finite.length > 0 ? Math.max(...finite) : Number.NaN,
            ].map(value => value + 0),
          )
        }
      }),
      { numRuns: 25 },
    )
  })

  it('marks a restart where steps go back, and lets the later values count', async () => {
    const workspace = await temporaryWorkspace()
    await write(workspace, [
      [row(1, { m: 1 }), row(2, { m: 2 }), row(3, { m: 3 })],
      [row(2, { m: 20 }), row(3, { m: 30 }), row(4, { m: 40 })],
    ])
    expect(await points(workspace, 'm')).toEqual([
      [1, 1],
      [2, 20],
      [3, 30],
      [4, 40],
    ])
    expect((await loadRun(workspace, IDENTITY.id))?.manifest.segments).toEqual([
      { firstStep: 1, lastStep: 3 },
      { firstStep: 2, lastStep: 4 },
    ])
  })

  it('does not take a second process that goes on after a restart for another restart', async () => {
    const workspace = await temporaryWorkspace()
    await write(workspace, [[row(8, { m: 8 }), row(9, { m: 9 })], [row(5, { m: 5 })]])
    const writer = await RunWriter.open(workspace, IDENTITY, 'import')
    await writer.write([row(6, { m: 6 })], 0)
    expect((await writer.close()).segments).toHaveLength(2)
  })

  it('keeps estimates and missing cells apart from measured points', async () => {
    const workspace = await temporaryWorkspace()
    const estimate: RunEvent = {
      type: 'row',
      step: 2,
      time: null,
      metrics: ['m', 'k'],
      values: [1.85, Number.NaN],
      qualities: ['estimated', 'missing'],
      decimals: [2, null],
    }
    await write(workspace, [[row(1, { m: 1, k: 3 }), estimate]])
    expect(await points(workspace, 'm')).toEqual([[1, 1]])
    expect(await points(workspace, 'k')).toEqual([[1, 3]])
    const run = await loadRun(workspace, IDENTITY.id)
    expect(run?.manifest.metrics.get('m')).toMatchObject({ n: 1, estimated: 1, missing: 0, sum: 1 })
    expect(run?.manifest.metrics.get('k')).toMatchObject({ n: 1, missing: 1 })
    if (run !== null)
      expect((await readSeries(run, ['m'], { quality: 'estimated' })).get('m')?.values).toEqual(Float64Array.of(1.85))
  })

  it('keeps the old data of a followed log that was replaced, until all of the new is there', async () => {
    const workspace = await temporaryWorkspace()
    const writer = await RunWriter.open(workspace, IDENTITY, 'follow')
    const file = await writer.trackFile(null, LOG)
    await writer.goLive()
    await writer.write([row(1, { m: 1 }), row(2, { m: 2 })], file)
    await writer.replace()
    await writer.trackFile(null, LOG)
    await writer.write([row(1, { m: 10 })], file)
    expect(await points(workspace, 'm')).toEqual([
      [1, 1],
      [2, 2],
    ])
    await writer.goLive()
    await writer.write([row(3, { m: 30 })], file)
    expect(await points(workspace, 'm')).toEqual([
      [1, 10],
      [3, 30],
    ])
    await writer.abandon()
    await (await RunWriter.open(workspace, IDENTITY, 'import')).close()
    expect(await points(workspace, 'm')).toEqual([
      [1, 10],
      [3, 30],
    ])
  })

  it('merges its parts into one when it closes, and leaves nothing else behind', async () => {
    const workspace = await temporaryWorkspace()
    await write(workspace, [[row(1, { m: 1 })], [row(2, { m: 2 })], [row(3, { m: 3 })]])
    expect(readdirSync(runFolder(workspace, IDENTITY.id)).sort()).toEqual(['points', 'run.json'])
    expect(readdirSync(join(runFolder(workspace, IDENTITY.id), 'points'))).toHaveLength(1)
  })

  it('shows the points of a live file to readers before they are folded, and survives a cut last line', async () => {
    const workspace = await temporaryWorkspace()
    const writer = await RunWriter.open(workspace, IDENTITY, 'follow')
    const file = await writer.trackFile(null, LOG)
    await writer.write([row(1, { m: 1 })], file)
    await writer.goLive()
    await writer.write([row(2, { m: Number.NaN }), { type: 'cursor', cursor: { offset: 7 } }], file)
    expect(await points(workspace, 'm')).toEqual([
      [1, 1],
      [2, Number.NaN],
    ])
    await writer.abandon()
    appendFileSync(livePath(runFolder(workspace, IDENTITY.id)), '{"file":0,"events":[{"type":"row","step":3')

    const next = await RunWriter.open(workspace, IDENTITY, 'import')
    expect(next.state.manifest().files[0].cursor).toEqual({ offset: 7 })
    await next.write([row(3, { m: 3 })], file)
    await next.close()
    expect(await points(workspace, 'm')).toEqual([
      [1, 1],
      [2, Number.NaN],
      [3, 3],
    ])
    expect(readdirSync(runFolder(workspace, IDENTITY.id))).not.toContain('live.jsonl')
  })

  it('begins its live file anew when that has become long, and loses nothing by it', async () => {
    const workspace = await temporaryWorkspace()
    const writer = await RunWriter.open(workspace, IDENTITY, 'follow')
    const file = await writer.trackFile(null, LOG)
    await writer.goLive()
    const metrics = Array.from({ length: 1_000 }, (_, m) => `metric_${m}`)
    for (let turn = 0; turn < 6; turn += 1) {
      const rows = Array.from({ length: 50 }, (_, i): RunEvent => {
        const step = turn * 50 + i
        return { type: 'row', step, time: null, metrics, values: metrics.map((_, m) => step + m / 7) }
      })
      await writer.write(rows, file)
    }
    await writer.write([row(300, { metric_7: 7 })], file)
    expect(statSync(livePath(runFolder(workspace, IDENTITY.id))).size).toBeLessThan(5 << 20)
    expect((await points(workspace, 'metric_7')).at(-1)).toEqual([300, 7])
    await writer.abandon()
    await (await RunWriter.open(workspace, IDENTITY, 'import')).close()
    expect(await points(workspace, 'metric_7')).toHaveLength(301)
  })

  it('keeps the old data valid until a changed file has been read anew', async () => {
    const workspace = await temporaryWorkspace()
    await write(workspace, [[row(1, { m: 1 })]])
    const writer = await RunWriter.open(workspace, IDENTITY, 'import')
    await writer.replace()
    const file = await writer.trackFile(null, LOG)
    await writer.write([row(1, { m: 100 })], file)
    await writer.flush()
    expect(await points(workspace, 'm')).toEqual([[1, 1]])
    await writer.close()
    expect(await points(workspace, 'm')).toEqual([[1, 100]])
  })

  it('lets a reader finish whose parts were merged away meanwhile', async () => {
    const workspace = await temporaryWorkspace()
    const writer = await RunWriter.open(workspace, IDENTITY, 'import')
    const file = await writer.trackFile(null, LOG)
    for (const step of [1, 2]) {
      await writer.write([row(step, { m: step })], file)
      await writer.flush()
    }
    const before = await loadRun(workspace, IDENTITY.id)
    await writer.close()
    expect(before?.manifest.parts).toHaveLength(2)
    if (before !== null) expect((await readSeries(before, ['m'])).get('m')?.values).toEqual(Float64Array.of(1, 2))
  })

  it('takes metric names of every kind as names', async () => {
    const workspace = await temporaryWorkspace()
    const names = ["it's", '"; DROP TABLE staged; --', '__proto__', 'constructor', '../x', '损失 📉', 'a\u0000b', ' ']
    const values = names.map((_, i) => i)
    await write(workspace, [[{ type: 'row', step: 0, time: 1.5, metrics: names, values }]])
    for (const [i, name] of names.entries()) expect(await points(workspace, name)).toEqual([[0, i]])
  })

  it('keeps every point of a run so long that parts are written while it is read, and of metrics that begin late', async () => {
    const workspace = await temporaryWorkspace()
    const writer = await RunWriter.open(workspace, IDENTITY, 'import')
    const file = await writer.trackFile(null, LOG)
    const metrics = Array.from({ length: 400 }, (_, i) => `m${i}`)
    const steps = 8_000
    for (let step = 0; step < steps; step += 100) {
      const names = step < steps / 2 ? metrics.slice(1) : metrics
      const rows = Array.from({ length: 100 }, (_, i): RunEvent => {
        return {
          type: 'row',
          step: step + i,
          time: null,
          metrics: names,
          values: names.map((_, place) => step + i + place),
        }
      })
      await writer.write([...rows, { type: 'cursor', cursor: { offset: step } }], file)
    }
    const { parts } = await writer.close()
    expect(parts.length).toBeGreaterThan(2)
    expect((await points(workspace, 'm0')).map(([step]) => step)).toEqual(
      Array.from({ length: steps / 2 }, (_, i) => steps / 2 + i),
    )
    const first = await points(workspace, 'm1')
    expect(first.length).toBe(steps)
    expect(first.every(([step, value]) => value === (step < steps / 2 ? step : step + 1))).toBe(true)
  })

  it('does not mix up metrics of a long log that was written over with another long one', {
    timeout: 60_000,
  }, async () => {
    const workspace = await temporaryWorkspace()
    const writer = await RunWriter.open(workspace, IDENTITY, 'follow')
    const rows = (metrics: readonly string[], first: number) => {
      const values = metrics.map(name => Number(name.slice(1)))
      return Array.from({ length: 1_060 }, (_, i): RunEvent => {
        return { type: 'row', step: first + i, time: null, metrics, values }
      })
    }
    const names = Array.from({ length: 1_000 }, (_, i) => `m${i}`)
    for (const [turn, metrics] of [names, names.toReversed()].entries()) {
      const file = await writer.trackFile(null, { ...LOG, path: `/log-${turn}` })
      await writer.write(rows(metrics, turn * 1_060), file)
      await writer.goLive()
      await writer.archiveLog([`/log-${turn}`])
    }
    await writer.close()
    for (const name of ['m0', 'm3', 'm999']) {
      expect(new Set((await points(workspace, name)).map(([, value]) => value))).toEqual(
        new Set([Number(name.slice(1))]),
      )
    }
  })
})

describe('a lease', () => {
  it('lets one of many have the run, and the next one after its release', async () => {
    const workspace = await temporaryWorkspace()
    await write(workspace, [[row(1, { m: 1 })]])
    const folder = runFolder(workspace, IDENTITY.id)
    const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => takeLease(folder, 'follow')))
    const winners = attempts.filter(attempt => attempt.status === 'fulfilled')
    expect(winners).toHaveLength(1)
    await winners[0].value.release()
    await (await takeLease(folder, 'import')).release()
  })

  it('is lost by a writer that was silent too long, whatever became of its successors', async () => {
    const workspace = await temporaryWorkspace()
    const sleeper = await RunWriter.open(workspace, IDENTITY, 'import')
    const file = await sleeper.trackFile(null, LOG)
    await sleeper.write([row(1, { m: 1 })], file)
    await sleeper.flush()
    await sleeper.write([row(2, { m: 2 })], file)
    const folder = runFolder(workspace, IDENTITY.id)
    // Silent for over a minute, then outnumbered by one that is done, and followed by one that starts at 1 again.
    utimesSync(join(folder, 'lease.1'), 0, 0)
    await (await takeLease(folder, 'change')).release()
    expect(readdirSync(folder)).not.toContain('lease.1')
    const successor = await RunWriter.open(workspace, IDENTITY, 'follow')
    expect(readdirSync(folder)).toContain('lease.1')
    await successor.write([row(2, { m: 20 }), row(3, { m: 30 })], file)
    await successor.flushData()
    await successor.goLive()
    await successor.write([row(4, { m: 40 })], file)

    expect(await refusal(sleeper.flush())).toContain('took over run a-run')
    expect(await refusal(sleeper.close())).toContain('took over run a-run')
    await sleeper.abandon()
    await successor.check()
    await successor.write([row(5, { m: 50 })], file)
    const seen = [
      [1, 1],
      [2, 20],
      [3, 30],
      [4, 40],
      [5, 50],
    ]
    expect(await points(workspace, 'm')).toEqual(seen)
    const { metrics } = await successor.close()
    expect(await points(workspace, 'm')).toEqual(seen)
    expect(metrics.get('m')?.stored).toBe(5)
  })

  it('of a live file: a writer that lost the run cannot write into the one of its successor', async () => {
    const workspace = await temporaryWorkspace()
    const sleeper = await RunWriter.open(workspace, IDENTITY, 'follow')
    const file = await sleeper.trackFile(null, LOG)
    await sleeper.goLive()
    await sleeper.write([row(1, { m: 1 })], file)
    utimesSync(join(runFolder(workspace, IDENTITY.id), 'lease.1'), 0, 0)
    const successor = await RunWriter.open(workspace, IDENTITY, 'follow')
    await successor.goLive()
    await successor.write([row(2, { m: 2 })], file)
    await sleeper.write([row(2, { m: 999 })], file)
    await successor.write([row(3, { m: 3 })], file)
    await sleeper.abandon()
    await successor.close()
    expect((await points(workspace, 'm')).map(([, value]) => value)).toEqual([1, 2, 3])
  })

  it('says so when the store was removed under a writer', async () => {
    const workspace = await temporaryWorkspace()
    const writer = await RunWriter.open(workspace, IDENTITY, 'follow')
    await writer.goLive()
    rmSync(workspace.root, { recursive: true })
    expect(await refusal(writer.check())).toContain('was removed while the run was being written')
    await writer.abandon()
  })

  it.each([
    ['dated in the future', { pid: 4242, host: 'elsewhere' }, 365 * 86_400],
    ['of a process whose number another has by now', { pid: process.pid, birth: '1' }, 0],
    ['of no process', { pid: -process.pid }, -10],
  ])('%s holds nothing up', async (_, holder, ahead) => {
    const workspace = await temporaryWorkspace()
    await write(workspace, [[row(1, { m: 1 })]])
    const folder = runFolder(workspace, IDENTITY.id)
    leaveLease(folder, holder, ahead)
    await (await takeLease(folder, 'change')).release()
  })

  it('of a living process, or one that another machine has just renewed, is kept though its clock is ahead', async () => {
    const workspace = await temporaryWorkspace()
    await write(workspace, [[row(1, { m: 1 })]])
    const folder = runFolder(workspace, IDENTITY.id)
    const own = await takeLease(folder, 'train')
    expect(await workerOn(folder)).toMatchObject({ pid: process.pid, isHere: true, process: { pid: process.pid } })
    expect(await refusal(takeLease(folder, 'change'))).toContain(String(process.pid))
    await own.release()
    leaveLease(folder, { pid: 4242, host: 'elsewhere' }, 20)
    expect(await workerOn(folder)).toEqual({ pid: 4242, isHere: false, process: null })
    expect(await refusal(takeLease(folder, 'change'))).toContain('4242 on elsewhere')
  })

  it('is not held up by a file that only looks like one', async () => {
    const workspace = await temporaryWorkspace()
    await write(workspace, [[row(1, { m: 1 })]])
    writeFileSync(join(runFolder(workspace, IDENTITY.id), 'lease.9007199254740992'), '{}')
    await (await takeLease(runFolder(workspace, IDENTITY.id), 'import')).release()
  })
})

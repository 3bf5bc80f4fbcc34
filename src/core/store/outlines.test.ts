import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { temporaryWorkspace } from '../../../test/workspace.js'
import { loadRun } from './catalogue.js'
import { outlineSeries, type SeriesOutline } from './envelope.js'
import { removeRun } from './manage.js'
import { RunWriter } from './run-writer.js'
import { cacheFolder, type Workspace } from './workspace.js'

const POINTS = 20_000

async function written(workspace: Workspace, valueAt: (step: number) => number, parts = 1) {
  const writer = await RunWriter.open(workspace, { id: 'long', name: 'long', source: 'jsonl' }, 'import')
  for (let part = 0; part < parts; part += 1) {
    const steps = Array.from({ length: POINTS / parts }, (_, i) => (part * POINTS) / parts + i)
    await writer.write(
      steps.map(step => ({ type: 'row', step, time: null, metrics: ['reward'], values: [valueAt(step)] })),
      null,
    )
    await writer.flush()
  }
  await writer.close()
}

async function outlined(workspace: Workspace, most: number): Promise<SeriesOutline & { readonly kind: 'envelope' }> {
  const run = await loadRun(workspace, 'long')
  const outline = run === null ? undefined : (await outlineSeries(run, ['reward'], { most })).get('reward')
  if (outline?.kind !== 'envelope') throw new Error(`${outline?.kind} instead of an envelope`)
  return outline
}

const fileOf = (workspace: Workspace): string => join(cacheFolder(workspace), 'outlines', 'long')

describe('the outlines that are kept with a run', () => {
  it('show it without a query, and equal what DuckDB makes of its points', async () => {
    const workspace = await temporaryWorkspace()
    await written(workspace, step => (step % 777 === 0 ? Number.NaN : Math.sin(step) * step))
    const query = vi.spyOn(workspace.duck, 'readDoubles')
    const kept = await outlined(workspace, 1200)
    expect(query).not.toHaveBeenCalled()
    rmSync(cacheFolder(workspace), { recursive: true })
    const { buckets, total } = await outlined(workspace, 1200)
    expect(query).toHaveBeenCalled()
    expect(kept.total).toBe(total)
    for (const column of ['from', 'to', 'low', 'high', 'points', 'nonFinite'] as const) {
      expect(kept.buckets[column]).toEqual(buckets[column])
    }
    kept.buckets.mean.forEach((mean, i) => void expect(mean).toBeCloseTo(buckets.mean[i], 6))
    query.mockClear()
    expect((await outlined(workspace, 1200)).buckets).toEqual(buckets)
    expect(query).not.toHaveBeenCalled()
  })

  it('lose no spike, wherever it stands and however few stretches are asked for', async () => {
    const workspace = await temporaryWorkspace()
    const spikes = fc.sample(fc.nat(POINTS - 1), { numRuns: 20, seed: 5 })
    await written(workspace, step => (spikes.includes(step) ? 1e6 + step : step % 10))
    for (const most of [10, 48, 100, 333, 599, 600, 1000, 1200]) {
      const { buckets } = await outlined(workspace, most)
      expect(buckets.from.length).toBeLessThanOrEqual(most)
      expect(buckets.points.reduce((sum, n) => sum + n, 0)).toBe(POINTS)
      for (const spike of spikes) {
        const at = buckets.from.findLastIndex(from => from <= spike)
        expect(buckets.to[at]).toBeGreaterThanOrEqual(spike)
        expect(buckets.high[at]).toBeGreaterThanOrEqual(1e6 + spike)
        expect(buckets.low[at]).toBeLessThanOrEqual(9)
      }
    }
  })

  it('are made by the first who asks where a run lies in several parts', async () => {
    const workspace = await temporaryWorkspace()
    await written(workspace, step => step, 2)
    rmSync(fileOf(workspace), { force: true })
    const { buckets } = await outlined(workspace, 600)
    expect(existsSync(fileOf(workspace))).toBe(true)
    expect((await outlined(workspace, 600)).buckets).toEqual(buckets)
  })

  it('do not outlive the points that they are of', async () => {
    const workspace = await temporaryWorkspace()
    await written(workspace, () => 1)
    const earlier = readFileSync(fileOf(workspace))
    await removeRun(workspace, 'long')
    expect(existsSync(fileOf(workspace))).toBe(false)
    await written(workspace, () => 2)
    writeFileSync(fileOf(workspace), earlier)
    expect((await outlined(workspace, 100)).buckets.high[0]).toBe(2)
  })

  it('are as good as none where they are torn or altered', async () => {
    const workspace = await temporaryWorkspace()
    await written(workspace, step => step)
    const whole = readFileSync(fileOf(workspace))
    const { buckets } = await outlined(workspace, 100)
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.boolean(), async (at, isCut) => {
        const harmed = isCut ? whole.subarray(0, at) : Buffer.from(whole).fill(whole[at] ^ 0x40, at, at + 1)
        writeFileSync(fileOf(workspace), harmed)
        expect((await outlined(workspace, 100)).buckets.high).toEqual(buckets.high)
      }),
      { numRuns: 30 },
    )
  })
})

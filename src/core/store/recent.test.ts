import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { temporaryFolder, temporaryWorkspace } from '../../../test/workspace.js'
import { loadRun } from './catalogue.js'
import { importLogs } from './ingest.js'
import { readSeries } from './series.js'

/** A run that was imported just now is read from memory. It must be what a later process finds on disk. */

function log(rows: readonly object[]): string {
  const path = join(temporaryFolder(), 'log.jsonl')
  writeFileSync(path, rows.map(row => `${JSON.stringify(row)}\n`).join(''))
  return path
}

it('gives the points that are on disk, where steps repeat, go back and lack values', async () => {
  const steps = [...Array(40).keys(), ...Array(30).keys()].map(step => (step % 7 === 3 ? step - 1 : step))
  const path = log(
    steps.map((step, i) => ({
      step,
      time: 1.7e9 + i,
      loss: Math.sin(i),
      ...(i % 3 === 0 && { 'val/acc': i / 100 }),
      ...(i % 11 === 0 && { reward: null }),
    })),
  )
  const workspace = await temporaryWorkspace()
  const { runs, recent } = await importLogs(workspace, [path])
  const [{ id, metrics }] = runs
  const [inMemory, onDisk] = [recent.get(id), await loadRun(workspace, id)]
  if (inMemory?.recent === undefined || onDisk === null) throw new Error('the run should be in memory and on disk')
  const names = [...metrics.keys()]
  expect(names.length).toBeGreaterThan(1)
  expect(inMemory.manifest).toEqual(onDisk.manifest)
  expect(await readSeries(inMemory, [...names, 'nothing'])).toEqual(await readSeries(onDisk, [...names, 'nothing']))
})

it('keeps nothing in memory of a run that only grew', async () => {
  const path = log([
    { step: 1, loss: 1 },
    { step: 2, loss: 2 },
  ])
  const workspace = await temporaryWorkspace()
  await importLogs(workspace, [path])
  writeFileSync(path, `${JSON.stringify({ step: 3, loss: 3 })}\n`, { flag: 'a' })
  const { runs, recent } = await importLogs(workspace, [path])
  expect(runs).toHaveLength(1)
  expect(
    [...recent.values()].every(
      ({ manifest, recent: points }) => points?.length === manifest.metrics.get('loss')?.stored,
    ),
  ).toBe(true)
  const run = await loadRun(workspace, runs[0].id)
  expect(run === null ? [] : [...((await readSeries(run, ['loss'])).get('loss')?.values ?? [])]).toEqual([1, 2, 3])
})

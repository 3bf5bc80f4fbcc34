import {
  appendFileSync,
  copyFileSync,
  cpSync,
  readFileSync,
  rmSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { fixture, withFolder } from '../../../test/support/reading.js'
import { discover } from '../../logs/sources/discover.js'
import { pointCount } from './catalogue.js'
import { importLogs } from './ingest.js'
import type { Manifest } from './manifest.js'
import { openWorkspace } from './workspace.js'

/** Stores of many runs that grow other than at the end of a file. */

it('imports a store that grows, once and only once', () =>
  withFolder(async folder => {
    const workspace = await openWorkspace(folder, {})
    const store = join(folder, 'logs')
    cpSync(fixture('mlflow/mlruns'), join(store, 'mlruns'), { recursive: true })
    copyFileSync(fixture('mlflow/mlflow.db'), join(store, 'mlflow.db'))
    const first = await importLogs(workspace, [store])
    const counts = (runs: readonly Manifest[]): string[] => runs.map(run => `${run.id} ${pointCount(run)}`)
    expect(first.runs).toHaveLength(6)
    expect(counts((await importLogs(workspace, [store])).runs)).toEqual(counts(first.runs))

    const { runs } = await discover([join(store, 'mlruns')])
    const going = runs.find(({ name }) => name === 'going on')
    const metrics = join(going?.folder ?? '', 'metrics')
    appendFileSync(join(metrics, 'loss'), '1794700002000 0.25 2\n179470000')
    writeFileSync(join(metrics, 'new'), '1794700002000 inf 2\n')
    utimesSync(join(metrics, 'loss'), new Date(), new Date(Date.now() + 1000))
    const grown = (await importLogs(workspace, [store])).runs.find(({ id }) => id === going?.id)
    expect(grown?.metrics.get('loss')).toMatchObject({ stored: 3, last: 0.25 })
    expect(grown?.metrics.get('new')).toMatchObject({ last: Number.POSITIVE_INFINITY })

    rmSync(join(metrics, 'new'))
    writeFileSync(join(metrics, 'loss'), '1794700002000 7 0\n')
    utimesSync(join(metrics, 'loss'), new Date(), new Date(Date.now() + 2000))
    const anew = (await importLogs(workspace, [store])).runs.find(({ id }) => id === going?.id)
    expect(anew?.metrics.get('loss')).toMatchObject({ stored: 1, last: 7 })
    expect(anew?.metrics.has('new')).toBe(false)
  }))

it('notices on import what only the write-ahead log holds', () =>
  withFolder(async folder => {
    const path = join(folder, 'live.db')
    for (const suffix of ['', '-wal']) {
      writeFileSync(path + suffix, gunzipSync(readFileSync(fixture(`trackio/live.db${suffix}.gz`))))
    }
    const whole = readFileSync(`${path}-wal`)
    const { early } = z
      .object({ early: z.int() })
      .parse(JSON.parse(readFileSync(fixture('trackio/expected.json'), 'utf8')))
    truncateSync(`${path}-wal`, early)
    const workspace = await openWorkspace(join(folder, 'store'), {})
    const before = await importLogs(workspace, [path])
    writeFileSync(`${path}-wal`, whole)
    utimesSync(`${path}-wal`, new Date(), new Date(Date.now() + 1000))
    const after = await importLogs(workspace, [path])
    expect(before.runs[0].metrics.get('loss')?.stored).toBe(4)
    expect(after.runs[0].metrics.get('loss')?.stored).toBe(9)
    expect(pointCount((await importLogs(workspace, [path])).runs[0])).toBe(pointCount(after.runs[0]))
  }))

it('imports a folder of Trackio as it lies on disk', () =>
  withFolder(async folder => {
    const place = join(folder, 'trackio')
    cpSync(fixture('trackio/inbox'), join(place, 'inbox'), { recursive: true })
    for (const name of ['gsm8k.db', 'old.db']) copyFileSync(fixture(`trackio/${name}`), join(place, name))
    writeFileSync(join(place, 'gsm8k.lock'), '')
    const workspace = await openWorkspace(folder, {})
    // All runs of the fixtures hold the same values.
    const { runs, skipped } = await importLogs(workspace, [place], { hints: { separate: true } })
    expect(runs).toHaveLength(5)
    expect(skipped).toEqual([])
  }))

it('notices that a database was put back, and reads it anew', () =>
  withFolder(async folder => {
    const path = join(folder, 'mlflow.db')
    const put = async (name: string, hours: number): Promise<Manifest | undefined> => {
      writeFileSync(path, gunzipSync(readFileSync(fixture(`mlflow/${name}.db.gz`))))
      utimesSync(path, new Date(), new Date(Date.now() + hours * 3_600_000))
      return (await importLogs(workspace, [path])).runs.find(run => run.name === 'odd values')
    }
    const workspace = await openWorkspace(join(folder, 'store'), {})
    expect((await put('mlflow-before', 0))?.metrics.get('odd')?.stored).toBe(5)
    expect((await put('mlflow-grown', 1))?.metrics.get('odd')?.stored).toBe(7)
    const before = await put('mlflow-before', 2)
    expect(before?.metrics.get('odd')?.stored).toBe(5)
    expect(before?.metrics.has('late')).toBe(false)
  }))

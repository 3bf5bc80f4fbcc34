import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { fixture, sourceFile, withFolder } from '../../../../test/support/reading.js'
import { type ReadRun, readRun } from '../../../../test/support/run-events.js'
import { discover } from '../discover.js'
import { mlflowDatabase } from './database.js'
import { mlflowFiles } from './files.js'

const Real = z.union([z.number(), z.object({ real: z.enum(['nan', 'inf', '-inf']) })])
const Run = z.object({
  name: z.string(),
  experiment: z.string(),
  status: z.string(),
  start: z.number(),
  end: z.number().nullable(),
  params: z.record(z.string(), z.string()),
  tags: z.record(z.string(), z.string()),
  metrics: z.record(z.string(), z.array(z.tuple([z.number(), Real, z.number()]))),
})
const Expected = z.object({ database: z.record(z.string(), Run), files: z.record(z.string(), Run) })
const expected = Expected.parse(JSON.parse(readFileSync(fixture('mlflow/expected.json'), 'utf8')))

const REALS = { nan: Number.NaN, inf: Number.POSITIVE_INFINITY, '-inf': Number.NEGATIVE_INFINITY }
const STATUS: { readonly [status: string]: string } = {
  FINISHED: 'finished',
  FAILED: 'failed',
  KILLED: 'killed',
  RUNNING: 'killed',
}

/** MLflow has no types; these are what was logged before it made texts of them. */
const TYPED = new Map<string, unknown>([
  ['True', true],
  ['None', null],
])

function typed(text: string): unknown {
  return TYPED.has(text) ? TYPED.get(text) : /^[\d.]+$/.test(text) ? Number(text) : text
}

/** MLflow's own reading. Its client gives the largest number where an infinity was logged into a database. */
function byMlflow(run: z.infer<typeof Run>): object {
  const value = (real: z.infer<typeof Real>): number => {
    if (typeof real !== 'number') return REALS[real.real]
    return Math.abs(real) === Number.MAX_VALUE ? real * 2 : real
  }
  return {
    name: run.name,
    experiment: run.experiment,
    status: STATUS[run.status],
    start: run.start / 1000,
    end: run.end === null ? undefined : run.end / 1000,
    params: Object.fromEntries(
      Object.entries(run.params).map(([key, text]) => [key.replaceAll('/', '.'), typed(text)]),
    ),
    points: Object.fromEntries(
      Object.entries(run.metrics).map(([key, points]) => [
        key,
        inOrder(points.map(([step, real, time]) => [step, value(real), time / 1000] as const)),
      ]),
    ),
  }
}

function byKlens({ about, config, status, points }: ReadRun): object {
  const { name, project: experiment, startedAt: start, endedAt: end } = about
  const sorted = Object.fromEntries(Object.entries(points).map(([key, those]) => [key, inOrder(those)]))
  return { name, experiment, status, start, end, params: config, points: sorted }
}

/** The two stores give points in different orders. */
function inOrder<Point extends readonly (number | null)[]>(points: readonly Point[]): Point[] {
  return [...points].sort((a, b) => Number(a[0]) - Number(b[0]) || Number(a[1]) - Number(b[1]))
}

function unpack(name: string, path: string): void {
  writeFileSync(path, gunzipSync(readFileSync(fixture(`mlflow/${name}.gz`))))
}

describe('the database', () => {
  it('holds what MLflow reads in it', async () => {
    const file = await sourceFile(fixture('mlflow/mlflow.db'))
    expect(mlflowDatabase.recognise(file)).toBe(true)
    const belongings = await mlflowDatabase.describe(file, {})
    expect(new Set(belongings.map(({ trackerId }) => trackerId))).toEqual(new Set(Object.keys(expected.database)))
    for (const { run, trackerId = '' } of belongings) {
      expect(byKlens(await readRun(mlflowDatabase, file, run))).toEqual(byMlflow(expected.database[trackerId]))
    }
  })

  it('says once that a run was deleted, and takes own tags and notes', async () => {
    const file = await sourceFile(fixture('mlflow/mlflow.db'))
    const runs = await Promise.all(
      (await mlflowDatabase.describe(file, {})).map(({ run }) => readRun(mlflowDatabase, file, run)),
    )
    expect(runs.flatMap(({ warnings }) => warnings)).toEqual(['mlflow.deleted'])
    const first = runs.find(({ about }) => about.name === 'grpo-kl-0.001')
    expect(first?.about).toMatchObject({ tags: ['team=后训练'], notes: 'the first one', program: 'train.py' })
  })

  it('keeps points together that were logged together', async () => {
    const file = await sourceFile(fixture('mlflow/mlflow.db'))
    const { events } = await readRun(mlflowDatabase, file, (await mlflowDatabase.describe(file, {}))[0].run)
    const rows = events.filter(event => event.type === 'row')
    expect(rows).toHaveLength(16)
    expect(new Set(rows.map(({ metrics }) => metrics)).size).toBe(1)
  })

  it('is read on from where it was, and anew when it was put back', () =>
    withFolder(async folder => {
      const path = join(folder, 'mlruns.db')
      unpack('mlflow-before.db', path)
      const before = await sourceFile(path)
      const run = (await mlflowDatabase.describe(before, {})).find(({ name }) => name === 'odd values')?.run ?? ''
      const early = await readRun(mlflowDatabase, before, run)
      unpack('mlflow-grown.db', path)
      const grown = await sourceFile(path)
      expect(await mlflowDatabase.continues?.(grown, early.cursor)).toBe(true)
      const late = await readRun(mlflowDatabase, grown, run, early.cursor)
      expect(early.points).toHaveProperty('odd.length', 5)
      expect(late.points).toEqual({
        odd: [
          [5, 5.5, 1_794_700_005.25],
          [3, 33, 1_794_700_003.25],
        ],
        late: [[5, 1, 1_794_700_005.25]],
        'no step': [[0, 7.5, 1_794_700_000]],
        negative: [[-4, -1.25, 1_794_700_000]],
      })
      const again = await readRun(mlflowDatabase, grown, run, late.cursor)
      expect(again.points).toEqual({})
      unpack('mlflow-before.db', path)
      expect(await mlflowDatabase.continues?.(await sourceFile(path), late.cursor)).toBe(false)
    }))
})

describe('the folder of files', () => {
  it('holds what MLflow reads in it, without the run that was deleted', async () => {
    const { runs, skipped } = await discover([fixture('mlflow/mlruns')])
    expect(runs.map(({ id }) => id).sort()).toEqual(Object.keys(expected.files).sort())
    expect(skipped.map(({ reason }) => reason.key)).toEqual(['skip.nothing'])
    for (const { id, logs } of runs) {
      const read = await readRun(mlflowFiles, logs[0].file, logs[0].run)
      expect(byKlens(read)).toEqual(byMlflow(expected.files[id]))
      expect(read.warnings).toEqual([])
    }
  })
})

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { fixture, sourceFile, withFolder } from '../../../../test/support/reading.js'
import { readRun } from '../../../../test/support/run-events.js'
import { flatten } from '../python-json.js'
import { optuna } from './optuna.js'

const Real = z.union([z.number(), z.object({ real: z.enum(['nan', 'inf', '-inf']) })])
const Expected = z.record(
  z.string(),
  z.object({
    directions: z.array(z.string()),
    trials: z.array(
      z.object({
        number: z.number(),
        state: z.string(),
        params: z.record(z.string(), z.json()),
        values: z.array(Real).nullable(),
        intermediate: z.array(z.tuple([z.number(), Real])),
        start: z.number().nullable(),
        end: z.number().nullable(),
      }),
    ),
  }),
)
const expected = Expected.parse(JSON.parse(readFileSync(fixture('optuna/expected.json'), 'utf8')))

const REALS = { nan: Number.NaN, inf: Number.POSITIVE_INFINITY, '-inf': Number.NEGATIVE_INFINITY }
const STATUS: { readonly [state: string]: string } = { COMPLETE: 'finished', PRUNED: 'finished', FAIL: 'failed' }

function realOf(real: z.infer<typeof Real>): number {
  return typeof real === 'number' ? real : REALS[real.real]
}

it('reads every trial as Optuna does', async () => {
  const file = await sourceFile(fixture('optuna/study.db'))
  expect(optuna.recognise(file)).toBe(true)
  const belongings = await optuna.describe(file, {})
  const begun = Object.entries(expected).flatMap(([name, { directions, trials }]) =>
    trials.filter(({ state }) => state !== 'WAITING').map(trial => ({ ...trial, name, directions })),
  )
  expect(belongings.map(({ name }) => name)).toEqual(begun.map(({ name, number }) => `${name}/trial-${number}`))
  for (const [at, { run }] of belongings.entries()) {
    const { name, directions, params, state, values, intermediate, start, end } = begun[at]
    const read = await readRun(optuna, file, run)
    const { 'study.direction': direction, ...config } = read.config
    expect(direction).toEqual(
      directions.length === 1 ? directions[0].toLowerCase() : directions.map(d => d.toLowerCase()),
    )
    expect(config).toEqual(Object.fromEntries(flatten(params).leaves))
    expect(read.status).toBe(STATUS[state])
    expect(read.about).toMatchObject({ project: name, versions: { optuna: '5.0.0' } })
    expect(read.about.startedAt).toBeCloseTo(start ?? 0, 5)
    expect(read.about.endedAt).toBeCloseTo(end ?? 0, 5)
    const reported = (read.points.intermediate_value ?? []).map(([step, value]) => [step, value])
    expect(reported).toEqual(intermediate.map(([step, value]) => [step, realOf(value)]))
    const finals = read.events.flatMap(event => (event.type === 'evaluation' ? [event.evaluation.value] : []))
    expect(finals).toEqual((values ?? []).map(realOf))
    expect(read.warnings).toEqual([])
  }
})

it('goes on with a trial that was running, and says its result once', () =>
  withFolder(async folder => {
    const path = join(folder, 'study.db')
    writeFileSync(path, gunzipSync(readFileSync(fixture('optuna/study-before.db.gz'))))
    const early = await sourceFile(path)
    const { run } = (await optuna.describe(early, {})).find(({ name }) => name === 'sweep-kl/trial-8') ?? { run: '' }
    const before = await readRun(optuna, early, run)
    expect(before).toMatchObject({ status: 'running', points: { intermediate_value: [[0, 0.5, null]] } })
    writeFileSync(path, readFileSync(fixture('optuna/study.db')))
    const late = await sourceFile(path)
    expect(await optuna.continues?.(late, before.cursor)).toBe(true)
    const after = await readRun(optuna, late, run, before.cursor)
    expect(after.status).toBe('finished')
    expect(after.points).toEqual({ intermediate_value: [[1, 0.75, null]], objective: [[1, 0.875, null]] })
    const again = await readRun(optuna, late, run, after.cursor)
    expect(again.points).toEqual({})
  }))

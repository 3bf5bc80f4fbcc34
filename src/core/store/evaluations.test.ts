import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { logFile } from '../../../test/support/log-file.js'
import { temporaryFolder, temporaryWorkspace } from '../../../test/workspace.js'
import type { Evaluation } from '../../logs/model/evaluation.js'
import type { RunEvent } from '../../logs/model/events.js'
import type { Quality } from '../../logs/model/run.js'
import { loadRun } from './catalogue.js'
import { outlineSeries } from './envelope.js'
import { readEvaluations, type ValidationMetric } from './evaluations.js'
import { exportPoints } from './export.js'
import { RunWriter } from './run-writer.js'
import { readSeries } from './series.js'
import { metricsNamed } from './vocabulary.js'

const METRIC = { metric: 'val/acc', condition: { dataset: 'gsm8k' }, n: 200, isPlain: false }

function cell(step: number, value: number, quality: Quality = 'measured'): RunEvent {
  return { type: 'row', step, time: null, metrics: [METRIC.metric], values: [value], qualities: [quality] }
}

async function evaluated(batches: readonly (readonly RunEvent[])[], metrics: readonly ValidationMetric[]) {
  const workspace = await temporaryWorkspace()
  const writer = await RunWriter.open(workspace, { id: 'a-run', name: 'a run', source: 'jsonl' }, 'import')
  const file = await writer.trackFile(null, logFile('/log'))
  for (const events of batches) {
    await writer.write(events, file)
    await writer.flush()
  }
  await writer.evaluate(metrics)
  const { evaluations } = await writer.close()
  const run = await loadRun(workspace, 'a-run')
  const rows = run === null ? [] : await readEvaluations(run)
  expect(rows.length).toBe(evaluations)
  return rows
}

const figures = (rows: readonly Evaluation[]) => rows.map(({ step, value, n, quality }) => [step, value, n, quality])

it('says points again as evaluations: the last at each step, and a measured one before an estimate', async () => {
  const batches = [
    [cell(1, 0.5), cell(2, 0.4), cell(3, 0.9, 'estimated'), cell(4, Number.NaN, 'missing'), cell(5, Number.NaN)],
    [cell(1, 0.6), cell(2, 0.7, 'estimated')],
  ]
  expect(figures(await evaluated(batches, [METRIC]))).toEqual([
    [1, 0.6, 200, 'measured'],
    [2, 0.4, 200, 'measured'],
    [3, 0.9, 200, 'estimated'],
    [4, Number.NaN, 200, 'missing'],
    [5, Number.NaN, 200, 'measured'],
  ])
})

it('writes the same rows in the same order from memory as DuckDB does from disk', { timeout: 60_000 }, async () => {
  const metrics: ValidationMetric[] = [
    { metric: 'val/ü', condition: { dataset: 'é', shots: 2, temperature: 0.7 }, n: null, isPlain: false },
    { metric: 'val/acc', condition: { dataset: 'b', aggregate: 'mean@8' }, n: 2 ** 40, isPlain: false },
    { metric: 'val/acc/😀', condition: { split: 'test' }, n: 1, isPlain: false },
  ]
  const names = metrics.map(({ metric }) => metric)
  const row = fc.record({
    type: fc.constant('row' as const),
    step: fc.integer({ min: 0, max: 9 }),
    time: fc.constant(null),
    metrics: fc.constant(names),
    values: fc.tuple(fc.double(), fc.double(), fc.double()),
    qualities: fc.array(fc.constantFrom('measured' as const, 'estimated' as const, 'missing' as const), {
      minLength: 3,
      maxLength: 3,
    }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(row, { minLength: 2, maxLength: 20 }), async rows => {
      const inMemory = await evaluated([rows], metrics)
      const onDisk = await evaluated([rows.slice(0, 1), rows.slice(1)], metrics)
      expect(inMemory).toEqual(onDisk)
    }),
    { numRuns: 15 },
  )
})

it('replaces what a source said of the same step, but keeps its n and what it said of other steps', async () => {
  const said = (step: number, n: number | null): RunEvent => ({
    type: 'evaluation',
    evaluation: { ...METRIC, step, value: 0.1, n, quality: 'measured' },
  })
  const batches = [[said(1, 50), said(2, null), said(2, 30), cell(1, 0.5)]]
  expect(figures(await evaluated(batches, [{ ...METRIC, n: null, isPlain: true }]))).toEqual([
    [1, 0.5, 50, 'measured'],
    [2, 0.1, 30, 'measured'],
  ])
})

describe('evaluations that no log line says', () => {
  const scored = (step: number, shots: number, value: number): RunEvent => ({
    type: 'evaluation',
    evaluation: {
      metric: 'eval.score',
      step,
      condition: { dataset: 'a/b', shots, split: 'test' },
      value,
      n: 50,
      quality: 'measured',
    },
  })

  async function run() {
    const workspace = await temporaryWorkspace()
    const writer = await RunWriter.open(workspace, { id: 'a-run', name: 'a run', source: 'klens' }, 'evaluate')
    await writer.write([cell(1, 0.5), scored(2, 1, 0.25), scored(1, 1, Number.NaN), scored(1, 2, 0.75)], null)
    const logged = { metric: METRIC.metric, step: 1, condition: METRIC.condition, value: 0.5, n: 1 }
    await writer.write([{ type: 'evaluation', evaluation: { ...logged, quality: 'measured' } }], null)
    await writer.close()
    const loaded = await loadRun(workspace, 'a-run')
    if (loaded === null) throw new Error('the run that was just written is not there')
    return loaded
  }

  const ONE = 'eval.score/dataset=a/b/split=test/shots=1'
  const TWO = 'eval.score/dataset=a/b/split=test/shots=2'
  const WORDS = { user: undefined, problems: [] }

  it('are series of the run, one under each condition, and are found by any part of it', async () => {
    const { manifest } = await run()
    expect([...manifest.metrics.keys()]).toEqual([METRIC.metric])
    const named = (name: string): readonly string[] => metricsNamed(manifest, name, WORDS)
    expect(named('eval.score')).toEqual([ONE, TWO])
    expect(named('eval.score/shots=2')).toEqual([TWO])
    expect(named('eval.score/split=test/dataset=a/b')).toEqual([ONE, TWO])
    expect(named(ONE)).toEqual([ONE])
    expect(named('eval.score/shots=3')).toEqual([])
    expect(named('eval.scores')).toEqual([])
    expect(named(METRIC.metric)).toEqual([METRIC.metric])
  })

  it('are read as series are, whole, in part, and in outline', async () => {
    const loaded = await run()
    const series = await readSeries(loaded, [METRIC.metric, ONE, 'none', TWO])
    const read = [...series].map(([name, { steps, values }]) => [name, [...steps], [...values]])
    expect(read).toEqual([
      [METRIC.metric, [1], [0.5]],
      [ONE, [1, 2], [Number.NaN, 0.25]],
      [TWO, [1], [0.75]],
    ])
    expect((await readSeries(loaded, [ONE], { after: 1 })).get(ONE)?.values).toEqual(Float64Array.of(0.25))
    const outlines = await outlineSeries(loaded, [ONE, TWO], { most: 1 })
    expect(outlines.get(ONE)).toMatchObject({ kind: 'envelope', total: 2 })
    expect(outlines.get(TWO)).toMatchObject({ kind: 'exact', total: 1 })
  })

  it('are exported when they are asked for', async () => {
    const loaded = await run()
    const path = join(temporaryFolder(), 'points.csv')
    const request = { format: 'csv', metrics: [TWO, METRIC.metric], all: false } as const
    expect(await exportPoints(loaded.workspace, [loaded], path, request)).toBe(2)
    expect(readFileSync(path, 'utf8').split('\n').slice(1, 3)).toEqual([
      'a-run,val/acc,1.0,0.5,',
      `a-run,${TWO},1.0,0.75,`,
    ])
  })
})

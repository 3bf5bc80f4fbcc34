import { expect, it } from 'vitest'
import { logFile } from '../../test/support/log-file.js'
import { temporaryWorkspace } from '../../test/workspace.js'
import type { RunEvent } from '../model/events.js'
import type { Quality } from '../model/run.js'
import { loadRun } from './catalogue.js'
import { readEvaluations, type ValidationMetric } from './evaluations.js'
import { RunWriter } from './run-writer.js'

const METRIC = { metric: 'val/acc', condition: { dataset: 'gsm8k' }, n: 200, isPlain: false }

function cell(step: number, value: number, quality: Quality = 'measured'): RunEvent {
  return { type: 'row', step, time: null, metrics: [METRIC.metric], values: [value], qualities: [quality] }
}

async function evaluated(batches: readonly (readonly RunEvent[])[], metrics: readonly ValidationMetric[]) {
  const workspace = await temporaryWorkspace()
  const writer = await RunWriter.open(workspace, { id: 'a-run', name: 'a run', source: 'jsonl' }, 'import')
  const file = await writer.noteFile(null, logFile('/log'))
  for (const events of batches) {
    await writer.write(events, file)
    await writer.flush()
  }
  await writer.evaluate(metrics)
  const { evaluations } = await writer.close()
  const run = await loadRun(workspace, 'a-run')
  const rows = run === null ? [] : await readEvaluations(run)
  expect(rows.length).toBe(evaluations)
  return rows.map(({ step, value, n, quality }) => [step, value, n, quality])
}

it('says points again as evaluations: the last at each step, and a measured one before an estimate', async () => {
  const batches = [
    [cell(1, 0.5), cell(2, 0.4), cell(3, 0.9, 'estimated'), cell(4, Number.NaN, 'missing'), cell(5, Number.NaN)],
    [cell(1, 0.6), cell(2, 0.7, 'estimated')],
  ]
  expect(await evaluated(batches, [METRIC])).toEqual([
    [1, 0.6, 200, 'measured'],
    [2, 0.4, 200, 'measured'],
    [3, 0.9, 200, 'estimated'],
    [4, Number.NaN, 200, 'missing'],
    [5, Number.NaN, 200, 'measured'],
  ])
})

it('replaces what a source said of the same step, but keeps its n and what it said of other steps', async () => {
  const said = (step: number, n: number | null): RunEvent => ({
    type: 'evaluation',
    evaluation: { ...METRIC, step, value: 0.1, n, quality: 'measured' },
  })
  const batches = [[said(1, 50), said(2, null), said(2, 30), cell(1, 0.5)]]
  expect(await evaluated(batches, [{ ...METRIC, n: null, isPlain: true }])).toEqual([
    [1, 0.5, 50, 'measured'],
    [2, 0.1, 30, 'measured'],
  ])
})

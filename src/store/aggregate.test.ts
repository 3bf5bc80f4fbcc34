import { expect, it } from 'vitest'
import { logFile } from '../../test/support/log-file.js'
import { temporaryWorkspace } from '../../test/workspace.js'
import { aggregateRuns } from './aggregate.js'
import { loadRun } from './catalogue.js'
import { RunWriter } from './run-writer.js'

it('counts each run once per step, replaced points not at all, also when one of the runs was restarted', async () => {
  const workspace = await temporaryWorkspace()
  const logs: { readonly [id: string]: readonly (readonly [step: number, value: number])[] } = {
    a: [
      [1, 1],
      [2, 2],
    ],
    b: [
      [1, 3],
      [2, 4],
      [3, 5],
    ],
    restarted: [
      [1, 100],
      [2, 100],
      [1, 8],
      [2, 12],
    ],
  }
  for (const [id, points] of Object.entries(logs)) {
    const writer = await RunWriter.open(workspace, { id, name: id, source: 'jsonl' }, 'import')
    const file = await writer.noteFile(null, logFile(id))
    const metrics = ['m']
    await writer.write(
      points.map(([step, value]) => ({ type: 'row', step, time: null, metrics, values: [value] })),
      file,
    )
    await writer.close()
  }
  const runs = (await Promise.all(Object.keys(logs).map(id => loadRun(workspace, id)))).filter(run => run !== null)
  const [first, second, third] = await aggregateRuns(runs, 'm')
  expect(first).toEqual({ step: 1, runs: 3, mean: 4, deviation: expect.closeTo(Math.sqrt(13), 12) })
  expect(second).toEqual({ step: 2, runs: 3, mean: 6, deviation: expect.closeTo(Math.sqrt(28), 12) })
  expect(third).toEqual({ step: 3, runs: 1, mean: 5, deviation: Number.NaN })
})

import { describe, expect, it } from 'vitest'
import { RunWriter } from '../src/core/store/run-writer.js'
import { openWorkspace } from '../src/core/store/workspace.js'
import type { RunEvent } from '../src/logs/model/events.js'
import { klens } from './cli.js'
import { temporaryFolder } from './workspace.js'

/** What a verb needs must not grow with the run; `npm run bench -- scale` has the figures. */

const REPORT_PEAK = `data:text/javascript,process.on('exit',()=>process.stderr.write('peak '+process.resourceUsage().maxRSS))`

function peakMegabytes(folder: string, words: readonly string[]): number {
  const { code, error } = klens(folder, words, { NODE_OPTIONS: `--import "${REPORT_PEAK}"` })
  expect(code).toBe(0)
  return Number(/peak (\d+)/.exec(error)?.[1]) / 1024
}

/** Its points are in the parts that an import of so many would make. */
async function longRun(points: number): Promise<string> {
  const folder = temporaryFolder()
  const workspace = await openWorkspace(folder, {})
  const writer = await RunWriter.open(workspace, { id: 'long', name: 'long', source: 'jsonl' }, 'import')
  const metrics = ['loss']
  for (let step = 0; step < points; ) {
    const events: RunEvent[] = []
    for (let i = 0; i < 10_000; i += 1, step += 1) {
      events.push({ type: 'row', step, time: null, metrics, values: [Math.sin(step)] })
    }
    await writer.write(events, null)
  }
  await writer.close()
  await workspace.close()
  return folder
}

describe('a run ten times as long', () => {
  it('takes hardly more memory to be shown', async () => {
    const [short, long] = [await longRun(60_000), await longRun(600_000)]
    const words = ['show', 'long', '--json']
    // All of its points as JavaScript has them would be 180 MB.
    expect(peakMegabytes(long, words) - peakMegabytes(short, words)).toBeLessThan(90)
  })
})

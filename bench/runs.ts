import { rmSync } from 'node:fs'
import { cacheFolder, type Workspace } from '../src/core/store/workspace.js'
import { type Benchmark, type Figures, type Settings, sizeOf } from './benchmark.js'
import { type Finished, klens } from './child.js'
import { listedWorkspace } from './make-workspace.js'
import { bestOf } from './measure.js'

/** How long a person waits for the list of runs. Cold: the cache has been deleted; the files may be in memory. */
export const runs: Benchmark = {
  name: 'runs',
  about: 'the list of many runs as a process; size in runs, 10,000',
  async run(settings) {
    const count = sizeOf(settings, 10_000)
    const workspace = await listedWorkspace(count, { metrics: 20, steps: 50 })
    return {
      title: 'runs',
      rows: [
        await waiting('klens --version', settings, () => klens(workspace.root, ['--version'])),
        await waiting('klens runs, cold', settings, () => listed(workspace, count, ['runs'], true)),
        await waiting('klens runs, warm', settings, () => listed(workspace, count, ['runs'])),
        await waiting('klens runs --json, warm', settings, () => listed(workspace, count, ['runs', '--json'])),
      ],
    }
  },
}

/** `klens runs`, and the check that it lists all of them. */
export async function listed(
  workspace: Workspace,
  count: number,
  words: readonly string[],
  cold = false,
): Promise<Finished> {
  if (cold) rmSync(cacheFolder(workspace), { recursive: true, force: true })
  const finished = await klens(workspace.root, words)
  const found = words.includes('--json') ? JSON.parse(finished.output).length : lineCount(finished.output) - 1
  if (found !== count) throw new Error(`klens ${words.join(' ')} listed ${found} runs of ${count}`)
  return finished
}

export async function waiting(what: string, { rounds }: Settings, run: () => Promise<Finished>): Promise<Figures> {
  const { seconds, cpuSeconds, peakBytes } = await bestOf(rounds, run)
  return { what, seconds, 'CPU seconds': cpuSeconds, 'peak MB': peakBytes / 1e6 }
}

function lineCount(text: string): number {
  return text.split('\n').length - 1
}

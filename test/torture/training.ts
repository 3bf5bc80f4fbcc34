import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listRuns, loadRun, pointCount } from '../../src/core/store/catalogue.js'
import { readEvaluations } from '../../src/core/store/evaluations.js'
import { readSamples } from '../../src/core/store/samples.js'
import { type LoadedRun, readSeries } from '../../src/core/store/series.js'
import { klens } from '../cli.js'
import { demand } from '../fuzz/check.js'
import { inWorkspace, type Mishap, struck } from './truth.js'

/**
 * A short training, and all of it that its seed decides. One that was killed behind its last word is finished, and the same
 * command trains another: then both must be the same.
 */

const SETTINGS = ['policy.hidden=32', 'data.width=24', 'data.candidates=24', 'epochs.rce=1', 'epochs.grpo=3']
const LAST_EPOCH = 4
const NAME = 'tortured'

export interface Trained {
  readonly operations: number
  /** Of each run; none where it did not come to its end. */
  readonly numbers: readonly object[]
}

export async function trained(folder: string, mishap: Mishap | null): Promise<Trained> {
  mkdirSync(folder, { recursive: true })
  const words = ['train', ...SETTINGS.flatMap(setting => ['--set', setting]), '--name', NAME, '--json']
  const { code, error, operations } = await struck(folder, words, mishap ?? undefined)
  if (mishap !== null) return { operations: 0, numbers: [] }
  demand(code === 0 && operations !== null, 'a training to which nothing happens ends well', error)
  return { operations, numbers: await numbersOf(folder) }
}

async function numbersOf(folder: string): Promise<readonly object[]> {
  return inWorkspace(join(folder, '.klens'), async workspace => {
    const found: object[] = []
    for (const { id, live } of (await listRuns(workspace)).entries) {
      // A writer takes in what a killed one left in its live file.
      if (live) demand(klens(folder, ['tag', id, NAME]).code === 0, 'a run that was killed can be written')
      const run = await loadRun(workspace, id)
      if (run !== null) found.push(await numbersIn(run))
    }
    return found
  })
}

async function numbersIn(run: LoadedRun): Promise<object> {
  const decided = [...run.manifest.metrics.keys()].sort().filter(name => !/^(?:time|throughput)\./.test(name))
  const series = await readSeries(run, decided)
  const weights = join(run.folder, 'checkpoints', `epoch${LAST_EPOCH}.safetensors`)
  return {
    points: decided.map(name => [name, series.get(name)?.steps, series.get(name)?.values]),
    stored: pointCount(run.manifest),
    evaluations: await readEvaluations(run),
    samples: await readSamples(run),
    weights: /contentHash\W+([0-9a-f]{64})/.exec(readFileSync(weights, 'latin1'))?.[1],
  }
}

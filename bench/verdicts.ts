import { bcaMean } from '../src/stats/prompt-difference.js'
import { type Benchmark, type Figures, type Settings, sizeOf } from './benchmark.js'
import { type Finished, klens } from './child.js'
import { randomNumbers } from './made-up-metrics.js'
import { fullWorkspace } from './make-workspace.js'
import { bestOf, measure } from './measure.js'
import { waiting } from './runs.js'

/** How long a person waits for an answer about runs that are already stored. Each answer is a process of its own. */
export const verdicts: Benchmark = {
  name: 'verdicts',
  about: 'compare and diagnose long runs, resample prompts; size in steps of 100 metrics, 10,000',
  async run(settings) {
    const steps = sizeOf(settings, 10_000)
    const { root } = await fullWorkspace(2, { metrics: 100, steps })
    const shape = `100 metrics × ${steps.toLocaleString('en')} steps`
    return {
      title: 'verdicts',
      rows: [
        await waiting('klens --version', settings, () => klens(root, ['--version'])),
        await waiting(`klens compare, two runs of ${shape}`, settings, () => compared(root)),
        await waiting(`klens diagnose, one run of ${shape}`, settings, () => diagnosed(root)),
        await resampled(settings),
      ],
    }
  },
}

const FIRST = 'run-00000'
const SECOND = 'run-00001'

async function compared(root: string): Promise<Finished> {
  const finished = await klens(root, ['compare', FIRST, SECOND, '--metric', 'critic/score/mean', '--json'])
  if (JSON.parse(finished.output).verdicts.length === 0) throw new Error('klens compare came to no verdict')
  return finished
}

async function diagnosed(root: string): Promise<Finished> {
  const finished = await klens(root, ['diagnose', FIRST, '--json'])
  const { findings, passed } = JSON.parse(finished.output)
  if (findings.length + passed.length === 0) throw new Error('klens diagnose checked nothing')
  return finished
}

const PROMPTS = 200

/** Differences of right and wrong between two sides, as a comparison on 200 prompts has them. */
async function resampled({ rounds }: Settings): Promise<Figures> {
  const random = randomNumbers(PROMPTS)
  const differences = Array.from({ length: PROMPTS }, () => Math.round(random()) - Math.round(random()))
  const { seconds, cpuSeconds } = await bestOf(rounds, () => measure(async () => bcaMean(differences)))
  return { what: `10,000 bootstrap resamples of ${PROMPTS} prompts`, seconds, 'CPU seconds': cpuSeconds }
}

import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { z } from 'zod'
import { plausible, searchResult, suggest } from '../../src/lab/study/search.js'
import { mean } from '../../src/stats/descriptive.js'
import type { SurrogatePoint } from '../../src/stats/gaussian-process.js'
import { seededRandom } from '../../src/stats/random.js'
import { PROBLEMS, type Problem } from './problems.js'

/**
 * `npm run bench:search -- --python PYTHON`: regret of klens's search and of Optuna's samplers at equal trials: how much
 * the point that is recommended in the end lacks of the best in truth. Optuna is asked for its points over a pipe
 * (rivals.py), so that both are measured by the same functions and the same noise.
 */

const { values } = parseArgs({
  options: {
    repeats: { type: 'string', default: '20' },
    python: { type: 'string' },
    samplers: { type: 'string', default: 'RandomSampler,TPESampler,CmaEsSampler,GPSampler' },
  },
})
const repeats = Number(values.repeats)
const SCRIPT = new URL('../../../bench/search/rivals.py', import.meta.url)

function ours({ dimensions, trials, measure, truth, best }: Problem, seed: number): number {
  const random = seededRandom(seed)
  const measured: SurrogatePoint[] = []
  for (let trial = 0; trial < trials; trial += 1) {
    const at = suggest(measured, dimensions, random)
    measured.push({ at, value: measure(at, random), count: 1, squares: 0 })
  }
  const { take } = searchResult(measured, plausible(measured, dimensions, random))
  return best - truth(measured[take].at)
}

/** One process per sampler and problem: it says a point, is told a score, and in the end says which point it would take. */
async function rivalRegrets(problem: Problem, sampler: string, python: string): Promise<readonly number[]> {
  const { dimensions, trials, measure, truth, best } = problem
  const child = spawn(python, [SCRIPT.pathname, JSON.stringify({ sampler, dimensions, trials, repeats })], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const regrets: number[] = []
  let random = seededRandom(0)
  for await (const line of createInterface({ input: child.stdout })) {
    const said = Said.parse(JSON.parse(line))
    if (Array.isArray(said)) child.stdin.write(`${measure(said, random)}\n`)
    else {
      regrets.push(best - truth(said.take))
      random = seededRandom(regrets.length)
    }
  }
  return regrets
}

const Said = z.union([z.array(z.number()), z.object({ take: z.array(z.number()) })])

for (const problem of PROBLEMS) {
  const own = Array.from({ length: repeats }, (_, seed) => ours(problem, seed))
  const said = [`klens ${described(own)}`]
  if (values.python !== undefined) {
    for (const sampler of values.samplers.split(','))
      said.push(`${sampler} ${described(await rivalRegrets(problem, sampler, values.python))}`)
  }
  console.log(`${problem.name}, ${problem.trials} trials: ${said.join(' | ')}`)
}

function described(regrets: readonly number[]): string {
  if (regrets.length === 0) return '–'
  const centre = mean(regrets)
  const spread = Math.sqrt(mean(regrets.map(each => (each - centre) ** 2)) / regrets.length)
  return `${centre.toPrecision(3)} ± ${spread.toPrecision(2)}`
}

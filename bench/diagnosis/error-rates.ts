import { passAtKFalls } from '../../src/core/diagnosis/rules/pass-at-k.js'
import { rewardCollapse } from '../../src/core/diagnosis/rules/reward-collapse.js'
import { rolloutStale } from '../../src/core/diagnosis/rules/rollouts.js'
import type { RunRule } from '../../src/core/diagnosis/run-rule.js'
import { type Random, seededRandom } from '../../src/stats/random.js'
import { type MadeUp, madeUpSubject } from '../../test/support/subject.js'

/**
 * How often the rules about rollouts, attempts and returns speak on simulated runs, healthy and sick.
 *
 *   npx tsc -p tsconfig.bench.json && node dist-bench/bench/diagnosis/error-rates.js [draws, 4000]
 */
const DRAWS = Number(process.argv[2] ?? 4000)

interface Cell {
  readonly rule: RunRule
  readonly name: string
  readonly isSick?: boolean
  readonly draw: (random: Random) => MadeUp['metrics']
}

/** Autocorrelated noise of standard deviation 1. */
function wander(random: Random, n: number, correlation: number): number[] {
  let value = random.normal()
  return Array.from({ length: n }, () => {
    value = correlation * value + Math.sqrt(1 - correlation ** 2) * random.normal()
    return value
  })
}

/** Rollouts wait in a queue that takes so many; the trainer is as fast as the sampler, give or take. */
function queue(random: Random, n: number, capacity: number, drift: number, noise = 0.5): number[] {
  let waiting = 0
  return Array.from({ length: n }, () => {
    waiting = Math.min(capacity, Math.max(0, waiting + drift + noise * random.normal()))
    return waiting
  })
}

/** A share of so many prompts. */
function share(random: Random, p: number, prompts: number, noise: number): number {
  const level = Math.min(0.99, Math.max(0.01, p + noise))
  return Math.round((level + Math.sqrt((level * (1 - level)) / prompts) * random.normal()) * prompts) / prompts
}

function ages(name: string, draw: (random: Random) => number[], isSick = false): Cell {
  return { rule: rolloutStale, name, isSick, draw: random => ({ 'rollout.staleness': draw(random) }) }
}

function attempts(name: string, one: number, many: number, correlation: number, isSick = false): Cell {
  return {
    rule: passAtKFalls,
    name,
    isSick,
    draw: random => {
      const [n, prompts] = [30, 200]
      const [a, b] = [wander(random, n, correlation), wander(random, n, correlation)]
      const at = (from: number, change: number, noise: number[]) =>
        noise.map((each, i) =>
          share(random, from + (change * i) / (n - 1), prompts, correlation === 0 ? 0 : 0.02 * each),
        )
      return {
        'val-core/math/acc/mean@8': at(0.4, one, a),
        'val-core/math/acc/best@8/mean': at(0.8, many, b),
      }
    },
  }
}

/** Returns of single episodes around a course, wandering slowly, some episodes lost altogether. */
function returns(name: string, level: (part: number) => number, correlation: number, isSick = false): Cell {
  return {
    rule: rewardCollapse,
    name,
    isSick,
    draw: random => {
      const n = 200
      const noise = wander(random, n, correlation)
      const values = noise.map((each, i) => {
        const mean = level(i / (n - 1))
        return random.next() < 0.05 ? 0 : mean + 0.25 * Math.abs(mean) * each
      })
      return { 'episode.return': values }
    },
  }
}

const CELLS: readonly Cell[] = [
  ...[60, 200, 400].flatMap(n => [
    ages(`age, ${n} steps, independent`, random => wander(random, n, 0).map(each => Math.max(0, 2 + each))),
    ages(`age, ${n} steps, correlation 0.95`, random => wander(random, n, 0.95).map(each => Math.max(0, 2 + each))),
    ages(`age, ${n} steps, bounded queue of 8`, random => queue(random, n, 8, 0)),
    ages(`age, ${n} steps, fills up to 8 in the first third`, random => queue(random, n, 8, 24 / n + 0.2)),
    ages(`age, ${n} steps, grows to the end`, random => queue(random, n, 1e9, 16 / n, 0.2), true),
  ]),
  attempts('pass@1 rises, pass@8 stays, independent', 0.2, 0, 0),
  attempts('pass@1 rises, pass@8 stays, correlation 0.5', 0.2, 0, 0.5),
  attempts('pass@1 rises, pass@8 stays, correlation 0.9', 0.2, 0, 0.9),
  attempts('both stay, correlation 0.5', 0, 0, 0.5),
  attempts('both rise', 0.2, 0.1, 0.5),
  attempts('pass@8 falls by 0.1', 0.2, -0.1, 0, true),
  attempts('pass@8 falls by 0.1, correlation 0.5', 0.2, -0.1, 0.5, true),
  returns('return rises and stays, independent', part => 200 * Math.min(1, 2 * part), 0),
  returns('return rises and stays, correlation 0.9', part => 200 * Math.min(1, 2 * part), 0.9),
  returns('return rises and loses a quarter, correlation 0.9', part => 200 * Math.min(1, 2 * part, 1.5 - part), 0.9),
  returns('negative return that rises, correlation 0.9', part => -200 + 150 * part, 0.9),
  returns('return rises and is lost', part => (part < 0.6 ? 330 * part : 20), 0.5, true),
]

for (const { rule, name, isSick = false, draw } of CELLS) {
  const random = seededRandom(11)
  let spoken = 0
  for (let i = 0; i < DRAWS; i += 1) {
    const seen = rule.check(madeUpSubject({ metrics: draw(random) }), [])
    if (!('cannotSay' in seen) && seen.length > 0) spoken += 1
  }
  console.log(`${rule.id}\t${isSick ? 'found' : 'false'}\t${((100 * spoken) / DRAWS).toFixed(2)} %\t${name}`)
}

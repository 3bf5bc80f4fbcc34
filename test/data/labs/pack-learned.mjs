/**
 * Packs runs of the labs with a learned reward: `node test/data/labs/pack-learned.mjs NAME RUNS TRUTH`, a folder of runs as
 * TRL leaves them (`<group>/<seed>/checkpoint-400/trainer_state.json`) and one with `truth.csv` and `lab.json` of each.
 * Of every run its evaluations, and of training every tenth step of what rules and verdicts need.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'

const here = dirname(fileURLToPath(import.meta.url))
const [name, folder, truths] = process.argv.slice(2)
const TRAINING = ['reward', 'rewards/reward_model/mean', 'rewards/gold/mean', 'kl']
const EVERY = 10

const runs = readdirSync(folder)
  .sort()
  .flatMap(group =>
    readdirSync(join(folder, group))
      .sort()
      .map(seed => packed(group, seed)),
  )
const bytes = brotliCompressSync(JSON.stringify(runs))
writeFileSync(join(here, `${name}.json.br`), bytes)
console.log(name, runs.length, 'runs', bytes.length)

function packed(group, seed) {
  const state = readFileSync(join(folder, group, seed, 'checkpoint-400', 'trainer_state.json'), 'utf8')
  const { log_history: rows } = JSON.parse(state.replaceAll(/\bNaN\b|-?\bInfinity\b/g, 'null'))
  const metrics = {}
  for (const { step, ...row } of rows) {
    for (const [metric, value] of Object.entries(row)) {
      const isEvaluation = /^eval_reward/.test(metric)
      if (!isEvaluation && !(TRAINING.includes(metric) && step % EVERY === 0)) continue
      metrics[metric] ??= { steps: [], values: [] }
      metrics[metric].steps.push(step)
      metrics[metric].values.push(value === null ? null : Number(value.toPrecision(5)))
    }
  }
  const [, ...lines] = readFileSync(join(truths, group, seed, 'truth.csv'), 'utf8')
    .trim()
    .split('\n')
  return {
    group,
    seed,
    whole: false,
    config: { lab: JSON.parse(readFileSync(join(truths, group, seed, 'lab.json'), 'utf8')) },
    metrics,
    samples: {},
    truth: ['step,gold,gold', ...lines.map(line => `${line},${line.split(',')[1]}`)].join('\n'),
  }
}

import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DATA, type LogMaker, type LogShape } from './generate.js'
import { madeUpMetric, madeUpMetrics, randomNumbers } from './made-up-metrics.js'
import { verlFileLog } from './make-verl.js'

/** What grows when people train more: the points, the evaluations or the metrics of a run, and the number of runs. */

const LOSS = madeUpMetric('actor/pg_loss', 1)
const SCORE = 'val-core/openai/gsm8k/acc/mean@1'

/** One metric at every step. */
export const LONG_LOG: LogShape = {
  format: 'long',
  fileName: 'metrics.jsonl',
  make: ones(step => ({ step, 'actor/pg_loss': LOSS.valueAt(step) })),
}

/** The same, thrown back by a third of its steps when two thirds were done. */
export function restartedLog(points: number): LogShape {
  const back = Math.floor((2 * points) / 3)
  const stepOf = (line: number): number => (line < back ? line : line - back / 2)
  return {
    format: 'restarted',
    fileName: 'metrics.jsonl',
    make: ones(line => ({ step: Math.floor(stepOf(line)), 'actor/pg_loss': LOSS.valueAt(line) })),
  }
}

/** A validation at every line. */
export const EVALUATED_LOG: LogShape = {
  format: 'evaluated',
  fileName: 'metrics.jsonl',
  make: ones(step => ({ step, [SCORE]: 0.5 + 0.1 * Math.sin(step / 500) + 0.05 * LOSS.valueAt(step) })),
}

export function wideLog(metrics: number): LogShape {
  return { format: `wide-${metrics}`, fileName: 'metrics.jsonl', make: verlFileLog(madeUpMetrics(metrics)) }
}

function ones(lineAt: (line: number) => { readonly [name: string]: number }): LogMaker {
  return function* (isEnough) {
    for (let line = 0; !isEnough(); line += 1) {
      yield { bytes: Buffer.from(`${JSON.stringify(lineAt(line))}\n`), steps: 1, points: 1 }
    }
  }
}

const STEPS = 8
const COEFFICIENTS = [0, 0.001, 0.01, 0.1]
const SEEDS = 5

/** A folder of short runs, each with its config: four settings of one knob. Made once and kept. */
export function manyRuns(count: number): string {
  const folder = join(DATA, `many-runs-${count}`)
  const complete = `${folder}.complete`
  if (existsSync(complete)) return folder
  rmSync(folder, { recursive: true, force: true })
  for (let nth = 0; nth < count; nth += 1) {
    const run = join(folder, `run-${nth}`)
    mkdirSync(run, { recursive: true })
    writeFileSync(join(run, 'config.json'), JSON.stringify(configOf(nth)))
    writeFileSync(join(run, 'metrics.jsonl'), linesOf(nth))
  }
  writeFileSync(complete, '')
  return folder
}

function configOf(nth: number) {
  const kl_loss_coef = COEFFICIENTS[Math.floor(nth / SEEDS) % COEFFICIENTS.length]
  return { seed: nth % SEEDS, lr: 1e-6, use_kl_loss: true, kl_loss_coef, batch: Math.floor(nth / 20) }
}

function linesOf(nth: number): string {
  const random = randomNumbers(nth)
  const lines = Array.from({ length: STEPS }, (_, i) =>
    JSON.stringify({
      step: i + 1,
      [SCORE]: 0.5 + 0.05 * random(),
      'actor/kl_loss': 0.01 * random(),
      'actor/entropy': 1 - 0.1 * random(),
    }),
  )
  return `${lines.join('\n')}\n`
}

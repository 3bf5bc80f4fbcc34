import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Figures, Settings } from '../benchmark.js'
import { type Finished, klens } from '../child.js'
import { DATA, type LogMaker } from '../generate.js'
import { madeUpMetrics } from '../made-up-metrics.js'
import { csvLog } from '../make-csv.js'
import { wandbLog } from '../make-wandb.js'
import { timedCommand } from './peers.js'
import { interleaved, raced } from './race.js'

/**
 * From nothing to an answer about a W&B folder of 20 runs: process start, import, verdicts. The peers do not read W&B's
 * files: in the folder itself they find no logs. So they get the same runs as CSV, which they read best.
 */

const RUNS = 20
const METRICS = 60

export async function diagnoseRace({ small, rounds }: Settings): Promise<Figures[]> {
  const steps = small ? 50 : 500
  const folder = twentyRuns(steps)
  const wandb = join(folder, 'wandb')
  const csv = join(folder, 'csv')
  const { ours, runmedic, trainproof } = await interleaved(
    {
      ours: { run: () => diagnosed(wandb) },
      runmedic: { run: () => timedCommand(['runmedic', 'diagnose', csv, '--json', '--train-loss', 'actor/pg_loss']) },
      trainproof: { run: () => timedCommand(['trainproof', 'doctor', csv, '--json', '--map', 'loss=actor/pg_loss']) },
    },
    rounds,
  )
  const what = `klens diagnose, W&B folder of ${RUNS} runs, ${METRICS} metrics × ${steps} steps`
  return [
    raced(what, ours, 'runmedic 0.1.1, the same as CSV', runmedic, 1),
    raced(what, ours, 'trainproof 0.22.0, the same as CSV', trainproof, 1),
  ]
}

async function diagnosed(wandb: string): Promise<Finished> {
  const home = join(DATA, `diagnose-${process.pid}`)
  try {
    return await klens(home, ['diagnose', wandb, '--json'])
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

export function twentyRuns(steps: number): string {
  const folder = join(DATA, `diagnose-${RUNS}x${METRICS}x${steps}`)
  if (existsSync(folder)) return folder
  for (let nth = 0; nth < RUNS; nth += 1) {
    const metrics = madeUpMetrics(METRICS, nth)
    const id = `run${nth}`
    const config = { actor: { kl_loss_coef: 0.001, optim: { lr: 1e-6 } }, data: { seed: nth } }
    write(
      join(folder, 'wandb', `offline-run-20261115_0430${10 + nth}-${id}`, `run-${id}.wandb`),
      steps,
      wandbLog(metrics, config, id),
    )
    write(join(folder, 'csv', id, 'log.csv'), steps, csvLog(madeUpMetrics(METRICS, nth)))
  }
  return folder
}

function write(path: string, steps: number, make: LogMaker): void {
  let written = 0
  const pieces: Uint8Array[] = []
  for (const piece of make(() => written >= steps)) {
    pieces.push(piece.bytes)
    written += piece.steps
  }
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, Buffer.concat(pieces))
}

import { type Benchmark, type Figures, type Settings, sizeOf } from './benchmark.js'
import { type Amount, generate, type LogShape } from './generate.js'
import { intoStore, readAlone, throughput } from './imports.js'
import { madeUpMetrics } from './made-up-metrics.js'
import { csvLog } from './make-csv.js'
import { tensorboardLog } from './make-tensorboard.js'
import { verlConsoleLog, verlFileLog } from './make-verl.js'
import { wandbLog } from './make-wandb.js'
import { bestOf } from './measure.js'

/** How fast logs are read: by their reader alone, and all the way into the store. */

export const WANDB: LogShape = {
  format: 'wandb',
  fileName: 'run-bench.wandb',
  make: wandbLog(madeUpMetrics(100), { actor: { kl_loss_coef: 0.001, optim: { lr: 1e-6 } }, data: { seed: 1 } }),
}

export const VERL_CONSOLE: LogShape = {
  format: 'verl-console',
  fileName: 'train.log',
  make: verlConsoleLog(madeUpMetrics(60)),
}

const VERL_FILE: LogShape = { format: 'verl-file', fileName: 'metrics.jsonl', make: verlFileLog(madeUpMetrics(60)) }

export const TENSORBOARD: LogShape = {
  format: 'tensorboard',
  fileName: 'events.out.tfevents.1794700000.bench',
  make: tensorboardLog(madeUpMetrics(50)),
}

const CSV: LogShape = { format: 'csv', fileName: 'metrics.csv', make: csvLog(madeUpMetrics(60)) }

export const LOG_SHAPES: readonly LogShape[] = [WANDB, VERL_CONSOLE, VERL_FILE, TENSORBOARD, CSV]

export const logBenchmarks: readonly Benchmark[] = [
  logBenchmark('wandb', 'size in steps of 100 metrics, 20,000', [WANDB], settings => ({
    of: 'steps',
    count: sizeOf(settings, 20_000),
  })),
  logBenchmark('verl', 'size in MB, 300', [VERL_CONSOLE, VERL_FILE], inMegabytes),
  logBenchmark('tensorboard', 'size in scalars, 5,000,000', [TENSORBOARD], settings => ({
    of: 'points',
    count: sizeOf(settings, 5_000_000),
  })),
  logBenchmark('csv', 'size in MB, 300', [CSV], inMegabytes),
]

function inMegabytes(settings: Settings): Amount {
  return { of: 'bytes', count: sizeOf(settings, 300) * 1e6 }
}

function logBenchmark(
  name: string,
  about: string,
  shapes: readonly LogShape[],
  amountOf: (settings: Settings) => Amount,
): Benchmark {
  return {
    name,
    about: `read a ${name} log, and import it; ${about}`,
    async run(settings) {
      const rows: Figures[] = []
      for (const shape of shapes) {
        const log = generate(shape, amountOf(settings))
        const read = await bestOf(settings.rounds, () => readAlone(log))
        const stored = await bestOf(settings.rounds, () => intoStore(log))
        rows.push(throughput(`${shape.format}, read`, log, read))
        rows.push({ ...throughput(`${shape.format}, import`, log, stored), 'peak MB': stored.peakBytes / 1e6 })
      }
      return { title: name, rows }
    },
  }
}

import { type Benchmark, type Figures, sizeOf } from './benchmark.js'
import { discard, generate } from './generate.js'
import { intoStore, throughput } from './imports.js'
import { VERL_CONSOLE, WANDB } from './logs.js'

/** What a log costs that is far larger than the memory it may take. The data is deleted afterwards. */
export const memory: Benchmark = {
  name: 'memory',
  about: 'peak memory of an import; size in GB, 2; must stay below 500 MB',
  async run(settings) {
    const rows: Figures[] = []
    for (const shape of [VERL_CONSOLE, WANDB]) {
      const log = generate(shape, { of: 'bytes', count: sizeOf(settings, 2) * 1e9 })
      try {
        const spent = await intoStore(log)
        rows.push({ ...throughput(`${shape.format}, import`, log, spent), 'peak MB': spent.peakBytes / 1e6 })
      } finally {
        discard(log)
      }
    }
    return { title: 'memory', rows }
  },
}

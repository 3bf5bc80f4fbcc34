import type { LogMaker } from './generate.js'
import type { MadeUpMetric } from './made-up-metrics.js'

/** A table as a training loop of one's own writes it: a line of names, then a line per step. */
export function csvLog(metrics: readonly MadeUpMetric[]): LogMaker {
  return function* (isEnough) {
    yield { bytes: Buffer.from(`step,${metrics.map(({ name }) => name).join(',')}\n`), steps: 0, points: 0 }
    for (let step = 0; !isEnough(); step += 1) {
      const line = `${step},${metrics.map(({ valueAt }) => valueAt(step)).join(',')}\n`
      yield { bytes: Buffer.from(line), steps: 1, points: metrics.length }
    }
  }
}

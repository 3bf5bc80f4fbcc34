import { jitter } from '../../stats/best.js'
import { mean } from '../../stats/descriptive.js'
import type { Curve } from '../curve.js'

/** How a per-step metric has moved from its first few steps to a later stretch, and whether batches alone could do that. */
export interface LevelChange {
  readonly start: number
  readonly end: number
  /** The difference in its standard errors, from the step-to-step jitter; NaN where nothing moves. */
  readonly errors: number
}

/** The last third unless a stretch is given. The first steps are few: a policy can have learnt to cheat by the tenth. */
export function levelChange(curve: Curve, later: Curve = lastThird(curve)): LevelChange {
  const few = Math.min(20, Math.max(3, Math.round(curve.values.length / 80)))
  const [start, end] = [mean(curve.values.subarray(0, few)), mean(later.values)]
  const noise = jitter(curve.steps, curve.values) * Math.sqrt(1 / few + 1 / later.values.length)
  return { start, end, errors: (end - start) / noise }
}

function lastThird({ metric, steps, values }: Curve): Curve {
  const from = values.length - Math.max(3, Math.floor(values.length / 3))
  return { metric, steps: steps.subarray(from), values: values.subarray(from) }
}

import { randomNumbers } from '../made-up-metrics.js'

/** What one made-up log overrides of a healthy one, step by step. */
export type Shape = (step: number, draw: Draw) => { readonly [metric: string]: number }

export interface Draw {
  /** Around a mean, with this standard deviation. */
  readonly around: (mean: number, deviation: number) => number
  /** Multiplied by a factor near one, for what cannot be negative. */
  readonly times: (mean: number, relative: number) => number
}

/** How much of what can be learnt has been learnt after so many steps. */
export function learnt(step: number): number {
  return 1 - Math.exp(-step / 60)
}

export function drawFrom(seed: number): Draw {
  const random = randomNumbers(7_000 + seed)
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
  return {
    around: (mean, deviation) => mean + deviation * normal(),
    times: (mean, relative) => mean * Math.exp(relative * normal()),
  }
}

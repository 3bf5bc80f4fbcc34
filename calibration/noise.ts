import type { Random } from '../src/stats/random.js'

/** Made-up curves of which everything is known (facts 3.1). */

/** Spread of one evaluation, on a reward of about 1.9: that of the UserRL runs. */
export const SPREAD = 0.13
/** 5 % of their mean reward: the margin of most cells. */
export const MARGIN = 0.0967

/** What an evaluation wobbles like; all of spread one on average over the curve. */
export type NoiseKind = 'normal' | 't3' | 'white-part' | 'growing'

/** AR(1) noise of spread one. */
export function noise(random: Random, n: number, rho: number, kind: NoiseKind = 'normal'): Float64Array {
  switch (kind) {
    case 'normal':
      return autoregressive(n, rho, random.normal, 0)
    case 't3':
      return autoregressive(n, rho, () => studentThree(random), 50)
    case 'white-part': {
      // Half of the variance is the sampling of prompts, new at every evaluation; half wanders with the policy.
      const wandering = autoregressive(n, rho, random.normal, 0)
      return wandering.map(value => Math.SQRT1_2 * (value + random.normal()))
    }
    case 'growing': {
      // From half to one and a half times the mean spread.
      const even = autoregressive(n, rho, random.normal, 0)
      return even.map((value, i) => value * (0.5 + i / Math.max(1, n - 1)))
    }
  }
}

/** Started in the stationary state; after `burn` steps where that state has no simple distribution. */
function autoregressive(n: number, rho: number, draw: () => number, burn: number): Float64Array {
  const fresh = Math.sqrt(1 - rho ** 2)
  let state = draw()
  for (let i = 0; i < burn; i += 1) state = rho * state + fresh * draw()
  return Float64Array.from({ length: n }, () => {
    const value = state
    state = rho * state + fresh * draw()
    return value
  })
}

/** Student's t with three degrees of freedom, scaled to a spread of one: one draw in 70 lies beyond three spreads. */
function studentThree(random: Random): number {
  const square = (random.normal() ** 2 + random.normal() ** 2 + random.normal() ** 2) / 3
  return random.normal() / Math.sqrt(square) / Math.sqrt(3)
}

/** The course of a reward that rises and levels off, from 1.75 to 2.03. */
export function course(i: number, n: number): number {
  return 1.75 + (0.28 * (1 - Math.exp((-2.2 * i) / n))) / (1 - Math.exp(-2.2))
}

/** The same course run through faster: at `speed` 2 it is where the other is after twice the steps. */
export function fasterCourse(i: number, n: number, speed: number): number {
  return course(i * speed, n)
}

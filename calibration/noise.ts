import type { Random } from '../src/stats/random.js'
import type { Cell } from './study.js'

/** Made-up curves of which everything is known. */

/** Spread of one evaluation, on a reward of about 1.9: that of the UserRL runs. */
export const SPREAD = 0.13
/** 5 % of their mean reward: the margin of most cells. */
export const MARGIN = 0.0967

const KINDS = [
  'normal',
  't3',
  'skewed',
  'outliers',
  't2',
  'lognormal',
  'outliers-5',
  'outliers-1',
  'growing-10',
  'burst',
  'ties',
  'phases',
  'growing',
  'shrinking-5',
  'shrinking-20',
  'white-part',
  'slow-half',
  'slow-quarter',
  'smoothed-5',
  'smoothed-10',
] as const

/** What an evaluation wobbles like; all of spread one on average over the curve. */
export type NoiseKind = (typeof KINDS)[number]

export function kindOf({ kind }: Cell): NoiseKind {
  const found = KINDS.find(known => known === kind)
  if (found === undefined) throw new Error(`no noise of kind ${kind}`)
  return found
}

/** Noise of spread one; `rho` is the lag-1 autocorrelation of the kinds that do not bring their own. */
export function noise(random: Random, n: number, rho: number, kind: NoiseKind = 'normal'): Float64Array {
  switch (kind) {
    case 'normal':
      return autoregressive(n, rho, random.normal, 0)
    case 't3':
      return autoregressive(n, rho, () => studentThree(random), 50)
    case 'skewed':
      // χ² with one degree of freedom, centred.
      return autoregressive(n, rho, () => (random.normal() ** 2 - 1) / Math.SQRT2, 50)
    case 'outliers':
      // One evaluation in fifty is ten times as far off: a broken one.
      return autoregressive(n, rho, random.normal, 0).map(value => (random.next() < 0.02 ? 10 : 1) * value * 0.58)
    case 't2':
      return autoregressive(
        n,
        rho,
        () => random.normal() / Math.sqrt((random.normal() ** 2 + random.normal() ** 2) / 2),
        50,
      )
    case 'lognormal':
      return autoregressive(n, rho, () => (Math.exp(random.normal()) - Math.exp(0.5)) / 2.161, 50)
    case 'outliers-5':
      return autoregressive(n, rho, random.normal, 0).map(value => (random.next() < 0.05 ? 8 : 1) * value * 0.49)
    case 'outliers-1':
      return autoregressive(n, rho, random.normal, 0).map(value => (random.next() < 0.01 ? 20 : 1) * value * 0.45)
    case 'growing-10':
      return shrinking(autoregressive(n, rho, random.normal, 0), 0.1)
    case 'burst':
      // Five times as much over a sixth of the run.
      return autoregressive(n, rho, random.normal, 0).map(
        (value, i) => value * (i >= 0.4 * n && i < 0.55 * n ? 5 : 1) * 0.47,
      )
    case 'ties':
      return autoregressive(n, rho, random.normal, 0).map(value => Math.round(value))
    case 'phases':
      return phases(random, n)
    case 'growing': {
      // From half to one and a half times the mean spread.
      const even = autoregressive(n, rho, random.normal, 0)
      return even.map((value, i) => value * (0.5 + i / Math.max(1, n - 1)))
    }
    case 'shrinking-5':
      return shrinking(autoregressive(n, rho, random.normal, 0), 5)
    case 'shrinking-20':
      return shrinking(autoregressive(n, rho, random.normal, 0), 20)
    case 'white-part':
      // Half of the variance is the sampling of prompts, new at every evaluation; half wanders with the policy.
      return partlyWhite(random, autoregressive(n, rho, random.normal, 0), 0.5)
    case 'slow-half':
      return partlyWhite(random, autoregressive(n, 0.9, random.normal, 0), 0.5)
    case 'slow-quarter':
      // Lag 1 is 0.24 here: nothing that a look at neighbouring evaluations would call sticky.
      return partlyWhite(random, autoregressive(n, 0.95, random.normal, 0), 0.25)
    case 'smoothed-5':
      return smoothed(random, n, 5)
    case 'smoothed-10':
      return smoothed(random, n, 10)
  }
}

/** The spread at the start is `times` that at the end. */
function shrinking(values: Float64Array, times: number): Float64Array {
  const shares = values.map((_, i) => times ** (-i / Math.max(1, values.length - 1)))
  const size = Math.sqrt(shares.reduce((sum, share) => sum + share ** 2, 0) / shares.length)
  return values.map((value, i) => (value * shares[i]) / size)
}

/** GARCH(1, 1) with 0.2 and 0.75: a large deviation makes the next ones larger, for some twenty evaluations. */
function phases(random: Random, n: number): Float64Array {
  let [size, value] = [1, 0]
  const next = (): number => {
    size = 0.05 + 0.2 * value ** 2 + 0.75 * size
    value = Math.sqrt(size) * random.normal()
    return value
  }
  for (let i = 0; i < 300; i += 1) next()
  return Float64Array.from({ length: n }, next)
}

function partlyWhite(random: Random, wandering: Float64Array, share: number): Float64Array {
  return wandering.map(value => Math.sqrt(share) * value + Math.sqrt(1 - share) * random.normal())
}

/** Logs that print a moving mean. */
function smoothed(random: Random, n: number, width: number): Float64Array {
  const raw = Float64Array.from({ length: n + width - 1 }, random.normal)
  return Float64Array.from({ length: n }, (_, i) => {
    let sum = 0
    for (let k = 0; k < width; k += 1) sum += raw[i + k]
    return sum / Math.sqrt(width)
  })
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

/** A score that climbs from 0.4 to 0.8, most of it within this share of the run. */
export function saturating(i: number, n: number, share: number): number {
  return 0.4 + 0.4 * (1 - Math.exp(-i / (share * n)))
}

/** The same course run through faster: at `speed` 2 it is where the other is after twice the steps. */
export function fasterCourse(i: number, n: number, speed: number): number {
  return course(i * speed, n)
}

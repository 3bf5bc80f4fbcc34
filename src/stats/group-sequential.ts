import { normalCdf, normalQuantile, studentCdf } from './distributions.js'
import { type StudentEstimate, welch } from './student-estimate.js'

/**
 * Looking several times at growing evidence without claiming too often (Lan and DeMets 1983): by the share t of the planned
 * evidence α·t² of the false claims may be spent. The bound of each look follows from those before it by recursion over
 * the density of a Brownian motion that has not crossed any of them (Armitage, McPherson and Rowe 1969). Bounds are
 * p-values, so that any test that is exact at a fixed time can be held against them.
 */
export interface Spending {
  /** Shares of the planned evidence at which one looks, rising to 1. */
  readonly shares: readonly number[]
  readonly alpha: number
  /** A claim either way, or one way only. */
  readonly sides: 1 | 2
}

/** For each look the p-value below which it claims: two-sided p for two sides, one-sided for one. */
export function spendingBounds({ shares, alpha, sides }: Spending): readonly number[] {
  const bounds: number[] = []
  let density: Density | null = null
  let [before, spent] = [0, 0]
  for (const share of shares) {
    const allowed = alpha * share ** 2 - spent
    const arrived = arrive(density, share - before)
    const crossing = crossingAt(arrived, allowed, sides)
    const scale = Math.sqrt(share)
    bounds.push(sides * normalCdf(-crossing / scale))
    density = staying(arrived, crossing, sides)
    spent += allowed
    before = share
  }
  return bounds
}

/** A density of the motion's place, at evenly spaced points. */
interface Density {
  readonly low: number
  readonly step: number
  readonly values: Float64Array
}

const POINTS = 801
const REACH = 7
const AT_ZERO = Float64Array.of(1)
const NOTHING = 1e-30

/** Where the motion is after more of the evidence, if it was where `from` says; null: it began at 0. */
function arrive(from: Density | null, more: number): Density {
  const sd = Math.sqrt(more)
  const low = (from?.low ?? 0) - REACH * sd
  const high = (from === null ? 0 : from.low + from.step * (from.values.length - 1)) + REACH * sd
  const step = (high - low) / (POINTS - 1)
  const values = new Float64Array(POINTS)
  const whole = sd * Math.sqrt(2 * Math.PI)
  const { values: held, low: start, step: apart } = from ?? { values: AT_ZERO, low: 0, step: 1 }
  const last = held.length - 1
  const weights = Float64Array.from(held)
  if (last > 0) for (const end of [0, last]) weights[end] *= 0.5
  for (let i = 0; i < POINTS; i += 1) {
    const place = low + i * step
    const near = Math.min(last, Math.max(0, Math.round((place - start) / apart)))
    values[i] = (sumAround(weights, near, (place - start - near * apart) / sd, apart / sd) * apart) / whole
  }
  return { low, step, values }
}

/**
 * The weights under a normal curve that stands `x` beyond the nearest of them. From there outwards each of its heights follows
 * from the last by two products: half a million powers a look otherwise. V8 optimises a function of its own sooner.
 */
function sumAround(weights: Float64Array, near: number, x: number, apart: number): number {
  const fall = Math.exp(-apart * apart)
  const height = Math.exp(-0.5 * x * x)
  let sum = height * weights[near]
  for (let side = 1; side >= -1; side -= 2) {
    let reached = height
    let ratio = Math.exp(side * x * apart - 0.5 * apart * apart)
    for (let j = near + side; j >= 0 && j < weights.length && reached > NOTHING; j += side) {
      reached *= ratio
      ratio *= fall
      sum += reached * weights[j]
    }
  }
  return sum
}

/** The place beyond which just so much of the density lies. */
function crossingAt(density: Density, wanted: number, sides: 1 | 2): number {
  let [near, far] = [0, density.low + density.step * (density.values.length - 1)]
  for (let i = 0; i < 60; i += 1) {
    const middle = (near + far) / 2
    if (sides * massAbove(density, middle) > wanted) near = middle
    else far = middle
  }
  return (near + far) / 2
}

function massAbove({ low, step, values }: Density, place: number): number {
  const first = Math.max(0, (place - low) / step)
  const whole = Math.ceil(first)
  let sum = 0
  for (let i = whole; i + 1 < values.length; i += 1) sum += 0.5 * (values[i] + values[i + 1])
  const left = whole - first
  if (left > 0 && whole < values.length) {
    const at = values[whole] + (values[Math.max(0, whole - 1)] - values[whole]) * left
    sum += 0.5 * left * (at + values[whole])
  }
  return sum * step
}

/** The density that goes on: what has crossed has stopped. Resampled between the bounds, so that its edge is exact. */
function staying(density: Density, crossing: number, sides: 1 | 2): Density {
  const low = sides === 2 ? -crossing : density.low
  const step = (crossing - low) / (POINTS - 1)
  const values = new Float64Array(POINTS)
  for (let i = 0; i < POINTS; i += 1) {
    const at = (low + i * step - density.low) / density.step
    const floor = Math.min(Math.max(Math.floor(at), 0), density.values.length - 2)
    const part = at - floor
    values[i] = density.values[floor] * (1 - part) + density.values[floor + 1] * part
  }
  return { low, step, values }
}

/**
 * Interim analyses of a run while it grows: a test at a share of the planned evidence may claim at p below its level,
 * and all of them together claim falsely in at most 5 %. The levels are `spendingBounds` at these shares, rounded (a
 * test computes them); they are stored because the recursion takes longer than the comparison that needs them.
 * Analysing at every evaluation instead claims in 40–62 % of equal pairs.
 */
export interface InterimAnalysis {
  /** Share of the planned evidence. */
  readonly share: number
  /** Claims need a p-value below this. */
  readonly level: number
}

export const INTERIM_ANALYSES: readonly InterimAnalysis[] = [
  { share: 1 / 8, level: 0.00078 },
  { share: 1 / 4, level: 0.0026 },
  { share: 1 / 2, level: 0.0104 },
  { share: 1, level: 0.043 },
]

/**
 * Two stages of seeds, of which the second was bought because of what the first had shown: their tests are joined rather
 * than their scores (inverse normal, Lehmacher and Wassmer 1999), which stays valid whatever decided on the second stage:
 *
 *   z = (√K₁ z₁ + √K₂ z₂) / √(K₁ + K₂),  z_i = Φ⁻¹(1 − one-sided p of Welch's test in stage i)
 */
export interface SeedStage {
  readonly first: readonly number[]
  readonly second: readonly number[]
}

/** Two-sided p that the second side is no other than the first. */
export function twoStageP(stages: readonly [SeedStage, SeedStage]): number {
  const [one, two] = stages.map(({ first, second }) => ({ z: scoreOf(welch(first, second)), weight: first.length }))
  const z = (Math.sqrt(one.weight) * one.z + Math.sqrt(two.weight) * two.z) / Math.sqrt(one.weight + two.weight)
  return 2 * normalCdf(-Math.abs(z))
}

/** The normal score of a t; a difference that never varies is certain either way. */
function scoreOf({ mean, standardError, degreesOfFreedom }: StudentEstimate): number {
  if (standardError === 0) return mean === 0 ? 0 : Math.sign(mean) * FARTHEST_SCORE
  const below = studentCdf(mean / standardError, degreesOfFreedom)
  return Math.max(-FARTHEST_SCORE, Math.min(FARTHEST_SCORE, normalQuantile(below)))
}

/** Beyond this a p-value is 0 to any purpose, and its quantile infinite. */
const FARTHEST_SCORE = 8

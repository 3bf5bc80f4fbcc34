import { comparisonsWithBest } from '../../stats/best-of-several.js'
import { mean, variance } from '../../stats/descriptive.js'
import { normalCdf } from '../../stats/distributions.js'
import {
  type GaussianProcess,
  gaussianProcess,
  type Hyperparameters,
  type SurrogatePoint,
} from '../../stats/gaussian-process.js'
import type { Random } from '../../stats/random.js'
import type { Knob } from './file/sections.js'

/**
 * What a search comes to: not a winner, but the points that cannot be told from the best (Hsu 1981, on the beliefs of
 * every process that may be behind the scores), and the one of them to take: the highest believed level, not the highest
 * score.
 */
interface SearchResult {
  /** Place of the point to take. */
  readonly take: number
  /** Places of all that cannot be told from it, itself included. */
  readonly notSeparable: readonly number[]
  /** By point: the level that is believed, and how surely. */
  readonly beliefs: readonly { readonly mean: number; readonly spread: number }[]
}

/** A point is left out where all but so many of the processes tell it from the best. */
const DOUBT = 0.05

export function searchResult(measured: readonly SurrogatePoint[], processes: readonly GaussianProcess[]): SearchResult {
  const beliefs = measured.map(({ at }) => {
    const each = processes.map(model => model.believe(at))
    const means = each.map(belief => belief.mean)
    const between = means.length > 1 ? variance(means) : 0
    return { mean: mean(means), spread: Math.sqrt(mean(each.map(({ spread }) => spread ** 2)) + between) }
  })
  const take = beliefs.reduce((best, { mean: level }, i) => (level > beliefs[best].mean ? i : best), 0)
  // For two points of equal error, the quantile of one difference.
  const quantile = comparisonsWithBest(measured.length) / Math.SQRT2
  const notSeparable = measured.flatMap(({ at }, i) => {
    const doubting = processes.filter(model => {
      const behind = model.believe(measured[take].at).mean - model.believe(at).mean
      return behind <= quantile * model.spreadBetween(measured[take].at, at)
    })
    return i === take || doubting.length > DOUBT * processes.length ? [i] : []
  })
  return { take, notSeparable, beliefs }
}

/**
 * Where to try next, for scores that are noisy: a Gaussian process is fitted to what was measured, and the point is taken
 * that is expected to improve most on the best level believed so far, which is not the luckiest score (Jones 1998 on the
 * process's means). The first points spread evenly. Everything is drawn from one generator, so that the same scores lead
 * to the same points. Higher is better; points lie in the unit cube.
 */
export function suggest(measured: readonly SurrogatePoint[], dimensions: number, random: Random): readonly number[] {
  if (measured.length < firstPoints(dimensions)) return spreadPoint(measured.length, dimensions)
  const model = fitted(measured, dimensions, random)
  const best = Math.max(...measured.map(({ at }) => model.believe(at).mean))
  const gain = (at: readonly number[]): number => expectedImprovement(model.believe(at), best)
  const leaders = measured.toSorted((a, b) => model.believe(b.at).mean - model.believe(a.at).mean).slice(0, 3)
  const everywhere = Array.from({ length: CANDIDATES }, () => Array.from({ length: dimensions }, () => random.next()))
  let place = highest(everywhere, gain)
  for (const width of [0.1, 0.03, 0.01]) {
    const nearby = [...leaders.map(({ at }) => at), place].flatMap(centre =>
      Array.from({ length: NEARBY }, () => centre.map(each => within(each + width * random.normal()))),
    )
    place = highest([place, ...nearby], gain)
  }
  return place
}

type Point = readonly number[]

function highest(points: readonly Point[], worth: (at: Point) => number): Point {
  return points.map(at => ({ at, worth: worth(at) })).reduce((best, each) => (each.worth > best.worth ? each : best)).at
}

const CANDIDATES = 600
const NEARBY = 60

function firstPoints(dimensions: number): number {
  return 2 * dimensions + 3
}

/** Halton's sequence, from its second point on: its first is a corner. */
function spreadPoint(index: number, dimensions: number): readonly number[] {
  return Array.from({ length: dimensions }, (_, i) => radicalInverse(index + 1, PRIMES[i % PRIMES.length]))
}

const PRIMES = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29]

function radicalInverse(index: number, base: number): number {
  let [left, scale, found] = [index, 1 / base, 0]
  while (left > 0) {
    found += (left % base) * scale
    left = Math.floor(left / base)
    scale /= base
  }
  return found
}

function within(value: number): number {
  return Math.min(1, Math.max(0, value))
}

function expectedImprovement(
  { mean, spread }: { readonly mean: number; readonly spread: number },
  best: number,
): number {
  if (!(spread > 0)) return Math.max(0, mean - best)
  const z = (mean - best) / spread
  return spread * (z * normalCdf(z) + Math.exp(-0.5 * z ** 2) / Math.sqrt(2 * Math.PI))
}

/** The hyperparameters under which the measurements are likeliest, with a mild wish for lengths of a third of the cube. */
function fitted(measured: readonly SurrogatePoint[], dimensions: number, random: Random): GaussianProcess {
  return likeliest(measured, dimensions, random).model
}

/**
 * Several processes that may all be behind the measurements, each as often as it is likely (Metropolis 1953): with few
 * points the noise is not known, and who takes the likeliest for the true one is too sure of what differs.
 */
export function plausible(
  measured: readonly SurrogatePoint[],
  dimensions: number,
  random: Random,
): readonly GaussianProcess[] {
  const { judge, ...start } = likeliest(measured, dimensions, random)
  let now = { given: start.given, model: start.model, worth: start.worth }
  return Array.from({ length: PLAUSIBLE }, () => {
    for (let i = 0; i < STEPS_BETWEEN; i += 1) {
      const next = judge(near(now.given, 0.4, random))
      if (Math.log(random.next()) < next.worth - now.worth) now = next
    }
    return now.model
  })
}

const PLAUSIBLE = 30
const STEPS_BETWEEN = 6

function likeliest(measured: readonly SurrogatePoint[], dimensions: number, random: Random) {
  const scale = spreadOf(measured)
  const judge = (given: Hyperparameters) => {
    const model = gaussianProcess(measured, given)
    return { given, model, worth: model.evidence + priorOf(given, scale) }
  }
  const draw = (): Hyperparameters => ({
    lengths: Array.from({ length: dimensions }, () => Math.exp(Math.log(0.35) + 0.8 * random.normal())),
    signal: scale * Math.exp(0.5 * random.normal()),
    noise: scale * Math.exp(Math.log(0.3) + random.normal()),
  })
  let best = judge(draw())
  for (let i = 0; i < DRAWS; i += 1) {
    const next = judge(i < DRAWS / 2 ? draw() : near(best.given, i < (3 * DRAWS) / 4 ? 0.4 : 0.15, random))
    if (next.worth > best.worth) best = next
  }
  return { ...best, judge }
}

function near({ lengths, signal, noise }: Hyperparameters, width: number, random: Random): Hyperparameters {
  return {
    lengths: lengths.map(length => length * Math.exp(width * random.normal())),
    signal: signal * Math.exp(width * random.normal()),
    noise: noise * Math.exp(width * random.normal()),
  }
}

const DRAWS = 60

function spreadOf(measured: readonly SurrogatePoint[]): number {
  const centre = measured.reduce((sum, { value }) => sum + value, 0) / measured.length
  const squares = measured.reduce((sum, { value }) => sum + (value - centre) ** 2, 0) / measured.length
  return Math.sqrt(squares) || 1
}

function priorOf({ lengths, signal, noise }: Hyperparameters, scale: number): number {
  const bell = (value: number, centre: number, width: number): number => -0.5 * (Math.log(value / centre) / width) ** 2
  return (
    lengths.reduce((total, length) => total + bell(length, 0.35, 0.8), 0) +
    bell(signal, scale, 0.7) +
    bell(noise, 0.3 * scale, 1.2)
  )
}

/** Between the settings of knobs and points of the unit cube. */

type Knobs = { readonly [key: string]: Knob }

/** Rounded to what a person would write down; the point that is measured is that of the rounded settings. */
const DIGITS = 3

export function settingsAt(knobs: Knobs, at: readonly number[]): { readonly [key: string]: number } {
  return Object.fromEntries(
    Object.entries(knobs).map(([key, { scale, low, high }], i) => {
      const [from, to] = scale === 'log' ? [Math.log(low), Math.log(high)] : [low, high]
      const place = from + at[i] * (to - from)
      const value = Number((scale === 'log' ? Math.exp(place) : place).toPrecision(DIGITS))
      return [key, Math.min(high, Math.max(low, value))]
    }),
  )
}

/** Null where a knob has no number, or lies outside its range: such a setting cannot be placed among the others. */
export function placeOf(knobs: Knobs, settings: { readonly [key: string]: unknown }): readonly number[] | null {
  const place: number[] = []
  for (const [key, { scale, low, high }] of Object.entries(knobs)) {
    const value = settings[key]
    if (typeof value !== 'number' || value < low || value > high) return null
    place.push(scale === 'log' ? Math.log(value / low) / Math.log(high / low) : (value - low) / (high - low))
  }
  return place
}

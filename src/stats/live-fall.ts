import { mean, median, standardDeviation } from './descriptive.js'
import { studentQuantile } from './distributions.js'

/**
 * Has a score that is still being measured collapsed? Asked after every evaluation, so the chance of a false alarm must be
 * small over the whole run, not at each look: look number t may spend α/(t(t + 1)) of it, which sums to α however long the
 * run is. A fall is compared with the level that the run held, with the noise and the stickiness that it showed until then:
 *
 *   held    the highest mean of ten neighbours before the fall
 *   ρ       lag-1 autocorrelation around a line, bias-corrected; at least 6/n, since few evaluations cannot show it
 *   noise   the scatter around that line, or what the jitter from one evaluation to the next means at ρ: jitter/√(1 − ρ)
 *   sure    held − now > t_{1 − α_t} · noise · √(v(m, ρ) + v(10, ρ)), v(m, ρ) the variance of a mean of m; each of the m by
 *           half of that; and one and a half times as much as it ever came back from
 *
 * It takes two evaluations for half of the way to the floor, if the fall is also sudden: twice as much within three
 * evaluations as ever before, and not on its way up again. It takes twelve for four tenths of the way, or for six tenths
 * of a clear gain. Where one evaluation scatters by more than an eighth of the level, nothing is said; where seven tenths
 * are lost over twelve, by more than three tenths. The numbers are chosen by simulation and on half of two labs' runs
 * (docs/statistics.md, "Stopping a run").
 */
export interface LiveFall {
  /** The level it had, where it is now, and the noise of one evaluation. */
  readonly held: number
  readonly now: number
  readonly noise: number
}

/** Fewer evaluations show no level that could be lost. */
const FEWEST_BEFORE = 6
const LEVEL_OVER = 10
const SUDDEN = { evaluations: 2, share: 0.5, within: 3, beyond: 2 }
const LASTING = { evaluations: 12, share: 0.4, gain: 0.6, clearGain: 8 }
const MILDER = 0.5
const BEYOND_RETURNS = 1.5
/** In shares of the level; more where nearly everything is lost for long. */
const LOUDEST = 0.12
const LOUDEST_OF_RUINS = { share: 0.7, noise: 0.3 }
/** Noise is that of the last twenty, or of the whole course where it is longer than this and louder. */
const NOISE_OVER = 20
const LONG_COURSE = 30
/** Of twenty evaluations, less what their stickiness takes away. */
const DEGREES = 14
/** Runs that break in their first steps: all of so many last evaluations are below the very first by such a share. */
const AT_ONCE = [
  { evaluations: 5, share: 0.5 },
  { evaluations: 10, share: 0.35 },
] as const
const AT_ONCE_RHO = 0.8
const AT_ONCE_LOUDEST = 0.08

interface Asked {
  /** What this look may spend. */
  readonly spent: number
  readonly floor: number
  readonly knownNoise: number
}

/**
 * Higher is better, `floor` the worst that can be. `knownNoise` is what sampling alone does, where the number of prompts
 * tells. Null: it has not collapsed, or it is too early to say.
 */
export function liveFall(
  values: readonly number[],
  { alpha, floor, knownNoise = 0 }: { readonly alpha: number; readonly floor: number; readonly knownNoise?: number },
): LiveFall | null {
  const look = values.length - SUDDEN.evaluations - FEWEST_BEFORE + 1
  if (look < 1) return null
  const asked = { spent: alpha / (look * (look + 1)), floor, knownNoise }
  for (const { evaluations, share } of AT_ONCE) {
    const broken = sinceStart(values, evaluations, share, asked)
    if (broken !== null) return broken
  }
  return suddenFall(values, asked) ?? lastingFall(values, asked)
}

function suddenFall(values: readonly number[], asked: Asked): LiveFall | null {
  const { evaluations, share, within, beyond } = SUDDEN
  const before = values.slice(0, -evaluations)
  const { held, now } = levels(before, values.slice(-evaluations))
  const [previous, last] = values.slice(-2)
  const grave = share * (held - asked.floor)
  if (held - now <= grave || (last > previous && held - last <= grave)) return null
  if (fallWithin(values, values.length - 1, within) <= beyond * deepestWithin(before, within)) return null
  return sureFall(before, values.slice(-evaluations), LOUDEST, asked)
}

function lastingFall(values: readonly number[], asked: Asked): LiveFall | null {
  const { evaluations, share, gain, clearGain } = LASTING
  const before = values.slice(0, -evaluations)
  if (before.length < FEWEST_BEFORE) return null
  const { held, now } = levels(before, values.slice(-evaluations))
  const isGrave = held - now > share * (held - asked.floor)
  const gained = held - values[0]
  if (!isGrave && held - now <= gain * gained) return null
  const isRuin = held - now > LOUDEST_OF_RUINS.share * (held - asked.floor)
  const loudest = isRuin ? LOUDEST_OF_RUINS.noise : LOUDEST
  const fall = sureFall(before, values.slice(-evaluations), loudest, asked)
  return fall !== null && (isGrave || gained > clearGain * fall.noise) ? fall : null
}

function levels(before: readonly number[], recent: readonly number[]) {
  const window = Math.min(LEVEL_OVER, Math.ceil(before.length / 2))
  return { window, held: Math.max(...runningMeans(before, window)), now: mean(recent) }
}

/** From when the score first was up to when it last was: a steep start is no noise. */
function heldThrough(before: readonly number[], middle: number): readonly number[] {
  const last = Math.max(before.findLastIndex(value => value > middle) + 1, FEWEST_BEFORE)
  const first = before.findIndex(value => value > middle)
  return before.slice(Math.min(first, last - FEWEST_BEFORE), last)
}

/** Whether the recent evaluations lie below the level held before them, beyond noise and all that it came back from. */
function sureFall(
  before: readonly number[],
  recent: readonly number[],
  loudest: number,
  { spent, floor, knownNoise }: Asked,
): LiveFall | null {
  const { window, held, now } = levels(before, recent)
  const calm = heldThrough(before, (held + now) / 2)
  const lately = wobbleOf(calm.slice(-NOISE_OVER))
  const throughout = calm.length < LONG_COURSE ? lately : wobbleOf(calm)
  const rho = Math.max(lately.rho, throughout.rho)
  const noise = Math.max(lately.noise, throughout.noise, knownNoise)
  if (noise >= loudest * (held - floor)) return null
  const error = noise * Math.sqrt(meanVariance(recent.length, rho) + meanVariance(window, rho))
  const needed = studentQuantile(1 - spent, DEGREES) * error
  const isSure = held - now > needed && held - Math.max(...recent) > MILDER * needed
  return isSure && held - now > BEYOND_RETURNS * deepestReturn(before, window) ? { held, now, noise } : null
}

/**
 * Some break in their first steps, and hold nothing that could be lost but what they were given. The noise is that of the
 * state they fell into: the median step from one evaluation to the next, which a few large ones do not move.
 */
function sinceStart(
  values: readonly number[],
  evaluations: number,
  share: number,
  { spent, floor, knownNoise }: Asked,
): LiveFall | null {
  const [held, ...after] = values
  const recent = values.slice(-evaluations)
  const lost = held - Math.max(...recent)
  if (after.length < evaluations + 2 || lost <= share * (held - floor)) return null
  const steps = after.slice(1).map((value, i) => Math.abs(value - after[i]))
  const jitter = median(steps) / MEDIAN_STEP
  const noise = Math.max(jitter / Math.sqrt(1 - AT_ONCE_RHO), knownNoise)
  if (noise >= AT_ONCE_LOUDEST * (held - floor)) return null
  const needed = studentQuantile(1 - spent, Math.max(4, after.length - 2)) * noise * Math.sqrt(1 + 1 / 5)
  return lost > needed ? { held, now: mean(recent), noise } : null
}

/** Of the difference of two normal values, in spreads of one. */
const MEDIAN_STEP = 0.954

interface Wobble {
  readonly rho: number
  readonly noise: number
}

function wobbleOf(values: readonly number[]): Wobble {
  const n = values.length
  const residuals = aroundLine(values)
  const centre = mean(residuals)
  const squares = residuals.reduce((sum, value) => sum + (value - centre) ** 2, 0)
  const products = residuals.slice(1).reduce((sum, value, i) => sum + (value - centre) * (residuals[i] - centre), 0)
  const lagOne = squares === 0 ? 0 : products / squares
  // A line through n points takes (2 + 4ρ)/n off (Kendall 1954 gives (1 + 3ρ)/n for a mean).
  const corrected = lagOne + (2 + 4 * Math.max(0, lagOne)) / n
  const rho = Math.min(HIGHEST_RHO, Math.max(corrected, Math.min(UNKNOWN_RHO, 6 / n)))
  const jitter = standardDeviation(values.slice(1).map((value, i) => value - values[i])) / Math.SQRT2
  return { rho, noise: Math.max(jitter / Math.sqrt(1 - rho), Math.sqrt(squares / (n - 2))) }
}

const HIGHEST_RHO = 0.9
const UNKNOWN_RHO = 0.85

/** Around the line through the means of both halves. */
function aroundLine(values: readonly number[]): readonly number[] {
  const half = Math.floor(values.length / 2)
  const [first, last] = [mean(values.slice(0, half)), mean(values.slice(-half))]
  const slope = (last - first) / (values.length - half)
  const centre = (half - 1) / 2
  return values.map((value, i) => value - first - slope * (i - centre))
}

/** Of a mean of `count` neighbours of spread one: (m + 2 Σ (m − j) ρ^j)/m². */
function meanVariance(count: number, rho: number): number {
  let sum = count
  for (let lag = 1; lag < count; lag += 1) sum += 2 * (count - lag) * rho ** lag
  return sum / count ** 2
}

function runningMeans(values: readonly number[], window: number): readonly number[] {
  let sum = mean(values.slice(0, window)) * window
  return values.slice(window - 1).map((_, i) => {
    if (i > 0) sum += values[i + window - 1] - values[i - 1]
    return sum / window
  })
}

/** How far two neighbours were below the level held until then, as far as it was made good afterwards. */
function deepestReturn(values: readonly number[], window: number): number {
  const pairs = values.slice(1).map((value, i) => (value + values[i]) / 2)
  const highestFrom = pairs.slice()
  for (let i = pairs.length - 2; i >= 0; i -= 1) highestFrom[i] = Math.max(pairs[i], highestFrom[i + 1])
  const levels = runningMeans(values, window)
  let [held, deepest] = [Number.NEGATIVE_INFINITY, 0]
  for (let i = window; i < pairs.length; i += 1) {
    held = Math.max(held, levels[i - window])
    deepest = Math.max(deepest, Math.min(held, highestFrom[i]) - pairs[i])
  }
  return deepest
}

/** From the highest of the evaluations shortly before one down to it. */
function fallWithin(values: readonly number[], at: number, count: number): number {
  return Math.max(...values.slice(Math.max(0, at - count), at)) - values[at]
}

function deepestWithin(values: readonly number[], count: number): number {
  return values.reduce((deepest, _, at) => (at === 0 ? deepest : Math.max(deepest, fallWithin(values, at, count))), 0)
}

import { mean, standardDeviation } from './descriptive.js'
import { studentQuantile } from './distributions.js'

/**
 * Has a score that is still being measured collapsed? Asked after every evaluation, so the chance of a false alarm must be
 * small over the whole run, not at each look: look number t may spend α/(t(t + 1)) of it, which sums to α however long the
 * run is. One bad evaluation never speaks (an outage, a node that died): the last two must both be low. A curve that
 * wanders has fallen before and come back: this fall must go well beyond those. And it must matter: a policy that lost
 * little is nothing to stop for, however sure one is.
 *
 *   held    the highest mean of five neighbours before the last two; or the very first score, for the last five
 *   noise   the larger of the jitter from one evaluation to the next and of the scatter around a line, until the fall began
 *   sure    held − now > t_{1 − α_t} · noise · √(1/2 + 1/window), both of the two by six tenths of that, and by one and a
 *           half times as much as it ever came back from
 *   grave   three tenths of the way to the floor are lost, or six tenths of a clear gain; where the noise is a fifth of that
 *           way, nothing is said
 */
export interface LiveFall {
  /** The level it had, where it is now, and the noise of one evaluation. */
  readonly held: number
  readonly now: number
  readonly noise: number
  readonly hasFallen: boolean
}

/** Fewer evaluations show no level that could be lost. */
const FEWEST_BEFORE = 6
const WINDOW = 5
const RECENT = 2
const SCATTER_OVER = 20
const MILDER = 0.6
const BEYOND = 1.5
const GRAVE = { share: 0.3, noise: 0.2, gain: 0.6, clearGain: 8 }

/**
 * Higher is better, `floor` the worst that can be. `knownNoise` is what sampling alone does, where the number of prompts
 * tells. Null: too early to say.
 */
export function liveFall(
  values: readonly number[],
  { alpha, floor, knownNoise = 0 }: { readonly alpha: number; readonly floor: number; readonly knownNoise?: number },
): LiveFall | null {
  const look = values.length - RECENT - FEWEST_BEFORE + 1
  if (look < 1) return null
  const spent = alpha / (look * (look + 1))
  const isGrave = ({ held, now, noise }: LiveFall): boolean =>
    noise < GRAVE.noise * (held - floor) &&
    (held - now > GRAVE.share * (held - floor) ||
      (held - values[0] > GRAVE.clearGain * noise && held - now > GRAVE.gain * (held - values[0])))
  const [fromStart, fromHeld] = [sinceStart(values, spent, knownNoise), sinceHeld(values, spent, knownNoise)]
  const fall = fromStart.hasFallen && isGrave(fromStart) ? fromStart : fromHeld
  return { ...fall, hasFallen: fall.hasFallen && isGrave(fall) }
}

function sinceHeld(values: readonly number[], spent: number, knownNoise: number): LiveFall {
  const before = values.slice(0, -RECENT)
  const recent = values.slice(-RECENT)
  const window = Math.min(WINDOW, Math.ceil(before.length / 2))
  const held = highestMean(before, window)
  const now = mean(recent)
  const calm = before.slice(0, Math.max(before.findLastIndex(value => value > (held + now) / 2) + 1, FEWEST_BEFORE))
  const noise = Math.max(jitter(before), scatter(calm.slice(-SCATTER_OVER)), knownNoise)
  const needed =
    studentQuantile(1 - spent, Math.min(before.length, SCATTER_OVER) - 1) * noise * Math.sqrt(1 / RECENT + 1 / window)
  const isLow = held - now > needed && held - Math.max(...recent) > MILDER * needed
  return { held, now, noise, hasFallen: isLow && held - now > BEYOND * deepestReturn(before, window) }
}

/** Some break in their first steps, and hold nothing that could be lost but what they were given. */
function sinceStart(values: readonly number[], spent: number, knownNoise: number): LiveFall {
  const [held] = values
  const recent = values.slice(-WINDOW)
  const noise = Math.max(jitter(values.slice(1)), knownNoise)
  const needed =
    studentQuantile(1 - spent, Math.min(values.length, SCATTER_OVER) - 2) * noise * Math.sqrt(1 / WINDOW + 1)
  return { held, now: mean(recent), noise, hasFallen: held - Math.max(...recent) > needed }
}

function highestMean(values: readonly number[], window: number): number {
  let highest = Number.NEGATIVE_INFINITY
  for (let end = window; end <= values.length; end += 1) {
    highest = Math.max(highest, mean(values.slice(end - window, end)))
  }
  return highest
}

/** How far two neighbours were below the level held until then, as far as it was made good afterwards. */
function deepestReturn(values: readonly number[], window: number): number {
  const pairs = values.slice(1).map((value, i) => (value + values[i]) / 2)
  const highestFrom = pairs.slice()
  for (let i = pairs.length - 2; i >= 0; i -= 1) highestFrom[i] = Math.max(pairs[i], highestFrom[i + 1])
  let [held, deepest] = [Number.NEGATIVE_INFINITY, 0]
  for (let i = window; i < pairs.length; i += 1) {
    held = Math.max(held, mean(values.slice(i - window, i)))
    deepest = Math.max(deepest, Math.min(held, highestFrom[i]) - pairs[i])
  }
  return deepest
}

function jitter(values: readonly number[]): number {
  return standardDeviation(values.slice(1).map((value, i) => value - values[i])) / Math.SQRT2
}

/** Around the line through the means of both halves. */
function scatter(values: readonly number[]): number {
  const half = Math.floor(values.length / 2)
  const [first, last] = [mean(values.slice(0, half)), mean(values.slice(-half))]
  const slope = (last - first) / (values.length - half)
  const centre = (half - 1) / 2
  return standardDeviation(values.map((value, i) => value - first - slope * (i - centre)))
}

import { quantile } from './descriptive.js'
import { FEWEST_EVALUATIONS, intervalOf, pairedMean } from './paired-mean.js'
import { type Random, seededRandom } from './random.js'

/**
 * How small a difference so many shared evaluations can show, found by simulating the very interval that will judge
 * them. A formula for an ideal interval promises too much: the floor under the autocorrelation and the few degrees of
 * freedom left 42–77 % power where 80 % were planned. Simulation also follows when the interval is changed.
 *
 * For a spread of one: a difference d is shown where d + mean − half > 0, so the wanted quantile of half − mean is the
 * smallest d. Two that are equal are shown so where both ends of the 90 % interval lie within the margin.
 */
export type Aim = 'difference' | 'equivalence'

/** Beyond, the reach shrinks with the root of the count. */
const LONGEST_SIMULATED = 2_000
const MOST_EVALUATIONS = 1_000_000

export function smallestShown(count: number, autocorrelation: number, power: number, aim: Aim, most = 2_000): number {
  const simulated = Math.min(count, LONGEST_SIMULATED)
  const random = seededRandom(1)
  const repetitions = Math.round(Math.min(most, Math.max(Math.min(most, 400), 400_000 / simulated)))
  const needed = Float64Array.from({ length: repetitions }, () => {
    const estimate = pairedMean(noise(random, simulated, autocorrelation))
    const { low, high } = intervalOf(estimate, aim === 'difference' ? 0.95 : 0.9)
    return aim === 'difference' ? -low : Math.max(Math.abs(low), Math.abs(high))
  }).sort()
  return quantile(needed, power) * Math.sqrt(simulated / count)
}

/** The fewest evaluations that show a size given in units of the spread. */
export function evaluationsNeeded(size: number, autocorrelation: number, power: number, aim: Aim): number {
  const suffices = (count: number): boolean => smallestShown(count, autocorrelation, power, aim) <= size
  let low = FEWEST_EVALUATIONS
  let high = FEWEST_EVALUATIONS
  while (!suffices(high) && high < MOST_EVALUATIONS) high *= 2
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (suffices(middle)) high = middle
    else low = middle + 1
  }
  return high
}

/** Within a tenth, in milliseconds: enough for "about 40 more" beside a verdict. */
export function roughlyNeeded(size: number, autocorrelation: number, power: number, aim: Aim): number {
  const counts = Array.from({ length: ROUGH_STEPS }, (_, i) => Math.round(FEWEST_EVALUATIONS * 1.1 ** i))
  let low = 0
  let high = counts.length - 1
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (remembered(counts[middle], Math.round(20 * autocorrelation) / 20, power, aim) <= size) high = middle
    else low = middle + 1
  }
  return counts[high]
}

/** Many comparisons in one process ask the same; the autocorrelation in steps of 0.05 is as well as it is known. */
function remembered(count: number, autocorrelation: number, power: number, aim: Aim): number {
  const key = [count, autocorrelation, power, aim].join()
  const known = sizes.get(key) ?? smallestShown(count, autocorrelation, power, aim, 200)
  sizes.set(key, known)
  return known
}

const sizes = new Map<string, number>()

/** Up to 80,000 evaluations. */
const ROUGH_STEPS = 100

/** AR(1) of spread one. */
function noise(random: Random, count: number, autocorrelation: number): Float64Array {
  const fresh = Math.sqrt(1 - autocorrelation ** 2)
  let state = random.normal()
  return Float64Array.from({ length: count }, () => {
    const value = state
    state = autocorrelation * state + fresh * random.normal()
    return value
  })
}

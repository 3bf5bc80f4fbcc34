import { lagOne, localLine, mean, standardDeviation } from './descriptive.js'
import { seededRandom } from './random.js'

/** Who gets to a common level sooner (docs/statistics.md, "Steadier? Sooner?"). A crossing is known only to lie between two evaluations. */

export interface Crossing {
  /** The crossing lies behind this step … */
  readonly after: number
  /** … and not behind this one; Infinity when the level was never reached and held. */
  readonly until: number
}

/** So many evaluations in a row at or above a level are not chance. */
const HOLD = 2

/** The first evaluation from which `hold` evaluations in a row are at or above the level (or below, if lower is better). */
export function crossing(
  steps: ArrayLike<number>,
  values: ArrayLike<number>,
  level: number,
  { hold = HOLD }: { readonly hold?: number } = {},
): Crossing {
  for (let i = 0; i + hold <= values.length; i += 1) {
    let held = true
    for (let j = i; j < i + hold; j += 1) if (!(values[j] >= level)) held = false
    if (held) return { after: i === 0 ? Number.NEGATIVE_INFINITY : steps[i - 1], until: steps[i] }
  }
  return {
    after: values.length === 0 ? Number.NEGATIVE_INFINITY : steps[values.length - 1],
    until: Number.POSITIVE_INFINITY,
  }
}

/** Second minus first; a range that holds zero says nothing about who was sooner. */
export function crossingDifference(first: Crossing, second: Crossing): { readonly low: number; readonly high: number } {
  return { low: second.after - first.until, high: second.until - first.after }
}

export interface SoonerOdds {
  readonly firstSooner: number
  readonly secondSooner: number
  readonly tie: number
}

/** Crossings that are redrawn: a chance that none of them shows may still be as large as one of so many and one. */
export const REDRAWS = 2_000

/**
 * How sure the order of two crossings is, given the noise of the curves: both are redrawn many times around their
 * smoothed course with AR(1) noise of their own size, and the crossings counted.
 */
export function soonerOdds(
  steps: ArrayLike<number>,
  first: ArrayLike<number>,
  second: ArrayLike<number>,
  level: number,
  { draws = REDRAWS, seed = 20_251_206 }: { readonly draws?: number; readonly seed?: number } = {},
): SoonerOdds {
  const random = seededRandom(seed)
  const redrawn = [first, second].map(values => {
    const course = localLine(values)
    const residuals = Float64Array.from(course, (level, i) => values[i] - level)
    const raw = lagOne(residuals)
    const r = Math.min(Math.max(raw + (1 + 3 * raw) / values.length, 0), 0.9)
    const spread = standardDeviation(residuals) * Math.sqrt(values.length / Math.max(1, values.length - 3))
    return { course, r, spread }
  })
  const redrawnCrossing = ({ course, r, spread }: (typeof redrawn)[number]): number => {
    const fresh = Math.sqrt(1 - r ** 2) * spread
    let noise = random.normal() * spread
    let held = 0
    for (let i = 0; i < course.length; i += 1) {
      held = course[i] + noise >= level ? held + 1 : 0
      if (held === HOLD) {
        // What is drawn next must not depend on when the level was held.
        random.skipNormals(course.length - i)
        return steps[i + 1 - HOLD]
      }
      noise = r * noise + fresh * random.normal()
    }
    return Number.POSITIVE_INFINITY
  }
  let firstSooner = 0
  let secondSooner = 0
  for (let draw = 0; draw < draws; draw += 1) {
    const a = redrawnCrossing(redrawn[0])
    const b = redrawnCrossing(redrawn[1])
    if (a < b) firstSooner += 1
    else if (b < a) secondSooner += 1
  }
  return {
    firstSooner: firstSooner / draws,
    secondSooner: secondSooner / draws,
    tie: 1 - (firstSooner + secondSooner) / draws,
  }
}

/**
 * The level that a comparison uses when none is given: 95 % of the way from where both start to the lower of the two
 * final means. Of the way, not of the value: a loss, a negative reward or another zero of the scale change nothing.
 */
export function commonLevel(first: ArrayLike<number>, second: ArrayLike<number>, atEnd: number): number {
  const start = (first[0] + second[0]) / 2
  const final = (values: ArrayLike<number>): number => mean(Array.from(values).slice(-atEnd))
  return start + 0.95 * (Math.min(final(first), final(second)) - start)
}

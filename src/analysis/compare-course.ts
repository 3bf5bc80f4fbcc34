import type { Verdict } from '../model/verdict.js'
import { spreadRatio } from '../stats/stability.js'
import { commonLevel, crossing, crossingDifference, soonerOdds } from '../stats/time-to-level.js'
import type { SeriesPoints } from '../store/series.js'
import { message } from '../text/say.js'
import { align, meanSeries } from './align.js'
import { type Asked, undetermined } from './judge.js'

/** Which side gets somewhere sooner, and which wobbles less? Neither is read off a maximum or its step. */

/** Fewer shared evaluations say nothing about a course. */
const FEWEST = 6
/** How sure the order of two noisy crossings must be before it is said (DESIGN section 6). */
const SURE = 0.975

/**
 * Speed: the step at which a common level is reached and held. The estimate is in steps, other minus baseline, as the
 * middle of what is possible; lower is sooner, whatever the metric's own direction.
 */
export function compareSpeed(asked: Asked, baseline: readonly SeriesPoints[], other: readonly SeriesPoints[]): Verdict {
  const { steps, values } = align([meanSeries(baseline), meanSeries(other)])
  if (steps.length < FEWEST) {
    const reasons = [message('compare.too-few', { n: steps.length, needed: FEWEST })]
    return undetermined(asked, { scope: 'runs', reasons })
  }
  if (asked.goal === null) return undetermined(asked, { scope: 'runs', reasons: [message('compare.no-goal', {})] })
  const upwards = asked.goal === 'max' ? values : values.map(side => side.map(value => -value))
  const level = commonLevel(upwards[0], upwards[1])
  const [first, second] = upwards.map(side => crossing(steps, side, level))
  const { low, high } = crossingDifference(first, second)
  const odds = soonerOdds(steps, upwards[0], upwards[1], level)
  const shown = asked.goal === 'max' ? level : -level
  const reasons = [
    message('compare.level-reached', {
      level: Number(shown.toPrecision(4)),
      first: stepText(first.until),
      second: stepText(second.until),
    }),
    message('compare.sooner-odds', {
      first: Math.round(odds.firstSooner * 100),
      second: Math.round(odds.secondSooner * 100),
      tie: Math.round(odds.tie * 100),
    }),
  ]
  const apart = Number.isFinite(low) && Number.isFinite(high) && (low > 0 || high < 0)
  const sure = odds.firstSooner >= SURE || odds.secondSooner >= SURE
  const verdict = undetermined(asked, { scope: 'runs', reasons }, Number.isFinite(low + high) ? (low + high) / 2 : null)
  const interval = Number.isFinite(low) && Number.isFinite(high) ? ([low, high] as const) : null
  if (!apart || !sure) return { ...verdict, interval }
  return { ...verdict, interval, answer: high < 0 ? 'better' : 'worse' }
}

function stepText(step: number): string {
  return Number.isFinite(step) ? String(step) : '–'
}

/** Stability: the spread around a straight course, as other over baseline; 1 is equal, below 1 the other is steadier. */
export function compareStability(
  asked: Asked,
  baseline: readonly SeriesPoints[],
  other: readonly SeriesPoints[],
): Verdict {
  const { steps, values } = align([meanSeries(baseline), meanSeries(other)])
  if (steps.length < FEWEST) {
    const reasons = [message('compare.too-few', { n: steps.length, needed: FEWEST })]
    return undetermined(asked, { scope: 'runs', reasons })
  }
  const { ratio, p } = spreadRatio(values[1], values[0])
  const reasons = [
    message('compare.spread-ratio', {
      ratio: ratio.estimate.toFixed(2),
      low: ratio.low.toFixed(2),
      high: ratio.high.toFixed(2),
    }),
  ]
  const steadier = ratio.high < 1
  const wilder = ratio.low > 1
  const verdict = undetermined(asked, { scope: 'runs', reasons }, ratio.estimate)
  return {
    ...verdict,
    interval: [ratio.low, ratio.high],
    p,
    answer: steadier ? 'better' : wilder ? 'worse' : 'undetermined',
    tags: steadier || wilder ? ['fragile'] : [],
  }
}

import type { Message } from '../model/run.js'
import type { ToSettle, Verdict } from '../model/verdict.js'
import { mean, standardDeviation } from '../stats/descriptive.js'
import { pairedMean } from '../stats/paired-mean.js'
import { seedsForDifference } from '../stats/sample-size.js'
import { welch } from '../stats/seeds.js'
import type { SeriesPoints } from '../store/series.js'
import { message } from '../text/say.js'
import { align, meanSeries, type Window } from './align.js'
import { type Asked, judge, undetermined } from './judge.js'

/**
 * Is one side higher than the other, over all shared evaluations or over the last third of them? Three or more runs a
 * side speak about the settings (Welch on one number per run); fewer speak about these runs only (the paired,
 * autocorrelation-adjusted interval).
 */

/** Fewer shared evaluations have no interval. */
const FEWEST = 6
/** Below this a claim rests on so few points that it is tagged. */
const FRAGILE_BELOW = 15
/** The interval keeps its promise up to an autocorrelation of one half. */
const FRAGILE_AUTOCORRELATION = 0.5
/** Runs a side from which a claim may be about the settings. */
const RUNS_FOR_CONFIGS = 3

export function compareLevel(
  asked: Asked,
  baseline: readonly SeriesPoints[],
  other: readonly SeriesPoints[],
  window?: Window,
): Verdict {
  const shared = align([...baseline, ...other], window)
  if (shared.steps.length === 0) {
    return undetermined(asked, { scope: 'runs', reasons: [message('compare.no-shared-steps', {})] })
  }
  if (baseline.length >= RUNS_FOR_CONFIGS && other.length >= RUNS_FOR_CONFIGS) {
    const levels = shared.values.map(values => mean(values))
    const [first, second] = [levels.slice(0, baseline.length), levels.slice(baseline.length)]
    const reasons = [
      message('compare.runs-each', { first: first.length, second: second.length, evals: shared.steps.length }),
    ]
    return judge(asked, welch(first, second), { scope: 'configs', reasons, toSettle: moreSeeds(asked, first, second) })
  }
  return comparePair(asked, meanSeries(baseline), meanSeries(other), [baseline.length, other.length], window)
}

function comparePair(
  asked: Asked,
  baseline: SeriesPoints,
  other: SeriesPoints,
  [first, second]: readonly [number, number],
  window?: Window,
): Verdict {
  const { steps, values } = align([baseline, other], window)
  const differences = steps.map((_, i) => values[1][i] - values[0][i])
  const about: Message =
    first === 1 && second === 1
      ? message('compare.one-seed', {})
      : message('compare.few-seeds', { first, second, needed: RUNS_FOR_CONFIGS })
  if (steps.length < FEWEST) {
    const reasons = [message('compare.too-few', { n: steps.length, needed: FEWEST }), about]
    return undetermined(
      asked,
      { scope: 'runs', reasons, toSettle: { evals: FEWEST - steps.length } },
      mean(differences),
    )
  }
  const estimate = pairedMean(differences)
  const fragile = steps.length < FRAGILE_BELOW || estimate.autocorrelation > FRAGILE_AUTOCORRELATION
  return judge(asked, estimate, {
    scope: 'runs',
    tags: fragile ? ['fragile'] : [],
    reasons: [message('compare.paired', { n: steps.length, from: steps[0], to: steps[steps.length - 1] }), about],
    toSettle: { note: message('compare.settle-seeds', { more: RUNS_FOR_CONFIGS - Math.min(first, second) }) },
  })
}

/** How many seeds a side would show the difference that is there now, with the scatter that is there now. */
function moreSeeds({ margin }: Asked, first: readonly number[], second: readonly number[]): ToSettle {
  const scatter = Math.sqrt((standardDeviation(first) ** 2 + standardDeviation(second) ** 2) / 2)
  const difference = margin ?? Math.abs(mean(second) - mean(first))
  if (!(difference > 0) || !(scatter > 0)) return {}
  return { seeds: seedsForDifference(scatter, { difference }) }
}

/** The last third of the shared evaluations, if that is enough of them. */
export function finalWindow(baseline: readonly SeriesPoints[], other: readonly SeriesPoints[]): Window | null {
  const { steps } = align([...baseline, ...other])
  const count = Math.floor(steps.length / 3)
  return count < FEWEST ? null : { from: steps[steps.length - count], to: steps[steps.length - 1] }
}

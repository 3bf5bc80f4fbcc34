import { placeOn } from '../../../logs/model/axis.js'
import type { Message } from '../../../logs/model/run.js'
import type { Verdict } from '../../../logs/model/verdict.js'
import { greatest } from '../../../stats/descriptive.js'
import { rankSumP } from '../../../stats/exact-tests.js'
import { FEWEST_EVALUATIONS } from '../../../stats/paired-mean.js'
import {
  commonLevel,
  crossing,
  crossingDifference,
  REDRAWS,
  type SoonerOdds,
  soonerOdds,
} from '../../../stats/time-to-level.js'
import { comparisonSentences as message } from '../../../text/compare.js'
import { figure } from '../../../text/numbers.js'
import type { SeriesPoints } from '../../store/series.js'
import { inBlocks } from '../align.js'
import { thirdOf } from '../conventions.js'
import { hasReplicates, type SharedCurves, sharedCurves } from './align-sides.js'
import { tooFewShared, undetermined } from './judge.js'
import { type QuestionSpec, SHARED_STEPS } from './specification.js'

/** Which side gets somewhere sooner? Not read off a maximum or its step. */

/** How sure the order of two noisy crossings must be before it is said. */
const SURE = 0.975

/**
 * Speed: the step at which a common level is reached and held. The estimate is in steps, other minus baseline, as the
 * middle of what is possible; lower is sooner, whatever the metric's own direction.
 */
export function compareSpeed(
  asked: QuestionSpec,
  baseline: readonly SeriesPoints[],
  other: readonly SeriesPoints[],
): Verdict {
  const curves = sharedCurves(baseline, other)
  if (curves.steps.length < FEWEST_EVALUATIONS) return tooFewShared(asked, curves.steps.length)
  if (asked.goal === null) return undetermined(asked, { scope: 'runs', reasons: [message('compare.no-goal', {})] })
  const sign = asked.goal === 'max' ? 1 : -1
  const means = curves.means.map(side => side.map(value => sign * value))
  const level = commonLevel(means[0], means[1], thirdOf(curves.steps.length))
  const { by } = asked.axis ?? SHARED_STEPS
  const passed = bestPassed(asked, curves.steps, means, sign)
  if (hasReplicates(curves)) return speedOfMany(asked, curves, level, sign, passed)

  const [first, second] = means.map(side => crossing(curves.steps, side, level))
  const { low, high } = crossingDifference(first, second)
  const odds = oddsOf(curves.steps, means, level)
  const finite = Number.isFinite(low) && Number.isFinite(high)
  const verdict = undetermined(
    asked,
    {
      scope: 'runs',
      reasons: [
        message('compare.level-reached', {
          level: figure(sign * level, 4),
          first: placeOn(by, first.until),
          second: placeOn(by, second.until),
        }),
        message('compare.sooner-odds', {
          first: Math.round(odds.firstSooner * 100),
          second: Math.round(odds.secondSooner * 100),
          tie: Math.round(odds.tie * 100),
        }),
        ...passed,
      ],
      method: { id: 'crossing-redrawn', numbers: { level: sign * level, ...odds } },
    },
    finite ? (low + high) / 2 : null,
  )
  const interval = finite ? ([low, high] as const) : null
  const p = Math.min(1, 2 * Math.max(1 - Math.max(odds.firstSooner, odds.secondSooner), 1 / (REDRAWS + 1)))
  if (interval === null || !(p <= 2 * (1 - SURE)) || (low <= 0 && high >= 0)) return { ...verdict, interval, p }
  return { ...verdict, interval, p, answer: high < 0 ? 'better' : 'worse' }
}

/** Redrawing ten thousand steps two thousand times takes seconds and says no more than their blocks do. */
const MOST_REDRAWN = 400

function oddsOf(steps: readonly number[], means: readonly (readonly number[])[], level: number): SoonerOdds {
  const [first, second] = means.map(values =>
    inBlocks({ metric: '', steps: Float64Array.from(steps), values: Float64Array.from(values) }, MOST_REDRAWN),
  )
  return soonerOdds(first.steps, first.values, second.values, level)
}

/** With several runs a side each crosses once, and the order of the crossings is put to a rank test. */
function speedOfMany(
  asked: QuestionSpec,
  curves: SharedCurves,
  level: number,
  sign: number,
  passed: readonly Message[],
): Verdict {
  const [first, second] = curves.runs.map(side =>
    side.map(values => {
      const upwards = values.map(value => sign * value)
      return crossing(curves.steps, upwards, level).until
    }),
  )
  const { by } = asked.axis ?? SHARED_STEPS
  const p = rankSumP(first, second)
  const reached = (side: readonly number[]): number => side.filter(Number.isFinite).length
  const middle = (side: readonly number[]): number => [...side].sort((a, b) => a - b)[Math.floor((side.length - 1) / 2)]
  const difference = middle(second) - middle(first)
  const verdict = undetermined(
    asked,
    {
      scope: 'configs',
      reasons: [
        message('compare.crossings', {
          level: figure(sign * level, 4),
          first: reached(first),
          firstOf: first.length,
          firstStep: placeOn(by, middle(first)),
          second: reached(second),
          secondOf: second.length,
          secondStep: placeOn(by, middle(second)),
        }),
        ...passed,
      ],
      method: { id: 'crossing-ranks', numbers: { level: sign * level, first: first.length, second: second.length } },
    },
    Number.isFinite(difference) ? difference : null,
  )
  if (!(p < 0.05)) return { ...verdict, p }
  const sooner = meanRank(second, first) < 0.5
  return { ...verdict, p, answer: sooner ? 'better' : 'worse' }
}

/** Share of pairs in which a value of the one side exceeds one of the other; ties count half. */
function meanRank(values: readonly number[], others: readonly number[]): number {
  let above = 0
  for (const a of values) for (const b of others) above += a > b ? 1 : a === b ? 0.5 : 0
  return above / (values.length * others.length)
}

/** "Sooner to its best" compares unlike levels; who passed the other's best first shows it. */
function bestPassed(
  { baseline, other, axis = SHARED_STEPS }: QuestionSpec,
  steps: readonly number[],
  means: readonly (readonly number[])[],
  sign: number,
): Message[] {
  const labels = [baseline, other]
  return [0, 1].flatMap(side => {
    const best = greatest(means[side])
    const at = means[side].indexOf(best)
    const passedAt = means[1 - side].findIndex(value => value >= best)
    if (passedAt < 0 || passedAt >= at) return []
    return [
      message('compare.best-passed', {
        side: labels[side],
        best: figure(sign * best, 4),
        at: placeOn(axis.by, steps[at]),
        by: labels[1 - side],
        value: figure(sign * means[1 - side][passedAt], 4),
        step: placeOn(axis.by, steps[passedAt]),
      }),
    ]
  })
}

import type { Config, Message } from '../../../logs/model/run.js'
import type { Scope, Verdict } from '../../../logs/model/verdict.js'
import type { Goal } from '../../../logs/model/vocabulary/metric.js'
import { mean } from '../../../stats/descriptive.js'
import { FEWEST_EVALUATIONS, pairedMean } from '../../../stats/paired-mean.js'
import { type StudentEstimate, welch } from '../../../stats/student-estimate.js'
import { comparisonSentences as message } from '../../../text/compare.js'
import { figure, fixed } from '../../../text/numbers.js'
import type { SeriesPoints } from '../../store/series.js'
import { align } from '../align.js'
import { scopeOf } from '../conventions.js'
import { judge, undetermined } from './judge.js'
import type { QuestionSpec } from './specification.js'

/** What a side costs: time first, then what explains it. No equivalence margin: a clock is not an opinion. */

export const COST_METRICS = ['time.step', 'throughput', 'mfu', 'tokens'] as const

export type CostMetric = (typeof COST_METRICS)[number]

const GOALS: { readonly [metric in CostMetric]: Goal | null } = {
  'time.step': 'min',
  throughput: 'max',
  mfu: 'max',
  tokens: null,
}

/** What is known of one cost of one side: the logged series of its runs, or the range that a report gives. */
export interface Cost {
  readonly series: readonly SeriesPoints[]
  readonly range: Range | null
}

export interface Costly {
  readonly label: string
  readonly costs: ReadonlyMap<CostMetric, Cost>
}

/** Step time is always answered; the others only where both sides know them. */
export function compareCosts(baseline: Costly, other: Costly): Verdict[] {
  return COST_METRICS.flatMap(metric => {
    const asked: QuestionSpec = {
      question: 'cost',
      metric,
      goal: GOALS[metric],
      baseline: baseline.label,
      other: other.label,
      margin: null,
    }
    const [first, second] = [baseline.costs.get(metric), other.costs.get(metric)]
    if (first !== undefined && second !== undefined) return [compareCost(asked, first, second)]
    return metric === 'time.step' ? [unknown(asked, message('compare.no-step-time', {}))] : []
  })
}

function compareCost(asked: QuestionSpec, baseline: Cost, other: Cost): Verdict {
  if (baseline.series.length > 0 && other.series.length > 0) return compareSeries(asked, baseline.series, other.series)
  if (baseline.range !== null && other.range !== null) return compareRanges(asked, baseline.range, other.range)
  return unknown(asked, message('compare.no-step-time', {}))
}

function unknown(asked: QuestionSpec, reason: Message): Verdict {
  return undetermined(asked, { scope: 'runs', reasons: [reason] })
}

function compareSeries(
  asked: QuestionSpec,
  baseline: readonly SeriesPoints[],
  other: readonly SeriesPoints[],
): Verdict {
  const { steps, values } = align([...baseline, ...other])
  if (steps.length < FEWEST_EVALUATIONS)
    return unknown(asked, message('compare.too-few-steps', { n: steps.length, needed: FEWEST_EVALUATIONS }))
  const scope = scopeOf([baseline.length, other.length])
  const levels = values.map(run => mean(run))
  const [first, second] = [mean(levels.slice(0, baseline.length)), mean(levels.slice(baseline.length))]
  const reasons = [
    message('compare.cost-levels', { first: figure(first, 4), second: figure(second, 4), steps: steps.length }),
  ]
  const estimate = estimateOf(steps, values, levels, baseline.length, scope)
  if (estimate.standardError > ROUNDING * Math.abs(first)) return judge(asked, estimate, { scope, reasons })
  const isEqual = Math.abs(second - first) <= ROUNDING * Math.abs(first)
  const verdict = undetermined(asked, { scope, reasons }, isEqual ? 0 : second - first)
  return isEqual ? { ...verdict, answer: 'same' } : verdict
}

/**
 * A clock that is apart by the same at every step was not read: what is left are rounding errors. Clocks that show the
 * same at every step are equal, which takes no margin to say.
 */
const ROUNDING = 1e-9

function estimateOf(
  steps: readonly number[],
  values: readonly (readonly number[])[],
  levels: readonly number[],
  first: number,
  scope: Scope,
): StudentEstimate {
  if (scope === 'configs') return welch(levels.slice(0, first), levels.slice(first))
  return pairedMean(steps.map((_, i) => meanAt(values, i, first) - meanAt(values, i, 0, first)))
}

function meanAt(values: readonly (readonly number[])[], at: number, from: number, to = values.length): number {
  let sum = 0
  for (let run = from; run < to; run += 1) sum += values[run][at]
  return sum / (to - from)
}

/** From two ranges only a range follows; there is no middle to report. */
function compareRanges(asked: QuestionSpec, baseline: Range, other: Range): Verdict {
  const interval = [other.low - baseline.high, other.high - baseline.low] as const
  const reasons = [
    message('compare.cost-ranges', {
      first: `${baseline.low}–${baseline.high}`,
      second: `${other.low}–${other.high}`,
      least: fixed(100 * (other.low / baseline.high - 1), 0),
      most: fixed(100 * (other.high / baseline.low - 1), 0),
    }),
  ]
  const apart = interval[0] > 0 || interval[1] < 0
  const verdict = undetermined(asked, { scope: 'runs', reasons })
  const answer =
    !apart || asked.goal === null ? 'undetermined' : interval[0] > 0 === (asked.goal === 'max') ? 'better' : 'worse'
  return { ...verdict, interval, answer }
}

/**
 * Figures of the outcome that stand among the settings, because a report gave no more: `report.` followed by the
 * metric's name, often as a range. They are no difference in settings, and a range never becomes a number.
 */
interface Range {
  readonly low: number
  readonly high: number
}

const REPORTED = 'report.'

export function isReported(key: string): boolean {
  return key.startsWith(REPORTED)
}

/** Ranges such as `193-205` by the name of the metric. */
export function reportedRanges(config: Config): ReadonlyMap<string, Range> {
  const ranges = new Map<string, Range>()
  for (const [key, value] of Object.entries(config)) {
    if (!isReported(key)) continue
    const found = /^\s*(\d+(?:\.\d+)?)\s*(?:-|–|~|…|to|至)\s*(\d+(?:\.\d+)?)\s*$/.exec(String(value))
    if (found !== null) ranges.set(key.slice(REPORTED.length), { low: Number(found[1]), high: Number(found[2]) })
  }
  return ranges
}

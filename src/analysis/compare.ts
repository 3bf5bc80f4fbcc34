import type { Verdict } from '../model/verdict.js'
import type { Goal } from '../model/vocabulary/metric.js'
import { mean } from '../stats/descriptive.js'
import type { SeriesPoints } from '../store/series.js'
import { message } from '../text/say.js'
import { align, alignLoosely, meanSeries, type Window } from './align.js'
import { compareSpeed, compareStability } from './compare-course.js'
import { compareLevel, finalWindow } from './compare-level.js'
import { type Asked, undetermined } from './judge.js'

/** Sides against a baseline, by one metric. Pure: series in, verdicts out. */

export interface Side {
  readonly label: string
  /** One per replicate. */
  readonly series: readonly SeriesPoints[]
  /** Seconds per step, one series per replicate that logged it. */
  readonly stepTimes: readonly SeriesPoints[]
}

export interface Request {
  readonly metric: string
  readonly goal: Goal | null
  /** Absolute, or a share of the baseline's mean. */
  readonly margin: { readonly absolute: number } | { readonly share: number } | null
  readonly window?: Window
}

export interface Comparison {
  readonly verdicts: readonly Verdict[]
  readonly table: readonly TableRow[]
}

export interface TableRow {
  readonly step: number
  /** Mean over replicates; null where a side has no value. Never interpolated. */
  readonly values: readonly (number | null)[]
  /** The last side minus the first, where both have a value. */
  readonly diff: number | null
}

export function compareSides(sides: readonly Side[], request: Request): Comparison {
  const [baseline, ...others] = sides
  return {
    verdicts: others.flatMap(other => verdictsOn(baseline, other, request)),
    table: tableOf(sides, request.window),
  }
}

function verdictsOn(baseline: Side, other: Side, { metric, goal, margin, window }: Request): Verdict[] {
  const within = (series: readonly SeriesPoints[]): SeriesPoints[] => series.map(points => cut(points, window))
  const [first, second] = [within(baseline.series), within(other.series)]
  const shared = align([...first, ...second])
  const level = mean(shared.values.slice(0, first.length).flat())
  const absolute = margin === null ? null : 'absolute' in margin ? margin.absolute : Math.abs(level) * margin.share
  const asked = (question: Asked['question']): Asked => ({
    question,
    metric,
    goal,
    baseline: baseline.label,
    other: other.label,
    margin: Number.isFinite(absolute) ? absolute : null,
  })
  return [
    compareLevel(asked('level'), first, second),
    compareFinal(asked('final'), first, second),
    compareSpeed({ ...asked('speed'), margin: null }, first, second),
    compareStability({ ...asked('stability'), margin: null }, first, second),
    compareCost(baseline, other),
  ]
}

function compareFinal(asked: Asked, first: readonly SeriesPoints[], second: readonly SeriesPoints[]): Verdict {
  const window = finalWindow(first, second)
  if (window !== null) return compareLevel(asked, first, second, window)
  const n = Math.floor(align([...first, ...second]).steps.length / 3)
  return undetermined(asked, { scope: 'runs', reasons: [message('compare.no-final', { n, needed: 6 })] })
}

/** Seconds per step, over the steps that both logged. Less is better, and the clock needs no equivalence margin. */
function compareCost(baseline: Side, other: Side): Verdict {
  const asked: Asked = {
    question: 'cost',
    metric: 'time.step',
    goal: 'min',
    baseline: baseline.label,
    other: other.label,
    margin: null,
  }
  if (baseline.stepTimes.length === 0 || other.stepTimes.length === 0) {
    return undetermined(asked, { scope: 'runs', reasons: [message('compare.no-step-time', {})] })
  }
  return compareLevel(asked, baseline.stepTimes, other.stepTimes)
}

function tableOf(sides: readonly Side[], window?: Window): TableRow[] {
  const series = sides.map(({ series }) => cut(meanSeries(series), window))
  return alignLoosely(series).map(({ step, values }) => {
    const first = values[0]
    const last = values[values.length - 1]
    return { step, values, diff: first === null || last === null ? null : last - first }
  })
}

function cut(points: SeriesPoints, window?: Window): SeriesPoints {
  if (window === undefined) return points
  const kept = Array.from(points.steps.keys()).filter(
    i => points.steps[i] >= window.from && points.steps[i] <= window.to,
  )
  return {
    steps: Float64Array.from(kept, i => points.steps[i]),
    values: Float64Array.from(kept, i => points.values[i]),
    times: Float64Array.from(kept, i => points.times[i]),
    segments: Float64Array.from(kept, i => points.segments[i]),
  }
}

/** The question closest to what is shipped: the last third where it holds enough, else all shared steps. */
export function headline(verdicts: readonly Verdict[]): Verdict {
  const final = verdicts.find(({ question, interval }) => question === 'final' && interval !== null)
  return final ?? verdicts[0]
}

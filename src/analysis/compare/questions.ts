import type { Verdict } from '../../model/verdict.js'
import type { Goal } from '../../model/vocabulary/metric.js'
import { mean } from '../../stats/descriptive.js'
import { FEWEST_EVALUATIONS } from '../../stats/paired-mean.js'
import type { SeriesPoints } from '../../store/series.js'
import { message } from '../../text/say.js'
import { align, alignLoosely, meanSeries, type Window } from '../align.js'
import { absoluteSize, finalCount, finalSteps, type Size } from '../conventions.js'
import { onSamePrompts, type PromptScores } from '../prompt-scores.js'
import { type CheckpointScore, compareCheckpoint } from './checkpoint.js'
import { type Cost, type CostMetric, compareCosts } from './cost.js'
import { type Asked, undetermined } from './judge.js'
import { compareLevel, type Measured } from './level.js'
import { compareSpeed } from './speed.js'
import { compareStability } from './stability.js'

/** Sides against a baseline, by one metric. Pure: series in, verdicts out. */

export interface Side {
  readonly label: string
  /** One per replicate. */
  readonly series: readonly SeriesPoints[]
  /** Per-prompt scores, one per replicate; null where a replicate has none. */
  readonly scores?: readonly PromptScores[] | null
  /** Prompts behind each evaluation, where something tells. */
  readonly prompts?: number | null
  readonly costs?: ReadonlyMap<CostMetric, Cost>
  /** The step of `RUN@step`. */
  readonly checkpoint?: number | null
}

export interface Request {
  readonly metric: string
  readonly goal: Goal | null
  /** Absolute, or a share of the baseline's mean. */
  readonly margin: Size | null
  readonly window?: Window
}

export interface Comparison {
  readonly verdicts: readonly Verdict[]
  /** One per side but the first, in order: what stands behind its verdicts. */
  readonly others: readonly Against[]
  readonly table: readonly TableRow[]
}

export interface Against {
  readonly label: string
  /** One per question; that on cost is about step time. */
  readonly verdicts: readonly Verdict[]
  /** Step time, and what else is known of cost on both sides. */
  readonly costs: readonly Verdict[]
  /** The steps that all runs of both sides have. */
  readonly steps: readonly number[]
  /** The baseline's mean over them: what a percentage is of. */
  readonly level: number
}

export interface TableRow {
  readonly step: number
  /** Mean over replicates; null where a side has no value. Never interpolated. */
  readonly values: readonly (number | null)[]
  /** The last side minus the first, where both have a value. */
  readonly diff: number | null
}

export function compareSides(sides: readonly Side[], request: Request): Comparison {
  const [baseline, ...rest] = sides
  const others = rest.map(other => against(baseline, other, request))
  return { verdicts: others.flatMap(({ verdicts }) => verdicts), others, table: tableOf(sides, request.window) }
}

function against(baseline: Side, other: Side, { metric, goal, margin, window }: Request): Against {
  const [first, second] = measured(baseline, other, window)
  const { steps, values } = align([...first.series, ...second.series])
  const level = mean(values.slice(0, first.series.length).flat())
  const asked = (question: Asked['question']): Asked => ({
    question,
    metric,
    goal,
    baseline: baseline.label,
    other: other.label,
    margin: absoluteSize(margin, level),
  })
  const prompts = baseline.prompts ?? null
  const costs = compareCosts(
    { label: baseline.label, costs: baseline.costs ?? new Map() },
    { label: other.label, costs: other.costs ?? new Map() },
  )
  const verdicts = [
    ...checkpointVerdict(asked('checkpoint'), baseline, other, margin),
    compareLevel(asked('level'), first, second),
    compareFinal(asked('final'), first, second),
    compareSpeed({ ...asked('speed'), margin: null }, first.series, second.series),
    compareStability({ ...asked('stability'), margin: null }, first.series, second.series, prompts),
    costs[0],
  ]
  return { label: other.label, verdicts, costs, steps, level }
}

function measured(baseline: Side, other: Side, window?: Window): readonly [Measured, Measured] {
  const [first, second] = [baseline.scores ?? null, other.scores ?? null]
  const scores = first === null || second === null ? null : onSamePrompts([...first, ...second])
  const within = (series: readonly SeriesPoints[]): SeriesPoints[] => series.map(points => cut(points, window))
  return [
    { series: within(baseline.series), scores: scores?.slice(0, baseline.series.length) ?? null },
    { series: within(other.series), scores: scores?.slice(baseline.series.length) ?? null },
  ]
}

function compareFinal(asked: Asked, first: Measured, second: Measured): Verdict {
  const { steps } = align([...first.series, ...second.series])
  const last = finalSteps(steps)
  if (last !== null) return compareLevel(asked, first, second, { window: { from: last[0], to: last[last.length - 1] } })
  const reason = message('compare.no-final', { n: finalCount(steps.length), needed: FEWEST_EVALUATIONS })
  return undetermined(asked, { scope: 'runs', reasons: [reason] })
}

/** A margin in percent is of the baseline's value at its own step. */
function checkpointVerdict(asked: Asked, baseline: Side, other: Side, margin: Size | null): Verdict[] {
  const steps = [baseline.checkpoint ?? null, other.checkpoint ?? null]
  if (steps[0] === null || steps[1] === null) return []
  const scores = onSamePrompts([...(baseline.scores ?? []), ...(other.scores ?? [])])
  const both = baseline.scores != null && other.scores != null ? scores : null
  const first = scoreAt(baseline, steps[0], both?.slice(0, baseline.series.length) ?? null)
  const second = scoreAt(other, steps[1], both?.slice(baseline.series.length) ?? null)
  if (first === null || second === null) {
    const reasons = [message('compare.no-checkpoint', { step: first === null ? steps[0] : steps[1] })]
    return [undetermined(asked, { scope: 'checkpoints', reasons })]
  }
  return [compareCheckpoint({ ...asked, margin: absoluteSize(margin, first.value) }, first, second)]
}

function scoreAt(side: Side, step: number, scores: readonly PromptScores[] | null): CheckpointScore | null {
  const values = side.series.map(({ steps, values }) => values[steps.indexOf(step)])
  if (values.some(value => !Number.isFinite(value))) return null
  const byRun = scores?.map(({ byStep }) => byStep.get(step)) ?? []
  const whole = byRun.flatMap((scored, i) => (scored !== undefined && areBehind(scored, values[i]) ? [scored] : []))
  return {
    value: mean(values),
    n: side.prompts ?? null,
    scores: whole.length > 0 && whole.length === byRun.length ? meanOfRuns(whole) : null,
  }
}

/** Scores lent by another metric of the same evaluations say nothing of this one's value. Logs may print three decimals. */
function areBehind(scores: Float64Array, value: number): boolean {
  return Math.abs(mean(scores) - value) <= 5.1e-4 * Math.max(1, Math.abs(value))
}

function meanOfRuns(runs: readonly Float64Array[]): Float64Array {
  return runs[0].map((_, i) => mean(runs.map(scores => scores[i])))
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

/** The question closest to what is shipped: the checkpoints named, else the last third where it holds enough, else all. */
export function headline(verdicts: readonly Verdict[]): Verdict {
  const checkpoint = verdicts.find(({ question }) => question === 'checkpoint')
  const final = verdicts.find(({ question, interval }) => question === 'final' && interval !== null)
  return checkpoint ?? final ?? verdicts[0]
}

import { mean } from '../../stats/descriptive.js'
import type { Chart, ChartMark, Extent, PathMark } from './chart.js'
import { type ChartMetric, type ChartRequest, goalNotes } from './request.js'
import { progressText } from './scale.js'
import { saying } from './words.js'

/**
 * Score against √KL, each setting a path in step order: what the distance from the reference bought, and where it began to
 * cost. The square root spreads out small KL, where most of the gain is made (Gao et al. 2023 draw it so).
 */

export interface FrontierChartRequest extends ChartRequest {
  readonly metric: ChartMetric
  /** What was optimised, where that is not the score; it has a panel of its own. */
  readonly optimised: ChartMetric | null
  readonly settings: readonly FrontierPaths[]
  /** KL of the setting with the best score, as an interval. */
  readonly peak: Extent | null
}

export interface FrontierPaths {
  readonly label: string
  readonly runs: readonly (readonly FrontierPoint[])[]
}

interface FrontierPoint {
  readonly step: number
  readonly kl: number
  readonly score: number
  readonly optimised: number | null
}

/** Of so many runs each has its own path; of more, each setting has the mean of its runs. */
const MOST_RUNS = 6
/** More points on a path are a knot: each is the mean of a stretch of evaluations. */
const MOST_POINTS = 10

export function frontierChart({ language, metric, optimised, settings, peak }: FrontierChartRequest): Chart {
  const say = saying(language)
  const drawn = settings.filter(({ runs }) => runs.some(({ length }) => length > 0))
  const isEach = drawn.reduce((count, { runs }) => count + runs.length, 0) <= MOST_RUNS
  const paths = drawn.flatMap(({ label, runs }, style) =>
    isEach
      ? runs.map((run, i) => ({ name: runs.length > 1 ? `${label} ${i + 1}` : label, style, points: stretched(run) }))
      : [{ name: label, style, points: stretched(meanPath(runs)) }],
  )
  const panel = (up: ChartMetric, heightOf: (point: FrontierPoint) => number, isMarked: boolean) => {
    const marks = paths.map(({ name, style, points }) => pathMark(name, style, points, heightOf))
    return {
      x: { kind: 'value', name: '√KL', holds: [0] },
      y: { kind: 'value', name: up.name },
      marks: [
        ...(peak === null || !isMarked ? [] : [peakMark(peak, marks, say('charts.frontier.peak', {}))]),
        ...marks,
      ],
    } as const
  }
  const names = { metric: metric.name, settings: drawn.map(({ label }) => label).join(', ') }
  const isLong = drawn.some(({ runs }) => runs.some(({ length }) => length > MOST_POINTS))
  return {
    language,
    title: say('charts.frontier.title', names),
    description: say('charts.frontier.described', names),
    notes: [
      ...goalNotes(language, metric),
      say(isEach ? 'charts.frontier.runs' : 'charts.frontier.means', {}),
      ...(isLong ? [say('charts.frontier.stretches', {})] : []),
    ],
    panels: [
      panel(metric, ({ score }) => score, true),
      ...(optimised === null || paths.every(({ points }) => points.every(point => point.optimised === null))
        ? []
        : [panel(optimised, point => point.optimised ?? Number.NaN, false)]),
    ],
    findings: [],
  }
}

function pathMark(
  name: string,
  style: number,
  points: readonly FrontierPoint[],
  heightOf: (point: FrontierPoint) => number,
): PathMark {
  // The steps that a reader looks for: where it begins, half of the way, the end.
  const marked = [...new Set([0, Math.floor(points.length / 2), points.length - 1])].filter(at => at in points)
  return {
    kind: 'path',
    name,
    style,
    x: points.map(({ kl }) => Math.sqrt(Math.max(0, kl))),
    y: points.map(heightOf),
    labels: marked.map(at => ({ at, text: progressText(points[at].step, 'steps') })),
  }
}

function peakMark([low, high]: Extent, marks: readonly PathMark[], name: string): ChartMark {
  const heights = marks.flatMap(({ y }) => y.filter(value => value !== null && Number.isFinite(value))).map(Number)
  const y: Extent = [Math.min(...heights), Math.max(...heights)]
  return { kind: 'box', name, style: 'within', x: [Math.sqrt(low), Math.sqrt(high)], y }
}

/** The mean over runs at the steps that all of them have. */
function meanPath(runs: readonly (readonly FrontierPoint[])[]): readonly FrontierPoint[] {
  const [first, ...others] = runs
    .filter(({ length }) => length > 0)
    .map(points => new Map(points.map(point => [point.step, point])))
  if (first === undefined) return []
  return [...first.values()].flatMap(point => {
    const all = [point, ...others.flatMap(points => points.get(point.step) ?? [])]
    return all.length === others.length + 1 ? [meanPoint(point.step, all)] : []
  })
}

function stretched(points: readonly FrontierPoint[]): readonly FrontierPoint[] {
  const size = Math.ceil(points.length / MOST_POINTS)
  return Array.from({ length: Math.ceil(points.length / Math.max(1, size)) }, (_, i) => {
    const part = points.slice(i * size, (i + 1) * size)
    return meanPoint(part[part.length - 1].step, part)
  })
}

function meanPoint(step: number, points: readonly FrontierPoint[]): FrontierPoint {
  const optimised = points.flatMap(point => point.optimised ?? [])
  return {
    step,
    kl: mean(points.map(({ kl }) => kl)),
    score: mean(points.map(({ score }) => score)),
    optimised: optimised.length < points.length ? null : mean(optimised),
  }
}

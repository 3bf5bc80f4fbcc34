import { z } from 'zod'
import type { RunView } from '../analysis/run-view.js'
import { jsonNumber } from '../model/json.js'
import { readSeries, type SeriesPoints } from '../store/series.js'
import { render } from '../text/sentences.js'
import { figure, list, numberWithin, request } from './fields.js'
import { resolveAll } from './names.js'
import { problemOf, question } from './question.js'
import { alongSteps, drawn, type ExactPoints, type Outlines, type Ranges, type Window } from './series-outline.js'

/**
 * Series as a picture needs them: every point where there are few, else the range of each stretch, and how many points
 * there are in either case. A picture that zooms asks again for its window. Along time, tokens and samples the stretches
 * are made here, because the store orders points by step.
 */

const MOST = 4000
const USUALLY = 1000
/** A query of one short file keeps one core busy at most. */
const RUNS_AT_ONCE = 4

const along = z.enum(['steps', 'seconds', 'tokens', 'samples'])

const columns = {
  run: z.string(),
  metric: z.string(),
  canonical: z.string().nullable(),
  goal: z.enum(['max', 'min']).nullable(),
  unit: z.string().nullable(),
  /** Points in the window. */
  total: z.number(),
}

const seriesAnswer = z.object({
  along,
  series: list(
    z.discriminatedUnion('shown', [
      z.object({
        ...columns,
        shown: z.literal('exact'),
        x: list(z.number()),
        y: list(figure),
        /** At which step each was logged, where the axis is another. */
        steps: list(z.number()).optional(),
      }),
      z.object({
        ...columns,
        shown: z.literal('ranges'),
        /** Of each stretch, in the unit of the axis. */
        size: z.number(),
        from: list(z.number()),
        to: list(z.number()),
        low: list(figure),
        high: list(figure),
        mean: list(figure),
      }),
    ]),
  ),
  /** Runs whose log does not tell how far they were along this axis. */
  without: list(z.string()),
  /** Runs whose data cannot be read, and why. */
  unread: list(z.object({ run: z.string(), reason: z.string() })),
})

export type SeriesOutlineAnswer = z.infer<typeof seriesAnswer>
type OneSeries = SeriesOutlineAnswer['series'][number]

const seriesRequest = request({
  runs: list(z.string()).refine(runs => runs.length <= 200, { message: '200 runs at most' }),
  /** Raw names, or canonical ones: then the best carrier of each run. A run that has none is left out. */
  metric: list(z.string()).refine(metrics => metrics.length <= 50, { message: '50 metrics at most' }),
  along: along.default('steps'),
  /** The window, in the unit of the axis. */
  from: numberWithin({}),
  to: numberWithin({}),
  /** At most so many points or stretches of each. */
  most: numberWithin({ above: 9, below: MOST + 1, whole: true }),
})

export const series = question({
  request: seriesRequest,
  answer: seriesAnswer,
  async ask(workspace, asked, asking) {
    const runs = await resolveAll(workspace, asked.runs, asking)
    const window = { from: asked.from ?? Number.NEGATIVE_INFINITY, to: asked.to ?? Number.POSITIVE_INFINITY }
    const readOne = async (run: RunView): Promise<ReadRun> => {
      const { id } = run.manifest
      try {
        return { id, series: await seriesOfRun(run, asked, window) }
      } catch (error) {
        const problem = problemOf(error)
        if (problem === null || runs.length === 1) throw error
        return { id, reason: render(problem.sentence, asked.lang) }
      }
    }
    const read: ReadRun[] = []
    for (let at = 0; at < runs.length; at += RUNS_AT_ONCE) {
      asking.signal?.throwIfAborted()
      read.push(...(await Promise.all(runs.slice(at, at + RUNS_AT_ONCE).map(readOne))))
    }
    return {
      along: asked.along,
      series: read.flatMap(run => ('series' in run && run.series) || []),
      without: read.flatMap(run => ('series' in run && run.series === null ? [run.id] : [])),
      unread: read.flatMap(run => ('reason' in run ? [{ run: run.id, reason: run.reason }] : [])),
    }
  },
})

/** Without series where its log does not tell how far it was along the axis. */
type ReadRun =
  | { readonly id: string; readonly series: readonly OneSeries[] | null }
  | { readonly id: string; readonly reason: string }

type Wanted = z.output<typeof seriesRequest>

/** Null where its log does not tell how far it was along the axis. */
async function seriesOfRun(run: RunView, asked: Wanted, window: Window): Promise<readonly OneSeries[] | null> {
  const metrics = new Set(asked.metric.flatMap(name => run.metricsNamed(name).slice(0, 1)))
  const progress = asked.along === 'steps' ? null : await progressOf(run, asked.along)
  if (asked.along !== 'steps' && progress === null) return null
  const most = asked.most ?? USUALLY
  const read =
    progress === null
      ? await alongSteps(run, [...metrics], window, most)
      : await alongProgress(run, [...metrics], progress, window, most)
  return [...metrics].flatMap(metric => {
    const points = read.get(metric)
    return points === undefined ? [] : [{ run: run.manifest.id, metric, ...meaning(run, metric), ...points }]
  })
}

function meaning({ meaningOf }: RunView, metric: string) {
  const { canonical, goal, unit } = meaningOf(metric)
  return { canonical, goal, unit }
}

/** How far a run was at a step of one of its series; NaN where nothing tells. */
type Progress = (points: SeriesPoints, index: number) => number

/** Per step, or so far: of the former the sum is meant. */
const CARRIERS = {
  tokens: [
    { name: 'tokens.total', isSum: true },
    { name: 'tokens', isSum: false },
  ],
  samples: [
    { name: 'samples.generated', isSum: true },
    { name: 'samples', isSum: false },
    { name: 'episodes', isSum: true },
  ],
} as const

async function progressOf(run: RunView, unit: 'seconds' | 'tokens' | 'samples'): Promise<Progress | null> {
  if (unit === 'seconds') return sinceStart(run)
  for (const { name, isSum } of CARRIERS[unit]) {
    const [metric] = run.metricsNamed(name)
    const points = metric === undefined ? undefined : (await readSeries(run, [metric])).get(metric)
    if (points === undefined) continue
    const { steps, values } = points
    const reached = isSum ? values : runningSum(values)
    return (series, index) => valueAtStep(steps, reached, series.steps[index])
  }
  return null
}

async function sinceStart(run: RunView): Promise<Progress | null> {
  const start = run.manifest.about.startedAt ?? (await firstTime(run))
  return start === null ? null : ({ times }, index) => times[index] - start
}

async function firstTime(run: RunView): Promise<number | null> {
  for (const metric of [...run.manifest.metrics.keys()].slice(0, 3)) {
    const times = (await readSeries(run, [metric])).get(metric)?.times ?? []
    const first = times.find(time => Number.isFinite(time))
    if (first !== undefined) return first
  }
  return null
}

function runningSum(values: Float64Array): Float64Array {
  let sum = 0
  return values.map(value => {
    sum += Number.isFinite(value) ? value : 0
    return sum
  })
}

/** What was reached at the last step up to this one: nothing is interpolated. */
function valueAtStep(steps: Float64Array, reached: Float64Array, step: number): number {
  let [low, high] = [0, steps.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (steps[middle] <= step) low = middle + 1
    else high = middle
  }
  return low === 0 ? Number.NaN : reached[low - 1]
}

async function alongProgress(
  run: RunView,
  metrics: readonly string[],
  progress: Progress,
  { from, to }: Window,
  most: number,
): Promise<Outlines> {
  const found = new Map<string, ExactPoints | Ranges>()
  for (const metric of metrics) {
    const points = (await readSeries(run, [metric])).get(metric)
    if (points === undefined) continue
    const placed = [...points.steps.keys()]
      .map(index => ({ x: progress(points, index), y: points.values[index], step: points.steps[index] }))
      .filter(({ x }) => x >= from && x <= to)
      .sort((a, b) => a.x - b.x)
    if (placed.length > 0) found.set(metric, placed.length <= most ? pointsOf(placed) : rangesOf(placed, most))
  }
  return found
}

type Placed = { readonly x: number; readonly y: number; readonly step: number }

function pointsOf(placed: readonly Placed[]): ExactPoints {
  return {
    shown: 'exact',
    total: placed.length,
    x: placed.map(({ x }) => x),
    y: placed.map(({ y }) => jsonNumber(y)),
    steps: placed.map(({ step }) => step),
  }
}

function rangesOf(placed: readonly Placed[], most: number): Ranges {
  const first = placed[0].x
  const size = (placed[placed.length - 1].x - first) / most || 1
  const stretches: { from: number; to: number; low: number; high: number; sum: number; n: number; at: number }[] = []
  for (const { x, y } of placed) {
    const at = Math.min(most - 1, Math.floor((x - first) / size))
    let last = stretches[stretches.length - 1]
    if (last?.at !== at) {
      last = { from: x, to: x, low: Number.POSITIVE_INFINITY, high: Number.NEGATIVE_INFINITY, sum: 0, n: 0, at }
      stretches.push(last)
    }
    last.to = x
    if (!Number.isFinite(y)) continue
    last.low = Math.min(last.low, y)
    last.high = Math.max(last.high, y)
    last.sum += y
    last.n += 1
  }
  const orNothing = (n: number, value: number) => drawn(n === 0 ? Number.NaN : value)
  return {
    shown: 'ranges',
    total: placed.length,
    size,
    from: stretches.map(each => each.from),
    to: stretches.map(each => each.to),
    low: stretches.map(({ n, low }) => orNothing(n, low)),
    high: stretches.map(({ n, high }) => orNothing(n, high)),
    mean: stretches.map(({ n, sum }) => orNothing(n, sum / n)),
  }
}

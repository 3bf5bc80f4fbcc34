import { jsonNumber } from '../../logs/model/json.js'
import { readSeries, type SeriesPoints } from '../store/series.js'
import type { RunView } from './run-view.js'
import { alongSteps, drawn, type ExactPoints, type Outlines, type Ranges, type Window } from './series-outline.js'

/** Series along steps, time, tokens or samples. Along all but steps the stretches are made here: the store orders points by step. */
export type SeriesAxis = 'steps' | 'seconds' | 'time' | 'tokens' | 'samples'

/** Null where the log does not tell how far the run was along the axis. `log`: for a picture along powers of ten. */
export async function outlinesAlong(
  axis: SeriesAxis,
  run: RunView,
  metrics: readonly string[],
  { window, most, log = false }: { readonly window: Window; readonly most: number; readonly log?: boolean },
): Promise<Outlines | null> {
  const progress = axis === 'steps' ? null : await progressOf(run, axis)
  if (axis !== 'steps' && progress === null) return null
  const read: ReadOutlines = (names, part) =>
    progress === null ? alongSteps(run, names, part, most) : alongProgress(run, names, progress, part, most)
  return log ? dividedEarly(read, metrics, window) : read(metrics, window)
}

type ReadOutlines = (metrics: readonly string[], window: Window) => Promise<Outlines>

/** Along powers of ten the first stretches are the widest: this part of them is divided again, so often. */
const EARLY = 1 / 20
const DIVISIONS = 3

async function dividedEarly(
  read: ReadOutlines,
  metrics: readonly string[],
  window: Window,
  divisions = DIVISIONS,
): Promise<Outlines> {
  const outlines = await read(metrics, window)
  const coarse = [...outlines].flatMap(([metric, outline]) => (outline.shown === 'ranges' ? [{ metric, outline }] : []))
  if (coarse.length === 0 || divisions === 0) return outlines
  const [{ outline: first }] = coarse
  const edge = first.to[Math.floor(first.to.length * EARLY)]
  const names = coarse.map(({ metric }) => metric)
  const early = await dividedEarly(read, names, { from: window.from, to: edge }, divisions - 1)
  const divided = coarse.map(({ metric, outline }) => [metric, begunBy(early.get(metric), outline, edge)] as const)
  return new Map([...outlines, ...divided])
}

/** Ranges whose beginning is told by what is finer. */
function begunBy(early: ExactPoints | Ranges | undefined, whole: Ranges, edge: number): Ranges {
  const kept = whole.to.findIndex(to => to > edge)
  if (early === undefined || kept < 1) return whole
  const finer = early.shown === 'exact' ? asRanges(early) : early
  const after = finer.to.findIndex(to => to >= whole.from[kept])
  const joined = <Value>(before: readonly Value[], rest: readonly Value[]): readonly Value[] => [
    ...before.slice(0, after < 0 ? undefined : after),
    ...rest.slice(kept),
  ]
  return {
    ...whole,
    from: joined(finer.from, whole.from),
    to: joined(finer.to, whole.to),
    low: joined(finer.low, whole.low),
    high: joined(finer.high, whole.high),
    mean: joined(finer.mean, whole.mean),
  }
}

function asRanges({ x, y }: ExactPoints): Pick<Ranges, 'from' | 'to' | 'low' | 'high' | 'mean'> {
  return { from: x, to: x, low: y, high: y, mean: y }
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

async function progressOf(run: RunView, unit: Exclude<SeriesAxis, 'steps'>): Promise<Progress | null> {
  if (unit === 'time') return (await firstTime(run)) === null ? null : ({ times }, index) => times[index]
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

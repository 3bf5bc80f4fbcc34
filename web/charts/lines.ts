import type { ChartSeries, CurveMark, Envelope, Extent, ProgressUnit } from '../../src/core/charts/chart.js'
import { count } from '../../src/text/numbers.js'
import type { Answers } from '../api.js'
import type { Say } from '../words.js'

/** Series of panels: what they ask the server for, and what it sends as lines of a chart, smoothed where that is asked for. */

export type SentSeries = Answers['series']['series'][number]

export type Line = Pick<CurveMark, 'line' | 'smoothed'>

export function lineOf(sent: SentSeries, smoothing: number): Line {
  if (sent.shown === 'ranges') return smoothedRanges(sent, smoothing)
  const raw: ChartSeries = { x: sent.x, y: sent.y.map(numberOf) }
  if (smoothing < 2 || raw.x.length < smoothing) return { line: raw }
  return { line: { x: raw.x, y: movingMean(raw.y, smoothing) }, smoothed: { raw, over: smoothing } }
}

/**
 * The mean of runs at the steps that all of them have, one standard deviation around it, and each run; null where they
 * cannot be put together. Of ranges it is the mean of the stretches that lie in the same part of the axis.
 */
export function meanOf(
  members: readonly SentSeries[],
  smoothing = 1,
): (Required<Pick<CurveMark, 'line' | 'runs' | 'band'>> & Pick<CurveMark, 'smoothed'>) | null {
  const runs = members.every(({ shown }) => shown === 'exact') ? members.map(exactOf) : inSharedStretches(members)
  const byPlace = runs.map(({ x, y }) => new Map(x.map((place, i) => [place, y[i]])))
  const x = (runs[0]?.x ?? []).filter(place => byPlace.every(values => values.has(place)))
  if (x.length < 2) return null
  const means: number[] = []
  const stds: number[] = []
  for (const place of x) {
    const values = byPlace.map(each => each.get(place) ?? Number.NaN)
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length
    means.push(mean)
    stds.push(Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1)))
  }
  const raw = { x, y: means }
  const isSmooth = smoothing > 1 && x.length >= smoothing
  const y = isSmooth ? movingMean(means, smoothing) : means
  const bandAt = (sign: 1 | -1): readonly number[] => y.map((mean, i) => mean + sign * stds[i])
  return {
    line: { x, y },
    runs,
    band: { x, low: bandAt(-1), high: bandAt(1) },
    ...(isSmooth && { smoothed: { raw, over: smoothing } }),
  }
}

interface NumberSeries {
  readonly x: readonly number[]
  readonly y: readonly number[]
}

function exactOf(sent: SentSeries): NumberSeries {
  if (sent.shown === 'exact') return { x: sent.x, y: sent.y.map(numberOf) }
  return { x: sent.from.map((from, i) => (from + sent.to[i]) / 2), y: sent.mean.map(numberOf) }
}

/** Parts twice as long as the longest stretch: the middle of one lies in each, however the runs were cut. */
function inSharedStretches(members: readonly SentSeries[]): readonly NumberSeries[] {
  const size = 2 * Math.max(...members.map(sent => (sent.shown === 'ranges' ? sent.size : 0)))
  return members.map(exactOf).map(({ x, y }) => {
    const sums = new Map<number, { sum: number; n: number }>()
    for (const [i, place] of x.entries()) {
      if (!Number.isFinite(y[i])) continue
      const at = size * (Math.floor(place / size) + 0.5)
      const { sum, n } = sums.get(at) ?? { sum: 0, n: 0 }
      sums.set(at, { sum: sum + y[i], n: n + 1 })
    }
    return { x: [...sums.keys()], y: [...sums.values()].map(({ sum, n }) => sum / n) }
  })
}

/** Of ranges the band stays as it is; only the line through their means is smoothed. */
function smoothedRanges(sent: Extract<SentSeries, { shown: 'ranges' }>, smoothing: number): Line {
  const means = sent.mean.map(numberOf)
  const through = (mean: readonly number[]): Envelope => ({
    size: sent.size,
    count: sent.total,
    stretches: sent.from.map((from, i) => ({
      from,
      to: sent.to[i],
      low: numberOf(sent.low[i]),
      high: numberOf(sent.high[i]),
      mean: mean[i],
    })),
  })
  const raw = through(means)
  if (smoothing < 2) return { line: raw }
  const over = Math.round((smoothing * sent.total) / Math.max(1, means.length))
  return { line: through(movingMean(means, smoothing)), smoothed: { raw, over } }
}

function numberOf(value: number | string): number {
  return Number(value)
}

/** Centred, over as many finite neighbours as there are: nothing is delayed, nothing made up. A gap stays one. */
export function movingMean(values: readonly (number | null)[], over: number): readonly number[] {
  const sums = new Float64Array(values.length + 1)
  const counts = new Int32Array(values.length + 1)
  for (const [i, value] of values.entries()) {
    const isThere = value !== null && Number.isFinite(value)
    sums[i + 1] = sums[i] + (isThere ? value : 0)
    counts[i + 1] = counts[i] + (isThere ? 1 : 0)
  }
  const before = Math.floor((over - 1) / 2)
  return values.map((value, i) => {
    if (value === null || !Number.isFinite(value)) return Number.NaN
    const from = Math.max(0, i - before)
    const to = Math.min(values.length, i - before + over)
    return (sums[to] - sums[from]) / (counts[to] - counts[from])
  })
}

/** How much of the data is seen: all points, or ranges of more. */
export function countsText(series: readonly SentSeries[], runs: readonly { readonly id: string }[], say: Say): string {
  const ids = new Set(runs.map(({ id }) => id))
  let [points, shown] = [0, 0]
  for (const sent of series) {
    if (!ids.has(sent.run)) continue
    points += sent.total
    shown += sent.shown === 'exact' ? sent.x.length : sent.from.length
  }
  if (points === shown) return say('web.chart.exact', { points: count(points) })
  return say('web.chart.ranges', { points: count(points), shown: count(shown) })
}

/** `100:400` in an address. */
export function viewIn(text: string | null): Extent | undefined {
  const [from, to] = (text ?? '').split(':').map(Number)
  return Number.isFinite(from) && Number.isFinite(to) && from < to ? [from, to] : undefined
}

/** The part of its values that a reader wants to see of a metric: `y.entropy=0:1`. */
export function rangeIn(query: URLSearchParams, metric: string): Extent | undefined {
  return viewIn(query.get(rangeName(metric)))
}

export function rangeName(metric: string): string {
  return `y.${metric}`
}

/** Of the width of the window, so much may be lost: who zooms in by a thousand and out again is where he was. */
const LOST = 1e-9

export function viewText(view: Extent | null): string | null {
  if (view === null) return null
  const decimals = Math.max(0, Math.min(MOST_DECIMALS, Math.ceil(-Math.log10(LOST * (view[1] - view[0])))))
  return view.map(end => String(Number(end.toFixed(decimals)))).join(':')
}

const MOST_DECIMALS = 20

export const UNITS: readonly ProgressUnit[] = ['steps', 'seconds', 'time', 'tokens', 'samples']

/** Ranges of a series: one for each pixel or two of a panel, and fewer where there are many series. */
const LEAST = 100
const MOST = 600
const IN_ALL = 8000

export interface Axis extends LogAxes {
  readonly along: ProgressUnit
  readonly view: Extent | undefined
}

export interface LogAxes {
  readonly logX: boolean
  readonly logY: boolean
}

export function logIn(query: URLSearchParams, kept: LogAxes = { logX: false, logY: false }): LogAxes {
  const isOn = (name: string): boolean | null => (query.has(name) ? query.get(name) === 'on' : null)
  return { logX: isOn('logx') ?? kept.logX, logY: isOn('log') ?? kept.logY }
}

export function axisIn(query: URLSearchParams, kept?: LogAxes): Axis {
  const along = UNITS.find(unit => unit === query.get('along')) ?? 'steps'
  return { along, view: viewIn(query.get('x')), ...logIn(query, kept) }
}

/** A date has no power of ten to start from. */
export function isLogX({ along, logX }: Pick<Axis, 'along' | 'logX'>): boolean {
  return logX && along !== 'time'
}

/** As many ranges as panels have pixels, along the axis and in the window that the address names. */
export function seriesRequest(runs: readonly string[], metrics: readonly string[], axis: Omit<Axis, 'logY'>) {
  const { along, view } = axis
  const wide = metrics.length > 2 ? MOST : 2 * MOST
  return {
    runs,
    metric: metrics,
    along,
    most: Math.max(LEAST, Math.min(wide, Math.floor(IN_ALL / (runs.length * metrics.length || 1)))),
    ...(view && { from: view[0], to: view[1] }),
    ...(isLogX(axis) && { log: true }),
  }
}

/** How large one panel is: in columns of the page, and pixels of its plot. */
export interface PanelSpec {
  readonly metric: string
  readonly columns: number
  readonly height: number
}

export const USUAL_SIZE = { columns: 1, height: 190 } as const
/** More columns than any screen has. */
export const WHOLE_ROW = 6
const [LOWEST, HIGHEST] = [100, 1600]

export function sized(metric: string, columns: number, height: number): PanelSpec {
  const between = (low: number, value: number, high: number) => Math.round(Math.min(high, Math.max(low, value)))
  return { metric, columns: between(1, columns, WHOLE_ROW), height: between(LOWEST, height, HIGHEST) }
}

/** So many panels ask together, when they are seen. */
const AT_ONCE = 6

export function inRows<Panel>(panels: readonly Panel[]): readonly (readonly Panel[])[] {
  return Array.from({ length: Math.ceil(panels.length / AT_ONCE) }, (_, i) =>
    panels.slice(i * AT_ONCE, (i + 1) * AT_ONCE),
  )
}

interface NamedSeries {
  readonly run: string
  readonly metric: string
  readonly asked: readonly string[]
  readonly canonical: string | null
}

/** Whether a panel of this name shows it: by its own name, by one that it was asked by, or by what it means. */
export function isNamed({ metric, asked, canonical }: Omit<NamedSeries, 'run'>, name: string): boolean {
  return metric === name || asked.includes(name) || canonical === name
}

/** The series that bears a name, else the one that was meant: `val.score` may be the name of one series and the meaning of two. */
export function seriesNamed<Sent extends NamedSeries>(
  series: readonly Sent[],
  run: string,
  name: string,
): Sent | undefined {
  const own = series.filter(each => each.run === run && isNamed(each, name))
  return own.find(({ metric }) => metric === name) ?? own.find(({ asked }) => asked.includes(name)) ?? own[0]
}

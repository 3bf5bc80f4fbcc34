import type { ChartSeries, CurveMark, Envelope, Extent, ProgressUnit } from '../../src/core/charts/chart.js'
import type { Answers } from '../api.js'

/** Series of panels: what they ask the server for, and what it sends as lines of a chart, smoothed where that is asked for. */

export type SentSeries = Answers['series']['series'][number]

export type Line = Pick<CurveMark, 'line' | 'smoothed'>

export function lineOf(sent: SentSeries, smoothing: number): Line {
  if (sent.shown === 'ranges') return { line: rangesOf(sent, smoothing) }
  const raw: ChartSeries = { x: sent.x, y: sent.y.map(numberOf) }
  if (smoothing < 2 || raw.x.length < smoothing) return { line: raw }
  return { line: { x: raw.x, y: movingMean(raw.y, smoothing) }, smoothed: { raw, over: smoothing } }
}

/** The mean of replicates at the steps that all of them have, and each of them; null where they cannot be put together. */
export function meanOf(members: readonly SentSeries[]): Pick<CurveMark, 'line' | 'runs'> | null {
  const exact = members.flatMap(sent => (sent.shown === 'exact' ? [{ x: sent.x, y: sent.y.map(numberOf) }] : []))
  if (exact.length < members.length) return rangesTogether(members)
  const byStep = exact.map(({ x, y }) => new Map(x.map((step, i) => [step, y[i]])))
  const shared = exact[0].x.filter(step => byStep.every(values => values.has(step)))
  if (shared.length < 2) return null
  const meanAt = (step: number): number =>
    byStep.reduce((sum, values) => sum + (values.get(step) ?? 0), 0) / byStep.length
  return { line: { x: shared, y: shared.map(meanAt) }, runs: exact }
}

/** Ranges of the same stretches with as many points: from the lowest to the highest of all, and the mean of all. */
function rangesTogether(members: readonly SentSeries[]): Pick<CurveMark, 'line'> | null {
  const ranges = members.flatMap(sent => (sent.shown === 'ranges' ? [sent] : []))
  const stretchesOf = ({ total, from, to }: (typeof ranges)[number]): string => JSON.stringify([total, from, to])
  if (ranges.length < members.length || new Set(ranges.map(stretchesOf)).size > 1) return null
  const [{ size, from, to }] = ranges
  const at = (i: number, name: 'low' | 'high' | 'mean') => ranges.map(each => numberOf(each[name][i]))
  return {
    line: {
      size,
      count: ranges.reduce((sum, { total }) => sum + total, 0),
      stretches: from.map((start, i) => ({
        from: start,
        to: to[i],
        low: Math.min(...at(i, 'low')),
        high: Math.max(...at(i, 'high')),
        mean: at(i, 'mean').reduce((sum, mean) => sum + mean, 0) / ranges.length,
      })),
    },
  }
}

/** Of ranges the band stays as it is; only the line through their means is smoothed. */
function rangesOf(sent: Extract<SentSeries, { shown: 'ranges' }>, smoothing: number): Envelope {
  const means = sent.mean.map(numberOf)
  const smooth = smoothing < 2 ? means : movingMean(means, smoothing)
  return {
    size: sent.size,
    count: sent.total,
    stretches: sent.from.map((from, i) => ({
      from,
      to: sent.to[i],
      low: numberOf(sent.low[i]),
      high: numberOf(sent.high[i]),
      mean: Number(smooth[i]),
    })),
  }
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
export function countsOf(series: readonly SentSeries[]): { readonly points: number; readonly shown: number } {
  return series.reduce(
    (sum, sent) => ({
      points: sum.points + sent.total,
      shown: sum.shown + (sent.shown === 'exact' ? sent.x.length : sent.from.length),
    }),
    { points: 0, shown: 0 },
  )
}

/** `100:400` in an address. */
export function viewIn(text: string | null): Extent | undefined {
  const [from, to] = (text ?? '').split(':').map(Number)
  return Number.isFinite(from) && Number.isFinite(to) && from < to ? [from, to] : undefined
}

/** Of the width of the window, so much may be lost: who zooms in by a thousand and out again is where he was. */
const LOST = 1e-9

export function viewText(view: Extent | null): string | null {
  if (view === null) return null
  const decimals = Math.max(0, Math.min(MOST_DECIMALS, Math.ceil(-Math.log10(LOST * (view[1] - view[0])))))
  return view.map(end => String(Number(end.toFixed(decimals)))).join(':')
}

const MOST_DECIMALS = 20

export const UNITS: readonly ProgressUnit[] = ['steps', 'seconds', 'tokens', 'samples']

/** Ranges of a series: one for each pixel or two of a panel, and fewer where there are many series. */
const LEAST = 100
const MOST = 600
const IN_ALL = 8000

export interface Axis {
  readonly along: ProgressUnit
  readonly view: Extent | undefined
}

export function axisIn(query: URLSearchParams): Axis {
  return { along: UNITS.find(unit => unit === query.get('along')) ?? 'steps', view: viewIn(query.get('x')) }
}

/** As many ranges as panels have pixels, along the axis and in the window that the address names. */
export function seriesRequest(runs: readonly string[], metrics: readonly string[], { along, view }: Axis) {
  const wide = metrics.length > 2 ? MOST : 2 * MOST
  return {
    runs,
    metric: metrics,
    along,
    most: Math.max(LEAST, Math.min(wide, Math.floor(IN_ALL / (runs.length * metrics.length || 1)))),
    ...(view && { from: view[0], to: view[1] }),
  }
}

/** The series that bears a name, else the one that means it: `val.score` may be the name of one series and the meaning of two. */
export function seriesNamed<
  Sent extends { readonly run: string; readonly metric: string; readonly canonical: string | null },
>(series: readonly Sent[], run: string, name: string): Sent | undefined {
  const own = series.filter(each => each.run === run)
  return own.find(({ metric }) => metric === name) ?? own.find(({ canonical }) => canonical === name)
}

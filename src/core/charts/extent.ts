import {
  type ChartMark,
  type ChartSeries,
  type Extent,
  type GappedValues,
  isMeasured,
  type ValueAxis,
  type ValueRange,
} from './chart.js'
import { extentOf } from './scale.js'

/**
 * Which part of an axis a panel shows. A few values far away from all others would press the rest into a line at the
 * edge; such values are left outside the axis, and the plot marks each of them there.
 */

/** What lies in the window, with one point more at each side, so that lines run on to the edge. */
export function visible(series: ChartSeries, view: Extent | undefined): ChartSeries {
  if (view === undefined) return series
  const first = Math.max(0, firstAtLeast(series.x, view[0]) - 1)
  const end = Math.min(series.x.length, firstAtLeast(series.x, view[1]) + 2)
  return { x: series.x.slice(first, end), y: series.y.slice(first, end) }
}

function firstAtLeast(x: readonly number[], value: number): number {
  let [low, high] = [0, x.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (x[middle] < value) low = middle + 1
    else high = middle
  }
  return low
}

/** Along training the data say where the axis ends, of all panels together. */
export function progressExtent(marks: readonly ChartMark[]): Extent {
  return extentOf(
    marks.flatMap(mark => {
      if (mark.kind === 'curve') {
        const { line, runs = [] } = mark
        if ('stretches' in line) return [...line.stretches.slice(0, 1), ...line.stretches.slice(-1)].flatMap(ends)
        return [line, ...runs].flatMap(({ x }) => [...x.slice(0, 1), ...x.slice(-1)])
      }
      return mark.kind === 'points' ? mark.x : []
    }),
  )
}

function ends({ from, to }: ValueRange): readonly number[] {
  return [from, to]
}

interface Reach {
  /** Of each line, a few values may lie outside the axis. */
  readonly lines: readonly GappedValues[]
  /** Always inside. */
  readonly firm: readonly number[]
}

/** The values that a mark has on one of its axes. */
function reachOf(mark: ChartMark, axis: 'x' | 'y', view: Extent | undefined): Reach {
  switch (mark.kind) {
    case 'curve': {
      const { line, runs = [], smoothed, band } = mark
      const inside = (series: ChartSeries): GappedValues => visible(series, view).y
      if ('stretches' in line) {
        const seen = line.stretches.filter(({ from, to }) => view === undefined || (to >= view[0] && from <= view[1]))
        return { lines: [seen.map(({ low }) => low), seen.map(({ high }) => high)], firm: [] }
      }
      const ends = band === undefined ? [] : [band.low, band.high].map(y => inside({ x: band.x, y }))
      const behind = smoothed === undefined ? runs : [...runs, smoothed.raw]
      return { lines: [...[line, ...behind].map(inside), ...ends], firm: [] }
    }
    case 'path':
      return { lines: [mark[axis]], firm: [] }
    case 'points': {
      const ends = mark.bars?.along === axis ? [mark.bars.low, mark.bars.high] : []
      if (axis === 'x') return { lines: [mark.x, ...ends], firm: [] }
      return { lines: [mark.y, ...ends].map(y => visible({ x: mark.x, y }, view).y), firm: [] }
    }
    case 'box':
      return { lines: [], firm: mark[axis] }
    case 'rule':
      return { lines: [], firm: mark.axis === axis ? [mark.at] : [] }
    default:
      return { lines: [], firm: [] }
  }
}

/** Of so many points the farthest hundredth on either side, and one at least, does not decide where an axis ends. */
const ENOUGH = 20
const FARTHEST = 0.01

/** Left out is what lies more than one span of all the rest away, if the farthest lies more than two away. */
const FLATTENING = 2

/** Where a measured axis should reach; null when it has nothing to show. Powers of ten hold what is far away as it is. */
export function valueExtent(
  marks: readonly ChartMark[],
  axis: 'x' | 'y',
  { log = false, holds = [] }: Pick<ValueAxis, 'log' | 'holds'>,
  view?: Extent,
): Extent | null {
  const reaches = marks.map(mark => reachOf(mark, axis, view))
  const firm = [...holds, ...reaches.flatMap(reach => reach.firm)]
  const lines = [...firm.map(value => [value]), ...reaches.flatMap(reach => reach.lines)]
  const spans = lines.flatMap(line => spansOf(line, log))
  if (spans.length === 0) return null
  const full = extentOf(spans.flatMap(span => span.full))
  const core = extentOf(spans.flatMap(span => span.core))
  const size = core[1] - core[0]
  const isFarBelow = core[0] - full[0] > FLATTENING * size
  const isFarAbove = full[1] - core[1] > FLATTENING * size
  if (log || size === 0 || !(isFarBelow || isFarAbove)) return full
  const near = extentOf(
    lines.flatMap(line => line.filter(value => Number(value) >= core[0] - size && Number(value) <= core[1] + size)),
  )
  return [isFarBelow ? near[0] : full[0], isFarAbove ? near[1] : full[1]]
}

/** Where most of a line lies may be told from a part of it; what lies outside is counted among all values. */
const SAMPLE = 2000

/** From where to where all values lie, and all but the farthest; none for a line without values. */
function spansOf(line: GappedValues, log: boolean): readonly { readonly full: Extent; readonly core: Extent }[] {
  const sample: number[] = []
  const every = Math.ceil(line.length / SAMPLE)
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY]
  for (let i = 0; i < line.length; i += 1) {
    const value = line[i]
    if (!isMeasured(value) || (log && value <= 0)) continue
    if (value < low) low = value
    if (value > high) high = value
    if (i % every === 0) sample.push(value)
  }
  if (low > high) return []
  if (sample.length < ENOUGH) return [{ full: [low, high], core: [low, high] }]
  const sorted = Float64Array.from(sample).sort()
  const outer = Math.max(1, Math.floor(sorted.length * FARTHEST))
  return [{ full: [low, high], core: [sorted[outer], sorted[sorted.length - 1 - outer]] }]
}

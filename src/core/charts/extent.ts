import {
  type ChartFinding,
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
 * Which part of an axis a panel shows. A spike far away from all other values would press the rest into a line at the
 * edge; it is left outside the axis, and the plot marks it there. What a reader is told about is never left outside: the
 * first and the last point, a level that lasts, and what a finding is about.
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

/** Where powers of ten can begin: the first place along training that is not zero or below. */
export function leastPositive(marks: readonly ChartMark[]): number {
  const places = marks.flatMap(mark => {
    if (mark.kind !== 'curve') return mark.kind === 'points' ? mark.x.filter(x => x > 0) : []
    const { line, runs = [] } = mark
    if (!('stretches' in line)) return [line, ...runs].flatMap(({ x }) => x.find(place => place > 0) ?? [])
    const first = line.stretches.find(({ to }) => to > 0)
    return first === undefined ? [] : [first.from > 0 ? first.from : first.to / 2]
  })
  return extentOf(places)[0] || 1
}

function ends({ from, to }: ValueRange): readonly number[] {
  return [from, to]
}

interface Reach {
  /** Of each line, spikes may lie outside the axis. Without `x`, its points stand in no order. */
  readonly lines: readonly ReachedLine[]
  /** Always inside. */
  readonly firm: readonly number[]
}

interface ReachedLine {
  readonly x?: readonly number[]
  readonly y: GappedValues
}

/** The values that a mark has on one of its axes. */
function reachOf(mark: ChartMark, axis: 'x' | 'y', view: Extent | undefined): Reach {
  switch (mark.kind) {
    case 'curve': {
      const { line, runs = [], smoothed, band } = mark
      const inside = (series: ChartSeries): ReachedLine => visible(series, view)
      if ('stretches' in line) {
        const seen = line.stretches.filter(({ from, to }) => view === undefined || (to >= view[0] && from <= view[1]))
        const x = seen.map(({ from, to }) => (from + to) / 2)
        return { lines: [seen.map(({ low }) => low), seen.map(({ high }) => high)].map(y => ({ x, y })), firm: [] }
      }
      const ends = band === undefined ? [] : [band.low, band.high].map(y => inside({ x: band.x, y }))
      const raw = smoothed?.raw
      const behind = raw === undefined || 'stretches' in raw ? runs : [...runs, raw]
      return { lines: [...[line, ...behind].map(inside), ...ends], firm: [] }
    }
    case 'path':
      return { lines: [{ y: mark[axis] }], firm: [] }
    case 'points': {
      const ends = mark.bars?.along === axis ? [mark.bars.low, mark.bars.high] : []
      if (axis === 'x') return { lines: [mark.x, ...ends].map(y => ({ y })), firm: [] }
      return { lines: [mark.y, ...ends].map(y => visible({ x: mark.x, y }, view)), firm: [] }
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

/** Left out are spikes that lie more than one span of all the rest away, if the farthest lies more than two away. */
const FLATTENING = 2

/** More points in a row are no spike but a level. */
const LONGEST_SPIKE = 2

/** What must stay in sight, and of what window. */
export interface Sight {
  readonly view?: Extent | undefined
  readonly findings?: readonly ChartFinding[]
}

/** Where a measured axis should reach; null when it has nothing to show. Powers of ten hold what is far away as it is. */
export function valueExtent(
  marks: readonly ChartMark[],
  axis: 'x' | 'y',
  { log = false, holds = [] }: Pick<ValueAxis, 'log' | 'holds'>,
  { view, findings = [] }: Sight = {},
): Extent | null {
  const reaches = marks.map(mark => reachOf(mark, axis, view))
  const firm = [...holds, ...reaches.flatMap(reach => reach.firm)]
  const lines = [...firm.map((value): ReachedLine => ({ y: [value] })), ...reaches.flatMap(reach => reach.lines)]
  const spans = lines.flatMap(({ y }) => spansOf(y, log))
  if (spans.length === 0) return null
  const full = extentOf(spans.flatMap(span => span.full))
  const core = extentOf(spans.flatMap(span => span.core))
  const size = core[1] - core[0]
  const isFarBelow = core[0] - full[0] > FLATTENING * size
  const isFarAbove = full[1] - core[1] > FLATTENING * size
  if (log || size === 0 || !(isFarBelow || isFarAbove)) return full
  const near: Extent = [core[0] - size, core[1] + size]
  const held = extentOf(lines.flatMap(line => heldIn(line, near, { view, findings })))
  return [isFarBelow ? held[0] : full[0], isFarAbove ? held[1] : full[1]]
}

/** All of a line but the spikes that may be cut off: a few points in a row, with neighbours on both sides, cited by nothing. */
function heldIn({ x, y }: ReachedLine, near: Extent, { view, findings = [] }: Sight): readonly number[] {
  const held: number[] = []
  let spike: number[] = []
  let hasNeighbour = x === undefined
  const isCited = (i: number): boolean => x !== undefined && findings.some(finding => cites(finding, x, i))
  for (let i = 0; i < y.length; i += 1) {
    const value = y[i]
    // The point beyond each edge of a window is there for the line that runs to it, and is not seen itself.
    if (!isMeasured(value) || (x !== undefined && view !== undefined && (x[i] < view[0] || x[i] > view[1]))) continue
    if (value < near[0] || value > near[1]) {
      spike.push(value)
      if (isCited(i)) held.push(value)
      continue
    }
    if (!hasNeighbour || (x !== undefined && spike.length > LONGEST_SPIKE)) held.push(...spike)
    held.push(value)
    spike = []
    hasNeighbour = true
  }
  return x === undefined ? held : [...held, ...spike]
}

/** An error or a warning is about all of its steps and about where they came from; a note about its ends. */
function cites({ from, to, severity }: ChartFinding, x: readonly number[], i: number): boolean {
  if (severity !== 'note' && x[i] <= to && (x[i + 1] ?? Number.POSITIVE_INFINITY) >= from) return true
  return x[i] === from || x[i] === to
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

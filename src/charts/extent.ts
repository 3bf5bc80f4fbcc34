import { type Axis, type Extent, isMeasured, type Mark, type Numbers, type Series } from './chart.js'
import { extentOf } from './scale.js'

/**
 * Which part of an axis a panel shows. A few values far away from all others would press the rest into a line at the
 * edge; such values are left outside the axis, and the plot marks each of them there.
 */

/** What lies in the window, with one point more at each side, so that lines run on to the edge. */
export function visible(series: Series, view: Extent | undefined): Series {
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
export function progressExtent(marks: readonly Mark[]): Extent {
  return extentOf(
    marks.flatMap(mark => {
      if (mark.kind === 'curve') {
        const { line, runs = [] } = mark
        if ('stretches' in line) return line.stretches.flatMap(({ from, to }) => [from, to])
        return [line, ...runs].flatMap(({ x }) => [...extentOf(x)].filter(() => x.length > 0))
      }
      return mark.kind === 'points' ? mark.x : []
    }),
  )
}

interface Reach {
  /** Of each line, a few values may lie outside the axis. */
  readonly lines: readonly Numbers[]
  /** Always inside. */
  readonly firm: readonly number[]
}

/** The values that a mark has on one of its axes. */
function reachOf(mark: Mark, axis: 'x' | 'y', view: Extent | undefined): Reach {
  switch (mark.kind) {
    case 'curve': {
      const { line, runs = [], band } = mark
      const inside = (series: Series): Numbers => visible(series, view).y
      if ('stretches' in line) {
        const seen = line.stretches.filter(({ from, to }) => view === undefined || (to >= view[0] && from <= view[1]))
        return { lines: [seen.map(({ low }) => low), seen.map(({ high }) => high)], firm: [] }
      }
      const ends = band === undefined ? [] : [band.low, band.high].map(y => inside({ x: band.x, y }))
      return { lines: [...[line, ...runs].map(inside), ...ends], firm: [] }
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

/** How far beyond all others, in spans of theirs, values must lie to be left out, and the room that the others get. */
const FLATTENING = 2
const ROOM = 0.25

/** Where a measured axis should reach; null when it has nothing to show. */
export function valueExtent(
  marks: readonly Mark[],
  axis: 'x' | 'y',
  { log = false, holds = [] }: Pick<Extract<Axis, { kind: 'value' }>, 'log' | 'holds'>,
  view?: Extent,
): Extent | null {
  const reaches = marks.map(mark => reachOf(mark, axis, view))
  const usable = (value: number | null): value is number => isMeasured(value) && (!log || value > 0)
  const place = (value: number): number => (log ? Math.log10(value) : value)
  const lines = reaches.flatMap(reach => reach.lines).map(line => line.filter(usable).map(place))
  const firm = [...holds, ...reaches.flatMap(reach => reach.firm)].filter(usable).map(place)
  const all = [firm, ...lines].filter(({ length }) => length > 0)
  if (!lines.some(({ length }) => length > 0) && firm.length === 0) return null
  const full = extentOf(all.flatMap(line => [...extentOf(line)]))
  const core = extentOf([...firm, ...lines.filter(({ length }) => length > 0).flatMap(line => [...coreOf(line)])])
  const span = core[1] - core[0]
  const low = span > 0 && full[0] < core[0] - FLATTENING * span ? core[0] - ROOM * span : full[0]
  const high = span > 0 && full[1] > core[1] + FLATTENING * span ? core[1] + ROOM * span : full[1]
  return log ? [10 ** low, 10 ** high] : [low, high]
}

/** Where to cut may be told from a part of the values; what is cut is counted among all of them. */
const SORTED_AT_MOST = 20_000

function coreOf(values: readonly number[]): Extent {
  if (values.length < ENOUGH) return extentOf(values)
  const every = Math.ceil(values.length / SORTED_AT_MOST)
  const sorted = Float64Array.from(every === 1 ? values : values.filter((_, i) => i % every === 0)).sort()
  const outer = Math.max(1, Math.floor(sorted.length * FARTHEST))
  return [sorted[outer], sorted[sorted.length - 1 - outer]]
}

import {
  type BoxMark,
  type ChartMark,
  type CurveMark,
  type Envelope,
  isMeasured,
  type PathMark,
  type PointsMark,
  type RuleMark,
  type ValueRange,
} from './chart.js'
import { envelopeOf, type PlottedPoint, segmentsOf, touching } from './envelope.js'
import { cellShapes } from './heatmap.js'
import { placeLabels } from './label.js'
import { at, beyondOf, isInside, isShown, NOTHING, placed, polylines, type Segments } from './placing.js'
import { clamped, pixelAt } from './scale.js'
import {
  type Area,
  type Beyond,
  type ChartReading,
  type DrawnMark,
  type Fill,
  lines,
  type MarkLayers,
  type PanelFrame,
  type PixelPoint,
  rect,
  type Shape,
  type Stroke,
  segment,
  symbols,
  text,
} from './shapes.js'
import { lookOf, TYPE } from './theme.js'

/** Each kind of mark on a panel whose place is known: its shapes, the numbers that they stand for, and what did not fit. */

export function draw(mark: ChartMark, place: PanelFrame): DrawnMark {
  switch (mark.kind) {
    case 'curve':
      return drawCurve(mark, place)
    case 'path':
      return drawPath(mark, place)
    case 'points':
      return place.stretch !== null && mark.stems
        ? drawPointRanges(mark, place, place.stretch)
        : drawPoints(mark, place)
    case 'box':
      return { ...NOTHING, layers: { under: boxShapes(mark, place) } }
    case 'rule':
      return { ...NOTHING, layers: { over: ruleShapes(mark, place) } }
    case 'strokes':
      return { ...NOTHING, layers: { over: strokeShapes(mark.x, place) } }
    case 'cells':
      return { ...NOTHING, ...cellShapes(mark, place) }
  }
}

function drawCurve(mark: CurveMark, place: PanelFrame): DrawnMark {
  const { line, runs = [], smoothed, band } = mark
  const raw = smoothed?.raw
  if ('stretches' in line) return drawRanges(mark, place, raw !== undefined && 'stretches' in raw ? raw : line, line)
  const series = placed(line, place)
  const behind = [...runs, ...(raw !== undefined && 'x' in raw ? [raw] : [])].map(run => placed(run, place))
  if (place.stretch !== null) {
    const means = envelopeOf([series], place.stretch)
    return drawRanges(mark, place, behind.length > 0 ? envelopeOf(behind, place.stretch) : means, means)
  }
  const look = lookOf(mark.style)
  const segments = segmentsOf(series)
  const points = segments.flat()
  const thin = behind.flatMap(segmentsOf)
  const opacity = band === undefined ? 0.35 : 0.22
  return {
    ...NOTHING,
    layers: {
      ...thickLine(segments, mark, place),
      under: [
        ...(band === undefined ? [] : bandShapes(band, mark, place)),
        ...lines(polylines(thin, place), { colour: look.colour, width: 1, opacity }),
        ...symbols(lonely(thin, place), { ...look, symbol: 'circle', body: 'full', size: 3 }, opacity),
      ],
    },
    // Worked out when somebody points at it.
    get readings() {
      const places = new Map(band?.x.map((x, i) => [x, i]))
      return points
        .filter(({ x }) => isInside(place.x, x))
        .map(point => ({ series: mark.name, ...point, ...(band && ends(band, places.get(point.x) ?? -1)) }))
    },
    beyond: points.flatMap(point => beyondOf(mark, place, point)),
    gaps: segments.length > 1,
  }
}

/** A point between two gaps has no line; without a symbol it could not be seen. */
function lonely(segments: Segments, place: PanelFrame): readonly PixelPoint[] {
  return segments.filter(({ length }) => length === 1).map(([{ x, y }]) => at(place, x, y))
}

/** Up to so many points each has its symbol; of more points every so-manieth has, at other places for each side. */
const ALL_MARKED = 30
const MARKED = 9

function thickLine(segments: Segments, { style }: CurveMark, place: PanelFrame): MarkLayers {
  const look = lookOf(style)
  const points = segments.flat()
  const every = points.length <= ALL_MARKED ? 1 : Math.ceil(points.length / MARKED)
  const offset = Math.round(((Number(style) % 4) * every) / 4) % every
  const alone = new Set(segments.flatMap(one => (one.length === 1 ? one : [])))
  const marked = points.filter((point, i) => (i % every === offset || alone.has(point)) && isShown(place, point))
  return {
    over: lines(polylines(segments, place), { colour: look.colour, width: 2, dash: look.dash }),
    top: symbols(
      marked.map(({ x, y }) => at(place, x, y)),
      look,
    ),
  }
}

type Ends = Pick<NonNullable<CurveMark['band']>, 'low' | 'high'>

function ends({ low: lows, high: highs }: Ends, i: number): Pick<ChartReading, 'low' | 'high'> {
  const [low, high] = [lows[i], highs[i]]
  return isMeasured(low) && isMeasured(high) ? { low, high } : {}
}

function bandShapes(band: NonNullable<CurveMark['band']>, { style }: CurveMark, place: PanelFrame): readonly Shape[] {
  const { colour } = lookOf(style)
  const low = new Map(band.x.map((x, i) => [x, band.low[i]]))
  const outlines = segmentsOf(placed({ x: band.x, y: band.high }, place)).map(highs => {
    const lows = highs.flatMap(({ x }) => {
      const y = low.get(x)
      return isMeasured(y) ? [{ x, y }] : []
    })
    return [...highs, ...lows.toReversed()].map(({ x, y }) => at(place, x, y))
  })
  return closed(outlines, { colour, opacity: 0.16 }, { colour, width: 0.75, opacity: 0.35 })
}

function closed(outlines: readonly (readonly PixelPoint[])[], fill: Fill, stroke?: Stroke): readonly Shape[] {
  const whole = outlines.filter(({ length }) => length > 2)
  return whole.length === 0 ? [] : [{ kind: 'path', lines: whole, closed: true, fill, stroke }]
}

/** Behind a smoothed line, thin, the means that were logged. */
function drawRanges(mark: CurveMark, place: PanelFrame, range: Envelope, means: Envelope): DrawnMark {
  const { domain } = place.x
  const seen = (envelope: Envelope) =>
    touching({
      ...envelope,
      stretches: envelope.stretches.filter(
        ({ from, to }) => (to >= domain[0] || isInside(place.x, to)) && from <= domain[1],
      ),
    })
  const groups = seen(range)
  const outlines = groups.map(group => around(group, place))
  const middles = (means === range ? groups : seen(means)).map(middlesOf)
  const { colour } = lookOf(mark.style)
  const raw = mark.smoothed === undefined || means === range ? [] : groups.map(middlesOf)
  return {
    ...NOTHING,
    layers: {
      ...thickLine(middles, mark, place),
      under: [
        ...closed(outlines, { colour, opacity: 0.22 }),
        ...lines(polylines(raw, place), { colour, width: 1, opacity: 0.5 }),
      ],
    },
    beyond: beyondRanges(groups.flat(), mark, place),
    // Worked out when somebody points at it.
    get readings() {
      return rangeReadings(groups.flat(), mark)
    },
    gaps: groups.length > 1,
    ranged: range.count,
  }
}

function middlesOf(group: readonly ValueRange[]): readonly PlottedPoint[] {
  return group.map(({ from, to, mean }) => ({ x: (from + to) / 2, y: mean }))
}

/** Narrower stretches, in pixels, need no corners: the eye sees a band either way. */
const NARROW_STRETCH = 6

/** Along the highest values and back along the lowest. By a loop: twenty curves are ten thousand stretches. */
function around(group: readonly ValueRange[], place: PanelFrame): readonly PixelPoint[] {
  const points: PixelPoint[] = []
  const [{ from, to }] = group
  const isNarrow = group.length > 2 && pixelAt(place.x, to) - pixelAt(place.x, from) < NARROW_STRETCH
  const push = (stretch: ValueRange, up: number, isBack: boolean): void => {
    if (isNarrow) points.push(at(place, (stretch.from + stretch.to) / 2, up))
    else if (isBack) points.push(at(place, stretch.to, up), at(place, stretch.from, up))
    else points.push(at(place, stretch.from, up), at(place, stretch.to, up))
  }
  for (const stretch of group) push(stretch, stretch.high, false)
  for (let i = group.length - 1; i >= 0; i -= 1) push(group[i], group[i].low, true)
  return points
}

/** What ranges say in numbers. */
function rangeReadings(
  stretches: readonly ValueRange[],
  { name = '' }: CurveMark | PointsMark,
): readonly ChartReading[] {
  return stretches.map(({ from, to, low, high, mean }) => ({ series: name, x: from, until: to, y: mean, low, high }))
}

/** Which of them reach beyond the axis. */
function beyondRanges(
  stretches: readonly ValueRange[],
  mark: CurveMark | PointsMark,
  place: PanelFrame,
): readonly Beyond[] {
  return stretches.flatMap(({ from, to, low, high }) => {
    if (isInside(place.y, low) && isInside(place.y, high)) return []
    const x = clamped((from + to) / 2, ...place.x.domain)
    return (low === high ? [low] : [low, high]).flatMap(y => beyondOf(mark, place, { x, y }))
  })
}

function drawPath(mark: PathMark, place: PanelFrame): DrawnMark {
  const look = lookOf(mark.style)
  const segments: (PlottedPoint & { readonly isLarge: boolean })[][] = [[]]
  const large = new Set(mark.labels.map(label => label.at))
  mark.x.forEach((x, i) => {
    const y = mark.y[i]
    if (isMeasured(x) && isMeasured(y)) segments[segments.length - 1].push({ x, y, isLarge: large.has(i) })
    else segments.push([])
  })
  const points = segments.flat()
  const spots = (isLarge: boolean): readonly PixelPoint[] =>
    points.filter(point => point.isLarge === isLarge && isShown(place, point)).map(({ x, y }) => at(place, x, y))
  return {
    ...NOTHING,
    layers: {
      over: lines(polylines(segments, place), { colour: look.colour, width: 1.25, dash: look.dash, opacity: 0.6 }),
      top: [...symbols(spots(false), { ...look, size: 5 }), ...symbols(spots(true), { ...look, size: 10 })],
    },
    readings: points.map(({ x, y }) => ({ series: mark.name ?? '', x, y })),
    beyond: points.flatMap(point => beyondOf(mark, place, point)),
    gaps: segments.filter(({ length }) => length > 0).length > 1,
  }
}

/** The labels of all paths of a panel together, so that none lies on another. */
export function pathLabels(marks: readonly ChartMark[], place: PanelFrame): readonly Shape[] {
  const { area, measure } = place
  const spot = ({ x, y }: PathMark, i: number): readonly PlottedPoint[] => {
    const [across, up] = [x[i], y[i]]
    if (!isMeasured(across) || !isMeasured(up) || !isShown(place, { x: across, y: up })) return []
    const [left, top] = at(place, across, up)
    return [{ x: left - area.x, y: top - area.y }]
  }
  const paths = marks.filter(mark => mark.kind === 'path')
  const points = paths.flatMap(path => path.x.flatMap((_, i) => spot(path, i)))
  const labels = paths.flatMap(path =>
    path.labels.flatMap(label => spot(path, label.at).map(point => ({ ...point, text: label.text }))),
  )
  const room = { width: area.width, height: area.height, type: TYPE.small, points, measure }
  return placeLabels(labels, room).flatMap(({ label, x, y, wide }) => {
    const near = clamped(label.x, x, x + wide)
    const tie = segment(area.x + label.x, area.y + label.y, area.x + near, area.y + y)
    // A label that had to move away is tied to its point by a thin line.
    const isAway = Math.hypot(near - label.x, y - label.y) > 20
    return [
      ...lines(isAway ? [tie] : [], { colour: 'muted', width: 0.75 }),
      { ...text([area.x + x, area.y + y], label.text, TYPE.small), halo: true },
    ]
  })
}

/** How far what stands beside a measured point is moved, in pixels. */
const BESIDE = 14

function besideOf({ beside = false }: PointsMark, { area }: PanelFrame, [x, y]: PixelPoint): PixelPoint {
  if (!beside) return [x, y]
  return [x + BESIDE > area.x + area.width + 8 ? x - BESIDE : x + BESIDE, y]
}

function drawPoints(mark: PointsMark, place: PanelFrame): DrawnMark {
  const look = lookOf(mark.style)
  const points = mark.x.flatMap((x, i) => {
    const y = mark.y[i]
    return isMeasured(y) && (place.y.kind !== 'log' || y > 0) && isInside(place.x, x) ? [{ x, y, i }] : []
  })
  const size = points.length > place.area.width / 9 ? Math.min(look.size, 5) : look.size
  const shown = points.filter(point => isShown(place, point)).map(({ x, y }) => besideOf(mark, place, at(place, x, y)))
  const stems = mark.stems ? points.map(({ x, y }) => [at(place, x, 0), at(place, x, y)]) : []
  // In rows the value lies across, and the row has a name.
  const read = (x: number, y: number) => (place.y.kind === 'names' ? { x: place.y.ticks[y].text, y: x } : { x, y })
  return {
    ...NOTHING,
    layers: {
      under: lines(stems, { colour: look.colour, width: 1, opacity: 0.45 }),
      over: points.flatMap(({ x, y, i }) => barShapes(mark, place, { x, y }, i)),
      top: symbols(shown, { ...look, size }),
    },
    readings: points.map(({ x, y, i }) => ({
      series: mark.name ?? '',
      ...read(x, y),
      ...(mark.bars && ends(mark.bars, i)),
    })),
    beyond: points.flatMap(point => beyondOf(mark, place, point)),
  }
}

/** Thin in the colour of their points; in rows and beside other points they are what one looks at. */
function barShapes(mark: PointsMark, place: PanelFrame, { x, y }: PlottedPoint, i: number): readonly Shape[] {
  const { bars, beside = false } = mark
  const { low, high } = bars === undefined ? {} : ends(bars, i)
  if (bars === undefined || low === undefined || high === undefined) return []
  const inRows = bars.along === 'x'
  const isHeavy = inRows || beside
  const cap = isHeavy ? 5.5 : 3
  const [from, to] = [low, high].map(end => besideOf(mark, place, inRows ? at(place, end, y) : at(place, x, end)))
  const strokes = [
    [from, to],
    ...[from, to].map(([left, top]) =>
      inRows ? segment(left, top - cap, left, top + cap) : segment(left - cap, top, left + cap, top),
    ),
  ]
  const colour = inRows ? 'ink' : lookOf(mark.style).colour
  return [
    ...lines(beside ? strokes : [], { colour: 'paper', width: 5 }),
    ...lines(strokes, isHeavy ? { colour, width: 2 } : { colour, width: 1.25, opacity: 0.7 }),
  ]
}

function drawPointRanges(mark: PointsMark, place: PanelFrame, size: number): DrawnMark {
  const { count, stretches } = envelopeOf([placed(mark, place)], size)
  const fill = { colour: lookOf(mark.style).colour, opacity: 0.45 }
  return {
    ...NOTHING,
    readings: rangeReadings(stretches, mark),
    beyond: beyondRanges(stretches, mark, place),
    layers: {
      under: stretches.map(({ from, to, low, high }) => {
        const [[left, top], [right, bottom]] = [at(place, from, high), at(place, to, low)]
        return rect(left, top, right - left, Math.max(1, bottom - top), { fill })
      }),
    },
    ranged: count,
  }
}

/** Narrower than this, in pixels, an area could not be seen. */
const NARROWEST = 8

function boxShapes(mark: BoxMark, place: PanelFrame): readonly Shape[] {
  const { colour, dash } = lookOf(mark.style)
  const [[left, one], [right, other]] = [at(place, mark.x[0], mark.y[0]), at(place, mark.x[1], mark.y[1])]
  const [top, bottom, width] = [Math.min(one, other), Math.max(one, other), Math.max(NARROWEST, right - left)]
  const edges = dash.length === 0 ? [] : [left, right].map(x => segment(x, top, x, bottom))
  return [
    rect((left + right - width) / 2, top, width, Math.max(1, bottom - top), { fill: { colour, opacity: 0.22 } }),
    ...lines(edges, { colour: 'muted', width: 1, dash }),
  ]
}

function ruleShapes({ style, axis, at: value, over }: RuleMark, place: PanelFrame): readonly Shape[] {
  const { colour, dash } = lookOf(style)
  const span = over ?? (axis === 'y' ? place.x : place.y).domain
  const rule = span.map(end => (axis === 'y' ? at(place, end, value) : at(place, value, end)))
  return lines([rule], { colour, width: style === 'estimate' ? 2 : 1.25, dash })
}

/** More strokes than this would be a bar. */
export function fewEnough(x: readonly number[], { width }: Pick<Area, 'width'>): boolean {
  return x.length <= width / 4
}

function strokeShapes(steps: readonly number[], { area, x }: PanelFrame): readonly Shape[] {
  if (!fewEnough(steps, area)) return []
  const bottom = area.y + area.height
  const strokes = steps.map(step => pixelAt(x, step)).map(left => segment(left, bottom, left, bottom - 6))
  return lines(strokes, { colour: 'muted', width: 1.25 })
}

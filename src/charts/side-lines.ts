import type { LineSeriesOption } from 'echarts/charts'
import type { ChartBand, ChartLine, ChartSeries } from './chart.js'
import { drawing, type Place, polygon, type Shape } from './drawing.js'
import { type Envelope, envelopeOf, touching } from './envelope.js'
import { type ChartPoint, hasGap, segmentsOf, withGaps } from './gaps.js'
import type { Look } from './theme.js'

/** One side of a plot over steps: a thick line, the runs behind it, an interval around it. */

export interface CurveSide {
  readonly label: string
  /** The run, or the mean of the replicates. */
  readonly line: ChartLine
  readonly replicates?: readonly ChartLine[]
  readonly band?: ChartBand
}

export interface SidePlace {
  readonly name: string
  readonly look: Look
  /** Which side it is: markers of different sides are set apart. */
  readonly index: number
  readonly gridIndex: number
  /** Steps in each stretch, where there are more points than pixels. */
  readonly stretch: number | null
}

/** Up to so many points each has its marker; of more points every so-manieth has. */
const ALL_MARKED = 30
const MARKED = 9

export function sideLines(side: CurveSide, place: SidePlace): readonly ChartSeries[] {
  const { look, gridIndex, stretch } = place
  if (stretch !== null) {
    const behind = side.replicates ?? []
    const envelope = envelopeOf(behind.length > 0 ? behind : [side.line], stretch)
    const means = envelopeOf([side.line], stretch)
    return [envelopeBand(envelope, place), thickLine(meanPoints(means), place)]
  }
  return [
    ...(side.band === undefined ? [] : [intervalBand(side.band, look, gridIndex)]),
    ...(side.replicates ?? []).map(run =>
      thinLine(withGaps(run), look, gridIndex, side.band === undefined ? 0.35 : 0.22),
    ),
    thickLine(withGaps(side.line), place),
  ]
}

/** Whether the drawn line breaks anywhere. */
export function lineHasGap(line: ChartLine, stretch: number | null): boolean {
  return stretch === null ? hasGap(withGaps(line)) : touching(envelopeOf([line], stretch)).length > 1
}

function meanPoints(envelope: Envelope): readonly ChartPoint[] {
  return touching(envelope).flatMap((group, i) => [
    ...(i === 0 ? [] : [{ step: group[0].from, value: Number.NaN }]),
    ...group.map(({ from, to, mean }) => ({ step: (from + to) / 2, value: mean })),
  ])
}

function thickLine(
  points: readonly ChartPoint[],
  { name, look, index, gridIndex }: Omit<SidePlace, 'stretch'>,
): LineSeriesOption {
  const marked = markedAt(points, index)
  return {
    ...lineBase(gridIndex),
    name,
    z: 4,
    color: look.colour,
    lineStyle: { color: look.colour, width: 2, type: look.dash },
    itemStyle: { color: look.colour },
    symbol: look.symbol,
    symbolSize: 7,
    showSymbol: true,
    showAllSymbol: true,
    data: points.map(({ step, value }, i) => ({
      value: [step, Number.isNaN(value) ? '-' : value],
      symbol: marked.has(i) ? look.symbol : 'none',
    })),
  }
}

function thinLine(points: readonly ChartPoint[], look: Look, gridIndex: number, opacity: number): LineSeriesOption {
  const alone = lonely(points)
  return {
    ...lineBase(gridIndex),
    z: 3,
    color: look.colour,
    lineStyle: { color: look.colour, width: 1, opacity },
    itemStyle: { color: look.colour, opacity },
    symbolSize: 3,
    showSymbol: true,
    showAllSymbol: true,
    data: points.map(({ step, value }, i) => ({
      value: [step, Number.isNaN(value) ? '-' : value],
      symbol: alone.has(i) ? 'circle' : 'none',
    })),
  }
}

function lineBase(gridIndex: number) {
  return {
    type: 'line' as const,
    xAxisIndex: gridIndex,
    yAxisIndex: gridIndex,
    silent: true,
    emphasis: { disabled: true },
    connectNulls: false,
    clip: true,
  }
}

function markedAt(points: readonly ChartPoint[], index: number): ReadonlySet<number> {
  const measured = points.flatMap(({ value }, i) => (Number.isNaN(value) ? [] : [i]))
  if (measured.length <= ALL_MARKED) return new Set(measured)
  const every = Math.ceil(measured.length / MARKED)
  const offset = Math.round(((index % 4) * every) / 4)
  const regular = measured.filter((_, i) => i % every === offset)
  return new Set([...regular, ...lonely(points)])
}

/** A point between two gaps has no line; without a marker it could not be seen. */
function lonely(points: readonly ChartPoint[]): ReadonlySet<number> {
  const measured = (i: number): boolean => i >= 0 && i < points.length && !Number.isNaN(points[i].value)
  return new Set(points.flatMap((_, i) => (measured(i) && !measured(i - 1) && !measured(i + 1) ? [i] : [])))
}

function envelopeBand(envelope: Envelope, { look, gridIndex }: SidePlace): ChartSeries {
  const outline = ({ at }: Place): readonly Shape[] =>
    touching(envelope).map(group =>
      polygon(
        [
          ...group.flatMap(({ from, to, high }) => [at(from, high), at(to, high)]),
          ...group.toReversed().flatMap(({ from, to, low }) => [at(to, low), at(from, low)]),
        ],
        { colour: look.colour, opacity: 0.22 },
      ),
    )
  return drawing(outline, { gridIndex, z: 2 })
}

function intervalBand(band: ChartBand, look: Look, gridIndex: number): ChartSeries {
  const highs = withGaps({ steps: band.steps, values: band.high })
  const lowAt = new Map(Array.from(band.steps, (step, i) => [step, band.low[i]]))
  const draw = ({ at }: Place): readonly Shape[] =>
    segmentsOf(highs).map(segment => {
      const whole = segment.filter(({ step }) => Number.isFinite(lowAt.get(step)))
      return polygon(
        [
          ...whole.map(({ step, value }) => at(step, value)),
          ...whole.toReversed().map(({ step }) => at(step, lowAt.get(step) ?? 0)),
        ],
        { colour: look.colour, opacity: 0.16 },
        { colour: look.colour, width: 0.75, opacity: 0.35 },
      )
    })
  return drawing(draw, { gridIndex, z: 2 })
}

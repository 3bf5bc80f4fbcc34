import { say } from '../text/say.js'
import { AXIS_ROOM, labelRoom, overhang, quantityAxis, verticalAxis } from './axes.js'
import type { Chart, ChartMetric, ChartRequest, ChartSeries } from './chart.js'
import { drawing, line, type Place, type Shape, word } from './drawing.js'
import { BASE, distinctNames, EDGE, freeText, graphicOption, gridAt, head, legendName } from './frame.js'
import { fitted } from './label.js'
import { type PlacedLabel, placeLabels } from './place-labels.js'
import { extentOf, roundInterval, stepText, tickText, valueScale } from './scale.js'
import { colour, lookOf, TEXT, WIDTH } from './theme.js'

/** One metric against another along training, KL against reward above all: a path in step order, its ends labelled. */

export interface ScatterRequest extends ChartRequest {
  readonly across: ChartMetric
  readonly up: ChartMetric
  readonly sides: readonly ScatterSide[]
}

export interface ScatterSide {
  readonly label: string
  readonly steps: ArrayLike<number>
  readonly across: ArrayLike<number>
  readonly up: ArrayLike<number>
}

const PLOT_HEIGHT = 320

/** A path of more points is a knot; then each point is the mean of some steps, and the chart says so. */
const MOST_POINTS = 60

interface PathPoint {
  readonly from: number
  readonly to: number
  readonly across: number
  readonly up: number
}

export function scatterChart({ across, up, sides, language, width = WIDTH }: ScatterRequest): Chart {
  const names = distinctNames(sides.map(({ label }) => legendName(label, width)))
  const most = sides.reduce((count, { steps }) => Math.max(count, steps.length), 0)
  const size = most > MOST_POINTS ? Math.max(2, roundInterval(most / MOST_POINTS)) : 1
  const paths = sides.map(side => pathOf(side, size))
  const measured = paths.flat().filter(isMeasured)
  const horizontal = valueScale(extentOf(measured.map(point => point.across)), 7)
  const vertical = valueScale(extentOf(measured.map(point => point.up)), 8)
  const left = EDGE + labelRoom(vertical)
  const plotWidth = width - left - EDGE - overhang(tickText(horizontal.max, horizontal.interval))
  const above = head({
    title: say(language, 'charts.scatter.title', { up: up.name, across: across.name }),
    notes: [
      measured.length === 0
        ? say(language, 'charts.empty', {})
        : size === 1
          ? say(language, 'charts.scatter.order', {})
          : say(language, 'charts.scatter.means', { n: size }),
    ],
    entries: names.map(name => ({ name })),
    width,
  })
  const top = above.bottom + 18
  const pixels = ({ across: x, up: y }: PathPoint): { readonly x: number; readonly y: number } => ({
    x: ((x - horizontal.min) / (horizontal.max - horizontal.min)) * plotWidth,
    y: ((vertical.max - y) / (vertical.max - vertical.min)) * PLOT_HEIGHT,
  })
  const labels = placeLabels(
    paths.flatMap(endsOf).map(point => ({
      ...pixels(point),
      text: say(language, 'charts.at-step', { step: stepsText(point) }),
    })),
    { width: plotWidth, height: PLOT_HEIGHT, size: TEXT.small, points: measured.map(pixels) },
  )
  return {
    width,
    height: top + PLOT_HEIGHT + AXIS_ROOM,
    description: say(language, 'charts.scatter.described', {
      up: up.name,
      across: across.name,
      sides: names.join(', '),
    }),
    option: {
      ...BASE,
      graphic: graphicOption([
        ...above.graphics,
        freeText(EDGE, above.bottom - 2, fitted(up.name, width - 2 * EDGE, TEXT.label), {
          size: TEXT.label,
          colour: colour('muted'),
        }),
      ]),
      legend: above.legend,
      grid: gridAt({ left, top, width: plotWidth, height: PLOT_HEIGHT }),
      xAxis: quantityAxis(horizontal, fitted(across.name, plotWidth, TEXT.label)),
      yAxis: verticalAxis(vertical),
      series: [
        ...paths.flatMap((path, i) => pathSeries(names[i], path, i)),
        drawing(({ box }) => labels.flatMap(one => labelShapes(one, box)), { z: 7, clip: false }),
      ],
    },
  }
}

function isMeasured({ across, up }: PathPoint): boolean {
  return Number.isFinite(across) && Number.isFinite(up)
}

/** Means of `size` consecutive records; a record that lacks either value does not count, and none at all is a gap. */
function pathOf({ steps, across, up }: ScatterSide, size: number): readonly PathPoint[] {
  return Array.from({ length: Math.ceil(steps.length / size) }, (_, block) => {
    const records = Array.from({ length: Math.min(size, steps.length - block * size) }, (_, i) => block * size + i)
    const whole = records.filter(i => Number.isFinite(across[i]) && Number.isFinite(up[i]))
    const mean = (values: ArrayLike<number>): number => whole.reduce((sum, i) => sum + values[i] / whole.length, 0)
    return {
      from: steps[records[0]],
      to: steps[records[records.length - 1]],
      across: whole.length === 0 ? Number.NaN : mean(across),
      up: whole.length === 0 ? Number.NaN : mean(up),
    }
  })
}

function pathSeries(name: string, path: readonly PathPoint[], side: number): readonly ChartSeries[] {
  const look = lookOf(side)
  const first = path.findIndex(isMeasured)
  const last = path.findLastIndex(isMeasured)
  return [
    {
      type: 'line',
      name,
      silent: true,
      emphasis: { disabled: true },
      z: 4,
      color: look.colour,
      lineStyle: { color: look.colour, width: 1.25, type: look.dash, opacity: 0.6 },
      itemStyle: { color: look.colour },
      symbol: look.symbol,
      symbolSize: 5,
      showSymbol: true,
      showAllSymbol: true,
      data: path.map((point, i) => ({
        value: isMeasured(point) ? [point.across, point.up] : ['-', '-'],
        symbolSize: i === first || i === last ? 11 : 5,
      })),
    },
  ]
}

function endsOf(path: readonly PathPoint[]): readonly PathPoint[] {
  const first = path.find(isMeasured)
  const last = path.findLast(isMeasured)
  if (first === undefined || last === undefined) return []
  return first === last ? [first] : [first, last]
}

function stepsText({ from, to }: PathPoint): string {
  return from === to ? stepText(from) : `${stepText(from)}–${stepText(to)}`
}

/** A label that had to move away is tied to its point by a thin line. */
function labelShapes({ label, x, y, wide }: PlacedLabel, box: Place['box']): readonly Shape[] {
  const near = Math.min(Math.max(label.x, x), x + wide)
  const far = Math.hypot(near - label.x, y - label.y) > 20
  const at = (left: number, top: number): readonly [number, number] => [box.x + left, box.y + top]
  return [
    ...(far ? [line(at(label.x, label.y), at(near, y), { colour: colour('muted'), width: 0.75 })] : []),
    word(at(x, y), label.text, { size: TEXT.small, colour: colour('ink'), halo: colour('paper') }),
  ]
}

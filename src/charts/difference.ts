import { say } from '../text/say.js'
import { AXIS_ROOM, labelRoom, overhang, stepAxis, verticalAxis } from './axes.js'
import type { Chart, ChartMetric, ChartRequest, ChartSeries } from './chart.js'
import { drawing, line, type Place, rect, type Shape } from './drawing.js'
import { envelopeOf, isDense, stretchSize } from './envelope.js'
import { BASE, EDGE, graphicOption, gridAt, head } from './frame.js'
import { shown } from './label.js'
import { goalNote, joined } from './notes.js'
import { decimalsFor, extentOf, fixedText, type Scale, stepScale, stepText, valueScale, withSign } from './scale.js'
import { colour, WIDTH } from './theme.js'

/** The difference at each shared step, around zero: its mean with the interval, and the margin where one was set. */

export interface DifferenceRequest extends ChartRequest {
  readonly metric: ChartMetric
  readonly baseline: string
  readonly other: string
  readonly steps: ArrayLike<number>
  /** Other minus baseline, one per step. */
  readonly differences: ArrayLike<number>
  readonly estimate: number | null
  readonly interval: readonly [number, number] | null
  /** The steps that the estimate is over; all of them unless given. */
  readonly window?: readonly [number, number]
  readonly margin: number | null
}

const PLOT_HEIGHT = 220

export function differenceChart(request: DifferenceRequest): Chart {
  const { metric, baseline, other, estimate, interval, margin, language, width = WIDTH } = request
  const differences = { steps: request.steps, values: request.differences }
  const steps = extentOf(Array.from(request.steps))
  const reach = [
    ...(interval ?? []),
    ...(estimate === null ? [] : [estimate]),
    ...(margin === null ? [] : [margin, -margin]),
  ]
  const values = valueScale(extentOf([0, ...Array.from(request.differences), ...reach]), 8)
  const left = EDGE + labelRoom(values)
  const plotWidth = width - left - EDGE - overhang(stepText(steps[1]))
  const scale = stepScale(steps, plotWidth / 80)
  const stretch = isDense([differences], plotWidth) ? stretchSize([differences], steps, plotWidth) : null
  const window = request.window ?? steps
  const decimals = decimalsFor(values.max - values.min)
  const names = {
    points: say(language, stretch === null ? 'charts.difference.points' : 'charts.difference.ranges', {
      n: stepText(stretch ?? 1),
    }),
    mean: say(language, 'charts.difference.mean', { from: stepText(window[0]), to: stepText(window[1]) }),
    interval: say(language, 'charts.interval', {}),
    margin: say(language, 'charts.margin', { margin: margin === null ? '' : fixedText(margin, decimals) }),
  }
  const sides = { other: shown(other), baseline: shown(baseline) }
  const found = Array.from(request.differences).some(Number.isFinite)
  const numbers = estimate === null ? null : withSign(estimate, decimals)
  const ends = interval === null ? null : `${withSign(interval[0], decimals)} … ${withSign(interval[1], decimals)}`
  const judged = [
    ...(numbers === null ? [] : [say(language, 'charts.difference.estimate', { estimate: numbers })]),
    ...(ends === null ? [] : [say(language, 'charts.difference.interval', { ends })]),
  ]
  const above = head({
    title: say(language, 'charts.difference.title', { ...sides, metric: metric.name }),
    notes: found
      ? [joined(language, [...goalNote(language, metric.goal ?? null), ...judged])].filter(note => note !== '')
      : [say(language, 'charts.empty', {})],
    entries: [
      { name: names.points, ...(stretch !== null && { icon: 'rect' }) },
      ...(estimate === null ? [] : [{ name: names.mean, bare: true }]),
      ...(interval === null ? [] : [{ name: names.interval, icon: 'rect' }]),
      ...(margin === null ? [] : [{ name: names.margin, bare: true }]),
    ],
    width,
  })
  return {
    width,
    height: above.bottom + PLOT_HEIGHT + AXIS_ROOM,
    description: say(language, 'charts.difference.described', {
      ...sides,
      metric: metric.name,
      n: request.steps.length,
    }),
    option: {
      ...BASE,
      graphic: graphicOption(above.graphics),
      legend: above.legend,
      grid: gridAt({ left, top: above.bottom, width: plotWidth, height: PLOT_HEIGHT }),
      xAxis: stepAxis(scale, { name: say(language, 'charts.step', {}) }),
      yAxis: verticalAxis(values),
      series: [
        ...(interval === null ? [] : [intervalSeries(names.interval, interval, window)]),
        zeroLine(scale),
        ...(margin === null ? [] : [margin, -margin].map(value => marginLine(names.margin, value, scale))),
        stretch === null
          ? pointSeries(names.points, differences, plotWidth)
          : rangeSeries(names.points, envelopeOf([differences], stretch)),
        ...(stretch === null ? [stems(differences)] : []),
        ...(estimate === null ? [] : [levelLine(names.mean, estimate, window)]),
      ],
    },
  }
}

interface Differences {
  readonly steps: ArrayLike<number>
  readonly values: ArrayLike<number>
}

function pointSeries(name: string, { steps, values }: Differences, plotWidth: number): ChartSeries {
  return {
    type: 'line',
    name,
    silent: true,
    emphasis: { disabled: true },
    z: 4,
    color: colour('blue'),
    lineStyle: { width: 0 },
    symbol: 'circle',
    symbolSize: steps.length > plotWidth / 8 ? 4 : 7,
    showSymbol: true,
    showAllSymbol: true,
    data: Array.from(steps, (step, i) => [step, Number.isFinite(values[i]) ? values[i] : '-']),
  }
}

function stems({ steps, values }: Differences): ChartSeries {
  const draw = ({ at }: Place): readonly Shape[] =>
    Array.from(steps).flatMap((step, i) =>
      Number.isFinite(values[i])
        ? [line(at(step, 0), at(step, values[i]), { colour: colour('blue'), width: 1, opacity: 0.45 })]
        : [],
    )
  return drawing(draw, { z: 3 })
}

function rangeSeries(name: string, { stretches }: ReturnType<typeof envelopeOf>): ChartSeries {
  const fill = { colour: colour('blue'), opacity: 0.45 }
  const draw = ({ at }: Place): readonly Shape[] =>
    stretches.map(({ from, to, low, high }) => {
      const [x, top] = at(from, high)
      const [right, bottom] = at(to, low)
      return rect(x, top, right - x, Math.max(1, bottom - top), fill)
    })
  return drawing(draw, { name, fill, z: 3 })
}

function zeroLine({ min, max }: Scale): ChartSeries {
  return drawing(({ at }) => [line(at(min, 0), at(max, 0), { colour: colour('ink'), width: 1.25 })], { z: 3 })
}

/** Narrower than this, in pixels, a band could not be seen. */
const NARROWEST = 8

function intervalSeries(
  name: string,
  [low, high]: readonly [number, number],
  [from, to]: readonly [number, number],
): ChartSeries {
  const fill = { colour: colour('vermillion'), opacity: 0.2 }
  const draw = ({ at }: Place): readonly Shape[] => {
    const [x, top] = at(from, high)
    const [right, bottom] = at(to, low)
    const width = Math.max(NARROWEST, right - x)
    return [rect((x + right - width) / 2, top, width, Math.max(1, bottom - top), fill)]
  }
  return drawing(draw, { name, fill, z: 1 })
}

function levelLine(name: string, value: number, [from, to]: readonly [number, number]): ChartSeries {
  return flatLine(name, value, from, to, { color: colour('vermillion'), width: 2, type: 'solid' })
}

function marginLine(name: string, value: number, { min, max }: Scale): ChartSeries {
  return flatLine(name, value, min, max, { color: colour('ink'), width: 1.25, type: [6, 4] })
}

function flatLine(
  name: string,
  value: number,
  from: number,
  to: number,
  lineStyle: { readonly color: string; readonly width: number; readonly type: 'solid' | number[] },
): ChartSeries {
  return {
    type: 'line',
    name,
    silent: true,
    emphasis: { disabled: true },
    z: 5,
    color: lineStyle.color,
    lineStyle,
    symbol: 'none',
    data: [
      [from, value],
      [to, value],
    ],
  }
}

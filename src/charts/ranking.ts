import { say } from '../text/say.js'
import { AXIS_ROOM, labelRoom, overhang, stepAxis, verticalAxis } from './axes.js'
import type { Chart, ChartMetric, ChartRequest, ChartSeries } from './chart.js'
import { drawing, line, type Place, polygon, type Shape } from './drawing.js'
import { BASE, DIAMOND, EDGE, graphicOption, gridAt, head } from './frame.js'
import { goalNote, joined } from './notes.js'
import { decimalsFor, extentOf, fixedText, stepScale, stepText, valueScale } from './scale.js'
import { colour, WIDTH } from './theme.js'

/** Checkpoints by score: which are indistinguishable from the best, and what the best is worth without its luck. */

export interface RankingRequest extends ChartRequest {
  readonly metric: ChartMetric
  readonly scores: readonly CheckpointPoint[]
  readonly best: {
    readonly step: number
    readonly value: number
    readonly shrunken: number | null
    readonly interval: readonly [number, number] | null
  }
  /** Steps. */
  readonly indistinguishable: readonly number[]
}

export interface CheckpointPoint {
  readonly step: number
  readonly value: number
  /** The error bar's ends. */
  readonly interval?: readonly [number, number] | null
}

const PLOT_HEIGHT = 260

export function rankingChart({
  metric,
  scores,
  best,
  indistinguishable,
  language,
  width = WIDTH,
}: RankingRequest): Chart {
  const measured = scores.filter(({ value }) => Number.isFinite(value)).toSorted((a, b) => a.step - b.step)
  const steps = extentOf(measured.map(({ step }) => step))
  const values = valueScale(
    extentOf([
      ...measured.flatMap(({ value, interval }) => [value, ...(interval ?? [])]),
      ...(best.interval ?? []),
      best.shrunken ?? Number.NaN,
    ]),
    8,
  )
  const left = EDGE + labelRoom(values) + 6
  const plotWidth = width - left - EDGE - overhang(stepText(steps[1])) - 6
  const scale = stepScale(steps, plotWidth / 80)
  const decimals = decimalsFor(values.max - values.min)
  const alike = new Set(indistinguishable)
  const names = {
    alike: say(language, 'charts.ranking.alike', { n: alike.size }),
    rest: say(language, 'charts.ranking.rest', {}),
    best: say(language, 'charts.ranking.best', { step: stepText(best.step), value: fixedText(best.value, decimals) }),
    shrunken: say(language, 'charts.ranking.shrunken', {
      value: best.shrunken === null ? '' : fixedText(best.shrunken, decimals),
    }),
  }
  const rest = measured.filter(({ step }) => !alike.has(step))
  const chosen = measured.filter(({ step }) => alike.has(step))
  const above = head({
    title: say(language, 'charts.ranking.title', { metric: metric.name }),
    notes: [
      joined(language, [
        ...goalNote(language, metric.goal ?? null),
        ...(measured.length === 0 ? [say(language, 'charts.empty', {})] : []),
        ...(measured.some(({ interval }) => interval != null) ? [say(language, 'charts.ranking.bars', {})] : []),
      ]),
    ].filter(note => note !== ''),
    entries: [
      { name: names.alike },
      ...(rest.length > 0 ? [{ name: names.rest }] : []),
      { name: names.best },
      ...(best.shrunken === null ? [] : [{ name: names.shrunken, icon: DIAMOND }]),
    ],
    width,
  })
  const size = measured.length > plotWidth / 9 ? 5 : 8
  return {
    width,
    height: above.bottom + PLOT_HEIGHT + AXIS_ROOM,
    description: say(language, 'charts.ranking.described', {
      metric: metric.name,
      n: measured.length,
      best: stepText(best.step),
      alike: indistinguishable.map(stepText).join(', '),
    }),
    option: {
      ...BASE,
      graphic: graphicOption(above.graphics),
      legend: above.legend,
      grid: gridAt({ left, top: above.bottom, width: plotWidth, height: PLOT_HEIGHT }),
      xAxis: { ...stepAxis(scale, { name: say(language, 'charts.step', {}) }) },
      yAxis: verticalAxis(values),
      series: [
        errorBars(rest, colour('axis'), size),
        errorBars(chosen, colour('blue'), size),
        scoreSeries(names.rest, rest, { symbol: 'emptyCircle', size, colour: colour('axis') }),
        scoreSeries(names.alike, chosen, { symbol: 'circle', size, colour: colour('blue') }),
        scoreSeries(names.best, [best], { symbol: 'emptyCircle', size: size + 9, colour: colour('ink'), hollow: true }),
        ...(best.shrunken === null ? [] : [shrunkenSeries(names.shrunken, best.step, best.shrunken, best.interval)]),
      ],
    },
  }
}

interface ScoreLook {
  readonly symbol: 'circle' | 'emptyCircle'
  readonly size: number
  readonly colour: string
  /** Without a fill, so that what it rings stays visible. */
  readonly hollow?: boolean
}

function scoreSeries(
  name: string,
  points: readonly CheckpointPoint[],
  { symbol, size, colour: own, hollow = false }: ScoreLook,
): ChartSeries {
  return {
    type: 'line',
    name,
    silent: true,
    emphasis: { disabled: true },
    clip: false,
    z: hollow ? 6 : 5,
    color: own,
    lineStyle: { width: 0 },
    itemStyle: hollow ? { color: 'transparent', borderColor: own, borderWidth: 1.5 } : { color: own },
    symbol: hollow ? 'circle' : symbol,
    symbolSize: size,
    showSymbol: true,
    showAllSymbol: true,
    data: points.map(({ step, value }) => [step, value]),
  }
}

function errorBars(points: readonly CheckpointPoint[], own: string, size: number): ChartSeries {
  const stroke = { colour: own, width: 1.25, opacity: 0.7 }
  const cap = size / 2 - 1
  const draw = ({ at }: Place): readonly Shape[] =>
    points.flatMap(({ step, interval }) => {
      if (interval == null) return []
      const [x, bottom] = at(step, interval[0])
      const top = at(step, interval[1])[1]
      return [
        line([x, bottom], [x, top], stroke),
        line([x - cap, top], [x + cap, top], stroke),
        line([x - cap, bottom], [x + cap, bottom], stroke),
      ]
    })
  return drawing(draw, { z: 3, clip: false })
}

/** Beside the best as measured, so that neither hides the other. */
const BESIDE = 14

function shrunkenSeries(
  name: string,
  step: number,
  value: number,
  interval: readonly [number, number] | null,
): ChartSeries {
  const own = colour('vermillion')
  const draw = ({ at, box }: Place): readonly Shape[] => {
    const [centre, y] = at(step, value)
    const x = centre + BESIDE > box.x + box.width + 8 ? centre - BESIDE : centre + BESIDE
    const ends = (interval ?? []).map(end => at(step, end)[1])
    const bar = { colour: own, width: 2.5 }
    return [
      ...(ends.length === 2
        ? [
            line([x, ends[0]], [x, ends[1]], { colour: colour('paper'), width: 6 }),
            line([x, ends[0]], [x, ends[1]], bar),
          ]
        : []),
      ...ends.map(end => line([x - 5, end], [x + 5, end], bar)),
      polygon(
        [
          [x, y - 8],
          [x + 8, y],
          [x, y + 8],
          [x - 8, y],
        ],
        { colour: own },
        { colour: colour('paper'), width: 1 },
      ),
    ]
  }
  return drawing(draw, { name, fill: { colour: own }, z: 7, clip: false })
}

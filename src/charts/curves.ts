import { say } from '../text/say.js'
import { AXIS_ROOM, labelRoom, overhang, stepAxis, verticalAxis } from './axes.js'
import type { Chart, ChartMarker, ChartMetric, ChartRequest, ChartSeries } from './chart.js'
import { drawing, line, type Place, type Shape } from './drawing.js'
import { isDense, stretchSize } from './envelope.js'
import { BASE, distinctNames, EDGE, graphicOption, gridAt, head, legendName } from './frame.js'
import { badgeRoom, markerKey, markerSeries, placeMarkers } from './markers.js'
import { curveNotes } from './notes.js'
import { extentOf, stepScale, stepText, valueScale } from './scale.js'
import { type CurveSide, lineHasGap, sideLines } from './side-lines.js'
import { colour, lookOf, WIDTH } from './theme.js'

/** A metric over steps, for several sides: intervals, replicates, the steps that all share, findings. */

export interface CurvesRequest extends ChartRequest {
  readonly metric: ChartMetric
  readonly sides: readonly CurveSide[]
  /** Marked on the axis: where the sides can be compared. */
  readonly sharedSteps?: readonly number[]
  readonly markers?: readonly ChartMarker[]
}

const PLOT_HEIGHT = 260

export function curvesChart({
  metric,
  sides,
  sharedSteps = [],
  markers = [],
  language,
  width = WIDTH,
}: CurvesRequest): Chart {
  const names = distinctNames(sides.map(({ label }) => legendName(label, width)))
  const all = sides.flatMap(({ line, replicates = [] }) => [line, ...replicates])
  const steps = extentOf(all.flatMap(({ steps }) => Array.from(steps)))
  const values = valueScale(
    extentOf([
      ...all.flatMap(({ values }) => Array.from(values)),
      ...sides.flatMap(({ band }) => (band === undefined ? [] : [...Array.from(band.low), ...Array.from(band.high)])),
    ]),
    8,
  )
  const left = EDGE + labelRoom(values)
  const plotWidth = width - left - EDGE - overhang(stepText(steps[1]))
  const scale = stepScale(steps, plotWidth / 80)
  const stretch = isDense(all, plotWidth) ? stretchSize(all, steps, plotWidth) : null
  const ticks = sharedSteps.length <= plotWidth / 4 ? sharedSteps : []
  const above = head({
    title: metric.name,
    notes: curveNotes(language, {
      goal: metric.goal ?? null,
      replicates: sides.some(({ replicates = [] }) => replicates.length > 0),
      band: sides.some(({ band }) => band !== undefined),
      stretch,
      shared: sharedSteps.length > 0 ? { count: sharedSteps.length, ticks: ticks.length > 0 } : null,
      gaps: all.some(one => lineHasGap(one, stretch)),
      empty: !all.some(({ values }) => Array.from(values).some(Number.isFinite)),
    }),
    entries: names.map(name => ({ name })),
    width,
  })
  const placed = placeMarkers(markers, scale, { width: plotWidth })
  const top = above.bottom + badgeRoom(placed)
  const key = markerKey(placed, top + PLOT_HEIGHT + AXIS_ROOM + 4, width, language)
  return {
    width,
    height: top + PLOT_HEIGHT + AXIS_ROOM + (placed.length > 0 ? key.height + 8 : 0),
    description: say(language, 'charts.curves.described', {
      metric: metric.name,
      sides: names.join(', '),
      from: stepText(steps[0]),
      to: stepText(steps[1]),
    }),
    option: {
      ...BASE,
      graphic: graphicOption([...above.graphics, ...key.texts]),
      legend: above.legend,
      grid: gridAt({ left, top, width: plotWidth, height: PLOT_HEIGHT }),
      xAxis: stepAxis(scale, { name: say(language, 'charts.step', {}) }),
      yAxis: verticalAxis(values),
      series: [
        ...markerSeries(placed, scale),
        ...sides.flatMap((side, i) =>
          sideLines(side, { name: names[i], look: lookOf(i), index: i, gridIndex: 0, stretch }),
        ),
        ...(ticks.length > 0 ? [sharedTicks(ticks)] : []),
        ...key.series,
      ],
    },
  }
}

/** Strokes that stand on the axis, inside the plot; the axis' own ticks hang below it. */
function sharedTicks(steps: readonly number[]): ChartSeries {
  const draw = ({ at, box }: Place): readonly Shape[] =>
    steps.map(step => {
      const x = at(step, 0)[0]
      const bottom = box.y + box.height
      return line([x, bottom], [x, bottom - 6], { colour: colour('muted'), width: 1.25 })
    })
  return drawing(draw, { z: 1 })
}

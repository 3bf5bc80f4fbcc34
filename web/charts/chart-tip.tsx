import { Fragment } from 'react'
import type { Chart, Panel, ProgressUnit } from '../../src/core/charts/chart.js'
import type { Drawing, PlacedPanel } from '../../src/core/charts/layout.js'
import { readingsAt } from '../../src/core/charts/readings.js'
import { pixelAt, progressText } from '../../src/core/charts/scale.js'
import type { ChartReading } from '../../src/core/charts/shapes.js'
import { lookOf, paint } from '../../src/core/charts/theme.js'
import { figure } from '../../src/text/numbers.js'
import { useTheme } from '../preferences.js'

/** The numbers under the pointer: of each line the point there, the nearest first, and of a mean its runs. */

/** Where the pointer is: over which panel of the chart, and how high. The panels themselves are laid out again while it rests. */
export interface Hovered {
  readonly at: number
  readonly y: number
}

const TIP_WIDTH = 260
const MOST_ROWS = 12

export function Tip({
  chart,
  drawing: { panels, width },
  hovered,
  x,
  unit,
}: {
  readonly chart: Chart
  readonly drawing: Drawing
  readonly hovered: Hovered
  readonly x: number
  readonly unit: ProgressUnit
}) {
  const panel = panels[hovered.at]
  const readings = panel === undefined ? [] : nearestReadings(panel, x, hovered.y)
  if (panel === undefined || readings.length === 0) return null
  const members = membersAt(chart.panels[hovered.at], readings[0])
  const at = pixelAt(panel.x, x)
  const left = at + TIP_WIDTH + 16 > width ? Math.max(0, at - TIP_WIDTH - 12) : at + 12
  return (
    <div className="chart-tip" style={{ left, top: panel.area.y, width: TIP_WIDTH }}>
      {readings.slice(0, MOST_ROWS).map((reading, i) => (
        <Fragment key={reading.series}>
          <ReadingRow chart={chart} reading={reading} unit={unit} />
          {i === 0 &&
            members.map(([name, value]) => (
              <div key={name} className="chart-tip-row chart-tip-more">
                <span />
                <span className="chart-tip-name">{name}</span>
                <span>{figure(value, 4)}</span>
              </div>
            ))}
        </Fragment>
      ))}
      {readings.length > MOST_ROWS && <p className="chart-tip-more">… {readings.length - MOST_ROWS}</p>}
    </div>
  )
}

function ReadingRow({
  chart,
  reading: { series, x, until, y, low, high },
  unit,
}: {
  readonly chart: Chart
  readonly reading: ChartReading
  readonly unit: ProgressUnit
}) {
  const { theme } = useTheme()
  const style = chart.panels
    .flatMap(({ marks }) => marks)
    .flatMap(mark => ('name' in mark && mark.name === series && 'style' in mark ? [mark.style] : []))[0]
  const place = typeof x === 'number' ? progressText(x, unit) : x
  const colour = style === undefined ? 'currentColor' : paint(lookOf(style).colour, theme)
  return (
    <div className="chart-tip-row">
      <i style={{ background: colour }} />
      <span className="chart-tip-name">{series}</span>
      <b>{figure(y, 4)}</b>
      <span className="chart-tip-more">
        {until === undefined ? place : `${place}–${progressText(until, unit)}`}
        {low !== undefined && high !== undefined && ` · ${figure(low, 4)} … ${figure(high, 4)}`}
      </span>
    </div>
  )
}

/** The points at a place on the axis, the nearest to the pointer first. */
export function nearestReadings(panel: PlacedPanel, x: number, y: number): readonly ChartReading[] {
  const away = ({ y: value }: ChartReading): number => Math.abs(pixelAt(panel.y, value) - y)
  return readingsAt(panel, x).toSorted((a, b) => away(a) - away(b))
}

/** Of a mean, what each of its runs has there. */
function membersAt(panel: Panel | undefined, { series, x }: ChartReading): readonly (readonly [string, number])[] {
  return (panel?.marks ?? []).flatMap(mark => {
    if (mark.kind !== 'curve' || mark.name !== series || mark.runs === undefined) return []
    const { runs, runNames = [] } = mark
    return runs.flatMap((run, i) => {
      const value = run.y[run.x.indexOf(Number(x))]
      return typeof value === 'number' && runNames[i] !== undefined ? [[runNames[i], value] as const] : []
    })
  })
}

import { type CSSProperties, type ReactNode, useDeferredValue, useMemo, useState } from 'react'
import type { Chart, Extent } from '../../src/core/charts/chart.js'
import type { Answers } from '../api.js'
import { showOrigin } from '../origin-link.js'
import { Loading, ProblemBox } from '../parts.js'
import { useLanguage } from '../preferences.js'
import { useSay } from '../words.js'
import { ChartView } from './chart-view.js'
import { countsText, inRows, isNamed, type PanelSpec } from './lines.js'
import { type Charted, type ChartedRun, chartOf, pointsBehind, withoutText } from './metric-chart.js'
import { ResizeHandle } from './resize-handle.js'
import { useSeries, type WantedSeries } from './use-series.js'

/**
 * Panels to work with: a picture for each metric, side by side, each as wide and as high as its reader wants it. All share
 * crosshair and window; what their lines are stands once, beside them. So many at a time are asked for, when they are seen.
 */

interface Props extends Omit<WantedSeries, 'metrics'> {
  readonly panels: readonly PanelSpec[]
  readonly titleOf: (metric: string) => string
  readonly rangeOf?: (metric: string) => Extent | undefined
  /** Beside the title of each. */
  readonly toolsOf?: (panel: PanelSpec, title: string) => ReactNode
  /** Absent where their sizes are the page's choice. */
  readonly onSize?: (panel: PanelSpec) => void
}

export function PanelGrid({ panels, onShown, ...rest }: Props) {
  return (
    <div className="panel-rows">
      {inRows(panels).map((part, i) => (
        <PanelRow
          key={part.map(({ metric }) => metric).join()}
          panels={part}
          inSight={i === 0 ? IN_SIGHT_FIRST : 0}
          {...(i === 0 && { onShown })}
          {...rest}
        />
      ))}
    </div>
  )
}

function PanelRow({
  panels,
  inSight,
  titleOf,
  rangeOf,
  toolsOf,
  onSize,
  ...wanted
}: Props & { readonly inSight: number }) {
  const say = useSay()
  const { language } = useLanguage()
  const metrics = panels.map(({ metric }) => metric)
  const { runs, settings } = wanted
  const { along, smoothing, logX, logY } = settings
  const { answer, problem, box } = useSeries({ ...wanted, metrics })
  const ranges = Object.fromEntries(metrics.flatMap(metric => (rangeOf?.(metric) ? [[metric, rangeOf(metric)]] : [])))
  const titles = metrics.map(titleOf)
  // Runs are made again on every turn; what they hold is what counts.
  const key = JSON.stringify({ runs, metrics, titles, along, smoothing, logX, logY, ranges, language })
  const first = useMemo(() => chartsOf(key, answer, 0, inSight), [answer, key, inSight])
  // A reader sees the first of them a frame earlier, because the others are drawn after these.
  const later = useDeferredValue(answer)
  const others = useMemo(() => chartsOf(key, later, inSight), [later, key, inSight])
  return (
    <div ref={box} className="panel-grid">
      {problem !== null && <ProblemBox problem={problem} />}
      {answer !== null && <p className="hint">{withoutText(answer, runs, say)}</p>}
      {problem === null &&
        [...first, ...others].map(({ chart, charted }, i) => (
          <PanelView
            key={metrics[i]}
            panel={panels[i]}
            chart={chart}
            runs={runs}
            settings={settings}
            series={answer?.series ?? []}
            tools={toolsOf?.(panels[i], titles[i])}
            onSize={onSize}
            title={titles[i]}
            onPick={picked => showOrigin(pointsBehind(picked, charted, answer))}
          />
        ))}
    </div>
  )
}

const IN_SIGHT_FIRST = 2

function chartsOf(key: string, answer: Answers['series'] | null, from: number, to?: number) {
  const { titles, ...asked } = JSON.parse(key) as Omit<Charted, 'title' | 'findings'>
  return asked.metrics.slice(from, to).map((metric, i) => {
    const title = titles[from + i]
    const charted = { ...asked, metrics: [metric], titles: [title], title, findings: [] }
    return { charted, chart: answer && chartOf(charted, answer) }
  })
}

function PanelView({
  panel,
  title,
  chart,
  runs,
  settings: { view, onView },
  series,
  tools,
  onSize,
  onPick,
}: {
  readonly panel: PanelSpec
  readonly title: string
  readonly chart: Chart | null
  readonly runs: readonly ChartedRun[]
  readonly settings: Props['settings']
  readonly series: Parameters<typeof countsText>[0]
  readonly tools: ReactNode
  readonly onSize: Props['onSize']
  readonly onPick: NonNullable<Parameters<typeof ChartView>[0]['onPick']>
}) {
  const say = useSay()
  const [dragged, setDragged] = useState<PanelSpec | null>(null)
  // What none of these runs logs needs no room.
  if (chart?.panels.length === 0) return null
  const { metric } = panel
  const { columns, height } = dragged ?? panel
  const own = series.filter(sent => isNamed(sent, metric))
  return (
    <section className="panel" aria-label={title} style={{ '--span': columns } as CSSProperties}>
      <header className="panel-head">
        <h3 title={metric}>{title}</h3>
        {tools}
      </header>
      {chart === null ? (
        <div style={{ height: height + 60 }}>
          <Loading rows={4} />
        </div>
      ) : (
        <ChartView
          chart={chart}
          view={view}
          onView={onView}
          onPick={onPick}
          height={height}
          isBare
          counts={countsText(own, runs, say)}
        />
      )}
      {onSize !== undefined && <ResizeHandle panel={panel} title={title} onDrag={setDragged} onSize={onSize} />}
    </section>
  )
}

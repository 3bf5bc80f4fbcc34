import { type ReactNode, useDeferredValue, useMemo } from 'react'
import type { Chart, Extent } from '../../src/core/charts/chart.js'
import type { Answers } from '../api.js'
import { showOrigin } from '../origin-link.js'
import { Loading, ProblemBox } from '../parts.js'
import { useLanguage } from '../preferences.js'
import { useSay } from '../words.js'
import { ChartView } from './chart-view.js'
import { countsText, inRows, isNamed } from './lines.js'
import { type Charted, type ChartedRun, chartOf, pointsBehind, withoutText } from './metric-chart.js'
import { useSeries, type WantedSeries } from './use-series.js'

/**
 * Panels to work with: a picture for each metric, side by side, each as wide and as high as its reader wants it. All share
 * crosshair and window; what their lines are stands once, beside them. So many at a time are asked for, when they are seen.
 */

export interface PanelSpec {
  readonly metric: string
  readonly isWide: boolean
  readonly isTall: boolean
}

export interface PanelTools {
  /** Beside the title, and below the picture. */
  readonly head: ReactNode
  readonly foot?: ReactNode
}

interface Props extends Omit<WantedSeries, 'metrics'> {
  readonly panels: readonly PanelSpec[]
  readonly titleOf: (metric: string) => string
  readonly rangeOf?: (metric: string) => Extent | undefined
  readonly toolsOf?: (panel: PanelSpec, title: string) => PanelTools
  /** Of each plot, where the page decides it. */
  readonly height?: number
}

export function PanelGrid({ panels, onShown, ...rest }: Props) {
  return inRows(panels).map((part, i) => (
    <PanelRow
      key={part.map(({ metric }) => metric).join()}
      panels={part}
      inSight={i === 0 ? IN_SIGHT_FIRST : 0}
      {...(i === 0 && { onShown })}
      {...rest}
    />
  ))
}

const USUAL_HEIGHT = 190
const TALL = 1.7

function PanelRow({
  panels,
  inSight,
  titleOf,
  rangeOf,
  toolsOf,
  height,
  ...wanted
}: Props & { readonly inSight: number }) {
  const say = useSay()
  const { language } = useLanguage()
  const metrics = panels.map(({ metric }) => metric)
  const { runs, settings } = wanted
  const { along, smoothing, log } = settings
  const { answer, problem, box } = useSeries({ ...wanted, metrics })
  const ranges = Object.fromEntries(metrics.flatMap(metric => (rangeOf?.(metric) ? [[metric, rangeOf(metric)]] : [])))
  const titles = metrics.map(titleOf)
  // Runs are made again on every turn; what they hold is what counts.
  const key = JSON.stringify({ runs, metrics, titles, along, smoothing, log, ranges, language })
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
            height={height ?? USUAL_HEIGHT * (panels[i].isTall ? TALL : 1)}
            {...(toolsOf && { tools: toolsOf(panels[i], titles[i]) })}
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
  panel: { metric, isWide },
  title,
  chart,
  runs,
  settings: { view, onView },
  series,
  height,
  tools,
  onPick,
}: {
  readonly panel: PanelSpec
  readonly title: string
  readonly chart: Chart | null
  readonly runs: readonly ChartedRun[]
  readonly settings: Props['settings']
  readonly series: Parameters<typeof countsText>[0]
  readonly height: number
  readonly tools?: PanelTools
  readonly onPick: NonNullable<Parameters<typeof ChartView>[0]['onPick']>
}) {
  const say = useSay()
  // What none of these runs logs needs no room, unless the reader has asked for it.
  if (chart?.panels.length === 0 && tools?.foot === undefined) return null
  const own = series.filter(sent => isNamed(sent, metric))
  return (
    <section className={`panel${isWide ? ' wide' : ''}`} aria-label={title}>
      <header className="panel-head">
        <h3 title={metric}>{title}</h3>
        {tools?.head}
      </header>
      {chart === null ? (
        <div style={{ height: height + 60 }}>
          <Loading rows={4} />
        </div>
      ) : chart.panels.length === 0 ? (
        <p className="hint">{say('web.chart.nothing', { title })}</p>
      ) : (
        <ChartView
          chart={chart}
          view={view}
          onView={onView}
          onPick={onPick}
          height={height}
          isBare
          counts={countsText(own, runs, say)}
          tools={tools?.foot}
        />
      )}
    </section>
  )
}

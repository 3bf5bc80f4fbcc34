import { useMemo } from 'react'
import type { ChartFinding } from '../../src/core/charts/chart.js'
import { showOrigin } from '../origin-link.js'
import { Loading, ProblemBox } from '../parts.js'
import { useLanguage } from '../preferences.js'
import { useSay } from '../words.js'
import { ChartView } from './chart-view.js'
import { countsText } from './lines.js'
import { type Charted, chartOf, pointsBehind, withoutText } from './metric-chart.js'
import { useSeries, type WantedSeries } from './use-series.js'

/** Some metrics of some runs in one picture, a panel each over one axis, with the findings that go through all of them. */

interface Props extends WantedSeries, Pick<Parameters<typeof ChartView>[0], 'height' | 'isBare'> {
  readonly title: string
  readonly titleOf?: (metric: string) => string
  readonly findings?: readonly ChartFinding[]
  /** From where to where the reader wants to see a metric. */
  readonly ranges?: Charted['ranges']
  readonly onFull?: (metric: string) => void
}

export function MetricPanels({
  title,
  titleOf = name => name,
  findings = [],
  ranges = {},
  height,
  isBare = false,
  onFull,
  ...wanted
}: Props) {
  const say = useSay()
  const { language } = useLanguage()
  const { runs, metrics, settings } = wanted
  const { answer, problem, box } = useSeries(wanted)
  const { along, smoothing, logX, logY, view, onView } = settings
  const titles = metrics.map(titleOf)
  // Runs and findings are made again on every turn; what they hold is what counts.
  const charted = JSON.stringify({
    title,
    runs,
    metrics,
    titles,
    findings,
    ranges,
    along,
    smoothing,
    logX,
    logY,
    language,
  } satisfies Charted)
  const chart = useMemo(() => answer && chartOf(JSON.parse(charted) as Charted, answer), [answer, charted])
  return (
    <div ref={box} className="panels">
      {problem !== null && <ProblemBox problem={problem} />}
      {answer !== null && <p className="hint">{withoutText(answer, runs, say)}</p>}
      {answer !== null && answer.without.length === runs.length ? null : chart === null || answer === null ? (
        problem === null && <Loading rows={6} />
      ) : chart.panels.length === 0 ? (
        <p className="hint">{say('web.chart.nothing', { title })}</p>
      ) : (
        <ChartView
          chart={chart}
          view={view}
          onView={onView}
          onPick={picked => showOrigin(pointsBehind(picked, JSON.parse(charted) as Charted, answer))}
          counts={countsText(answer.series, runs, say)}
          height={height}
          isBare={isBare}
          onFull={onFull && (i => onFull(chart.panels[i].metric ?? metrics[i]))}
        />
      )}
    </div>
  )
}

import { useEffect, useLayoutEffect, useMemo, useState } from 'react'
import type { Chart, ChartFinding, CurveMark, Extent, ProgressUnit } from '../../src/core/charts/chart.js'
import { groupBy } from '../../src/logs/model/util/group-by.js'
import type { Language } from '../../src/text/language.js'
import { count } from '../../src/text/numbers.js'
import type { Answers } from '../api.js'
import { type OriginPoint, showOrigin } from '../origin-link.js'
import { Loading, ProblemBox } from '../parts.js'
import { useLanguage } from '../preferences.js'
import { useAsk } from '../use-ask.js'
import { useSay } from '../words.js'
import { ChartView, type PickedPoint } from './chart-view.js'
import { countsOf, lineOf, meanOf, seriesNamed, seriesRequest } from './lines.js'

/** Some metrics of some runs, a panel each, over one axis: asked for when they come into sight, and again for a window. */

export interface ChartedRun {
  readonly id: string
  readonly name: string
  /** Which of the looks it has. Runs that share one are replicates: their mean is drawn, each run thin behind it. */
  readonly look: number
  /** What replicates are called together. */
  readonly side?: string
}

export interface PanelSettings {
  readonly along: ProgressUnit
  /** Points in a row; 1 is off. */
  readonly smoothing: number
  readonly log: boolean
  readonly view: Extent | undefined
  readonly onView: (view: Extent | null) => void
}

interface Props {
  readonly title: string
  readonly runs: readonly ChartedRun[]
  /** By what words to ask for the runs, where it need not wait until it is known which they are. */
  readonly named?: readonly string[] | undefined
  readonly metrics: readonly string[]
  readonly titleOf?: (metric: string) => string
  readonly findings?: readonly ChartFinding[]
  readonly settings: PanelSettings
  /** Told once the curves stand in the page, or it is known why they do not. */
  readonly onShown?: () => void
}

export function MetricPanels({
  title,
  runs,
  named,
  metrics,
  titleOf = name => name,
  findings = [],
  settings,
  onShown,
}: Props) {
  const say = useSay()
  const { language } = useLanguage()
  const [box, isSeen] = useIsSeen()
  const ids = runs.map(({ id }) => id)
  const { along, smoothing, log, view, onView } = settings
  const asked = named ?? ids
  const request = seriesRequest(asked, metrics, { along, view: useSettled(view) })
  const isAsked = isSeen && asked.length > 0 && metrics.length > 0
  const { answer: sent, problem } = useAsk('series', isAsked ? request : null, { touching: ids, keeps: true })
  const answer = ids.length === 0 ? null : sent
  const isShown = answer !== null || problem !== null
  useEffect(() => {
    if (isShown) onShown?.()
  }, [isShown, onShown])
  const titles = metrics.map(titleOf)
  // Runs and findings are made anew on every turn; what they hold is what counts.
  const charted = JSON.stringify({
    title,
    runs,
    metrics,
    titles,
    findings,
    along,
    smoothing,
    log,
    language,
  } satisfies Charted)
  const chart = useMemo(() => answer && chartOf(JSON.parse(charted) as Charted, answer), [answer, charted])
  const counts = answer === null ? null : countsOf(answer.series.filter(({ run }) => ids.includes(run)))
  return (
    <div ref={box} className="panels">
      {problem !== null && ids.length > 0 && <ProblemBox problem={problem} />}
      {answer !== null && answer.without.length > 0 && along !== 'steps' && (
        <p className="hint">{say(`web.axis.without.${along}`, { runs: namesOf(answer.without, runs) })}</p>
      )}
      {answer !== null && answer.without.length === ids.length ? null : chart === null || counts === null ? (
        problem === null && <Loading rows={6} />
      ) : chart.panels.length === 0 ? (
        <p className="hint">{say('web.chart.nothing', { title })}</p>
      ) : (
        <ChartView
          chart={chart}
          view={view}
          onView={onView}
          onPick={picked => showOrigin(pointsBehind(picked, JSON.parse(charted) as Charted, answer))}
          counts={
            counts.points === counts.shown
              ? say('web.chart.exact', { points: count(counts.points) })
              : say('web.chart.ranges', { points: count(counts.points), shown: count(counts.shown) })
          }
        />
      )}
    </div>
  )
}

const MOST_NAMED = 4

/** A few by name. */
function namesOf(ids: readonly string[], runs: readonly ChartedRun[]): string {
  const names = ids.map(id => runs.find(run => run.id === id)?.name ?? id)
  return `${names.slice(0, MOST_NAMED).join(', ')}${names.length > MOST_NAMED ? ' …' : ''}`
}

interface Charted extends Pick<PanelSettings, 'along' | 'smoothing' | 'log'> {
  readonly title: string
  readonly runs: readonly ChartedRun[]
  readonly metrics: readonly string[]
  readonly titles: readonly string[]
  readonly findings: readonly ChartFinding[]
  readonly language: Language
}

/** A panel for each name that was asked for: raw, or what it means. */
function chartOf(charted: Charted, { series }: Answers['series']): Chart {
  const { title, runs, metrics, titles, findings, along, smoothing, log, language } = charted
  const panels = metrics.flatMap((metric, i) => {
    const marks = [...groupBy(runs, ({ look }) => look)].flatMap(([look, members]) => {
      const sent = members.flatMap(({ id, name }) => {
        const found = seriesNamed(series, id, metric)
        return found === undefined ? [] : [{ name, sent: found }]
      })
      const together = sent.length < 2 ? null : meanOf(sent.map(each => each.sent))
      if (together !== null)
        return [{ kind: 'curve', name: members[0].side ?? members[0].name, style: look, ...together } as const]
      return sent.map(
        (each): CurveMark => ({ kind: 'curve', name: each.name, style: look, ...lineOf(each.sent, smoothing) }),
      )
    })
    if (marks.length === 0) return []
    return [{ title: titles[i], x: { kind: 'progress', unit: along }, y: { kind: 'value', log }, marks } as const]
  })
  const names = runs.map(({ name }) => name).join(', ')
  return {
    language,
    title,
    description: `${title}: ${panels.map(panel => panel.title).join(', ')} (${names})`,
    notes: [],
    // Alone, the title of the chart is enough.
    panels: panels.length === 1 ? panels.map(({ title: _, ...panel }) => panel) : panels,
    findings: along === 'steps' ? findings : [],
  }
}

/** Which numbers of which runs are behind a point that was clicked: of a mean, one of each run. */
function pointsBehind(
  { panel, reading: { series: name, x, until } }: PickedPoint,
  { runs, metrics }: Charted,
  answer: Answers['series'] | null,
): readonly OriginPoint[] {
  const sent = answer?.series ?? []
  const shown = metrics.filter(metric => sent.some(each => each.metric === metric || each.canonical === metric))
  const metric = shown[panel]
  const members = runs.filter(run => run.name === name || run.side === name)
  const own = members.filter(run => run.name === name)
  return (own.length > 0 ? own : members).flatMap(({ id }) => {
    const series = seriesNamed(sent, id, metric)
    const step = series === undefined || typeof x !== 'number' ? null : stepOf(series, x)
    if (series === undefined || step === null) return []
    return [{ run: id, metric: series.metric, step, ...(until !== undefined && { to: until }) }]
  })
}

/** Along another axis than steps, only points that were sent one by one tell theirs. */
function stepOf(series: Answers['series']['series'][number], x: number): number | null {
  if (series.shown === 'ranges') return x
  return series.steps === undefined ? x : (series.steps[series.x.indexOf(x)] ?? null)
}

const REST_MS = 160

/** A window that is still moving is not worth a question. */
function useSettled(view: Extent | undefined): Extent | undefined {
  const [settled, setSettled] = useState(view)
  useEffect(() => {
    const timer = globalThis.setTimeout(() => setSettled(view), REST_MS)
    return () => globalThis.clearTimeout(timer)
  }, [view])
  return settled
}

const NEAR = 600

function useIsSeen(): [(element: HTMLElement | null) => void, boolean] {
  const [element, setElement] = useState<HTMLElement | null>(null)
  const [isSeen, setIsSeen] = useState(false)
  useLayoutEffect(() => {
    if (element === null || isSeen) return
    // Most are, and need not wait for the browser to paint before they ask.
    const { top, bottom } = element.getBoundingClientRect()
    if (top < window.innerHeight + NEAR && bottom > -NEAR) {
      setIsSeen(true)
      return
    }
    const observer = new IntersectionObserver(entries => setIsSeen(entries.some(entry => entry.isIntersecting)), {
      rootMargin: `${NEAR}px`,
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [element, isSeen])
  return [setElement, isSeen]
}

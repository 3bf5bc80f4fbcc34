import type { Chart, ChartFinding, CurveMark, Extent } from '../../src/core/charts/chart.js'
import { groupBy } from '../../src/logs/model/util/group-by.js'
import type { Language } from '../../src/text/language.js'
import type { Answers } from '../api.js'
import type { OriginPoint } from '../origin-link.js'
import type { Say } from '../words.js'
import type { PickedPoint } from './chart-view.js'
import { type Axis, isLogX, isNamed, type LogAxes, lineOf, meanOf, seriesNamed } from './lines.js'

/** From series that the server sent to the chart of some metrics of some runs, and from a point of it back to the log. */

export interface ChartedRun {
  readonly id: string
  readonly name: string
  /** Which of the looks it has. Runs that share one are seeds of one setting: their mean is drawn, each run thin behind it. */
  readonly look: number
  /** What seeds of one setting are called together. */
  readonly side?: string
}

export interface PanelSettings extends Axis {
  /** Points in a row; 1 is off. */
  readonly smoothing: number
  readonly onLog: (axes: Partial<LogAxes>) => void
  readonly onView: (view: Extent | null) => void
}

const MOST_NAMED = 4

/** Which runs are not drawn, because their log does not tell how far they were along the axis. */
export function withoutText(
  { without, along }: Answers['series'],
  runs: readonly ChartedRun[],
  say: Say,
): string | undefined {
  if (without.length === 0 || along === 'steps') return undefined
  const names = without.map(id => runs.find(run => run.id === id)?.name ?? id)
  const named = `${names.slice(0, MOST_NAMED).join(', ')}${names.length > MOST_NAMED ? ' …' : ''}`
  return say(`web.axis.without.${along === 'time' ? 'seconds' : along}`, { runs: named })
}

export interface Charted extends Pick<PanelSettings, 'along' | 'smoothing' | 'logX' | 'logY'> {
  readonly title: string
  readonly runs: readonly ChartedRun[]
  readonly metrics: readonly string[]
  readonly titles: readonly string[]
  readonly findings: readonly ChartFinding[]
  /** Of single metrics, from where to where the reader wants to see. */
  readonly ranges?: { readonly [metric: string]: Extent | undefined }
  readonly language: Language
}

/** A panel for each name that was asked for: raw, or what it means. */
export function chartOf(charted: Charted, { series }: Answers['series']): Chart {
  const { title, runs, metrics, titles, findings, along, smoothing, logY, ranges, language } = charted
  const panels = metrics.flatMap((metric, i) => {
    const marks = [...groupBy(runs, ({ look }) => look)].flatMap(([look, members]) => {
      const sent = members.flatMap(({ id, name }) => {
        const found = seriesNamed(series, id, metric)
        return found === undefined ? [] : [{ name, sent: found }]
      })
      const together =
        sent.length < 2
          ? null
          : meanOf(
              sent.map(each => each.sent),
              smoothing,
            )
      if (together !== null) {
        const [{ side, name }] = members
        const runNames = sent.map(each => each.name)
        return [{ kind: 'curve', name: side ?? name, style: look, ...together, runNames } as const]
      }
      return sent.map(
        (each): CurveMark => ({ kind: 'curve', name: each.name, style: look, ...lineOf(each.sent, smoothing) }),
      )
    })
    if (marks.length === 0) return []
    const range = ranges?.[metric]
    const y = { kind: 'value', log: logY, ...(range && { fixed: range }) } as const
    const x = { kind: 'progress', unit: along, log: isLogX(charted) } as const
    return [{ title: titles[i], metric, x, y, marks } as const]
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
export function pointsBehind(
  { panel, reading: { series: name, x, until } }: PickedPoint,
  { runs, metrics }: Charted,
  answer: Answers['series'] | null,
): readonly OriginPoint[] {
  const sent = answer?.series ?? []
  const shown = metrics.filter(metric => sent.some(each => isNamed(each, metric)))
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

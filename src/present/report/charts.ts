import { align, meanSeries } from '../../analysis/align.js'
import type { RankedRun } from '../../analysis/checkpoints/checkpoint-evidence.js'
import type { OtherSide, RunComparison } from '../../analysis/compare/answer.js'
import { along } from '../../analysis/compare/axis.js'
import { finalSteps } from '../../analysis/conventions.js'
import type { ChartFinding, ProgressUnit } from '../../charts/chart.js'
import { curvesChart, panelsChart } from '../../charts/curves.js'
import { differenceChart } from '../../charts/difference.js'
import { intervalsChart } from '../../charts/intervals.js'
import { rankingChart } from '../../charts/ranking.js'
import type { ChartMetric } from '../../charts/request.js'
import { scatterChart } from '../../charts/scatter.js'
import type { Axis } from '../../model/axis.js'
import { message as words } from '../../text/say.js'
import { metricLabel } from '../../text/vocabulary.js'
import type { ChartBlock } from '../blocks.js'
import type { Speaker } from '../speaker.js'
import type { Diagnosed } from './diagnosis.js'
import { SIGNALS, type SideSeries } from './series.js'

/** From what was read and judged to what the charts of a report show. Nothing is read here. */

const UNITS: { readonly [axis in Axis]: ProgressUnit } = {
  steps: 'steps',
  tokens: 'tokens',
  samples: 'samples',
  time: 'seconds',
}

/** Curves, their differences, and every question with its interval. */
export function comparisonCharts(
  speaker: Speaker,
  sides: readonly SideSeries[],
  comparison: RunComparison,
): readonly ChartBlock[] {
  const { others, request, canonical, counters, along: course } = comparison
  const unit = UNITS[course.axis]
  const { language } = speaker
  const name = canonical === null ? request.metric : metricLabel(canonical, language)
  const metric: ChartMetric = { name, goal: request.goal }
  const runs = sides.map(({ scores }, i) =>
    course.axis === 'steps' ? scores : scores.map((run, k) => along(run, counters[i][k])),
  )
  const definition = curvesChart({
    language,
    metric,
    // Replicates that share no place have no mean; the first stands for them.
    sides: sides.map(({ label }, i) => {
      const mean = meanSeries(runs[i])
      return { label, line: mean.steps.length > 1 ? mean : runs[i][0], replicates: runs[i].length > 1 ? runs[i] : [] }
    }),
    sharedSteps: course.width === null ? (others[0]?.steps ?? []) : [],
    along: unit,
  })
  return [
    { kind: 'chart', id: 'curves', caption: speaker.say(words('report.chart.curves', { metric: name })), definition },
    ...others.flatMap((other, i) => differenceOf(speaker, metric, other, comparison, i + 1)),
    ...intervalsOf(speaker, metric, comparison),
  ]
}

function differenceOf(
  { language, say }: Speaker,
  metric: ChartMetric,
  { headline, steps: shared }: OtherSide,
  { table, along }: RunComparison,
  number: number,
): readonly ChartBlock[] {
  const rows = table.flatMap(({ step, values }) => {
    const [first, second] = [values[0], values[number]]
    return first === null || second === null ? [] : [{ step, difference: second - first }]
  })
  if (rows.length < 2) return []
  const { baseline, other, margin } = headline
  const isOfCheckpoints = headline.question === 'checkpoint'
  const window = (headline.question === 'final' ? finalSteps(shared) : null) ?? shared
  const definition = differenceChart({
    language,
    metric,
    baseline,
    other,
    steps: rows.map(({ step }) => step),
    differences: rows.map(({ difference }) => difference),
    along: UNITS[along.axis],
    estimate: isOfCheckpoints ? null : headline.estimate,
    interval: isOfCheckpoints ? null : headline.interval,
    ...(window.length > 0 && { window: [window[0], window[window.length - 1]] }),
    margin,
  })
  return [
    {
      kind: 'chart',
      id: `difference-${number}`,
      caption: say(words('report.chart.difference', { other, baseline })),
      definition,
    },
  ]
}

const SAME_UNIT = new Set<string>(['checkpoint', 'level', 'final'])

function intervalsOf(
  { language, say }: Speaker,
  metric: ChartMetric,
  { others }: RunComparison,
): readonly ChartBlock[] {
  const rows = others.flatMap(({ verdicts, label }) =>
    verdicts
      .filter(({ question, interval }) => SAME_UNIT.has(question) && interval !== null)
      .map(verdict => {
        const asked = say(words(`question.${verdict.question}`, {}))
        return { ...verdict, label: others.length > 1 ? `${asked}, ${label}` : asked }
      }),
  )
  if (rows.length === 0) return []
  const definition = intervalsChart({ language, metric, rows })
  return [{ kind: 'chart', id: 'intervals', caption: say(words('report.chart.intervals', {})), definition }]
}

export function trainingCharts(
  speaker: Speaker,
  sides: readonly SideSeries[],
  diagnosed: readonly Diagnosed[],
): readonly ChartBlock[] {
  const { language, say } = speaker
  const shown = SIGNALS.filter(signal => sides.some(({ signals }) => (signals.get(signal)?.steps.length ?? 0) > 1))
  if (shown.length === 0) return []
  const definition = panelsChart({
    language,
    title: say(words('report.chart.training', {})),
    sides: sides.map(({ label }) => label),
    panels: shown.map(signal => ({
      metric: { name: metricLabel(signal, language) },
      lines: sides.map(({ signals }) => signals.get(signal) ?? null),
    })),
    findings: findingsOn(speaker, sides, diagnosed),
  })
  return [
    { kind: 'chart', id: 'training', caption: say(words('report.chart.panels', {})), definition },
    ...scatterOf(speaker, sides),
  ]
}

const MOST_FINDINGS = 6

/** Findings of the runs that are drawn; notes would crowd the picture. */
function findingsOn(
  speaker: Speaker,
  sides: readonly SideSeries[],
  diagnosed: readonly Diagnosed[],
): readonly ChartFinding[] {
  const labels = new Map(sides.map(({ label, run }) => [run, label]))
  return diagnosed
    .flatMap(({ diagnosis }) => diagnosis.findings)
    .filter(({ severity, run }) => severity !== 'note' && labels.has(run))
    .slice(0, MOST_FINDINGS)
    .map(({ severity, run, steps: [from, to], rule, message }) => ({
      from,
      to,
      severity,
      label: `${sides.length > 1 ? `${labels.get(run)}, ` : ''}${rule}: ${speaker.say(message)}`,
    }))
}

function scatterOf({ language, say }: Speaker, sides: readonly SideSeries[]): readonly ChartBlock[] {
  const paths = sides.flatMap(({ label, signals }) => {
    const [kl, score] = [signals.get('kl.ref'), signals.get('score.mean')]
    if (kl === undefined || score === undefined) return []
    const { steps, values } = align([kl, score])
    return steps.length < 3 ? [] : [{ label, steps, across: values[0], up: values[1] }]
  })
  if (paths.length === 0) return []
  const definition = scatterChart({
    language,
    across: { name: metricLabel('kl.ref', language) },
    up: { name: metricLabel('score.mean', language), goal: 'max' },
    sides: paths,
  })
  return [{ kind: 'chart', id: 'kl-against-reward', caption: say(words('report.chart.scatter', {})), definition }]
}

/** Half-width of a 95 % interval, in standard errors. */
const NINETY_FIVE = 1.96

export function rankingCharts(
  { language, say }: Speaker,
  { ranked, metric, goal }: RankedRun,
  wanted: string,
): readonly ChartBlock[] {
  if (ranked === null || ranked.ranking.length < 2) return []
  const { error, best } = ranked
  const label = metricLabel(wanted, language)
  const definition = rankingChart({
    language,
    metric: { name: label === wanted ? metric : label, goal },
    scores: ranked.ranking.map(({ step, value }) => ({
      step,
      value,
      interval: error === null ? null : [value - NINETY_FIVE * error, value + NINETY_FIVE * error],
    })),
    best,
    indistinguishable: best.interval === null ? [] : ranked.indistinguishable,
  })
  return [{ kind: 'chart', id: 'ranking', caption: say(words('report.chart.ranking', {})), definition }]
}

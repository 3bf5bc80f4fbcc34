import type { Language } from '../../../text/language.js'
import { reportSentences as words } from '../../../text/report.js'
import { metricLabel } from '../../../text/vocabulary.js'
import { align, meanSeries } from '../../analysis/align.js'
import type { RankedRun } from '../../analysis/checkpoints/rank-run.js'
import { type Counter, seriesAlong } from '../../analysis/compare/axis.js'
import type { RunSide } from '../../analysis/compare/evidence.js'
import type { CompareAnswer } from '../../analysis/compare/result.js'
import type { ChartFinding } from '../../charts/chart.js'
import { curvesChart, panelsChart } from '../../charts/curves.js'
import { rankingChart } from '../../charts/ranking.js'
import { scatterChart } from '../../charts/scatter.js'
import { readSeries, type SeriesPoints } from '../../store/series.js'
import { type ChartBlock, chart } from '../blocks.js'
import { AXIS_UNITS, comparedName, differenceCharts } from '../comparison-charts.js'
import type { Speaker } from '../speaker.js'
import type { Diagnosed } from './diagnosis.js'

/** What the charts of a report show of one side, read once. */
export interface SideSeries {
  readonly label: string
  /** The metric in question, of each run that has it. */
  readonly scores: readonly SeriesPoints[]
  /** The first run stands for its side in training curves: those of many replicates would hide each other. */
  readonly run: string
  readonly signals: ReadonlyMap<Signal, SeriesPoints>
}

/** What is shown of training, as far as a run logs it. */
export const SIGNALS = ['kl.ref', 'entropy', 'len.response', 'grad.norm', 'clip.frac', 'score.mean'] as const

export type Signal = (typeof SIGNALS)[number]

/** `metrics` are the raw names of the metric in question, one per side; none where there is no question. */
export async function readSideSeries(
  sides: readonly Pick<RunSide, 'label' | 'runs'>[],
  metrics: readonly string[],
): Promise<readonly SideSeries[]> {
  return Promise.all(
    sides.map(async ({ label, runs }, i) => {
      const named = SIGNALS.flatMap(signal =>
        runs[0]
          .metricsNamed(signal)
          .slice(0, 1)
          .map(name => ({ signal, name })),
      )
      const metric = metrics.slice(i, i + 1)
      const read = await Promise.all(
        runs.map((run, k) =>
          readSeries(run, [...new Set([...metric, ...(k === 0 ? named.map(({ name }) => name) : [])])]),
        ),
      )
      return {
        label,
        scores: metric.flatMap(name => read.flatMap(series => series.get(name) ?? [])),
        run: runs[0].manifest.id,
        signals: new Map(
          named.flatMap(({ signal, name }) => {
            const points = read[0].get(name)
            return points === undefined ? [] : [[signal, points] as const]
          }),
        ),
      }
    }),
  )
}

/** From what was read and judged to what the charts of a report show. Nothing is read here. */

/** Curves, their differences, and every question with its interval. */
export function comparisonCharts(
  speaker: Speaker,
  sides: readonly SideSeries[],
  answer: CompareAnswer,
  counters: readonly (readonly Counter[])[],
): readonly ChartBlock[] {
  if (answer.evaluation !== null) return []
  const { language } = speaker
  const { goal, by } = answer
  const name = comparedName(answer, language)
  const runs = sides.map(({ scores }, i) =>
    by === 'steps' ? scores : scores.map((run, k) => seriesAlong(run, counters[i][k])),
  )
  const definition = curvesChart({
    language,
    metric: { name, goal },
    // Replicates that share no place have no mean; the first stands for them.
    sides: sides.map(({ label }, i) => {
      const mean = meanSeries(runs[i])
      return { label, line: mean.steps.length > 1 ? mean : runs[i][0], replicates: runs[i].length > 1 ? runs[i] : [] }
    }),
    sharedSteps: sharedSteps(answer),
    along: AXIS_UNITS[by],
  })
  return [
    chart('curves', speaker.say(words('report.chart.curves', { metric: name })), definition),
    ...differenceCharts(answer, speaker),
  ]
}

/** The places at which the baseline and the first of the others were both evaluated; none where windows were compared. */
function sharedSteps({ table, others: [{ steps }] }: CompareAnswer): readonly number[] {
  if (steps === null || steps.windows !== null) return []
  return table.rows
    .filter(({ step, values: [first, second] }) => first !== null && second !== null && step >= steps.from)
    .map(({ step }) => step)
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
  return [chart('training', say(words('report.chart.panels', {})), definition), ...scatterOf(speaker, sides)]
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
  return [chart('kl-against-reward', say(words('report.chart.scatter', {})), definition)]
}

/** Half-width of a 95 % interval, in standard errors. */
const NINETY_FIVE = 1.96

/** By what was asked for, in a reader's words; a loss that stands in for a score is called by its own name. */
export function rankedName({ metric, goal }: Pick<RankedRun, 'metric' | 'goal'>, wanted: string, language: Language) {
  const label = metricLabel(wanted, language)
  return label === wanted || (wanted === 'val.score' && goal === 'min') ? metric : label
}

export function rankingCharts(
  { language, say }: Speaker,
  { ranked, metric, goal, error }: RankedRun,
  wanted: string,
): readonly ChartBlock[] {
  if (ranked === null || ranked.ranking.length < 2) return []
  const { best } = ranked
  const definition = rankingChart({
    language,
    metric: { name: rankedName({ metric, goal }, wanted, language), goal },
    scores: ranked.ranking.map(({ step, value }) => ({
      step,
      value,
      interval: error === null ? null : [value - NINETY_FIVE * error, value + NINETY_FIVE * error],
    })),
    best: { ...best, shrunken: best.shrunken === null ? null : Number(best.shrunken) },
    indistinguishable: best.interval === null ? [] : ranked.indistinguishable,
  })
  return [chart('ranking', say(words('report.chart.ranking', {})), definition)]
}

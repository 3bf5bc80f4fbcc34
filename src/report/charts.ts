import { align, meanSeries } from '../analysis/align.js'
import type { RankedRun } from '../analysis/checkpoints/checkpoint-evidence.js'
import type { OtherSide, RunComparison } from '../analysis/compare/answer.js'
import type { RunSide } from '../analysis/compare/evidence.js'
import { finalSteps } from '../analysis/conventions.js'
import type { RunView } from '../analysis/run-view.js'
import type { ChartMarker, ChartMetric, Chart as Drawing } from '../charts/chart.js'
import { curvesChart } from '../charts/curves.js'
import { differenceChart } from '../charts/difference.js'
import { intervalsChart } from '../charts/intervals.js'
import { panelsChart } from '../charts/panels.js'
import { rankingChart } from '../charts/ranking.js'
import { renderSvg } from '../charts/render.js'
import { scatterChart } from '../charts/scatter.js'
import { readSeries, type SeriesPoints } from '../store/series.js'
import { metricLabel } from '../text/vocabulary.js'
import type { Chart } from './blocks.js'
import type { Diagnosed } from './diagnosis.js'
import type { Voice } from './voice.js'

/** From what was read and judged to pictures: once with colours of their own for a file, once with the page's. */
export function chartOf(id: string, caption: string, drawing: Drawing): Chart {
  return {
    id,
    alt: drawing.description,
    caption,
    standalone: renderSvg(drawing, { prefix: id, colours: 'fixed' }),
    inline: renderSvg(drawing, { prefix: id, colours: 'variables' }),
  }
}

/** Curves, their differences, and every question with its interval. */
export async function comparisonCharts(
  voice: Voice,
  sides: readonly RunSide[],
  comparison: RunComparison,
): Promise<readonly Chart[]> {
  const { metrics, others, request, canonical } = comparison
  const read = await Promise.all(
    sides.map(({ runs }, i) =>
      Promise.all(runs.map(async run => (await readSeries(run, [metrics[i]])).get(metrics[i]))),
    ),
  )
  const series = read.map(side => side.filter(points => points !== undefined))
  const name = canonical === null ? request.metric : metricLabel(canonical, voice.language)
  const metric: ChartMetric = { name, goal: request.goal }
  const curves = curvesChart({
    language: voice.language,
    metric,
    sides: sides.map(({ label }, i) => ({
      label,
      line: meanSeries(series[i]),
      replicates: series[i].length > 1 ? series[i] : [],
    })),
    sharedSteps: others[0]?.steps ?? [],
  })
  return [
    chartOf('curves', voice.say('report.chart.curves', { metric: name }), curves),
    ...others.flatMap((other, i) =>
      differenceOf(voice, metric, other, meanSeries(series[0]), meanSeries(series[i + 1]), i),
    ),
    ...intervalsOf(voice, metric, comparison),
  ]
}

function differenceOf(
  voice: Voice,
  metric: ChartMetric,
  { headline, steps: shared }: OtherSide,
  first: SeriesPoints,
  second: SeriesPoints,
  i: number,
): readonly Chart[] {
  const { steps, values } = align([first, second])
  if (steps.length < 2) return []
  const ofCheckpoints = headline.question === 'checkpoint'
  const window = (headline.question === 'final' ? finalSteps(shared) : null) ?? shared
  const drawing = differenceChart({
    language: voice.language,
    metric,
    baseline: headline.baseline,
    other: headline.other,
    steps,
    differences: steps.map((_, k) => values[1][k] - values[0][k]),
    estimate: ofCheckpoints ? null : headline.estimate,
    interval: ofCheckpoints ? null : headline.interval,
    ...(window.length > 0 && { window: [window[0], window[window.length - 1]] as const }),
    margin: headline.margin,
  })
  const caption = voice.say('report.chart.difference', { other: headline.other, baseline: headline.baseline })
  return [chartOf(`difference-${i + 1}`, caption, drawing)]
}

const SAME_UNIT = new Set<string>(['checkpoint', 'level', 'final'])

function intervalsOf(voice: Voice, metric: ChartMetric, { others }: RunComparison): readonly Chart[] {
  const rows = others.flatMap(({ verdicts, label }) =>
    verdicts
      .filter(({ question, interval }) => SAME_UNIT.has(question) && interval !== null)
      .map(({ question, estimate, interval, margin, answer }) => {
        const asked = voice.say(`question.${question}`, {})
        return { label: others.length > 1 ? `${asked}, ${label}` : asked, estimate, interval, margin, answer }
      }),
  )
  if (rows.length === 0) return []
  const drawing = intervalsChart({ language: voice.language, metric, rows })
  return [chartOf('intervals', voice.say('report.chart.intervals', {}), drawing)]
}

/** What is shown of training, as far as a run logs it. */
const SIGNALS = ['kl.ref', 'entropy', 'len.response', 'grad.norm', 'clip.frac', 'score.mean'] as const

type Signals = ReadonlyMap<string, SeriesPoints>

export async function trainingCharts(
  voice: Voice,
  sides: readonly { readonly label: string; readonly run: RunView }[],
  diagnosed: readonly Diagnosed[],
): Promise<readonly Chart[]> {
  const read = await Promise.all(sides.map(({ run }) => signalsOf(run)))
  const shown = SIGNALS.filter(signal => read.some(signals => (signals.get(signal)?.steps.length ?? 0) > 1))
  if (shown.length === 0) return []
  const caption = voice.say('report.chart.panels', {})
  const drawing = panelsChart({
    language: voice.language,
    title: voice.say('report.head.training', {}),
    sides: sides.map(({ label }) => label),
    panels: shown.map(signal => ({
      metric: { name: metricLabel(signal, voice.language) },
      lines: read.map(signals => signals.get(signal) ?? null),
    })),
    markers: markersOf(voice, sides, diagnosed),
  })
  return [chartOf('training', caption, drawing), ...scatterOf(voice, sides, read)]
}

async function signalsOf(run: RunView): Promise<Signals> {
  const names = SIGNALS.flatMap(signal => {
    const name = run.metricsNamed(signal)[0]
    return name === undefined ? [] : [[signal, name] as const]
  })
  const series = await readSeries(
    run,
    names.map(([, name]) => name),
  )
  return new Map(
    names.flatMap(([signal, name]) => {
      const points = series.get(name)
      return points === undefined ? [] : [[signal, points] as const]
    }),
  )
}

const MOST_MARKERS = 6

/** Findings of the runs that are drawn; notes would crowd the picture. */
function markersOf(
  voice: Voice,
  sides: readonly { readonly label: string; readonly run: RunView }[],
  diagnosed: readonly Diagnosed[],
): readonly ChartMarker[] {
  const labels = new Map(sides.map(({ label, run }) => [run.manifest.id, label]))
  return diagnosed
    .flatMap(({ diagnosis }) => diagnosis.findings)
    .filter(({ severity, run }) => severity !== 'note' && labels.has(run))
    .slice(0, MOST_MARKERS)
    .map(({ severity, run, steps: [from, to], rule, message }) => ({
      from,
      to,
      severity,
      label: `${sides.length > 1 ? `${labels.get(run)}, ` : ''}${rule}: ${voice.render(message)}`,
    }))
}

function scatterOf(
  voice: Voice,
  sides: readonly { readonly label: string }[],
  read: readonly Signals[],
): readonly Chart[] {
  const paths = sides.flatMap(({ label }, i) => {
    const [kl, score] = [read[i].get('kl.ref'), read[i].get('score.mean')]
    if (kl === undefined || score === undefined) return []
    const { steps, values } = align([kl, score])
    return steps.length < 3 ? [] : [{ label, steps, across: values[0], up: values[1] }]
  })
  if (paths.length === 0) return []
  const drawing = scatterChart({
    language: voice.language,
    across: { name: metricLabel('kl.ref', voice.language) },
    up: { name: metricLabel('score.mean', voice.language), goal: 'max' },
    sides: paths,
  })
  return [chartOf('kl-against-reward', voice.say('report.chart.scatter', {}), drawing)]
}

/** Half-width of a 95 % interval, in standard errors. */
const NINETY_FIVE = 1.96

export function rankingCharts(voice: Voice, { ranked, metric, goal }: RankedRun, wanted: string): readonly Chart[] {
  if (ranked === null || ranked.ranking.length < 2) return []
  const { error } = ranked
  const label = metricLabel(wanted, voice.language)
  const drawing = rankingChart({
    language: voice.language,
    metric: { name: label === wanted ? metric : label, goal },
    scores: [...ranked.ranking]
      .sort((a, b) => a.step - b.step)
      .map(({ step, value }) => ({
        step,
        value,
        ...(error !== null && { interval: [value - NINETY_FIVE * error, value + NINETY_FIVE * error] as const }),
      })),
    best: ranked.best,
    indistinguishable: ranked.best.interval === null ? [] : ranked.indistinguishable,
  })
  return [chartOf('ranking', voice.say('report.chart.ranking', {}), drawing)]
}

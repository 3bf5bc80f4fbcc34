import { align, meanSeries } from '../analysis/align.js'
import type { RankedRun } from '../analysis/checkpoints/checkpoint-evidence.js'
import type { OtherSide, RunComparison } from '../analysis/compare/comparison.js'
import type { RunSide } from '../analysis/compare/read-side.js'
import { metricsNamed, type WorkspaceWords } from '../store/meaning.js'
import { type LoadedRun, readSeries, type SeriesPoints } from '../store/series.js'
import { metricLabel } from '../text/vocabulary.js'
import type { Chart } from './blocks.js'
import type { Diagnosed } from './diagnosis.js'
import { curves, type Marked, marksShown } from './drawing/curves.js'
import { difference } from './drawing/difference.js'
import { intervals } from './drawing/intervals.js'
import { panels } from './drawing/panels.js'
import { ranking } from './drawing/ranking.js'
import { type Drawing, renderSvg } from './drawing/render.js'
import { scatter } from './drawing/scatter.js'
import type { Voice } from './voice.js'

/** From what was read and judged to pictures. */

function chart(id: string, caption: string, drawing: Drawing): Chart {
  return {
    id,
    alt: caption,
    caption,
    standalone: renderSvg(drawing, id, 'paper'),
    inline: renderSvg(drawing, id, 'page'),
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
  const metric = canonical === null ? request.metric : metricLabel(canonical, voice.language)
  const drawn = curves(voice.language, {
    metric,
    sides: sides.map(({ label }, i) => ({
      label,
      runs: series[i],
      mean: series[i].length > 1 ? meanSeries(series[i]) : null,
    })),
    sharedSteps: others[0]?.steps ?? [],
  })
  return [
    chart(
      'curves',
      voice.say(marksShown(others[0]?.steps ?? []) ? 'report.chart.curves' : 'report.chart.curves-many', { metric }),
      drawn,
    ),
    ...others.flatMap((other, i) => differenceChart(voice, other, meanSeries(series[0]), meanSeries(series[i + 1]), i)),
    ...intervalChart(voice, comparison, metric),
  ]
}

function differenceChart(
  voice: Voice,
  other: OtherSide,
  first: SeriesPoints,
  second: SeriesPoints,
  i: number,
): readonly Chart[] {
  const { steps, values } = align([first, second])
  if (steps.length < 2) return []
  const { headline } = other
  const isFinal = headline.question === 'final'
  const window = other.steps.slice(isFinal ? -Math.floor(other.steps.length / 3) : 0)
  const caption = voice.say('report.chart.difference', { other: headline.other, baseline: headline.baseline })
  const drawing = difference(voice.language, {
    baseline: headline.baseline,
    other: headline.other,
    steps,
    differences: steps.map((_, k) => values[1][k] - values[0][k]),
    mean: headline.question === 'checkpoint' ? null : headline.estimate,
    interval: headline.question === 'checkpoint' ? null : headline.interval,
    margin: headline.margin,
    window: window.length === 0 ? null : [window[0], window[window.length - 1]],
  })
  return [chart(`difference-${i + 1}`, caption, drawing)]
}

function intervalChart(voice: Voice, { others }: RunComparison, metric: string): readonly Chart[] {
  const rows = others.flatMap(({ verdicts, label }) =>
    verdicts.flatMap(({ question, answer, estimate, interval }) =>
      estimate === null || interval === null || !['checkpoint', 'level', 'final'].includes(question)
        ? []
        : [
            {
              label:
                others.length > 1
                  ? `${voice.say(`question.${question}`, {})}, ${label}`
                  : voice.say(`question.${question}`, {}),
              verdict: voice.say(`report.word.${answer}`, {}),
              estimate,
              interval,
            },
          ],
    ),
  )
  if (rows.length === 0) return []
  const margin = others[0].headline.margin
  return [chart('intervals', voice.say('report.chart.intervals', {}), intervals({ unit: metric, rows, margin }))]
}

/** What is shown of training, as far as a run logs it. */
const SIGNALS = ['kl.ref', 'entropy', 'len.response', 'grad.norm', 'clip.frac', 'score.mean'] as const

/** Which finding belongs on which panel. */
const SHOWN_ON: readonly (readonly [signal: string, rules: RegExp])[] = [
  ['kl.ref', /^kl-/],
  ['entropy', /^entropy-/],
  ['len.response', /^length-|^truncation/],
  ['grad.norm', /^grad-|^run-dead/],
  ['clip.frac', /^clip-/],
  ['score.mean', /^reward-|^environment-|^groups-/],
]

export async function trainingCharts(
  voice: Voice,
  sides: readonly { readonly label: string; readonly run: LoadedRun }[],
  diagnosed: readonly Diagnosed[],
  words: WorkspaceWords,
): Promise<readonly Chart[]> {
  const read = await Promise.all(sides.map(({ run }) => signalsOf(run, words)))
  const shown = SIGNALS.filter(signal => read.some(curves => (curves.get(signal)?.steps.length ?? 0) > 1))
  if (shown.length === 0) return []
  const drawing = panels(voice.language, {
    sides: sides.map(({ label }) => label),
    panels: shown.map(signal => ({
      title: metricLabel(signal, voice.language),
      curves: read.map(curves => curves.get(signal) ?? null),
      findings: findingsOn(signal, sides, diagnosed),
    })),
  })
  return [chart('training', voice.say('report.chart.panels', {}), drawing), ...scatterChart(voice, sides, read)]
}

async function signalsOf(run: LoadedRun, words: WorkspaceWords): Promise<ReadonlyMap<string, SeriesPoints>> {
  const names = SIGNALS.flatMap(signal => {
    const name = metricsNamed(run.manifest, signal, words)[0]
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

function findingsOn(
  signal: string,
  sides: readonly { readonly run: LoadedRun }[],
  diagnosed: readonly Diagnosed[],
): readonly Marked[] {
  const rules = SHOWN_ON.find(([name]) => name === signal)?.[1]
  const runs = new Set(sides.map(({ run }) => run.manifest.id))
  return diagnosed.flatMap(({ diagnosis }) =>
    diagnosis.findings
      .filter(
        ({ rule, run, severity, steps }) =>
          severity !== 'note' && runs.has(run) && rules?.test(rule) && steps[1] > steps[0],
      )
      .map(({ rule, steps }) => ({ from: steps[0], to: steps[1], label: rule })),
  )
}

const MOST_POINTS = 40

/** Blocks of steps, so that the path can be followed by eye. */
function scatterChart(
  voice: Voice,
  sides: readonly { readonly label: string }[],
  read: readonly ReadonlyMap<string, SeriesPoints>[],
): readonly Chart[] {
  const paths = read.map(signals => {
    const [kl, score] = [signals.get('kl.ref'), signals.get('score.mean')]
    if (kl === undefined || score === undefined) return []
    const { steps, values } = align([kl, score])
    const each = Math.max(1, Math.ceil(steps.length / MOST_POINTS))
    return Array.from({ length: Math.floor(steps.length / each) }, (_, i) => {
      const block = (row: readonly number[]): number =>
        row.slice(i * each, (i + 1) * each).reduce((sum, value) => sum + value, 0) / each
      return [block(values[0]), block(values[1])] as const
    })
  })
  if (!paths.some(path => path.length > 2)) return []
  const drawing = scatter(voice.language, {
    x: metricLabel('kl.ref', voice.language),
    y: metricLabel('score.mean', voice.language),
    sides: sides.map(({ label }, i) => ({ label, points: paths[i] })),
  })
  return [chart('kl-against-reward', voice.say('report.chart.scatter', {}), drawing)]
}

export function rankingChart(voice: Voice, { ranked, metric }: RankedRun, canonical: string): readonly Chart[] {
  if (ranked === null || ranked.ranking.length < 2) return []
  const drawing = ranking(voice.language, {
    metric: metricLabel(canonical, voice.language) || metric,
    points: [...ranked.ranking].sort((a, b) => a.step - b.step),
    error: ranked.error,
    indistinguishable: ranked.best.interval === null ? [] : ranked.indistinguishable,
    best: ranked.best,
  })
  return [chart('ranking', voice.say('report.chart.ranking', {}), drawing)]
}

import { basename } from 'node:path'
import { z } from 'zod'
import { isEvaluation } from '../../core/analysis/evaluations/evaluation-run.js'
import { type TaskMeanAnswer, taskMean } from '../../core/analysis/evaluations/result.js'
import { tasksOf } from '../../core/analysis/evaluations/task-items.js'
import { meanOfTask } from '../../core/analysis/evaluations/task-means.js'
import { integrity } from '../../core/analysis/integrity.js'
import { meaningIn, metricMeaning } from '../../core/analysis/metric-meaning.js'
import { objectiveCard, objectiveSchema } from '../../core/analysis/objective/card.js'
import type { RunView } from '../../core/analysis/run-view.js'
import { outlineSeries, regularities } from '../../core/store/envelope.js'
import { readSeries, type SeriesPoints, seriesInPieces } from '../../core/store/series.js'
import { loadVocabulary } from '../../core/store/vocabulary.js'
import { jsonNumber } from '../../logs/model/json.js'
import { Problem } from '../../logs/model/problem.js'
import type { Message } from '../../logs/model/run.js'
import { groupBy } from '../../logs/model/util/group-by.js'
import { numberOf } from '../../logs/model/vocabulary/config-value.js'
import { trapsFor } from '../../logs/model/vocabulary/traps.js'
import { encoded, sentence } from '../../text/answer-schema.js'
import { encode } from '../../text/encode.js'
import { message } from '../../text/say.js'
import { render } from '../../text/sentences.js'
import { figure, json, list, request, someOf } from './fields.js'
import { resolveOne } from './names.js'
import { type Asking, question } from './question.js'
import { runSchema } from './run-schema.js'
import { runAnswer } from './runs.js'

/** How did this run go? Its settings as they act, its curves, and whether the log is whole. */

const showRequest = request({
  run: z.string(),
  /** Raw or canonical; all of them where none is named. */
  metric: list(z.string()).default([]),
  /**
   * `all` series with their points; only the `telling` ones where none is named, as a picture needs them; or told piece by
   * piece as they are read, and none in the answer, so that a long run need not fit into memory; or `none`.
   */
  points: z.enum(['all', 'telling', 'streamed', 'none']).default('all'),
  /** Whether to look through the whole log for gaps, which takes long where it is long. */
  integrity: z.boolean().default(true),
})

const meaning = z.object({
  metric: z.string(),
  /** Null: no metric that klens knows. */
  canonical: z.string().nullable(),
  unit: z.string().nullable(),
  goal: z.enum(['max', 'min']).nullable(),
})

const points = list(z.tuple([z.number(), figure]).readonly())

const series = meaning.extend({
  points,
  estimates: points.optional(),
  /** Instead of the points where they are more than a picture shows: the range of the values in each stretch of steps. */
  ranges: list(
    z.object({ from: z.number(), to: z.number(), low: figure, high: figure, points: z.number() }).readonly(),
  ).optional(),
})

/** As it is told: of a long series one piece after the other, the estimates with the last. */
export type SeriesAnswer = z.infer<typeof series>

const showSchema = z.object({
  run: runSchema,
  series: list(series),
  integrity: list(sentence),
  /** Every metric that was asked for: what it is taken for, its role, and why. */
  metrics: list(metricMeaning),
  settings: list(
    z.object({
      key: z.string(),
      rawKey: z.string().nullable(),
      configured: json,
      effective: json,
      /** Why the effective value is not the configured one. */
      reason: sentence.nullable(),
    }),
  ),
  /** What its settings really do; null for an evaluation, and where klens has not read the framework's loss. */
  objective: objectiveSchema.nullable(),
  /** Of an evaluation: every task with its mean and standard error, as its tool prints them; empty for a training. */
  tasks: list(taskMean),
  /** What the framework's logs are known to mislead about. */
  notes: list(z.object({ note: sentence, metrics: list(z.string()) })),
})

export const show = question({
  request: showRequest,
  answer: encoded(showSchema),
  async ask(workspace, asked, asking: Asking<SeriesAnswer>) {
    const run = await resolveOne(workspace, asked.run, asking)
    for (const problem of (await loadVocabulary(workspace)).problems) asking.remark?.(problem)
    const metrics = metricsAskedFor(run, asked.metric)
    const answer: Omit<z.infer<typeof showSchema>, 'series'> = {
      run: runAnswer(run.manifest),
      integrity: asked.integrity ? await remarksOn(run) : [],
      metrics: metrics.map(metric => meaningIn(run, metric)),
      settings: [...run.settings.values()],
      objective: objectiveOf(run),
      tasks: await tasksShown(run),
      notes: notesOn(run, metrics),
    }
    // Points are many and without a message: they are made as they leave.
    return { ...encode(answer, asked.lang), series: await seriesAsked(run, metrics, asked, asking) }
  },
})

function objectiveOf(run: RunView): z.infer<typeof objectiveSchema> | null {
  const { framework, manifest, config, settings, kl } = run
  const { versions = {} } = manifest.about
  return objectiveCard({
    framework,
    version: versions[framework ?? ''] ?? null,
    config,
    setting: canonical => settings.get(canonical)?.configured,
    kl,
    isKlens: framework === 'klens' || 'klens' in versions,
  })
}

async function tasksShown(run: RunView): Promise<readonly TaskMeanAnswer[]> {
  const tasks = isEvaluation(run) ? await tasksOf(run, { wanted: null, step: null }) : null
  return (tasks ?? []).map(task => meanOfTask(task, task.cluster))
}

export type ShowAnswer = z.infer<typeof show.answer>

function metricsAskedFor({ manifest, metricsNamed }: RunView, names: readonly string[]): readonly string[] {
  if (names.length === 0) return [...manifest.metrics.keys()].sort()
  return names.flatMap(name => {
    const metrics = metricsNamed(name)
    if (metrics.length > 0) return metrics
    const known = someOf([...manifest.metrics.keys()], 8)
    throw new Problem('not-found', message('show.no-metric', { run: manifest.id, metric: name, known }))
  })
}

/** What a reader looks at first, as far as the run has it. */
const TELLING = ['val.score', 'score.mean', 'val.loss', 'kl.ref', 'entropy', 'grad.norm', 'loss.total']
const MOST_TELLING = 4

function tellingMetrics({ manifest: { metrics }, carriersAmong }: RunView): readonly string[] {
  const names = [...metrics.keys()]
  const isCurve = (name: string): boolean => (metrics.get(name)?.n ?? 0) > 1
  const telling = new Set(TELLING.flatMap(canonical => carriersAmong(names, canonical).slice(0, 1)))
  const curves = [...telling].filter(isCurve)
  return (curves.length > 0 ? curves : names.filter(isCurve)).slice(0, MOST_TELLING)
}

function meaningAnswer({ meaningOf }: RunView, metric: string): z.infer<typeof meaning> {
  const { canonical, unit, goal } = meaningOf(metric)
  return { metric, canonical, unit, goal }
}

async function seriesAsked(
  run: RunView,
  metrics: readonly string[],
  { points, metric }: z.output<typeof showRequest>,
  { signal, onProgress }: Asking<SeriesAnswer>,
): Promise<SeriesAnswer[]> {
  if (points === 'none') return []
  if (points === 'telling') return drawn(run, metric.length === 0 ? tellingMetrics(run) : metrics)
  const estimates = await estimatesOf(run, metrics)
  if (points === 'all') {
    const series = await readSeries(run, metrics)
    return metrics.map(name => ({
      ...meaningAnswer(run, name),
      points: pointsOf(series.get(name)),
      ...estimates(name),
    }))
  }
  for await (const piece of told(run, metrics, estimates)) {
    signal?.throwIfAborted()
    onProgress?.(piece)
  }
  return []
}

type Estimates = (metric: string) => Pick<SeriesAnswer, 'estimates'>

async function estimatesOf(run: RunView, metrics: readonly string[]): Promise<Estimates> {
  const marked = metrics.filter(metric => (run.manifest.metrics.get(metric)?.estimated ?? 0) > 0)
  const series = await readSeries(run, marked, { quality: 'estimated' })
  return metric => {
    const estimated = series.get(metric)
    return estimated === undefined ? {} : { estimates: pointsOf(estimated) }
  }
}

/** Far more than a terminal has columns. */
const MOST_DRAWN = 10_000

async function drawn(run: RunView, metrics: readonly string[]): Promise<SeriesAnswer[]> {
  const outlines = await outlineSeries(run, metrics, { most: MOST_DRAWN })
  return metrics.map(metric => {
    const outline = outlines.get(metric)
    if (outline?.kind !== 'envelope') return { ...meaningAnswer(run, metric), points: pointsOf(outline?.points) }
    const { from, to, low, high, points } = outline.buckets
    const ranges = Array.from(from, (_, i) => ({
      from: from[i],
      to: to[i],
      low: jsonNumber(low[i]),
      high: jsonNumber(high[i]),
      points: points[i],
    }))
    return { ...meaningAnswer(run, metric), points: [], ranges }
  })
}

async function* told(run: RunView, metrics: readonly string[], estimates: Estimates): AsyncGenerator<SeriesAnswer> {
  let before: SeriesAnswer | null = null
  for await (const [metric, points] of seriesInPieces(run, metrics)) {
    if (before !== null) yield before.metric === metric ? before : { ...before, ...estimates(before.metric) }
    before = { ...meaningAnswer(run, metric), points: pointsOf(points) }
  }
  if (before !== null) yield { ...before, ...estimates(before.metric) }
}

function pointsOf(read: SeriesPoints | undefined): z.infer<typeof points> {
  return read === undefined ? [] : Array.from(read.steps, (step, i) => [step, jsonNumber(read.values[i])] as const)
}

/** Each said once with the metrics it is about. */
function notesOn({ manifest, framework, settings, meaningOf }: RunView, metrics: readonly string[]) {
  const loggedEvery = numberOf(settings.get('log.every')?.effective)
  const notes = metrics.flatMap(metric =>
    [...meaningOf(metric).notes, ...trapsFor(metric, framework, manifest.about.versions ?? {}, loggedEvery)].map(
      note => ({ note, metric }),
    ),
  )
  const alike = groupBy(notes, ({ note }) => render(note, 'en'))
  return [...alike.values()].map(same => ({ note: same[0].note, metrics: same.map(({ metric }) => metric) }))
}

async function remarksOn(run: RunView): Promise<readonly Message[]> {
  return integrity(run.manifest, await regularities(run)).map(remark =>
    remark.file === null
      ? remark.message
      : message('integrity.warning', { file: basename(remark.file), warning: remark.message }),
  )
}

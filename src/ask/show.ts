import { basename } from 'node:path'
import { z } from 'zod'
import { integrity } from '../analysis/integrity.js'
import type { RunView } from '../analysis/run-view.js'
import { jsonNumber } from '../model/json.js'
import { Problem } from '../model/problem.js'
import type { Message } from '../model/run.js'
import { numberOf } from '../model/vocabulary/config-value.js'
import { trapsFor } from '../model/vocabulary/traps.js'
import { regularities } from '../store/gaps.js'
import { workspaceWords } from '../store/meaning.js'
import { readSeries, type SeriesPoints } from '../store/series.js'
import type { Language } from '../text/language.js'
import { message } from '../text/say.js'
import { render } from '../text/sentences.js'
import { figure, inWords, json, list, request, someOf } from './fields.js'
import { resolveOne } from './names.js'
import { type Asking, question } from './question.js'
import { runAnswer, runSchema } from './run.js'

/** How did this run go? Its settings as they act, its curves, and whether the log is whole. */

const showRequest = request({
  run: z.string(),
  /** Raw or canonical; all of them where none is named. */
  metric: list(z.string()).default([]),
  /**
   * `all` series with their points; only the `telling` ones where none is named; or each told as it is read, one at a
   * time, and none in the answer, so that a long run need not fit into memory; or `none`.
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

const series = meaning.extend({ points, estimates: points.optional() })

export type SeriesAnswer = z.infer<typeof series>

const showAnswer = z.object({
  run: runSchema,
  series: list(series),
  integrity: list(z.string()),
  /** Every metric that was asked for. */
  metrics: list(meaning),
  settings: list(
    z.object({
      key: z.string(),
      rawKey: z.string().nullable(),
      configured: json,
      effective: json,
      /** Why the effective value is not the configured one. */
      reason: z.string().nullable(),
    }),
  ),
  /** What the framework's logs are known to mislead about. */
  notes: list(z.object({ note: z.string(), metrics: list(z.string()) })),
})

export type ShowAnswer = z.infer<typeof showAnswer>

export const show = question({
  request: showRequest,
  answer: showAnswer,
  async ask(workspace, asked, asking: Asking<SeriesAnswer>) {
    const run = await resolveOne(workspace, asked.run, asking)
    for (const problem of (await workspaceWords(workspace)).problems) asking.remark?.(problem)
    const metrics = metricsAskedFor(run, asked.metric)
    const isTelling = asked.points === 'telling' && asked.metric.length === 0
    const charted = asked.points === 'none' ? [] : isTelling ? tellingMetrics(run) : metrics
    const found: SeriesAnswer[] = []
    for (const metric of charted) {
      asking.signal?.throwIfAborted()
      const one = await seriesOf(run, metric)
      if (asked.points === 'streamed') asking.onProgress?.(one)
      else found.push(one)
    }
    return {
      run: runAnswer(run.manifest),
      series: found,
      integrity: asked.integrity ? inWords(await remarksOn(run), asked.lang) : [],
      metrics: metrics.map(metric => meaningAnswer(run, metric)),
      settings: [...run.settings.values()].map(({ reason, ...setting }) => ({
        ...setting,
        reason: reason === null ? null : render(reason, asked.lang),
      })),
      notes: notesOn(run, metrics, asked.lang),
    }
  },
})

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

async function seriesOf(run: RunView, metric: string): Promise<SeriesAnswer> {
  const measured = (await readSeries(run, [metric])).get(metric)
  const marked = run.manifest.metrics.get(metric)?.estimated ?? 0
  const estimates = marked > 0 ? (await readSeries(run, [metric], { quality: 'estimated' })).get(metric) : undefined
  return {
    ...meaningAnswer(run, metric),
    points: pointsOf(measured),
    ...(estimates && { estimates: pointsOf(estimates) }),
  }
}

function pointsOf(read: SeriesPoints | undefined): z.infer<typeof points> {
  return read === undefined ? [] : Array.from(read.steps, (step, i) => [step, jsonNumber(read.values[i])] as const)
}

/** Each said once with the metrics it is about. */
function notesOn(
  { manifest, framework, settings, meaningOf }: RunView,
  metrics: readonly string[],
  language: Language,
) {
  const about = new Map<string, string[]>()
  const loggedEvery = numberOf(settings.get('log.every')?.effective)
  for (const metric of metrics) {
    const traps = trapsFor(metric, framework, manifest.about.versions ?? {}, loggedEvery)
    for (const note of inWords([...meaningOf(metric).notes, ...traps], language)) {
      about.set(note, [...(about.get(note) ?? []), metric])
    }
  }
  return [...about].map(([note, named]) => ({ note, metrics: named }))
}

async function remarksOn(run: RunView): Promise<readonly Message[]> {
  return integrity(run.manifest, await regularities(run)).map(remark =>
    remark.file === null
      ? remark.message
      : message('integrity.warning', { file: basename(remark.file), warning: remark.message }),
  )
}

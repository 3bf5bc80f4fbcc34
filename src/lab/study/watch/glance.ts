import type { KlPoint } from '../../../core/analysis/frontier/legs.js'
import type { RunView } from '../../../core/analysis/run-view.js'
import { diagnose } from '../../../core/diagnosis/diagnose.js'
import { readEvaluations } from '../../../core/store/evaluations.js'
import { shownName } from '../../../core/store/manifest.js'
import { readSeries, type SeriesPoints } from '../../../core/store/series.js'
import type { Finding } from '../../../logs/model/finding.js'
import type { Message, RunStatus } from '../../../logs/model/run.js'
import { numberOf } from '../../../logs/model/vocabulary/config-value.js'
import { median } from '../../../stats/descriptive.js'
import { wilson } from '../../../stats/proportion.js'
import type { ScoreCourse } from '../stop-rules.js'

/**
 * What somebody sees who looks at a run for a moment: how far it is, how it scores, the few curves that tell whether a
 * policy is well, how long a step takes, and what a diagnosis finds by now.
 */
export interface Glance {
  readonly id: string
  readonly name: string
  readonly status: RunStatus
  /** Why it ended, where it did: the last traceback, out of memory. */
  readonly ending: readonly Message[]
  readonly step: number | null
  readonly planned: number | null
  readonly startedAt: number | null
  /** Unix seconds of the newest point, where the log tells times. */
  readonly newestAt: number | null
  readonly pace: Pace | null
  readonly score: ScoreCourse | null
  /** The step of the first validation, where there was any. */
  readonly firstValidation: number | null
  /** Of the last evaluation, from the number of prompts; null where scores are no shares. */
  readonly interval: readonly [number, number] | null
  /** To the reference, at every step that logs it. */
  readonly kl: readonly KlPoint[]
  readonly curves: readonly GlanceCurve[]
  readonly findings: readonly Finding[]
}

interface Pace {
  /** The median, and the longest pause between two steps lately, with evaluations and checkpoints in it. */
  readonly secondsPerStep: number
  readonly longestPause: number
}

interface GlanceCurve {
  readonly canonical: string
  readonly last: number
  readonly recent: readonly number[]
}

const SHOWN = ['reward.mean', 'kl.ref', 'entropy', 'len.response', 'grad.norm'] as const
const SCORE = 'val.score'
/** Training without validation is judged by its reward. */
const INSTEAD = 'score.mean'
const RECENT = 40

export async function glanceAt(run: RunView): Promise<Glance> {
  const { manifest, settings } = run
  const names = [...manifest.metrics.keys()]
  const carrier = (canonical: string): string | undefined => run.carriersAmong(names, canonical)[0]
  const scored = carrier(SCORE) ?? carrier(INSTEAD) ?? carrier('reward.mean')
  const shown = SHOWN.flatMap(canonical => {
    const metric = carrier(canonical)
    return metric === undefined ? [] : [{ canonical, metric }]
  })
  const timed = carrier('time.step')
  const wanted = [scored, timed, ...shown.map(({ metric }) => metric)].filter(name => name !== undefined)
  const series = await readSeries(run, [...new Set(wanted)])
  const all = [...series.values()]
  const step = Math.max(...[...manifest.metrics.values()].map(({ lastStep }) => lastStep))
  const score = scored === undefined ? null : await courseOf(run, scored, series.get(scored))
  const planned = numberOf(settings.get('steps')?.effective)
  return {
    id: manifest.id,
    name: shownName(manifest),
    status: manifest.status,
    ending: manifest.ending,
    step: Number.isFinite(step) ? step : null,
    planned: planned !== null && planned > 0 ? planned : null,
    startedAt: earliest(all),
    newestAt: newest(all),
    pace: paceOf(timed === undefined ? undefined : series.get(timed), all),
    score,
    firstValidation: carrier(SCORE) === undefined ? null : (score?.steps[0] ?? null),
    interval: intervalOf(score),
    kl: klOf(series.get(carrier('kl.ref') ?? '')),
    curves: shown.flatMap(({ canonical, metric }) => {
      const values = [...(series.get(metric)?.values ?? [])].filter(Number.isFinite)
      const last = values.at(-1)
      return last === undefined ? [] : [{ canonical, last, recent: values.slice(-RECENT) }]
    }),
    findings: (await diagnose(run)).findings,
  }
}

function klOf(points: SeriesPoints | undefined): readonly KlPoint[] {
  return Array.from(points?.steps ?? [], (step, i) => ({ step, kl: points?.values[i] ?? Number.NaN })).filter(
    ({ kl }) => Number.isFinite(kl),
  )
}

async function courseOf(run: RunView, metric: string, points: SeriesPoints | undefined): Promise<ScoreCourse | null> {
  const { goal } = run.meaningOf(metric)
  if (points === undefined || goal === null) return null
  const kept = [...points.values.keys()].filter(i => Number.isFinite(points.values[i]))
  const told = run.manifest.evaluations > 0 ? await readEvaluations(run) : []
  const n = told.findLast(evaluation => evaluation.metric === metric)?.n ?? run.validationSize
  return { metric, goal, steps: kept.map(i => points.steps[i]), values: kept.map(i => points.values[i]), prompts: n }
}

function intervalOf(score: ScoreCourse | null): readonly [number, number] | null {
  const last = score?.values.at(-1)
  if (score === null || score.prompts === null || last === undefined) return null
  if (score.values.some(value => value < 0 || value > 1)) return null
  const { low, high } = wilson(last, score.prompts)
  return [low, high]
}

function earliest(series: readonly SeriesPoints[]): number | null {
  const times = series.flatMap(({ times }) => (Number.isFinite(times[0]) ? [times[0]] : []))
  return times.length === 0 ? null : Math.min(...times)
}

function newest(series: readonly SeriesPoints[]): number | null {
  const times = series.flatMap(({ times }) => times.at(-1) ?? []).filter(Number.isFinite)
  return times.length === 0 ? null : Math.max(...times)
}

/** By the log's own step times, else by when points were written. */
function paceOf(timed: SeriesPoints | undefined, all: readonly SeriesPoints[]): Pace | null {
  const longest = all.reduce<SeriesPoints | null>(
    (most, points) => (points.steps.length > (most?.steps.length ?? 1) ? points : most),
    null,
  )
  const from = Math.max(0, (longest?.steps.length ?? 0) - RECENT)
  const pauses = longest === null ? [] : gaps([...longest.times.subarray(from)])
  const steps = longest === null ? [] : gaps([...longest.steps.subarray(from)])
  const lately = [...(timed?.values ?? [])].filter(Number.isFinite).slice(-RECENT)
  const perStep = lately.length > 0 ? lately : pauses.map((pause, i) => pause / (steps[i] || 1))
  const secondsPerStep = perStep.length === 0 ? Number.NaN : median(perStep)
  if (!(secondsPerStep > 0)) return null
  return { secondsPerStep, longestPause: Math.max(secondsPerStep, ...lately, ...pauses) }
}

function gaps(values: readonly number[]): readonly number[] {
  return values
    .slice(1)
    .map((value, i) => value - values[i])
    .filter(gap => Number.isFinite(gap) && gap > 0)
}

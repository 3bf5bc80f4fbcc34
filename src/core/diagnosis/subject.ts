import type { Evaluation, SampleScores } from '../../logs/model/evaluation.js'
import { isTraining } from '../analysis/prompt-scores.js'
import type { RunView } from '../analysis/run-view.js'
import { readEvaluations } from '../store/evaluations.js'
import { listSamples, readSamples } from '../store/samples.js'
import { type LoadedRun, readSeries } from '../store/series.js'
import { metricNames } from '../store/vocabulary.js'
import { type Curve, outside } from './signs/curve.js'
import { mayHaveJumped, twins } from './signs/odd-series.js'

/** One run as somebody looks at it who wants to know whether it is well: its curves by meaning, its settings by effect. */
export interface Subject extends Pick<RunView, 'manifest' | 'framework' | 'config' | 'settings' | 'kl' | 'meaningOf'> {
  /** The best carrier of a canonical metric, finite values only. */
  readonly curve: (canonical: string) => Curve | undefined
  /** Every carrier of a canonical metric: several data sets, several reward functions. */
  readonly curves: (canonical: string) => readonly Curve[]
  readonly evaluations: readonly Evaluation[]
  readonly samples: readonly SampleScores[]
  /** Metrics, known or not, that may hold a value orders of magnitude beyond the others. */
  readonly extremes: readonly Curve[]
  /** The points that are NaN or infinite, by raw metric. */
  readonly nonFinite: readonly Curve[]
  /** Raw metrics that are equal to each other at every step. */
  readonly twins: readonly (readonly string[])[]
  /** Scores that nothing in training feeds, each beside the optimised reward on the same data set. */
  readonly judgedPairs: readonly JudgedPair[]
  /** The last step that any metric reached. */
  readonly lastStep: number
}

export interface JudgedPair {
  readonly independent: Curve
  readonly optimised: Curve
}

/** Reads everything that the named meanings and the rest of a subject need, in few queries. */
export async function subjectOf(run: RunView, canonical: readonly string[]): Promise<Subject> {
  const { manifest, framework, config, settings, kl, meaningOf } = run
  const names = metricNames(manifest)
  const carriers = new Map(canonical.map(meaning => [meaning, carriersIn(run, names, meaning)]))
  const jumped = mayHaveJumped(manifest)
  const paid = run.goal.optimised.map(({ metric }) => metric)
  const holed = [...manifest.metrics].flatMap(([name, { nan, infinite }]) => (nan + infinite === 0 ? [] : [name]))
  const series = await readSeries(run, [...new Set([...[...carriers.values()].flat(), ...jumped, ...paid, ...holed])])
  const isHoled = new Set(holed)
  const found = new Map(
    [...series].map(([metric, { steps, values }]) => {
      const curve = { metric, steps, values }
      return [metric, isHoled.has(metric) ? pointsOf(curve, Number.isFinite) : curve]
    }),
  )
  const carrying = new Map(
    [...carriers].map(([meaning, metrics]) => {
      const held = metrics.flatMap(metric => found.get(metric) ?? [])
      return [meaning, held.filter(({ steps }) => steps.length > 0)]
    }),
  )
  const curves = (meaning: string): readonly Curve[] => {
    const asked = carrying.get(meaning)
    if (asked === undefined) throw new Error(`nobody asked for ${meaning} when the run was read`)
    return asked
  }
  return {
    manifest,
    framework,
    config,
    settings,
    kl,
    meaningOf,
    curve: meaning => curves(meaning)[0],
    curves,
    evaluations: manifest.evaluations > 0 ? await readEvaluations(run) : [],
    samples: await validationSamples(run),
    extremes: jumped.flatMap(metric => found.get(metric) ?? []),
    nonFinite: [...series].flatMap(([metric, { steps, values }]) =>
      isHoled.has(metric) ? [pointsOf({ metric, steps, values }, value => !Number.isFinite(value))] : [],
    ),
    twins: await twins(run),
    judgedPairs: judgedPairs(run.goal, metric => found.get(metric)),
    lastStep: Math.max(...[...manifest.metrics.values()].map(({ lastStep }) => lastStep), Number.NEGATIVE_INFINITY),
  }
}

/** What the run is judged by comes first among its validation scores. */
function carriersIn(run: RunView, names: readonly string[], meaning: string): readonly string[] {
  const judges = meaning === 'val.score' ? run.goal.yardsticks.filter(({ role }) => role !== 'loss') : []
  return [...new Set([...judges.map(({ metric }) => metric), ...run.carriersAmong(names, meaning)])]
}

/** Of every data set with both the two curves, as far as they were read. */
export function judgedPairs(
  { yardsticks, optimised }: RunView['goal'],
  curveOf: (metric: string) => Curve | undefined,
): readonly JudgedPair[] {
  return optimised.flatMap(({ metric, dataset }) => {
    const judge = yardsticks.find(series => series.role === 'independent' && series.dataset === dataset)
    const [independent, paid] = [curveOf(judge?.metric ?? ''), curveOf(metric)]
    return independent === undefined || paid === undefined ? [] : [{ independent, optimised: paid }]
  })
}

/** The same run as if nothing had been logged in these stretches. */
export function withoutSteps(subject: Subject, left: readonly (readonly [first: number, last: number])[]): Subject {
  return left.length === 0 ? subject : withCurves(subject, curve => outside(curve, left))
}

function withCurves(subject: Subject, change: (curve: Curve) => Curve): Subject {
  const kept = new Map<string, readonly Curve[]>()
  const curves = (meaning: string): readonly Curve[] => {
    const known = kept.get(meaning) ?? subject.curves(meaning).map(change).filter(isLogged)
    kept.set(meaning, known)
    return known
  }
  return { ...subject, curves, curve: meaning => curves(meaning)[0] }
}

function isLogged({ steps }: Curve): boolean {
  return steps.length > 0
}

/** More restarts than this are rows in no order. */
const MOST_SEAMS = 20

/**
 * The run on each side of the steps at which it was started again, and as a whole without steps from before a restart
 * that has not reached them.
 */
export function sidesOfSeams(subject: Subject): { readonly whole: Subject; readonly sides: readonly Subject[] } {
  const { segments } = subject.manifest
  const last = segments.at(-1)?.lastStep ?? null
  if (segments.length < 2 || segments.length > MOST_SEAMS + 1 || last === null) return { whole: subject, sides: [] }
  const starts = segments.map(({ firstStep }) => firstStep ?? Number.NEGATIVE_INFINITY)
  const sides = segments.flatMap(({ lastStep }, k) => {
    const first = k === 0 ? Number.NEGATIVE_INFINITY : (starts[k] ?? 0)
    const next = Math.min(...starts.slice(k + 1))
    return first < next ? [between(subject, first, next, Math.min(lastStep ?? last, next, last))] : []
  })
  const isStale = subject.lastStep > last
  return {
    whole: isStale ? between(subject, Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY, last) : subject,
    sides,
  }
}

/** The same run as if it had been logged from `first` on, up to what comes before `next`, and to `lastStep` at most. */
function between(subject: Subject, first: number, next: number, lastStep: number): Subject {
  const isKept = (step: number): boolean => step >= first && step < next && step <= lastStep
  const part = ({ metric, steps, values }: Curve): Curve => ({
    metric,
    steps: steps.filter(isKept),
    values: values.filter((_, i) => isKept(steps[i] ?? Number.NaN)),
  })
  return {
    ...withCurves(subject, part),
    extremes: subject.extremes.map(part).filter(isLogged),
    nonFinite: subject.nonFinite.map(part).filter(isLogged),
    evaluations: subject.evaluations.filter(({ step }) => isKept(step)),
    samples: subject.samples.filter(({ step }) => isKept(step)),
    lastStep,
  }
}

/** From the first step to the last of whatever was logged: where a setting was wrong, it was wrong all the time. */
export function wholeRun({ manifest, lastStep }: Subject): readonly [number, number] {
  const first = Math.min(...[...manifest.metrics.values()].map(({ firstStep }) => firstStep))
  return Number.isFinite(first) && Number.isFinite(lastStep) ? [first, lastStep] : [0, 0]
}

/** Scores of evaluations. Those of training batches are many, ask other prompts each time, and tell nothing here. */
async function validationSamples(run: LoadedRun): Promise<readonly SampleScores[]> {
  if (run.manifest.samples === 0) return []
  const metrics = new Set((await listSamples(run)).map(({ metric }) => metric).filter(name => !isTraining(name)))
  const read = []
  for (const metric of metrics) read.push(...(await readSamples(run, { metric })))
  return read
}

function pointsOf({ metric, steps, values }: Curve, isKept: (value: number) => boolean): Curve {
  const kept = Array.from(steps.keys()).filter(i => isKept(values[i]))
  return { metric, steps: Float64Array.from(kept, i => steps[i]), values: Float64Array.from(kept, i => values[i]) }
}

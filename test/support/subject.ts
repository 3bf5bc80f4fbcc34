import type { Curve } from '../../src/core/analysis/align.js'
import { isTelling, mayHaveJumped } from '../../src/core/diagnosis/signs/odd-series.js'
import { judgedPairs, type Subject } from '../../src/core/diagnosis/subject.js'
import { emptyManifest, type Manifest } from '../../src/core/store/manifest.js'
import { MetricState } from '../../src/core/store/metric-state.js'
import type { Evaluation, SampleScores } from '../../src/logs/model/evaluation.js'
import type { Config } from '../../src/logs/model/run.js'
import { groupBy } from '../../src/logs/model/util/group-by.js'
import { detectFramework } from '../../src/logs/model/vocabulary/detect.js'
import { effectiveKl } from '../../src/logs/model/vocabulary/effective-kl.js'
import { meaningOf, rawNamesFor, vocabularyFor } from '../../src/logs/model/vocabulary/resolve.js'
import { goalOfRun } from '../../src/logs/model/vocabulary/run-goal.js'
import { settingsOf, validationSize } from '../../src/logs/model/vocabulary/settings.js'

/** Values at steps 1, 2, 3, …, or pairs of step and value. */
export type MadeUpSeries = readonly number[] | readonly (readonly [step: number, value: number])[]

export interface MadeUp {
  /** By raw name, as a log would have it. */
  readonly metrics: { readonly [rawName: string]: MadeUpSeries }
  readonly config?: Config
  readonly versions?: { readonly [tool: string]: string }
  readonly samples?: readonly SampleScores[]
}

/** A subject as `subjectOf` would make it of a run that logged these numbers, without a store. */
export function madeUpSubject({ metrics, config = {}, versions = {}, samples = [] }: MadeUp): Subject {
  const points = new Map(Object.entries(metrics).map(([name, series]) => [name, curveOf(name, series)]))
  const names = [...points.keys()]
  const framework = detectFramework(names, Object.keys(config))
  const vocabulary = vocabularyFor({ framework })
  const curves = (canonical: string): Curve[] =>
    rawNamesFor(canonical, names, vocabulary).flatMap(name => {
      const curve = points.get(name)
      const kept = curve === undefined ? undefined : finite(curve)
      return kept === undefined || kept.steps.length === 0 ? [] : [kept]
    })
  const manifest = manifestOf(points, config, versions)
  const n = validationSize(config, framework)
  const evaluations = [...points.values()].flatMap(({ metric, steps, values }): Evaluation[] => {
    const { validation, condition } = meaningOf(metric, vocabulary)
    if (!validation) return []
    return Array.from(steps, (step, i) => ({ metric, step, condition, value: values[i], n, quality: 'measured' }))
  })
  return {
    manifest,
    framework,
    config,
    settings: new Map(settingsOf(config, framework).map(setting => [setting.key, setting])),
    kl: effectiveKl(config, framework),
    meaningOf: metric => meaningOf(metric, vocabulary),
    curve: canonical => curves(canonical)[0],
    curves,
    evaluations,
    samples,
    extremes: mayHaveJumped(manifest).flatMap(name => finite(points.get(name) ?? curveOf(name, []))),
    nonFinite: [...points.values()].flatMap(curve => nonFinite(curve)),
    twins: twinsOf([...points.values()]),
    judgedPairs: judgedPairs(
      goalOfRun({ metrics: manifest.metrics, read: vocabulary.read, framework, config }, null),
      metric => points.get(metric),
    ),
    lastStep: Math.max(...[...points.values()].map(({ steps }) => steps[steps.length - 1])),
  }
}

function curveOf(metric: string, series: MadeUpSeries): Curve {
  const pairs = series.map((point, i) => (typeof point === 'number' ? ([i + 1, point] as const) : point))
  return {
    metric,
    steps: Float64Array.from(pairs, ([step]) => step),
    values: Float64Array.from(pairs, ([, value]) => value),
  }
}

function finite({ metric, steps, values }: Curve): Curve {
  const kept = Array.from(values.keys()).filter(i => Number.isFinite(values[i]))
  return { metric, steps: Float64Array.from(kept, i => steps[i]), values: Float64Array.from(kept, i => values[i]) }
}

function nonFinite({ metric, steps, values }: Curve): Curve[] {
  const kept = Array.from(values.keys()).filter(i => !Number.isFinite(values[i]))
  if (kept.length === 0) return []
  return [{ metric, steps: Float64Array.from(kept, i => steps[i]), values: Float64Array.from(kept, i => values[i]) }]
}

function manifestOf(
  points: ReadonlyMap<string, Curve>,
  config: Config,
  versions: { readonly [tool: string]: string },
): Manifest {
  const records = [...points].map(([name, { steps, values }]) => {
    const state = new MetricState()
    for (const [i, step] of steps.entries()) state.add(step, values[i], 'measured')
    return [name, state.record()] as const
  })
  return { ...emptyManifest('made-up', 'made-up', 'verl'), config, about: { versions }, metrics: new Map(records) }
}

/** As src/core/diagnosis/signs/odd-series.ts: a constant, or nearly one, is nobody's copy. */
function twinsOf(all: readonly Curve[]): readonly (readonly string[])[] {
  const varying = all.filter(({ values }) => isTelling(values))
  const groups = groupBy(varying, ({ steps, values }) => `${steps.join()};${values.join()}`)
  return [...groups.values()].filter(group => group.length > 1).map(group => group.map(({ metric }) => metric))
}

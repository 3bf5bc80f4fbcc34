import type { Condition } from '../../../logs/model/evaluation.js'
import { Problem } from '../../../logs/model/problem.js'
import { message } from '../../../text/say.js'
import { listSamples, type SampleSet } from '../../store/samples.js'
import type { RunView } from '../run-view.js'

/** Which scores are meant by a run, perhaps a step, perhaps a metric. What is not said is chosen only where it is clear. */

export interface NamedSide {
  readonly label: string
  readonly run: RunView
  readonly step: number | null
}

export interface SelectedSide extends NamedSide {
  readonly step: number
  readonly metric: string
  readonly condition: Condition
  /** Other metrics of the same samples, by the name behind the table's: `val/format` is `format`. */
  readonly parts: ReadonlyMap<string, string>
}

export interface Selection {
  readonly sides: readonly SelectedSide[]
  /** Metrics that might have been chosen as well. */
  readonly alternatives: readonly string[]
}

export interface SampleRequest {
  readonly metric: string | null
  /** Only what is said must agree. */
  readonly condition: Condition
}

export async function selectSamples(named: readonly NamedSide[], request: SampleRequest): Promise<Selection> {
  const placed: { readonly side: NamedSide & { readonly step: number }; readonly sets: readonly SampleSet[] }[] = []
  for (const side of named) {
    const all = side.run.manifest.samples === 0 ? [] : await listSamples(side.run)
    if (all.length === 0) throw noSamples(side.label)
    const steps = [...new Set(all.map(({ step }) => step))].sort((a, b) => a - b)
    const step = side.step ?? (steps.length === 1 ? steps[0] : null)
    if (step === null || !steps.includes(step)) throw noStep(side, steps)
    placed.push({ side: { ...side, step }, sets: all.filter(set => set.step === step) })
  }
  const metrics = placed.map(({ sets }) => [...new Set(sets.map(({ metric }) => metric))])
  const chosen = chooseMetrics(metrics, request.metric, named[0].run)
  if (chosen === null) {
    const known = someOf([...new Set(metrics.flat())], 12)
    throw new Problem('not-found', message('samples.no-metric', { metrics: known }))
  }
  const conditions = placed.map(({ sets }, i) =>
    sets.filter(({ metric }) => metric === chosen[i]).map(({ condition }) => condition),
  )
  const condition = chooseCondition(conditions, request.condition)
  if (condition === null) throw noCondition(conditions[0], request.condition)
  return {
    sides: placed.map(({ side }, i) => ({
      ...side,
      metric: chosen[i],
      condition,
      parts: partsOf(chosen[i], metrics[i]),
    })),
    alternatives: metrics[0].filter(metric => metric !== chosen[0] && metrics.every(each => each.includes(metric))),
  }
}

export function noSamples(side: string): Problem {
  return new Problem('not-enough', message('samples.none', { side }))
}

export function noStep({ label: side, step }: NamedSide, all: readonly number[]): Problem {
  const steps = `${someOf(all.map(String), 12)}${all.length > 12 ? ', …' : ''}`
  if (step !== null) return new Problem('not-found', message('samples.no-step', { side, step, steps }))
  return new Problem('bad-request', message('samples.which-step', { side, steps, last: all[all.length - 1] }))
}

function noCondition(all: readonly Condition[], wanted: Condition): Problem {
  const conditions = all.slice(0, 8).map(conditionText).join('; ')
  if (Object.keys(wanted).length > 0) return new Problem('not-found', message('samples.no-condition', { conditions }))
  return new Problem('bad-request', message('samples.which-condition', { conditions, example: tellingPart(all) }))
}

/** A part of the first condition that not all of them share. */
function tellingPart(conditions: readonly Condition[]): string {
  const [first = [], ...others] = conditions.map(condition => Object.entries(condition))
  const isShared = ([key, value]: readonly [string, unknown]): boolean =>
    others.every(other => other.some(([otherKey, otherValue]) => otherKey === key && otherValue === value))
  return (first.find(entry => !isShared(entry)) ?? first[0] ?? []).join('=')
}

function conditionText(condition: Condition): string {
  const parts = Object.entries(condition).map(([key, value]) => `${key}=${value}`)
  return parts.join(' ') || '–'
}

function someOf(names: readonly string[], most: number): string {
  return names.slice(0, most).join(', ') || '–'
}

/** One per side: of the same name, else of the same last part, where tables are called differently. */
function chooseMetrics(
  metrics: readonly (readonly string[])[],
  wanted: string | null,
  run: RunView,
): readonly string[] | null {
  const [first, ...rest] = metrics
  const shared = first.filter(metric => rest.every(each => each.includes(metric)))
  const name = preferredScore(shared, wanted, run)
  if (name !== null) return metrics.map(() => name)
  const lasts = metrics.map(each => each.map(lastPart))
  const sharedLasts = lasts[0].filter(last => lasts.every(each => each.indexOf(last) === each.lastIndexOf(last)))
  const last = preferredScore(
    sharedLasts.filter(each => lasts.every(names => names.includes(each))),
    wanted,
    run,
  )
  return last === null ? null : metrics.map((each, i) => each[lasts[i].indexOf(last)])
}

export const SCORE_ORDER = ['score', 'reward', 'acc', 'correct', 'accuracy', 'exact']
/** What is logged of a sample beside how good it was. */
const NO_SCORE = /advantage|length|tokens|truncat|time|temperature/i

/** The score among them that is meant, or that is likeliest to be meant where none is named. */
export function preferredScore(metrics: readonly string[], wanted: string | null, run: RunView): string | null {
  if (wanted !== null) {
    if (metrics.includes(wanted)) return wanted
    return (
      metrics.find(metric => lastPart(metric) === wanted) ??
      metrics.find(metric => run.meaningOf(metric).canonical === wanted) ??
      null
    )
  }
  const validation = run.carriersAmong(metrics, 'val.score')
  const among = validation.length > 0 ? validation : metrics
  const byName = SCORE_ORDER.flatMap(name => among.filter(metric => lastPart(metric) === name))
  return byName[0] ?? among.find(metric => !NO_SCORE.test(lastPart(metric))) ?? among[0] ?? null
}

export function lastPart(metric: string): string {
  return metric.slice(metric.lastIndexOf('/') + 1)
}

/** Metrics of the same table, that is with the same beginning: `val/`, or `eval.` of what klens measures itself. */
export function partsOf(metric: string, all: readonly string[]): ReadonlyMap<string, string> {
  const table = metric.slice(0, metric.lastIndexOf(metric.includes('/') ? '/' : '.') + 1)
  if (table === '') return new Map()
  const others = all.filter(other => other !== metric && other.startsWith(table))
  return new Map(others.map(other => [other.slice(table.length), other]))
}

function chooseCondition(sides: readonly (readonly Condition[])[], wanted: Condition): Condition | null {
  const same = (first: Condition, second: Condition): boolean => JSON.stringify(first) === JSON.stringify(second)
  const shared = sides[0].filter(
    condition => agrees(condition, wanted) && sides.every(each => each.some(other => same(other, condition))),
  )
  return shared.length === 1 ? shared[0] : null
}

export function agrees(condition: Condition, wanted: Condition): boolean {
  const { dataset, shots, temperature, split } = wanted
  return (
    (dataset === undefined || dataset === condition.dataset) &&
    (shots === undefined || shots === condition.shots) &&
    (temperature === undefined || temperature === condition.temperature) &&
    (split === undefined || split === condition.split)
  )
}

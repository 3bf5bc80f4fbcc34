import type { Condition } from '../../../logs/model/evaluation.js'
import type { Json } from '../../../logs/model/json.js'
import { groupBy } from '../../../logs/model/util/group-by.js'
import { mean, standardDeviation } from '../../../stats/descriptive.js'
import { isTrained, judgedSteps } from '../conventions.js'
import type { PromptScores } from '../prompt-scores.js'
import type { Knob } from './knobs.js'

/** The matrix of a sweep: settings down, conditions across. A cell is a mean over replicates, at steps that all share. */

/** The scores of one run under one condition. */
export interface Scores {
  readonly metric: string
  readonly condition: Condition
  /** Measured and finite, by step. */
  readonly points: ReadonlyMap<number, number>
  /** Steps whose cell the source marks as empty. */
  readonly marked: readonly number[]
  /** Cells marked as estimates, which are left out. */
  readonly estimated: number
  /** Prompts behind one score; null where nothing tells. */
  readonly n: number | null
  /** The same by the log or the config, where the scores themselves do not say. */
  readonly prompts: number | null
}

/** By canonical name: the values at each step, finite only. */
export type Training = ReadonlyMap<string, ReadonlyMap<number, number>>

export interface SweepRun {
  readonly id: string
  readonly label: string
  /** One for each key swept over. */
  readonly knobs: readonly Knob[]
  /** Runs of one block are alike in every known setting but the knobs. */
  readonly block: string
  readonly scores: readonly Scores[]
  /** Scores of single prompts, by metric. */
  readonly promptScores: ReadonlyMap<string, PromptScores>
  readonly training: Training
  /** Weight of the KL in the loss, where the config tells it. */
  readonly klCoefficient: number | null
}

export interface Setting {
  /** Effective values, parallel to the keys swept over. */
  readonly values: readonly Json[]
  readonly runs: readonly SweepRun[]
}

/** One condition: a data set, a number of shots. */
export interface Column {
  readonly metric: string
  readonly condition: Condition
  readonly n: number | null
  /** The fewest prompts behind a score of any run, for a comparison; null where a run does not tell. */
  readonly prompts: number | null
  /** Points of each run that has any, by run id. */
  readonly points: ReadonlyMap<string, ReadonlyMap<number, number>>
  /** Steps that enter a cell: what a run is judged by, of the steps that all its runs share. */
  readonly window: readonly number[]
  readonly shared: readonly number[]
  /** Every evaluated run has it, at shared steps: only such a column enters a run's summary. */
  readonly complete: boolean
}

/** Settings in the order of their values. */
export function settingsIn(runs: readonly SweepRun[]): readonly Setting[] {
  const groups = [...groupBy(runs, ({ knobs }) => settingKey(knobs.map(({ effective }) => effective))).values()]
  const settings = groups.map(members => ({
    values: members[0].knobs.map(({ effective }) => effective),
    runs: members,
  }))
  return settings.sort((a, b) => a.values.reduce<number>((order, value, i) => order || inOrder(value, b.values[i]), 0))
}

export function settingKey(values: readonly Json[]): string {
  return JSON.stringify(values)
}

/** Numbers by size, before words; words and truths as they spell. */
export function inOrder(a: Json, b: Json): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'number') return -1
  if (typeof b === 'number') return 1
  const [first, second] = [JSON.stringify(a), JSON.stringify(b)]
  return first < second ? -1 : first > second ? 1 : 0
}

export function distinctValues(values: readonly Json[]): readonly Json[] {
  return [...new Map(values.map(value => [JSON.stringify(value), value])).values()].sort(inOrder)
}

export function columnsOf(runs: readonly SweepRun[]): readonly Column[] {
  const scored = runs.flatMap(run => run.scores.map(scores => ({ run, scores })))
  const evaluated = runs.filter(isEvaluated).length
  const groups = [...groupBy(scored, ({ scores }) => conditionKey(scores.condition)).values()]
  return groups
    .map(group => columnOf(group, evaluated))
    .filter(column => column !== null)
    .sort((a, b) => (a.condition.shots ?? 0) - (b.condition.shots ?? 0))
}

/** One condition may have several carriers (a reward, an exact match): the one that most runs have, the best among equals. */
function columnOf(
  group: readonly { readonly run: SweepRun; readonly scores: Scores }[],
  evaluated: number,
): Column | null {
  const byMetric = [...groupBy(group, ({ scores }) => scores.metric).values()].map(carriers =>
    carriers.filter(({ scores }) => scores.points.size > 0),
  )
  const holders = byMetric.reduce((best, carriers) => (carriers.length > best.length ? carriers : best), [])
  if (holders.length === 0) return null
  const points = new Map(holders.map(({ run, scores }) => [run.id, scores.points]))
  const everywhere = sharedSteps([...points.values()])
  const trained = everywhere.filter(isTrained)
  const shared = trained.length > 0 ? trained : everywhere
  const fewest = (counts: readonly (number | null)[]): number | null => {
    const known = counts.filter(count => count !== null)
    return known.length === counts.length ? Math.min(...known) : null
  }
  return {
    metric: holders[0].scores.metric,
    condition: holders[0].scores.condition,
    n: fewest(holders.map(({ scores }) => scores.n)),
    prompts: fewest(holders.map(({ scores }) => scores.n ?? scores.prompts)),
    points,
    shared,
    window: judgedSteps(shared),
    complete: shared.length > 0 && holders.length === evaluated,
  }
}

function sharedSteps(all: readonly ReadonlyMap<number, number>[]): number[] {
  return [...all[0].keys()].filter(step => all.every(points => points.has(step))).sort((a, b) => a - b)
}

/** Columns as they were at a step. */
export function columnsUntil(columns: readonly Column[], until: number): readonly Column[] {
  return columns.map(column => {
    const shared = column.shared.filter(step => step <= until)
    return { ...column, shared, window: judgedSteps(shared), complete: column.complete && shared.length > 0 }
  })
}

/** The steps at which all runs of some settings have what enters a summary. */
export function stepsSharedBy(settings: readonly Setting[], columns: readonly Column[]): readonly number[] {
  const ids = settings.flatMap(({ runs }) => runs.filter(isEvaluated).map(({ id }) => id))
  const points = columns.filter(({ complete }) => complete).flatMap(column => ids.map(id => column.points.get(id)))
  const known = points.filter(each => each !== undefined)
  return known.length === 0 ? [] : sharedSteps(known)
}

export function isEvaluated(run: SweepRun): boolean {
  return run.scores.some(({ points }) => points.size > 0)
}

/** A run in one condition; null where it has nothing at the shared steps. */
export function runScore(run: SweepRun, { points, window }: Column): number | null {
  const own = points.get(run.id)
  return own === undefined || window.length === 0 ? null : mean(window.map(step => own.get(step) ?? Number.NaN))
}

/** A run as one number: the mean over the conditions that every run has. Several conditions share their prompts, so they are no further evidence. */
export function runSummary(run: SweepRun, columns: readonly Column[]): number | null {
  const scores = columns.filter(({ complete }) => complete).map(column => runScore(run, column))
  const found = scores.filter(score => score !== null)
  return found.length === 0 || found.length < scores.length ? null : mean(found)
}

export interface CellScore {
  readonly mean: number
  /** Over replicates; null for one run. */
  readonly spread: number | null
  readonly runs: number
}

export function cellScore(setting: Setting, scoreOf: (run: SweepRun) => number | null): CellScore | null {
  const scores = setting.runs.map(scoreOf).filter(score => score !== null)
  if (scores.length === 0) return null
  return { mean: mean(scores), spread: scores.length > 1 ? standardDeviation(scores) : null, runs: scores.length }
}

/** Same data, same shots, same split: how repeats were folded is a choice of summary, not another condition. */
export function conditionKey({ dataset, shots, temperature, split }: Condition): string {
  return JSON.stringify([dataset ?? null, shots ?? null, temperature ?? null, split ?? null])
}

/** Which cells of the matrix are empty: combinations without a run, steps without an evaluation, figures that were not logged. */

export interface Missing {
  readonly kind: 'run' | 'evaluation' | 'training'
  readonly values: readonly Json[]
  /** Raw metric names for evaluations, canonical ones for training; empty for a run. */
  readonly metrics: readonly string[]
  readonly steps: readonly number[]
  /** The source itself marks these cells as empty; else they are simply not there. */
  readonly marked: boolean
}

export function missingCells(settings: readonly Setting[], columns: readonly Column[]): readonly Missing[] {
  return [...missingRuns(settings), ...missingEvaluations(settings, columns), ...missingTraining(settings)]
}

/** Knob by knob: every combination of values that were tried. */
function missingRuns(settings: readonly Setting[]): Missing[] {
  const there = new Set(settings.map(({ values }) => settingKey(values)))
  const tried = (settings[0]?.values ?? []).map((_, knob) => distinctValues(settings.map(({ values }) => values[knob])))
  const combinations = tried.reduce<readonly (readonly Json[])[]>(
    (before, values) => before.flatMap(start => values.map(value => [...start, value])),
    [[]],
  )
  return combinations
    .filter(values => !there.has(settingKey(values)))
    .map(values => ({ kind: 'run', values, metrics: [], steps: [], marked: false }))
}

/** A step at which anybody was evaluated, or at which a source marks an empty cell, is expected of everybody. */
function missingEvaluations(settings: readonly Setting[], columns: readonly Column[]): Missing[] {
  const metrics = columns.map(({ metric }) => metric)
  const scores = settings.flatMap(({ runs }) => runs.flatMap(run => run.scores))
  const ofColumns = scores.filter(({ metric }) => metrics.includes(metric))
  const expected = [...new Set(ofColumns.flatMap(({ points, marked }) => [...points.keys(), ...marked]))]
  return settings.flatMap(setting => {
    const gaps = columns.flatMap(({ metric, points }) => {
      const own = setting.runs.flatMap(run => {
        const found = points.get(run.id)
        return found === undefined ? [] : [found]
      })
      const marked = new Set(
        setting.runs.flatMap(run => run.scores.filter(each => each.metric === metric).flatMap(each => each.marked)),
      )
      return expected
        .filter(step => !own.some(found => found.has(step)))
        .map(step => ({ metric, step, marked: marked.has(step) }))
    })
    const byKind = groupBy(gaps, ({ marked }) => marked)
    return [...byKind].flatMap(([marked, found]) => {
      const bySteps = groupBy(
        [...groupBy(found, ({ metric }) => metric)].map(([metric, cells]) => ({
          metric,
          steps: cells.map(({ step }) => step).sort((a, b) => a - b),
        })),
        ({ steps }) => steps.join(),
      )
      return [...bySteps.values()].map(
        (same): Missing => ({
          kind: 'evaluation',
          values: setting.values,
          metrics: same.map(({ metric }) => metric),
          steps: same[0].steps,
          marked,
        }),
      )
    })
  })
}

/** Training figures that other settings have and this one has not at all. */
function missingTraining(settings: readonly Setting[]): Missing[] {
  const hasAny = ({ runs }: Setting, metric: string): boolean =>
    runs.some(({ training }) => (training.get(metric)?.size ?? 0) > 0)
  const known = [...new Set(settings.flatMap(({ runs }) => runs.flatMap(({ training }) => [...training.keys()])))]
  return settings.flatMap((setting): Missing[] => {
    const metrics = known.filter(
      metric => !hasAny(setting, metric) && settings.some(other => other !== setting && hasAny(other, metric)),
    )
    return metrics.length === 0 ? [] : [{ kind: 'training', values: setting.values, metrics, steps: [], marked: false }]
  })
}

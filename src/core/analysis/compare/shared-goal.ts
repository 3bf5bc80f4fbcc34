import { comparableName } from '../../../logs/model/vocabulary/names.js'
import type { ScoreSeries } from '../../../logs/model/vocabulary/roles.js'
import {
  bestCandidates,
  firstOfEachSet,
  type GoalCandidate,
  placeOf,
  setOf,
  sortByRank,
} from '../../../logs/model/vocabulary/run-goal.js'
import type { Message } from '../../../text/sentences.js'
import { hasSeries } from '../../store/manifest.js'
import { seriesNamed } from '../goal.js'
import { onEverySet, type RunView } from '../run-view.js'
import type { RunSide } from './evidence.js'
import { paidDifference, sharedParts } from './paid-differently.js'

/** By what sides are compared: series that all of them have, of the best role there is, one per data set. */
export interface SharedGoal {
  /** That of the headline first. */
  readonly sets: readonly SharedSeries[]
  /** The optimised reward beside them. */
  readonly optimised: readonly SharedSeries[]
  /** Why sums of what was paid get no verdict; null where all sides were paid for the same. */
  readonly paid: Message | null
}

export interface SharedSeries {
  /** Its name on every side: trackers spell one metric differently. */
  readonly metrics: readonly string[]
  /** All that was paid, added up. */
  readonly isSum: boolean
}

/** The name under which every question asks for what a run is judged by. */
const HEADLINE = 'val.score'
const PARTS = 'reward.part'

/** Null when the sides share no metric of that name. */
export async function sharedGoal(sides: readonly RunSide[], wanted: string): Promise<SharedGoal | null> {
  const paid = await paidDifference(sides)
  const found = wanted === HEADLINE ? judgesOf(sides, paid !== null) : null
  if (found !== null) return { ...found, paid }
  const areValidated = sides.every(({ runs }) => runs[0].goal.yardsticks.length > 0)
  const sets =
    wanted === PARTS ? partsOf(sides) : wanted === HEADLINE && areValidated ? sameRole(sides) : namedSets(sides, wanted)
  if (sets === null) return null
  const whole = wanted === PARTS ? (namedSets(sides, 'reward.mean') ?? namedSets(sides, 'score.mean') ?? []) : []
  return { sets, optimised: whole.slice(0, 1), paid }
}

/** Sides that call nothing by one name, as those of two trainers: series of one role, never a reward against an accuracy. */
function sameRole(sides: readonly RunSide[]): readonly SharedSeries[] | null {
  for (const role of ['independent', 'optimised', 'part', 'loss']) {
    const found = sides.map(side =>
      sortByRank(
        side.runs[0].goal.series.flatMap(series => (series.role === role ? (candidateOf([side], series) ?? []) : [])),
      ).at(0),
    )
    if (found.every(each => each !== undefined)) {
      return [{ metrics: found.flatMap(({ metrics }) => metrics), isSum: found.some(({ isSum }) => isSum) }]
    }
  }
  return null
}

/** Ordered by the least independent role that it has in any run, then by the most independent one. */
interface Candidate extends SharedSeries, GoalCandidate {}

function judgesOf(sides: readonly RunSide[], isPaidDifferently: boolean): Omit<SharedGoal, 'paid'> | null {
  const [run] = sides[0].runs
  const named = run.goal.source === 'user' ? run.goal.yardsticks : []
  const wished = named.flatMap(series => candidateOf(sides, series) ?? [])
  const all = run.goal.series.flatMap(series => candidateOf(sides, series) ?? []).filter(isJudge(run))
  const comparable = all.filter(({ isSum }) => !(isSum && isPaidDifferently))
  const sets = wished.length > 0 ? wished : bestCandidates(comparable.length > 0 ? comparable : all)
  if (sets.length === 0) return null
  const isOptimised = sets.some(({ order }) => order[1] === placeOf('optimised'))
  const datasets = new Set(sets.map(({ series }) => setOf(series)))
  const sums = all.filter(({ isSum, series }) => isSum && datasets.has(setOf(series)) && !sets.some(isSameAs(series)))
  return { sets, optimised: isOptimised && !isPaidDifferently ? [] : firstOfEachSet(sums) }
}

function isSameAs({ metric }: ScoreSeries): (other: Candidate) => boolean {
  return ({ series }) => series.metric === metric
}

/** A loss judges only where the run is judged by it. */
function isJudge({ goal }: RunView): (candidate: Candidate) => boolean {
  return ({ series }) =>
    series.role !== 'unknown' &&
    (series.role !== 'loss' || goal.yardsticks.some(({ metric }) => metric === series.metric))
}

/** A series that every run of every side has, under one name on each side. */
function candidateOf(sides: readonly RunSide[], series: ScoreSeries): Candidate | null {
  const metrics = sides.map(({ runs }) => nameOnSide(runs, series.metric))
  if (!metrics.every(metric => metric !== null)) return null
  const roles = sides.flatMap(({ runs }, i) => runs.map(run => seriesNamed(run, metrics[i])?.role ?? 'unknown'))
  const places = roles.map(placeOf)
  return { metrics, isSum: series.isSum, series, order: [Math.max(...places), Math.min(...places)] }
}

function nameOnSide(runs: readonly RunView[], metric: string): string | null {
  const isOnAll = (name: string): boolean => runs.every(({ manifest }) => hasSeries(manifest, name))
  if (isOnAll(metric)) return metric
  const wanted = comparableName(metric)
  const names = [...runs[0].manifest.metrics.keys()]
  return names.find(name => comparableName(name) === wanted && isOnAll(name)) ?? null
}

/** A metric that was asked for by its name, with its likes on other data sets. */
function namedSets(sides: readonly RunSide[], wanted: string): readonly SharedSeries[] | null {
  const metrics = sides.map(({ runs }) => firstOnAll(runs, wanted))
  if (!metrics.every(metric => metric !== null)) return null
  const isOneName = new Set(metrics.map(comparableName)).size === 1
  const likes = isOneName ? onEverySet(sides[0].runs[0], metrics[0]).slice(1) : []
  const others = likes.flatMap(metric => {
    const names = sides.map(({ runs }) => nameOnSide(runs, metric))
    return names.every(name => name !== null) ? [names] : []
  })
  return [metrics, ...others].map(names => ({
    metrics: names,
    isSum: sides.some(({ runs }, i) => seriesNamed(runs[0], names[i])?.isSum === true),
  }))
}

function firstOnAll(runs: readonly RunView[], wanted: string): string | null {
  const candidates = runs[0].metricsNamed(wanted)
  return candidates.find(name => runs.every(({ manifest }) => hasSeries(manifest, name))) ?? null
}

/** What all sides were paid for, where their sums are not comparable. */
function partsOf(sides: readonly RunSide[]): readonly SharedSeries[] | null {
  const parts = sharedParts(sides.flatMap(side => side.runs))
  const found = parts.flatMap(metric => {
    const metrics = sides.map(({ runs }) => nameOnSide(runs, metric))
    return metrics.every(name => name !== null) ? [{ metrics, isSum: false }] : []
  })
  return found.length === 0 ? null : found
}

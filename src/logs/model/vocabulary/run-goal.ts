import { sentences } from '../../../text/sentences.js'
import { groupBy } from '../util/group-by.js'
import type { Goal } from './metric.js'
import { comparableName } from './names.js'
import { type ScoreRole, type ScoreSeries, scoreSeriesOf } from './roles.js'
import {
  type RewardKind,
  rewardKindOf,
  type ScoreSource,
  type TrainingReward,
  trainingRewardOf,
} from './training-reward.js'

/** What a run is judged by: of every data set the series of the best role, or the metric that the user set. */
export interface RunGoal {
  /** Every validation series with its role. */
  readonly series: readonly ScoreSeries[]
  /** One per data set, the first of them in the headline; empty where nothing is validated that could judge. */
  readonly yardsticks: readonly ScoreSeries[]
  /** The optimised reward as it was validated beside an independent score, one per data set. */
  readonly optimised: readonly ScoreSeries[]
  readonly reward: TrainingReward
  readonly rewardKind: RewardKind
  readonly source: 'user' | 'log'
}

/** The metric that the user judges by, raw or canonical. */
export interface UserGoal {
  readonly metric: string
  /** Null: as the vocabulary has it. */
  readonly goal: Goal | null
}

const say = sentences({
  'role.set-by-user': { en: 'set with klens goal', zh: '由 klens goal 指定' },
  'role.in-vocabulary': { en: 'vocabulary.yaml calls it val.score', zh: 'vocabulary.yaml 中指定为 val.score' },
})

/** Best first. A loss stands in only for a training that has no reward, or where it is the likelihood of rewarded choices. */
const ORDER: readonly ScoreRole[] = ['independent', 'optimised', 'part', 'loss', 'unknown']

export function goalOfRun(source: ScoreSource, wish: UserGoal | null): RunGoal {
  const reward = trainingRewardOf(source)
  const series = scoreSeriesOf(source, reward)
  const rules = series.filter(({ reason }) => reason.key === 'role.equal').map(({ metric }) => metric)
  const about = { series, reward, rewardKind: rewardKindOf(source, reward, rules) }
  const named = series.filter(({ canonical, rank }) => canonical === 'val.score' && rank < 0)
  const inVocabulary = named.map(each => ({ ...each, reason: say('role.in-vocabulary', {}) }))
  const wished = (wish === null ? [] : wishedSeries(source, series, wish)).concat(wish === null ? inVocabulary : [])
  if (wished.length > 0) return { ...about, ...judgedBy(series, wished), source: 'user' }
  const candidates = series.filter(
    ({ role, reason }) =>
      role !== 'unknown' && (role !== 'loss' || !reward.isReinforced || reason.key === 'role.loss-of-choices'),
  )
  const places = candidates.map(each => ({ series: each, order: [placeOf(each.role)] }))
  // A data set that has nothing of the best role, such as a loss beside accuracies, is not judged by a lesser one.
  return {
    ...about,
    ...judgedBy(
      series,
      bestCandidates(places).map(each => each.series),
    ),
    source: 'log',
  }
}

/** A series that could judge, and how independent it is: smaller places are better, the first one decides. */
export interface GoalCandidate {
  readonly series: ScoreSeries
  readonly order: readonly number[]
}

export function placeOf(role: ScoreRole): number {
  return ORDER.indexOf(role)
}

/** The candidates of the best place, one per data set. Parts of a reward are several quantities, so each stands for itself. */
export function bestCandidates<T extends GoalCandidate>(candidates: readonly T[]): readonly T[] {
  const best = [...candidates].sort((a, b) => byOrder(a.order, b.order)).at(0)
  if (best === undefined) return []
  const equals = candidates.filter(({ order }) => byOrder(order, best.order) === 0)
  const areParts = equals.every(({ series }) => series.canonical === 'val.reward.part')
  return areParts && best.order.at(-1) === placeOf('part') ? sortByRank(equals) : firstOfEachSet(equals)
}

export function firstOfEachSet<T extends GoalCandidate>(candidates: readonly T[]): readonly T[] {
  const bySet = groupBy(candidates, ({ series }) => setOf(series))
  return sortByRank([...bySet.values()].flatMap(ofSet => sortByRank(ofSet).slice(0, 1)))
}

/** Between equals any fixed order will do, as long as it is not that of the log, which trackers do not keep. */
export function sortByRank<T extends GoalCandidate>(candidates: readonly T[]): readonly T[] {
  return [...candidates].sort(({ series: a }, { series: b }) => byRank(a, b))
}

export function setOf({ dataset }: ScoreSeries): string {
  return comparableName(dataset ?? '')
}

function byOrder(a: readonly number[], b: readonly number[]): number {
  return a.map((place, i) => place - (b[i] ?? 0)).find(difference => difference !== 0) ?? 0
}

function byRank(a: ScoreSeries, b: ScoreSeries): number {
  return a.rank - b.rank || (comparableName(a.metric) < comparableName(b.metric) ? 1 : -1)
}

function judgedBy(all: readonly ScoreSeries[], chosen: readonly ScoreSeries[]) {
  const yardsticks = [...chosen].sort(byRank)
  const isIndependent = yardsticks.every(({ role }) => role !== 'optimised' && role !== 'loss')
  const sets = new Set(yardsticks.map(setOf))
  const sums = all.filter(series => series.isSum && sets.has(setOf(series)))
  const first = firstOfEachSet(sums.map(series => ({ series, order: [] }))).map(({ series }) => series)
  const optimised = isIndependent ? first : []
  return { yardsticks, optimised: optimised.filter(({ metric }) => yardsticks.every(other => other.metric !== metric)) }
}

/** The series that the user means: of that name in whichever tracker, else all that carry the meaning. */
function wishedSeries(source: ScoreSource, series: readonly ScoreSeries[], wish: UserGoal): readonly ScoreSeries[] {
  const name = comparableName(wish.metric)
  const names = [...source.metrics.keys()]
  const exact = names.filter(metric => metric === wish.metric)
  const alike = exact.length > 0 ? exact : names.filter(metric => comparableName(metric) === name)
  const found = alike.length > 0 ? alike : names.filter(metric => source.read(metric).canonical === wish.metric)
  return found.map(metric => {
    const { canonical, unit, goal, condition, rank } = source.read(metric)
    const known = series.find(each => each.metric === metric)
    return {
      ...(known ?? {
        metric,
        canonical,
        unit,
        role: 'unknown',
        dataset: condition.dataset ?? null,
        isSum: false,
        rank,
      }),
      goal: wish.goal ?? goal,
      reason: say('role.set-by-user', {}),
    }
  })
}

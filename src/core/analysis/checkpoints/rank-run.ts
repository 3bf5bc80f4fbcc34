import { z } from 'zod'
import type { Message } from '../../../logs/model/run.js'
import { figure, list } from '../../../logs/model/schema.js'
import { goalSchema } from '../../../logs/model/vocabulary/judged-by.js'
import type { Goal } from '../../../logs/model/vocabulary/metric.js'
import { sentence } from '../../../text/answer-schema.js'
import { sentences } from '../../../text/sentences.js'
import { readEvaluations } from '../../store/evaluations.js'
import { readSeries, type SeriesPoints } from '../../store/series.js'
import { promptsBehind } from '../compare/evidence.js'
import { goalTags, judgedBy } from '../goal.js'
import { atLooks, GROWTH_OF_LOOKS, growthOf, standingOf } from '../growing.js'
import { readScores } from '../prompt-scores.js'
import { onEverySet, type RunView } from '../run-view.js'
import { klBudget, pointsAt } from './kl-budget.js'
import {
  bestCheckpoint,
  type CheckpointRanking,
  type EvaluationNoise,
  type LookBound,
  rankCheckpoints,
} from './ranking.js'
import { aboutStart, lowerBound, recommendStep, savedSteps, stepRecommendation } from './recommend.js'

/** A run's checkpoints ranked by one metric, with what a reader weighs beside the score at each of them. */
export const rankedCheckpoints = z.object({
  metric: z.string(),
  goal: z.enum(['max', 'min']),
  /** Best first. */
  ranking: list(z.object({ step: z.number(), value: z.number(), others: z.record(z.string(), figure) })),
  best: bestCheckpoint,
  /** The one step advised, among those that exist. */
  take: stepRecommendation,
  /** The same score on every validation set that the run logs, this one first. */
  sets: list(z.string()),
  indistinguishable: list(z.number()),
  reasons: list(sentence),
  /** The metrics in `others`, in a reader's order. */
  beside: list(z.string()),
  judgedBy: goalSchema,
  /** What limits the choice, such as `optimised-reward`. */
  tags: list(z.string()),
})

export interface RankedRun {
  readonly metric: string
  /** Null: nothing says which direction is better, and nothing is ranked. */
  readonly goal: Goal | null
  /** Null: no finite value, or no goal. */
  readonly ranked: z.infer<typeof rankedCheckpoints> | null
  /** Standard error of one evaluation; null where nothing tells. */
  readonly error: number | null
}

const BESIDE = ['val.loss', 'loss.policy', 'kl.ref', 'entropy', 'adv.std', 'len.response']

interface RankOptions {
  readonly ended?: boolean
  /** Only checkpoints whose KL to the reference is at most this. */
  readonly maxKl?: number | null
}

/** `wanted` null: the validation score, or what rests on more queries. Null when the run has no metric of that name. */
export async function rankRun(
  run: RunView,
  wanted: string | null,
  goalGiven: Goal | null,
  { ended = false, maxKl = null }: RankOptions = {},
): Promise<RankedRun | null> {
  const criteria = await criteriaOf(run)
  const metric = run.metricsNamed(wanted ?? fullestCriterion(criteria) ?? 'val.score')[0]
  if (metric === undefined) return null
  const goal = goalGiven ?? run.meaningOf(metric).goal
  const names = [...run.manifest.metrics.keys()]
  const carriers = BESIDE.flatMap(canonical => run.carriersAmong(names, canonical).slice(0, 1))
  const beside = carriers.filter(other => other !== metric)
  const sets = onEverySet(run, metric)
  const all = await readSeries(run, [...sets, ...beside])
  const budget = maxKl === null ? null : await klBudget(run, Array.from(all.get(metric)?.steps ?? []), maxKl)
  const series =
    budget === null ? all : new Map([...all].map(([name, points]) => [name, pointsAt(points, budget.allows)] as const))
  const bound = goal === null ? null : await lookBound(run, metric, series.get(metric), ended)
  const ranked = await Promise.all(sets.map(set => rankedBy(run, set, goal, series.get(set), bound)))
  const [first] = ranked
  if (goal === null || first === null) return { metric, goal, ranked: null, error: null }
  const courses = ranked.flatMap(each => each?.course ?? [])
  const { ranking, best, error, indistinguishable, reasons } = first
  const goalOfSets = judgedBy([run], sets)
  const sign = goal === 'max' ? 1 : -1
  const saved = await savedSteps(run)
  const within = saved && budget ? { ...saved, steps: saved.steps.filter(budget.allows) } : saved
  const take = recommendStep(courses, within, sign)
  return {
    metric,
    goal,
    error,
    ranked: {
      metric,
      goal,
      ranking: ranking.map(({ step, value }) => ({ step, value, others: valuesAt(series, beside, step) })),
      best,
      take,
      sets,
      indistinguishable,
      reasons: [
        ...(budget === null ? [] : [budget.reason]),
        ...aboutStart(first.course, take, sign),
        ...reasons,
        ...(bound?.reasons ?? []),
        ...restsOn(criteria),
      ],
      beside,
      judgedBy: goalOfSets,
      tags: goalTags(goalOfSets),
    },
  }
}

async function rankedBy(
  run: RunView,
  metric: string,
  goal: Goal | null,
  points: SeriesPoints | undefined,
  bound: LookBound | null,
): Promise<CheckpointRanking | null> {
  return goal === null || points === undefined
    ? null
    : rankCheckpoints(points, goal, await noiseOf(run, metric, points), bound)
}

/**
 * A run that may go on is ranked as often as somebody likes. With the bound for all evaluations planned, looking again is
 * no second chance; without a plan there is one bound until the evaluations have doubled, and each look has its part of the
 * level, as in a comparison. Null for a run that has ended before anybody looked.
 */
async function lookBound(
  run: RunView,
  metric: string,
  points: SeriesPoints | undefined,
  ended: boolean,
): Promise<(LookBound & { readonly reasons: readonly Message[] }) | null> {
  const steps = Array.from(points?.steps ?? [])
  const looked = [{ sides: [[run.manifest.id]], steps }]
  const growing = await atLooks(run.workspace, growthOf([run], { ended }), metric, looked)
  if (growing === null || steps.length === 0) return null
  const [n, last] = [steps.length, steps[steps.length - 1]]
  const { planned, looks: [looks = []] = [] } = growing
  if (planned !== null) {
    const among = Math.max(n, Math.ceil((n * planned) / Math.max(last, 1)))
    return { level: 0.05, among, reasons: [say('checkpoints.planned', { planned, among })] }
  }
  const { level, reason } = standingOf(growing, last)
  if (growing.ended) return { level, among: n, reasons: reason === null ? [] : [reason] }
  const among = Math.max(n, GROWTH_OF_LOOKS * (looks.at(-1)?.n ?? n))
  return { level, among, reasons: [say('checkpoints.looked', { look: Math.max(1, looks.length), among, level })] }
}

/** Per-prompt scores belong to the metric whose values are their means. */
async function noiseOf(run: RunView, metric: string, points: SeriesPoints): Promise<EvaluationNoise> {
  const found = await readScores(run, metric, points)
  return { scores: found?.own ? found.scores.byStep : new Map(), prompts: await promptsBehind(run, metric) }
}

function valuesAt(series: ReadonlyMap<string, SeriesPoints>, metrics: readonly string[], step: number) {
  return Object.fromEntries(
    metrics.flatMap(metric => {
      const points = series.get(metric)
      if (points === undefined) return []
      const place = lowerBound(points.steps, step)
      return points.steps[place] === step ? [[metric, points.values[place]]] : []
    }),
  )
}

/**
 * By what checkpoints can be ranked, and on how many queries each criterion rests. A log scores a policy's own choice
 * only where somebody tried it before, which happens on the easier queries and on other ones at each checkpoint: such a
 * score is no ranking. A loss over all queries is then the better criterion, and whoever asks for the score is told.
 */
export interface Criterion {
  readonly metric: string
  /** Queries behind one evaluation, over the checkpoints. */
  readonly least: number
  readonly most: number
}

const say = sentences({
  'checkpoints.planned': {
    en: 'not all of its {planned} planned steps yet: ties are computed for all {among} evaluations, so asking again does not add a chance of a false claim (--ended: training is over)',
    zh: '未到计划的 {planned} 步：按计划中的全部 {among} 次验证来区分，反复查看不会增加误判（--ended：训练已结束）',
  },
  'checkpoints.looked': {
    en: 'interim analysis {look} of a run that may continue: ties are computed for {among} evaluations, at p < {level} (--ended: training is over)',
    zh: '这是对一个可能还会继续的 run 的第 {look} 次检视：按 {among} 次验证、p < {level} 来区分（--ended：训练已结束）',
  },
  'checkpoints.rests-on': {
    en: '{metric} covers {count} quer{count|y|ies} at every checkpoint',
    zh: '{metric} 在每个 checkpoint 上都基于 {count} 个查询',
  },
  'checkpoints.rests-on-part': {
    en: '{metric} covers {least} to {most} of {all} quer{all|y|ies}, not the same ones at every checkpoint: only those whose choice the log happens to score, which are the easier ones; {other} covers all {all}',
    zh: '{metric} 只基于 {all} 个查询中的 {least} 至 {most} 个，且各 checkpoint 并不相同：只有日志恰好评过分的选择才算数，往往是较容易的查询；{other} 基于全部 {all} 个',
  },
})

/** The score first. */
const CRITERIA = ['val.score', 'val.loss']

export async function criteriaOf(run: RunView): Promise<readonly Criterion[]> {
  const names = [...run.manifest.metrics.keys()]
  if (run.manifest.evaluations === 0) return []
  const evaluations = await readEvaluations(run)
  return CRITERIA.flatMap(canonical => {
    const sized = run.carriersAmong(names, canonical).flatMap(metric => {
      const sizes = evaluations.flatMap(each => (each.metric === metric && each.n !== null ? [each.n] : []))
      return sizes.length === 0 ? [] : [{ metric, least: Math.min(...sizes), most: Math.max(...sizes) }]
    })
    // The first of several that tell on how many queries they rest: a score may be logged in two forms.
    return sized.slice(0, 1)
  })
}

/** The metric to rank by when none is named: the one that rests on the most queries; null where that is the score. */
export function fullestCriterion([first, ...others]: readonly Criterion[]): string | null {
  return others.find(({ least }) => first !== undefined && least > first.least)?.metric ?? null
}

/** Nothing where there is only one to choose from. */
export function restsOn(criteria: readonly Criterion[]): readonly Message[] {
  if (criteria.length < 2) return []
  const all = Math.max(...criteria.map(({ most }) => most))
  const fullest = criteria.find(({ least }) => least === all)
  return criteria.map(({ metric, least, most }) =>
    fullest === undefined || least === all
      ? say('checkpoints.rests-on', { metric, count: least === most ? least : `${least}–${most}` })
      : say('checkpoints.rests-on-part', { metric, least, most, all, other: fullest.metric }),
  )
}

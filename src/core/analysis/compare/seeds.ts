import type { Message } from '../../../logs/model/run.js'
import type { Verdict } from '../../../logs/model/verdict.js'
import type { Goal } from '../../../logs/model/vocabulary/metric.js'
import { greatest, mean } from '../../../stats/descriptive.js'
import { binomialCoefficient, fisherP, studentisedPermutationP } from '../../../stats/exact-tests.js'
import { interquartileMean, intervalOf, probabilityOfImprovement, welch } from '../../../stats/student-estimate.js'
import { jitter } from '../../../stats/trend.js'
import { chance, figure, range, signedFigure } from '../../../text/numbers.js'
import { sentences } from '../../../text/sentences.js'
import type { SeriesPoints } from '../../store/series.js'
import { RUNS_FOR_CONFIGS } from '../conventions.js'

/** What several runs a side tell beyond a difference of means: how surely, which of them collapsed, how often one wins. */

const say = sentences({
  'seeds.dealt': {
    en: 'unequal numbers of runs ({first} and {second}): p {p} from a studentised permutation test',
    zh: '两方分别有 {first} 和 {second} 个 run，由置换检验（studentised）定夺：p {p}',
  },
  'seeds.described': {
    en: 'interquartile means {first} and {second}; a treatment run beats a baseline run in {percent} % of pairs',
    zh: '四分位均值分别为 {first} 和 {second}；另一方的 run 胜过基线 run 的比例为 {percent}%',
  },
  'seeds.collapsed': {
    en: 'collapsed (lost more than half of what was learned): {first} of {firstOf} and {second} of {secondOf} run{secondOf||s} (p {p}, Fisher)',
    zh: '崩塌（学到的成绩丢掉一半以上）的 run：{first}/{firstOf} 对 {second}/{secondOf}（Fisher 检验 p {p}）',
  },
  'seeds.others': {
    en: 'without the collapsed runs the difference is {estimate} ({interval})',
    zh: '去掉崩塌的 run，差为 {estimate}（{interval}）',
  },
})

const LEVEL = 0.05
/** Fewer ways of dealing the runs cannot tell anything apart at 5 %. */
const FEWEST_DEALS = 40

/** Welch leans on normal runs where the numbers are unequal: there the deals of the runs have the last word on a claim. */
export function permutationCheck(verdict: Verdict, first: readonly number[], second: readonly number[]): Verdict {
  const isDecided =
    first.length !== second.length && binomialCoefficient(first.length + second.length, first.length) >= FEWEST_DEALS
  if (!isDecided || verdict.p === null) return verdict
  const byDeals = studentisedPermutationP(first, second)
  if (!Number.isFinite(byDeals)) return verdict
  const p = Math.max(verdict.p, byDeals)
  const reasons = [
    ...verdict.reasons,
    say('seeds.dealt', { first: first.length, second: second.length, p: chance(byDeals) }),
  ]
  if (p < LEVEL || verdict.answer === 'undetermined' || verdict.answer === 'same') return { ...verdict, p, reasons }
  const answer = verdict.answer === 'different-but-small' ? 'same' : 'undetermined'
  return { ...verdict, p, reasons, answer, tags: [] }
}

/** As description: no verdict rests on either. */
export function meanDifferenceText(first: readonly number[], second: readonly number[], goal: Goal | null): Message {
  const sign = goal === 'min' ? -1 : 1
  const wins = probabilityOfImprovement(
    first.map(value => sign * value),
    second.map(value => sign * value),
  )
  return say('seeds.described', {
    first: figure(interquartileMean(first), 4),
    second: figure(interquartileMean(second), 4),
    percent: Math.round(100 * wins),
  })
}

/** A collapse is an outcome of its own: how many runs, and what the others are worth. */
export interface Collapse {
  /** Places of the collapsed among the runs of each side. */
  readonly baseline: readonly number[]
  readonly other: readonly number[]
  /** That the shares differ, by Fisher's test. */
  readonly p: number
  readonly messages: readonly Message[]
}

/** Null where no run collapsed, or nobody has said which direction is better. */
export function collapseOf(
  baseline: readonly SeriesPoints[],
  other: readonly SeriesPoints[],
  levels: readonly [readonly number[], readonly number[]],
  goal: Goal | null,
): Collapse | null {
  if (goal === null || baseline.length + other.length < 3) return null
  const places = [baseline, other].map(runs => runs.flatMap((run, i) => (isCollapsed(run, goal) ? [i] : [])))
  if (places.flat().length === 0) return null
  const [first, second] = [
    { hits: places[0].length, of: baseline.length },
    { hits: places[1].length, of: other.length },
  ]
  const p = fisherP(first, second)
  const left = levels.map((values, side) => values.filter((_, i) => !places[side].includes(i)))
  const counts = { first: first.hits, firstOf: first.of, second: second.hits, secondOf: second.of }
  return {
    baseline: places[0],
    other: places[1],
    p,
    messages: [say('seeds.collapsed', { ...counts, p: chance(p) }), ...othersText(left[0], left[1])],
  }
}

function othersText(first: readonly number[], second: readonly number[]): Message[] {
  if (Math.min(first.length, second.length) < RUNS_FOR_CONFIGS) return []
  const estimate = welch(first, second)
  const { low, high } = intervalOf(estimate)
  return [say('seeds.others', { estimate: signedFigure(estimate.mean, 3), interval: range([low, high]) })]
}

/** Share of what was learnt that a collapse loses, and how many times the noise of one evaluation it must be at least. */
const LOST = 0.5
const BEYOND_NOISE = 5
const AVERAGED = 3

function isCollapsed({ steps, values }: SeriesPoints, goal: Goal): boolean {
  const sign = goal === 'max' ? 1 : -1
  const scores = Array.from(values, value => sign * value).filter(Number.isFinite)
  if (scores.length < 2 * AVERAGED) return false
  const smooth = scores.slice(AVERAGED - 1).map((_, i) => mean(scores.slice(i, i + AVERAGED)))
  const peak = greatest(smooth)
  const fall = peak - smooth[smooth.length - 1]
  const noise = jitter(steps, values)
  return fall > LOST * Math.max(0, peak - scores[0]) && fall > BEYOND_NOISE * (noise > 0 ? noise : 0) && fall > 0
}

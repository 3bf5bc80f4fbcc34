import type { Verdict } from '../../../logs/model/verdict.js'
import { mean } from '../../../stats/descriptive.js'
import { studentQuantile } from '../../../stats/distributions.js'
import { HEADLINE_SHARE, holm } from '../../../stats/multiplicity.js'
import { intervalOf, pValueOf, type StudentEstimate, welch } from '../../../stats/student-estimate.js'
import { RUNS_FOR_CONFIGS } from '../conventions.js'
import { bestByScore, CANDIDATE_ERROR, chanceNotAbove, isReplicated, mayBeBest, scoreDifference } from './candidates.js'
import type { Figure, FrontierRun, FrontierSetting } from './setting.js'

/**
 * What the distance from the reference bought and what it cost: score and KL of every setting at the same steps, with joint
 * intervals over seeds. KL is compared as a ratio. Pure: runs in, answers out.
 */

export interface SettingFigures {
  readonly score: Figure
  readonly kl: Figure | null
  readonly optimised: Figure | null
  /** Another setting scores more with less KL, both beyond doubt. */
  readonly dominated: boolean
}

export interface FrontierPair {
  readonly baseline: string
  readonly other: string
  /** As a sweep over the same runs says it. */
  readonly score: Verdict
  readonly kl: KlDifference | null
  /** Both intervals hold together at this level; null with too few runs for one. */
  readonly joint: {
    readonly level: number
    readonly region: { readonly score: readonly [number, number]; readonly kl: readonly [number, number] }
  } | null
}

/** KL of the other as a share of the baseline's, less 1: −0.41 is 41 % less. */
export interface KlDifference {
  readonly estimate: number
  readonly interval: readonly [number, number] | null
  readonly p: number | null
  readonly answer: 'higher' | 'lower' | 'undetermined'
}

export interface Peak {
  /** The setting with the best score. */
  readonly setting: string
  readonly kl: number
  /** Holds the KL of the truly best of these settings. */
  readonly interval: readonly [number, number]
  /** Settings that may be the best. */
  readonly candidates: readonly string[]
  /** Settings beyond the peak, and what they give away against the best. */
  readonly beyond: readonly { readonly setting: string; readonly score: Figure }[]
}

const LEVEL = 0.05
const JOINT_LEVEL = 0.95

export function settingFigures(settings: readonly FrontierSetting[], sign: 1 | -1): readonly SettingFigures[] {
  const dominated = dominatedSettings(settings, sign)
  return settings.map(({ runs }, i) => ({
    score: figureOf(runs.map(({ score }) => score)),
    kl: klFigure(runs),
    optimised: allOf(runs.map(({ optimised }) => optimised)) ? figureOf(runs.map(run => run.optimised ?? 0)) : null,
    dominated: dominated.has(i),
  }))
}

/** The baseline with every other setting; `verdicts` are parallel to the others. */
export function frontierPairs(
  baseline: FrontierSetting,
  others: readonly FrontierSetting[],
  verdicts: readonly Verdict[],
): readonly FrontierPair[] {
  const ratios = others.map(other => logRatio(baseline, other))
  const tested = ratios.flatMap(ratio => (ratio?.isClaim === true ? [pValueOf(ratio.estimate)] : []))
  // Scores have the larger part of the level, as in a comparison; KL is asked beside them.
  const corrected = holm(tested).map(p => Math.min(1, p / (1 - HEADLINE_SHARE)))
  let next = 0
  return others.map((other, i) => {
    const ratio = ratios[i]
    const p = ratio?.isClaim === true ? corrected[next++] : null
    return {
      baseline: baseline.label,
      other: other.label,
      score: verdicts[i],
      kl: ratio === null ? null : klDifference(ratio.estimate, p),
      joint: ratio?.isClaim === true ? jointRegion(verdicts[i], ratio.estimate) : null,
    }
  })
}

interface LogRatio {
  readonly estimate: StudentEstimate
  /** Three runs a side. */
  readonly isClaim: boolean
}

function logRatio(first: FrontierSetting, second: FrontierSetting): LogRatio | null {
  const [a, b] = [logKl(first.runs), logKl(second.runs)]
  if (a.length === 0 || b.length === 0) return null
  const isClaim = Math.min(a.length, b.length) >= RUNS_FOR_CONFIGS
  if (Math.min(a.length, b.length) >= 2) return { estimate: welch(a, b), isClaim }
  return { estimate: { mean: mean(b) - mean(a), standardError: Number.NaN, degreesOfFreedom: 1 }, isClaim: false }
}

function logKl(runs: readonly FrontierRun[]): readonly number[] {
  return runs.flatMap(({ kl }) => (kl === null || kl <= 0 ? [] : [Math.log(kl)]))
}

function klDifference(estimate: StudentEstimate, p: number | null): KlDifference {
  const interval = Number.isFinite(estimate.standardError) ? shareOf(intervalOf(estimate)) : null
  const answer = p === null || p >= LEVEL ? 'undetermined' : estimate.mean > 0 ? 'higher' : 'lower'
  return { estimate: Math.expm1(estimate.mean), interval, p, answer }
}

function shareOf({ low, high }: { readonly low: number; readonly high: number }): readonly [number, number] {
  return [Math.expm1(low), Math.expm1(high)]
}

/** Each interval at half of the error, so that both hold together (Bonferroni). */
function jointRegion({ estimate, interval, method }: Verdict, ratio: StudentEstimate): FrontierPair['joint'] {
  if (estimate === null || interval === null) return null
  const each = 1 - (1 - JOINT_LEVEL) / 2
  const df = method?.numbers.degreesOfFreedom ?? RUNS_FOR_CONFIGS - 1
  const wider = studentQuantile(1 - (1 - each) / 2, df) / studentQuantile(1 - (1 - JOINT_LEVEL) / 2, df)
  const [low, high] = interval
  return {
    level: JOINT_LEVEL,
    region: {
      score: [estimate - wider * (estimate - low), estimate + wider * (high - estimate)],
      kl: shareOf(intervalOf(ratio, each)),
    },
  }
}

/** By index: for each, some other setting scores more *and* has less KL, each shown (Holm over all pairs). */
function dominatedSettings(settings: readonly FrontierSetting[], sign: 1 | -1): ReadonlySet<number> {
  const pairs = settings.flatMap((worse, i) =>
    settings.flatMap((better, j) => {
      const ratio = i === j ? null : logRatio(worse, better)
      if (ratio?.isClaim !== true || !isReplicated(worse) || !isReplicated(better)) return []
      const gain = scoreDifference(worse, better, sign)
      return [{ at: i, p: Math.max(chanceNotAbove(gain), chanceNotAbove(turned(ratio.estimate))) }]
    }),
  )
  const corrected = holm(pairs.map(({ p }) => p))
  return new Set(pairs.flatMap(({ at }, k) => (corrected[k] < LEVEL ? [at] : [])))
}

/**
 * Which setting is the best, and at which KL it lies. A setting may be the best unless another one is shown to be better;
 * the truly best one is left out in at most half of the error, and its KL lies outside its own interval in the other half.
 */
export function peakOf(settings: readonly FrontierSetting[], sign: 1 | -1): Peak | null {
  const compared = settings.filter(setting => isReplicated(setting) && logKl(setting.runs).length >= RUNS_FOR_CONFIGS)
  if (compared.length < 2) return null
  const best = bestByScore(compared, sign)
  if (best === null) return null
  const open = mayBeBest(compared, compared, sign)
  const candidates = open.includes(best) ? open : [best, ...open]
  const ranges = candidates.map(({ runs }) => intervalOf(meanOf(logKl(runs)), 1 - CANDIDATE_ERROR))
  const interval = [Math.min(...ranges.map(({ low }) => low)), Math.max(...ranges.map(({ high }) => high))].map(
    Math.exp,
  )
  const klOf = ({ runs }: FrontierSetting): number => Math.exp(mean(logKl(runs)))
  return {
    setting: best.label,
    kl: klOf(best),
    interval: [interval[0], interval[1]],
    candidates: candidates.map(({ label }) => label),
    beyond: compared
      .filter(setting => !candidates.includes(setting) && klOf(setting) > interval[1])
      .map(setting => {
        const { estimate, low, high } = intervalOf(scoreDifference(best, setting, 1))
        return { setting: setting.label, score: { estimate, interval: [low, high] } }
      }),
  }
}

function turned(estimate: StudentEstimate): StudentEstimate {
  return { ...estimate, mean: -estimate.mean }
}

function figureOf(values: readonly number[]): Figure {
  if (values.length < 2) return { estimate: mean(values), interval: null }
  const { estimate, low, high } = intervalOf(meanOf(values))
  return { estimate, interval: [low, high] }
}

export function klFigure(runs: readonly FrontierRun[]): Figure | null {
  const logs = logKl(runs)
  if (logs.length === 0) return null
  const { estimate, interval } = figureOf(logs)
  return {
    estimate: Math.exp(estimate),
    interval: interval === null ? null : [Math.exp(interval[0]), Math.exp(interval[1])],
  }
}

function meanOf(values: readonly number[]): StudentEstimate {
  const centre = mean(values)
  const squares = values.reduce((sum, value) => sum + (value - centre) ** 2, 0)
  const degreesOfFreedom = values.length - 1
  return { mean: centre, standardError: Math.sqrt(squares / degreesOfFreedom / values.length), degreesOfFreedom }
}

function allOf(values: readonly (number | null)[]): boolean {
  return values.length > 0 && values.every(value => value !== null)
}

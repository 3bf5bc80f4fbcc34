import { z } from 'zod'
import { valueOfInformation } from '../../../stats/value-of-information.js'
import { sentence } from '../../../text/answer-schema.js'
import { figure, percentage } from '../../../text/numbers.js'
import { sentences } from '../../../text/sentences.js'
import { promptVarianceOfShares } from '../compare/prompt-error.js'
import { RUNS_FOR_CONFIGS } from '../conventions.js'
import type { PairJudgement } from '../judge-pair.js'
import { type Candidate, type CandidateRun, type Choice, hoursOf, type JudgedRival } from './candidate.js'

/**
 * What to run next, by how much it improves the choice on average: more seeds, more prompts, or more steps. Seeds are
 * proposed as a comparison proposes them: up to three of a setting, then one at a time.
 */
export const experiment = z.object({
  buy: z.enum(['seed', 'prompts', 'steps']),
  setting: z.string(),
  /** Seeds, or prompts; null for steps. */
  count: z.number().nullable(),
  what: sentence,
  /** In hours of a run; null where nothing tells. */
  cost: z.number().nullable(),
  /** In the metric's unit: how much better the choice will be on average. */
  gain: z.number(),
  why: sentence,
})

export type NextExperiment = z.infer<typeof experiment>

const say = sentences({
  'decide.seed': { en: 'run {more} more {more|seed|seeds} of {label}', zh: '为 {label} 追加 {more} 个种子' },
  'decide.seed.one': {
    en: 'one seed says nothing about a setting; comparing settings takes {needed} of each',
    zh: '1 个种子不足以说明配置；每种配置 {needed} 个种子才能比较配置本身',
  },
  'decide.seed.why': {
    en: 'the difference to {rival} has a standard error of {error}; with {more} more it is {after}, which may change the choice',
    zh: '与 {rival} 之差的标准误为 {error}；追加 {more} 个种子后为 {after}，可能改变选择',
  },
  'decide.prompts': { en: 'evaluate on {prompts} more prompt{prompts||s}', zh: '再用 {prompts} 个样本评测' },
  'decide.prompts.why': {
    en: 'sampling noise of the {prompts} prompt{prompts||s} is {error} of the difference between {label} and {rival}; no training needed',
    zh: '现有 {prompts} 个样本的抽样误差使 {label} 与 {rival} 之差带有 {error} 的误差；评测无需训练',
  },
  'decide.steps': { en: 'train {run} for another {percent} % of its steps', zh: '让 {run} 再训练 {percent}% 的步数' },
  'decide.finish': {
    en: 'let {run} finish: {percent} % of its steps are left',
    zh: '让 {run} 跑完：还剩 {percent}% 的步数',
  },
  'decide.finish.why': {
    en: 'finished runs with a similar score at this step gained {gain} afterwards',
    zh: '处境相同的已完成 run 此后平均提升 {gain}',
  },
  'decide.steps.why': {
    en: 'its score still rises at the end; at half that rate, it gains {gain}',
    zh: '末段得分仍在上升；若以一半速度继续，可增加 {gain}',
  },
})

/** Beyond this share of what a run has cost, nothing tells whether a rise goes on. */
const LONGER = 0.25
/** In standard errors of the difference. */
const WORTH_NOTHING = 0.001

/** The most gain per hour first; those of unknown cost last. `nearest`: the setting likeliest to be better. */
export function experimentsFor(
  { side, run }: Choice,
  rivals: readonly JudgedRival[],
  nearest: Candidate | null,
  { prompts, sign }: { readonly prompts: number | null; readonly sign: 1 | -1 },
): readonly NextExperiment[] {
  const offers = rivals.flatMap(({ rival, judged }) => {
    const known = knownOf(judged, side, sign)
    const isNearest = rival === nearest
    return [
      ...moreSeeds(rival, side, rival, known, isNearest),
      ...(isNearest ? [...moreSeeds(side, side, rival, known, true), ...morePrompts(side, rival, known, prompts)] : []),
    ]
  })
  return [...offers, ...moreSteps(side, run)].toSorted(byGainPerHour)
}

/** How much the shipped setting is ahead of another, and how surely. */
interface KnownDifference {
  readonly ahead: number
  readonly error: number
  /** The part of it that the choice of prompts makes, where it was counted. */
  readonly promptError: number | null
  readonly level: number | null
}

function knownOf(judged: PairJudgement | null, { label }: Candidate, sign: 1 | -1): KnownDifference | null {
  const { estimate = null, other, method, level } = judged?.verdict ?? {}
  if (judged === null || judged.choose === null || estimate === null) return null
  return {
    ahead: sign * (other === label ? estimate : -estimate),
    error: judged.choose.error,
    promptError: method?.numbers.promptError ?? null,
    level: level ?? null,
  }
}

/** Below three seeds always: neither a clear difference nor an unknown one makes one seed speak for a setting. */
function moreSeeds(
  candidate: Candidate,
  side: Candidate,
  rival: Candidate,
  known: KnownDifference | null,
  isNearest: boolean,
): readonly NextExperiment[] {
  const { label, runs } = candidate
  const more = Math.max(1, RUNS_FOR_CONFIGS - runs.length)
  const other = candidate === side ? rival : side
  const share = (n: number): number => 1 / n + 1 / other.runs.length
  const after = (known?.error ?? 0) * Math.sqrt(share(runs.length + more) / share(runs.length))
  const gain = known === null ? 0 : valueOfInformation(known.ahead, known.error, after)
  const isFew = isNearest && runs.length < RUNS_FOR_CONFIGS
  if (!isFew && !(known !== null && gain > WORTH_NOTHING * known.error)) return []
  const hours = hoursOf(candidate)
  const error = { error: figure(known?.error ?? Number.NaN, 2), after: figure(after, 2) }
  return [
    {
      buy: 'seed',
      setting: label,
      count: more,
      what: say('decide.seed', { label, more }),
      cost: hours === null ? null : more * hours,
      gain,
      why:
        known === null || gain <= WORTH_NOTHING * known.error
          ? say('decide.seed.one', { needed: RUNS_FOR_CONFIGS })
          : say('decide.seed.why', { ...error, more, rival: other.label }),
    },
  ]
}

/** As many again. */
function morePrompts(
  side: Candidate,
  rival: Candidate,
  known: KnownDifference | null,
  prompts: number | null,
): readonly NextExperiment[] {
  if (known === null || prompts === null) return []
  const { level } = known
  const isShare = level !== null && level > 0 && level < 1
  const guessed = isShare ? Math.sqrt(promptVarianceOfShares(level, prompts, 'final')) : 0
  const error = known.promptError ?? guessed
  const now = known.promptError === null ? Math.hypot(known.error, guessed) : known.error
  const gain = valueOfInformation(known.ahead, now, Math.sqrt(Math.max(0, now ** 2 - error ** 2 / 2)))
  if (!(gain > WORTH_NOTHING * now)) return []
  return [
    {
      buy: 'prompts',
      setting: side.label,
      count: prompts,
      what: say('decide.prompts', { prompts }),
      cost: 0,
      gain,
      why: say('decide.prompts.why', { prompts, error: figure(error, 2), label: side.label, rival: rival.label }),
    },
  ]
}

function moreSteps({ label }: Candidate, { name, rise, hours, rest }: CandidateRun): readonly NextExperiment[] {
  if (rest != null) {
    const gain = Math.max(0, rest.gain)
    const about = { buy: 'steps', setting: label, count: null, cost: rest.hours, gain } as const
    const what = say('decide.finish', { run: name, percent: percentage(rest.share) })
    return [{ ...about, what, why: say('decide.finish.why', { gain: figure(gain) }) }]
  }
  if (!(rise > 0) || hours === null) return []
  const gain = 0.5 * rise * LONGER * hours
  return [
    {
      buy: 'steps',
      setting: label,
      count: null,
      what: say('decide.steps', { run: name, percent: percentage(LONGER) }),
      cost: LONGER * hours,
      gain,
      why: say('decide.steps.why', { gain: figure(gain) }),
    },
  ]
}

function byGainPerHour(a: NextExperiment, b: NextExperiment): number {
  const rate = ({ gain, cost }: NextExperiment): number => (cost === null ? -1 : gain / Math.max(cost, SHORTEST_HOURS))
  return rate(b) - rate(a) || b.gain - a.gain
}

/** An evaluation takes minutes. */
const SHORTEST_HOURS = 0.05

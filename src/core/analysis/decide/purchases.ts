import { z } from 'zod'
import { valueOfInformation } from '../../../stats/value-of-information.js'
import { sentence } from '../../../text/answer-schema.js'
import { figure, percentage } from '../../../text/numbers.js'
import { sentences } from '../../../text/sentences.js'
import { type Beliefs, type Candidate, type CandidateRun, hoursOf, levelOf, promptError, spreadOf } from './beliefs.js'

/** What the next hours could buy, by how much it moves the choice: another seed, more prompts, or more steps. */
export const purchase = z.object({
  buy: z.enum(['seed', 'prompts', 'steps']),
  setting: z.string(),
  what: sentence,
  /** In hours of a run; null where nothing tells. */
  cost: z.number().nullable(),
  /** In the metric's unit: how much better the choice will be on average. */
  gain: z.number(),
  why: sentence,
})

export type PurchaseOffer = z.infer<typeof purchase>

/** The run that is shipped, of which setting, and the best of the other settings. */
export interface Choice {
  readonly side: Candidate
  readonly run: CandidateRun
  readonly rival: Candidate | null
}

const say = sentences({
  'decide.seed': { en: 'another seed of {label}', zh: '为 {label} 再跑一个种子' },
  'decide.seed.why': {
    en: 'with {runs} {runs|run|runs} its mean is known to ±{error}; another makes it ±{after}, and may change the choice against {rival}',
    zh: '现有 {runs} 个 run，均值误差 ±{error}；再加一个为 ±{after}，可能改变与 {rival} 之间的选择',
  },
  'decide.prompts': { en: 'evaluate on {prompts} further prompts', zh: '再用 {prompts} 个样本评测' },
  'decide.prompts.why': {
    en: 'the {prompts} prompts asked so far leave an error of ±{error} between {label} and {rival}; it costs no training',
    zh: '现有 {prompts} 个样本使 {label} 与 {rival} 之差带有 ±{error} 的误差；评测无需训练',
  },
  'decide.steps': { en: 'train {run} for another {percent} % of its steps', zh: '让 {run} 再训练 {percent}% 的步数' },
  'decide.steps.why': {
    en: 'its score still rises at the end; if it goes on half as fast, that is {gain}',
    zh: '末段得分仍在上升；若以一半速度继续，可增加 {gain}',
  },
})

/** Beyond this share of what a run has cost, nobody knows whether a rise goes on. */
const LONGER = 0.25
/** In scatters of seeds. */
const WORTH_NOTHING = 0.001

/** The most worth per hour first; those of unknown cost last. */
export function purchases(
  beliefs: Beliefs,
  candidates: readonly Candidate[],
  choice: Choice,
): readonly PurchaseOffer[] {
  const { side, run, rival } = choice
  const offers = [
    ...(rival === null ? [] : candidates.map(candidate => anotherSeed(beliefs, candidate, side, rival))),
    ...(rival === null || beliefs.prompts === null ? [] : [morePrompts(beliefs, beliefs.prompts, side, rival)]),
    ...moreSteps(side, run),
  ]
  return offers.filter(({ gain }) => gain > WORTH_NOTHING * beliefs.scatter.size).sort(byWorthPerHour)
}

/** Of the setting that is shipped, or of one that might be better. */
function anotherSeed(beliefs: Beliefs, candidate: Candidate, side: Candidate, rival: Candidate): PurchaseOffer {
  const isShipped = candidate.label === side.label
  const against = isShipped ? rival : side
  const now = spreadOf(beliefs, candidate, against)
  const after = spreadOf(beliefs, { ...candidate, runs: [...candidate.runs, candidate.runs[0]] }, against)
  const gap = levelOf(beliefs, side) - levelOf(beliefs, isShipped ? rival : candidate)
  const error = (runs: number): string => figure(beliefs.scatter.size / Math.sqrt(runs), 2)
  const { label, runs } = candidate
  return {
    buy: 'seed',
    setting: label,
    what: say('decide.seed', { label }),
    cost: hoursOf(candidate),
    gain: valueOfInformation(gap, now, after),
    why: say('decide.seed.why', {
      runs: runs.length,
      error: error(runs.length),
      after: error(runs.length + 1),
      rival: against.label,
    }),
  }
}

function morePrompts(beliefs: Beliefs, prompts: number, side: Candidate, rival: Candidate): PurchaseOffer {
  const now = spreadOf(beliefs, side, rival)
  const after = spreadOf({ ...beliefs, prompts: 2 * prompts }, side, rival)
  const error = figure(promptError(side, rival, prompts), 2)
  return {
    buy: 'prompts',
    setting: side.label,
    what: say('decide.prompts', { prompts }),
    cost: 0,
    gain: valueOfInformation(levelOf(beliefs, side) - levelOf(beliefs, rival), now, after),
    why: say('decide.prompts.why', { prompts, error, label: side.label, rival: rival.label }),
  }
}

function moreSteps({ label }: Candidate, { name, rise, hours }: CandidateRun): readonly PurchaseOffer[] {
  if (!(rise > 0) || hours === null) return []
  const gain = 0.5 * rise * LONGER * hours
  return [
    {
      buy: 'steps',
      setting: label,
      what: say('decide.steps', { run: name, percent: percentage(LONGER) }),
      cost: LONGER * hours,
      gain,
      why: say('decide.steps.why', { gain: figure(gain) }),
    },
  ]
}

function byWorthPerHour(a: PurchaseOffer, b: PurchaseOffer): number {
  const rate = ({ gain, cost }: PurchaseOffer): number => (cost === null ? -1 : gain / Math.max(cost, SHORTEST_HOURS))
  return rate(b) - rate(a) || b.gain - a.gain
}

/** An evaluation takes minutes. */
const SHORTEST_HOURS = 0.05

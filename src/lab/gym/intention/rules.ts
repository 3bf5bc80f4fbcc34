import { paid, type RewardRules } from '../episode.js'
import type { Importance, IntentionDetail } from './task.js'

/**
 * The rules of UserRL's IntentionGym, and each of its quirks as a switch with a name. `USERRL_RULES` is that gym to the
 * letter; `KLENS_RULES` differs where a quirk would hide a failure. What each does to a result: docs/gym.md.
 */
export interface IntentionRules extends RewardRules {
  readonly maxSteps: number
  readonly stepPenalty: number
  /** Taken off for every further detail that one question covers. */
  readonly multiDetailPenalty: number
  readonly quirks: IntentionQuirks
}

export interface IntentionQuirks {
  /** A judge or a reply that failed: reward 0 and a canned sentence, or the end of an episode that has no score. */
  readonly failedCall: 'zero' | 'missing'
  /** A judgement that is no JSON: nothing covered, or the judge failed. */
  readonly unreadableJudgement: 'nothing' | 'missing'
  /** An index that the judge gives twice: two covered details, or one. */
  readonly repeatedIndex: 'counts' | 'once'
  /** `[search]` before a question stays part of it, or is cut as `[action]` and `[answer]` are. */
  readonly searchPrefix: 'stays' | 'cut'
  /** Earlier questions in the simulator's prompts, with `[action] ` before them or without. */
  readonly historyPrefix: 'stays' | 'cut'
  /** At the step limit with details left: terminated and truncated, or truncated alone. */
  readonly limitTerminates: boolean
  /** The one who replies is shown the whole record, hidden details included, or the request alone. */
  readonly replySeesDetails: boolean
}

const USERRL_QUIRKS: IntentionQuirks = {
  failedCall: 'zero',
  unreadableJudgement: 'nothing',
  repeatedIndex: 'counts',
  searchPrefix: 'stays',
  historyPrefix: 'stays',
  limitTerminates: true,
  replySeesDetails: true,
}

export const USERRL_RULES: IntentionRules = {
  maxSteps: 20,
  stepPenalty: 0,
  multiDetailPenalty: 0.2,
  rewardScale: 1,
  normalizeRewards: true,
  quirks: USERRL_QUIRKS,
}

/** Where the simulator fails, the worth of the question is unknown. */
export const KLENS_RULES: IntentionRules = {
  ...USERRL_RULES,
  maxSteps: 16,
  quirks: { ...USERRL_QUIRKS, failedCall: 'missing', unreadableJudgement: 'missing' },
}

/** How many exchanges the simulator's prompts show. */
export const HISTORY_SHOWN = 3

const VALUE: { readonly [importance in Importance]: number } = { 3: 1, 2: 0.7, 1: 0.4 }

/** `covered` holds a detail as often as it counts. */
export function rewardFor(covered: readonly IntentionDetail[], rules: IntentionRules): number {
  const { stepPenalty, multiDetailPenalty } = rules
  let best = 0
  for (const { importance } of covered) best = Math.max(best, VALUE[importance])
  const found = covered.length === 0 ? 0 : Math.max(0, best - multiDetailPenalty * (covered.length - 1))
  return paid(found, stepPenalty, rules)
}

/** What is to be had at most with so many questions: each detail asked for alone, the most important first. */
export function ceilingOf(details: readonly IntentionDetail[], questions: number, rules: IntentionRules): number {
  const rewards = details.map(detail => rewardFor([detail], rules)).sort((one, other) => other - one)
  return rewards.slice(0, questions).reduce((sum, reward) => sum + reward, 0)
}

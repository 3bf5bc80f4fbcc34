import { Problem } from '../../logs/model/problem.js'
import type { Message } from '../../logs/model/run.js'
import { sentences } from '../../text/sentences.js'
import type { Episode, EpisodeOutcome, InstantEpisode, Step } from './gym.js'

/**
 * The loop of every episode: it counts steps, refuses once it is over, adds up the rewards, and knows which of Gymnasium's
 * two flags are set at the limit. What a gym adds is what one move comes to.
 */

const say = sentences({
  'gym.over': { en: 'this episode is over; start another one', zh: '该 episode 已结束，请另开一个' },
})

/** What an action came to, before the limit is looked at. */
export type Move = Omit<Step, 'terminated' | 'truncated'>

export interface LimitRules {
  readonly maxSteps: number
  /** At the limit with something left: terminated too, or truncated alone. */
  readonly limitTerminates: boolean
  /** An episode that ends by itself with its last step is truncated too. */
  readonly endTruncates: boolean
}

/** Where an episode stands, by the names that recordings have for it. */
export interface Watched<Standing> {
  progress(): Standing & { readonly total: number }
}

type Take<Taken> = (action: string, step: number) => Taken

export function openEpisode<Standing extends object>(
  rules: LimitRules,
  take: Take<Move>,
  standing: () => Standing,
): InstantEpisode & Watched<Standing>
export function openEpisode<Standing extends object>(
  rules: LimitRules,
  take: Take<Move | Promise<Move>>,
  standing: () => Standing,
): Episode & Watched<Standing>
export function openEpisode<Standing extends object>(
  { maxSteps, limitTerminates, endTruncates }: LimitRules,
  take: Take<Move | Promise<Move>>,
  standing: () => Standing,
): Episode & Watched<Standing> {
  let steps = 0
  let total = 0
  let isOver = false

  function settled(move: Move): Step {
    const isLimit = steps >= maxSteps
    const end = move.end ?? (isLimit ? LIMIT : null)
    isOver = end !== null
    total += move.reward ?? 0
    if (end?.why === 'failed') return { ...move, end, terminated: false, truncated: true }
    return move.end === null
      ? { ...move, end, terminated: isLimit && limitTerminates, truncated: isLimit }
      : { ...move, end, terminated: true, truncated: isLimit && endTruncates }
  }

  return {
    step(action) {
      if (isOver) throw new Problem('bad-request', say('gym.over', {}))
      steps += 1
      const move = take(action, steps)
      return move instanceof Promise ? move.then(settled) : settled(move)
    },
    progress: () => ({ ...standing(), total }),
  }
}

export const SOLVED: EpisodeOutcome = { why: 'solved' }
export const FINISHED: EpisodeOutcome = { why: 'finished' }
const LIMIT: EpisodeOutcome = { why: 'limit' }

/** The simulator failed, so what the move was worth is unknown. */
export function failedMove(reason: Message): Move {
  return { feedback: null, reward: null, gained: 0, end: { why: 'failed', reason } }
}

export interface RewardRules {
  readonly rewardScale: number
  /** Rewards are kept within 0 and 1. */
  readonly normalizeRewards: boolean
}

/** Python's `max(0.0, min(1.0, reward))`, which makes 1 of NaN. */
export function paid(earned: number, penalty: number, { rewardScale, normalizeRewards }: RewardRules): number {
  const reward = earned * rewardScale - penalty
  if (!normalizeRewards) return reward
  const most = reward < 1 ? reward : 1
  return most > 0 ? most : 0
}

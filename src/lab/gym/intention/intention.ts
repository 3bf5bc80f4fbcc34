import type { Message } from '../../../logs/model/run.js'
import { sentences } from '../../../text/sentences.js'
import { FINISHED, failedMove, type Move, openEpisode, SOLVED, type Watched } from '../episode.js'
import { type Episode, type Gym, INTERACT, type InstantEpisode, type Prompts } from '../gym.js'
import { strip } from './answers.js'
import { HISTORY_SHOWN, type IntentionRules, rewardFor } from './rules.js'
import type { Exchange, InstantSimulator, Judgement, Reply, Simulator, Situation } from './simulator.js'
import type { IntentionTask } from './task.js'

/** The gym of vague requests: find out by questions what a person has left out. */

/** An episode that says how far it has come. */
export type WatchedEpisode = Episode & Watched<Standing>

interface Play {
  readonly rules: IntentionRules
  readonly language: 'en' | 'zh'
}

export function intentionGym(
  play: Play & { readonly simulator: InstantSimulator },
): Gym<IntentionTask, InstantEpisode & Watched<Standing>>
export function intentionGym(play: Play & { readonly simulator: Simulator }): Gym<IntentionTask, WatchedEpisode>
export function intentionGym({
  simulator,
  rules,
  language,
}: Play & { readonly simulator: Simulator }): Gym<IntentionTask, WatchedEpisode> {
  return {
    name: 'intention',
    tool: INTERACT,
    prompts: ({ category, task }): Prompts => PROMPTS[language](category, task),
    open: task => openIntention(task, simulator, rules),
  }
}

const PROMPTS = {
  en: (category: string, task: string): Prompts => ({
    system:
      'You help a person whose request leaves important things open. Find out what they are: call the tool interact_with_env ' +
      'with choice "action" and one short question as content. Ask for one thing at a time, the most important first. ' +
      'The number of turns is limited. When nothing is left to ask, say so without a call.',
    user: `Category: ${category}\nRequest: ${task}`,
  }),
  zh: (category: string, task: string): Prompts => ({
    system:
      '有人提出了一个含糊的请求，缺少一些重要信息。请调用工具 interact_with_env（choice 为 "action"，content 为一个简短的问题）' +
      '来问清楚。每次只问一件事，先问最重要的。轮数有限；没有可问的了，就直接说明，不再调用工具。',
    user: `类别：${category}\n请求：${task}`,
  }),
} as const

/** One dialogue about a vague request, until everything is asked, the policy has had enough, or the steps are used up. */

const say = sentences({
  'gym.unreadable-judgement': {
    en: 'the judge answered, but not with JSON that says what the question covers',
    zh: '评判模型有回答，但不是能说明覆盖了哪些细节的 JSON',
  },
})

/** Where a failed reply counts as one (`failedCall: 'zero'`), the user says this. */
const CANNED_REPLY = 'Hm, let me come back to that.'

interface Standing {
  /** Positions in `missing_details` that have not been asked for. */
  readonly remaining: readonly number[]
  /** Repeats counted where the rules count them, so that `coverage` may exceed 1. */
  readonly covered: number
  readonly coverage: number
  /** Questions that found nothing. */
  readonly misses: number
}

export function openIntention(
  task: IntentionTask,
  simulator: InstantSimulator,
  rules: IntentionRules,
): InstantEpisode & Watched<Standing>
export function openIntention(task: IntentionTask, simulator: Simulator, rules: IntentionRules): WatchedEpisode
export function openIntention(task: IntentionTask, simulator: Simulator, rules: IntentionRules): WatchedEpisode {
  const { maxSteps, quirks } = rules
  const details = task.missing_details
  let remaining: readonly number[] = details.map((_, position) => position)
  let history: readonly Exchange[] = []
  let misses = 0
  let covered = 0

  function take(action: string): Move | Promise<Move> {
    const said = strip(action)
    if (said.slice(0, FINISH.length).toLowerCase() === FINISH) return finished()
    const situation: Situation = {
      task,
      question: withoutPrefix(said, quirks.searchPrefix),
      history,
      misses,
      remaining: remaining.map(position => details[position]),
      replySeesDetails: quirks.replySeesDetails,
    }
    const reply = simulator.reply(situation)
    const judgement = simulator.judge(situation)
    if (!(reply instanceof Promise) && !(judgement instanceof Promise))
      return answered(said, situation, reply, judgement)
    return Promise.all([reply, judgement]).then(both => answered(said, situation, ...both))
  }

  function finished(): Move {
    const feedback = `Session ended. You covered ${covered}/${details.length} missing details.`
    return { feedback, reward: 0, gained: 0, end: FINISHED }
  }

  function answered(said: string, situation: Situation, reply: Reply, judgement: Judgement): Move {
    const failure = failureOf(reply, judgement)
    if (failure !== null) return failedMove(failure)
    const feedback = reply.kind === 'said' ? reply.feedback : CANNED_REPLY
    const given = judgement.kind === 'covered' ? judgement.indices : []
    const counted = quirks.repeatedIndex === 'counts' ? given : [...new Set(given)]
    const found = counted.filter(index => index < remaining.length)
    const foundDetails = found.map(index => situation.remaining[index])
    if (found.length === 0) misses += 1
    else remaining = remaining.filter((_, index) => !found.includes(index))
    covered += found.length
    const question = quirks.historyPrefix === 'stays' ? said : situation.question
    history = [...history, { question, feedback }].slice(-HISTORY_SHOWN)
    return {
      feedback,
      reward: rewardFor(foundDetails, rules),
      gained: found.length,
      found: foundDetails.map(({ description }) => description),
      end: remaining.length === 0 ? SOLVED : null,
    }
  }

  function failureOf(reply: Reply, judgement: Judgement): Message | null {
    if (judgement.kind === 'unreadable') {
      return quirks.unreadableJudgement === 'missing' ? say('gym.unreadable-judgement', {}) : null
    }
    if (quirks.failedCall === 'zero') return null
    if (judgement.kind === 'missing') return judgement.reason
    return reply.kind === 'missing' ? reply.reason : null
  }

  const limits = { maxSteps, limitTerminates: quirks.limitTerminates, endTruncates: false }
  return openEpisode(limits, take, () => ({ remaining, covered, coverage: covered / details.length, misses }))
}

const FINISH = '[finish]'

/** Lower case, at the very beginning, once. */
function withoutPrefix(said: string, searchPrefix: 'stays' | 'cut'): string {
  const isCut =
    said.startsWith('[action]') ||
    said.startsWith('[answer]') ||
    (searchPrefix === 'cut' && said.startsWith('[search]'))
  return isCut ? strip(said.slice('[action]'.length)) : said
}

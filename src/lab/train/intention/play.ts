/**
 * Dialogues of a language model in a gym, many in lock-step: all speak, all are answered, all speak again, until the last
 * one is over. Rollouts of one task share the cost of its prompt. A dialogue depends on its task and its own generator,
 * and not on who plays beside it.
 */

import type { Random } from '../../../stats/random.js'
import type { Episode, Gym, Step } from '../../gym/gym.js'
import { saidBy } from '../../gym/policy.js'
import {
  actionsIn,
  carriedOut,
  type Dialogue,
  type DialogueOutcome,
  type RolloutRules,
  refusedTurn,
  type Turn,
} from '../../gym/rollout.js'
import { chatTokens, END } from '../lm/chat.js'
import type { Decoding } from '../lm/generate.js'
import type { LanguageModel } from '../lm/language-model.js'
import type { Partner } from '../lm/partner/partner.js'
import type { Rollout } from '../lm/rollouts.js'
import type { Tokenizer } from '../lm/tokenizer/tokenizer.js'
import type { Voices } from '../lm/voices.js'
import { requestMessage, toolMessage } from './speech.js'

export interface Players {
  readonly model: LanguageModel
  readonly tokenizer: Tokenizer
  readonly voices: Voices
  /** Who takes a half of the work; null: nobody. */
  readonly partner: Partner | null
}

export interface Played<Task> {
  readonly task: Task
  readonly dialogue: Dialogue
  /** Rewards that are missing are 0 here: a dialogue that failed is nothing to learn from. */
  readonly rollout: Rollout
}

interface PlayOptions {
  readonly rules: RolloutRules
  readonly decoding: Decoding
  /** Tokens that a message may have. */
  readonly turnTokens: number
}

interface Conversation<Task> {
  readonly slot: number
  readonly task: Task
  readonly random: Random
  readonly episode: Episode
  readonly turns: Turn[]
  readonly spoken: { readonly first: number; readonly logProbs: readonly number[] }[]
  end: DialogueOutcome | null
}

/** `attempts`: a generator for each time that a task is played; groups of tasks follow each other in the answer. */
export async function playDialogues<Task>(
  { tokenizer, voices }: Players,
  gym: Gym<Task>,
  plan: readonly { readonly task: Task; readonly attempts: readonly Random[] }[],
  { rules, decoding, turnTokens }: PlayOptions,
): Promise<readonly Played<Task>[]> {
  const conversations = openConversations(plan, gym)
  voices.begin(conversations.length)
  const firsts = plan.map(({ task }, i) => {
    const slot = conversations.findIndex(conversation => conversation.task === plan[i].task)
    const opening = chatTokens(tokenizer, [requestMessage(gym.prompts(task))], { isToBeAnswered: true })
    voices.append(slot, opening.tokens)
    return slot
  })
  voices.prepare(firsts)
  for (const { slot, task } of conversations) {
    const first = conversations.findIndex(conversation => conversation.task === task)
    if (slot !== first) voices.fork(first, slot)
  }
  const stop = [tokenizer.markId(END)]
  for (;;) {
    const speaking = conversations.filter(({ end }) => end === null)
    if (speaking.length === 0) break
    const before = speaking.map(({ slot }) => voices.tokens(slot).length)
    const said = voices.speak(
      speaking.map(({ slot, random }) => ({ slot, random, limit: turnTokens })),
      { decoding, stop },
    )
    // A user who is a model answers all of them side by side; how many at once, its endpoint knows.
    await Promise.all(
      speaking.map((conversation, i) => hear(conversation, tokenizer.decode(said[i].tokens, { skipSpecial: true }))),
    )
    speaking.forEach((conversation, i) => {
      const { logProbs, ended } = said[i]
      conversation.spoken.push({ first: before[i], logProbs })
      if (conversation.end !== null) return
      const closing = ended === 'stop' ? [] : stop
      const reply = [...closing, ...replyTokens(tokenizer, conversation.turns[conversation.turns.length - 1].heard)]
      if (voices.tokens(conversation.slot).length + reply.length + 1 >= voices.capacity)
        conversation.end = { why: 'limit' }
      else voices.append(conversation.slot, reply)
    })
  }
  return conversations.map(conversation => playedConversation(conversation, voices))

  async function hear(conversation: Conversation<Task>, text: string): Promise<void> {
    const said = saidBy(text)
    const actions = actionsIn(said, gym.tool.name)
    const refused = refusedTurn(said, actions, conversation.turns.length, rules)
    const { turn, end } =
      refused ?? carriedOut(said, actions, await stepsOf(conversation, actions), conversation.turns.length, rules)
    conversation.turns.push(turn)
    conversation.end = end
  }
}

function openConversations<Task>(
  plan: readonly { readonly task: Task; readonly attempts: readonly Random[] }[],
  gym: Gym<Task>,
): readonly Conversation<Task>[] {
  const parts = plan.flatMap(({ task, attempts }) => attempts.map(random => ({ task, random })))
  return parts.map(({ task, random }, slot) => ({
    ...{ slot, task, random, episode: gym.open(task) },
    ...{ turns: [], spoken: [], end: null },
  }))
}

async function stepsOf<Task>({ episode }: Conversation<Task>, actions: readonly string[]): Promise<readonly Step[]> {
  const steps: Step[] = []
  for (const action of actions) {
    steps.push(await episode.step(action))
    if (steps[steps.length - 1].end !== null) break
  }
  return steps
}

function replyTokens(tokenizer: Tokenizer, heard: readonly string[]): readonly number[] {
  return chatTokens(tokenizer, heard.map(toolMessage), { isToBeAnswered: true }).tokens
}

function playedConversation<Task>(
  { slot, task, turns, spoken, end }: Conversation<Task>,
  voices: Voices,
): Played<Task> {
  return {
    task,
    dialogue: { turns, end: end ?? { why: 'limit' } },
    rollout: {
      tokens: [...voices.tokens(slot)],
      turns: spoken.map((each, i) => ({ ...each, reward: turns[i].reward ?? 0 })),
    },
  }
}

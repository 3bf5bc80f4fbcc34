/**
 * How a dialogue in a gym reads for a small language model: the request, then its own messages and what the tool answered.
 * The gym's instructions are the same in every dialogue and are left out: the model has learned them by heart. A call of
 * the gym's tool opens and closes with one token each, so that a question costs what its words cost; the text is what
 * every parser of `<tool_call>` expects.
 */
import { INTERACT, type Prompts } from '../../gym/gym.js'
import { saidBy } from '../../gym/policy.js'
import type { Dialogue } from '../../gym/rollout.js'
import { CHAT_MARKS, type ChatMessage, toolCallText } from '../lm/chat.js'
import type { Mark } from '../lm/tokenizer/tokenizer.js'

const CONTENT = 'content'
const [callOpening, callClosing] = toolCallText({
  name: INTERACT.name,
  arguments: { choice: 'action', content: CONTENT },
}).split(`"${CONTENT}"}`)

/** What a model that plays in a gym writes as one token. */
export const GYM_MARKS: readonly Mark[] = [
  ...CHAT_MARKS,
  { text: `${callOpening}"`, special: false },
  { text: `"}${callClosing}`, special: false },
]

export function requestMessage({ user }: Prompts): ChatMessage {
  return { role: 'user', content: user }
}

export function toolMessage(heard: string): ChatMessage {
  return { role: 'tool', content: heard }
}

/** A dialogue of another policy, for the model to learn from. */
export function dialogueMessages(prompts: Prompts, { turns }: Dialogue): readonly ChatMessage[] {
  const exchanges = turns.flatMap(({ said, heard }): ChatMessage[] => [ownMessage(said), ...heard.map(toolMessage)])
  return [requestMessage(prompts), ...exchanges]
}

/** With its calls written as the model writes them; what cannot be read stays as it is. */
function ownMessage(said: string): ChatMessage {
  const { calls } = saidBy(said)
  return calls.length > 0 ? { role: 'assistant', content: '', toolCalls: calls } : { role: 'assistant', content: said }
}

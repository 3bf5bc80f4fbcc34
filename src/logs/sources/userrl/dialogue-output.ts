import { dialogueText, type KeptTurn } from '../../model/dialogue.js'
import { isJsonObject, type Json } from '../../model/json.js'
import { parsePythonJson } from '../python-json.js'

/**
 * The answer column of a validation dump where the policy called tools: one decoded text in which its messages and the
 * tool's answers alternate, `<tool_call>{…}</tool_call>` and `<tool_response>…</tool_response>`, with or without the marks
 * of the chat template between them. In training UserRL shows the reward behind each answer (`Reward: 0.7`).
 */
export interface DialogueOutput {
  readonly text: string
  readonly turns: number
  readonly malformed: number
  /** Turns without reward, where every answer shows one. */
  readonly wasted?: number
  readonly coverage?: number
}

const RESPONSE = /<tool_response>\n?([\s\S]*?)\n?<\/tool_response>/g
/** What stands in a thought is no call. */
const THOUGHT_OR_CALL = /<think>[\s\S]*?(?:<\/think>|$)|<tool_call>([\s\S]*?)(?:<\/tool_call>|$)/g
/** Who speaks, as the templates of Qwen and Hermes write it, and what is left of that without special tokens. */
const ROLE_BEFORE = /^\s*(?:<\|im_end\|>)?\s*(?:<\|im_start\|>)?assistant\n/
const ROLE_BEHIND = /\s*(?:<\|im_end\|>)?\s*(?:<\|im_start\|>)?(?:user|tool)\s*$/
const MARKS = /<\|(?:im_start|im_end|endoftext)\|>/g
const REWARD = /\n?Reward: (-?\d+(?:\.\d+)?(?:e-?\d+)?)\s*$/
const ENDED = /^Session ended\. You covered (\d{1,4})\/(\d{1,4}) missing details/

/** Null of any text in which no tool has answered. */
export function dialogueIn(output: string): DialogueOutput | null {
  if (!output.includes('<tool_response>')) return null
  const turns: (KeptTurn & { readonly malformed: number; readonly calls: number })[] = []
  let end = 0
  for (const found of output.matchAll(RESPONSE)) {
    const between = output.slice(end, found.index)
    end = found.index + found[0].length
    const last = turns.at(-1)
    const [heard, reward] = heardIn(found[1] ?? '')
    if (last === undefined || between.replace(ROLE_BEHIND, '').replace(ROLE_BEFORE, '').trim() !== '') {
      turns.push({ ...spoken(between), heard: [heard], reward })
    } else {
      turns[turns.length - 1] = { ...last, heard: [...last.heard, heard], reward }
    }
  }
  const rest = spoken(output.slice(end))
  const lastHeard = turns.at(-1)?.heard.at(-1) ?? ''
  const all = rest.said === '' ? turns : [...turns, { ...rest, heard: [], reward: rest.calls > 0 ? null : 0 }]
  const covered = ENDED.exec(lastHeard)
  const rewards = turns.map(({ reward }) => reward)
  return {
    text: dialogueText(all, endOf(rest, covered !== null)),
    turns: all.length,
    malformed: all.reduce((sum, { malformed }) => sum + malformed, 0),
    ...(!rewards.includes(null) && { wasted: all.filter(({ reward }) => reward === 0 || reward === null).length }),
    ...(covered !== null && Number(covered[2]) > 0 && { coverage: Number(covered[1]) / Number(covered[2]) }),
  }
}

/**
 * The same dialogue as messages, as TRL keeps it: calls in `tool_calls`, answers by the role `tool`; null of a chat without.
 * It is spelled as the template would, so that there is one reading of it.
 */
export function spelledDialogue(messages: readonly Json[]): string | null {
  if (!messages.some(message => isJsonObject(message) && message.role === 'tool')) return null
  return messages
    .map(message => {
      if (!isJsonObject(message)) return ''
      const content = typeof message.content === 'string' ? message.content : ''
      if (message.role === 'tool') return `\nuser\n<tool_response>\n${content}\n</tool_response>\nassistant\n`
      const calls = Array.isArray(message.tool_calls) ? message.tool_calls : []
      return content + calls.map(callText).join('')
    })
    .join('')
}

function callText(call: Json): string {
  const called = isJsonObject(call) ? call.function : null
  return `<tool_call>${JSON.stringify(called ?? null)}</tool_call>`
}

function heardIn(response: string): readonly [heard: string, reward: number | null] {
  const reward = REWARD.exec(response)
  return reward === null ? [response, null] : [response.slice(0, reward.index), Number(reward[1])]
}

/** A message as it stands, but for its calls, which become the question that they ask. */
function spoken(raw: string) {
  const message = raw.replace(ROLE_BEFORE, '').replace(ROLE_BEHIND, '').replace(MARKS, '').trim()
  let calls = 0
  let malformed = 0
  const said = message.replace(THOUGHT_OR_CALL, (whole: string, body: string | undefined) => {
    if (body === undefined) return whole
    const question = questionIn(body)
    if (question === null) malformed += 1
    else calls += 1
    return question ?? whole
  })
  return { said, calls, malformed }
}

function questionIn(body: string): string | null {
  const call = parsePythonJson(body.trim())
  const given = isJsonObject(call) ? call.arguments : undefined
  const told = typeof given === 'string' ? parsePythonJson(given) : given
  if (!isJsonObject(told)) return null
  const { choice, content } = told
  if (typeof content !== 'string') return JSON.stringify(told)
  return typeof choice !== 'string' || content.startsWith('[') ? content : `[${choice}] ${content}`
}

/** A last call that nobody answered is the limit of turns; a last message without one is the policy's own end. */
function endOf(rest: ReturnType<typeof spoken>, isFinished: boolean): string | null {
  if (isFinished) return 'finished'
  if (rest.said === '') return null
  if (rest.calls > 0) return 'limit'
  return 'stopped'
}

/**
 * A dialogue as text: who speaks is one token, so is the end of what was said, and there is nothing between two messages.
 *   <|system|>…<|end|><|user|>…<|end|><|assistant|>…<tool_call>{"name": …}</tool_call><|end|><|tool|>…<|end|>
 * CHAT_TEMPLATE says the same to Hugging Face's tokenizers; a call is written as Python's json.dumps writes it, which is
 * what parsers of `<tool_call>` (vLLM's "hermes", TRL) expect.
 */
import type { Json, JsonObject } from '../../../logs/model/json.js'
import type { TokenSequence } from './sequences.js'
import type { Mark, Tokenizer } from './tokenizer/tokenizer.js'

export const END = '<|end|>'
export const PADDING = '<|pad|>'
const TOOL_CALL = '<tool_call>'
const TOOL_CALL_END = '</tool_call>'

type Role = 'system' | 'user' | 'assistant' | 'tool'

const roleMark = (role: Role): string => `<|${role}|>`

/** A tool call is part of what the model says and stays when its text is shown; the rest does not. */
export const CHAT_MARKS: readonly Mark[] = [
  ...[PADDING, END, ...(['system', 'user', 'assistant', 'tool'] as const).map(roleMark)].map(text => ({
    text,
    special: true,
  })),
  ...[TOOL_CALL, TOOL_CALL_END].map(text => ({ text, special: false })),
]

interface ToolCall {
  readonly name: string
  readonly arguments: JsonObject
}

export interface ChatMessage {
  readonly role: Role
  readonly content: string
  readonly toolCalls?: readonly ToolCall[]
}

export function chatText(messages: readonly ChatMessage[], { isToBeAnswered = false } = {}): string {
  const said = messages.map(
    ({ role, content, toolCalls = [] }) => roleMark(role) + content + toolCalls.map(toolCallText).join('') + END,
  )
  return said.join('') + (isToBeAnswered ? roleMark('assistant') : '')
}

/**
 * The same as tokens, with what the model itself says scored: the assistant's words and the end of them. A mark is a mark
 * only there; one that a person, a simulator or a tool has written is plain text.
 */
export function chatTokens(
  tokenizer: Tokenizer,
  messages: readonly ChatMessage[],
  { isToBeAnswered = false } = {},
): TokenSequence & { readonly tokens: readonly number[] } {
  const tokens: number[] = []
  const scored: number[] = []
  const add = (added: readonly number[], isOwn: boolean): void => {
    for (const token of added) tokens.push(token)
    for (let i = 0; i < added.length; i++) scored.push(isOwn ? 1 : 0)
  }
  for (const { role, content, toolCalls = [] } of messages) {
    const isOwn = role === 'assistant'
    const words = content + toolCalls.map(toolCallText).join('')
    add([tokenizer.markId(roleMark(role))], false)
    add(isOwn ? tokenizer.encode(words) : tokenizer.encodePlain(words), isOwn)
    add([tokenizer.markId(END)], isOwn)
  }
  if (isToBeAnswered) add([tokenizer.markId(roleMark('assistant'))], false)
  return { tokens, scored }
}

export function toolCallText({ name, arguments: values }: ToolCall): string {
  return `${TOOL_CALL}{"name": ${pythonJson(name)}, "arguments": ${pythonJson(values)}}${TOOL_CALL_END}`
}

/** With a blank after each comma and colon, as json.dumps has them. */
function pythonJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(pythonJson).join(', ')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const entries = Object.entries(value).map(([key, inner]) => `${JSON.stringify(key)}: ${pythonJson(inner)}`)
  return `{${entries.join(', ')}}`
}

export const CHAT_TEMPLATE = [
  '{%- for message in messages -%}',
  "{{- '<|' + message.role + '|>' + (message.content or '') -}}",
  '{%- for call in message.tool_calls or [] -%}',
  '{%- set call = call.function or call -%}',
  `{{- '${TOOL_CALL}{"name": ' + (call.name | tojson) + ', "arguments": ' + (call.arguments | tojson) + '}${TOOL_CALL_END}' -}}`,
  '{%- endfor -%}',
  `{{- '${END}' -}}`,
  '{%- endfor -%}',
  "{%- if add_generation_prompt -%}{{- '<|assistant|>' -}}{%- endif -%}",
].join('\n')

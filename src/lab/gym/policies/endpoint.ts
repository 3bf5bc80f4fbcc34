import type { Ask, EndpointMessage, FunctionCall, ToolMessage } from '../../endpoint/endpoint.js'
import type { AskWithTools, ToolSpoken } from '../../endpoint/tools.js'
import type { ToolSchema } from '../gym.js'
import { callFrom, callText, type Opening, type Player, type PlayerTurn, type Policy, saidBy } from '../policy.js'

/**
 * A model behind an OpenAI-compatible endpoint. Asked with `tools` first, as UserRL's evaluation does: then the server
 * renders the tool in the model's own template and reads its calls. A server that will not take `tools` (vLLM without a
 * tool parser) gets the tool described in words and calls it in the text (`<tool_call>…</tool_call>`), as Qwen and Hermes write
 * it. Which of the two it was is decided once, by the first request, and stands in the settings of the run.
 */
export interface EndpointAsks {
  withTools(repeat: number): AskWithTools
  inText(repeat: number): Ask
}

type Protocol = 'tools' | 'text'

export function endpointPolicy<Task>(
  label: string,
  settings: Policy<Task>['settings'],
  asks: EndpointAsks,
): Policy<Task> {
  let deciding: Promise<Protocol> | undefined
  let decided: Protocol = 'tools'

  async function protocolFor(opening: Opening<Task>): Promise<Protocol> {
    const first = await asks.withTools(opening.repeat)(openingMessages(opening.prompts))
    decided = first.kind === 'missing' && TOOLS_UNKNOWN.test(first.rejection ?? '') ? 'text' : 'tools'
    return decided
  }

  return {
    label,
    get settings() {
      return { ...settings, protocol: decided }
    },
    open(opening) {
      let player: Player | undefined
      return {
        async next(heard) {
          deciding ??= protocolFor(opening)
          player ??=
            (await deciding) === 'tools'
              ? toolPlayer(opening, asks.withTools(opening.repeat))
              : textPlayer(opening, asks.inText(opening.repeat))
          return player.next(heard)
        },
      }
    },
  }
}

/** What servers say that have no tool parser, or no such field: a request refused for its length names no tool. */
const TOOLS_UNKNOWN = /tool|function.?call|extra (?:fields|inputs)|unrecognized|unsupported/i

function openingMessages({ system, user }: Opening<unknown>['prompts']): readonly EndpointMessage[] {
  return [
    { role: 'system', content: system },
    { role: 'user', content: user },
  ]
}

function toolPlayer({ prompts, tool }: Opening<unknown>, ask: AskWithTools): Player {
  let messages: readonly (EndpointMessage | ToolMessage)[] = openingMessages(prompts)
  let last: ToolSpoken | undefined
  return {
    async next(heard) {
      if (last !== undefined) messages = [...messages, ...exchange(last, heard, tool.name)]
      const reply = await ask(messages)
      if (reply.kind === 'missing') return reply
      last = reply
      return turnOf(reply)
    },
  }
}

/** What it said and what came of it. A call that was not carried out stays out: servers want an answer to each. */
function exchange(
  { content, calls }: ToolSpoken,
  heard: readonly string[],
  tool: string,
): readonly (EndpointMessage | ToolMessage)[] {
  const answered = calls.filter(call => call.function.name === tool && readable(call) !== null).slice(0, heard.length)
  if (answered.length === 0) return [{ role: 'assistant', content }, responseMessage(heard)]
  return [
    { role: 'assistant', content: content === '' ? null : content, tool_calls: answered },
    ...answered.map(({ id }, i): ToolMessage => ({ role: 'tool', tool_call_id: id, content: heard[i] })),
  ]
}

function readable({ function: { name, arguments: given } }: FunctionCall) {
  return callFrom(name, given)
}

function turnOf({ content, reasoning, calls }: ToolSpoken): PlayerTurn {
  // A server with the template but without the parser hands the call on as text.
  if (calls.length === 0) return saidBy(reasoning === '' ? content : `<think>${reasoning}</think>${content}`)
  const read = calls.map(readable)
  const words = [...(reasoning === '' ? [] : [`<think>${reasoning}</think>`]), ...(content === '' ? [] : [content])]
  const written = calls.map((call, i) => {
    const found = read[i]
    return found === null ? `<tool_call>${call.function.arguments}</tool_call>` : callText(found)
  })
  const known = read.flatMap(call => call ?? [])
  return { kind: 'said', text: [...words, ...written].join(''), calls: known, malformed: read.length - known.length }
}

function textPlayer({ prompts, tool }: Opening<unknown>, ask: Ask): Player {
  const { system, user } = prompts
  let messages = openingMessages({ system: `${system}\n\n${toolText(tool)}`, user })
  return {
    async next(heard) {
      if (heard.length > 0) messages = [...messages, responseMessage(heard)]
      const reply = await ask(messages)
      if (reply.kind === 'missing') return reply
      messages = [...messages, { role: 'assistant', content: reply.text }]
      return saidBy(reply.text)
    },
  }
}

function responseMessage(heard: readonly string[]): EndpointMessage {
  const responses = heard.map(text => `<tool_response>\n${text}\n</tool_response>`)
  return { role: 'user', content: responses.join('\n') }
}

function toolText(tool: ToolSchema): string {
  return [
    'You may call this function:',
    `<tools>\n${JSON.stringify({ type: 'function', function: tool })}\n</tools>`,
    `To call it, write: <tool_call>{"name": "${tool.name}", "arguments": {"choice": "action", "content": "…"}}</tool_call>`,
  ].join('\n')
}

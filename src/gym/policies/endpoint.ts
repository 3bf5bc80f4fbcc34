import type { ChatMessage } from '../../endpoint/chat.js'
import type { Ask } from '../../endpoint/endpoint.js'
import type { ToolSchema } from '../gym.js'
import type { Policy } from '../policy.js'
import { saidBy } from '../tool-calls.js'

/**
 * A model behind an OpenAI-compatible endpoint. The tool is told in words and called in the text (`<tool_call>…</tool_call>`),
 * as the templates of Qwen and Hermes do themselves: so every server can be asked, with or without a tool parser.
 */
export function endpointPolicy<Task>(
  label: string,
  settings: Policy<Task>['settings'],
  ask: (repeat: number) => Ask,
): Policy<Task> {
  return {
    label,
    settings,
    open({ prompts, tool, repeat }) {
      const askRepeat = ask(repeat)
      let messages: readonly ChatMessage[] = [
        { role: 'system', content: `${prompts.system}\n\n${toolText(tool)}` },
        { role: 'user', content: prompts.user },
      ]
      return {
        async next(heard) {
          const responses = heard.map(text => `<tool_response>\n${text}\n</tool_response>`)
          if (responses.length > 0) messages = [...messages, { role: 'user', content: responses.join('\n') }]
          const reply = await askRepeat(messages)
          if (reply.kind === 'missing') return reply
          messages = [...messages, { role: 'assistant', content: reply.text }]
          return saidBy(reply.text)
        },
      }
    },
  }
}

function toolText(tool: ToolSchema): string {
  return [
    'You may call this function:',
    `<tools>\n${JSON.stringify({ type: 'function', function: tool })}\n</tools>`,
    `To call it, write: <tool_call>{"name": "${tool.name}", "arguments": {"choice": "action", "content": "…"}}</tool_call>`,
  ].join('\n')
}

import { z } from 'zod'
import type { JsonObject } from '../../logs/model/json.js'
import { sentences } from '../../text/sentences.js'
import type { ResponseCache } from './cache.js'
import {
  type EndpointMessage,
  type EndpointOptions,
  type EndpointReply,
  type FunctionCall,
  type MissingReply,
  openPost,
  type ToolMessage,
} from './endpoint.js'

/**
 * The same endpoint asked with OpenAI's `tools`: the server knows the model's template, tells it of the functions and reads
 * its calls. A message may bring calls, text, both, and what was thought before.
 */
export interface ToolSpoken {
  readonly kind: 'answer'
  readonly content: string
  readonly reasoning: string
  readonly calls: readonly FunctionCall[]
}

interface FunctionSchema {
  readonly name: string
  readonly description: string
  readonly parameters: JsonObject
}

export type AskWithTools = (messages: readonly (EndpointMessage | ToolMessage)[]) => Promise<ToolSpoken | MissingReply>

const say = sentences({
  'endpoint.nothing-said': {
    en: 'the endpoint answered without text and without a call (finish reason {reason})',
    zh: '接口返回的消息既没有文本也没有调用（finish_reason 为 {reason}）',
  },
})

export function openToolEndpoint(
  options: EndpointOptions,
  functions: readonly FunctionSchema[],
  cache: ResponseCache,
): AskWithTools {
  const { model, temperature = 0, maxTokens = 16 } = options
  const tools = functions.map(each => ({ type: 'function', function: each }))
  const post = openPost('/chat/completions', readSpoken, options, cache)
  return async messages => {
    const body = { model, messages, temperature, max_tokens: maxTokens, tools, tool_choice: 'auto' }
    const reply = await post(JSON.stringify(body))
    if (reply.kind === 'missing') return reply
    return { kind: 'answer', ...spokenSchema.parse(JSON.parse(reply.text)) }
  }
}

/** As it is kept in the cache. */
const spokenSchema = z.object({
  content: z.string(),
  reasoning: z.string(),
  calls: z.array(
    z.object({
      id: z.string(),
      type: z.literal('function'),
      function: z.object({ name: z.string(), arguments: z.string() }),
    }),
  ),
})

const completionSchema = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({
          content: z.string().nullish(),
          /** vLLM and DeepSeek call it so, OpenRouter and newer vLLM the other. */
          reasoning_content: z.string().nullish(),
          reasoning: z.string().nullish(),
          tool_calls: z
            .array(
              z.object({
                id: z.string().nullish(),
                function: z.object({
                  name: z.string(),
                  arguments: z.union([z.string(), z.record(z.string(), z.json())]),
                }),
              }),
            )
            .nullish(),
        }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
})

function readSpoken(body: unknown): EndpointReply | null {
  const completion = completionSchema.safeParse(body)
  if (!completion.success) return null
  const [{ message, finish_reason: reason }] = completion.data.choices
  const spoken: z.infer<typeof spokenSchema> = {
    content: message.content ?? '',
    reasoning: message.reasoning_content ?? message.reasoning ?? '',
    calls: (message.tool_calls ?? []).map(({ id, function: { name, arguments: given } }, i) => ({
      id: id || `call_${i}`,
      type: 'function',
      function: { name, arguments: typeof given === 'string' ? given : JSON.stringify(given) },
    })),
  }
  if (spoken.content.trim() === '' && spoken.reasoning === '' && spoken.calls.length === 0) {
    return { kind: 'missing', reason: say('endpoint.nothing-said', { reason: reason ?? 'null' }) }
  }
  return { kind: 'answer', text: JSON.stringify(spoken) }
}

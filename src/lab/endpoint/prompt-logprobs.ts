import { z } from 'zod'
import { sentences } from '../../text/sentences.js'
import type { ResponseCache } from './cache.js'
import {
  type EndpointMessage,
  type EndpointOptions,
  type EndpointReply,
  type MissingReply,
  openPost,
} from './endpoint.js'

/**
 * How likely a model finds an answer that it did not write: the sum of the log-probabilities of the answer's tokens,
 * given what stands before it. Nothing is generated but one token that is thrown away. Two ways to ask:
 *   chat          vLLM: the answer is the last message, left open, and `prompt_logprobs` of 0 gives every prompt token
 *                 with its own log-probability alone; pictures can be sent
 *   completions   any server of the older protocol that takes `echo` with `logprobs`; text alone
 * A reply is kept as the last tokens of its prompt, which is where the answer stands.
 */
export const LOGPROB_APIS = ['chat', 'completions'] as const
export type LogprobApi = (typeof LOGPROB_APIS)[number]

export type AnswerLogProbability = (
  messages: readonly EndpointMessage[],
  answer: string,
) => Promise<{ readonly kind: 'logprob'; readonly value: number } | MissingReply>

const say = sentences({
  'logprobs.not-spelt': {
    en: 'the last tokens of the prompt do not spell the answer ({found}); does the server end the prompt with it?',
    zh: 'prompt 末尾的 token 拼不出该答案（{found}）；服务端是否以答案结束 prompt？',
  },
  'logprobs.none': {
    en: 'the server gives no log-probabilities of the prompt ({field}); vLLM does, and with --api completions any server that takes echo',
    zh: '服务端没有返回 prompt 的对数概率（{field}）；vLLM 支持，用 --api completions 时任何支持 echo 的服务也可以',
  },
  'logprobs.pictures': {
    en: 'the completions API takes text only: use --api chat, or --set llm.images=false',
    zh: 'completions 接口只接受文本：请用 --api chat，或 --set llm.images=false',
  },
})

/** Answers of the VQA challenge have a few tokens. */
const LONGEST_ANSWER = 64

/** A token of the prompt: its text, and its log-probability after all before it. */
const tail = z.array(z.tuple([z.string(), z.number()]))

export function openAnswerLogProbability(
  options: EndpointOptions,
  cache: ResponseCache,
  api: LogprobApi,
): AnswerLogProbability {
  const { model } = options
  const path = api === 'chat' ? '/chat/completions' : '/completions'
  const post = openPost(path, api === 'chat' ? readChat : readEcho, options, cache)
  const bodyOf = (messages: readonly EndpointMessage[], answer: string): object | null => {
    if (api === 'chat') {
      const left = { add_generation_prompt: false, continue_final_message: true }
      return { messages: [...messages, { role: 'assistant', content: answer }], ...left, prompt_logprobs: 0 }
    }
    const texts = messages.map(({ content }) => content)
    return texts.every(text => typeof text === 'string')
      ? { prompt: `${texts.join('\n\n')} ${answer}`, echo: true, logprobs: 1 }
      : null
  }
  return async (messages, answer) => {
    const body = bodyOf(messages, answer)
    if (body === null) return { kind: 'missing', reason: say('logprobs.pictures', {}) }
    const readIn = (text: string) => answerIn(tail.parse(JSON.parse(text)), answer, api === 'chat' ? '' : ' ')
    const isUsable = (text: string): boolean => readIn(text).kind === 'logprob'
    const reply = await post(JSON.stringify({ model, ...body, max_tokens: 1, temperature: 0 }), isUsable)
    return reply.kind === 'missing' ? reply : readIn(reply.text)
  }
}

/** The tokens from the end back to where the answer begins; of a completion with the space before it, in a token of its own or not. */
function answerIn(
  tokens: z.infer<typeof tail>,
  answer: string,
  lead: string,
): Awaited<ReturnType<AnswerLogProbability>> {
  let text = ''
  let value = 0
  let at = tokens.length
  const take = (): void => {
    at -= 1
    text = tokens[at][0] + text
    value += tokens[at][1]
  }
  while (at > 0 && text.trimStart().length < answer.length) take()
  if (at > 0 && lead !== '' && text === answer && tokens[at - 1][0] === lead) take()
  // Some chat templates put a blank before the answer, and their tokenizers join it to the first word.
  if (text === answer || text === lead + answer || (lead === '' && text === ` ${answer}`))
    return { kind: 'logprob', value }
  return { kind: 'missing', reason: say('logprobs.not-spelt', { found: JSON.stringify(text.slice(-80)) }) }
}

const chatSchema = z.object({
  prompt_logprobs: z.array(
    z.record(z.string(), z.object({ logprob: z.number(), decoded_token: z.string().nullish() })).nullable(),
  ),
})

/** With 0 further candidates each entry has the token of the prompt alone; the first token has none. */
function readChat(body: unknown): EndpointReply | null {
  const read = chatSchema.safeParse(body)
  if (!read.success) return withoutLogprobs(body, 'prompt_logprobs')
  const tokens = read.data.prompt_logprobs.slice(-LONGEST_ANSWER).flatMap(entry => {
    const [token] = Object.values(entry ?? {})
    return token === undefined ? [] : [[token.decoded_token ?? '', token.logprob]]
  })
  return { kind: 'answer', text: JSON.stringify(tokens) }
}

const echoSchema = z.object({
  choices: z
    .array(
      z.object({
        logprobs: z.object({ tokens: z.array(z.string()), token_logprobs: z.array(z.number().nullable()) }),
      }),
    )
    .min(1),
})

/** The last token is the one that was generated. */
function readEcho(body: unknown): EndpointReply | null {
  const read = echoSchema.safeParse(body)
  if (!read.success) return withoutLogprobs(body, 'logprobs.token_logprobs')
  const { tokens, token_logprobs: values } = read.data.choices[0].logprobs
  const told = tokens.map((text, i) => [text, values[i] ?? 0])
  return { kind: 'answer', text: JSON.stringify(told.slice(0, -1).slice(-LONGEST_ANSWER)) }
}

/** A completion, but without what was asked for: asking again would not help. */
function withoutLogprobs(body: unknown, field: string): EndpointReply | null {
  const isCompletion = z.object({ choices: z.array(z.unknown()).min(1) }).safeParse(body).success
  return isCompletion ? { kind: 'missing', reason: say('logprobs.none', { field }) } : null
}

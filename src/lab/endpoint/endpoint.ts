import { z } from 'zod'
import { Problem } from '../../logs/model/problem.js'
import type { Message } from '../../logs/model/run.js'
import { seededRandom } from '../../stats/random.js'
import { sentences } from '../../text/sentences.js'
import type { ResponseCache } from './cache.js'
import { type Clock, createLimiter, realClock } from './limiter.js'

const message = sentences({
  'endpoint.refused': {
    en: 'the endpoint {url} refuses (status {status}): {detail}; check the address, the model and the key',
    zh: '接口 {url} 拒绝请求（状态码 {status}）：{detail}；请检查地址、模型名与密钥',
  },
  'endpoint.never-answers': {
    en: 'the endpoint {url} answered none of the first {count} requests: {detail}',
    zh: '接口 {url} 对前 {count} 个问题均未作答：{detail}',
  },
  'endpoint.declined': {
    en: 'the model declined to answer: {detail}',
    zh: '模型拒绝回答：{detail}',
  },
  'endpoint.failed': {
    en: 'no answer after {attempts} {attempts|attempt|attempts}: {detail}',
    zh: '请求 {attempts} 次仍未得到回答：{detail}',
  },
  'endpoint.no-answer': {
    en: 'the endpoint answered without text (finish reason {reason})',
    zh: '接口返回了结果，但没有文本（finish_reason 为 {reason}）',
  },
})

/**
 * An OpenAI-compatible endpoint: POST {url}/chat/completions. A busy or broken server is asked again, ever later; a
 * request that it will not take is not. Either way what stays unanswered is missing. Only a refusal that every request
 * would meet (wrong key, address or model), or a server that never answers anything, is an error. The key goes into
 * one header of requests to this very address, and is taken out of whatever comes back.
 */
export interface EndpointOptions {
  /** As far as `/v1`. */
  readonly url: string
  readonly model: string
  readonly apiKey?: string
  readonly temperature?: number
  readonly maxTokens?: number
  /** Above 1: the likeliest of so many beams, without a penalty for length, as servers of vLLM's kind take it. */
  readonly beams?: number
  readonly concurrency?: number
  readonly requestsPerMinute?: number
  readonly attempts?: number
  readonly timeoutSeconds?: number
  readonly clock?: Clock
}

export type EndpointReply = { readonly kind: 'answer'; readonly text: string } | MissingReply

export interface MissingReply {
  readonly kind: 'missing'
  readonly reason: Message
  /** The server's own words, where it would not take the request. */
  readonly rejection?: string
}

/** `isUsable`: an answer that is not is handed over and not kept, so that the same command asks again. */
export type Ask = (messages: readonly EndpointMessage[], isUsable?: IsUsable) => Promise<EndpointReply>
export type IsUsable = (text: string) => boolean

/** As OpenAI's own clients do: half a second, doubled each time. */
const FIRST_PAUSE = 500
const LONGEST_PAUSE = 30_000
/** A server may ask for a longer pause, but not for the rest of the day. */
const LONGEST_REQUESTED_PAUSE = 120_000
const BUSY = new Set([408, 409, 425, 429])
const REFUSALS = new Set([401, 403, 404])
/** So many questions without a single answer, each asked several times: nobody is there. */
const GIVE_UP_AFTER = 16
/** An answer in a few words comes in a few kilobytes. */
const LARGEST_RESPONSE = 4 << 20
/** A shorter key may be part of an innocent answer. */
const SHORTEST_SECRET = 6

export function openEndpoint(options: EndpointOptions, cache: ResponseCache): Ask {
  const { model, temperature = 0, maxTokens = 16, beams = 1 } = options
  const search = beams > 1 ? { use_beam_search: true, n: beams, length_penalty: 0 } : {}
  const post = openPost('/chat/completions', readCompletion, options, cache)
  return (messages, isUsable) =>
    post(JSON.stringify({ model, messages, temperature, max_tokens: maxTokens, ...search }), isUsable)
}

/** From the parsed body of a success to what it says; null where it is no answer of this protocol. */
export type ReadBody = (body: unknown) => EndpointReply | null

/** One path of an endpoint: a body in, a reply out, with all the patience, caching and caution that any path needs. */
export function openPost(
  path: string,
  read: ReadBody,
  options: Omit<EndpointOptions, 'temperature' | 'maxTokens'>,
  cache: ResponseCache,
): (body: string, isUsable?: IsUsable) => Promise<EndpointReply> {
  const { attempts = 6, clock = realClock } = options
  const { concurrency = 8, requestsPerMinute = Number.POSITIVE_INFINITY } = options
  const url = `${options.url.replace(/\/+$/, '')}${path}`
  const limiter = createLimiter({ concurrency, requestsPerMinute, clock })
  // Spreads retries that failed together; no result depends on it.
  const jitter = seededRandom(0)
  const underWay = new Map<string, Promise<EndpointReply>>()
  let refusal: Problem | undefined
  let answered = 0
  let failed = 0

  async function askServer(body: string): Promise<EndpointReply> {
    let detail = ''
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const result = await limiter.run(async () => {
        // Those that stood in line when the refusal came need not hear it themselves.
        if (refusal !== undefined) throw refusal
        return request(url, body, read, options)
      })
      if (result.kind === 'refused') {
        refusal = new Problem(
          'unreachable',
          message('endpoint.refused', { url, status: result.status, detail: result.detail }),
        )
        throw refusal
      }
      if (result.kind === 'rejected') return { ...givenUp(attempt, result.detail), rejection: result.detail }
      if (result.kind !== 'busy') {
        answered += 1
        return result
      }
      detail = result.detail
      if (attempt === attempts) break
      if (result.pause > 0) limiter.pause(result.pause)
      const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (attempt - 1)) * (0.5 + jitter.next() / 2)
      await clock.sleep(Math.max(result.pause, pause))
    }
    return givenUp(attempts, detail)
  }

  function givenUp(tried: number, detail: string): MissingReply {
    failed += 1
    if (answered === 0 && failed >= GIVE_UP_AFTER) {
      refusal ??= new Problem('unreachable', message('endpoint.never-answers', { url, count: failed, detail }))
      throw refusal
    }
    return { kind: 'missing', reason: message('endpoint.failed', { attempts: tried, detail }) }
  }

  async function answer(key: string, body: string, isUsable: IsUsable): Promise<EndpointReply> {
    const kept = await cache.find(key)
    if (kept !== undefined && isUsable(kept)) return { kind: 'answer', text: kept }
    const reply = await askServer(body)
    if (reply.kind === 'answer' && isUsable(reply.text)) await cache.keep(key, reply.text)
    return reply
  }

  return (body, isUsable = () => true) => {
    const key = `${url}\n${body}`
    const started = underWay.get(key)
    if (started !== undefined) return started
    const reply = answer(key, body, isUsable).finally(() => underWay.delete(key))
    underWay.set(key, reply)
    return reply
  }
}

type Result =
  | EndpointReply
  /** Worth asking again, not before so many milliseconds. */
  | { readonly kind: 'busy'; readonly detail: string; readonly pause: number }
  /** This request will never do. */
  | { readonly kind: 'rejected'; readonly detail: string }
  /** No request will. */
  | { readonly kind: 'refused'; readonly status: number; readonly detail: string }

async function request(
  url: string,
  body: string,
  read: ReadBody,
  { apiKey, timeoutSeconds = 60 }: Pick<EndpointOptions, 'apiKey' | 'timeoutSeconds'>,
): Promise<Result> {
  const headers = {
    'content-type': 'application/json',
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  }
  const hidden = (text: string): string =>
    apiKey === undefined || apiKey.length < SHORTEST_SECRET ? text : text.replaceAll(apiKey, '[key]')
  try {
    const signal = AbortSignal.timeout(timeoutSeconds * 1000)
    // A redirect is not followed: another host must not get the key, and a POST would arrive as a GET.
    const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' })
    const result = readResponse(response, hidden(await textWithin(response, LARGEST_RESPONSE)), read)
    if (result.kind === 'answer') return { ...result, text: hidden(result.text) }
    return 'detail' in result ? { ...result, detail: hidden(result.detail) } : result
  } catch (error) {
    return { kind: 'busy', detail: hidden(reasonOf(error)), pause: 0 }
  }
}

/** The body as text; one that does not end is cut, and then is no valid answer. */
async function textWithin(response: Response, most: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk)
    size += chunk.length
    if (size > most) break
  }
  return Buffer.concat(chunks).toString('utf8')
}

const completionSchema = z.object({
  choices: z
    .array(
      z.object({
        message: z.object({ content: z.string().nullish(), refusal: z.string().nullish() }),
        finish_reason: z.string().nullish(),
      }),
    )
    .min(1),
})

function readResponse(response: Response, text: string, read: ReadBody): Result {
  const { status } = response
  const detail = `status ${status}: ${excerpt(text)}`
  if (status >= 300 && status < 400) return { kind: 'refused', status, detail: redirection(response) }
  if (REFUSALS.has(status)) return { kind: 'refused', status, detail: excerpt(text) }
  if (BUSY.has(status) || status >= 500) return { kind: 'busy', detail, pause: requestedPause(response) }
  if (status >= 400) return { kind: 'rejected', detail }
  // A proxy that answers for a server which is starting up says 200 and something else.
  return read(parseJson(text)) ?? { kind: 'busy', detail, pause: 0 }
}

function readCompletion(body: unknown): EndpointReply | null {
  const completion = completionSchema.safeParse(body)
  if (!completion.success) return null
  const [{ message: said, finish_reason: reason }] = completion.data.choices
  if (typeof said.content === 'string' && said.content.trim() !== '') return { kind: 'answer', text: said.content }
  if (typeof said.refusal === 'string' && said.refusal !== '') {
    return { kind: 'missing', reason: message('endpoint.declined', { detail: excerpt(said.refusal) }) }
  }
  return { kind: 'missing', reason: message('endpoint.no-answer', { reason: reason ?? 'null' }) }
}

/** `Retry-After` in seconds; as a date it is rare among model servers, and our own back-off does for it. */
function requestedPause(response: Response): number {
  const seconds = Number(response.headers.get('retry-after') ?? 0)
  return Number.isFinite(seconds) ? Math.min(LONGEST_REQUESTED_PAUSE, Math.max(0, seconds * 1000)) : 0
}

/** Where to, without what may stand in its query. */
function redirection(response: Response): string {
  const target = response.headers.get('location') ?? ''
  if (!URL.canParse(target, response.url)) return 'redirect'
  const { origin, pathname } = new URL(target, response.url)
  return `redirect to ${excerpt(origin + pathname)}`
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // fetch says "fetch failed" and hides why in the cause; with several addresses for a name, one level further down.
  const { cause } = error
  if (!(cause instanceof Error)) return error.message
  const [first] = cause instanceof AggregateError ? cause.errors : []
  return cause.message || (first instanceof Error ? first.message : error.message)
}

function excerpt(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 200)
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The part of OpenAI's chat protocol that is used here. */
export interface EndpointMessage {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string | readonly ContentPart[]
}

export type ContentPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image_url'; readonly image_url: { readonly url: string } }

/** A message that calls functions, and what each call brought. */
export type ToolMessage =
  | { readonly role: 'assistant'; readonly content: string | null; readonly tool_calls: readonly FunctionCall[] }
  | { readonly role: 'tool'; readonly tool_call_id: string; readonly content: string }

export interface FunctionCall {
  readonly id: string
  readonly type: 'function'
  /** Arguments are JSON in a text, as the model wrote it. */
  readonly function: { readonly name: string; readonly arguments: string }
}

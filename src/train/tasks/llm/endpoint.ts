import { z } from 'zod'
import type { Message } from '../../../model/run.js'
import { seededRandom } from '../../../stats/random.js'
import { message } from '../../../text/say.js'
import { TaskError } from '../task-error.js'
import type { ResponseCache } from './cache.js'
import { type Clock, createLimiter, realClock } from './limiter.js'
import type { ChatMessage } from './prompt.js'

/**
 * An OpenAI-compatible endpoint: POST {url}/chat/completions. A busy or broken server is asked again, ever later; a
 * request that it will not take is not. Either way what stays unanswered is missing. Only a refusal that every request
 * would meet (wrong key, address or model) is an error.
 */
export interface EndpointOptions {
  /** As far as `/v1`. */
  readonly url: string
  readonly model: string
  readonly apiKey?: string
  readonly maxTokens?: number
  readonly concurrency?: number
  readonly requestsPerMinute?: number
  readonly attempts?: number
  readonly timeoutSeconds?: number
  readonly clock?: Clock
}

export type Reply =
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'missing'; readonly reason: Message }

export type Ask = (messages: readonly ChatMessage[]) => Promise<Reply>

/** As OpenAI's own clients do: half a second, doubled each time. */
const FIRST_PAUSE = 500
const LONGEST_PAUSE = 30_000
/** A server may ask for a longer pause, but not for the rest of the day. */
const LONGEST_REQUESTED_PAUSE = 120_000
const BUSY = new Set([408, 409, 425, 429])
const REFUSALS = new Set([401, 403, 404])

export function openEndpoint(options: EndpointOptions, cache: ResponseCache): Ask {
  const { model, maxTokens = 16, attempts = 6, clock = realClock } = options
  const { concurrency = 8, requestsPerMinute = Number.POSITIVE_INFINITY } = options
  const url = `${options.url.replace(/\/+$/, '')}/chat/completions`
  const limiter = createLimiter({ concurrency, requestsPerMinute, clock })
  // Spreads retries that failed together; no result depends on it.
  const jitter = seededRandom(0)
  const underWay = new Map<string, Promise<Reply>>()
  let refusal: TaskError | undefined

  async function askServer(body: string): Promise<Reply> {
    let detail = ''
    for (let attempt = 1; attempt <= attempts; attempt += 1) {
      const result = await limiter.run(async () => {
        // Those that stood in line when the refusal came need not hear it themselves.
        if (refusal !== undefined) throw refusal
        return request(url, body, options)
      })
      if (result.kind === 'refused') {
        refusal = new TaskError(message('llm.refused', { url, status: result.status, detail: result.detail }))
        throw refusal
      }
      if (result.kind === 'rejected') {
        return { kind: 'missing', reason: message('llm.failed', { attempts: attempt, detail: result.detail }) }
      }
      if (result.kind !== 'busy') return result
      detail = result.detail
      if (attempt === attempts) break
      if (result.pause > 0) limiter.pause(result.pause)
      const pause = Math.min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (attempt - 1)) * (0.5 + jitter.next() / 2)
      await clock.sleep(Math.max(result.pause, pause))
    }
    return { kind: 'missing', reason: message('llm.failed', { attempts, detail }) }
  }

  async function answer(key: string, body: string): Promise<Reply> {
    const kept = await cache.find(key)
    if (kept !== undefined) return { kind: 'answer', text: kept }
    const reply = await askServer(body)
    if (reply.kind === 'answer') await cache.keep(key, reply.text)
    return reply
  }

  return messages => {
    const body = JSON.stringify({ model, messages, temperature: 0, max_tokens: maxTokens })
    const key = `${url}\n${body}`
    const started = underWay.get(key)
    if (started !== undefined) return started
    const reply = answer(key, body).finally(() => underWay.delete(key))
    underWay.set(key, reply)
    return reply
  }
}

type Result =
  | Reply
  /** Worth asking again, not before so many milliseconds. */
  | { readonly kind: 'busy'; readonly detail: string; readonly pause: number }
  /** This request will never do. */
  | { readonly kind: 'rejected'; readonly detail: string }
  /** No request will. */
  | { readonly kind: 'refused'; readonly status: number; readonly detail: string }

async function request(url: string, body: string, options: EndpointOptions): Promise<Result> {
  const { apiKey, timeoutSeconds = 60 } = options
  const headers = {
    'content-type': 'application/json',
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  }
  try {
    const signal = AbortSignal.timeout(timeoutSeconds * 1000)
    const response = await fetch(url, { method: 'POST', headers, body, signal })
    return readResponse(response, await response.text())
  } catch (error) {
    return { kind: 'busy', detail: reasonOf(error), pause: 0 }
  }
}

const completionSchema = z.object({
  choices: z
    .array(z.object({ message: z.object({ content: z.string().nullish() }), finish_reason: z.string().nullish() }))
    .min(1),
})

function readResponse(response: Response, text: string): Result {
  const { status } = response
  const detail = `status ${status}: ${excerpt(text)}`
  if (REFUSALS.has(status)) return { kind: 'refused', status, detail: excerpt(text) }
  if (BUSY.has(status) || status >= 500) return { kind: 'busy', detail, pause: requestedPause(response) }
  if (status >= 400) return { kind: 'rejected', detail }
  const completion = completionSchema.safeParse(parseJson(text))
  // A proxy that answers for a server which is starting up says 200 and something else.
  if (!completion.success) return { kind: 'busy', detail, pause: 0 }
  const [{ message: said, finish_reason: reason }] = completion.data.choices
  if (typeof said.content === 'string' && said.content.trim() !== '') return { kind: 'answer', text: said.content }
  return { kind: 'missing', reason: message('llm.no-answer', { reason: reason ?? 'null' }) }
}

/** `Retry-After` in seconds; as a date it is rare among model servers, and our own back-off does for it. */
function requestedPause(response: Response): number {
  const seconds = Number(response.headers.get('retry-after') ?? 0)
  return Number.isFinite(seconds) ? Math.min(LONGEST_REQUESTED_PAUSE, Math.max(0, seconds * 1000)) : 0
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // fetch says "fetch failed" and hides why in the cause.
  return error.cause instanceof Error ? error.cause.message || error.message : error.message
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

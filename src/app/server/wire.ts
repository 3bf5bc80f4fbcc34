import type { IncomingMessage } from 'node:http'
import type { Context } from 'hono'
import { Problem } from '../../logs/model/problem.js'
import type { Language } from '../../text/language.js'
import { sentences } from '../../text/sentences.js'
import { type Answered, refused, type Written, written } from './answer.js'
import { compressed } from './files.js'
import type { Refusal } from './guard.js'

/** What comes and goes over HTTP: bodies within limits, JSON within a depth, answers compressed. */

const say = sentences({
  'serve.bad-json': { en: 'the body is not a JSON object', zh: '请求正文不是 JSON 对象' },
})

export function languageOf(c: Context): Language {
  return /^\s*zh\b/i.test(c.req.header('accept-language') ?? '') ? 'zh' : 'en'
}

export function refuse(c: Context, { status, sentence }: Refusal): Promise<Response> {
  return send(c, refused(status, 'forbidden', sentence, languageOf(c)))
}

/** What is answered from the workspace is `shown` as this server's askers may see it. */
export async function send(
  c: Context,
  answered: Answered | Written,
  shown: (json: string) => string = json => json,
): Promise<Response> {
  const { status, text } = 'text' in answered ? answered : written(answered)
  const { bytes, encoding } = await compressed(Buffer.from(shown(text)), c.req.header('accept-encoding') ?? '')
  c.header('content-type', 'application/json; charset=utf-8')
  c.header('cache-control', 'no-store')
  c.header('vary', 'accept-encoding')
  if (encoding !== null) c.header('content-encoding', encoding)
  // What was refused may not have been read to its end.
  if (status >= 400) c.header('connection', 'close')
  return c.newResponse(bytes, { status })
}

/**
 * The body; null where it is too large. The rest is then read and dropped: a connection that is torn down in between, as
 * Hono's own limit does, would not carry the answer.
 */
export async function bytesWithin(incoming: IncomingMessage, most: number): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of incoming) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    if (size <= most) chunks.push(bytes)
  }
  return size <= most ? Buffer.concat(chunks) : null
}

/** Of requests that people or programs write; deeper ones break what reads them, far from here. */
const DEEPEST = 64

/** What a body says; one that is too large, no JSON or nested too deep is the sender's mistake. */
export function jsonIn(body: Buffer | null): unknown {
  const text = body?.toString('utf8') ?? ''
  try {
    if (nestingOf(text) <= DEEPEST) return JSON.parse(text)
  } catch {}
  throw badJson()
}

export function badJson(): Problem {
  return new Problem('bad-request', say('serve.bad-json', {}))
}

function nestingOf(text: string): number {
  let [depth, deepest] = [0, 0]
  for (const [mark] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/g)) {
    if (mark === '[' || mark === '{') depth += 1
    else if (mark === ']' || mark === '}') depth -= 1
    deepest = Math.max(deepest, depth)
  }
  return deepest
}

import { randomBytes, timingSafeEqual } from 'node:crypto'
import { parse as parseCookies } from 'hono/utils/cookie'
import type { Message } from '../../logs/model/run.js'
import { sentences } from '../../text/sentences.js'

/**
 * Who may talk to a server of klens. On loopback, programs and pages of this machine: a Host that is not this machine is
 * refused, by which a name that was pointed here would give itself away, and so is a foreign Origin. Beyond loopback, who
 * knows a token, one to read and one to write. Tokens come in a header or a cookie, never in an address, which gets
 * logged; they are compared in constant time.
 */

const say = sentences({
  'serve.no-token': { en: 'the token is missing or wrong', zh: '缺少令牌或令牌错误' },
  'serve.wrong-host': { en: 'this server answers to localhost only', zh: '本服务只响应 localhost' },
  'serve.cross-origin': { en: 'pages of other origins may not ask', zh: '不接受其他来源的页面发出的请求' },
})

export const LOOPBACK = '127.0.0.1'

const HOSTS = new Set([LOOPBACK, 'localhost', '[::1]'])

export interface Refusal {
  readonly status: 401 | 403
  readonly sentence: Message
}

export type Right = 'read' | 'write'

/** A token, and what its owner is called in the trail. */
export interface Token {
  readonly name: string
  readonly right: Right
  readonly token: string
}

export interface Visitor {
  readonly right: Right
  readonly name: string
}

/** `alice=…,bob=…`, or a single token without a name. */
export function tokensIn(text: string, right: Right): readonly Token[] {
  return text.split(',').map(each => {
    const at = each.indexOf('=')
    return { name: at < 0 ? right : each.slice(0, at).trim(), right, token: each.slice(at + 1).trim() }
  })
}

/** Of a cookie that a page on another port of this machine would not overwrite by accident. */
export const COOKIE = 'klens-token'

export function newToken(): string {
  return randomBytes(18).toString('base64url')
}

/** Null: let in. For a server of one token, which only this machine can reach. */
export function refusalOf(headers: Headers, token: string): Refusal | null {
  const refusal = crossOriginRefusal(headers) ?? hostRefusal(headers)
  if (refusal !== null) return refusal
  return isEqual(bearer(headers), token) ? null : WITHOUT_TOKEN
}

/** Who asks; `tokens` are null for a server on loopback, where everything may be asked. */
export function visitorOf(headers: Headers, tokens: readonly Token[] | null): Visitor | Refusal {
  const refusal = crossOriginRefusal(headers) ?? (tokens === null ? hostRefusal(headers) : null)
  if (refusal !== null) return refusal
  if (tokens === null) return { right: 'write', name: LOOPBACK }
  const cookie = parseCookies(headers.get('cookie') ?? '', COOKIE)[COOKIE] ?? ''
  return visitorByToken(bearer(headers) || cookie, tokens) ?? WITHOUT_TOKEN
}

/** All are compared, so that the time it takes tells nothing. */
export function visitorByToken(given: string, tokens: readonly Token[]): Visitor | null {
  const [known] = tokens.filter(({ token }) => isEqual(given, token))
  return known === undefined ? null : { right: known.right, name: known.name }
}

export const WITHOUT_TOKEN: Refusal = { status: 401, sentence: say('serve.no-token', {}) }

function hostRefusal(headers: Headers): Refusal | null {
  const host = headers.get('host')?.replace(/:\d+$/, '').toLowerCase()
  const isHere = host !== undefined && HOSTS.has(host)
  return isHere ? null : { status: 403, sentence: say('serve.wrong-host', {}) }
}

/** A page of another origin, whether its browser tells by Origin or by Sec-Fetch-Site. */
function crossOriginRefusal(headers: Headers): Refusal | null {
  const origin = headers.get('origin')
  const isForeign = origin !== null && !isOwnOrigin(origin, headers.get('host'))
  const isCrossSite = ['cross-site', 'same-site'].includes(headers.get('sec-fetch-site') ?? '')
  const isVisit = headers.get('sec-fetch-mode') === 'navigate'
  if (!isForeign && (!isCrossSite || isVisit)) return null
  return { status: 403, sentence: say('serve.cross-origin', {}) }
}

function isOwnOrigin(origin: string, host: string | null): boolean {
  return URL.canParse(origin) && new URL(origin).host === host
}

function bearer(headers: Headers): string {
  return /^Bearer (.+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? ''
}

function isEqual(given: string, token: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(token)]
  return one.length === other.length && timingSafeEqual(one, other)
}

import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Message } from '../../logs/model/run.js'
import { sentences } from '../../text/sentences.js'

/**
 * Which requests a server of klens looks at. On loopback, those of programs and pages of this machine: a Host that is not
 * this machine is refused, by which a name that was pointed here would give itself away. Everywhere pages of other origins
 * are refused. Who may ask what beyond loopback, `entrance.ts` decides. Tokens are compared in constant time.
 */

const say = sentences({
  'serve.no-token': { en: 'the token is missing or wrong', zh: '缺少令牌或令牌错误' },
  'serve.wrong-host': { en: 'this server answers to localhost only', zh: '本服务只响应 localhost' },
  'serve.cross-origin': { en: 'pages of other origins are not allowed to ask', zh: '不接受其他来源的页面发出的请求' },
})

export const LOOPBACK = '127.0.0.1'

const HOSTS = new Set([LOOPBACK, 'localhost', '[::1]'])

export interface Refusal {
  readonly status: 401 | 403 | 429
  readonly sentence: Message
}

export type Right = 'read' | 'write'

/** A token, and what its owner is called in the trail. */
export interface Token {
  readonly name: string
  readonly right: Right
  readonly token: string
}

export const FEWEST_LETTERS = 8

/**
 * `alice=…,bob=…`, or a single token without a name. Base64 ends in up to two `=`: with nothing but those behind it, what
 * stands before is no name.
 */
export function tokensIn(text: string, right: Right): readonly Token[] {
  return text.split(',').map(each => {
    const [, name = right, token = each] = /^([^=]+)=(.*[^=\s].*)$/.exec(each) ?? []
    return { name: name.trim(), right, token: token.trim() }
  })
}

export function newToken(): string {
  return randomBytes(18).toString('base64url')
}

/** Null: let in. For a server of one token, which only this machine can reach. */
export function refusalOf(request: Request, token: string): Refusal | null {
  const refusal = crossOriginRefusal(request) ?? hostRefusal(request)
  if (refusal !== null) return refusal
  return isEqual(bearerOf(request), token) ? null : WITHOUT_TOKEN
}

export const WITHOUT_TOKEN: Refusal = { status: 401, sentence: say('serve.no-token', {}) }

export function hostRefusal({ headers }: Request): Refusal | null {
  const host = headers.get('host')?.replace(/:\d+$/, '').toLowerCase()
  const isHere = host !== undefined && HOSTS.has(host)
  return isHere ? null : { status: 403, sentence: say('serve.wrong-host', {}) }
}

/** A page of another origin, whether its browser says so by Origin or by Sec-Fetch-Site. A link from there may be followed, to read. */
export function crossOriginRefusal({ method, headers }: Request): Refusal | null {
  const origin = headers.get('origin')
  const isForeign = origin !== null && !isOwnOrigin(origin, headers.get('host'))
  const isCrossSite = ['cross-site', 'same-site'].includes(headers.get('sec-fetch-site') ?? '')
  const isVisit = headers.get('sec-fetch-mode') === 'navigate' && ['GET', 'HEAD'].includes(method)
  if (!isForeign && (!isCrossSite || isVisit)) return null
  return { status: 403, sentence: say('serve.cross-origin', {}) }
}

/** https too: a team may put its own TLS before this server. */
function isOwnOrigin(origin: string, host: string | null): boolean {
  if (!URL.canParse(origin)) return false
  const { protocol, host: named } = new URL(origin)
  return named === host && ['http:', 'https:'].includes(protocol)
}

export function bearerOf({ headers }: Request): string {
  return /^Bearer (.+)$/i.exec(headers.get('authorization') ?? '')?.[1] ?? ''
}

export function isEqual(given: string, token: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(token)]
  return one.length === other.length && timingSafeEqual(one, other)
}

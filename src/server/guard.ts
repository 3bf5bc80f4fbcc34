import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/**
 * Who may talk to a server of klens. On loopback, programs and pages of this machine: a Host that is not this machine is
 * refused, by which a name that was pointed here would give itself away, and so is a foreign Origin. Beyond loopback, who
 * knows a token, one to read and one to write. Tokens come in a header or a cookie, never in an address, which gets
 * logged; they are compared in constant time. Bodies have a limit.
 */

export const LOOPBACK = '127.0.0.1'

const LARGEST_BODY = 1 << 20
const HOSTS = new Set(['127.0.0.1', 'localhost', '[::1]'])

export interface Refusal {
  readonly status: 401 | 403 | 413
  readonly error: string
}

export type Right = 'read' | 'write'

/** A token, and what whoever has it is called in the trail. */
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

/** Null: let in. For a server of one token. */
export function refusalOf(request: IncomingMessage, token: string): Refusal | null {
  const refusal = strangeness(request) ?? notHere(request)
  if (refusal !== null) return refusal
  return isEqual(bearer(request), token) ? null : WITHOUT_TOKEN
}

/** Who asks; `tokens` are null for a server on loopback, where everybody is at home. */
export function visitorOf(request: IncomingMessage, tokens: readonly Token[] | null): Visitor | Refusal {
  const refusal = strangeness(request) ?? (tokens === null ? notHere(request) : null)
  if (refusal !== null) return refusal
  if (tokens === null) return { right: 'write', name: LOOPBACK }
  return visitorByToken(bearer(request) || cookie(request), tokens) ?? WITHOUT_TOKEN
}

/** All are compared, so that the time it takes tells nothing. */
export function visitorByToken(given: string, tokens: readonly Token[]): Visitor | null {
  const [known] = tokens.filter(({ token }) => isEqual(given, token))
  return known === undefined ? null : { right: known.right, name: known.name }
}

const WITHOUT_TOKEN: Refusal = { status: 401, error: 'the token is missing or wrong' }

/** The body; null where it is too large. */
export async function bytesWithin(request: IncomingMessage, most: number): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    // The rest is read and dropped: a connection that is torn down in between would not carry the answer.
    if (size <= most) chunks.push(bytes)
  }
  return size <= most ? Buffer.concat(chunks) : null
}

/** The body as text; null where it is too large. */
export async function bodyWithin(request: IncomingMessage, most = LARGEST_BODY): Promise<string | null> {
  return (await bytesWithin(request, most))?.toString('utf8') ?? null
}

function notHere({ headers: { host } }: IncomingMessage): Refusal | null {
  const isHere = host !== undefined && HOSTS.has(host.replace(/:\d+$/, '').toLowerCase())
  return isHere ? null : { status: 403, error: 'this server answers to localhost only' }
}

/** A page of another origin, whether its browser tells by Origin or by Sec-Fetch-Site. */
function strangeness({ headers }: IncomingMessage): Refusal | null {
  const { origin, host } = headers
  const isForeign = origin !== undefined && !isOwnOrigin(origin, host)
  const isCrossSite = ['cross-site', 'same-site'].includes(String(headers['sec-fetch-site']))
  const isVisit = headers['sec-fetch-mode'] === 'navigate'
  return isForeign || (isCrossSite && !isVisit) ? { status: 403, error: 'pages of other origins may not ask' } : null
}

function isOwnOrigin(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host
}

function bearer({ headers }: IncomingMessage): string {
  return /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
}

function cookie({ headers }: IncomingMessage): string {
  const all = (headers.cookie ?? '').split(';').map(each => each.trim().split('='))
  return all.find(([name]) => name === COOKIE)?.[1] ?? ''
}

function isEqual(given: string, token: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(token)]
  return one.length === other.length && timingSafeEqual(one, other)
}

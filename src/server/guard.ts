import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/**
 * Who may talk to a server of klens: programs on this machine that know its token. A page in a browser may not: a foreign
 * Origin is refused, and so is a Host that is not this machine, by which a name that was pointed here would give itself
 * away. Bodies have a limit.
 */

export const LOOPBACK = '127.0.0.1'

const LARGEST_BODY = 1 << 20
const HOSTS = new Set(['127.0.0.1', 'localhost', '[::1]'])

export type Refusal = { readonly status: 401 | 403 | 413; readonly error: string }

export function newToken(): string {
  return randomBytes(18).toString('base64url')
}

/** Null: let in. */
export function refusalOf({ headers }: IncomingMessage, token: string): Refusal | null {
  if (!isHere(headers.host)) return { status: 403, error: 'this server answers to localhost only' }
  if (headers.origin !== undefined && !isOwnOrigin(headers.origin, headers.host)) {
    return { status: 403, error: 'pages of other origins may not ask' }
  }
  const given = /^Bearer (.+)$/i.exec(headers.authorization ?? '')?.[1] ?? ''
  return isEqual(given, token) ? null : { status: 401, error: 'the token is missing or wrong' }
}

/** The body as text; null where it is too large. */
export async function bodyWithin(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    const bytes = Buffer.from(chunk)
    size += bytes.length
    // The rest is read and dropped: a connection that is torn down in between would not carry the answer.
    if (size <= LARGEST_BODY) chunks.push(bytes)
  }
  return size <= LARGEST_BODY ? Buffer.concat(chunks).toString('utf8') : null
}

function isHere(host: string | undefined): boolean {
  return host !== undefined && HOSTS.has(host.replace(/:\d+$/, '').toLowerCase())
}

function isOwnOrigin(origin: string, host: string | undefined): boolean {
  return URL.canParse(origin) && new URL(origin).host === host
}

function isEqual(given: string, token: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(token)]
  return one.length === other.length && timingSafeEqual(one, other)
}

import { randomBytes } from 'node:crypto'
import { sentences } from '../../text/sentences.js'
import { isEqual, type Refusal, type Right, type Token, WITHOUT_TOKEN } from './guard.js'

/**
 * Who is let in by a server that asks for tokens. A program shows its token with every request; a page shows it once and
 * gets a session: a random name that this server alone knows, that ends by itself, by its owner, or with the token that
 * opened it. The page sends it as a header. A cookie would go to every other port of the same host, and so to whatever
 * colleagues run there.
 *
 * Wrong tokens are few for each address. Sessions and long tokens are not slowed down by what others at the same address
 * try, because they cannot be guessed.
 */

const say = sentences({
  'serve.slow-down': {
    en: 'too many wrong tokens came from this address; try again in {seconds} s',
    zh: '来自该地址的错误令牌过多；请在 {seconds} 秒后重试',
  },
})

export interface Visitor {
  readonly right: Right
  readonly name: string
}

interface Session {
  readonly by: Token
  readonly began: number
  used: number
}

const HOUR_MS = 3600_000
/** A session ends so long after it was last used; a page that is open uses it. */
const LONGEST_UNUSED_MS = 12 * HOUR_MS
const LONGEST_SESSION_MS = 7 * 24 * HOUR_MS
const MOST_SESSIONS = 10_000
const SESSION = 'session-'

/** Wrong tokens that an address may show at once, and after how long one more. */
const WRONG_AT_ONCE = 10
const WRONG_EVERY_MS = 10_000
const MOST_ADDRESSES = 10_000
/** As long as those that klens makes; at any rate of guessing out of reach. */
const LONG_TOKEN = 24

export class Entrance {
  readonly #tokens: () => readonly Token[]
  readonly #now: () => number
  readonly #sessions = new Map<string, Session>()
  readonly #wrong = new Map<string, { left: number; at: number }>()

  /** The tokens that hold now: one that is taken away ends the sessions that it opened. */
  constructor(tokens: () => readonly Token[], now: () => number = Date.now) {
    this.#tokens = tokens
    this.#now = now
  }

  /** By a token or the name of a session. */
  visitor(given: string, address: string): Visitor | Refusal {
    if (given === '') return WITHOUT_TOKEN
    const owner = given.startsWith(SESSION)
      ? (this.#sessionOf(given)?.by ?? WITHOUT_TOKEN)
      : this.#owner(given, address)
    return 'status' in owner ? owner : { right: owner.right, name: owner.name }
  }

  open(token: string, address: string): { readonly session: string; readonly right: Right } | Refusal {
    const by = this.#owner(token, address)
    if ('status' in by) return by
    const [oldest] = this.#sessions.keys()
    if (this.#sessions.size >= MOST_SESSIONS && oldest !== undefined) this.#sessions.delete(oldest)
    const session = SESSION + randomBytes(24).toString('base64url')
    const now = this.#now()
    this.#sessions.set(session, { by, began: now, used: now })
    return { session, right: by.right }
  }

  /** Ends this session; by a token, all that it opened. How many those were. */
  end(given: string): number {
    const ended = [...this.#sessions].filter(([name, { by }]) => isEqual(name, given) || isEqual(by.token, given))
    for (const [name] of ended) this.#sessions.delete(name)
    return ended.length
  }

  /** Whether the holder of this may still listen; counts as use. */
  holds(given: string): boolean {
    return given.startsWith(SESSION) ? this.#sessionOf(given) !== null : this.#among(given) !== undefined
  }

  #sessionOf(name: string): Session | null {
    const session = this.#sessions.get(name)
    if (session === undefined) return null
    const now = this.#now()
    const isOver = now - session.used > LONGEST_UNUSED_MS || now - session.began > LONGEST_SESSION_MS
    if (isOver || this.#among(session.by.token) === undefined) {
      this.#sessions.delete(name)
      return null
    }
    session.used = now
    return session
  }

  /** While an address is held up its short tokens are not looked at, right or wrong: else it could go on guessing. */
  #owner(given: string, address: string): Token | Refusal {
    const owner = this.#among(given)
    if (owner !== undefined && given.length >= LONG_TOKEN) return owner
    const now = this.#now()
    const known = this.#wrong.get(address) ?? { left: WRONG_AT_ONCE, at: now }
    const left = Math.min(WRONG_AT_ONCE, known.left + (now - known.at) / WRONG_EVERY_MS)
    if (left < 1) {
      const seconds = Math.ceil(((1 - left) * WRONG_EVERY_MS) / 1000)
      return { status: 429, sentence: say('serve.slow-down', { seconds }) }
    }
    if (owner !== undefined) return owner
    const [oldest] = this.#wrong.keys()
    this.#wrong.delete(address)
    if (this.#wrong.size >= MOST_ADDRESSES && oldest !== undefined) this.#wrong.delete(oldest)
    this.#wrong.set(address, { left: left - 1, at: now })
    return WITHOUT_TOKEN
  }

  /** All are compared, so that the time it takes says nothing. */
  #among(given: string): Token | undefined {
    return this.#tokens().filter(({ token }) => isEqual(given, token))[0]
  }
}

/** An address as one asker: of IPv6 the network, for a machine has as many addresses there as it likes. */
export function askerAt(address: string | undefined): string {
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address ?? '') ?? []
  if (mapped !== undefined || address?.includes(':') !== true) return mapped ?? address ?? ''
  const [head, tail = ''] = address.split('::').map(part => part.split(':').filter(Boolean))
  const groups = [...head, ...Array(Math.max(0, 8 - head.length - tail.length)).fill('0'), ...tail]
  return groups.slice(0, 4).join(':')
}

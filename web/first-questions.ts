import type { Language } from '../src/text/language.js'
import type { Asked } from './api.js'

/**
 * What a page asks first, read off its address. It is asked by a small script of its own (early.ts), while the large one is
 * still being read, and lies here until the page comes for it. Each answer is given once; a question that was foreseen
 * wrongly is asked by the page as ever.
 */

declare global {
  // Set by the small script, read by the large one.
  var klensEarly: Map<string, Early> | undefined
  /** Until what is asked first has been asked, its answers too where the next question hangs on them. */
  var klensAsked: Promise<unknown> | undefined
}

/** What the server said. */
export interface Reply {
  readonly ok: boolean
  readonly status: number
  /** How many events it had sent by then. */
  readonly events: number
  readonly body: unknown
}

interface Early {
  readonly coming: Promise<Reply>
  /** Once it is there. */
  reply: Reply | null
}

export function questionInit(request: unknown): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(request) }
}

export function fetchEarly(url: string, init: RequestInit): Promise<Reply> {
  globalThis.klensEarly ??= new Map()
  const coming = fetchReply(url, init)
  const early: Early = { coming, reply: null }
  // That it failed is seen where the page takes it.
  coming.then(
    reply => {
      early.reply = reply
    },
    () => {},
  )
  globalThis.klensEarly.set(keyOf(url, init), early)
  return coming
}

/** What has been answered by now, with the question as it was sent; each is given once. */
export function earlyReplies(): readonly { readonly url: string; readonly body: string; readonly reply: Reply }[] {
  return [...(globalThis.klensEarly ?? [])].flatMap(([key, { reply }]) => {
    if (reply?.ok !== true) return []
    globalThis.klensEarly?.delete(key)
    const [, url, body] = /^\w+ (\S+) (.*)$/s.exec(key) ?? []
    return [{ url, body, reply }]
  })
}

/** What was refused, or never came, is asked again: since then the reader may have shown a token. */
export async function fetchOnce(url: string, init: RequestInit): Promise<Reply> {
  const key = keyOf(url, init)
  const early = globalThis.klensEarly?.get(key)
  globalThis.klensEarly?.delete(key)
  const reply = await early?.coming.catch(() => undefined)
  return reply?.ok === true ? reply : fetchReply(url, init)
}

async function fetchReply(url: string, init: RequestInit): Promise<Reply> {
  const response = await fetch(url, withSession(init))
  const { ok, status, headers } = response
  // Read to its end, wanted or not: until then it would hold one of the few connections that a browser has to a server.
  const body: unknown = await response.json().catch(() => null)
  return { ok, status, events: Number(headers.get('klens-events')), body }
}

function keyOf(url: string, { method = 'GET', body }: RequestInit): string {
  return `${method} ${url} ${typeof body === 'string' ? body : ''}`
}

const SESSION = 'klens-session'

/** The session at this server, where it asks for one. Another port of the same host does not see it, as it would a cookie. */
export function keptSession(): string | null {
  return window.localStorage.getItem(SESSION)
}

export function keepSession(session: string | null): void {
  if (session === null) window.localStorage.removeItem(SESSION)
  else window.localStorage.setItem(SESSION, session)
}

export function withSession(init: RequestInit): RequestInit {
  const session = keptSession()
  if (session === null) return init
  const headers = new Headers(init.headers)
  headers.set('authorization', `Bearer ${session}`)
  return { ...init, headers }
}

const KEPT = 'klens-language'

/** The reader's language: as it was last chosen in this browser, else the browser's own. */
export function languageHere(): Language {
  const kept = window.localStorage.getItem(KEPT)
  if (kept === 'en' || kept === 'zh') return kept
  return navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en'
}

export function keepLanguage(language: Language): void {
  window.localStorage.setItem(KEPT, language)
}

export const STATUSES = ['running', 'finished', 'failed', 'killed', 'unknown'] as const

/** Rows are fetched so many at a time. */
export const BLOCK = 100

export function columnsIn(query: URLSearchParams): readonly string[] {
  return (query.get('columns') ?? '').split(',').filter(Boolean)
}

export function statusIn(query: URLSearchParams): (typeof STATUSES)[number] | undefined {
  return STATUSES.find(each => each === query.get('status'))
}

/** What the list of runs asks for. */
export function tableRequest(query: URLSearchParams): Asked {
  const [columns, status, group] = [columnsIn(query), statusIn(query), query.get('group') ?? '']
  return {
    search: query.get('q') ?? '',
    sort: query.get('sort') ?? '-logged',
    where: query.getAll('where'),
    ...(columns.length > 0 && { columns: columns.join(',') }),
    ...(status !== undefined && { status }),
    ...(group !== '' && { group }),
  }
}

export function firstRows(request: Asked): Asked {
  return { ...request, from: 0, most: BLOCK }
}

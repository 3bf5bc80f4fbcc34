import type { Language } from '../src/text/language.js'
import type { Asked } from './api.js'

/**
 * What a page asks first, read off its address. It is asked by a small script of its own (early.ts), while the large one is
 * still being read, and lies here until the page comes for it. Each answer is given once; a question that was foreseen
 * wrongly is asked by the page as ever.
 */

declare global {
  // Set by the small script, read by the large one.
  var klensEarly: Map<string, Promise<Response>> | undefined
}

export function questionInit(request: unknown): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(request) }
}

export function fetchEarly(url: string, init: RequestInit): Promise<Response> {
  globalThis.klensEarly ??= new Map()
  // Read to its end, wanted or not: until then it would hold one of the few connections that a browser has to a server.
  const response = fetch(url, withSession(init)).then(async sent => new Response(await sent.arrayBuffer(), sent))
  // That it failed is seen where the page takes it.
  response.catch(() => {})
  globalThis.klensEarly.set(keyOf(url, init), response)
  return response
}

/** What was refused, or never came, is asked again: since then the reader may have shown a token. */
export async function fetchOnce(url: string, init: RequestInit): Promise<Response> {
  const key = keyOf(url, init)
  const early = globalThis.klensEarly?.get(key)
  globalThis.klensEarly?.delete(key)
  const response = await early?.catch(() => undefined)
  return response?.ok === true ? response : fetch(url, withSession(init))
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

import { useSyncExternalStore } from 'react'
import { siteIndex } from './site.js'

/** The address is the view: what is looked at, chosen, hidden, zoomed and sorted stands in it, so that a link shows the same. */

export interface Place {
  /** `/run/abc` is `['run', 'abc']`. */
  readonly path: readonly string[]
  readonly query: URLSearchParams
}

/** `null` takes a parameter away. */
export type Changes = { readonly [name: string]: string | readonly string[] | null }

const MOVED = 'klens-moved'

let seen = ''
let place: Place = { path: [], query: new URLSearchParams() }

/**
 * A zoom changes the address in every frame, and a browser that gets more than some twenty new ones a second ignores
 * them. So of several that replace each other the first is written at once, and then the last.
 */
const WRITE_MS = 100
let pending: string | null = null
let timer: number | null = null

function replaceAddress(href: string): void {
  pending = href
  if (timer === null) writeAddress()
}

function writeAddress(): void {
  timer = null
  if (pending === null) return
  window.history.replaceState(null, '', linkTo(pending))
  pending = null
  timer = window.setTimeout(writeAddress, WRITE_MS)
}

/** Of a copy that is opened from disk the view stands behind #: a browser shows no other address there. */
function address(): string {
  if (pending !== null) return pending
  const { pathname, search, hash } = window.location
  return siteIndex === null ? pathname + search : hash.slice(1) || '/'
}

/** What stands in a link. */
export function linkTo(href: string): string {
  return siteIndex === null ? href : `#${href}`
}

function partsOf(href: string): readonly [path: string, query: string] {
  const at = href.indexOf('?')
  return at < 0 ? [href, ''] : [href.slice(0, at), href.slice(at + 1)]
}

export function queryHere(): URLSearchParams {
  return new URLSearchParams(partsOf(address())[1])
}

function current(): Place {
  const here = address()
  if (seen !== here) {
    seen = here
    const [path, query] = partsOf(here)
    place = { path: path.split('/').filter(Boolean).map(decoded), query: new URLSearchParams(query) }
  }
  return place
}

/** A link that was cut in the middle of a letter is shown as it is. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

function subscribe(listener: () => void): () => void {
  // Going back drops what was still to be written.
  const back = (): void => {
    pending = null
    listener()
  }
  window.addEventListener('popstate', back)
  window.addEventListener(MOVED, listener)
  return () => {
    window.removeEventListener('popstate', back)
    window.removeEventListener(MOVED, listener)
  }
}

export function usePlace(): Place {
  return useSyncExternalStore(subscribe, current)
}

export function go(href: string, { replace = false }: { readonly replace?: boolean } = {}): void {
  if (href === address()) return
  if (replace) {
    replaceAddress(href)
  } else {
    // The view that is left stands in the history as it was last seen.
    if (pending !== null) window.history.replaceState(null, '', linkTo(pending))
    pending = null
    window.history.pushState(null, '', linkTo(href))
  }
  window.dispatchEvent(new Event(MOVED))
}

export function hrefTo(path: readonly string[], parameters: Changes = {}): string {
  return `/${path.map(encodeURIComponent).join('/')}${queryText(changed(new URLSearchParams(), parameters))}`
}

/** Here, with some parameters changed. A zoom or a keystroke in a search replaces; a choice can be taken back. */
export function change(parameters: Changes, options: { readonly replace?: boolean } = {}): void {
  const [path] = partsOf(address())
  go(`${path}${queryText(changed(queryHere(), parameters))}`, options)
}

function changed(query: URLSearchParams, parameters: Changes): URLSearchParams {
  for (const [name, value] of Object.entries(parameters)) {
    query.delete(name)
    if (value === null || value === '') continue
    for (const each of [value].flat()) query.append(name, each)
  }
  return query
}

/** Slashes, commas and stars of run names stay readable. */
function queryText(query: URLSearchParams): string {
  const text = query
    .toString()
    .replaceAll('%2F', '/')
    .replaceAll('%2C', ',')
    .replaceAll('%3A', ':')
    .replaceAll('%40', '@')
  return text === '' ? '' : `?${text}`
}

/** The pages, in the order of the navigation. */
export const PAGES = [
  'home',
  'runs',
  'curves',
  'compare',
  'settings',
  'frontier',
  'study',
  'samples',
  'report',
  'audit',
] as const

/** A copy has the pages that it has answers for. */
const IN_COPY: readonly PageName[] = siteIndex?.comparison ? ['home', 'runs', 'compare', 'report'] : ['home', 'runs']

export const SHOWN_PAGES: readonly PageName[] = siteIndex === null ? PAGES : IN_COPY

export type PageName = (typeof PAGES)[number]

/** Where a copy has one comparison, the pages of comparisons show it. */
export function hrefOf(page: PageName): string {
  const { sides, metric, margin } = siteIndex?.comparison ?? { sides: [], metric: null, margin: null }
  if (page === 'compare') return hrefTo(['compare'], { side: sides, metric, margin })
  if (page === 'report') return hrefTo(['report'], { run: sides, metric, margin })
  return hrefTo(page === 'home' ? [] : [page])
}

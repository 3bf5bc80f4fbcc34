import { change, queryHere, usePlace } from './location.js'

/** Runs that the reader has picked, and those of them that charts leave out. Both stand in the address and go along to other pages. */

export interface Picked {
  readonly ids: readonly string[]
  readonly hidden: ReadonlySet<string>
}

export function usePicked(): Picked {
  const { query } = usePlace()
  return { ids: idsIn(query.get('pick')), hidden: new Set(idsIn(query.get('hide'))) }
}

export function togglePicked({ ids }: Picked, id: string): void {
  change({ pick: (ids.includes(id) ? ids.filter(each => each !== id) : [...ids, id]).join(',') }, { replace: true })
}

export function toggleHidden({ hidden }: Picked, id: string): void {
  const next = hidden.has(id) ? [...hidden].filter(each => each !== id) : [...hidden, id]
  change({ hide: next.join(',') }, { replace: true })
}

export function clearPicked(): void {
  change({ pick: null, hide: null })
}

/** An address with what is picked here. */
export function withPicked(href: string): string {
  const here = queryHere()
  const [path, query = ''] = href.split('?')
  const carried = ['pick', 'hide'].flatMap(name => {
    const value = here.get(name)
    return value === null || new URLSearchParams(query).has(name) ? [] : [`${name}=${value}`]
  })
  const all = [query, ...carried].filter(part => part !== '').join('&')
  return all === '' ? path : `${path}?${all}`
}

function idsIn(text: string | null): readonly string[] {
  return (text ?? '').split(',').filter(Boolean)
}

import { groupBy } from '../../logs/model/util/group-by.js'
import { fitsPattern } from '../../logs/model/util/pattern.js'
import type { RunEntry } from './catalogue.js'

/** From what a person types to runs. */

export type Resolution =
  | { readonly kind: 'found'; readonly runs: readonly RunEntry[] }
  | { readonly kind: 'ambiguous'; readonly candidates: readonly RunEntry[] }
  | { readonly kind: 'unknown' }

/**
 * An id, the start of one id, a name, or a pattern with `*` and `?` over names and ids. A pattern may fit many; the others
 * must fit one, and a name that several runs share is ambiguous. Made once for many texts: ten thousand ids among ten
 * thousand runs take no longer than a look at each.
 */
export function resolver(entries: readonly RunEntry[]): (text: string) => Resolution {
  const byId = new Map(entries.map(entry => [entry.id, entry]))
  const byName = groupBy(entries, ({ name }) => name)
  const sorted = entries.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return text => {
    const exact = byId.get(text)
    if (exact !== undefined) return { kind: 'found', runs: [exact] }
    const named = byName.get(text)
    if (named !== undefined) return oneOf(named)
    if (/[*?]/.test(text)) {
      const fitting = entries.filter(({ id, name }) => fitsPattern(name, text) || fitsPattern(id, text))
      return fitting.length > 0 ? { kind: 'found', runs: fitting } : { kind: 'unknown' }
    }
    const prefixed = text === '' ? [] : startingWith(sorted, text)
    return prefixed.length > 0 ? oneOf(prefixed) : { kind: 'unknown' }
  }
}

function startingWith(sorted: readonly RunEntry[], start: string): readonly RunEntry[] {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (sorted[middle].id < start) low = middle + 1
    else high = middle
  }
  let end = low
  while (end < sorted.length && sorted[end].id.startsWith(start)) end += 1
  return sorted.slice(low, end)
}

function oneOf(runs: readonly RunEntry[]): Resolution {
  return runs.length === 1 ? { kind: 'found', runs } : { kind: 'ambiguous', candidates: runs }
}

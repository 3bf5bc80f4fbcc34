import { listRuns, type RunEntry } from './catalogue.js'
import type { Workspace } from './workspace.js'

/** From what a person types to runs. */

export type Resolution =
  | { readonly kind: 'found'; readonly runs: readonly RunEntry[] }
  | { readonly kind: 'ambiguous'; readonly candidates: readonly RunEntry[] }
  | { readonly kind: 'unknown' }

/**
 * An id, the start of one id, a name, or a pattern with `*` over names and ids. A pattern may fit many; the others
 * must fit one, and a name that several runs share is ambiguous.
 */
export async function resolveRun(workspace: Workspace, text: string): Promise<Resolution> {
  const { entries } = await listRuns(workspace)
  const exact = entries.filter(({ id }) => id === text)
  if (exact.length > 0) return { kind: 'found', runs: exact }
  const named = entries.filter(({ name }) => name === text)
  if (named.length > 0) return oneOf(named)
  if (text.includes('*')) {
    const fitting = entries.filter(({ id, name }) => fitsPattern(name, text) || fitsPattern(id, text))
    return fitting.length > 0 ? { kind: 'found', runs: fitting } : { kind: 'unknown' }
  }
  const prefixed = text === '' ? [] : entries.filter(({ id }) => id.startsWith(text))
  return prefixed.length > 0 ? oneOf(prefixed) : { kind: 'unknown' }
}

function oneOf(runs: readonly RunEntry[]): Resolution {
  return runs.length === 1 ? { kind: 'found', runs } : { kind: 'ambiguous', candidates: runs }
}

/** A regular expression would need exponential time for a pattern of many stars. */
function fitsPattern(text: string, pattern: string): boolean {
  const [start, ...pieces] = pattern.split('*')
  const end = pieces.pop() ?? ''
  if (!text.startsWith(start)) return false
  let at = start.length
  for (const piece of pieces) {
    const found = text.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return text.length - at >= end.length && text.endsWith(end)
}

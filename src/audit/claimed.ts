import type { ClaimKind } from './claims.js'
import type { AuditDocument, Statement } from './document.js'

/** By kind, the places in `statements` of those that claim it, in rising order. */
type Index = ReadonlyMap<ClaimKind, readonly number[]>

const indexes = new WeakMap<AuditDocument, Index>()

/**
 * The statements that claim something of these kinds, in the order of the text. Most rules look at one kind, and few
 * statements claim it: in a long report, looking at all of them for every rule is what takes the time.
 */
export function statementsClaiming(document: AuditDocument, ...kinds: readonly ClaimKind[]): readonly Statement[] {
  const index = indexes.get(document) ?? indexOf(document)
  const places = kinds.flatMap(kind => index.get(kind) ?? [])
  const inOrder = kinds.length === 1 ? places : [...new Set(places)].sort((a, b) => a - b)
  return inOrder.map(place => document.statements[place])
}

function indexOf(document: AuditDocument): Index {
  const index = new Map<ClaimKind, number[]>()
  for (const [place, { claims }] of document.statements.entries()) {
    for (const { kind } of claims) {
      const known = index.get(kind)
      if (known === undefined) index.set(kind, [place])
      else if (known[known.length - 1] !== place) known.push(place)
    }
  }
  indexes.set(document, index)
  return index
}

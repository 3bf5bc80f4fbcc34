import type { ClaimKind } from './claims.js'
import type { AuditDocument, Statement } from './document.js'

const indexes = new WeakMap<AuditDocument, ReadonlyMap<ClaimKind, readonly Statement[]>>()

/**
 * The statements that claim something of these kinds, in the order of the text. Most rules look at one kind, and few
 * statements claim it: in a long report, looking at all of them for every rule is what takes the time.
 */
export function statementsClaiming(document: AuditDocument, ...kinds: readonly ClaimKind[]): readonly Statement[] {
  const index = indexes.get(document) ?? indexOf(document)
  const [first, ...others] = kinds.map(kind => index.get(kind) ?? [])
  if (others.length === 0) return first
  const wanted = new Set([first, ...others].flat())
  return document.statements.filter(statement => statement.claims.length > 0 && wanted.has(statement))
}

function indexOf(document: AuditDocument): ReadonlyMap<ClaimKind, readonly Statement[]> {
  const index = new Map<ClaimKind, Statement[]>()
  for (const statement of document.statements) {
    for (const { kind } of statement.claims) {
      const known = index.get(kind)
      if (known === undefined) index.set(kind, [statement])
      else if (known[known.length - 1] !== statement) known.push(statement)
    }
  }
  indexes.set(document, index)
  return index
}

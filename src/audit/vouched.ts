import type { Claim, ClaimKind } from './claims.js'
import type { Statement } from './document.js'

/** The first claim of these kinds that the author neither denies nor hedges. */
export function vouchedClaim({ claims }: Statement, ...kinds: readonly ClaimKind[]): Claim | undefined {
  return claims.find(({ kind, negated, hedged }) => kinds.includes(kind) && !negated && !hedged)
}

import { statementsClaiming } from './claimed.js'
import type { Claim } from './claims.js'
import { bestOf, type CurvePair, curvePair, type Goal } from './curves.js'
import type { AuditDocument, Statement } from './document.js'
import { namedIn } from './names.js'
import { positive, vouchedFor } from './parts.js'
import { titlesAbove } from './table-view.js'

/** Statements that one of two printed curves reaches its best, or converges, in fewer steps. */
export interface SoonerClaim {
  readonly statement: Statement
  readonly claim: Claim
}

/** Reaching a level, not seconds per step. */
const REACHING = /最佳|最优|最好|最高|收敛|达到|step|步|epoch|轮|best|converg|reach|peak|optimum|plateau/i
const OTHER_SPEED = /每步|吞吐|秒|耗时|推理速度|恢复|per[ -]step|throughput|seconds?|wall|latency|inference|recover/i

export function soonerClaims(document: AuditDocument): readonly SoonerClaim[] {
  return statementsClaiming(document, 'sooner').flatMap(statement => {
    const [claim] = positive(statement, 'sooner').filter(({ hedged }) => !hedged)
    if (claim === undefined || !vouchedFor(statement)) return []
    const context = [statement.text, ...titlesAbove(statement.section).slice(0, 1)].join(' ')
    if (!REACHING.test(context) || OTHER_SPEED.test(statement.text)) return []
    return [{ statement, claim }]
  })
}

/** The pair's bests, the earlier one first; null where they are at the same step or it is unknown what is better. */
export function earlierBest(document: AuditDocument) {
  const pair = curvePair(document)
  if (pair === null || pair.goal === null) return null
  const { first, second, goal } = pair
  const ends = [first, second].map(curve => ({ curve, best: bestOf(curve, goal) }))
  if (ends[0].best.step === ends[1].best.step) return null
  const [earlier, later] = ends[0].best.step < ends[1].best.step ? ends : ends.toReversed()
  return { pair: { ...pair, goal } satisfies CurvePair & { goal: Goal }, earlier, later }
}

/** Which of the two the claim is made for; null where the words do not tell. */
export function claimedFor({ statement: { text }, claim }: SoonerClaim, { first, second }: CurvePair): string | null {
  const subjects = [first.subject, second.subject] as const
  const named = namedIn(text.slice(0, claim.from), subjects) ?? namedIn(text, subjects)
  return named === null ? null : subjects[named]
}

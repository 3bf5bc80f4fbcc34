import { message } from '../../text/say.js'
import { statementsClaiming } from '../claimed.js'
import type { Claim } from '../claims.js'
import { type Curve, curvePair } from '../curves.js'
import type { AuditDocument, Statement } from '../document.js'
import { shown } from '../figures.js'
import { namedIn } from '../names.js'
import { namesOtherMetric } from '../outcome.js'
import { hasInterval, isSupposed, oncePerPart, positive, vouchedFor } from '../parts.js'
import type { AuditRule, Fault } from '../rule.js'

/** "Converged" without a criterion; with the last change where the curve is printed. */
export const convergenceUntested: AuditRule = {
  id: 'convergence-untested',
  kind: 'untested',
  severity: 'warning',
  example: {
    faulty: '- Both models have converged to a similar state.',
    sound: '- Neither model has converged; the loss still falls.',
  },
  *check(document: AuditDocument) {
    if (hasInterval(document)) return
    const first = oncePerPart(document)
    for (const statement of statementsClaiming(document, 'converged')) {
      if (statement.kind === 'code' || statement.kind === 'heading') continue
      const claim = positive(statement, 'converged').find(found => !found.hedged && isDone(statement, found))
      if (claim === undefined || !vouchedFor(statement) || isSupposed(statement)) continue
      if (first(statement.section)) yield faultAt(document, statement, claim)
    }
  },
}

const CRITERION =
  /deterministic|变化(?:小于|低于|不超过|不足)|最近\s?\d|最后\s?\d|chang(?:es|ed|ing)? (?:by )?(?:less|below|under)|last \d|within \d/i

/** "Has converged", "converges to": the noun and the wish say nothing yet. */
function isDone({ text }: Statement, { from, to }: Claim): boolean {
  if (CRITERION.test(text)) return false
  if (/^converged$|^plateau(?:s|ed)$/i.test(text.slice(from, to))) return true
  if (/^converges$/i.test(text.slice(from, to))) return /^ to(?![a-z])/i.test(text.slice(to))
  return (
    /^收敛$/.test(text.slice(from, to)) &&
    (/^[到于至了]/.test(text.slice(to)) || /(?:已经?|都|均)$/.test(text.slice(0, from)))
  )
}

function faultAt(document: AuditDocument, statement: Statement, claim: Claim): Fault {
  const words = statement.text.slice(claim.from, claim.to)
  const offset = statement.offsetOf(claim.from)
  const moving = lastMove(document, statement)
  if (moving === null) {
    return { offset, message: message('audit.convergence-untested', { words }), found: words, expected: '-' }
  }
  return {
    offset,
    message: message('audit.convergence-untested.last', { words, ...moving }),
    found: words,
    expected: moving.changes,
  }
}

/** The last printed change of the curve that is meant, or of both. */
function lastMove(document: AuditDocument, statement: Statement) {
  const pair = curvePair(document)
  if (pair === null || namesOtherMetric(statement, document)) return null
  const named = namedIn(statement.text, [pair.first.subject, pair.second.subject])
  const meant = named === null ? [pair.first, pair.second] : [named === 0 ? pair.first : pair.second]
  const moves = meant.flatMap(curve => moveOf(curve) ?? []).filter(({ size }) => size >= LEAST_MOVE)
  return moves.length < meant.length ? null : { changes: moves.map(({ words }) => words).join('; ') }
}

/** A last change below one percent may well be a plateau. */
const LEAST_MOVE = 0.01

function moveOf({ subject, measured }: Curve) {
  const [before, last] = measured.slice(-2)
  if (last === undefined) return null
  const share = (last.quantity.value - before.quantity.value) / Math.abs(before.quantity.value)
  const change = `${share < 0 ? '−' : '+'}${(100 * Math.abs(share)).toFixed(1)}%`
  const words = `${subject} ${change} (${shown(before.quantity)} → ${shown(last.quantity)})`
  return { size: Math.abs(share), words }
}

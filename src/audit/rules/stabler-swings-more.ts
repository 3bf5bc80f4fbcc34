import type { Quantity } from '../../document/quantity.js'
import { message } from '../../text/say.js'
import { curvePair } from '../curves.js'
import type { AuditDocument, Statement } from '../document.js'
import { vouchedClaim } from '../parts.js'
import { printed } from '../printed-curves.js'
import type { AuditRule } from '../rule.js'
import { sideNamed, sideOf } from '../sides.js'

/** The report prints a largest swing for each of two runs, and calls the one with the larger figure stabler. */
export const stablerSwingsMore: AuditRule = {
  id: 'stabler-swings-more',
  kind: 'contradiction',
  severity: 'warning',
  example: {
    faulty:
      '| step | no KL | with KL |\n|---|---|---|\n| 5 | 1.00 | 1.01 |\n| 10 | 1.10 | 1.20 |\n| 15 | 1.12 | 1.22 |\n| 20 | 1.13 | 1.24 |\n\n- no KL: largest swing ±10.0%\n- with KL: largest swing ±18.8%\n\nThe run with KL is more stable.',
    sound:
      '| step | no KL | with KL |\n|---|---|---|\n| 5 | 1.00 | 1.01 |\n| 10 | 1.10 | 1.20 |\n| 15 | 1.12 | 1.22 |\n| 20 | 1.13 | 1.24 |\n\n- no KL: largest swing ±10.0%\n- with KL: largest swing ±18.8%\n\nThe no-KL run is more stable.',
  },
  *check(document) {
    const names = runNames(document)
    if (names === null) return
    const swings: { statement: Statement; side: 0 | 1; quantity: Quantity }[] = []
    for (const statement of document.statements) {
      const claim = vouchedClaim(statement, 'swing')
      const quantity =
        claim && statement.quantities.find(({ from, unit, ends }) => from >= claim.to && unit === '%' && ends === null)
      if (quantity === undefined) continue
      const side = sideNamed(statement.text, names)
      if (side !== null) swings.push({ statement, side, quantity })
    }
    const [first, second] = swings
    if (swings.length !== 2 || first.side === second.side || first.quantity.unit !== second.quantity.unit) return
    const [more, less] =
      Math.abs(first.quantity.value) > Math.abs(second.quantity.value) ? [first, second] : [second, first]
    if (Math.abs(more.quantity.value) === Math.abs(less.quantity.value)) return
    const praise = document.statements.find(statement => calledStabler(statement, names) === more.side)
    if (praise === undefined) return
    const found = printed(more.quantity)
    yield {
      offset: more.statement.offsetOf(more.quantity.from),
      message: message('audit.stabler-swings-more', {
        more: found,
        less: printed(less.quantity),
        line: document.placeOf(praise.offsetOf(0)).line,
      }),
      found: `${found} %`,
      expected: `${printed(less.quantity)} %`,
    }
  },
}

function runNames(document: AuditDocument): readonly [string, string] | null {
  const pair = curvePair(document)
  return pair === null ? null : [pair.first.subject, pair.second.subject]
}

const STABLER = /更稳定?|稳定性更好|(?<![a-z])(?:stabler|more stable|steadier|smoother)(?![a-z])|更平滑/i

function calledStabler(statement: Statement, names: readonly [string, string]): 0 | 1 | null {
  const claim = vouchedClaim(statement, 'stabler')
  if (claim === undefined || !STABLER.test(statement.text.slice(claim.from, claim.to))) return null
  return sideOf(statement, names)
}

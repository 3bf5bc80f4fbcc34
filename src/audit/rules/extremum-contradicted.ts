import { message } from '../../text/say.js'
import { comparisonSets } from '../comparison-sets.js'
import type { AuditDocument } from '../document.js'
import { beatenBy, isTrue, type Reading, superlativesIn } from '../extremes.js'
import { printed } from '../printed-curves.js'
import { remarks } from '../remarks.js'
import type { AuditRule, Fault } from '../rule.js'

/**
 * "Highest", "lowest" or "best" of something that another row beats. Only where the claim prints its value (or stands as
 * a remark in the row itself), and only when every cell it can mean is beaten. A best that was overtaken and is named
 * rightly elsewhere is `stale-best`.
 */
export const extremumContradicted: AuditRule = {
  id: 'extremum-contradicted',
  kind: 'contradiction',
  severity: 'error',
  example: {
    faulty:
      '| beta | KL |\n|---|---|\n| 0.1 | 0.071 |\n| 0.2 | 0.084 |\n| 0.3 | 0.062 |\n\nThe KL of 0.1 is the highest (0.071).',
    sound:
      '| beta | KL |\n|---|---|\n| 0.1 | 0.071 |\n| 0.2 | 0.084 |\n| 0.3 | 0.062 |\n\nThe KL of 0.2 is the highest (0.084).',
  },
  *check(document) {
    const superlatives = superlativesIn(document)
    const right = new Set(superlatives.flatMap(({ readings }) => readings.filter(isTrue).map(({ set }) => set)))
    for (const { statement, claim, quantity, readings } of superlatives) {
      if (readings.some(isTrue)) continue
      if (claim.kind === 'best' && readings.some(({ set }) => right.has(set))) continue
      yield faultOf(statement.offsetOf(claim.from), printed(quantity), readings[0])
    }
    yield* inRemarks(document)
  },
}

function faultOf(offset: number, found: string, { set, direction, beaten }: Reading): Fault {
  const expected = beaten?.quantity == null ? '' : printed(beaten.quantity)
  const params = { found, column: set.metric, where: beaten?.name ?? '', expected }
  return {
    offset,
    message: message(direction === 'high' ? 'audit.extremum-high' : 'audit.extremum-low', params),
    found,
    expected,
  }
}

/** "KL highest" in a row's last column is about that row. */
function* inRemarks(document: AuditDocument): Generator<Fault> {
  const sets = comparisonSets(document)
  for (const { statement, set, direction } of remarks(document, sets)) {
    const own = set.items.find(({ cell }) => cell.row === statement.cell?.row)
    if (own?.quantity == null) continue
    const beaten = beatenBy(own, set.items, direction)
    if (beaten === null) continue
    yield faultOf(statement.offsetOf(0), printed(own.quantity), { set, item: own, direction, beaten })
  }
}

import type { Quantity } from '../../document/quantity.js'
import { canMeet, type Range } from '../../stats/rounding.js'
import { stretchOf } from '../comparison-sets.js'
import type { Statement } from '../document.js'
import { vouchedClaim } from '../parts.js'
import { printed } from '../printed-curves.js'
import type { AuditRule } from '../rule.js'
import { contradicting, stretchFault, stretchSets } from '../stretch.js'

/** "Epochs 21-50 stay between 5.23 and 5.27" against the rows. Where a sign is claimed as well, that rule speaks. */
export const rangeContradicted: AuditRule = {
  id: 'range-contradicted',
  kind: 'contradiction',
  severity: 'error',
  example: {
    faulty:
      '| epoch | val loss |\n|---|---|\n| 1 | 5.15 |\n| 2 | 5.31 |\n| 3 | 5.16 |\n\nIn epochs 1-3 val loss stays between 5.15 and 5.20.',
    sound:
      '| epoch | val loss |\n|---|---|\n| 1 | 5.15 |\n| 2 | 5.31 |\n| 3 | 5.16 |\n\nIn epochs 1-3 val loss stays between 5.15 and 5.31.',
  },
  *check(document) {
    const sets = stretchSets(document)
    for (const statement of document.statements) {
      if (statement.kind === 'cell' || statement.quantities.length === 0) continue
      if (vouchedClaim(statement, 'positive', 'negative') !== undefined) continue
      const claimed = claimedRange(statement)
      if (claimed === null) continue
      const { quantity, range } = claimed
      const outside = contradicting(
        statement,
        sets,
        ({ quantity: value }) => canMeet(value.range, range),
        quantity.unit,
      )
      if (outside === null) continue
      yield stretchFault(statement, quantity.from, 'audit.range-contradicted', outside, claimed.shown)
    }
  },
}

/** "stays between", "都在", a bracket or a colon: behind other words the range may be of something else ("for betas between"). */
const LEADS_TO_RANGE =
  /(?:在|为|处于|介于|[:(=])\s?$|(?<![a-z])(?:is|are|was|were|stay(?:s|ed)?|lies?|lay|remain(?:s|ed)?|rang(?:es?|ed)|kept|keeps|var(?:ies|ied)|fluctuat(?:es|ed)|values?|loss|accuracy|reward|score|kl|entropy|norm)(?: \w+)?(?: (?:between|within|from|in|at))?\s$/i

function claimedRange(
  statement: Statement,
): { readonly quantity: Quantity; readonly range: Range; readonly shown: string } | null {
  const { text, quantities } = statement
  const isOfTheMetric = ({ from }: Quantity): boolean => LEADS_TO_RANGE.test(text.slice(Math.max(0, from - 32), from))
  if (quantities.length === 0) return null
  if (vouchedClaim(statement, 'range', 'all') === undefined && stretchOf(statement) === null) return null
  if (statement.claims.some(({ hedged }) => hedged)) return null
  const ranges = quantities.filter(({ ends, signed, unit }) => ends !== null && !(signed && unit !== null))
  const [quantity] = ranges
  if (quantity !== undefined) {
    if (ranges.length > 1 || quantity.ends === null || quantity.ends[0] >= quantity.ends[1]) return null
    if (!isOfTheMetric(quantity)) return null
    return { quantity, range: quantity.range, shown: quantity.ends.join('–') }
  }
  const from = quantities.findIndex(({ from }) =>
    /(?<![a-z])between\s+$/i.test(text.slice(Math.max(0, from - 12), from)),
  )
  const [low, high] = from < 0 ? [] : quantities.slice(from, from + 2)
  if (low === undefined || high === undefined || !/^\s+and\s+$/i.test(text.slice(low.to, high.from))) return null
  if (low.value >= high.value || !isOfTheMetric(low)) return null
  return {
    quantity: low,
    range: { low: low.range.low, high: high.range.high },
    shown: `${printed(low)}–${printed(high)}`,
  }
}

import type { Quantity } from '../../document/quantity.js'
import { canMeet } from '../../stats/rounding.js'
import { statementsClaiming } from '../claimed.js'
import type { Statement } from '../document.js'
import { isLevel } from '../extremes.js'
import { vouchedClaim } from '../parts.js'
import { printed } from '../printed-curves.js'
import type { AuditRule } from '../rule.js'
import { contradicting, stretchFault, stretchSets } from '../stretch.js'

/** "0.0062 in all epochs" against a row that prints something else. */
export const allContradicted: AuditRule = {
  id: 'all-contradicted',
  kind: 'contradiction',
  severity: 'error',
  example: {
    faulty:
      '| epoch | Adv Std |\n|---|---|\n| 1 | 0.0063 |\n| 2 | 0.0062 |\n| 3 | 0.0062 |\n\nAll epochs: Adv Std = 0.0062 (constant).',
    sound:
      '| epoch | Adv Std |\n|---|---|\n| 1 | 0.0062 |\n| 2 | 0.0062 |\n| 3 | 0.0062 |\n\nAll epochs: Adv Std = 0.0062 (constant).',
  },
  *check(document) {
    const { curves } = stretchSets(document)
    const sets = { document, curves, all: curves }
    for (const statement of statementsClaiming(document, 'constant', 'all')) {
      if (statement.kind === 'cell' || !speaksOfAllSteps(statement)) continue
      const [only, ...more] = statement.quantities.filter(({ unit }) => unit !== 'epoch' && unit !== 'step')
      if (only === undefined || more.length > 0 || !isLevel(only) || only.decimals === 0) continue
      const other = contradicting(statement, sets, ({ quantity }) => isPrintedAs(quantity, only), only.unit)
      // Most rows must be as claimed: otherwise "all" is about something else.
      if (other === null || other.wrong.length * 2 >= other.of) continue
      yield stretchFault(statement, only.from, 'audit.all-contradicted', other, printed(only))
    }
  },
}

/** With as many digits the prints must be equal; with more or fewer they must be able to be the same number. */
function isPrintedAs(quantity: Quantity, claimed: Quantity): boolean {
  if (quantity.decimals === claimed.decimals) return quantity.value === claimed.value
  return canMeet(quantity.range, claimed.range)
}

const ALL_STEPS =
  /(?:所有|全部|每个?|各)\s?(?:个\s?)?(?:epochs?|steps?|轮|步|checkpoint)|始终|一直|整个训练|全程|(?<![a-z])(?:(?:all|every|each)\s(?:the\s)?(?:epochs?|steps?|evaluations?|checkpoints?)|throughout)(?![a-z])/i

function speaksOfAllSteps(statement: Statement): boolean {
  if (vouchedClaim(statement, 'constant') !== undefined) return true
  return vouchedClaim(statement, 'all') !== undefined && ALL_STEPS.test(statement.text)
}

import { statementsClaiming } from '../claimed.js'
import type { Claim } from '../claims.js'
import { type ComparisonSet, setsNamed, stretchOf } from '../comparison-sets.js'
import type { Statement } from '../document.js'
import { vouchedClaim } from '../parts.js'
import type { AuditRule } from '../rule.js'
import { type Contradiction, contradicting, type Filled, isFilled, stretchFault, stretchSets } from '../stretch.js'

/** "Positive in epochs 2-7", "positive early on" against the rows. */
export const signContradicted: AuditRule = {
  id: 'sign-contradicted',
  kind: 'contradiction',
  severity: 'error',
  example: {
    faulty:
      '| epoch | PPO loss |\n|---|---|\n| 1 | 0.004 |\n| 2 | -0.002 |\n| 3 | 0.001 |\n\nPPO loss is positive in epochs 1-3.',
    sound:
      '| epoch | PPO loss |\n|---|---|\n| 1 | 0.004 |\n| 2 | 0.002 |\n| 3 | 0.001 |\n\nPPO loss is positive in epochs 1-3.',
  },
  *check(document) {
    const sets = stretchSets(document)
    for (const statement of statementsClaiming(document, 'positive', 'negative')) {
      const claim = vouchedClaim(statement, 'positive', 'negative')
      if (claim === undefined || statement.kind === 'cell' || MEANING.test(statement.text.slice(claim.from))) continue
      const sign = claim.kind === 'positive' ? 1 : -1
      const agrees = ({ quantity: { range } }: Filled): boolean => (sign > 0 ? range.high > 0 : range.low < 0)
      const isEarly = stretchOf(statement) === null && EARLY.test(beforeIt(statement, claim))
      const wrong = isEarly
        ? mostlyWrongEarly(statement, sets.curves, agrees)
        : stretchOf(statement) === null
          ? null
          : contradicting(statement, sets, agrees, null)
      if (wrong === null) continue
      const key = sign > 0 ? 'audit.sign-positive' : 'audit.sign-negative'
      const fault = stretchFault(statement, claim.from, key, wrong, statement.text.slice(claim.from, claim.to))
      yield isEarly ? { ...fault, severity: 'warning' } : fault
    }
  },
}

/** "A positive effect" has no sign. */
const MEANING =
  /^(?:positive|negative) (?:effects?|impact|influence|feedback|examples?|samples?|correlation|trend|results?)/i
const EARLY = /早期|初期|前期|(?<![a-z])(?:early|initially|at first)(?![a-z])/i
/** Of the printed axis; what an author calls early is not more than that. */
const EARLY_SHARE = 0.25

function beforeIt({ text }: Statement, { from }: Claim): string {
  const before = text.slice(Math.max(0, from - 24), from)
  return before.slice(Math.max(...[',', ';', '。'].map(mark => before.lastIndexOf(mark))) + 1)
}

/** "Early" has no exact end, so it is only contradicted where most of the first quarter says the opposite. */
function mostlyWrongEarly(
  statement: Statement,
  curves: readonly ComparisonSet[],
  agrees: (item: Filled) => boolean,
): Contradiction | null {
  const [set, ...more] = setsNamed(statement, curves)
  if (set === undefined || more.length > 0) return null
  const rows = set.items.filter(isFilled).filter(({ step }) => step !== null)
  const first = rows.reduce((least, { step }) => Math.min(least, step ?? 0), Number.POSITIVE_INFINITY)
  const last = rows.reduce((most, { step }) => Math.max(most, step ?? 0), 0)
  const early = rows.filter(({ step }) => (step ?? 0) <= first + EARLY_SHARE * (last - first))
  const wrong = early.filter(row => !agrees(row))
  return wrong.length >= 2 && wrong.length * 2 > early.length ? { set, wrong, of: early.length } : null
}

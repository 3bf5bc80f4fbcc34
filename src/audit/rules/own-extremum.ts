import type { Quantity } from '../../document/quantity.js'
import { message } from '../../text/say.js'
import { curvePair } from '../curves.js'
import type { AuditDocument, Cell, Statement } from '../document.js'
import { shown } from '../figures.js'
import { oncePerPart, positive, vouchedFor } from '../parts.js'
import type { AuditRule } from '../rule.js'

/**
 * "Reaches its minimum earlier", from a row such as "min | 7.98 (epoch 41) | 7.97 (epoch 47)": two different levels. Where
 * the curves themselves are printed, `speed-contradicted` and `one-interval` say more.
 */
export const ownExtremum: AuditRule = {
  id: 'own-extremum',
  kind: 'selection',
  severity: 'warning',
  example: {
    faulty:
      '| | A | B |\n|---|---|---|\n| min loss | 7.973 (epoch 47) | 7.978 (epoch 41) |\n\n- B reaches its minimum earlier (epoch 41).',
    sound: '| | A | B |\n|---|---|---|\n| loss at epoch 50 | 7.987 | 7.982 |\n\n- B is lower at the end.',
  },
  *check(document: AuditDocument) {
    if (curvePair(document) !== null) return
    const extrema = document.tables
      .flatMap(({ rows }) => rows.flatMap(row => datedPair(row) ?? []))
      .slice(0, MOST_PAIRS)
    if (extrema.length === 0) return
    const first = oncePerPart(document)
    for (const statement of document.statements) {
      const [claim] = positive(statement, 'sooner').filter(({ hedged }) => !hedged)
      if (claim === undefined || !vouchedFor(statement) || !EXTREMUM.test(statement.text)) continue
      const pair = extrema.find(found => quotes(statement, found))
      if (pair === undefined || !first(statement.section)) continue
      const { a, b } = pair
      yield {
        offset: statement.offsetOf(claim.from),
        message: message('audit.own-extremum', {
          words: statement.text.slice(claim.from, claim.to),
          first: shown(a.value),
          firstStep: a.step,
          second: shown(b.value),
          secondStep: b.step,
        }),
        found: `${a.step} / ${b.step}`,
        expected: '-',
      }
    }
  },
}

const EXTREMUM = /最小|最低|最大|最高|最佳|最优|minimum|maximum|lowest|highest|best|peak|min(?![a-z])|max(?![a-z])/i

/** Each is looked for in each sentence. */
const MOST_PAIRS = 50

interface Dated {
  readonly value: Quantity
  readonly step: number
}

interface DatedPair {
  readonly a: Dated
  readonly b: Dated
}

/** Two cells with a value and a step each, both different. */
function datedPair(row: readonly Cell[]): DatedPair | null {
  const dated = row.flatMap(({ quantities, steps }): Dated[] =>
    quantities.length === 1 && steps.length === 1 ? [{ value: quantities[0], step: steps[0].first }] : [],
  )
  const [a, b, ...more] = dated
  if (b === undefined || more.length > 0 || a.step === b.step || a.value.value === b.value.value) return null
  return { a, b }
}

/** The statement names one of the two steps, or none at all. */
function quotes({ steps, quantities }: Statement, { a, b }: DatedPair): boolean {
  const named = [...steps.map(({ first }) => first), ...quantities.map(({ value }) => value)]
  return named.includes(a.step) || named.includes(b.step) || steps.length === 0
}

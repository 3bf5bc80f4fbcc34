import type { Quantity } from '../../document/quantity.js'
import { newcombe } from '../../stats/proportion.js'
import { message } from '../../text/say.js'
import type { AuditDocument, Statement } from '../document.js'
import { shown, signed } from '../figures.js'
import { type Grid, gridFor, type Line, thingsNamed } from '../grid.js'
import { isAlone } from '../naming.js'
import { vouchedFor } from '../parts.js'
import type { AuditRule, Fault } from '../rule.js'
import { samplesOf } from '../sample-size.js'

/**
 * "A is better than B" of two named rows, while in every column of percentages the two lie within what drawing so many
 * samples moves by itself. `sampling-error` judges sentences that print the best score.
 */
export const chanceNamed: AuditRule = {
  id: 'chance-named',
  kind: 'resolution',
  severity: 'warning',
  example: {
    faulty:
      '| run | pairs | preferred (%) |\n|---|---|---|\n| s10 | 200 | 51.5 |\n| s06 | 200 | 48.5 |\n\nRaters find s10 better than s06.',
    sound:
      '| run | pairs | preferred (%) |\n|---|---|---|\n| s10 | 200 | 71.5 |\n| s06 | 200 | 28.5 |\n\nRaters find s10 better than s06.',
  },
  *check(document: AuditDocument) {
    for (const statement of document.statements) {
      const { kind, text, claims } = statement
      if (kind === 'cell' || kind === 'code' || kind === 'heading') continue
      const claim = claims.find(found => CLAIMED.has(found.kind) && !found.hedged && !found.negated)
      if (claim === undefined || !vouchedFor(statement) || KNOWS.test(text)) continue
      const words = text.slice(claim.from, claim.to)
      const fault = gridFor(document, statement, grid => against(document, grid, statement, words, claim.from))
      if (fault !== null && fault !== 'right') yield fault
    }
  },
}

const CLAIMED = new Set(['better', 'worse', 'significant'])
const KNOWS =
  /噪声|误差|不能判定|无法(?:判定|区分)|(?<![a-z])(?:noise|within|chance|p\s?[<=]|interval|cannot|seed)(?![a-z])|不显著|没有显著/i

function against(
  document: AuditDocument,
  grid: Grid,
  statement: Statement,
  words: string,
  at: number,
): Fault | 'right' | null {
  const named = thingsNamed(statement, grid)
  if (named.length !== 2 || named.some(({ line }) => !isAlone(grid, line))) return null
  const [a, b] = named.map(({ line }) => line)
  const shares = grid.metrics.flatMap(metric => {
    const [first, second] = [grid.at(a, metric), grid.at(b, metric)]
    return first === null || second === null || !isShare(first) || !isShare(second) ? [] : [{ metric, first, second }]
  })
  const n = samplesOf(document, grid.table, a.index, b.index)
  if (shares.length === 0 || n === null) return null
  const intervals = shares.map(one => ({ ...one, ...intervalOf(one, n) }))
  if (intervals.some(({ low, high }) => low > 0 || high < 0)) return 'right'
  return faultOf(statement, words, at, a, b, n, intervals[0])
}

function isShare({ unit, value, signed: isChange }: Quantity): boolean {
  return unit === '%' && value >= 0 && value <= 100 && !isChange
}

function intervalOf({ first, second }: { readonly first: Quantity; readonly second: Quantity }, n: number) {
  return newcombe({ share: second.value / 100, n }, { share: first.value / 100, n })
}

function faultOf(
  statement: Statement,
  words: string,
  at: number,
  a: Line,
  b: Line,
  n: number,
  { first, second, low, high }: { first: Quantity; second: Quantity; low: number; high: number },
): Fault {
  const span = { low: signed(100 * low, 1), high: signed(100 * high, 1) }
  return {
    offset: statement.offsetOf(at),
    message: message('audit.chance-named', {
      words,
      name: a.name,
      first: shown(first),
      other: b.name,
      second: shown(second),
      n,
      ...span,
    }),
    found: words,
    expected: `${span.low} … ${span.high}`,
  }
}

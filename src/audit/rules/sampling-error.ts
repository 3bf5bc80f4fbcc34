import type { Quantity } from '../../document/quantity.js'
import { groupBy } from '../../model/group-by.js'
import { newcombe, wilson } from '../../stats/proportion.js'
import { message } from '../../text/say.js'
import { statementsClaiming } from '../claimed.js'
import type { AuditDocument, Statement } from '../document.js'
import { decimalsOf, shown } from '../figures.js'
import { hasTest, oncePerPart } from '../parts.js'
import type { AuditRule } from '../rule.js'
import { type SampledTable, sampledTables } from '../sample-size.js'
import { mainQuantity, viewOf } from '../table-view.js'

/** "Best", "better": by less than what drawing so many samples moves a score by itself. */
export const samplingError: AuditRule = {
  id: 'sampling-error',
  kind: 'resolution',
  severity: 'warning',
  example: {
    faulty:
      '### Accuracy (200 samples)\n\n| run | acc |\n|---|---|\n| A | 57.0% |\n| B | 58.5% |\n\nB is best (58.5%).',
    sound:
      '### Accuracy (9000 samples)\n\n| run | acc |\n|---|---|\n| A | 51.0% |\n| B | 58.5% |\n\nB is best (58.5%).',
  },
  *check(document: AuditDocument) {
    const columns = columnsByBest(sampledTables(document))
    if (columns.size === 0 || hasTest(document)) return
    const first = oncePerPart(document)
    for (const statement of statementsClaiming(document, 'best', 'better', 'worse')) {
      const claim = statement.claims.find(({ kind, hedged, negated }) => CLAIMED.has(kind) && !hedged && !negated)
      if (claim === undefined || statement.kind === 'heading') continue
      const gap = widestGap(statement, columns)
      if (gap === null || !first(statement.section)) continue
      const half = halfWidth(gap.high, gap.n)
      yield {
        offset: statement.offsetOf(claim.from),
        message: message('audit.sampling-error', {
          words: statement.text.slice(claim.from, claim.to),
          high: shown(gap.high),
          low: shown(gap.low),
          gap: differenceOf(gap),
          half: (100 * half).toFixed(1),
          n: gap.n,
        }),
        found: differenceOf(gap),
        expected: `± ${(100 * half).toFixed(1)}`,
      }
    }
  },
}

const CLAIMED = new Set(['best', 'better', 'worse'])

interface Gap {
  readonly high: Quantity
  readonly low: Quantity
  readonly n: number
}

/** With the same best score: the first ones decide. */
const MOST_COLUMNS = 20

interface Scores {
  readonly high: Quantity
  /** All but the best, in falling order. */
  readonly others: readonly Quantity[]
  readonly n: number
}

/** The columns by their best score, since a claim quotes it. A mean over columns of the same samples is no surer than one. */
function columnsByBest(tables: readonly SampledTable[]): ReadonlyMap<number, readonly Scores[]> {
  const columns = tables.flatMap(({ table, columns, n }) => {
    const means = viewOf(table).roles.flatMap((role, column) => (role === 'mean' ? [column] : []))
    return [...columns, ...means].flatMap((column): Scores[] => {
      const scores = table.rows.flatMap(row => mainQuantity(row[column]) ?? []).filter(({ unit }) => unit === '%')
      const [high, ...others] = scores.toSorted((a, b) => b.value - a.value)
      return others.length === 0 ? [] : [{ high, others, n }]
    })
  })
  return groupBy(columns, ({ high }) => high.value)
}

/** The largest lead in any column that the statement quotes; null where one is beyond chance. */
function widestGap({ quantities }: Statement, columns: ReadonlyMap<number, readonly Scores[]>): Gap | null {
  const quoted = new Set(quantities.filter(({ unit }) => unit === '%').map(({ value }) => value))
  let widest: Gap | null = null
  for (const { high, others, n } of [...quoted].flatMap(value => (columns.get(value) ?? []).slice(0, MOST_COLUMNS))) {
    const low = others.find(({ value }) => quoted.has(value) && value < high.value) ?? others[0]
    if (newcombe({ share: low.value / 100, n }, { share: high.value / 100, n }).low > 0) return null
    if (widest === null || high.value - low.value > widest.high.value - widest.low.value) widest = { high, low, n }
  }
  return widest !== null && widest.high.value > widest.low.value ? widest : null
}

function differenceOf({ high, low }: Gap): string {
  return (high.value - low.value).toFixed(decimalsOf(high, low))
}

function halfWidth({ value }: Quantity, n: number): number {
  const { low, high } = wilson(value / 100, n)
  return (high - low) / 2
}

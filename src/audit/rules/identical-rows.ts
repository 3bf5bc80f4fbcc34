import { groupBy } from '../../model/group-by.js'
import { message } from '../../text/say.js'
import { statementsClaiming } from '../claimed.js'
import type { AuditDocument, Cell, Section, Statement, Table } from '../document.js'
import { shown, significantDigits } from '../figures.js'
import { positive, vouchedFor } from '../parts.js'
import type { AuditRule, Fault } from '../rule.js'
import { mainQuantity, viewOf } from '../table-view.js'

/**
 * Whole rows of scores that agree to the last digit across settings, or for one setting across epochs. Different
 * weights do that only when they choose alike everywhere; a checkpoint loaded twice does it always. Said where the report
 * calls it a finding, else at the row.
 */
export const identicalRows: AuditRule = {
  id: 'identical-rows',
  kind: 'copied',
  severity: 'warning',
  example: {
    faulty:
      '| beta | 1-shot | 2-shot | 4-shot |\n|---|---|---|---|\n| 0.1 | 57.1% | 56.3% | 55.2% |\n| 0.2 | 57.1% | 56.3% | 55.2% |\n| 0.3 | 58.4% | 56.9% | 54.8% |',
    sound:
      '| beta | 1-shot | 2-shot | 4-shot |\n|---|---|---|---|\n| 0.1 | 57.1% | 56.3% | 55.2% |\n| 0.2 | 57.3% | 56.3% | 55.2% |\n| 0.3 | 58.4% | 56.9% | 54.8% |',
  },
  *check(document: AuditDocument) {
    const said = firstIdentical(document)
    const before = new Map<string, ScoreRow>()
    for (const table of document.tables) {
      const rows = scoreRows(table)
      yield* acrossSettings(rows, said.get(table.section))
      yield* acrossPositions(rows, before)
      for (const row of rows) if (!before.has(keyOf(row))) before.set(keyOf(row), row)
    }
  },
}

const FEWEST_SCORES = 3
/** A place in a list is no name. */
const RANK = /^(?:rank|#|no\.?|排名|名次|序号)$/i

interface ScoreRow {
  readonly table: Table
  readonly label: Cell
  readonly scores: string
  /** The header's words, so that only like is compared with like. */
  readonly columns: string
}

function scoreRows(table: Table): readonly ScoreRow[] {
  const { roles } = viewOf(table)
  const columns = roles.flatMap((role, column) => (role === 'value' ? [column] : []))
  if (columns.length < FEWEST_SCORES || roles.includes('position')) return []
  const named = RANK.test(table.header[0].text) ? 1 : 0
  return table.rows.flatMap(row => {
    const scores = columns.flatMap(column => mainQuantity(row[column]) ?? [])
    const isFine = scores.every(score => significantDigits(score) >= 3 && (score.decimals ?? 0) >= 1)
    const differ = new Set(scores.map(({ value }) => value)).size > 1
    if (scores.length !== columns.length || !isFine || !differ || row[named].text === '') return []
    return [
      {
        table,
        label: row[named],
        scores: scores.map(shown).join(', '),
        columns: columns.map(column => table.header[column].text).join(' | '),
      },
    ]
  })
}

function* acrossSettings(rows: readonly ScoreRow[], said: Statement | undefined): Generator<Fault> {
  for (const [scores, alike] of groupBy(rows, row => row.scores)) {
    if (alike.length < 2 || new Set(alike.map(({ label }) => label.text)).size < 2) continue
    const labels = alike.map(({ label }) => label.text).join(', ')
    yield {
      offset: said === undefined ? alike[1].label.offset : said.offsetOf(positive(said, 'identical')[0].from),
      message: message('audit.identical-rows', { labels, count: alike.length, all: rows.length, scores }),
      found: scores,
      expected: '-',
    }
  }
}

/** In each section, the first sentence that calls results identical. */
function firstIdentical(document: AuditDocument): ReadonlyMap<Section | null, Statement> {
  const first = new Map<Section | null, Statement>()
  for (const statement of statementsClaiming(document, 'identical')) {
    const isSaid = statement.kind !== 'cell' && positive(statement, 'identical').length > 0 && vouchedFor(statement)
    if (isSaid && !first.has(statement.section)) first.set(statement.section, statement)
  }
  return first
}

function keyOf({ label, scores, columns }: ScoreRow): string {
  return [label.text, scores, columns].join('\n')
}

/** The same setting at another epoch, in an earlier table with the same columns. */
function* acrossPositions(rows: readonly ScoreRow[], before: ReadonlyMap<string, ScoreRow>): Generator<Fault> {
  for (const row of rows) {
    const twin = before.get(keyOf(row))
    const [here, there] = [row, twin].map(found => found?.table.section?.title ?? '')
    if (twin === undefined || there === here) continue
    yield {
      offset: row.label.offset,
      message: message('audit.identical-rows.positions', { label: row.label.text, scores: row.scores, there, here }),
      found: row.scores,
      expected: '-',
    }
  }
}

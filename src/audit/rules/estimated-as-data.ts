import { message } from '../../text/say.js'
import type { AuditDocument, Statement } from '../document.js'
import { shown } from '../figures.js'
import type { AuditRule, Fault } from '../rule.js'
import { mainQuantity, viewOf } from '../table-view.js'

/** Differences and judgements that rest on values which the report itself marks as estimates. */
export const estimatedAsData: AuditRule = {
  id: 'estimated-as-data',
  kind: 'invented',
  severity: 'warning',
  example: {
    faulty:
      '| step | A | B | diff |\n|---|---|---|---|\n| 10 | 1.80 | 1.70 | -0.10 |\n| 20 | ~1.90 (estimated) | 1.75 | -0.15 |',
    sound:
      '| step | A | B | diff |\n|---|---|---|---|\n| 10 | 1.80 | 1.70 | -0.10 |\n| 20 | ~1.90 (estimated) | 1.75 | - |',
  },
  *check(document: AuditDocument) {
    yield* inTables(document)
    for (const statement of document.statements) {
      if (statement.quantities.length > 1) yield* inSentence(statement)
    }
  },
}

/** One finding a table: at its first difference that rests on an estimate. */
function* inTables(document: AuditDocument): Generator<Fault> {
  for (const table of document.tables) {
    const { roles } = viewOf(table)
    const difference = roles.indexOf('difference')
    if (difference < 0) continue
    const filled = table.rows.filter(row => mainQuantity(row[difference]) !== null)
    const guessed = filled.filter(row =>
      row.some((cell, column) => roles[column] === 'value' && mainQuantity(cell)?.hedge === 'estimated'),
    )
    if (guessed.length === 0) continue
    const cell = guessed[0][difference]
    yield {
      offset: cell.offset,
      message: message('audit.estimated-as-data.column', { guessed: guessed.length, all: filled.length }),
      found: cell.text,
      expected: '-',
    }
  }
}

const JUDGED = new Set(['better', 'worse', 'difference', 'sooner', 'stabler'])

/** "1.99 vs an estimated 1.85: better". */
function* inSentence({ claims, quantities, text, offsetOf, kind }: Statement): Generator<Fault> {
  if (kind === 'heading' || kind === 'code' || kind === 'cell') return
  // An estimated time or price is what it can be.
  const guess = quantities.find(({ hedge, unit }) => hedge === 'estimated' && (unit === null || unit === '%'))
  const claim = claims.find(({ kind, hedged }) => JUDGED.has(kind) && !hedged)
  if (guess === undefined || claim === undefined || quantities.length < 2) return
  yield {
    offset: offsetOf(claim.from),
    message: message('audit.estimated-as-data.sentence', {
      words: text.slice(claim.from, claim.to),
      guess: shown(guess),
    }),
    found: shown(guess),
    expected: '-',
  }
}

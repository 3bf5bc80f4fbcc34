import { message } from '../../text/say.js'
import type { ComparisonSet } from '../comparison-sets.js'
import { goalOf } from '../direction.js'
import type { AuditDocument, Statement } from '../document.js'
import { isTrue, type Superlative, superlativesIn } from '../extremes.js'
import { type Grid, gridFor, thingsNamed } from '../grid.js'
import { printed } from '../printed-curves.js'
import type { AuditRule, Fault } from '../rule.js'

/** A best that the document's own table, and another sentence of it, have overtaken; and a record "so far" that is none. */
export const staleBest: AuditRule = {
  id: 'stale-best',
  kind: 'stale',
  severity: 'error',
  example: {
    faulty:
      '## Reward\n| step | run |\n|---|---|\n| 10 | 1.992 |\n| 20 | 1.901 |\n| 30 | 2.123 |\n\nThe best is 2.123 at step 30.\n\nRegularisation may limit learning (best 1.992).',
    sound:
      '## Reward\n| step | run |\n|---|---|\n| 10 | 1.992 |\n| 20 | 1.901 |\n| 30 | 2.123 |\n\nThe best is 2.123 at step 30.\n\nRegularisation may limit learning (best 2.123).',
  },
  *check(document) {
    yield* records(document)
    const superlatives = superlativesIn(document).filter(({ claim }) => claim.kind === 'best')
    const right = new Map<ComparisonSet, Superlative>()
    for (const superlative of superlatives) {
      for (const { set } of superlative.readings.filter(isTrue)) {
        if (!right.has(set)) right.set(set, superlative)
      }
    }
    for (const { statement, quantity, readings } of superlatives) {
      if (readings.some(isTrue)) continue
      const [{ set, beaten }] = readings
      const elsewhere = right.get(set)
      if (elsewhere === undefined || beaten === null || beaten.quantity === null) continue
      const { line } = document.placeOf(elsewhere.statement.offsetOf(elsewhere.claim.from))
      const best = printed(beaten.quantity)
      yield {
        offset: statement.offsetOf(quantity.from),
        message: message('audit.stale-best', {
          found: printed(quantity),
          best,
          where: beaten.name,
          column: set.metric,
          line,
        }),
        found: printed(quantity),
        expected: best,
      }
    }
  },
}

const SO_FAR = /目前为止|迄今|至今|目前最[高好优佳]|历史最[高好优佳]|(?<![a-z])(?:so far|to date|ever|record)(?![a-z])/i

/** "The best so far is 70.7 %, from heron": the row of heron has more. */
function* records(document: AuditDocument): Generator<Fault> {
  for (const statement of document.statements) {
    const { kind, text, claims } = statement
    if (kind === 'cell' || kind === 'code' || !SO_FAR.test(text)) continue
    const claim = claims.find(
      ({ kind, negated, hedged }) => /^(?:best|extremum-high)$/.test(kind) && !negated && !hedged,
    )
    if (claim === undefined) continue
    const fault = gridFor(document, statement, grid => overtaken(document, grid, statement, claim.to))
    if (fault !== null && fault !== 'right') yield fault
  }
}

function overtaken(document: AuditDocument, grid: Grid, statement: Statement, at: number): Fault | 'right' | null {
  const [thing, ...more] = thingsNamed(statement, grid)
  const said = statement.quantities.find(
    ({ from, unit, ends, bound, hedge, signed }) =>
      from >= at && unit === '%' && ends === null && bound === null && hedge === null && !signed,
  )
  if (thing === undefined || more.length > 0 || said === undefined) return null
  const cells = grid.metrics.flatMap(metric => {
    const quantity = metric.isDerived || goalOf([metric.name]) === 'low' ? null : grid.at(thing.line, metric)
    return quantity === null || quantity.unit !== '%' ? [] : [{ metric, quantity }]
  })
  // With several shares nobody knows which the record is of.
  if (cells.length !== 1) return null
  const [{ metric, quantity }] = cells
  if (quantity.range.low < said.range.high) return 'right'
  const expected = printed(quantity)
  return {
    offset: statement.offsetOf(said.from),
    message: message('audit.record-overtaken', {
      found: printed(said),
      expected,
      name: thing.line.name,
      column: metric.name,
      line: document.placeOf(grid.cellAt(thing.line, metric).offset).line,
    }),
    found: printed(said),
    expected,
  }
}

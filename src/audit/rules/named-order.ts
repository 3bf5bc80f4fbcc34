import { message } from '../../text/say.js'
import type { AuditDocument, Statement } from '../document.js'
import { type Grid, gridFor, type Line, linesNamed, metricsNamed } from '../grid.js'
import { isRestricted } from '../naming.js'
import { printed } from '../printed-curves.js'
import type { AuditRule, Fault } from '../rule.js'

/** "full recipe > no KL > no clip" by names, against the column that it is said of; with values in brackets it is `order-contradicted`. */
export const namedOrder: AuditRule = {
  id: 'named-order',
  kind: 'contradiction',
  severity: 'error',
  example: {
    faulty:
      '| run | score |\n|---|---|\n| base | 57.9 |\n| alpha | 57.2 |\n| omega | 57.8 |\n\nBy score: base > alpha > omega.',
    sound:
      '| run | score |\n|---|---|\n| base | 57.9 |\n| alpha | 57.2 |\n| omega | 57.8 |\n\nBy score: base > omega > alpha.',
  },
  *check(document: AuditDocument) {
    for (const statement of document.statements) {
      const { kind, text } = statement
      if (kind === 'cell' || kind === 'code' || !/[\p{L})\d]\s?[<>]\s?[\p{L}\d]/u.test(text)) continue
      const fault = gridFor(document, statement, grid => against(grid, statement))
      if (fault !== null && fault !== 'right') yield fault
    }
  },
}

const SIGN = /^\s*([<>])\s*$/

function against(grid: Grid, statement: Statement): Fault | 'right' | null {
  const { text } = statement
  const named = linesNamed(text, grid.things)
  const links = named.slice(1).flatMap((right, i) => {
    const sign = SIGN.exec(text.slice(named[i].to, right.from))?.[1]
    return sign === undefined ? [] : [{ left: named[i], right, sign }]
  })
  const metric = metricOf(grid, statement)
  if (links.length === 0 || metric === null || isRestricted(statement, grid, metric)) return null
  for (const { left, right, sign } of links) {
    const [a, b] = [grid.at(left.line, metric), grid.at(right.line, metric)]
    if (a === null || b === null) return null
    const isWrong = sign === '>' ? a.range.high <= b.range.low : a.range.low >= b.range.high
    if (!isWrong || a.value === b.value) continue
    return {
      offset: statement.offsetOf(left.from),
      message: message('audit.named-order', {
        left: left.line.name,
        first: printed(a),
        sign,
        right: right.line.name,
        second: printed(b),
        column: metric.name,
      }),
      found: `${left.line.name} ${sign} ${right.line.name}`,
      expected: `${printed(a)}, ${printed(b)}`,
    }
  }
  return 'right'
}

function metricOf(grid: Grid, { text, leads }: Statement): Line | null {
  for (const words of [text, ...leads]) {
    const named = metricsNamed(words, grid)
    if (named.length > 0) return named.length === 1 ? named[0] : null
  }
  const own = grid.metrics.filter(({ isDerived }) => !isDerived)
  return own.length === 1 ? own[0] : null
}

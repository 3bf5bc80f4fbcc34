import type { Quantity } from '../../document/quantity.js'
import { listed } from '../../text/figure.js'
import { message } from '../../text/say.js'
import type { AuditDocument, Statement } from '../document.js'
import { type Grid, gridFor, sameUnit, thingsNamed } from '../grid.js'
import { isRestricted, oneMetric } from '../naming.js'
import { printed } from '../printed-curves.js'
import type { AuditRule, Fault } from '../rule.js'

/** "KL stays below 0.05 throughout", "all runs are above 60": rows of the named column that are not. */
export const boundExceeded: AuditRule = {
  id: 'bound-exceeded',
  kind: 'contradiction',
  severity: 'error',
  example: {
    faulty:
      '| step | KL |\n|---|---|\n| 10 | 0.021 |\n| 20 | 0.044 |\n| 30 | 0.061 |\n\nKL stays below 0.05 throughout.',
    sound:
      '| step | KL |\n|---|---|\n| 10 | 0.021 |\n| 20 | 0.044 |\n| 30 | 0.061 |\n\nKL stays below 0.07 throughout.',
  },
  *check(document: AuditDocument) {
    for (const statement of document.statements) {
      const { kind, text, quantities } = statement
      if (kind === 'cell' || kind === 'code' || !ALL.test(text) || DOUBT.test(text)) continue
      const [bounded, ...more] = quantities.filter(
        ({ bound, ends, signed }) => bound !== null && ends === null && !signed,
      )
      if (bounded === undefined || more.length > 0 || quantities.length > MOST_NUMBERS) continue
      const fault = gridFor(document, statement, grid => against(grid, statement, bounded))
      if (fault !== null && fault !== 'right') yield fault
    }
  },
}

const ALL =
  /全程|始终|一直|所有|全部|都|均(?!值)|各|每[个步轮]|(?<![a-z])(?:all|every|each|always|throughout|never|at no point|whole|entire)(?![a-z])/i
/** A part of the rows, a plan, or how far things lie apart. */
const DOUBT =
  /如果|应|需|目标|预期|之后|以后|之前|以前|前\s?\d|后\s?\d|相差|差异|差距|变化|波动|误差|以[上下]|(?<![a-z])(?:if|should|must|target|goal|expect(?:ed)?|after|before|since|until|first|last|late|early|differ\w*|within|gap|chang\w*|improv\w*|of them|or (?:more|less|larger|smaller|above|fewer)|larger|smaller|bigger|except|but|most|almost|not|with|whose|that have)(?![a-z])|除/i
const MOST_NUMBERS = 3

function against(grid: Grid, statement: Statement, bounded: Quantity): Fault | 'right' | null {
  const metric = oneMetric(statement, grid, statement.text)
  if (metric === null || thingsNamed(statement, grid).length > 0) return null
  const others = statement.quantities.filter(quantity => quantity !== bounded)
  if (others.length > 0 && isRestricted(statement, grid, metric)) return null
  const rows = grid.things.flatMap(line => {
    const quantity = grid.at(line, metric)
    return quantity === null || !sameUnit(quantity, bounded) ? [] : [{ line, quantity }]
  })
  const { bound, value } = bounded
  // "Below 0.05" printed as 0.05 may have been 0.0496.
  const beyond = rows.filter(({ quantity }) =>
    bound === 'below' ? quantity.range.low > value : quantity.range.high < value,
  )
  if (rows.length < 2 || beyond.length === rows.length) return null
  if (beyond.length === 0) return 'right'
  const shown = beyond.slice(0, MOST_SHOWN).map(({ line, quantity }) => `${line.name}: ${printed(quantity)}`)
  const expected = listed(shown)
  return {
    offset: statement.offsetOf(bounded.from),
    message: message('audit.bound-exceeded', {
      column: metric.name,
      bound: bound === 'below' ? '<' : '>',
      found: printed(bounded),
      rows: expected + (beyond.length > MOST_SHOWN ? ', …' : ''),
    }),
    found: printed(bounded),
    expected,
  }
}

const MOST_SHOWN = 3

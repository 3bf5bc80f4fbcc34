import type { Quantity } from '../../document/quantity.js'
import { groupBy } from '../../model/group-by.js'
import { message } from '../../text/say.js'
import type { Statement } from '../document.js'
import { percent } from '../printed-curves.js'
import type { AuditRule, Fault } from '../rule.js'

const BIG =
  /大幅|剧烈|急剧|骤降|暴跌|暴涨|(?<![a-z])(?:sharp(?:ly)?|large|big|huge|steep|plunge[sd]?|dramatic)(?![a-z])/i

/** A move marked as big beside a bigger one of the same kind that is not. */
export const biggerMoveUnmarked: AuditRule = {
  id: 'bigger-move-unmarked',
  kind: 'selection',
  severity: 'warning',
  example: {
    faulty: '- Step 10: 1.84 (-14.0%)\n- Step 15: 1.75 (-4.9%) sharp drop',
    sound: '- Step 10: 1.84 (-14.0%) sharp drop\n- Step 15: 1.75 (-4.9%)',
  },
  *check({ statements }) {
    const moves = statements.flatMap(moveOf)
    for (const here of groupBy(moves, ({ statement }) => statement.section).values()) {
      const plain = here.filter(({ isMarked }) => !isMarked)
      const [rise, fall] = [biggest(plain, 1), biggest(plain, -1)]
      for (const move of here.filter(({ isMarked }) => isMarked)) {
        const rival = move.change.value > 0 ? rise : fall
        if (rival === null || !isBeyond(rival.change, move.change)) continue
        yield unmarked(move, rival)
      }
    }
  },
}

interface Move {
  readonly statement: Statement
  readonly step: number
  readonly change: Quantity
  readonly isMarked: boolean
}

/** One line, one step, one change in percent with its sign. */
function moveOf(statement: Statement): Move[] {
  const { kind, steps, quantities, text } = statement
  if ((kind !== 'code' && kind !== 'item') || steps.length !== 1 || steps[0].from > 4) return []
  const changes = quantities.filter(({ unit, signed, plusMinus }) => unit === '%' && signed && !plusMinus)
  if (changes.length !== 1) return []
  return [{ statement, step: steps[0].first, change: changes[0], isMarked: BIG.test(text) }]
}

function biggest(moves: readonly Move[], sign: number): Move | null {
  return moves
    .filter(({ change }) => Math.sign(change.value) === sign)
    .reduce<Move | null>((best, move) => (best === null || isBeyond(move.change, best.change) ? move : best), null)
}

function isBeyond({ value, range }: Quantity, other: Quantity): boolean {
  return value > 0 ? range.low >= other.range.high : range.high <= other.range.low
}

function unmarked({ statement, change }: Move, rival: Move): Fault {
  const [found, expected] = [percent(change.value / 100), percent(rival.change.value / 100)]
  return {
    offset: statement.offsetOf(change.from),
    message: message('audit.bigger-move-unmarked', {
      found,
      rival: expected,
      step: rival.step,
    }),
    found: `${found} %`,
    expected: `${expected} %`,
  }
}

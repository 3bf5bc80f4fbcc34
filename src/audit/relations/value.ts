import type { Quantity } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { isSlip, meets, statedRange } from '../arithmetic.js'
import type { Assertion, Relation } from '../assertion.js'
import { cited } from '../evidence.js'
import { refute } from '../fault.js'
import { has } from '../lexicon.js'
import { type Clause, focusOf } from '../mentions.js'
import { assertionIn, figureOf } from '../read.js'
import { type Asked, checkedBy, held, missed, type Reading } from '../reading.js'
import { isPlainly } from '../strangers.js'
import { isAmount } from './amounts.js'

/**
 * The only figure of a sentence that says no more than what one cell is: "step 90: validation reward 3.41". The cell is
 * named by its whole row and column names.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.named-value': { en: '“{quote}”: the table has {expected} for {owner}, “{line}” (line {at}), not {found}; write {expected}', zh: '“{quote}”：表中 {owner} 的“{line}”是 {expected}（第 {at} 行），不是 {found}；应写 {expected}' },
})

/** Printed exactly, with digits enough not to be in a table by chance. */
const isLevel = ({ signed, value, decimals, hedge, bound, ends }: Quantity): boolean =>
  !signed && hedge === null && bound === null && ends === null && (decimals > 0 || value >= 1000)

function* inClause(clause: Clause): Generator<Assertion> {
  const { statement, from, to } = clause
  const [quantity, another] = statement.quantities.filter(one => one.from < to)
  // Below "epochs 9-10" it is said of both.
  const isOfMany = statement.leads.some(lead => /\d\s?[-–~]\s?\d/.test(lead))
  if (from > 0 || statement.kind === 'cell' || quantity === undefined || another !== undefined || isOfMany) return
  if (isLevel(quantity) && !isAmount(statement.text, quantity) && !has(clause.text, 'change'))
    yield assertionIn(statement, 'value', clause, { figures: [figureOf(statement, quantity, 'value')] })
}

function* readings({ assertion: { figures, quote }, clause, frames, evidence }: Asked): Generator<Reading> {
  const { quantity: stated, text: found, offset } = figures[0]
  const named = frames.filter(({ line, isExact, isHere }) => line.isColumn && isExact && isHere)
  const [only, another] = named.flatMap(({ line, subjects }) => subjects.map(one => ({ ...one, line })))
  if (only === undefined || another !== undefined) return
  const { line, point, mention } = only
  const { unit, decimals, value, range } = point.quantity
  const isElsewhere = evidence.holding(stated).some(one => one.line.matrix !== line.matrix)
  if (isElsewhere || meets(statedRange(stated), range)) yield held(line.of.name)
  const isLike = stated.decimals === decimals && (stated.unit === unit || unit === null) && isSlip(stated.value, value)
  const isPlain = mention.isWhole && isPlainly(clause, line.matrix, focusOf(clause, line.matrix).own)
  const isTold = isLike && isPlain && point.cell.quantities.length === 1 && evidence.printed(stated.value) < 2
  const message = say('audit.named-value', { quote, found, ...cited(line, point, evidence) })
  yield missed(isTold ? 1 : 0, () => refute('named-value', offset, message, { also: [point.cell.offset] }), line)
}

export const value: Relation = { names: ['value'], inClause, check: checkedBy(readings, ['said']) }

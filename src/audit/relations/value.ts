import type { Quantity } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { meets, statedRange } from '../arithmetic.js'
import { type Assertion, confirmed, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import type { Entry } from '../entries.js'
import { cited } from '../evidence.js'
import { refute } from '../fault.js'
import { has } from '../lexicon.js'
import { type Clause, focusOf } from '../mentions.js'
import { assertionIn, assertionInEntry, entryFigure, figureOf } from '../read.js'
import { type Asked, checkedBy, held, missed, type Reading } from '../reading.js'
import { isPlainly } from '../strangers.js'
import { isAmount } from './amounts.js'

/**
 * The only figure of a sentence that says no more than what one cell is: "step 90: validation reward 3.41". The cell is
 * named by its whole row and column names. And a mean beside its own range: it lies inside it, and not at its end.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.named-value': { en: '“{quote}”: the table has {expected} for {owner}, “{line}” (line {at}), not {found}; write {expected}', zh: '“{quote}”：表中 {owner} 的“{line}”是 {expected}（第 {at} 行），不是 {found}；应写 {expected}' },
  'audit.mean-impossible': { en: '“{quote}”: a mean of {found} cannot lie at or beyond the end of its own range {low} – {high}', zh: '“{quote}”：平均值 {found} 不可能在自己的范围 {low} – {high} 的端点或之外' },
})

function* inClause(clause: Clause): Generator<Assertion> {
  const { statement, from, to } = clause
  const [quantity, another] = statement.quantities.filter(one => one.from < to)
  // "Epochs 9-10": of both.
  const isOfMany = statement.leads.some(lead => /\d\s?[-–~]\s?\d/.test(lead))
  if (from > 0 || statement.kind === 'cell' || quantity === undefined || another !== undefined || isOfMany) return
  if (!isLevel(quantity) || isAmount(statement.text, quantity)) return
  yield assertionIn(statement, 'value', clause, { figures: [figureOf(statement, quantity, 'value')] })
}

/** Printed exactly, with digits enough not to be in a table by chance. */
const isLevel = ({ signed, value, decimals, hedge, bound, ends }: Quantity): boolean =>
  !signed && hedge === null && bound === null && ends === null && (decimals > 0 || value >= 1000)

function* readings({ assertion, clause, frames, evidence }: Asked): Generator<Reading> {
  const { quantity: stated, text: found, offset } = assertion.figures[0]
  const cells = frames.flatMap(({ line, subjects, isExact, isHere }) =>
    line.isColumn && isExact && isHere ? subjects.map(({ point, mention }) => ({ line, point, mention })) : [],
  )
  const [cell, another] = cells
  if (cell === undefined || another !== undefined || !cell.mention.isWhole) return
  const { line, point } = cell
  const { unit, decimals, value, range } = point.quantity
  const isElsewhere = evidence.holding(stated).some(({ line: { matrix } }) => matrix !== line.matrix)
  if (isElsewhere || meets(statedRange(stated), range)) yield held(line.of.name)
  const ratio = stated.value / value
  const isOfUnit = stated.unit === unit || unit === null
  const isLike = point.cell.quantities.length === 1 && stated.decimals === decimals && ratio > 0.5 && ratio < 2
  const isPlain = isPlainly(clause, line.matrix, focusOf(clause, line.matrix).own)
  const isTold = isLike && isOfUnit && isPlain && evidence.printed(stated.value) < 2
  const message = say('audit.named-value', { quote: assertion.quote, found, ...cited(line, point, evidence) })
  yield missed(isTold ? 1 : 0, () => refute('named-value', offset, message, { also: [point.cell.offset] }), line)
}

/** "Delay: 0.264 (mean, range 0.264-0.917)". */
function* inEntries(entries: readonly Entry[]): Generator<Assertion> {
  for (const entry of entries) {
    const [value, range] = entry.quantities
    if (range?.ends == null || !has(entry.value, 'mean') || !/range|范围/i.test(entry.value)) continue
    const figures = [entryFigure(entry, value, 'value'), entryFigure(entry, range, 'bound')]
    yield assertionInEntry(entry, 'range', { figures })
  }
}

function checkRange({ figures: [value, range], quote }: Assertion): Outcome {
  const ends = range.quantity.ends
  if (ends === null) return UNCHECKED
  const [low, high] = [Math.min(...ends), Math.max(...ends)]
  if (low === high || (value.quantity.value > low && value.quantity.value < high)) return confirmed(`${low} – ${high}`)
  const message = say('audit.mean-impossible', { quote, found: value.text, low, high })
  return refute('mean-impossible', value.offset, message, { expected: `${low} – ${high}` })
}

const check = checkedBy(readings, ['said'])

export const value: Relation = {
  names: ['value', 'range'],
  inClause,
  inEntries,
  check: (assertion, evidence) => (assertion.relation === 'range' ? checkRange(assertion) : check(assertion, evidence)),
}

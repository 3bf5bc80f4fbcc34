import { isDifferenceName, type Matrix, type MatrixAxis } from '../../logs/document/matrix.js'
import type { Quantity } from '../../logs/document/quantity.js'
import { divide, exactly, multiply, type NumberRange, subtract } from '../../stats/rounding.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted, isMisprint, meets, middle, percentOf, scale, sizeOf, statedRange } from '../arithmetic.js'
import { type Assertion, type CheckOutcome, confirmed, type Relation, refute, UNCHECKED } from '../assertion.js'
import { significantDigits } from '../evidence.js'
import { assertionInCell, cellFigure } from '../extract.js'
import { mentionsInName } from '../mentions.js'
import { type Term, termAt, type View, viewsOf } from './aggregate.js'

/**
 * Cells that follow from two others: columns and rows of differences, percentages and multiples, and measured columns
 * that are the product or the share of two before them. Which they follow from is solved, not guessed: the operation and
 * the two terms that explain most of a column are what its author meant, and a cell is wrong when that does not give it.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.difference-column': { en: '“{found}” in row “{row}”, column “{column}”: {operation} of {left} and {right} is {expected}; write {expected}', zh: '“{row}”行“{column}”列的“{found}”：由 {left} 和 {right} 得到的{operation}是 {expected}；应写 {expected}' },
})

const SIGNS = { difference: '−', percent: '%', ratio: '÷', product: '×', share: '÷' } as const
type Operation = keyof typeof SIGNS
const CHANGES = ['difference', 'percent', 'ratio'] as const satisfies readonly Operation[]
const MADE = ['product', 'share'] as const satisfies readonly Operation[]

/** What is done with which two cells of each item. */
interface Formula {
  readonly operation: Operation
  readonly pairOf: (item: MatrixAxis) => readonly [from: Term, to: Term] | null
}

/** What an operation can be printed as. */
function results(operation: Operation, from: Quantity, to: Quantity, { unit }: Quantity): readonly NumberRange[] {
  const isMade = operation === 'product' || operation === 'share'
  // What is counted is not rounded.
  const rangeOf = ({ value, range, decimals }: Quantity): NumberRange =>
    isMade && decimals === 0 ? exactly(value) : range
  const [a, b] = [rangeOf(from), rangeOf(to)]
  if (from.ends !== null || to.ends !== null || (unit === 'times') !== (operation === 'ratio')) return []
  const [ratio, percent] = [divide(b, a), unit === '%' ? percentOf(a, b) : null]
  const share = unit === '%' && ratio !== null ? scale(ratio, 100) : null
  const product = unit === '%' ? null : multiply(a, b)
  // What is counted differs by no percentage.
  const difference = unit === '%' && from.decimals === 0 && from.unit === null ? null : subtract(b, a)
  const made = { difference, percent, ratio, product, share }[operation]
  if (made === null) return []
  // Shares between 0 and 1 are often compared in points.
  const isShare = operation === 'difference' && unit === '%' && from.unit === null
  return isShare ? [made, scale(made, 100)] : [made]
}

/** A figure without a sign may be a size. */
const isResult = (range: NumberRange, stated: Quantity): boolean =>
  meets(statedRange(stated), stated.signed ? range : sizeOf(range))

type Stated = Term & { readonly item: MatrixAxis }

function explains({ operation, pairOf }: Formula, { item, quantity }: Stated): boolean {
  const pair = pairOf(item)
  const ranges = pair === null ? [] : results(operation, pair[0].quantity, pair[1].quantity, quantity)
  return ranges.some(range => isResult(range, quantity) && isNarrow(range, quantity))
}

/** A range that holds half the numbers explains nothing. */
const isNarrow = ({ low, high }: NumberRange, { decimals }: Quantity): boolean =>
  high - low <= 0.25 * Math.abs(low + high) + 3 * 10 ** -decimals

const ROLES = ['from', 'to', 'result'] as const
const MOST_CELLS = 2_000
/** Columns farther away belong to another block. */
const FARTHEST = 8

function* inTable(matrix: Matrix): Generator<Assertion> {
  for (const view of viewsOf(matrix)) {
    const items = view.items.filter(({ role }) => role !== 'summary')
    for (const target of view.lines) {
      const isMade = target.role === 'value' && !view.isTurned
      if (target.role !== 'difference' && !isMade) continue
      const isSource = ({ role, index }: MatrixAxis): boolean =>
        role === 'value' && Math.abs(index - target.index) <= FARTHEST && (!isMade || index < target.index)
      const sources = view.lines.filter(one => one !== target && isSource(one))
      const cells = items.flatMap((item): readonly Stated[] => {
        const term = termAt(view, item, target)
        return term === null || term.cell.dates.length > 0 ? [] : [{ item, ...term }]
      })
      // Falls are printed without a plus that would tell that they are changes.
      const areSigned = cells.every(({ quantity: { signed, value } }) => signed || value === 0)
      // Two digits are soon the product of two others: all but one of several cells must be.
      const isFine = areSigned || cells.some(({ quantity }) => significantDigits(quantity) > 2)
      const isFew = cells.length < 4 || sources.length < 2
      if (cells.length > MOST_CELLS || (isMade && (isFew || !isFine))) continue
      const formulas = isMade
        ? ofTwo(view, sources, areSigned ? CHANGES : MADE)
        : [...ofTwo(view, sources, CHANGES), ...within(view, target, sources, items)]
      const fewestRight = isMade ? cells.length - 1 : sources.length === 2 && isDifferenceName(target.name) ? 1 : 2
      const meant = best(formulas, cells, fewestRight)
      if (meant === null) continue
      const wrong = cells.filter(cell => !explains(meant, cell)).length
      const isSure = !isMade && (wrong < 2 || 3 * wrong < cells.length)
      for (const { item, ...stated } of cells) {
        const pair = meant.pairOf(item)
        if (pair === null) continue
        yield assertionInCell(matrix, stated.cell, 'derived', {
          subjects: [item.name],
          quantity: target.name,
          figures: [...pair, stated].map(({ cell, quantity }, i) => cellFigure(cell, quantity, ROLES[i])),
          manner: `${view.isTurned ? 'row' : 'column'} ${meant.operation} ${isSure ? 'sure' : ''}`,
        })
      }
    }
  }
}

/** The formula that explains most of the cells: half of them, and so many at least. Beside "diff" one row tells. */
function best(formulas: Iterable<Formula>, cells: readonly Stated[], fewestRight: number): Formula | null {
  let found: Formula | null = null
  let fewest = Math.min(Math.floor(cells.length / 2), cells.length - fewestRight) + 1
  for (const formula of formulas) {
    let missed = 0
    for (const cell of cells) {
      if (!explains(formula, cell)) missed += 1
      if (missed >= fewest) break
    }
    if (missed < fewest) [found, fewest] = [formula, missed]
  }
  return found
}

/** Of one line here, and at the item that the header names, the first or the one before. */
function* within(
  view: View,
  target: MatrixAxis,
  sources: readonly MatrixAxis[],
  items: readonly MatrixAxis[],
): Generator<Formula> {
  const { matrix, isTurned } = view
  const bases = mentionsInName(target, matrix).flatMap(({ isRow, axes }) => (isRow === isTurned ? [] : axes))
  const means = view.lines.filter(axis => axis.role === 'summary' && axis !== target)
  for (const line of [...sources, ...means]) {
    const filled = items.flatMap(item => termAt(view, item, line) ?? [])
    const previous = new Map(filled.slice(1).map((term, i) => [term.cell, filled[i]]))
    const named = bases.map(base => () => termAt(view, base, line))
    for (const baseOf of [...named, () => filled[0], ({ cell }: Term) => previous.get(cell)])
      yield* bothWays(CHANGES, item => {
        const own = termAt(view, item, line)
        return own === null ? [] : [baseOf(own), own]
      })
  }
}

const ofTwo = (view: View, lines: readonly MatrixAxis[], operations: readonly Operation[]): readonly Formula[] =>
  lines.flatMap((left, i) =>
    lines
      .slice(i + 1)
      .flatMap(right => bothWays(operations, item => [termAt(view, item, left), termAt(view, item, right)])),
  )

function bothWays(
  operations: readonly Operation[],
  termsOf: (item: MatrixAxis) => readonly (Term | null | undefined)[],
): readonly Formula[] {
  return operations.flatMap(operation =>
    [false, true].map(isFlipped => ({
      operation,
      pairOf: item => {
        const [a, b] = termsOf(item)
        return a == null || b == null ? null : isFlipped ? [b, a] : [a, b]
      },
    })),
  )
}

/** Improvement of a loss is a fall, so its sign says nothing. */
const IMPROVEMENT = /提升|改善|改进|improve|gain|speed|reduction|drop|降/i

function check({ figures, manner, subjects: [subject = ''], quantity }: Assertion): CheckOutcome {
  const [from, to, result] = figures
  const [place, called, sureness] = manner.split(' ')
  const operation = [...CHANGES, ...MADE].find(one => one === called)
  if (from === undefined || to === undefined || result === undefined || operation === undefined) return UNCHECKED
  const stated = result.quantity
  const ranges = results(operation, from.quantity, to.quantity, stated)
  const [range] = ranges
  if (ranges.some(one => isResult(one, stated))) return confirmed(`${from.text}, ${to.text}`)
  if (range === undefined || !isMisprint(stated.value, middle(range))) return UNCHECKED
  const name = quantity ?? ''
  // The size fits, so the sign is what is wrong; but the gain of a loss is a fall.
  const isSize = ranges.some(one => meets(sizeOf(one), sizeOf(statedRange(stated))))
  if (isSize && IMPROVEMENT.test(name)) return UNCHECKED
  const expected = asPrinted(middle(range), stated)
  const terms = { left: from.text, right: to.text, operation: SIGNS[operation], found: result.text, expected }
  const [row, column] = place === 'row' ? [name, subject] : [subject, name]
  const more = sureness === 'sure' ? { isFix: true } : ({ severity: 'warning' } as const)
  const rule = place === 'row' ? 'difference-row' : operation === 'ratio' ? 'wrong-multiple' : 'difference-column'
  return refute(rule, result.offset, say('audit.difference-column', { ...terms, row, column }), more)
}

export const derived: Relation = { names: ['derived'], inTable, check }

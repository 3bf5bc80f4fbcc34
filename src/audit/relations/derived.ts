import { type Axis, isDifferenceName, type Matrix } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { divide, multiply, type Range, subtract } from '../../stats/rounding.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted, isMisprint, meets, middle, percentOf, scale, sizeOf, statedRange } from '../arithmetic.js'
import { type Assertion, confirmed, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import { goalOf } from '../evidence.js'
import { refute } from '../fault.js'
import { mentionsInName, mentionsInText } from '../mentions.js'
import { assertionInCell, figureAs } from '../read.js'
import { asFigure, type Term, termAt, type View, viewsOf } from './view.js'

/**
 * Cells that follow from two others: columns and rows of differences, percentages and multiples. Which they follow from
 * is solved, not guessed: the operation and the two terms that explain most of a column are what its author meant; a cell
 * is wrong when that does not give it and no other operation on its row does.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.difference-column': { en: '“{found}” in row “{row}”, column “{column}”: {operation} of {left} and {right} is {expected}; write {expected}', zh: '“{row}”行“{column}”列的“{found}”：由 {left} 和 {right} 得到的{operation}是 {expected}；应写 {expected}' },
})

const SIGNS = { difference: '−', percent: '%', ratio: '÷', product: '×', share: '÷' } as const
type Operation = keyof typeof SIGNS
const OPERATIONS = ['difference', 'percent', 'ratio', 'product', 'share'] as const satisfies readonly Operation[]

type Pair = readonly [from: Term, to: Term]

/** What is done with which two cells of each item. */
interface Formula {
  readonly operation: Operation
  readonly pairOf: (item: Axis) => Pair | null
  /** Of two lines; else of one line here and at another item. */
  readonly isTwoSided: boolean
}

/** What an operation can be printed as. */
function results(operation: Operation, [a, b]: readonly [Quantity, Quantity], stated: Quantity): readonly Range[] {
  if (a.ends !== null || b.ends !== null) return []
  const difference = subtract(b.range, a.range)
  // Shares between 0 and 1 are often compared in points.
  if (operation === 'difference')
    return stated.unit === '%' && a.unit === null ? [difference, scale(difference, 100)] : [difference]
  if (operation === 'share')
    return [divide(b.range, a.range), divide(a.range, b.range)].flatMap(one => (one === null ? [] : [scale(one, 100)]))
  if (operation === 'product') return [multiply(a.range, b.range)]
  const made = operation === 'ratio' ? divide(b.range, a.range) : percentOf(a.range, b.range)
  return made === null ? [] : [made]
}

function isResult(range: Range, stated: Quantity): boolean {
  const { low, high } = statedRange(stated)
  const slack = stated.unit === 'times' ? 0.05 * Math.abs(stated.value) : 0
  return meets({ low: low - slack, high: high + slack }, range)
}

/** A range that holds half the numbers explains nothing. */
function isNarrow({ low, high }: Range, { decimals }: Quantity): boolean {
  return high - low <= 0.25 * Math.abs(low + high) + 3 * 10 ** -(decimals ?? 3)
}

function resultsAt({ operation, pairOf }: Formula, item: Axis, stated: Quantity): readonly Range[] {
  const isOfUnit = (stated.unit === 'times') === (operation === 'ratio')
  const [a, b] = (isOfUnit ? pairOf(item) : null) ?? []
  return a === undefined || b === undefined ? [] : results(operation, [a.quantity, b.quantity], stated)
}

function explains(formula: Formula, item: Axis, stated: Quantity): boolean {
  return resultsAt(formula, item, stated).some(range => isResult(range, stated))
}

/** But for its sign. */
function isSizeOf(range: Range, stated: Quantity): boolean {
  return meets(sizeOf(range), sizeOf(statedRange(stated)))
}

interface Solution {
  readonly formula: Formula | null
  /** All formulas that a cell of the line may follow. */
  readonly formulas: readonly Formula[]
  readonly sources: readonly Axis[]
  /** Where no formula explains the line, the terms are told by words alone: two sources, or both named in the header. */
  readonly isNamed: boolean
}

const MOST_LINES = 14
const MOST_CELLS = 2_000
/** Of the cells of a line, how many its formula may leave unexplained. */
const MOST_MISSED = 0.4

function solve(view: View, target: Axis): Solution | null {
  const { lines, isTurned, matrix } = view
  const all = lines.filter(axis => axis.role === 'value' && axis !== target)
  const before = all.filter(({ index }) => index < target.index)
  // A block of columns may repeat; the nearest before it are meant.
  const pool = isTurned ? before.slice(-4) : all.length > MOST_LINES ? before.slice(-6) : all
  const sources = pool.filter(axis => view.items.some(item => termAt(view, item, axis) !== null))
  const cells = itemsOf(view).flatMap(item => {
    const stated = statedAt(view, item, target)
    return stated === null ? [] : [{ item, stated: stated.quantity }]
  })
  if (sources.length === 0 || cells.length === 0 || cells.length > MOST_CELLS) return null
  const mentioned = mentionsInName(target, matrix)
  const named = sources.filter(axis => mentioned.some(one => one.isRow === isTurned && one.axes.includes(axis)))
  const formulas = [...formulasOf(view, target, sources)]
  let best: Formula | null = null
  let most = 1
  for (const formula of formulas) {
    let missed = 0
    for (const { item, stated } of cells) {
      const isExplained = resultsAt(formula, item, stated).some(
        range => isResult(range, stated) && isNarrow(range, stated),
      )
      if (!isExplained) missed += 1
      if (cells.length - missed <= most || missed > MOST_MISSED * cells.length) break
    }
    const count = cells.length - missed
    if (count > most && missed <= MOST_MISSED * cells.length) [best, most] = [formula, count]
  }
  // "vs X", where X is no column, refers to a row or to another table; and two quantities have no difference.
  const against = VERSUS.exec(target.name)?.[1]
  const isElsewhere =
    against !== undefined && !mentionsInText(against, matrix).some(({ axes }) => axes.some(one => named.includes(one)))
  const isCalled = isDifferenceName(target.name) || named.length === 2
  const isNamed = (isTurned || matrix.alongRows) && !isElsewhere && isCalled && (sources.length === 2 || named.length === 2)
  return { formula: best, formulas, sources: named.length === 2 ? named : sources, isNamed }
}

const VERSUS = /(?:vs\.?|versus|相对于?|对比)\s*(.*)$/i

const itemsOf = ({ items, isTurned }: View): readonly Axis[] =>
  isTurned ? items : items.filter(({ role }) => role !== 'summary')

/** The figure of a derived cell; a cell of words that holds one is none. */
function statedAt(view: View, item: Axis, line: Axis): Term | null {
  const term = termAt(view, item, line)
  const isMore = (term?.cell.quantities.length ?? 0) > 2
  return term === null || isMore || term.quantity.ends !== null || term.quantity.plusMinus ? null : term
}

/** Within one line against the item that the header names, the first or the one before; and of two lines. */
function* formulasOf(view: View, target: Axis, sources: readonly Axis[]): Generator<Formula> {
  const { matrix, isTurned } = view
  const bases = mentionsInName(target, matrix).filter(one => one.isRow !== isTurned && one.axes.length === 1)
  const means = view.lines.filter(axis => axis.role === 'summary' && axis !== target)
  for (const line of [...sources, ...means]) {
    for (const base of bases.flatMap(({ axes }) => axes))
      yield* bothWays(item => [termAt(view, base, line), termAt(view, item, line)])
    const filled = itemsOf(view).flatMap(item => termAt(view, item, line) ?? [])
    const previous = new Map(filled.slice(1).map((term, i) => [term.cell, filled[i]]))
    for (const earlier of [() => filled[0], ({ cell }: Term) => previous.get(cell)])
      yield* bothWays(item => {
        const own = termAt(view, item, line)
        return [own === null ? null : (earlier(own) ?? null), own]
      })
  }
  // "31.0 → 36.2" in one cell.
  for (const line of sources)
    yield* bothWays(item => {
      const [cell, from, to] = [view.cellAt(item, line), ...(view.cellAt(item, line)?.quantities ?? [])]
      const isBoth = cell?.quantities.length === 2 && /→|->/.test(cell.text)
      return isBoth && from !== undefined && to !== undefined
        ? [
            { cell, quantity: from },
            { cell, quantity: to },
          ]
        : [null, null]
    }, true)
  for (const [i, left] of sources.entries())
    for (const right of sources.slice(i + 1))
      yield* bothWays(item => [termAt(view, item, left), termAt(view, item, right)], true)
}

function bothWays(
  termsOf: (item: Axis) => readonly [Term | null, Term | null],
  isTwoSided = false,
): readonly Formula[] {
  return OPERATIONS.slice(0, 3).flatMap(operation =>
    [false, true].map(isFlipped => ({
      operation,
      isTwoSided,
      pairOf: item => {
        const [a, b] = termsOf(item)
        return a === null || b === null ? null : isFlipped ? [b, a] : [a, b]
      },
    })),
  )
}

function* inTable(matrix: Matrix): Generator<Assertion> {
  for (const view of viewsOf(matrix).filter(({ isTurned }) => !isTurned || matrix.alongColumns))
    for (const target of view.lines.filter(({ role }) => role === 'difference')) {
      const solution = solve(view, target)
      if (solution !== null) yield* inLine(view, target, solution)
    }
  yield* madeColumns(viewsOf(matrix)[0])
}

const MOST_MADE = 8

/** A measured column that in all rows but one is the product, the share or the fall of two others: GPUs × hours. */
function* madeColumns(view: View): Generator<Assertion> {
  const lines = view.lines.filter(({ role }) => role === 'value')
  const items = view.items.filter(({ role }) => role === 'value')
  if (lines.length < 3 || lines.length > MOST_MADE || items.length > MOST_CELLS / MOST_MADE) return
  for (const [at, target] of lines.entries()) {
    const named = mentionsInName(target, view.matrix).flatMap(({ axes, isRow }) => (isRow ? [] : axes))
    const before = lines.slice(0, at)
    const unit = termAt(view, items[0] ?? target, target)?.quantity.unit ?? ''
    const operations = MADE[unit] ?? ['product']
    const pairs = before.flatMap((a, i) => before.slice(i + 1).map(b => ({ a, b, first: null })))
    // A relative size: of the first row.
    const within = RELATIVE.test(target.name) ? before.map(a => ({ a, b: a, first: items[0] ?? null })) : []
    const made = [...pairs, ...within].flatMap(pair => operations.map(operation => ({ ...pair, operation })))
    for (const { a: left, b: right, first, operation } of made) {
      const cells = items.flatMap(item => {
        const [a, b, stated] = [
          termAt(view, first ?? item, left),
          termAt(view, item, right),
          termAt(view, item, target),
        ]
        if (a === null || b === null || stated === null || isTrivial(a, b, stated)) return []
        const ranges = results(operation, [counted(a), counted(b)], stated.quantity)
        const isMade = ranges.some(range => isNarrow(range, stated.quantity) && isSizeOf(range, stated.quantity))
        return [{ item, pair: [a, b] as const, operation, stated, isMade }]
      })
      const fewest = named.includes(left) && named.includes(right) ? 2 : 3
      const [wrong, more] = cells.filter(({ isMade }) => !isMade)
      if (wrong === undefined || more !== undefined || cells.length <= fewest || cells.length < items.length) continue
      const { item, pair, stated } = wrong
      yield assertionInCell(view.matrix, stated.cell, 'derived', {
        subjects: [item.name],
        quantity: target.name,
        figures: [asFigure(pair[0], 'from'), asFigure(pair[1], 'to'), asFigure(stated, 'result')],
        manner: `column ${operation} made`,
      })
    }
  }
}

const MADE: { readonly [unit: string]: readonly Operation[] } = { '%': ['percent', 'share'], times: ['ratio'] }
const RELATIVE = /^rel|相对|ratio|占|share/i

/** What is counted is not rounded. */
const counted = ({ quantity }: Term): Quantity =>
  quantity.decimals === 0 ? { ...quantity, range: { low: quantity.value, high: quantity.value } } : quantity

const isTrivial = (...terms: readonly Term[]): boolean =>
  terms.some(({ quantity: { value, ends } }) => value === 0 || value === 1 || ends !== null)

function* inLine(view: View, target: Axis, solution: Solution): Generator<Assertion> {
  for (const item of itemsOf(view)) {
    const stated = statedAt(view, item, target)
    const meant = stated === null ? null : formulaFor(view, target, solution, item, stated.quantity)
    const pair = meant?.pairOf(item)
    if (stated === null || meant === null || pair == null) continue
    yield assertionInCell(view.matrix, stated.cell, 'derived', {
      subjects: [item.name],
      quantity: target.name,
      figures: [asFigure(pair[0], 'from'), asFigure(pair[1], 'to'), asFigure(stated, 'result')],
      manner: `${view.isTurned ? 'row' : 'column'} ${meant.operation}${meant.isTwoSided ? '' : ' within'}`,
    })
  }
}

/** The formula of the line, or another one that explains this cell, at least but for its sign. */
function formulaFor(view: View, target: Axis, solution: Solution, item: Axis, stated: Quantity): Formula | null {
  const { formula, formulas, sources, isNamed } = solution
  if (formula !== null && explains(formula, item, stated)) return formula
  if (formula === null && !isNamed) return null
  const others = formulas.filter(one => formula === null || (sources.length === 2 && one.isTwoSided))
  const other = others.find(one => explains(one, item, stated))
  if (other !== undefined && !isTurnedSign(view, target, sources, item, stated)) return other
  const meant = formula ?? guess(view, sources, item, stated)
  const fitsSize = (one: Formula): boolean => resultsAt(one, item, stated).some(range => isSizeOf(range, stated))
  if (meant === null || fitsSize(meant)) return meant
  return formulas.find(one => one.isTwoSided && fitsSize(one) && !explains(one, item, stated)) ?? meant
}

/** Two lines and a header that says difference: the second minus the first, in the unit that fits best. */
function guess(view: View, [left, right, third]: readonly Axis[], item: Axis, stated: Quantity): Formula | null {
  if (left === undefined || right === undefined || third !== undefined) return null
  const pair = [termAt(view, item, left), termAt(view, item, right)] as const
  // Of cells with a second figure in brackets the other one may be meant.
  if (pair.every(term => term?.cell.quantities.length === 2)) return null
  const isPercent = stated.unit === '%' && pair[0]?.quantity.unit !== '%'
  const operation = stated.unit === 'times' ? 'ratio' : isPercent ? 'percent' : 'difference'
  return bothWays(() => pair, true).find(one => one.operation === operation && !explains(one, item, stated)) ?? null
}

/** In a line of plain differences of two others, the other items say which way it is taken. */
function isTurnedSign(view: View, target: Axis, sources: readonly Axis[], item: Axis, stated: Quantity): boolean {
  const [left, right, third] = sources
  if (!stated.signed || stated.value === 0 || left === undefined || right === undefined || third !== undefined)
    return false
  const signAt = (at: Axis): number => {
    const [a, b, difference] = [termAt(view, at, left), termAt(view, at, right), statedAt(view, at, target)]
    if (a === null || b === null || difference === null || meets(a.quantity.range, b.quantity.range)) return 0
    return Math.sign(b.quantity.value - a.quantity.value) * Math.sign(difference.quantity.value)
  }
  const others = itemsOf(view).flatMap(at => (at === item ? [] : [signAt(at)]))
  const usual = others.every(sign => sign === 0) ? 1 : Math.sign(others.reduce((sum, sign) => sum + sign, 0))
  return usual !== 0 && signAt(item) === -usual
}

/** Improvement of a loss is a fall, so its sign says nothing. */
const IMPROVEMENT = /提升|改善|改进|improve|gain|speed|reduction|drop|降/i

function check(assertion: Assertion): Outcome {
  const [from, to, result] = [figureAs(assertion, 'from'), figureAs(assertion, 'to'), figureAs(assertion, 'result')]
  const [place = '', called, within] = assertion.manner.split(' ')
  const operation = OPERATIONS.find(one => one === called)
  if (from === null || to === null || result === null || operation === undefined) return UNCHECKED
  const stated = result.quantity
  const isMade = within === 'made'
  const all = results(operation, [from.quantity, to.quantity], stated)
  const ranges = isMade ? all.map(sizeOf) : all
  const off = (one: Range): number => Math.abs(Math.log(middle(one) / stated.value))
  const [range] = operation === 'share' ? [...ranges].sort((a, b) => off(a) - off(b)) : ranges
  if (!isMade && ranges.some(one => isResult(one, stated))) return confirmed(`${from.text}, ${to.text}`)
  if (range === undefined || !isMisprint(stated.value, middle(range))) return UNCHECKED
  const [subject = ''] = assertion.subjects
  const name = assertion.quantity ?? ''
  // The size fits, so the sign is what is wrong; an unsigned figure may be a size, and the gain of a loss is a fall.
  const isSize = within === undefined && ranges.some(one => isSizeOf(one, stated))
  if (isSize && !stated.signed && stated.value > 0) return confirmed('its size')
  if (isSize && (IMPROVEMENT.test(name) || goalOf([subject]) === 'min')) return UNCHECKED
  const expected = asPrinted(middle(range), stated)
  const terms = { left: from.text, right: to.text, operation: SIGNS[operation], found: result.text, expected }
  const [row, column] = place === 'row' ? [name, subject] : [subject, name]
  const rule = place === 'row' ? 'difference-row' : operation === 'ratio' ? 'wrong-multiple' : 'difference-column'
  const more = isMade ? ({ severity: 'warning' } as const) : { isFix: true }
  return refute(rule, result.offset, say('audit.difference-column', { ...terms, row, column }), more)
}

export const derived: Relation = { names: ['derived'], inTable, check }

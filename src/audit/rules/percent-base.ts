import type { Quantity } from '../../document/quantity.js'
import { message } from '../../text/say.js'
import { asPrinted, canBe, middle, percentOf, percentOfEnd, shown } from '../change.js'
import { fitOf } from '../difference-readings.js'
import type { AuditDocument, Cell, Statement, Table } from '../document.js'
import { namedIn } from '../names.js'
import { pairsIn } from '../pairs.js'
import type { AuditRule, Fault } from '../rule.js'
import { mainQuantity } from '../table-view.js'

/**
 * "A is 3.6 % above B" that is 3.6 % of A: the one that is measured by is the base. Said of a named side in a table
 * ("A (+3.6 %)"), it is a warning, there and where the text repeats it; said with "than", an error. A change "from A to B"
 * is a change of A.
 */
export const percentBase: AuditRule = {
  id: 'percent-base',
  kind: 'arithmetic',
  severity: 'warning',
  example: {
    faulty: 'A peaks at 2.202, 3.6 % higher than the 2.123 of B.',
    sound: 'A peaks at 2.202, 3.7 % higher than the 2.123 of B.',
  },
  *check({ statements, tables }: AuditDocument) {
    for (const statement of statements) {
      if (statement.kind === 'code') continue
      for (const { first, second, link, said } of pairsIn(statement)) {
        if (link === 'versus') continue
        const [base, side] = link === 'than' ? [second, first] : [first, second]
        for (const printed of said) {
          if (!isOtherBase(printed, base, side) || (link === 'arrow' && SHARE_OF_END.test(statement.text))) continue
          const fault = faultOf(printed, base, side, statement.offsetOf(printed.from))
          yield link === 'than' ? { ...fault, severity: 'error' } : fault
        }
      }
    }
    const wrong: NamedSide[] = []
    for (const table of tables) {
      for (const named of namedSides(table)) {
        const { cell, printed, base, side } = named
        if (isNoChange(printed, base, side))
          yield { ...wrongChange(printed, base, side, cell.offset), severity: 'error' }
        if (!isOtherBase(printed, base, side)) continue
        yield faultOf(printed, base, side, cell.offset)
        if (wrong.length < MOST_REPEATED) wrong.push(named)
      }
    }
    for (const statement of wrong.length === 0 ? [] : statements) {
      if (statement.quantities.length !== 1) continue
      for (const named of wrong) yield* repeated(statement, named)
    }
  },
}

/** "1.3 % of the final value" names its base. */
const SHARE_OF_END = /占|(?<![a-z])(?:of the (?:final|new|last)|share)(?![a-z])/i

/** So many wrong figures are looked for elsewhere in the text. */
const MOST_REPEATED = 10

/** Wrong for the base that the words name, right for the other. */
function isOtherBase(printed: Quantity, base: Quantity, side: Quantity): boolean {
  if (printed.unit !== '%' || printed.ends !== null || printed.hedge !== null || printed.bound !== null) return false
  if (base.unit === '%' || canBe(printed, percentOf(base, side))) return false
  return canBe(printed, percentOfEnd(base, side))
}

/** Neither base, nor a difference of percentages, and in neither direction: "A (+20 %)" may mean better by being lower. */
function isNoChange(printed: Quantity, base: Quantity, side: Quantity): boolean {
  return fitOf(printed, base, side) === null && percentOf(base, side) !== null
}

interface NamedSide {
  readonly cell: Cell
  readonly printed: Quantity
  readonly base: Quantity
  readonly side: Quantity
  /** The headers of both columns, and which of them the cell names. */
  readonly names: readonly [string, string]
  readonly named: 0 | 1
}

/** Rows of two numbers and a cell such as "A (+3.6 %)". */
function* namedSides({ rows, header }: Table): Generator<NamedSide> {
  for (const cells of rows) {
    if (!cells.some(isNamed)) continue
    const numbers = cells.slice(1).filter(cell => mainQuantity(cell) !== null && !isNamed(cell))
    const [a, b] = numbers.map(mainQuantity)
    if (numbers.length !== 2 || a === null || b === null || a.unit !== b.unit) continue
    const names: readonly [string, string] = [header[numbers[0].column].text, header[numbers[1].column].text]
    for (const cell of cells.slice(1)) {
      const [printed] = cell.quantities
      if (printed === undefined || !isNamed(cell)) continue
      const named = sideNamed(cell.text.slice(0, printed.from), names)
      if (named === null) continue
      yield { cell, printed, base: named === 0 ? b : a, side: named === 0 ? a : b, names, named }
    }
  }
}

/** A header's own last word, "B" for "Run B", or what tells the two headers apart. */
function sideNamed(words: string, names: readonly [string, string]): 0 | 1 | null {
  const name = words
    .replace(/(?<![\s(])[\s(]+$/, '')
    .trim()
    .toLowerCase()
  const isLast = names.map(header => header.toLowerCase().split(/\s+/).at(-1) === name)
  if (isLast[0] !== isLast[1]) return isLast[0] ? 0 : 1
  return namedIn(words, names)
}

/** Words, then a signed percentage in brackets. */
function isNamed({ text, quantities }: Cell): boolean {
  const [first] = quantities
  return first?.unit === '%' && first.signed && /\p{L}.{0,40}\(\s?$/u.test(text.slice(0, first.from))
}

/** The same percentage said of the same side elsewhere in the text. */
function* repeated(statement: Statement, { printed, base, side, names, named }: NamedSide): Generator<Fault> {
  const { kind, text, quantities, offsetOf } = statement
  if (kind === 'cell' || kind === 'code' || quantities.length !== 1) return
  const [only] = quantities
  if (only.unit !== '%' || !only.signed || only.value !== printed.value || namedIn(text, names) !== named) return
  yield faultOf(only, base, side, offsetOf(only.from))
}

function wrongChange(printed: Quantity, base: Quantity, side: Quantity, offset: number): Fault {
  const change = percentOf(base, side)
  const expected = shown(change === null ? 0 : middle(change), Math.max(1, printed.decimals ?? 1), { sign: true })
  const figures = { start: asPrinted(base), end: asPrinted(side), expected, found: asPrinted(printed) }
  return {
    offset,
    message: message('audit.change-percent', figures),
    found: `${figures.found}%`,
    expected: `${expected}%`,
  }
}

function faultOf(printed: Quantity, base: Quantity, side: Quantity, offset: number): Fault {
  const computed = percentOf(base, side)
  const isHigher = side.value > base.value
  const expected = shown(computed === null ? 0 : middle(computed), Math.max(1, printed.decimals ?? 1), { sign: true })
  const found = asPrinted(printed)
  const figures = { base: asPrinted(base), side: asPrinted(side), expected, found }
  return {
    offset,
    message: isHigher ? message('audit.percent-base.above', figures) : message('audit.percent-base.below', figures),
    found: `${found}%`,
    expected: `${expected}%`,
  }
}

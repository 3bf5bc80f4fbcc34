import type { Cell, Statement } from '../../document/document.js'
import type { Axis, Matrix } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { exactly } from '../../stats/rounding.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted, statedRange } from '../arithmetic.js'
import { type Assertion, confirmed, type Figure, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import type { Entry } from '../entries.js'
import { refute } from '../fault.js'
import { has } from '../lexicon.js'
import { assertionIn, assertionInCell, assertionInEntry, cellFigure, entryFigure, figureAs, figureOf } from '../read.js'
import { CHANGED } from './levels.js'

/**
 * A part, a whole, and what share it is: "12/80 tasks solved (15 %)", "of 400 checked, 52 were relevant (13 %)", "score
 * 1.4 / 1.0", and counts with their shares one under the other, which must be shares of one whole. That whole is solved
 * from those that agree, and from what is printed as a total near by.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.share': { en: '“{quote}”: {part} of {whole} is {expected}, not {found}; write {expected}', zh: '“{quote}”：{whole} 中的 {part} 是 {expected}，不是 {found}；应写 {expected}' },
  'audit.impossible-score': { en: '“{quote}”: {part} is more than the {whole} that can be reached; one of the two is wrong', zh: '“{quote}”：{part} 超过了满分 {whole}；两个数中必有一个不对' },
})

function isCount({ value, ends, hedge, unit }: Quantity): boolean {
  return Number.isInteger(value) && value >= 0 && ends === null && hedge === null && unit !== '%'
}

/** "Step 40/80" is progress: of what counts, a step is a part as well. */
function figuresIn({ quantities, steps }: Statement): readonly Quantity[] {
  const none = {
    ends: null,
    decimals: 0,
    unit: null,
    signed: false,
    plusMinus: false,
    hedge: null,
    bound: null,
  } as const
  const marks = steps.map(({ from, to, last }): Quantity => ({ ...none, from, to, value: last, range: exactly(last) }))
  return [...quantities, ...marks].sort((a, b) => a.from - b.from)
}

function* inStatement(statement: Statement): Generator<Assertion> {
  const { text } = statement
  const assert = (part: Quantity, whole: Quantity, percent: Quantity | null, manner: string): Assertion => {
    const roles = [
      [part, 'part'] as const,
      [whole, 'whole'] as const,
      ...(percent === null ? [] : [[percent, 'result'] as const]),
    ]
    const all = roles.map(([one]) => one)
    const stretch = { from: Math.min(...all.map(({ from }) => from)), to: Math.max(...all.map(({ to }) => to)) }
    return assertionIn(statement, 'share', stretch, {
      figures: roles.map(([one, role]) => figureOf(statement, one, role)),
      manner,
    })
  }
  if (!/%|\d\s?\//.test(text)) return
  const figures = figuresIn(statement)
  for (const [i, part] of figures.entries()) {
    const [before, whole, behind] = [figures[i - 1], figures[i + 1], figures[i + 2]]
    if (whole === undefined || !FRACTION.test(text.slice(part.to, whole.from))) continue
    const isScore = SCORE.test(text.slice(Math.max(0, part.from - 24), part.from))
    if (isScore) yield assert(part, whole, null, 'score')
    const isBehind = behind !== undefined && TO_PERCENT.test(text.slice(whole.to, behind.from))
    const isAhead = before !== undefined && /^\s?\(\s?$/.test(text.slice(before.to, part.from))
    const percent = isBehind ? behind : isAhead ? before : undefined
    const isMoved = percent !== undefined && /^\s?(?:→|->)/.test(text.slice(percent.to))
    if (percent?.unit === '%' && !isMoved && isCount(part) && isCount(whole)) yield assert(part, whole, percent, 'sure')
  }
  const loose = looseShare(statement)
  if (loose !== null) yield assert(...loose, 'unsure')
}

const FRACTION = /^\s?(?:\/|(?:out )?of(?: the)?)\s?$/i
const TO_PERCENT = /^[^\d%;。,/]{0,24}?(?:[(=:→]|is)\s?[~≈约<>≤≥]?\s?$/i
const SCORE = /(?<![A-Za-z])(?:score|得分|评分|分数|accuracy|正确率)[^\d\n]{0,12}$/i

/** What stands at the whole: "of the 550 passages", 共 880 条, 360 个视频中. */
const OF_WHOLE =
  /(?:(?<![A-Za-z])(?:of(?: the| all| our| its| these)?|total(?: of)?|among(?: the)?)|共|总\p{Script=Han}{0,4}|全部)\s*[:=]?\s*$/iu
const WHOLE_IN = /^\s?\p{Script=Han}{0,8}[中里内]/u
const LONGEST_LOOSE = 200

/** The only share of a sentence, its two counts wherever they stand: "of 400 checked, 52 were relevant (13 %)". */
function looseShare({ text, quantities, kind }: Statement): readonly [Quantity, Quantity, Quantity] | null {
  const [percent, more] = quantities.filter(({ unit }) => unit === '%')
  const [a, b, third] = quantities.filter(one => isCount(one) && one.unit !== 'times' && one.unit !== 'points')
  if (percent === undefined || more !== undefined || a === undefined || b === undefined || third !== undefined)
    return null
  const { from, to, signed, ends } = percent
  const isChange =
    signed ||
    /(?:(?<![A-Za-z])to|[到至])\s?$/i.test(text.slice(0, from)) ||
    has(text.slice(Math.max(0, from - 8), to + 10), ...CHANGED)
  if (kind === 'cell' || text.length > LONGEST_LOOSE || ends !== null || isChange) return null
  const isWhole = (one: Quantity): boolean =>
    OF_WHOLE.test(text.slice(Math.max(0, one.from - 14), one.from)) || WHOLE_IN.test(text.slice(one.to, one.to + 12))
  // What comes first and is not "of" them is a share of something else.
  if (to <= a.from && !/^\s?(?:of(?![A-Za-z])|的)/i.test(text.slice(to))) return null
  const [part, whole] = a.value < b.value ? [a, b] : [b, a]
  const stated = percent.value / ((100 * part.value) / whole.value)
  return isWhole(whole) && !isWhole(part) && stated > 0.5 && stated < 2 ? [part, whole, percent] : null
}

/** A count and its share, wherever they stand. */
interface Share {
  readonly part: number
  readonly percent: Figure
  readonly assert: (draft: Pick<Assertion, 'figures' | 'manner'>) => Assertion
}

type Pair = readonly [part: Quantity, percent: Quantity]

/** "30 (25 %)", 30 个（25%）. */
function pairsIn(text: string, quantities: readonly Quantity[]): readonly Pair[] {
  return quantities.flatMap((part, i): Pair[] => {
    const percent = quantities[i + 1]
    if (percent?.unit !== '%' || percent.bound !== null || !isCount(part)) return []
    const isPair = /^\s?\p{L}{0,8}\s?\(\s?$/u.test(text.slice(part.to, percent.from))
    return isPair && !/\/\s?$/.test(text.slice(0, part.from)) ? [[part, percent]] : []
  })
}

function inWords(statement: Statement, [part, percent]: Pair): Share {
  const assert: Share['assert'] = draft => assertionIn(statement, 'share', { from: part.from, to: percent.to }, draft)
  return { part: part.value, percent: figureOf(statement, percent, 'result'), assert }
}

/** Lines of one list that each end with a count and its share. */
function* inEntries(entries: readonly Entry[]): Generator<Assertion> {
  const lists = new Map<string, { readonly shares: Share[]; readonly totals: readonly number[] }>()
  for (const entry of entries) {
    const { statement, section, leads, value, quantities } = entry
    const [pair] = statement === null ? pairsIn(value, quantities) : pairsIn(statement.text, statement.quantities)
    if (pair === undefined) continue
    const key = `${section?.offset} ${leads[0]}`
    const list = lists.get(key) ?? { shares: [], totals: integersIn(leads[0] ?? '') }
    lists.set(key, list)
    const [{ value: part }, percent] = pair
    const assert: Share['assert'] = draft => assertionInEntry(entry, 'share', draft)
    const inCell = { part, percent: entryFigure(entry, percent, 'result'), assert }
    list.shares.push(statement === null ? inCell : inWords(statement, pair))
  }
  for (const { shares, totals } of lists.values()) if (shares.length > 1) yield* ofOneWhole(shares, totals)
}

/** A way to get the part and the whole of a share from the cells of its row. */
interface Formula {
  readonly partOf: (row: readonly Cell[]) => number | null
  readonly wholeOf: (row: readonly Cell[]) => number | null
}

const FEWEST_RIGHT = 2
/** Of fewer, any percentage is some share; and all of something is all of much else. */
const SMALLEST_WHOLE = 8
const MOST_COLUMNS = 14

/**
 * A column of percentages, or "96 (64 %)" in its cells: which count of the row is the part and what the whole is (another
 * count, both together, the sum of all parts, a number that the caption gives, the 80 of "12/80") is solved from the rows
 * that agree. One formula that explains all of them but one is what the author meant.
 */
function* inTable(matrix: Matrix): Generator<Assertion> {
  const { table, columns } = matrix
  const rows = matrix.rows.flatMap(({ role, index }) => (role === 'value' ? [table.rows[index] ?? []] : []))
  if (columns.length > MOST_COLUMNS) return
  const counts = columns.filter(({ index }) => rows.some(row => countIn(row[index]) !== null))
  for (const { index } of columns) {
    const shown = rows.filter(row => percentIn(row[index]) !== null)
    const formulas = shown.length < FEWEST_RIGHT ? [] : [...formulasFor(matrix, rows, index, counts)]
    const solved = formulas.map(({ partOf, wholeOf }) =>
      shown.flatMap(row => {
        const [part, whole, cell, percent] = [partOf(row), wholeOf(row), row[index], percentIn(row[index])]
        if (part === null || whole === null || cell === undefined || percent === null || part > whole) return []
        const assert: Share['assert'] = draft => assertionInCell(matrix, cell, 'share', draft)
        return [{ part, whole, percent: cellFigure(cell, percent), assert }]
      }),
    )
    const rightIn = (shares: (typeof solved)[number]): number =>
      shares.filter(one => one.part < 0.99 * one.whole && one.whole >= SMALLEST_WHOLE && isOf(one, one.whole)).length
    const [best = []] = solved.sort((one, other) => rightIn(other) - rightIn(one))
    const right = rightIn(best)
    const isFraction = best.every(({ whole }, i) => shown[i]?.some(({ text }) => text.includes(`/${whole}`)))
    if (isFraction ? 2 * right >= best.length : right >= FEWEST_RIGHT && right >= best.length - 1)
      for (const one of best) yield asserted(one, one.whole, isFraction || right > FEWEST_RIGHT)
  }
}

function countIn(cell: Cell | undefined): number | null {
  const [count, more] = cell?.quantities ?? []
  const isAlone = count?.from === 0 && (more === undefined || more.unit === '%')
  return count !== undefined && isAlone && isCount(count) ? count.value : null
}

/** The only percentage of a cell. */
function percentIn(cell: Cell | undefined): Quantity | null {
  const [percent, more] = cell?.quantities.filter(({ unit }) => unit === '%') ?? []
  const isPlain = percent !== undefined && more === undefined && !percent.signed && percent.ends === null
  return isPlain && cell?.pending === false && percent.value > 0 ? percent : null
}

function* formulasFor(
  { table, columns }: Matrix,
  rows: readonly (readonly Cell[])[],
  at: number,
  counts: readonly Axis[],
): Generator<Formula> {
  const fraction = (row: readonly Cell[], column: number, which: 0 | 1): number | null => {
    const { text = '', quantities = [] } = row[column] ?? {}
    const isOne =
      FRACTION.test(text.slice(quantities[0]?.to, quantities[1]?.from)) && quantities.slice(0, 2).every(isCount)
    return isOne ? (quantities[which]?.value ?? null) : null
  }
  const numbers = integersIn(`${table.caption?.text ?? ''} ${table.header.map(({ text }) => text).join(' ')}`)
  for (const { index: own } of columns)
    yield { partOf: row => fraction(row, own, 0), wholeOf: row => fraction(row, own, 1) }
  for (const { index: own } of counts) {
    const partOf = (row: readonly Cell[]): number | null => countIn(row[own])
    const sum = rows.reduce((all, row) => all + (partOf(row) ?? 0), 0)
    const implied = rows.map(row => Math.round((100 * (partOf(row) ?? 0)) / (percentIn(row[at])?.value ?? 1)))
    for (const whole of new Set([sum, ...numbers, ...implied])) yield { partOf, wholeOf: () => whole }
    for (const { index: other } of counts.filter(({ index }) => index !== own && index !== at)) {
      const otherOf = (row: readonly Cell[]): number | null => countIn(row[other])
      yield { partOf, wholeOf: otherOf }
      yield { partOf, wholeOf: row => (partOf(row) ?? 0) + (otherOf(row) ?? 0) }
    }
  }
}

function integersIn(text: string): readonly number[] {
  return [...text.matchAll(/(?<![\d.])(\d{2,9})(?![\d.]|\s?%)/g)].map(match => Number(match[1]))
}

function isOf({ part, percent: { quantity } }: Share, whole: number): boolean {
  const { low, high } = statedRange(quantity)
  return (100 * part) / whole >= low && (100 * part) / whole <= high
}

function asserted({ part, percent, assert }: Share, whole: number, isSure: boolean): Assertion {
  return assert({ figures: [percent], manner: `${isSure ? 'sure' : 'unsure'} ${part} ${whole}` })
}

/** The whole that most of the shares agree on. */
function* ofOneWhole(shares: readonly Share[], totals: readonly number[]): Generator<Assertion> {
  const sum = shares.reduce((total, { part }) => total + part, 0)
  const implied = shares.map(({ part, percent }) => Math.round((100 * part) / percent.quantity.value))
  const largest = Math.max(1, ...shares.map(({ part }) => part))
  const candidates = [...totals, sum, ...implied].filter(whole => Number.isFinite(whole) && whole >= largest)
  const countOf = (whole: number): number => shares.filter(share => isOf(share, whole)).length
  const [whole] = candidates.sort((a, b) => countOf(b) - countOf(a))
  if (whole === undefined || countOf(whole) < 2 || countOf(whole) < 0.6 * shares.length) return
  const isSure = totals.includes(whole) || whole === sum || shares.length > 3
  for (const share of shares) yield asserted(share, whole, isSure)
}

function check(assertion: Assertion): Outcome {
  const { manner, quote } = assertion
  const [sureness, solvedPart, solvedWhole] = manner.split(' ')
  const part = figureAs(assertion, 'part')?.quantity.value ?? Number(solvedPart)
  const whole = figureAs(assertion, 'whole')?.quantity.value ?? Number(solvedWhole)
  if (!(whole > 0)) return UNCHECKED
  if (sureness === 'score') {
    if (part <= whole) return confirmed(`${part} ≤ ${whole}`)
    const more = { found: String(part), expected: `≤ ${whole}` }
    return refute('impossible-score', assertion.offset, say('audit.impossible-score', { quote, part, whole }), more)
  }
  const result = figureAs(assertion, 'result')
  if (result === null) return UNCHECKED
  const percent = (100 * part) / whole
  const { low, high } = statedRange(result.quantity)
  // "4/80 failed (95 % passed)".
  if ([percent, 100 - percent].some(share => share >= low && share <= high)) return confirmed(`${part} / ${whole}`)
  const expected = asPrinted(percent, result.quantity)
  const severity = sureness === 'unsure' ? 'warning' : 'error'
  const message = say('audit.share', { quote, part, whole, expected, found: result.text })
  return refute('wrong-share', result.offset, message, { severity, isFix: true })
}

export const share: Relation = { names: ['share'], inStatement, inTable, inEntries, check }

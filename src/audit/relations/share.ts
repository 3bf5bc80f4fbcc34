import type { Cell, Statement } from '../../document/document.js'
import { everyMatch } from '../../document/matches.js'
import type { Axis, Matrix } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted, statedRange } from '../arithmetic.js'
import { type Assertion, confirmed, type Figure, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import type { Entry } from '../entries.js'
import { refute } from '../fault.js'
import { has } from '../lexicon.js'
import {
  assertionIn,
  assertionInCell,
  assertionInEntry,
  cellFigure,
  entryFigure,
  figureAs,
  figureOf,
  printedFigure,
} from '../read.js'

/**
 * A part, a whole, and what share it is: "12/80 tasks solved (15 %)", "score 1.4 / 1.0", and counts with their shares one
 * under the other, which must be shares of one whole. That whole is solved from those that agree, and from what is
 * printed as a total near by.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.share': { en: '“{quote}”: {part} of {whole} is {expected}, not {found}; write {expected}', zh: '“{quote}”：{whole} 中的 {part} 是 {expected}，不是 {found}；应写 {expected}' },
  'audit.impossible-score': { en: '“{quote}”: {part} is more than the {whole} that can be reached; one of the two is wrong', zh: '“{quote}”：{part} 超过了满分 {whole}；两个数中必有一个不对' },
})

const INTEGER = String.raw`\d{1,3}(?:,\d{3})+|\d{1,9}`
const PART = `(?<part>${INTEGER})`
const WHOLE = `(?<whole>${INTEGER})`
const PERCENT = String.raw`(?<percent>\d{1,3}(?:\.\d{1,6})?\s?%)(?!\s?(?:→|->))`
const FRACTION = String.raw`(?<![\d./])${PART}\s?(?:\/|(?:out )?of(?: the)?)\s?${WHOLE}(?![\d./]|\s?%)`
const SHARES = [
  String.raw`${FRACTION}[^\d%;；。,，/]{0,24}?(?:[(（=:：→]|is)\s?[~≈约<>≤≥]?\s?${PERCENT}`,
  String.raw`(?<![\d.])${PERCENT}\s?[(（]\s?${FRACTION}\s?[^\d()（）]{0,20}[)）]`,
].map(pattern => new RegExp(pattern, 'dgiu'))
const SCORE =
  /(?<![A-Za-z])(?:score|得分|评分|分数|accuracy|正确率)[^\d\n]{0,12}?(?<part>\d{1,3}(?:\.\d{1,3})?)\s?\/\s?(?<whole>\d{1,3}(?:\.\d{1,3})?)(?![\d./%])/dgiu

function* inStatement(statement: Statement): Generator<Assertion> {
  const { text, quantities, kind } = statement
  if (text.includes('%')) {
    const words = text.replace(/(?<=[A-Za-z][A-Za-z_-]*)\d/g, 'n')
    for (const pattern of SHARES) for (const match of everyMatch(words, pattern)) yield matched(statement, match)
    const loose = looseShare(statement)
    if (loose !== null) yield loose
    const shares = kind === 'cell' ? [] : pairsIn(text, quantities).map(pair => inWords(statement, pair))
    if (shares.length > 1) yield* ofOneWhole(shares, integersIn(text))
  }
  if (/\d\s?\//.test(text)) for (const match of everyMatch(text, SCORE)) yield matched(statement, match, 'score')
}

/** What stands at the whole: "of the 550 passages", 共 880 条, 360 个视频中. */
const OF_WHOLE =
  /(?:(?<![A-Za-z])(?:of(?: the| all| our| its| these)?|total(?: of)?|among(?: the)?)|共|总\p{Script=Han}{0,4}|全部)\s*[:：=]?\s*$/iu
const WHOLE_IN = /^\s?\p{Script=Han}{0,8}(?:[中里内]|(?:当|之)中)/u
const LONGEST_LOOSE = 200

/** The only share of a sentence, its two counts wherever they stand: "of 400 checked, 52 were relevant (13 %)". */
function looseShare(statement: Statement): Assertion | null {
  const { text, quantities, kind } = statement
  const isChange = ({ from, to, signed }: Quantity): boolean =>
    signed ||
    /(?<![A-Za-z])to\s?$|[到至]\s?$/i.test(text.slice(0, from)) ||
    has(text.slice(Math.max(0, from - 8), to + 10), 'change', 'up', 'down', 'better', 'worse')
  const [percent, more] = quantities.filter(({ unit }) => unit === '%')
  const [a, b, third] = quantities.filter(one => isCount(one) && one.unit !== 'times' && one.unit !== 'points')
  if (percent === undefined || more !== undefined || a === undefined || b === undefined || third !== undefined)
    return null
  if (kind === 'cell' || text.length > LONGEST_LOOSE || percent.ends !== null || isChange(percent)) return null
  const isWhole = ({ from, to }: Quantity): boolean =>
    OF_WHOLE.test(text.slice(Math.max(0, from - 14), from)) || WHOLE_IN.test(text.slice(to, to + 12))
  // What comes first and is not "of" them is a share of something else.
  if (percent.to <= a.from && !/^\s?(?:of(?![A-Za-z])|的)/i.test(text.slice(percent.to))) return null
  const [part, whole] = a.value < b.value ? [a, b] : [b, a]
  const stated = percent.value / ((100 * part.value) / whole.value)
  if (!isWhole(whole) || isWhole(part) || stated < 0.5 || stated > 2) return null
  const roles = [[part, 'part'] as const, [whole, 'whole'] as const, [percent, 'result'] as const]
  const figures = roles.map(([one, role]) => figureOf(statement, one, role))
  const stretch = { from: Math.min(a.from, percent.from), to: Math.max(b.to, percent.to) }
  return assertionIn(statement, 'share', stretch, { figures, manner: 'loose unsure' })
}

/** The digits that a pattern found may be part of what the tokens call a step ("Step 40/80"). */
function matched(statement: Statement, { index, 0: found, indices }: RegExpExecArray, manner = ''): Assertion {
  const figures = (['part', 'whole', 'percent'] as const).flatMap(name => {
    const [from, to] = indices?.groups?.[name] ?? []
    if (from === undefined || to === undefined) return []
    const mark = /([~≈约<>≤≥])\s?$/.exec(statement.text.slice(Math.max(0, from - 2), from))?.[1] ?? ''
    const hedge = mark === '' || /[<>≤≥]/.test(mark) ? mark : '约'
    const role = name === 'percent' ? 'result' : name
    return [printedFigure(statement, statement.text.slice(from, to), from, role, hedge)]
  })
  return assertionIn(statement, 'share', { from: index, to: index + found.length }, { figures, manner })
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
    const isPair = /^\s?\p{L}{0,8}\s?[(（]\s?$/u.test(text.slice(part.to, percent.from))
    return isPair && !/\/\s?$/.test(text.slice(0, part.from)) ? [[part, percent]] : []
  })
}

function isCount({ value, ends, hedge, unit }: Quantity): boolean {
  return Number.isInteger(value) && value >= 0 && ends === null && hedge === null && unit !== '%'
}

function inWords(statement: Statement, [part, percent]: Pair): Share {
  const stretch = { from: part.from, to: percent.to }
  const assert: Share['assert'] = draft => assertionIn(statement, 'share', stretch, draft)
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
    const assert: Share['assert'] = draft => assertionInEntry(entry, 'share', draft)
    const inCell = { part: pair[0].value, percent: entryFigure(entry, pair[1], 'result'), assert }
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
        return [{ share: { part, percent: cellFigure(cell, percent), assert }, whole }]
      }),
    )
    const rightIn = (shares: (typeof solved)[number]): number =>
      shares.filter(({ share, whole }) => share.part < 0.99 * whole && whole >= SMALLEST_WHOLE && isOf(share, whole))
        .length
    const [best = []] = solved.sort((one, other) => rightIn(other) - rightIn(one))
    const right = rightIn(best)
    const isFraction = best.every(({ whole }, i) => shown[i]?.some(({ text }) => text.includes(`/${whole}`)))
    if (isFraction ? 2 * right >= best.length : right >= FEWEST_RIGHT && right >= best.length - 1)
      for (const { share, whole } of best) yield asserted(share, whole, isFraction || right > FEWEST_RIGHT)
  }
}

const FRACTION_CELL = new RegExp(String.raw`^\s*(${INTEGER})\s?\/\s?(${INTEGER})(?:\s[a-z]{1,12})?\s*(?:$|[(（])`, 'i')

function countIn(cell: Cell | undefined): number | null {
  const [count, more] = cell?.quantities ?? []
  return count !== undefined && isCount(count) && (more === undefined || more.unit === '%') ? count.value : null
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
  const fraction = (row: readonly Cell[], column: number, which: 1 | 2): number | null => {
    const found = FRACTION_CELL.exec(row[column]?.text ?? '')?.[which]
    return found === undefined ? null : numberOf(found)
  }
  const numbers = integersIn(`${table.caption?.text ?? ''} ${table.header.map(({ text }) => text).join(' ')}`)
  for (const { index: own } of columns)
    yield { partOf: row => fraction(row, own, 1), wholeOf: row => fraction(row, own, 2) }
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

const numberOf = (printed: string): number => Number(/[\d.]+/.exec(printed.replaceAll(',', ''))?.[0])

function integersIn(text: string): readonly number[] {
  return [...text.matchAll(/(?<![\d.])(\d{2,9})(?![\d.]|\s?%)/g)].map(match => Number(match[1]))
}

function isOf({ part, percent }: Share, whole: number): boolean {
  const { low, high } = statedRange(percent.quantity)
  return (100 * part) / whole >= low && (100 * part) / whole <= high
}

function asserted({ part, percent, assert }: Share, whole: number, isSure: boolean): Assertion {
  return assert({ figures: [percent], manner: `${part} of ${whole} ${isSure ? 'sure' : 'unsure'}` })
}

/** The whole that most of the shares agree on. */
function* ofOneWhole(shares: readonly Share[], totals: readonly number[]): Generator<Assertion> {
  const sum = shares.reduce((total, { part }) => total + part, 0)
  const implied = shares.map(({ part, percent }) => Math.round((100 * part) / percent.quantity.value))
  const largest = Math.max(1, ...shares.map(({ part }) => part))
  const candidates = [...totals, sum, ...implied].filter(whole => Number.isFinite(whole) && whole >= largest)
  const countOf = (whole: number): number => shares.filter(share => isOf(share, whole)).length
  const [whole] = candidates.sort((a, b) => countOf(b) - countOf(a))
  if (whole === undefined) return
  // Two parts make a whole that the text before them gives: then one of them is enough.
  const isGiven = whole === sum && totals.includes(sum)
  if (!isGiven && (countOf(whole) < 2 || countOf(whole) < 0.6 * shares.length)) return
  const isSure = totals.includes(whole) || whole === sum || shares.length > 3
  for (const share of shares) yield asserted(share, whole, isSure)
}

function check(assertion: Assertion): Outcome {
  const { manner, quote } = assertion
  const [, solvedPart, solvedWhole] = /^(\d+) of (\d+)/.exec(manner) ?? []
  const part = figureAs(assertion, 'part')?.text ?? solvedPart
  const whole = figureAs(assertion, 'whole')?.text ?? solvedWhole
  if (part === undefined || whole === undefined || numberOf(whole) === 0) return UNCHECKED
  if (manner === 'score') {
    if (numberOf(part) <= numberOf(whole)) return confirmed(`${part} ≤ ${whole}`)
    const more = { found: part, expected: `≤ ${whole}` }
    const at = figureAs(assertion, 'part')?.offset ?? assertion.offset
    return refute('impossible-score', at, say('audit.impossible-score', { quote, part, whole }), more)
  }
  const result = figureAs(assertion, 'result')
  if (result === null) return UNCHECKED
  const percent = (100 * numberOf(part)) / numberOf(whole)
  const { low, high } = statedRange(result.quantity)
  // "4/80 failed (95 % passed)".
  if ([percent, 100 - percent].some(share => share >= low && share <= high)) return confirmed(`${part} / ${whole}`)
  const expected = asPrinted(percent, result.quantity)
  const severity = manner.endsWith('unsure') ? 'warning' : 'error'
  const message = say('audit.share', { quote, part, whole, expected, found: result.text })
  return refute('wrong-share', result.offset, message, { severity, isFix: true })
}

export const share: Relation = { names: ['share'], inStatement, inTable, inEntries, check }

import { everyMatch } from '../../document/matches.js'
import { type Axis, linesOfMatrix, type Matrix, type Point } from '../../document/matrix.js'
import { NUMBER_WORDS, type Quantity } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { type Assertion, confirmed, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import type { Entry } from '../entries.js'
import { type Evidence, isAround, isSizeName } from '../evidence.js'
import { refute } from '../fault.js'
import { has } from '../lexicon.js'
import { type Clause, clauseOf, focusOf, type Mention, mentionsInText } from '../mentions.js'
import { assertionIn, assertionInCell, assertionInEntry, cellFigure, entryFigure } from '../read.js'
import { namesStranger } from '../strangers.js'
import { termAt, viewsOf } from './view.js'

/**
 * "Better on 4 of 6 data sets", "improved: 5/12", 其余 12 个全部上升: so many rows for which something holds. Every way to
 * count the rows of a table is tried: one column above another, a column that is the best of its row, a difference above
 * zero. Refuted only where none of them gives the number.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.count-mismatch': { en: '“{quote}”: of the {total} rows of the table in line {at} it is {expected}, not {found}; count again', zh: '“{quote}”：第 {at} 行的表共 {total} 行，其中是 {expected}，不是 {found}；应重新数' },
})

const NUMBER = String.raw`\d{1,3}|one|two|three|four|five|six|seven|eight|nine|ten`
const NUMBER_ZH = String.raw`\d{1,3}|[一两三四五六七八九十]`
const COUNTED = '(?:个|项|种|类|组)'
const THINGS = '(?:tasks?|sets?|benchmarks?|models?|arms?|runs?|settings?|environments?|categories|cases)'
const patterns = (...list: readonly string[]): readonly RegExp[] => list.map(one => new RegExp(one, 'gi'))

const OF_SO_MANY = patterns(
  String.raw`(?<![\w.=])(?<part>${NUMBER}|both|all|(?:every|each)(?: one)?)\s?(?:/|(?:out )?of(?: the)?)\s?(?<whole>${NUMBER})(?![\w.%])`,
  `(?<![A-Za-z])(?:on|in|for|across) (?<part>all) (?<whole>${NUMBER}) [a-z]`,
  String.raw`(?<whole>${NUMBER_ZH})\s?${COUNTED}[^,，。;；\d]{0,12}[中里][^,，。;；\d]{0,10}?(?<part>${NUMBER_ZH})\s?${COUNTED}`,
)
/** 准确率超过 52% 的有 3 组, "wins only one task": so many, and nobody says of how many. */
const SO_MANY = patterns(
  String.raw`的(?:共?有|共)\s?(?<part>${NUMBER_ZH})\s?[个组项种条]`,
  String.raw`在\s?(?<part>${NUMBER_ZH})\s?(?:个|项|种)[^,，。;；\d]{1,8}[上中](?!的)`,
  `(?<![A-Za-z])(?:only|on|in|wins|leads) (?<part>${NUMBER}) ${THINGS}(?![A-Za-z])`,
)
const UNKNOWN = -1
/** "More than one point", "more than half of": nobody knows of which column. */
const LIMIT_IN_WORDS = /(?<![a-z])(?:than|over|above|below|under) (?:an? |one |two |three |half)|过半|[一大]半|半数/i

const numberOf = (text: string): number => NUMBER_WORDS.get(text.toLowerCase()) ?? Number(text)

const SUPERLATIVES = ['best', 'worst', 'maximum', 'minimum', 'first'] as const
const PREDICATES = ['better', 'worse', 'up', 'down', 'larger', 'smaller', 'same', 'works', ...SUPERLATIVES] as const

function* inClause(clause: Clause): Generator<Assertion> {
  const { statement, text } = clause
  if (!has(text, ...PREDICATES) || LIMIT_IN_WORDS.test(text)) return
  const ofSoMany = OF_SO_MANY.flatMap(pattern => everyMatch(text, pattern))
  const found = ofSoMany.length > 0 ? ofSoMany : SO_MANY.flatMap(pattern => everyMatch(text, pattern))
  for (const { groups: { part = '', whole } = {} } of found) {
    const count = numberOf(/both|all|every|each/i.test(part) ? (whole ?? '') : part)
    const total = whole === undefined ? UNKNOWN : numberOf(whole)
    yield assertionIn(statement, 'tally', clause, { manner: `tally ${count} ${total}` })
  }
}

/** Counts of changes by their sign, under a name that says which. */
const SIGNED: readonly (readonly [name: string, sign: number, pattern: RegExp])[] = [
  ['rises', 1, /提升.*数|improved|上升.*数|increased/i],
  ['falls', -1, /下降.*数|退化.*数|worse|decreased|dropped|regressed/i],
  ['ties', 0, /持平.*数|不变.*数|equal|unchanged|tied/i],
]

export const isCountName = (name: string): boolean => SIGNED.some(([, , pattern]) => pattern.test(name))

/** "Improved: 5/12". */
function* inEntries(entries: readonly Entry[]): Generator<Assertion> {
  for (const entry of entries) {
    const { key, value, quantities } = entry
    const [part, whole] = quantities
    const [sign] = SIGNED.find(([, , pattern]) => pattern.test(key)) ?? []
    if (whole === undefined || sign === undefined || !/^\s?\/\s?$/.test(value.slice(part.to, whole.from))) continue
    const figures = [entryFigure(entry, part, 'part'), entryFigure(entry, whole, 'whole')]
    yield assertionInEntry(entry, 'tally', { quantity: key, figures, manner: `${sign} ${part.value} ${whole.value}` })
  }
}

const FRACTION = /^\s?(\d{1,3})\s?(?:\/\s?(\d{1,3})(?![\d.%])|$)/
const COUNT_NAME = /(?:任务|类别|数据集|基准|场景|领域|子集|指标)数$|(?<![a-z])number of(?![a-z])|^#/i
/** 比 A 好. */
const BETTER_THAN = /比[^,，。]{1,24}[好差高低大小多少快慢强]/

/** "Tuned better than plain | 4/6", or 优于基线的任务数 below the name of an arm: rows and columns say what is counted. */
function* inTable(matrix: Matrix): Generator<Assertion> {
  const called = matrix.rows.filter(({ name }) => has(name, ...PREDICATES) || BETTER_THAN.test(name))
  for (const { name, index } of called.slice(0, MOST_LINES)) {
    for (const column of matrix.columns.slice(1)) {
      const cell = matrix.table.rows[index]?.[column.index]
      const [, part, whole] = FRACTION.exec(cell?.text ?? '') ?? []
      if (cell === undefined || part === undefined || (whole === undefined && !COUNT_NAME.test(name))) continue
      const figures = [cellFigure(cell, cell.quantities[0])]
      const manner = `cell ${part} ${whole ?? UNKNOWN}`
      yield assertionInCell(matrix, cell, 'tally', { quantity: `${column.name} ${name}`, figures, manner })
    }
  }
}

const NEAREST = 4

/** What is counted: the words that say it, and what they name of a table. */
interface Counted {
  readonly text: string
  readonly namedIn: (matrix: Matrix) => readonly Mention[]
  /** What the mentions are places in. */
  readonly whole: string
  readonly quantities: readonly Quantity[]
}

function countedIn({ quantity }: Assertion, clause: Clause | null): Counted {
  const text = clause?.text ?? quantity ?? ''
  if (clause === null) return { text, whole: text, quantities: [], namedIn: matrix => mentionsInText(text, matrix) }
  const quantities = clause.statement.quantities.filter(one => one.from >= clause.from && one.to <= clause.to)
  return { text, whole: clause.statement.text, quantities, namedIn: matrix => focusOf(clause, matrix).own }
}

function check(assertion: Assertion, evidence: Evidence): Outcome {
  const { scope, stance, offset, manner, quote, figures } = assertion
  const [kind = '', ...counts] = manner.split(' ')
  const [part = Number.NaN, whole = UNKNOWN] = counts.map(Number)
  if (stance !== 'said' || Number.isNaN(part)) return UNCHECKED
  const tables = evidence.near(offset).filter(({ table }) => table !== scope.table)
  const tell = ({ table, rows }: Matrix, all: readonly number[], severity: 'error' | 'warning'): Outcome => {
    const at = evidence.document.placeOf(table.offset).line
    const expected = [...new Set(all)].sort((a, b) => a - b).join(' / ')
    const message = say('audit.count-mismatch', { quote, total: rows.length, at, expected, found: part })
    const more = { severity, also: [table.offset], isFix: figures.length > 0 }
    return refute('count-mismatch', figures[0]?.offset ?? offset, message, more)
  }
  const [, sign] = SIGNED.find(([name]) => name === kind) ?? []
  if (sign !== undefined) {
    const above = tables.find(({ table }) => table.offset < offset)
    const signed = above === undefined ? [] : signedIn(above, whole, sign)
    if (signed.some(({ called }) => called === part)) return confirmed('the table above')
    const best = signed.find(({ printed }) => printed === part) ?? signed[0]
    if (above === undefined || best === undefined) return UNCHECKED
    return tell(above, [best.called], best.printed === part ? 'warning' : 'error')
  }
  const clause = clauseOf(assertion)
  const counted = countedIn(assertion, clause)
  const made = tables.slice(0, NEAREST).map(matrix => {
    const named = new Set(counted.namedIn(matrix).map(({ axes }) => axes[0])).size
    return { matrix, named, counts: countsIn(counted, matrix, part, whole) }
  })
  // Whom it counts for must be named in the table that refutes it; where nobody is named, the table of the section is meant.
  const most = Math.max(0, ...made.map(({ named }) => named))
  const isInside = ({ counts, matrix: { table } }: (typeof made)[number]): boolean =>
    counts.length > 0 && table.section === scope.section
  const inside = most === 0 ? made.filter(isInside) : []
  const meant = inside.length > 0 ? inside : made.filter(({ named }) => named === most)
  if (meant.some(({ counts }) => counts.includes(part))) return confirmed('a table')
  const isMissing = ({ matrix, counts }: (typeof made)[number]): boolean =>
    counts.length > 0 &&
    isAround(matrix.table.section, scope.section) &&
    (clause === null || !namesStranger(clause, matrix))
  const isOpen = most === 0 && (clause === null || has(counted.text, ...SUPERLATIVES))
  const miss = isOpen ? undefined : meant.find(isMissing)
  return miss === undefined ? UNCHECKED : tell(miss.matrix, miss.counts, 'warning')
}

/** How many differences of a column have a sign, as printed, and where a row that a remark calls level counts as level. */
function signedIn(matrix: Matrix, whole: number, sign: number) {
  const isCalledLevel = ({ at }: Point): boolean =>
    matrix.table.rows[at.index]?.some(({ text, quantities }) => quantities.length === 0 && has(text, 'same')) ?? false
  const lines = linesOfMatrix(matrix).filter(({ of, points }) => of.role === 'difference' && points.length === whole)
  return lines.map(({ points }) => ({
    printed: points.filter(({ quantity }) => Math.sign(quantity.value) === sign).length,
    called: points.filter(one => (isCalledLevel(one) ? 0 : Math.sign(one.quantity.value)) === sign).length,
  }))
}

const MOST_LINES = 12

type Values = readonly (number | null)[]

/** All numbers of rows for which something can hold; of the lines that are named alone, where some are. */
function countsIn({ text, whole: around, quantities, namedIn }: Counted, matrix: Matrix, part: number, whole: number) {
  const own = namedIn(matrix)
  // "Exceed 20 %": what the rows are compared with.
  const limit = quantities.find(
    ({ from, to, value }) => value !== part && value !== whole && !own.some(name => name.from <= from && name.to >= to),
  )
  const isSuperlative = has(text, ...SUPERLATIVES)
  const views = viewsOf(matrix).map(view => {
    const items = view.items.filter(({ role }) => role === 'value')
    const lines = view.lines.filter(({ role, name }) => role === 'value' && !isSizeName(name)).slice(0, MOST_LINES)
    const named = lines.filter(line => own.some(({ axes }) => axes.includes(line)))
    return { view, items, lines, named }
  })
  // Who is named must be among those that are counted for.
  const counted = views.filter(
    ({ items, named }) => (whole === UNKNOWN || items.length === whole) && (own.length === 0 || named.length > 0),
  )
  return counted.flatMap(({ view, items, lines, named }) => {
    const valuesOf = (line: Axis): Values => items.map(item => termAt(view, item, line)?.quantity.value ?? null)
    const level = items.map(() => limit?.value ?? 0)
    const isPair = named.length > 1 && !isSuperlative && !areListed(own, around)
    const counts = (named.length > 0 ? named : lines).flatMap(line => {
      const values = valuesOf(line)
      const rivals = (isPair ? named : lines).filter(one => one !== line).map(valuesOf)
      const others = limit === undefined ? rivals : [level]
      if (!isSuperlative) return others.flatMap(other => signs(values, other))
      const isTop = (sign: number) => (value: number | null, i: number) =>
        others.every(other => isBeyond(value, other[i] ?? null, sign))
      return [1, -1].map(sign => values.filter(isTop(sign)).length)
    })
    const changes = isPair || isSuperlative ? [] : view.lines.filter(({ role }) => role === 'difference')
    return [...counts, ...changes.flatMap(line => signs(valuesOf(line), level))]
  })
}

/** "A and B improve", not "A beats B". */
function areListed(own: readonly Mention[], text: string): boolean {
  return own.some((one, i) => i > 0 && /^\s?(?:[,，、/]|and|or|[和与及])\s?/i.test(text.slice(own[i - 1].to, one.from)))
}

/** How often the first is above the second, below it, and level; none where one of them has gaps. */
function signs(values: Values, others: Values): readonly number[] {
  const found = values.map((one, i) => Math.sign((one ?? Number.NaN) - (others[i] ?? Number.NaN)))
  return found.some(Number.isNaN) ? [] : [1, -1, 0].map(sign => found.filter(one => one === sign).length)
}

function isBeyond(own: number | null, other: number | null, sign: number): boolean {
  if (own === null || other === null) return own !== null
  return own === other || Math.sign(own - other) === sign
}

export const tally: Relation = { names: ['tally'], inClause, inTable, inEntries, check }

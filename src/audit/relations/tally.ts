import { everyMatch } from '../../document/matches.js'
import { type Axis, linesOfMatrix, type Matrix, type Point } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { type Assertion, confirmed, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import { isBaseIn } from '../binding.js'
import type { Entry } from '../entries.js'
import { type Evidence, isAround } from '../evidence.js'
import { refute } from '../fault.js'
import { has } from '../lexicon.js'
import { type Clause, clauseOf, focusOf, type Mention, mentionsInText } from '../mentions.js'
import { assertionIn, assertionInCell, assertionInEntry, cellFigure, entryFigure } from '../read.js'
import { namesStranger } from '../strangers.js'
import { termAt, viewsOf } from './view.js'

/**
 * "Better on 4 of 6 data sets", "improved: 5/12", 其余 12 个全部上升: so many rows for which something holds. Every way to
 * count the rows of a table is tried: one column above another, a column that is the best of its row, a difference above
 * zero, a remark that says so. Refuted only where none of them gives the number.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.count-mismatch': { en: '“{quote}”: of the {total} rows of the table in line {at} it is {expected}, not {found}; count again', zh: '“{quote}”：第 {at} 行的表共 {total} 行，其中是 {expected}，不是 {found}；应重新数' },
})

const NUMBERS = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ')
const CHINESE = '零一二三四五六七八九十'
const PART = String.raw`(?<part>\d{1,3}|${NUMBERS.slice(1).join('|')}`
const WHOLE = String.raw`\d{1,3}|${NUMBERS.slice(2).join('|')}`
const PART_ZH = String.raw`(?<part>\d{1,3}|[一两三四五六七八九十])`
const COUNTED = '(?:个|项|种|类|组)'
const THINGS = '(?:tasks?|sets?|benchmarks?|models?|arms?|runs?|settings?|environments?|categories|cases)'
const patterns = (...list: readonly string[]): readonly RegExp[] => list.map(one => new RegExp(one, 'gi'))

const OF_SO_MANY = patterns(
  String.raw`(?<![\w.=])${PART}|both|all|(?:every|each)(?: one)?)\s?(?:/|(?:out )?of(?: the)?)\s?(?<whole>${WHOLE})(?![\w.%])`,
  `(?<![A-Za-z])(?:on|in|for|across) (?<part>all) (?<whole>${WHOLE}) [a-z]`,
  String.raw`(?<whole>\d{1,3}|[两三四五六七八九十])\s?${COUNTED}[^,，。;；\d]{0,12}[中里][^,，。;；\d]{0,10}?${PART_ZH}\s?${COUNTED}`,
)
/** 准确率超过 52% 的有 3 组, "wins only one task": so many, and nobody says of how many. */
const SO_MANY = patterns(
  String.raw`的(?:共?有|共)\s?${PART_ZH}\s?[个组项种条]`,
  String.raw`在\s?${PART_ZH}\s?(?:个|项|种)[^,，。;；\d]{1,8}[上中](?!的)`,
  `(?<![A-Za-z])(?:only|on|in|wins|leads) ${PART}) ${THINGS}(?![A-Za-z])`,
)
const UNKNOWN = -1
/** "More than one point", "more than half of": nobody knows of which column. */
const LIMIT_IN_WORDS = /(?<![a-z])(?:than|over|above|below|under) (?:an? |one |two |three |half)|过半|[一大]半|半数/i
const EVERYWHERE = /[上中里](?:全部?|都|均)/

function numberOf(text: string): number {
  const word = NUMBERS.indexOf(text.toLowerCase())
  if (word >= 0) return word
  return text === '两' ? 2 : CHINESE.includes(text) ? CHINESE.indexOf(text) : Number(text)
}

const SUPERLATIVES = ['best', 'worst', 'maximum', 'minimum', 'first'] as const
const PREDICATES = ['better', 'worse', 'up', 'down', 'larger', 'smaller', 'same', 'works', ...SUPERLATIVES] as const

function* inClause(clause: Clause): Generator<Assertion> {
  const { statement, text } = clause
  if (statement.kind === 'cell' || statement.text.length > 400 || !has(text, ...PREDICATES)) return
  if (LIMIT_IN_WORDS.test(text)) return
  const ofSoMany = OF_SO_MANY.flatMap(pattern => everyMatch(text, pattern))
  const found = ofSoMany.length > 0 ? ofSoMany : SO_MANY.flatMap(pattern => everyMatch(text, pattern))
  for (const { groups: { part = '', whole } = {} } of found) {
    const count = /both|all|every|each/i.test(part) ? numberOf(whole ?? '') : numberOf(part)
    // 在七个站点上都更高: of as many as that.
    const total = whole !== undefined ? numberOf(whole) : EVERYWHERE.test(text) ? count : UNKNOWN
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
    if (part === undefined || whole === undefined || sign === undefined || part.from > 4) continue
    if (!/^\s?\/\s?$/.test(value.slice(part.to, whole.from))) continue
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
  if (matrix.isSettings) return
  const isRead = (name: string): boolean => matrix.columns.length === 2 && isCountName(name)
  const isCalled = (name: string): boolean => has(name, ...PREDICATES) || BETTER_THAN.test(name)
  const called = matrix.rows.filter(({ name }) => isCalled(name) && !isRead(name))
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
  if (clause === null) {
    const text = quantity ?? ''
    return { text, whole: text, quantities: [], namedIn: matrix => mentionsInText(text, matrix) }
  }
  const { statement, from, to, text } = clause
  const quantities = statement.quantities.filter(one => one.from >= from && one.to <= to)
  return { text, whole: statement.text, quantities, namedIn: matrix => focusOf(clause, matrix).own }
}

function check(assertion: Assertion, evidence: Evidence): Outcome {
  const { scope, stance, offset, manner, quote, figures } = assertion
  const [kind = '', ...counts] = manner.split(' ')
  const [part = Number.NaN, whole = UNKNOWN] = counts.map(Number)
  if (stance !== 'said' || Number.isNaN(part)) return UNCHECKED
  const tables = evidence.near(offset).filter(({ table }) => table !== scope.table)
  const here = tables.filter(({ table }) => isAround(table.section, scope.section))
  const tell = ({ table, rows }: Matrix, all: readonly number[], severity: 'error' | 'warning'): Outcome => {
    const at = evidence.document.placeOf(table.offset).line
    const expected = [...new Set(all)].sort((a, b) => a - b).join(' / ')
    const message = say('audit.count-mismatch', { quote, total: rows.length, at, expected, found: part })
    const more = { severity, also: [table.offset], isFix: figures.length > 0 }
    return refute('count-mismatch', figures[0]?.offset ?? offset, message, more)
  }
  const clause = kind === 'tally' ? clauseOf(assertion) : null
  const counted = countedIn(assertion, clause)
  const [, sign] = SIGNED.find(([name]) => name === kind) ?? []
  const above = here.find(({ table }) => table.offset < offset)
  // "Tuned worse than plain: 2/5" counts for those it names, not changes by their sign.
  const isNamed = above !== undefined && counted.namedIn(above).some(({ axes }) => axes[0].role === 'value')
  if (sign !== undefined && !isNamed) {
    const signed = above === undefined ? [] : signedIn(above, whole, sign)
    if (signed.some(({ called }) => called === part)) return confirmed('the table above')
    const best = signed.find(({ printed }) => printed === part) ?? signed[0]
    if (above === undefined || best === undefined) return UNCHECKED
    return tell(above, [best.called], best.printed === part ? 'warning' : 'error')
  }
  const made = tables.slice(0, NEAREST).map(matrix => {
    const named = new Set(counted.namedIn(matrix).map(({ axes }) => axes[0])).size
    return { matrix, named, ...countsIn(counted, matrix, part, whole) }
  })
  // Whom it counts for must be named in the table that refutes it, or in none; and no table answers for half of them.
  const most = Math.max(0, ...made.map(({ named }) => named))
  // Where nobody is named, the table of the section is meant.
  const inside = made.filter(
    ({ counts, matrix }) => most === 0 && counts.length > 0 && matrix.table.section === scope.section,
  )
  const meant = inside.length > 0 ? inside : made.filter(({ named }) => named === most)
  if (meant.some(({ counts }) => counts.includes(part))) return confirmed('a table')
  const isOpen = most === 0 && (clause === null || has(counted.text, ...SUPERLATIVES))
  const isMissing = ({ matrix, counts, isOf }: (typeof made)[number]): boolean =>
    isOf && counts.length > 0 && here.includes(matrix) && !(clause !== null && namesStranger(clause, matrix))
  const miss = isOpen ? undefined : meant.find(isMissing)
  return miss === undefined ? UNCHECKED : tell(miss.matrix, miss.counts, 'warning')
}

/** How many differences of a column have a sign, as printed, and where a row that a remark calls level counts as level. */
function signedIn(matrix: Matrix, whole: number, sign: number) {
  const remarks = matrix.columns.filter(({ role }) => role === 'remark')
  const isCalledLevel = ({ at }: Point): boolean =>
    remarks.some(({ index }) => has(matrix.table.rows[at.index]?.[index]?.text ?? '', 'same'))
  const lines = linesOfMatrix(matrix).filter(
    ({ of, isColumn, points }) => isColumn && of.role === 'difference' && points.length === whole,
  )
  return lines.map(({ points }) => ({
    printed: points.filter(({ quantity }) => Math.sign(quantity.value) === sign).length,
    called: points.filter(one => (isCalledLevel(one) ? 0 : Math.sign(one.quantity.value)) === sign).length,
  }))
}

const MOST_LINES = 12

type Values = readonly (Pick<Quantity, 'value' | 'range'> | null)[]

/** All numbers of rows for which something can hold; of the lines that are named alone, where some are. */
function countsIn({ text, whole: around, quantities, namedIn }: Counted, matrix: Matrix, part: number, whole: number) {
  const own = namedIn(matrix)
  const isOther = ({ from, to, value }: Quantity): boolean =>
    value !== part && value !== whole && !own.some(name => name.from <= from && name.to >= to)
  // "Exceed 20 %": what the rows are compared with.
  const limit = quantities.find(isOther)
  const isSuperlative = has(text, ...SUPERLATIVES)
  const isBase = (axis: Axis): boolean => own.some(one => one.axes.includes(axis) && isBaseIn(around, one))
  const views = viewsOf(matrix).map(view => {
    const unitOf = (item: Axis) => view.lines.flatMap(line => termAt(view, item, line)?.quantity.unit ?? [])[0]
    const measured = view.items.filter(item => item.role === 'value' && !isBase(item))
    // A rate beside the counts it was made of is none of them.
    const items = view.isTurned ? measured.filter(item => unitOf(item) === unitOf(measured[0])) : measured
    const isLike = (line: Axis): boolean =>
      limit?.unit == null || items.some(item => termAt(view, item, line)?.quantity.unit === limit.unit)
    const lines = view.lines.filter(line => line.role === 'value' && isLike(line))
    const areComparable = limit !== undefined ? !view.isTurned : view.isTurned ? matrix.alongColumns : matrix.alongRows
    const isOpen = areComparable && lines.length <= MOST_LINES
    const named = isOpen ? lines.filter(line => own.some(({ axes }) => axes.includes(line))) : []
    return { view, items, lines: isOpen ? lines : [], named, isCounted: whole === UNKNOWN || items.length === whole }
  })
  const counted = views.filter(({ isCounted }) => isCounted)
  // Two that are compared are counted along what they are compared on.
  const compared = counted.filter(({ named }) => named.length > 1)
  const counts: number[] = []
  for (const { view, items, lines, named } of compared.length > 0 ? compared : counted) {
    const valuesOf = (line: Axis): Values => items.map(item => termAt(view, item, line)?.quantity ?? null)
    const level = items.map(() => limit ?? ZERO)
    const isPair = named.length > 1 && !isSuperlative && areCompared(own, around)
    for (const line of named.length > 0 ? named : lines) {
      const values = valuesOf(line)
      const rivals = (isPair ? named : lines).filter(one => one !== line).map(valuesOf)
      const others = limit === undefined ? rivals : [level]
      if (!isSuperlative || named.length === 0) counts.push(...others.flatMap(other => signs(values, other)))
      const isTop = (sign: number) => (_: unknown, i: number) =>
        others.every(other => isBeyond(values[i] ?? null, other[i] ?? null, sign))
      if (isSuperlative) counts.push(...[1, -1].map(sign => items.filter(isTop(sign)).length))
    }
    const isDirect = view.isTurned || limit !== undefined || isPair || (isSuperlative && named.length > 0)
    for (const line of isDirect ? [] : view.lines) {
      if (line.role === 'difference') counts.push(...signs(valuesOf(line), level))
      if (line.role === 'remark' && named.length === 0)
        counts.push(...repeats(items.map(item => view.cellAt(item, line)?.text)))
    }
  }
  const isOf = own.length === 0 || counted.some(({ named }) => named.length > 0)
  return { counts, isOf }
}

/** "A beats B", A 比 B 好: not "A and B improve". */
function areCompared(own: readonly Mention[], text: string): boolean {
  const isListed = (one: Mention, i: number): boolean => i > 0 && LIST.test(text.slice(own[i - 1].to, one.from))
  return own.some(one => isBaseIn(text, one)) || !own.some(isListed)
}

const LIST = /^\s?(?:[,，、/]|and|or|[和与及])\s?/i

const ZERO = { value: 0, range: { low: 0, high: 0 } }

/** How often the first is above the second, below it, and level; none where one of them has gaps. */
function signs(values: Values, others: Values): readonly number[] {
  const found = values.flatMap((one, i) => {
    const other = others[i] ?? null
    return one === null || other === null ? [] : [Math.sign(one.value - other.value)]
  })
  return found.length < values.length ? [] : [1, -1, 0].map(sign => found.filter(one => one === sign).length)
}

function isBeyond(own: Values[number], other: Values[number], sign: number): boolean {
  if (own === null || other === null) return own !== null
  return own.value === other.value || Math.sign(own.value - other.value) === sign
}

/** How often each remark stands in a column: ✅, pass, the name of the winner. */
function repeats(remarks: readonly unknown[]): readonly number[] {
  return [...new Set(remarks)].map(remark => remarks.filter(one => one === remark).length)
}

export const tally: Relation = { names: ['tally'], inClause, inTable, inEntries, check }

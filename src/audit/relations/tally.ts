import type { Statement } from '../../document/document.js'
import { everyMatch } from '../../document/matches.js'
import { type Axis, linesOfMatrix, type Matrix, type Point } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { meets } from '../arithmetic.js'
import { type Assertion, confirmed, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import type { Entry } from '../entries.js'
import { type Evidence, isAround } from '../evidence.js'
import { refute } from '../fault.js'
import { has } from '../lexicon.js'
import { areOf, type Clause, clauseOf, type Focus, focusOf, namesCorner } from '../mentions.js'
import { assertionIn, assertionInEntry, entryFigure } from '../read.js'
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
  String.raw`(?<![\w.])${PART}|both|all|(?:every|each)(?: one)?)\s?(?:/|(?:out )?of(?: the)?)\s?(?<whole>${WHOLE})(?![\w.%])`,
  `(?<![A-Za-z])(?:on|in|for|across) (?<part>all) (?<whole>${WHOLE}) [a-z]`,
  String.raw`(?<whole>\d{1,3}|[两三四五六七八九十])\s?${COUNTED}[^,，。;；\d]{0,12}[中里][^,，。;；\d]{0,10}?${PART_ZH}\s?${COUNTED}`,
)
/** 准确率超过 52% 的有 3 组, "wins only one task": so many, and nobody says of how many. */
const SO_MANY = patterns(
  String.raw`的(?:共?有|共)\s?${PART_ZH}\s?[个组项种条]`,
  String.raw`在\s?${PART_ZH}\s?(?:个|项|种)[^,，。;；\d]{1,8}[上中](?!的)`,
  `(?<![A-Za-z])(?:only|on|in|wins|leads) ${PART}) ${THINGS}(?![A-Za-z])`,
)
/** What is counted: "four categories". */
const KIND = new RegExp(`of(?: the)? (?:${WHOLE}) ([a-z]{3,20})`, 'i')
const UNKNOWN = -1

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
  const ofSoMany = OF_SO_MANY.flatMap(pattern => everyMatch(text, pattern))
  const found = ofSoMany.length > 0 ? ofSoMany : SO_MANY.flatMap(pattern => everyMatch(text, pattern))
  for (const { groups: { part = '', whole } = {} } of found) {
    const total = whole === undefined ? UNKNOWN : numberOf(whole)
    const count = /both|all|every|each/i.test(part) ? total : numberOf(part)
    yield assertionIn(statement, 'tally', clause, { manner: `tally ${count} ${total}` })
  }
}

const RISES = '上?升|上?涨|提[升高]|up|rise|rose|improve[sd]?'
const FALLS = '下?降|下?跌|退化|down|falls?|fell|drop(?:s|ped)?|regress(?:es|ed)?'
const LEVELS = '持?平|不变|unchanged|flat'
const [ENUMERATED = /$^/, ENUMERATED_ZH = /$^/, OF_ALL = /$^/] = patterns(
  String.raw`(?<![\w.])${PART})(?: [a-z]+){0,3}? (?=[a-z])(?<way>${RISES}|${FALLS}|${LEVELS})(?![a-z])`,
  String.raw`${PART_ZH}\s?${COUNTED}?\s?(?<way>${RISES}|${FALLS}|${LEVELS})`,
  String.raw`(?:(?<![a-z])(?:all|every|each) (?:the )?[a-z]+(?: without exception)?,? (?:(?:go|went|are) )?|(?:所有|全部|每个|各)[\u4E00-\u9FFF]{1,8}[都均](?:有所)?)(?<way>${RISES}|${FALLS})(?![a-z])`,
)
const signOf = (way: string): number =>
  new RegExp(`^(?:${RISES})$`, 'i').test(way) ? 1 : new RegExp(`^(?:${FALLS})$`, 'i').test(way) ? -1 : 0

/** "Three go up, two go down", 3 升 1 降, "all sets improve": how many of the rows have which sign. */
function* inStatement(statement: Statement): Generator<Assertion> {
  const { text, kind } = statement
  if (kind === 'cell' || text.length > 200 || has(text.replace(/without exception/i, ''), 'denial')) return
  const found = [ENUMERATED, ENUMERATED_ZH].flatMap(pattern => everyMatch(text, pattern))
  const counts = found.map(({ groups: { part = '', way = '' } = {} }) => [numberOf(part), signOf(way)] as const)
  const way = everyMatch(text, OF_ALL)[0]?.groups?.way
  const signs = new Set(counts.map(([, sign]) => sign))
  const all = way === undefined || found.length > 0 ? counts : [[UNKNOWN, signOf(way)] as const]
  if (all === counts && (signs.size < 2 || signs.size < counts.length)) return
  yield assertionIn(statement, 'tally', { from: 0, to: text.length }, { manner: `signs ${all.flat().join(' ')}` })
}

/** Against the one column of differences of the table above; gains of what should be small may be counted as losses. */
function checkSigns(clause: Clause, counts: readonly number[], above: Matrix | undefined): readonly number[] {
  const rows = above?.rows.filter(({ role }) => role === 'value').length ?? 0
  const [line, more] = above === undefined ? [] : linesOfMatrix(above).filter(one => one.of.role === 'difference')
  if (above === undefined || line === undefined || more !== undefined || line.points.length !== rows) return []
  // Of fewer than all, nobody knows which.
  const sum = counts.reduce((all, one, i) => (i % 2 === 0 ? all + one : all), 0)
  const isKind = counts[0] === UNKNOWN ? namesCorner(clause.text, above) : sum >= rows
  if (!isKind || rows < 3 || focusOf(clause, above).own.length > 0 || namesStranger(clause, above)) return []
  const wanted = (sign: number): number[] =>
    counts.flatMap((part, i) => (i % 2 === 0 && counts[i + 1] === sign ? [part] : []))
  const fits = (turn: 1 | -1): boolean =>
    [1, 0, -1].every(sign => {
      const held = signedIn(above, rows, sign * turn).flatMap(({ printed, called }) => [printed, called])
      return wanted(sign).every(part => held.includes(part === UNKNOWN ? rows : part))
    })
  return fits(1) || fits(-1) ? [UNKNOWN] : [1, 0, -1].map(sign => signedIn(above, rows, sign)[0]?.printed ?? 0)
}

/** Counts of changes by their sign, under a name that says which. */
const SIGNED: readonly (readonly [name: string, sign: number, pattern: RegExp])[] = [
  ['rises', 1, /提升.*数|improved|上升.*数|increased/i],
  ['falls', -1, /下降.*数|退化.*数|worse|decreased|dropped|regressed/i],
  ['ties', 0, /持平.*数|不变.*数|equal|unchanged|tied/i],
]

export const isCountName = (name: string): boolean => SIGNED.some(([, , pattern]) => pattern.test(name))

const OF_ROWS = /(?<![A-Za-z])(?:on|in|tasks?|sets?|times)(?![A-Za-z])|数$/

/** "Improved: 5/12", and "tasks improved: 7", where nobody says of how many. */
function* inEntries(entries: readonly Entry[]): Generator<Assertion> {
  for (const entry of entries) {
    const { key, value, quantities, statement } = entry
    const [part, whole] = quantities
    if (part === undefined || part.from > 4 || part.decimals !== 0 || part.signed || part.ends !== null) continue
    const [sign] = SIGNED.find(([, , pattern]) => pattern.test(key)) ?? []
    const isBare = whole === undefined && part.from <= 2 && value.length <= 24 && (part.unit ?? 'other') === 'other'
    if (whole !== undefined && /^\s?\/\s?$/.test(value.slice(part.to, whole.from)) && sign !== undefined) {
      const figures = [entryFigure(entry, part, 'part'), entryFigure(entry, whole, 'whole')]
      yield assertionInEntry(entry, 'tally', { quantity: key, figures, manner: `${sign} ${part.value} ${whole.value}` })
    } else if (statement !== null && isBare && OF_ROWS.test(`${key} ${value}`) && has(key, ...PREDICATES.slice(0, 4)))
      yield assertionInEntry(entry, 'tally', { manner: `tally ${part.value} ${UNKNOWN}` })
  }
}

const NEAREST = 4

function check(assertion: Assertion, evidence: Evidence): Outcome {
  const { scope, stance, offset, manner, quote, figures } = assertion
  const [kind = '', ...counts] = manner.split(' ')
  const [part = Number.NaN, whole = UNKNOWN] = counts.map(Number)
  const clause = clauseOf(assertion)
  if (stance !== 'said' || Number.isNaN(part)) return UNCHECKED
  const tables = evidence.near(offset).filter(({ table }) => table !== scope.table)
  const here = tables.filter(({ table }) => isAround(table.section, scope.section))
  const listed = (all: readonly number[]): string => [...new Set(all)].sort((a, b) => a - b).join(' / ')
  const tell = (
    { table, rows }: Matrix,
    expected: string,
    severity: 'error' | 'warning',
    found = `${part}`,
  ): Outcome => {
    const at = evidence.document.placeOf(table.offset).line
    const message = say('audit.count-mismatch', { quote, total: rows.length, at, expected, found })
    const more = { severity, also: [table.offset], isFix: figures.length > 0 }
    return refute('count-mismatch', figures[0]?.offset ?? offset, message, more)
  }
  const [, sign] = SIGNED.find(([name]) => name === kind) ?? []
  const above = here.find(({ table }) => table.offset < offset)
  if (kind === 'signs') {
    const own = above?.table.section === scope.section ? above : undefined
    const all = clause === null ? [] : checkSigns(clause, counts.map(Number), own)
    if (own === undefined || all.length === 0) return UNCHECKED
    if (all[0] === UNKNOWN) return confirmed('the table above')
    const expected = all.map((count, i) => `${count} ${'↑=↓'[i]}`).join(', ')
    return tell(own, expected, 'warning', quote)
  }
  if (sign !== undefined && above !== undefined) {
    const signed = signedIn(above, whole, sign)
    if (signed.some(({ called }) => called === part)) return confirmed('the table above')
    const best = signed.find(({ printed }) => printed === part) ?? signed[0]
    return best === undefined ? UNCHECKED : tell(above, `${best.called}`, best.printed === part ? 'warning' : 'error')
  }
  if (sign !== undefined || clause === null) return UNCHECKED
  const near = tables.slice(0, NEAREST)
  const counted = (KIND.exec(clause.text)?.[1] ?? '?').toLowerCase().replace(/(?:ies|y|s)$/, '')
  const ofKind = near.filter(({ table }) => table.header[0]?.text.toLowerCase().startsWith(counted))
  let miss: Outcome = UNCHECKED
  for (const matrix of ofKind.length > 0 ? ofKind : near) {
    const all = countsIn(clause, matrix, part, whole)
    if (all.includes(part)) return confirmed(matrix.table.header[0]?.text ?? '')
    if (all.length > 0 && here.includes(matrix) && miss === UNCHECKED) miss = tell(matrix, listed(all), 'warning')
  }
  return miss
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
const ZERO = { value: 0, range: { low: 0, high: 0 } }

type Value = Pick<Quantity, 'value' | 'range'> | null

/** All numbers of rows for which something can hold; of the lines that are named alone, where some are. */
function countsIn(clause: Clause, matrix: Matrix, part: number, whole: number): readonly number[] {
  const { own } = focusOf(clause, matrix)
  const limit = clause.statement.quantities.find(
    ({ from, to, value }) => from >= clause.from && to <= clause.to && value !== part && value !== whole,
  )
  if (limit !== undefined) return beyond(matrix, own, whole, limit)
  const isSuperlative = has(clause.text, ...SUPERLATIVES)
  const counts: number[] = []
  let isNamed = false
  const views = viewsOf(matrix).map(view => {
    const items = view.items.filter(({ role }) => role === 'value')
    const lines = view.lines.filter(({ role }) => role === 'value')
    const named = lines.filter(line => own.some(({ axes, isRow }) => isRow === view.isTurned && axes.includes(line)))
    return { view, items, lines, named }
  })
  // Two that are compared are counted along what they are compared on.
  const compared = views.filter(({ named, items }) => named.length > 1 && (whole === UNKNOWN || items.length === whole))
  for (const { view, items, lines, named } of compared.length > 0 ? compared : views) {
    const quantityOf = (item: Axis, line: Axis): Value => termAt(view, item, line)?.quantity ?? null
    const isOpen =
      (view.isTurned ? matrix.alongColumns : matrix.alongRows) && lines.length > 1 && lines.length <= MOST_LINES
    if (whole !== UNKNOWN && items.length !== whole) continue
    isNamed ||= named.length > 0 && isOpen
    for (const line of isOpen ? (named.length > 0 ? named : lines) : []) {
      const others = (named.length > 1 && !isSuperlative ? named : lines).filter(other => other !== line)
      for (const other of isSuperlative && named.length > 0 ? [] : others)
        counts.push(...signs(items, item => [quantityOf(item, line), quantityOf(item, other)]))
      const isTop = (item: Axis, sign: number): boolean =>
        others.every(other => isBeyond(quantityOf(item, line), quantityOf(item, other), sign))
      if (isSuperlative) counts.push(...[1, -1].map(sign => items.filter(item => isTop(item, sign)).length))
    }
    for (const line of view.isTurned ? [] : view.lines) {
      if (line.role === 'difference') counts.push(...signs(items, item => [quantityOf(item, line), ZERO]))
      if (line.role === 'remark' && !isNamed) counts.push(...repeats(items.map(item => view.cellAt(item, line)?.text)))
    }
  }
  return counts
}

/** "Exceed 20 %": how many of a line lie above and how many below a figure. */
function beyond(matrix: Matrix, own: Focus['own'], whole: number, { value, unit }: Quantity): readonly number[] {
  const alike = linesOfMatrix(matrix).filter(({ points, of, isColumn }) => {
    const isCounted = (whole === UNKNOWN ? isColumn : points.length === whole) && of.role === 'value'
    return isCounted && (unit === null || points[0]?.quantity.unit === unit)
  })
  const named = alike.filter(line => areOf(line, own))
  return (named.length > 0 ? named : alike).flatMap(({ points }) =>
    [1, -1].map(sign => points.filter(({ quantity }) => Math.sign(quantity.value - value) === sign).length),
  )
}

/** How often the first is above the second, below it, and level. */
function signs(items: readonly Axis[], of: (item: Axis) => readonly [Value, Value]): readonly number[] {
  const found = items.flatMap(item => {
    const [a, b] = of(item)
    return a === null || b === null ? [] : [Math.sign(a.value - b.value)]
  })
  return found.length < items.length ? [] : [1, -1, 0].map(sign => found.filter(one => one === sign).length)
}

function isBeyond(own: Value, other: Value, sign: number): boolean {
  if (own === null || other === null) return own !== null
  return meets(other.range, own.range) || Math.sign(own.value - other.value) === sign
}

/** How often each remark stands in a column: ✅, pass, the name of the winner. */
function repeats(remarks: readonly unknown[]): readonly number[] {
  return [...new Set(remarks)].map(remark => remarks.filter(one => one === remark).length)
}

export const tally: Relation = { names: ['tally'], inClause, inStatement, inEntries, check }

import { everyMatch } from '../../document/matches.js'
import { type Axis, type Line, linesOfMatrix, type Matrix } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { meets } from '../arithmetic.js'
import { type Assertion, confirmed, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import type { Entry } from '../entries.js'
import { type Evidence, isAround } from '../evidence.js'
import { refute } from '../fault.js'
import { has } from '../lexicon.js'
import { areOf, type Clause, clauseOf, type Focus, focusOf } from '../mentions.js'
import { assertionIn, assertionInEntry, entryFigure, figureAs } from '../read.js'
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
const WHOLE = String.raw`\d{1,3}|${NUMBERS.slice(2).join('|')}`
const PART_OF = new RegExp(
  String.raw`(?<![\w.])(\d{1,3}|${NUMBERS.slice(1).join('|')}|both|all|(?:every|each)(?: one)?)\s?(?:/|(?:out )?of(?: the)?)\s?(${WHOLE})(?![\w.%])`,
  'gi',
)
const ALL_OF = new RegExp(`(?<![A-Za-z])(?:on|in|for|across) all (${WHOLE}) [a-z]`, 'gi')
const IN_CHINESE =
  /(\d{1,3}|[两三四五六七八九十])\s?(?:个|项|种)[^,，。;；\d]{1,12}中[^,，。;；\d]{0,6}?(\d{1,3}|[一两三四五六七八九十])\s?(?:个|项|种)/g
/** What is counted: "four categories". */
const KIND = new RegExp(`of(?: the)? (?:${WHOLE}) ([a-z]{3,20})`, 'i')

function numberOf(text: string): number {
  const word = NUMBERS.indexOf(text.toLowerCase())
  if (word >= 0) return word
  return text === '两' ? 2 : CHINESE.includes(text) ? CHINESE.indexOf(text) : Number(text)
}

/** 准确率超过 52% 的有 3 组, "wins only one task", "3 arms exceed": so many, and nobody says of how many. */
const BARE_COUNT = new RegExp(
  String.raw`的(?:共?有|共)\s?(\d{1,3}|[一两三四五六七八九十])\s?[个组项种条]|在\s?(\d{1,3}|[一两三四五六七八九十])\s?(?:个|项|种)[^,，。;；\d]{1,8}[上中](?!的)|(?<![A-Za-z])(?:only|on|in|wins|leads) (\d{1,3}|${NUMBERS.slice(1).join('|')}) (?:tasks?|sets?|benchmarks?|models?|arms?|runs?|settings?|environments?|categories|cases)(?![A-Za-z])`,
  'gi',
)

const SUPERLATIVES = ['best', 'worst', 'maximum', 'minimum', 'first'] as const
const PREDICATES = ['better', 'worse', 'up', 'down', 'larger', 'smaller', 'same', ...SUPERLATIVES] as const

function* inClause(clause: Clause): Generator<Assertion> {
  const { statement, text } = clause
  if (statement.kind === 'cell' || statement.text.length > 400 || !has(text, ...PREDICATES)) return
  const counts = [
    ...everyMatch(text, PART_OF).map(([, part = '', whole = '']) => [part, whole] as const),
    ...everyMatch(text, ALL_OF).map(([, whole = '']) => ['all', whole] as const),
    ...everyMatch(text, IN_CHINESE).map(([, whole = '', part = '']) => [part, whole] as const),
  ]
  if (counts.length === 0)
    for (const [, first, second, third] of everyMatch(text, BARE_COUNT))
      counts.push([first ?? second ?? third ?? '', '-1'])
  for (const [part, whole] of counts) {
    const count = numberOf(/both|all|every|each/i.test(part) ? whole : part)
    yield assertionIn(statement, 'tally', clause, { quantity: text, manner: `tally ${count} ${numberOf(whole)}` })
  }
}

/** Counts of changes by their sign, under a name that says which. */
const SIGNED = {
  rises: { named: /提升.*数|improved|上升.*数|increased/i, holds: (value: number) => value > 0 },
  falls: { named: /下降.*数|退化.*数|worse|decreased|dropped|regressed/i, holds: (value: number) => value < 0 },
  ties: { named: /持平.*数|不变.*数|equal|unchanged|tied/i, holds: (value: number) => value === 0 },
} as const

type Signed = keyof typeof SIGNED
const signedBy = (name: string): Signed | undefined =>
  (['rises', 'falls', 'ties'] as const).find(kind => SIGNED[kind].named.test(name))

export const isCountName = (name: string): boolean => signedBy(name) !== undefined

const OF_ROWS = /(?<![A-Za-z])(?:on|in|tasks?|sets?|times)(?![A-Za-z])|数$/

/** "Improved: 5/12", and "tasks improved: 7", where nobody says of how many. */
function* inEntries(entries: readonly Entry[]): Generator<Assertion> {
  for (const entry of entries) {
    const { key, value, quantities, statement } = entry
    const [part, whole] = quantities
    if (part === undefined || part.from > 4 || part.decimals !== 0 || part.signed || part.ends !== null) continue
    const kind = signedBy(key)
    if (whole !== undefined && /^\s?\/\s?$/.test(value.slice(part.to, whole.from)) && kind !== undefined) {
      const figures = [entryFigure(entry, part, 'part'), entryFigure(entry, whole, 'whole')]
      yield assertionInEntry(entry, 'tally', { quantity: key, figures, manner: kind })
    } else if (statement !== null && whole === undefined && part.from <= 2 && value.length <= 24) {
      const isBare = part.unit === null || part.unit === 'other'
      const isOfRows = OF_ROWS.test(`${key} ${value}`) && has(key, 'better', 'worse', 'up', 'down')
      const stretch = { from: 0, to: statement.text.length }
      if (isBare && isOfRows) yield assertionIn(statement, 'tally', stretch, { manner: `tally ${part.value} -1` })
    }
  }
}

const NEAREST = 4

function check(assertion: Assertion, evidence: Evidence): Outcome {
  const { scope, stance, offset, manner } = assertion
  if (stance !== 'said') return UNCHECKED
  const all = evidence.near(offset).filter(({ table }) => table !== scope.table)
  const isHere = ({ table }: Matrix): boolean => isAround(table.section, scope.section)
  const kind = (['rises', 'falls', 'ties'] as const).find(one => one === manner)
  if (kind !== undefined) return checkSigned(assertion, kind, all.filter(isHere), evidence)
  const near = all.slice(0, NEAREST)
  const [, part = Number.NaN, whole = Number.NaN] = manner.split(' ').map(Number)
  const clause = clauseOf(assertion)
  if (clause === null || Number.isNaN(part)) return UNCHECKED
  const counted = (KIND.exec(clause.text)?.[1] ?? '').toLowerCase().replace(/(?:ies|y|s)$/, '')
  const isOfKind = ({ table: { header } }: Matrix): boolean =>
    header[0]?.text.toLowerCase().startsWith(counted) === true
  const ofKind = counted === '' ? [] : near.filter(isOfKind)
  const limit = clause.statement.quantities.find(
    ({ from, to, value }) => from >= clause.from && to <= clause.to && value !== part && value !== whole,
  )
  const isSuperlative = has(clause.text, ...SUPERLATIVES)
  let miss: { readonly matrix: Matrix; readonly counts: readonly number[] } | null = null
  for (const matrix of ofKind.length > 0 ? ofKind : near) {
    const focus = focusOf(clause, matrix)
    const counts = limit === undefined ? countsIn(focus, whole, isSuperlative) : beyond(focus, whole, limit)
    if (counts.includes(part)) return confirmed(matrix.table.header[0]?.text ?? '')
    if (counts.length > 0 && isHere(matrix)) miss ??= { matrix, counts }
  }
  if (miss === null) return UNCHECKED
  return refuted(assertion, miss.matrix, miss.counts, part, evidence)
}

function refuted(
  { quote, offset, figures: [figure] }: Assertion,
  { table, rows }: Matrix,
  counts: readonly number[],
  found: number,
  { document }: Evidence,
  isSure = false,
): Outcome {
  const expected = [...new Set(counts)].sort((a, b) => a - b).join(' / ')
  const params = { quote, total: rows.length, at: document.placeOf(table.offset).line, expected, found }
  const more = { severity: isSure ? 'error' : 'warning', also: [table.offset], isFix: figure !== undefined } as const
  return refute('count-mismatch', figure?.offset ?? offset, say('audit.count-mismatch', params), more)
}

/** Against the signs of a column of differences of as many rows, in the nearest table above. */
function checkSigned(assertion: Assertion, kind: Signed, near: readonly Matrix[], evidence: Evidence): Outcome {
  const [part, whole] = [figureAs(assertion, 'part'), figureAs(assertion, 'whole')]
  const matrix = near.find(({ table }) => table.offset < assertion.offset)
  const lines = (matrix === undefined ? [] : linesOfMatrix(matrix)).filter(
    ({ of, isColumn, points }) => isColumn && of.role === 'difference' && points.length === whole?.quantity.value,
  )
  const { holds } = SIGNED[kind]
  const countIn = ({ points }: Line): number => points.filter(({ quantity }) => holds(quantity.value)).length
  const [line] = lines
  if (part === null || matrix === undefined || line === undefined) return UNCHECKED
  const matching = lines.filter(one => countIn(one) === part.quantity.value)
  if (matching.some(one => calledLevel(one, kind) === 0)) return confirmed('the table above')
  const called = matching[0] ?? line
  const level = matching.length === 0 ? 0 : calledLevel(called, kind)
  const count = countIn(called) + (kind === 'ties' ? level : -level)
  return refuted(assertion, matrix, [count], part.quantity.value, evidence, matching.length === 0)
}

/** Rows that the table's own remarks call level, though their difference is not zero. */
function calledLevel({ matrix: { columns, table }, points }: Line, kind: Signed): number {
  const remarks = columns.filter(({ role }) => role === 'remark')
  return points.filter(({ at, quantity: { value } }) => {
    if (kind === 'ties' ? value === 0 : !SIGNED[kind].holds(value)) return false
    return remarks.some(({ index }) => has(table.rows[at.index]?.[index]?.text ?? '', 'same'))
  }).length
}

const MOST_LINES = 12
const ZERO = { value: 0, range: { low: 0, high: 0 } }

type Value = Pick<Quantity, 'value' | 'range'> | null

/** All numbers of lines for which something can hold; those about a named column alone where one is named. */
function countsIn({ matrix, own }: Focus, whole: number, isSuperlative: boolean): readonly number[] {
  const { alongRows, alongColumns, columns } = matrix
  const counts: number[] = []
  let isNamed = false
  for (const view of viewsOf(matrix)) {
    const [items, lines] = [view.items, view.lines].map(axes => axes.filter(({ role }) => role === 'value'))
    const isOpen = view.isTurned ? alongColumns : alongRows
    if (items === undefined || lines === undefined || lines.length < 2 || lines.length > MOST_LINES || !isOpen) continue
    if (whole >= 0 && items.length !== whole) continue
    const quantityOf = (item: Axis, line: Axis): Value => termAt(view, item, line)?.quantity ?? null
    const named = lines.filter(line => own.some(({ axes, isRow }) => isRow === view.isTurned && axes.includes(line)))
    isNamed ||= named.length > 0
    for (const line of named.length > 0 ? named : lines) {
      const others = (named.length > 1 && !isSuperlative ? named : lines).filter(other => other !== line)
      for (const other of isSuperlative && named.length > 0 ? [] : others)
        counts.push(...signs(items, item => [quantityOf(item, line), quantityOf(item, other)]))
      const isTop = (item: Axis, sign: number): boolean =>
        others.every(other => isBeyond(quantityOf(item, line), quantityOf(item, other), sign))
      if (isSuperlative) counts.push(...[1, -1].map(sign => items.filter(item => isTop(item, sign)).length))
    }
  }
  const [upright] = viewsOf(matrix)
  const rows = matrix.rows.filter(({ role }) => role === 'value')
  for (const line of rows.length === whole || whole < 0 ? columns : []) {
    const quantityOf = (row: Axis): Value => termAt(upright, row, line)?.quantity ?? null
    if (line.role === 'difference') counts.push(...signs(rows, row => [quantityOf(row), ZERO]))
    if (line.role === 'remark' && !isNamed) counts.push(...repeats(rows.map(row => upright.cellAt(row, line)?.text)))
  }
  return counts
}

/** "Exceed 20 %": how many of a line lie above and how many below a figure; of the lines that are named, else of all. */
function beyond({ matrix, own }: Focus, whole: number, { value, unit }: Quantity): readonly number[] {
  const alike = linesOfMatrix(matrix).filter(({ points, of, isColumn }) => {
    const isCounted = (whole < 0 ? isColumn : points.length === whole) && of.role === 'value'
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

export const tally: Relation = { names: ['tally'], inClause, inEntries, check }

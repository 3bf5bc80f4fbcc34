import { everyMatch } from '../../document/matches.js'
import { type Axis, linesOfMatrix, type Matrix, valueAt } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { meets } from '../arithmetic.js'
import { type Assertion, confirmed, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import type { Entry } from '../entries.js'
import { type Evidence, isAround } from '../evidence.js'
import { refute } from '../fault.js'
import { has } from '../lexicon.js'
import { areOf, type Clause, clauseOf, type Focus, focusOf } from '../mentions.js'
import { assertionIn } from '../read.js'

/**
 * "Better on 4 of 6 data sets", "first on two of the three", 其余 12 个全部上升: so many rows for which something holds.
 * Every way to count the rows of a table is tried: one column above another, a column that is the best of its row, a
 * difference above zero, a remark that says so. Refuted only where none of them gives the number.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.tally': { en: '“{quote}”: of the {total} rows of the table in line {at} it is {expected}, not {found}; count again', zh: '“{quote}”：第 {at} 行的表共 {total} 行，其中是 {expected}，不是 {found}；应重新数' },
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

/** "Tasks improved: 7", where nobody says of how many. */
function* inEntries(entries: readonly Entry[]): Generator<Assertion> {
  for (const { key, quantities, statement, value } of entries) {
    const [part, more] = quantities
    if (statement === null || part === undefined || more !== undefined || part.from > 2 || value.length > 24) continue
    const isCount = part.decimals === 0 && !part.signed && part.ends === null
    const isBare = part.unit === null || part.unit === 'other'
    const isOfRows = /(?<![A-Za-z])(?:on|in|tasks?|sets?|times)(?![A-Za-z])|数$/.test(`${key} ${value}`)
    if (!isCount || !isBare || !isOfRows || !has(key, 'better', 'worse', 'up', 'down')) continue
    const { text } = statement
    yield assertionIn(
      statement,
      'tally',
      { from: 0, to: text.length },
      { quantity: text, manner: `tally ${part.value} -1` },
    )
  }
}

const NEAREST = 4

function check(assertion: Assertion, evidence: Evidence): Outcome {
  const [, part = Number.NaN, whole = Number.NaN] = assertion.manner.split(' ').map(Number)
  const clause = clauseOf(assertion)
  if (clause === null || assertion.stance !== 'said' || Number.isNaN(part)) return UNCHECKED
  const near = evidence.near(assertion.offset).slice(0, NEAREST)
  const kind = (KIND.exec(clause.text)?.[1] ?? '').toLowerCase().replace(/(?:ies|y|s)$/, '')
  const ofKind = near.filter(({ table }) => kind !== '' && (table.header[0]?.text ?? '').toLowerCase().startsWith(kind))
  const limit = clause.statement.quantities.find(
    ({ from, to, value }) => from >= clause.from && to <= clause.to && value !== part && value !== whole,
  )
  let miss: { readonly matrix: Matrix; readonly counts: readonly number[] } | null = null
  for (const matrix of ofKind.length > 0 ? ofKind : near) {
    const focus = focusOf(clause, matrix)
    const counts =
      limit === undefined ? countsIn(focus, whole, has(clause.text, ...SUPERLATIVES)) : beyond(focus, whole, limit)
    if (counts.includes(part)) return confirmed(matrix.table.header[0]?.text ?? '')
    if (counts.length > 0 && isAround(matrix.table.section, assertion.scope.section)) miss ??= { matrix, counts }
  }
  if (miss === null) return UNCHECKED
  const { table, rows } = miss.matrix
  const expected = [...new Set(miss.counts)].sort((a, b) => a - b).join(' / ')
  const at = evidence.document.placeOf(table.offset).line
  const message = say('audit.tally', { quote: assertion.quote, total: rows.length, at, expected, found: part })
  return refute('count-mismatch', assertion.offset, message, { severity: 'warning', also: [table.offset] })
}

const MOST_LINES = 12
const ZERO = { value: 0, range: { low: 0, high: 0 } }

type Value = Pick<Quantity, 'value' | 'range'> | null

/** All numbers of lines for which something can hold; those about a named column alone where one is named. */
function countsIn({ matrix, own }: Focus, whole: number, isSuperlative: boolean): number[] {
  const rows = matrix.rows.filter(({ role }) => role === 'value')
  const columns = matrix.columns.filter(({ role, index }) => role === 'value' && index > 0)
  const down = {
    items: rows,
    lines: columns,
    names: own.filter(one => !one.isRow),
    isOpen: matrix.alongRows,
    isRow: true,
  }
  const along = {
    items: columns,
    lines: rows,
    names: own.filter(({ isRow }) => isRow),
    isOpen: matrix.alongColumns,
    isRow: false,
  }
  const counts: number[] = []
  let isNamed = false
  for (const { items, lines, names, isOpen, isRow } of [down, along]) {
    if ((whole >= 0 && items.length !== whole) || lines.length < 2 || lines.length > MOST_LINES || !isOpen) continue
    const at = (item: Axis, line: Axis): Value =>
      isRow ? valueAt(matrix, item.index, line.index) : valueAt(matrix, line.index, item.index)
    const meant = lines.filter(line => names.some(({ axes }) => axes.includes(line)))
    isNamed ||= meant.length > 0
    for (const line of meant.length > 0 ? meant : lines) {
      const others = (meant.length > 1 && !isSuperlative ? meant : lines).filter(other => other !== line)
      if (!isSuperlative || meant.length === 0)
        for (const other of others) counts.push(...signs(items, item => [at(item, line), at(item, other)]))
      const tops = (sign: number): number =>
        items.filter(item =>
          isTop(
            at(item, line),
            others.map(other => at(item, other)),
            sign,
          ),
        ).length
      if (isSuperlative) counts.push(tops(1), tops(-1))
    }
  }
  if (rows.length === whole || whole < 0)
    for (const { index, role } of matrix.columns) {
      if (role === 'difference') counts.push(...signs(rows, row => [valueAt(matrix, row.index, index), ZERO]))
      if (role === 'remark' && !isNamed) counts.push(...remarks(matrix, rows, index))
    }
  return counts
}

/** "Exceed 20 %": how many of a line lie above and how many below a figure; of the lines that are named, else of all. */
function beyond({ matrix, own }: Focus, whole: number, { value, unit }: Quantity): number[] {
  const lines = linesOfMatrix(matrix).filter(({ points, of, isColumn }) => {
    return (whole < 0 ? isColumn : points.length === whole) && of.role === 'value'
  })
  const alike = lines.filter(({ points }) => unit === null || points[0]?.quantity.unit === unit)
  const named = alike.filter(line => areOf(line, own))
  return (named.length > 0 ? named : alike).flatMap(({ points }) => {
    const above = points.filter(({ quantity }) => quantity.value > value).length
    return [above, points.filter(({ quantity }) => quantity.value < value).length]
  })
}

/** How often the first is above the second, below it, and level. */
function signs(items: readonly Axis[], of: (item: Axis) => readonly [Value, Value]): readonly number[] {
  const differences = items.flatMap(item => {
    const [a, b] = of(item)
    return a === null || b === null ? [] : [a.value - b.value]
  })
  if (differences.length !== items.length) return []
  const [up, down] = [differences.filter(value => value > 0).length, differences.filter(value => value < 0).length]
  return [up, down, items.length - up - down]
}

function isTop(own: Value, others: readonly Value[], sign: number): boolean {
  return (
    own !== null &&
    others.every(one => one === null || meets(one.range, own.range) || Math.sign(own.value - one.value) === sign)
  )
}

/** How often each remark stands in a column: ✅, pass, the name of the winner. */
function remarks({ table }: Matrix, rows: readonly Axis[], column: number): readonly number[] {
  const counts = new Map<string, number>()
  for (const { index } of rows) {
    const text = table.rows[index]?.[column]?.text ?? ''
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  return [...counts.values()]
}

export const tally: Relation = { names: ['tally'], inClause, inEntries, check }

import type { Statement } from '../../document/document.js'
import { type Axis, type Matrix, valueAt } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { meets } from '../arithmetic.js'
import { type Assertion, confirmed, type Outcome, type Relation, refuted, UNCHECKED } from '../assertion.js'
import { entriesOf } from '../entries.js'
import { type Evidence, isAround } from '../evidence.js'
import { fault } from '../fault.js'
import { has } from '../lexicon.js'
import { clauseOf, clausesOf, type Focus, focusOf } from '../mentions.js'
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

const NUMBERS = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
]
const CHINESE = '零一二三四五六七八九十'
const N = String.raw`\d{1,3}|${NUMBERS.slice(1).join('|')}|both|all`
const PART_OF = new RegExp(
  String.raw`(?<![\w.])(${N})\s?(?:/|(?:out )?of(?: the)?)\s?(\d{1,3}|${NUMBERS.slice(2).join('|')})(?![\w.%])`,
  'gi',
)
const IN_CHINESE =
  /(\d{1,3}|[两三四五六七八九十])\s?(?:个|项|种)[^,，。;；\d]{1,12}中[^,，。;；\d]{0,6}?(\d{1,3}|[一两三四五六七八九十])\s?(?:个|项|种)/g

function numberOf(text: string): number {
  const word = NUMBERS.indexOf(text.toLowerCase())
  if (word >= 0) return word
  if (text === '两') return 2
  return CHINESE.includes(text) ? CHINESE.indexOf(text) : Number(text)
}

function* read(evidence: Evidence): Generator<Assertion> {
  const { document } = evidence
  for (const { key, quantities, statement, value } of entriesOf(evidence)) {
    const [part] = quantities
    if (statement === null || part === undefined || part.from > 2 || quantities.length > 1 || value.length > 24)
      continue
    const isCount =
      part.decimals === 0 && !part.signed && part.ends === null && (part.unit === null || part.unit === 'other')
    if (
      isCount &&
      has(key, 'better', 'worse', 'up', 'down') &&
      /(?<![A-Za-z])(?:on|in|tasks?|sets?|times)(?![A-Za-z])|数$/.test(`${key} ${value}`)
    )
      yield tallyOf(statement, { from: 0, to: statement.text.length, text: statement.text }, part.value, -1)
  }
  for (const statement of document.statements) {
    if (
      statement.kind === 'code' ||
      statement.kind === 'heading' ||
      statement.kind === 'cell' ||
      statement.text.length > 400
    )
      continue
    for (const clause of clausesOf(statement)) {
      if (!has(clause.text, ...PREDICATES)) continue
      for (const match of clause.text.matchAll(PART_OF)) {
        const whole = numberOf(match[2] ?? '')
        const part = /both|all/i.test(match[1] ?? '') ? whole : numberOf(match[1] ?? '')
        yield tallyOf(statement, clause, part, whole)
      }
      for (const match of clause.text.matchAll(IN_CHINESE))
        yield tallyOf(statement, clause, numberOf(match[2] ?? ''), numberOf(match[1] ?? ''))
    }
  }
}

const PREDICATES = [
  'better',
  'worse',
  'up',
  'down',
  'larger',
  'smaller',
  'best',
  'worst',
  'maximum',
  'minimum',
  'first',
  'same',
] as const

function tallyOf(
  statement: Statement,
  { from, to, text }: { from: number; to: number; text: string },
  part: number,
  whole: number,
): Assertion {
  return assertionIn(statement, 'tally', { from, to, quantity: text, manner: `tally ${part} ${whole}` })
}

function check(assertion: Assertion, evidence: Evidence): Outcome {
  const [, part = Number.NaN, whole = Number.NaN] = assertion.manner.split(' ').map(Number)
  const clause = clauseOf(assertion)
  if (clause === null || assertion.stance !== 'said' || Number.isNaN(part)) return UNCHECKED
  let miss: { readonly matrix: Matrix; readonly counts: readonly number[] } | null = null
  const near = evidence.near(assertion.offset).slice(0, NEAREST)
  const kind =
    KIND.exec(clause.text)?.[1]
      ?.toLowerCase()
      .replace(/(?:ies|y|s)$/, '') ?? ''
  const ofKind = near.filter(({ table }) => kind !== '' && (table.header[0]?.text ?? '').toLowerCase().startsWith(kind))
  for (const matrix of ofKind.length > 0 ? ofKind : near) {
    const focus = focusOf(clause, matrix)
    const counts = countsIn(focus, whole, has(clause.text, 'best', 'worst', 'first', 'maximum', 'minimum'))
    if (counts.length === 0) continue
    if (counts.includes(part)) return confirmed(matrix.table.header[0]?.text ?? '')
    const { section } = matrix.table
    if (isAround(section, assertion.scope.section)) miss ??= { matrix, counts }
  }
  if (miss === null) return UNCHECKED
  const expected = [...new Set(miss.counts)].sort((a, b) => a - b).join(' / ')
  const at = evidence.document.placeOf(miss.matrix.table.offset).line
  return refuted(
    fault(
      'count-mismatch',
      assertion.offset,
      say('audit.tally', { quote: assertion.quote, total: miss.matrix.rows.length, at, expected, found: part }),
      {
        severity: 'warning',
        also: [miss.matrix.table.offset],
      },
    ),
  )
}

const NEAREST = 4
/** What is counted: "four categories". */
const KIND = new RegExp(String.raw`of(?: the)? (?:\d{1,3}|${NUMBERS.slice(2).join('|')}) ([a-z]{3,20})`, 'i')

/** All numbers of lines for which something can hold; those about a named column alone where one is named. */
function countsIn(
  { matrix, columns: named, rows: namedRows }: Focus,
  whole: number,
  isSuperlative: boolean,
): readonly number[] {
  const rows = matrix.rows.filter(({ role }) => role === 'value')
  const columns = matrix.columns.filter(({ role, index }) => role === 'value' && index > 0)
  const sides = [
    {
      items: rows,
      lines: columns,
      at: (item: Axis, line: Axis) => valueAt(matrix, item.index, line.index),
      names: named,
      isOpen: matrix.alongRows,
    },
    {
      items: columns,
      lines: rows,
      at: (item: Axis, line: Axis) => valueAt(matrix, line.index, item.index),
      names: namedRows,
      isOpen: matrix.alongColumns,
    },
  ]
  const counts: number[] = []
  let isNamed = false
  for (const { items, lines, at, names, isOpen } of sides) {
    if ((whole >= 0 && items.length !== whole) || lines.length < 2 || lines.length > MOST_LINES || !isOpen) continue
    const meant = lines.filter(line => names.some(({ axes }) => axes.includes(line)))
    isNamed ||= meant.length > 0
    for (const line of meant.length > 0 ? meant : lines) {
      const others = (meant.length > 1 && !isSuperlative ? meant : lines).filter(other => other !== line)
      for (const other of others) counts.push(...signs(items, item => [at(item, line), at(item, other)]))
      if (isSuperlative)
        counts.push(
          ...[1, -1].map(
            sign =>
              items.filter(item =>
                isTop(
                  at(item, line),
                  others.map(other => at(item, other)),
                  sign,
                ),
              ).length,
          ),
        )
    }
  }
  if (rows.length === whole || whole < 0)
    for (const { index, role } of matrix.columns) {
      if (role === 'difference') counts.push(...signs(rows, row => [valueAt(matrix, row.index, index), ZERO]))
      if (role === 'remark' && !isNamed) counts.push(...remarks(matrix, rows, index))
    }
  return counts
}

const MOST_LINES = 12
const ZERO = { value: 0, range: { low: 0, high: 0 } }

type Compared = Pick<Quantity, 'value' | 'range'> | null

/** How often the first is above the second, below it, and level. */
function signs(items: readonly Axis[], of: (item: Axis) => readonly [Compared, Compared]): readonly number[] {
  const differences = items.flatMap(item => {
    const [a, b] = of(item)
    return a === null || b === null ? [] : [a.value - b.value]
  })
  if (differences.length !== items.length) return []
  const [up, down] = [differences.filter(value => value > 0).length, differences.filter(value => value < 0).length]
  return [up, down, items.length - up - down]
}

function isTop(own: Compared, others: readonly Compared[], sign: number): boolean {
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

export const tally: Relation = { name: 'tally', read, check }

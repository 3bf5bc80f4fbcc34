import type { Statement } from '../../document/document.js'
import { type Axis, type Matrix, valueAt } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { subtract } from '../../stats/rounding.js'
import { sentences } from '../../text/sentences.js'
import { meets, statedRange } from '../arithmetic.js'
import type { Fault, Rule } from '../assertion.js'
import { axesNamed, type Evidence, goalOf, mentionAt, namesOf } from '../evidence.js'
import { fault } from '../fault.js'

import { isDenied, stanceOf } from '../stance.js'

/**
 * "B is below A (−0.6 %) with one shot": a comparing word, whom it compares with, the difference in brackets and the
 * conditions it is confined to. The word and the sign must agree; and where a table has both as columns and rows under
 * these conditions, every such row must bear it out, in one table at least.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.sign-and-word': { en: '“{quote}”: {found} says the opposite of “{word}”; change the word or the sign', zh: '“{quote}”：{found} 与“{word}”相反；应改用词或改正负号' },
  'audit.not-for-all': { en: '“{quote}”: not in row {row}, where {left} has {found} and {right} has {expected}; name the exception', zh: '“{quote}”：{row} 一行不是这样：{left} 是 {found}，{right} 是 {expected}；应说明例外' },
  'audit.difference-in-brackets': { en: '“{quote}”: in row {row} {left} has {leftValue} and {right} has {rightValue}: {expected}, not {found}; write {expected}', zh: '“{quote}”：{row} 一行 {left} 是 {leftValue}，{right} 是 {rightValue}，相差 {expected}，不是 {found}；应写 {expected}' },
})

interface Clause {
  readonly word: string
  readonly sign: 1 | -1
  readonly quote: string
  readonly from: number
  /** Text of what stands behind the word: whom it is compared with. */
  readonly behind: string
  readonly stated: Quantity | null
}

function* check(evidence: Evidence): Generator<Fault> {
  for (const statement of evidence.document.statements) {
    const { text, kind } = statement
    if (kind === 'code' || kind === 'heading' || text.length > 260) continue
    for (const clause of clausesOf(statement)) {
      const fault = wordAgainstSign(statement, clause) ?? againstTables(statement, clause, evidence)
      if (fault !== null) yield fault
    }
  }
}

const COMPARING =
  /优于|超越|超过|高于|好于|领先于?|胜过|低于|劣于|不如|差于|逊于|落后于?|(?<![A-Za-z])(?:outperforms?|beats?|(?:is |are |was )?(?:better|higher|larger|greater|worse|lower|smaller) than|above|below|behind|ahead of)(?![A-Za-z])/gi
const LESS = /低于|劣于|不如|差于|逊于|落后|worse|lower|smaller|below|behind/i
const LONGEST_BEHIND = 40

/** Each comparing word with each one it compares with: "below A (−0.5 %) and C (−0.3 %)". */
function* clausesOf(statement: Statement): Generator<Clause> {
  const { text } = statement
  const words = [...text.matchAll(COMPARING)]
  for (const [i, match] of words.entries()) {
    const start = match.index + match[0].length
    const end = Math.min(words[i + 1]?.index ?? text.length, start + 60, stopBehind(text, start))
    if (isDenied(text, match.index) || /预期|目标|阈值|expect|target|threshold/i.test(text.slice(start, end))) continue
    if (stanceOf(statement, match.index, start) !== 'said') continue
    const sign = LESS.test(match[0]) ? -1 : 1
    for (const part of text.slice(start, end).split(/[、和与]|(?<![A-Za-z])and(?![A-Za-z])/)) {
      if (part.trim() === '' || part.length > LONGEST_BEHIND) continue
      const at = text.indexOf(part, start)
      const stated = statement.quantities.find(
        one =>
          one.from >= at &&
          one.to <= at + part.length &&
          one.signed &&
          !one.plusMinus &&
          /[(（]\s?(?:vs|仅|差|约)?\s?$/.test(text.slice(0, one.from)),
      )
      const quote = text.slice(match.index, at + part.length).trim()
      yield { word: match[0], sign, quote, from: match.index, behind: part, stated: stated ?? null }
    }
  }
}

function stopBehind(text: string, from: number): number {
  const stop = text.slice(from).search(/[,，;；。](?!\d)|但|而|however|but/i)
  return stop < 0 ? text.length : from + stop
}

/** The difference in brackets has the sign of the word, unless less is better or a size is printed. */
function wordAgainstSign(statement: Statement, { word, sign, quote, stated }: Clause): Fault | null {
  if (stated === null || stated.value === 0 || Math.sign(stated.value) === sign) return null
  const isScore = stated.unit === '%' || stated.unit === 'points'
  const isPlain = /高|低|above|below|higher|lower|larger|smaller|超/i.test(word)
  if (!isPlain && (!isScore || goalOf([statement.text, ...statement.leads]) === 'min')) return null
  const found = statement.text.slice(stated.from, stated.to)
  return fault(
    'sign-contradicted',
    statement.offsetOf(stated.from),
    say('audit.sign-and-word', { quote, found, word }),
    { expected: sign > 0 ? '+' : '−' },
  )
}

type Verdict = 'holds' | Fault | null

function againstTables(statement: Statement, clause: Clause, evidence: Evidence): Fault | null {
  let failed: Fault | null = null
  const conditions = [statement.text.slice(0, clause.from), ...statement.leads.slice(0, 1)]
  if (/除|except|apart from|部分|多数|大多|most/i.test(statement.text)) return null
  const near = evidence.near(statement.offsetOf(0))
  const own = near.filter(({ table }) => table.section === statement.section)
  const isOwn = own.some(matrix => inTable(statement, clause, matrix, conditions) !== null)
  for (const matrix of isOwn ? own : near) {
    const verdict = inTable(statement, clause, matrix, conditions)
    if (verdict === 'holds') return null
    if (verdict !== null) failed ??= verdict
  }
  return failed
}

function inTable(statement: Statement, clause: Clause, matrix: Matrix, conditions: readonly string[]): Verdict {
  const columns = matrix.columns.filter(({ role, index }) => role === 'value' && index > 0)
  if (columns.length < 2 || !matrix.alongRows || matrix.rows.length > 400) return null
  const rivals = axesNamed(clause.behind.replace(/[(（].*$/, ''), matrix, columns, false)
  const [rival] = rivals
  if (rival === undefined || rivals.length !== 1) return null
  const subject = subjectOf(statement, matrix, columns, rival)
  const rows = rowsWhere(matrix, conditions)
  if (subject === null || rows === null || rows.length === 0) return null
  const judged = rows.flatMap(row => {
    const [a, b] = [valueAt(matrix, row.index, subject.index), valueAt(matrix, row.index, rival.index)]
    return a === null || b === null ? [] : [{ row, a, b }]
  })
  if (judged.length === 0 || goalOf([matrix.table.section?.title ?? '', statement.text]) === 'min') return null
  const miss = judged.find(({ a, b }) => meets(a.range, b.range) || Math.sign(a.value - b.value) !== clause.sign)
  const cell = (row: Axis, column: Axis): string => matrix.table.rows[row.index]?.[column.index]?.text ?? ''
  const nameOf = (row: Axis): string => row.keys.map(({ header, text }) => `${header} ${text}`).join(', ')
  const offset = statement.offsetOf(clause.from)
  if (miss !== undefined) {
    if (meets(miss.a.range, miss.b.range) && judged.length === 1) return null
    const also = [matrix.table.rows[miss.row.index]?.[subject.index]?.offset ?? matrix.table.offset]
    const params = {
      quote: clause.quote,
      row: nameOf(miss.row),
      left: subject.name,
      right: rival.name,
      found: cell(miss.row, subject),
      expected: cell(miss.row, rival),
    }
    return fault('named-comparison', offset, say('audit.not-for-all', params), {
      found: params.found,
      expected: params.expected,
      also,
    })
  }
  const [only] = judged
  if (clause.stated === null || only === undefined || judged.length !== 1) return 'holds'
  const difference = subtract(only.a.range, only.b.range)
  if (meets(statedRange(clause.stated), difference)) return 'holds'
  const expected = (only.a.value - only.b.value).toFixed(Math.max(0, clause.stated.decimals ?? 2))
  const found = statement.text.slice(clause.stated.from, clause.stated.to)
  const params = {
    quote: clause.quote,
    row: nameOf(only.row),
    left: subject.name,
    right: rival.name,
    leftValue: cell(only.row, subject),
    rightValue: cell(only.row, rival),
    expected,
    found,
  }
  return fault('named-difference', statement.offsetOf(clause.stated.from), say('audit.difference-in-brackets', params))
}

/**
 * Who is compared: the one that is named before the first comparing word; where nothing but conditions stands there, the
 * one that the line above begins with.
 */
function subjectOf({ text, leads }: Statement, matrix: Matrix, columns: readonly Axis[], rival: Axis): Axis | null {
  const first = text.search(new RegExp(COMPARING, 'i'))
  const before = text.slice(0, first)
  const named = axesNamed(before, matrix, columns, false)
  if (named.length > 0) return named.length === 1 && named[0] !== rival ? (named[0] ?? null) : null
  const [lead = ''] = leads
  if (before.replace(CONDITIONS, '') !== '') return null
  const above = axesNamed(lead, matrix, columns, false).filter(
    axis => mentionAt(lead, namesOf(matrix, axis, false)) <= 3,
  )
  const [only] = above
  return above.length === 1 && only !== undefined && only !== rival ? only : null
}

const CONDITIONS =
  /在|时|条|数据|下|上|表现|仍|但|略|shots?_?num|shots?|[\d\s/≥=,，、]|所有|测试|都|均|量|显著|稳定|也|则|明显/gi

/** The rows that conditions such as "Shot≥2" or "50/80 条数据" leave; null where no condition is named. */
export function rowsWhere(matrix: Matrix, texts: readonly string[]): readonly Axis[] | null {
  let rows = matrix.rows.filter(({ role }) => role === 'value')
  let isConfined = false
  const text = texts.join(' ')
  for (const { header } of rows[0]?.keys ?? []) {
    const allowed = conditionOn(header, text)
    if (allowed === null) continue
    isConfined = true
    rows = rows.filter(({ keys }) =>
      keys.some(key => key.header === header && allowed(Number(key.text.replace(/[^\d.]/g, '')))),
    )
  }
  const sizes = sizesIn(text)
  if (sizes !== null) {
    const title = `${matrix.table.section?.title ?? ''} ${matrix.table.caption?.text.slice(0, 60) ?? ''}`
    const byColumn = rows.filter(({ keys }) =>
      keys.some(
        ({ header, text: cell }) => /数据|样本|sample/i.test(header) && sizes.includes(Number(cell.replace(/\D/g, ''))),
      ),
    )
    const hasColumn = rows.some(({ keys }) => keys.some(({ header }) => /数据|样本|sample/i.test(header)))
    if (hasColumn) rows = byColumn
    else if (!sizes.some(size => new RegExp(`(?<!\\d)${size}(?!\\d)`).test(title))) return []
  }
  return isConfined ? rows : null
}

/** "Shot≥2", "Shot 1", "shots=1,2". */
function conditionOn(header: string, text: string): ((value: number) => boolean) | null {
  const word = header
    .replace(/[(（].*$/, '')
    .replace(/[\s_]*num$/i, '')
    .trim()
  if (word.length < 2) return null
  const escaped = word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const match = new RegExp(
    `(?<![A-Za-z])${escaped}(?:[ _]?num)?\\s?(=|≥|>=|>|≤|<=|<)?\\s?(\\d{1,6})((?:\\s?[,，、/]\\s?\\d{1,6})*)(?![\\d.%]|\\s?[-–~至到]\\s?\\d)`,
    'i',
  ).exec(text)
  if (match === null) return null
  const value = Number(match[2])
  const list = [
    value,
    ...(match[3] ?? '')
      .split(/[^\d]+/)
      .filter(part => part !== '')
      .map(Number),
  ]
  switch (match[1]) {
    case '≥':
    case '>=':
      return one => one >= value
    case '>':
      return one => one > value
    case '≤':
    case '<=':
      return one => one <= value
    case '<':
      return one => one < value
    default:
      return one => list.includes(one)
  }
}

function sizesIn(text: string): readonly number[] | null {
  const match = [...text.matchAll(/(?<![\d.])(\d{2,6}(?:\s?[/、,]\s?\d{2,6})*)\s?(?:条|样本|samples)/gi)].at(-1)
  return match === undefined ? null : (match[1] ?? '').split(/[^\d]+/).map(Number)
}

export const compared: Rule = { check }

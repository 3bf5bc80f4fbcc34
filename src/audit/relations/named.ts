import type { Statement } from '../../document/document.js'
import { type Axis, type Line, type Matrix, type Point, shortLines } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { subtract } from '../../stats/rounding.js'
import { sentences } from '../../text/sentences.js'
import { meets, percentOf, sizeOf, statedRange } from '../arithmetic.js'
import type { Fault, Rule } from '../assertion.js'
import { axesNamed, type Evidence, goalOf, goalOfLine, isIn, mentionAt, namesOf } from '../evidence.js'
import { has, places, source } from '../lexicon.js'
import { isDenied, stanceOf } from '../stance.js'
import { topOf } from './extremum.js'

/**
 * Sentences that name rows and columns instead of printing their figures: "s09 has the best reward", "A beats B on GSM8K
 * by 2.5 points", "ours is best on all four benchmarks". Every table near by that has the names is a reading; one in
 * which it holds saves the sentence.
 */
const say = sentences({
  'audit.who-is-best': {
    en: '“{quote}”: in “{line}” {claimed} has {found}, but {owner} has {expected}; write {owner}',
    zh: '“{quote}”：“{line}”中 {claimed} 是 {found}，而 {owner} 是 {expected}；应写 {owner}',
  },
  'audit.pair-order': {
    en: '“{quote}”: in “{line}” {left} has {found} and {right} has {expected}: the other way round',
    zh: '“{quote}”：“{line}”中 {left} 是 {found}，{right} 是 {expected}，正好相反',
  },
  'audit.pair-difference': {
    en: '“{quote}”: in “{line}” {left} has {leftValue} and {right} has {rightValue}: {expected} apart, not {found}; write {expected}',
    zh: '“{quote}”：“{line}”中 {left} 是 {leftValue}，{right} 是 {rightValue}，相差 {expected}，不是 {found}；应写 {expected}',
  },
  'audit.best-everywhere': {
    en: '“{quote}”: not in “{line}”, where {claimed} has {found} and {owner} has {expected}; name the exception',
    zh: '“{quote}”：“{line}”不是这样：{claimed} 是 {found}，{owner} 是 {expected}；应说明例外',
  },
})

type Verdict = { readonly verdict: 'holds' } | { readonly verdict: 'fails'; readonly fault: Fault } | null

const HOLDS: Verdict = { verdict: 'holds' }

function* check(evidence: Evidence): Generator<Fault> {
  for (const statement of evidence.document.statements) {
    const { text, kind } = statement
    if (kind === 'code' || kind === 'heading' || kind === 'cell' || text.length > 220) continue
    if (!INTERESTING.test(text) || stanceOf(statement, 0, text.length) !== 'said') continue
    for (const reading of [everywhere, bestOf, pairOf]) {
      const fault = judge(statement, evidence, reading)
      if (fault === null) continue
      yield fault
      break
    }
  }
}

const INTERESTING = new RegExp(
  source('maximum', 'minimum', 'best', 'worst', 'larger', 'smaller', 'better', 'worse', 'cheap'),
  'i',
)

/** The kindest of all readings: none where one holds. */
function judge(
  statement: Statement,
  evidence: Evidence,
  read: (statement: Statement, matrix: Matrix) => Verdict,
): Fault | null {
  let failed: Fault | null = null
  const offset = statement.offsetOf(0)
  for (const matrix of evidence.near(offset).slice(0, 6)) {
    const { section } = matrix.table
    const isNear =
      isIn(statement.section, section) ||
      isIn(section, statement.section) ||
      section?.parent === statement.section?.parent
    if (!isNear) continue
    const verdict = read(statement, matrix)
    if (verdict?.verdict === 'holds') return null
    if (verdict?.verdict === 'fails') failed ??= verdict.fault
  }
  return failed
}

interface Bound {
  /** What is compared, in the order of the text. */
  readonly things: readonly Axis[]
  readonly line: Line
}

/** Rows as things and one column as the line, or the other way round. */
function bind(text: string, matrix: Matrix, most: number): readonly Bound[] {
  const rows = matrix.rows.filter(({ role, name }) => role === 'value' && name !== '')
  const columns = matrix.columns.filter(({ role, index }) => role === 'value' && index > 0)
  if (rows.length > 200) return []
  const [named, lines] = [axesNamed(text, matrix, rows, true), axesNamed(text, matrix, columns, false)]
  const found: Bound[] = []
  const add = (things: readonly Axis[], of: readonly Axis[], isColumn: boolean): void => {
    const [only] = of
    if (things.length === 0 || things.length > most || only === undefined || of.length !== 1) return
    const line = shortLines(matrix).find(one => one.isColumn === isColumn && one.of.index === only.index)
    if (line !== undefined) found.push({ things: inOrder(text, matrix, things, isColumn), line })
  }
  add(named, lines.length === 0 && columns.length === 1 ? columns : lines, true)
  add(lines, named, false)
  return found
}

function inOrder(text: string, matrix: Matrix, things: readonly Axis[], areRows: boolean): readonly Axis[] {
  const at = (axis: Axis): number => mentionAt(text, namesOf(matrix, axis, areRows))
  return [...things].sort((a, b) => at(a) - at(b))
}

function pointOf(line: Line, { index }: Axis): Point | undefined {
  return line.points.find(({ at }) => at.index === index)
}

const QUALIFIED =
  /后期|前期|局部|次[优佳高低]|第[二三四]|之一|除|(?<![a-z])(?:second|third|almost|nearly|among|except|one of|late|local|previous|so far)(?![a-z])|接近|并列/i

/** "X has the lowest loss". */
function bestOf(statement: Statement, matrix: Matrix): Verdict {
  const { text } = statement
  const [word] = places(text, 'maximum', 'minimum', 'best', 'worst', 'cheap')
  if (word === undefined || QUALIFIED.test(text) || isDenied(text, word.from) || statement.quantities.length > 1)
    return null
  for (const { things, line } of bind(text, matrix, 1)) {
    const [thing] = things
    const point = thing === undefined ? undefined : pointOf(line, thing)
    if (point === undefined || line.points.length < 3) continue
    const wants = wanted(word.text, line, text)
    const top = wants === null ? null : topOf(line.points, wants)
    if (top === null) continue
    if (meets(top.quantity.range, point.quantity.range)) return HOLDS
    return fails(statement, 'named-extremum', 'audit.who-is-best', line, point, top)
  }
  return null
}

function wanted(word: string, line: Line, text: string): 'max' | 'min' | null {
  if (has(word, 'maximum')) return 'max'
  if (has(word, 'minimum', 'cheap')) return 'min'
  const goal = goalOf([line.of.name]) ?? goalOf([text]) ?? goodOf(line)
  if (goal === null) return null
  return has(word, 'worst') ? (goal === 'max' ? 'min' : 'max') : goal
}

/** Scores between 0 and 100 are meant to be high, unless the name says what is spent or how far something moved. */
function goodOf(line: Line): 'max' | 'min' | null {
  const known = goalOf([line.of.name]) ?? goalOfLine(line)
  if (known !== null) return known
  const isScore = line.points.every(({ quantity: { value } }) => value >= 0 && value <= 100)
  return isScore && !NEUTRAL.test(line.of.name) ? 'max' : null
}

const NEUTRAL =
  /cost|time|price|kl(?![a-z])|length|len(?![a-z])|entropy|norm|ratio|std|var|tokens?|step|epoch|size|memory|turns?|长度|时间|成本|轮|熵|方差|标准差|比|数/i

function fails(
  statement: Statement,
  rule: string,
  key: 'audit.who-is-best' | 'audit.best-everywhere',
  line: Line,
  point: Point,
  top: Point,
): Verdict {
  const name = (one: Point): string => namesOf(line.matrix, one.at, line.isColumn)[0] ?? one.at.name
  return {
    verdict: 'fails',
    fault: {
      rule,
      kind: 'contradiction',
      severity: 'warning',
      offset: statement.offsetOf(0),
      message: say(key, {
        quote: statement.text,
        line: line.of.name,
        claimed: name(point),
        found: point.cell.text,
        owner: name(top),
        expected: top.cell.text,
      }),
      found: name(point),
      expected: name(top),
      also: [point.cell.offset, top.cell.offset],
    },
  }
}

const EVERYWHERE =
  /(?:on|in|across) (?:all|every|each)|(?:所有|全部|每个|各个?)[^,，。]{0,12}(?:都|均|上|中)|everywhere|in all|(?:outperforms?|beats?|above) (?:all|every)/i

/** "Ours is best on all four benchmarks": in every comparable column. */
function everywhere(statement: Statement, matrix: Matrix): Verdict {
  const { text } = statement
  if (
    !EVERYWHERE.test(text) ||
    !has(text, 'best', 'maximum', 'better', 'larger') ||
    QUALIFIED.test(text) ||
    !matrix.alongColumns
  )
    return null
  const rows = matrix.rows.filter(({ role }) => role === 'value')
  const named = axesNamed(text, matrix, rows, true)
  const [subject] = named
  if (subject === undefined || named.length !== 1 || rows.length < 3 || rows.length > 60) return null
  const lines = shortLines(matrix).filter(
    ({ isColumn, of }) => isColumn && of.role === 'value' && goalOf([of.name]) !== 'min',
  )
  if (lines.length < 2) return null
  const columns = axesNamed(
    text,
    matrix,
    lines.map(({ of }) => of),
    false,
  )
  for (const line of columns.length > 0 ? lines.filter(({ of }) => columns.includes(of)) : lines) {
    const [point, top] = [pointOf(line, subject), topOf(line.points, 'max')]
    if (point === undefined || top === null || line.points[0]?.quantity.unit !== lines[0]?.points[0]?.quantity.unit)
      return null
    if (!meets(point.quantity.range, top.quantity.range))
      return fails(statement, 'best-everywhere', 'audit.best-everywhere', line, point, top)
  }
  return HOLDS
}

/** "A beats B on M (by 2.5 points)", "A 比 B 高 3.8 个百分点". */
function pairOf(statement: Statement, matrix: Matrix): Verdict {
  const { text } = statement
  const [word] = [...places(text, 'larger', 'smaller', 'better', 'worse')].filter(one => !isDenied(text, one.from))
  if (word === undefined || /(?<![a-z])(?:than all|both|respectively)(?![a-z])|分别|但|而|虽然/i.test(text)) return null
  for (const { things, line } of bind(text, matrix, 2)) {
    const [left, right] = things
    if (left === undefined || right === undefined) continue
    const [a, b] = [pointOf(line, left), pointOf(line, right)]
    if (a === undefined || b === undefined) continue
    const at = mentionAt(text, namesOf(line.matrix, right, line.isColumn))
    const isThan = /比\s?$/.test(text.slice(0, Math.max(0, at)))
    if (!isThan && word.from > at) continue
    const goal = has(word.text, 'better', 'worse') ? goodOf(line) : 'max'
    if (goal === null) continue
    const isUp =
      has(word.text, 'larger') ||
      (has(word.text, 'better') ? goal === 'max' : has(word.text, 'worse') ? goal === 'min' : false)
    if (meets(a.quantity.range, b.quantity.range)) return null
    if (a.quantity.value > b.quantity.value !== isUp) return order(statement, line, a, b)
    const stated = statement.quantities.find(
      ({ unit, from, ends }) => (unit === 'points' || unit === '%') && ends === null && from > Math.min(word.from, at),
    )
    return stated === undefined ? HOLDS : difference(statement, line, a, b, stated)
  }
  return null
}

function order(statement: Statement, line: Line, a: Point, b: Point): Verdict {
  return {
    verdict: 'fails',
    fault: {
      rule: 'named-comparison',
      kind: 'contradiction',
      severity: 'warning',
      offset: statement.offsetOf(0),
      message: say('audit.pair-order', {
        quote: statement.text,
        line: line.of.name,
        left: a.at.name,
        right: b.at.name,
        found: a.cell.text,
        expected: b.cell.text,
      }),
      found: a.cell.text,
      expected: b.cell.text,
      also: [a.cell.offset, b.cell.offset],
    },
  }
}

function difference(statement: Statement, line: Line, a: Point, b: Point, stated: Quantity): Verdict {
  const apart = subtract(a.quantity.range, b.quantity.range)
  const readings = [apart, percentOf(b.quantity.range, a.quantity.range), percentOf(a.quantity.range, b.quantity.range)]
  const size = sizeOf(statedRange(stated))
  if (readings.some(range => range !== null && meets(size, sizeOf(range)))) return HOLDS
  // Another figure of the two rows may be meant.
  if (shortLines(line.matrix).some(other => other.isColumn === line.isColumn && isApart(other, a.at, b.at, size)))
    return HOLDS
  const expected = Math.abs(a.quantity.value - b.quantity.value).toFixed(Math.max(0, stated.decimals ?? 1))
  return {
    verdict: 'fails',
    fault: {
      rule: 'named-difference',
      kind: 'arithmetic',
      severity: 'warning',
      offset: statement.offsetOf(stated.from),
      message: say('audit.pair-difference', {
        quote: statement.text,
        line: line.of.name,
        left: a.at.name,
        right: b.at.name,
        leftValue: a.cell.text,
        rightValue: b.cell.text,
        expected,
        found: String(stated.value),
      }),
      found: String(stated.value),
      expected,
      also: [a.cell.offset, b.cell.offset],
    },
  }
}

function isApart(line: Line, left: Axis, right: Axis, size: { readonly low: number; readonly high: number }): boolean {
  const [a, b] = [pointOf(line, left), pointOf(line, right)]
  return a !== undefined && b !== undefined && meets(size, sizeOf(subtract(a.quantity.range, b.quantity.range)))
}

export const named: Rule = {
  cards: [
    {
      id: 'best-everywhere',
      kind: 'contradiction',
      severity: 'warning',
      example: {
        faulty:
          '| model | MATH | GSM | CODE |\n|---|---|---|---|\n| alpha | 41.2 | 80.1 | 53.0 |\n| beta | 40.0 | 81.4 | 51.2 |\n| gamma | 38.5 | 79.9 | 50.6 |\n\nalpha has the highest score on all three sets.',
        sound:
          '| model | MATH | GSM | CODE |\n|---|---|---|---|\n| alpha | 41.2 | 82.1 | 53.0 |\n| beta | 40.0 | 81.4 | 51.2 |\n| gamma | 38.5 | 79.9 | 50.6 |\n\nalpha has the highest score on all three sets.',
      },
    },
    {
      id: 'named-difference',
      kind: 'arithmetic',
      severity: 'warning',
      example: {
        faulty:
          '| model | shell | web |\n|---|---|---|\n| alpha-7b | 41.5 | 60.0 |\n| beta-7b | 38.0 | 59.0 |\n\nOn shell tasks alpha-7b beats beta-7b by 5.5 points.',
        sound:
          '| model | shell | web |\n|---|---|---|\n| alpha-7b | 41.5 | 60.0 |\n| beta-7b | 38.0 | 59.0 |\n\nOn shell tasks alpha-7b beats beta-7b by 3.5 points.',
      },
    },
  ],
  check,
}

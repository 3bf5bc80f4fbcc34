import type { Axis, Line, Matrix, Point } from '../document/matrix.js'
import type { Assertion } from './assertion.js'
import { across, type Clause, type Mention } from './mentions.js'

/** Conditions that a sentence is confined to, where the label columns of a table say under which each row was measured. */

const FROM_ON = /(?:after|since|from|自|从|>)\s?$/i
const ON = /^\s?(?:之后|以后|起|onwards?)/i

/** The values of a line that a clause confines itself to: by steps, by conditions, by the names given; else all. */
export function pointsMeant(
  line: Line,
  { statement, from, to }: Clause,
  { steps }: Assertion['scope'],
  names: readonly Mention[],
): readonly Point[] {
  const { points, matrix, isColumn } = line
  const [mark] = statement.steps.filter(one => one.from >= from && one.to <= to)
  if (mark !== undefined && mark.first === mark.last) {
    const isOnward = FROM_ON.test(statement.text.slice(0, mark.from)) || ON.test(statement.text.slice(mark.to))
    if (isOnward) return points.filter(({ at: { step } }) => step !== null && step > mark.first)
  }
  const where = isColumn ? rowsWhere(matrix, [statement.text]) : null
  if (where !== null && where.length > 0) return points.filter(({ at }) => where.includes(at))
  const [first, last] = mark === undefined ? (steps ?? [0, 0]) : [mark.first, mark.last]
  if (first < last) return points.filter(({ at: { step } }) => step !== null && step >= first && step <= last)
  const own = across(line, names)
  return own.length === 0 ? points : points.filter(({ at }) => own.some(({ axes }) => axes.includes(at)))
}

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

const patterns = new Map<string, RegExp | null>()

/** A condition on what a label column is headed; null where the header is too short to be told from other words. */
function patternFor(header: string): RegExp | null {
  const known = patterns.get(header)
  if (known !== undefined) return known
  const word = header
    .replace(/[(（].*$/, '')
    .replace(/[\s_]*num$/i, '')
    .trim()
    .replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const made =
    word.length < 2
      ? null
      : new RegExp(
          `(?<![A-Za-z])${word}(?:[ _]?num)?\\s?(=|≥|>=|>|≤|<=|<)?\\s?(\\d{1,6})((?:\\s?[,，、/]\\s?\\d{1,6})*)(?![\\d.%]|\\s?[-–~至到]\\s?\\d)`,
          'i',
        )
  if (patterns.size > MOST_PATTERNS) patterns.clear()
  patterns.set(header, made)
  return made
}

const MOST_PATTERNS = 1_000

/** "Shot≥2", "Shot 1", "shots=1,2". */
function conditionOn(header: string, text: string): ((value: number) => boolean) | null {
  const match = patternFor(header)?.exec(text) ?? null
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

import { everyMatch } from '../document/matches.js'
import type { Axis, Matrix } from '../document/matrix.js'
import { rememberedText } from '../document/remembered.js'
import { memoByObject } from '../model/util/memo.js'
import type { Clause } from './mentions.js'

/** Whether a row or column is one of those that a clause confines itself to. */
type Confinement = (axis: Axis, isRow: boolean) => boolean

/** What a clause confines itself to: a stretch of steps, or the rows that were measured under a condition it names. */
export function confinedTo({ statement: { text, steps }, from, to }: Clause, matrix: Matrix): Confinement | null {
  const own = steps.find(one => one.from >= from && one.to <= to)
  const stretch = own === undefined ? null : stretchOf(own, text)
  if (stretch !== null) return stretch
  const rows = rowsWhere(matrix, text.slice(0, to))
  if (rows !== null) return (axis, isRow) => !isRow || axis.role !== 'value' || rows.includes(axis)
  const range = own === undefined ? steps.find(one => one.first < one.last) : undefined
  return range === undefined ? null : within(range.first, range.last)
}

const within =
  (first: number, last: number): Confinement =>
  ({ step }) =>
    step === null || (step >= first && step <= last)

const ONWARD = /(?:after|since|自|>)\s?#|#\s?(?:之后|以后|起|onwards?)/i
const UNTIL = /(?:(?<![a-z])(?:until|up to|through)|到)\s?#|#\s?(?:及?以前|为止|(?:and|or) earlier)/i

/** "Steps 75-130", "after step 300", 到 step 100 为止. */
function stretchOf({ first, last, from, to }: Clause['statement']['steps'][number], text: string): Confinement | null {
  if (first < last) return within(first, last)
  const around = `${text.slice(Math.max(0, from - 10), from)}#${text.slice(to, to + 12)}`
  if (ONWARD.test(around)) return within(first + 1, Number.POSITIVE_INFINITY)
  return UNTIL.test(around) ? within(0, first) : null
}

/** Read once for each table, because every clause around it may name a condition. */
const termsOf = memoByObject(({ table, columns, rows }: Matrix) => {
  const labels = columns
    .filter(({ role }) => role === 'label')
    .map(({ name, index }) => ({ name, numbers: table.rows.map(row => numberIn(row[index]?.text ?? '')) }))
  const title = `${table.section?.title ?? ''} ${table.caption?.text.slice(0, 60) ?? ''}`
  return {
    rows: rows.filter(({ role }) => role === 'value'),
    // A shorter header cannot be told from other words.
    conditions: labels
      .map(({ name, numbers }) => ({ word: name.replace(/[(（].*$|[\s_]*num$/gi, '').trim(), numbers }))
      .filter(({ word }) => word.length > 1),
    headers: columns.map(({ name }) => numberIn(name)),
    // On how many samples each row was measured; where each size has a table of its own, its title names it.
    sizes: labels.find(({ name }) => /数据|样本|sample/i.test(name))?.numbers ?? null,
    titled: title.match(/\d+/g)?.map(Number) ?? [],
  }
})

const numberIn = (text: string): number => Number(/\d+(?:\.\d+)?(?:e-?\d+)?/i.exec(text)?.[0] ?? Number.NaN)

/** The rows that conditions such as "Shot≥2" or "50/80 条数据" leave; null where none is named. */
function rowsWhere(matrix: Matrix, said: string): readonly Axis[] | null {
  const { lower, hasNumber, asked } = saidIn(said)
  if (!hasNumber) return null
  const { rows, conditions, headers, sizes, titled } = termsOf(matrix)
  let left: readonly Axis[] = rows
  for (const { word, numbers } of conditions) {
    const isMet = askedOf(word.toLowerCase(), lower, conditions.length === 1)
    if (isMet === null) continue
    const met = left.filter(({ index }) => isMet(numbers[index]))
    // "Update 400" may name a column of that name instead.
    if (met.length > 0 || !headers.some(isMet)) left = met
  }
  if (asked !== null && sizes !== null) left = left.filter(({ index }) => asked.includes(sizes[index]))
  if (asked !== null && sizes === null && !asked.some(size => titled.includes(size))) return []
  return left.length < rows.length ? left : null
}

const ASKED =
  /^(?:[ _]?num)?\s?(=|≥|>=|>|≤|<=|<)?\s?(\d{1,6}(?:\.\d+)?(?:e-\d)?(?:\s?[,，、/]\s?\d{1,6})*)(?![\d.%]|\s?[-–~至到]\s?\d)/

/** What the last place asks where the word stands: "Shot 1", "Shot≥2". Of a table with one label, "Shot 1" is a name. */
function askedOf(word: string, lower: string, isOnly: boolean): ((value: number) => boolean) | null {
  for (let at = lower.lastIndexOf(word); at >= 0; at = at === 0 ? -1 : lower.lastIndexOf(word, at - 1)) {
    const match = /[a-z]/.test(lower.charAt(at - 1)) ? null : ASKED.exec(lower.slice(at + word.length))
    if (match === null) continue
    const [, sign = '', numbers] = match
    const [first, ...others] = numbers.split(/\s?[,，、/]\s?/).map(Number)
    const way = /[≥>]/.test(sign) ? 1 : /[≤<]/.test(sign) ? -1 : 0
    if (way !== 0) return value => Math.sign(value - first) === way || (/[≥≤=]/.test(sign) && value === first)
    return isOnly && sign === '' ? null : value => value === first || others.includes(value)
  }
  return null
}

/** 少 40 条, 多 15 条: so many came out, on however many it was measured. */
const SIZES = /(?<![\d.]|(?:[有少多差]|不[少多]于)\s?)(\d{2,6}(?:\s?[/、,]\s?\d{2,6})*)\s?(?:条|样本|samples)/gi

/** Asked for one table after the other. */
const saidIn = rememberedText((text: string) => {
  const numbers = everyMatch(text, SIZES).at(-1)?.[1]
  const asked = numbers === undefined ? null : numbers.split(/\D+/).map(Number)
  return { lower: text.toLowerCase(), hasNumber: /\d/.test(text), asked }
})

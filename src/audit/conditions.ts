import type { Statement } from '../document/document.js'
import type { Axis, Matrix } from '../document/matrix.js'
import { remembered } from '../document/remembered.js'
import type { Clause } from './mentions.js'

export interface Confinement {
  readonly isIn: (axis: Axis, isRow: boolean) => boolean
  /** It names its rows one by one, "Shot 1", and so may name the things that are compared. */
  readonly isNaming: boolean
}

/** What a clause confines itself to: a stretch of steps, or the rows that were measured under a condition it names. */
export function confinedTo({ statement, from, to }: Clause, matrix: Matrix): Confinement | null {
  const [own] = statement.steps.filter(one => one.from >= from && one.to <= to)
  const stretch = own === undefined ? firstOf(statement, to) : stretchOf(own, statement)
  if (stretch !== null) return stretch
  const where = rowsWhere(matrix, saidIn(statement, to))
  if (where !== null) {
    const isIn: Confinement['isIn'] = (axis, isRow) => !isRow || axis.role !== 'value' || where.rows.includes(axis)
    return { isIn, isNaming: where.isNaming }
  }
  const range = own === undefined ? statement.steps.find(one => one.first < one.last) : undefined
  return range === undefined ? null : stretchOf(range, statement)
}

/** 前 180 步, "the first 180 steps". */
function firstOf({ text, quantities }: Statement, end: number): Confinement | null {
  const count = quantities.find(({ from, to, unit }) => unit === 'step' && to <= end && FIRST.test(text.slice(0, from)))
  return count === undefined ? null : { isIn: ({ step }) => step === null || step <= count.value, isNaming: false }
}

const FIRST = /(?:前|(?<![a-z])first)\s?$/i

/** "Steps 75-130", "after step 300". */
function stretchOf({ first, last, from, to }: Statement['steps'][number], { text }: Statement): Confinement | null {
  if (first < last) return { isIn: ({ step }) => step === null || (step >= first && step <= last), isNaming: false }
  const isOnward = FROM_ON.test(text.slice(0, from)) || ON.test(text.slice(to))
  if (isOnward) return { isIn: ({ step }) => step === null || step > first, isNaming: false }
  const isUpTo = UP_TO.test(text.slice(0, from)) || UNTIL.test(text.slice(to))
  return isUpTo ? { isIn: ({ step }) => step === null || step <= first, isNaming: false } : null
}

const UP_TO = /(?:(?<![a-z])(?:until|up to|through)|到)\s?$/i
const UNTIL = /^\s?(?:及?以前|为止|and earlier|or earlier)/i

const FROM_ON = /(?:after|since|自|>)\s?$/i
const ON = /^\s?(?:之后|以后|起|onwards?)/i

interface Where {
  readonly rows: readonly Axis[]
  readonly isNaming: boolean
}

/** A column of a table as far as conditions go. */
interface Condition {
  /** What it is headed, in lower case. */
  readonly word: string
  readonly isLabel: boolean
  readonly key: string
  /** The number in each of its rows. */
  readonly numbers: readonly number[]
}

/** Read once for each table, because every clause around it may name a condition. */
interface Terms {
  readonly rows: readonly Axis[]
  readonly conditions: readonly Condition[]
  readonly headers: readonly number[]
  /** On how many samples each row was measured; null where no column says it. */
  readonly sizes: readonly number[] | null
  /** Where each size has a table of its own, its title or its caption names it. */
  readonly title: string
}

const termsOf = remembered(readTerms)

function readTerms({ table, columns, rows }: Matrix): Terms {
  const numbersIn = ({ index }: Axis): readonly number[] => table.rows.map(row => numberIn(row[index]?.text ?? ''))
  const counted = columns.find(({ name, role }) => role === 'label' && /数据|样本|sample/i.test(name))
  const conditions = columns.flatMap((column): readonly Condition[] => {
    const [word, isLabel] = [wordOf(column.name), column.role === 'label']
    // A shorter header cannot be told from other words.
    if (column.role === 'remark' || word.length < 2) return []
    return [{ word, isLabel, key: `${isLabel} ${word}`, numbers: numbersIn(column) }]
  })
  return {
    rows: rows.filter(({ role }) => role === 'value'),
    conditions,
    headers: columns.map(({ name }) => numberIn(name)),
    sizes: counted === undefined ? null : numbersIn(counted),
    title: `${table.section?.title ?? ''} ${table.caption?.text.slice(0, 60) ?? ''}`,
  }
}

const wordOf = (header: string): string =>
  header
    .replace(/[(（].*$/, '')
    .replace(/[\s_]*num$/i, '')
    .trim()
    .toLowerCase()

const numberIn = (text: string): number => Number(/\d+(?:\.\d+)?(?:e-?\d+)?/i.exec(text)?.[0] ?? Number.NaN)

/** The rows that conditions such as "Shot≥2", 学习率为 1e-6 时 or "50/80 条数据" leave; null where none is named. */
function rowsWhere(matrix: Matrix, said: Said): Where | null {
  if (!said.hasNumber) return null
  const { conditions, headers, sizes, title, rows: all } = termsOf(matrix)
  let rows = all
  let isConfined = false
  let isNaming = true
  for (const condition of conditions) {
    const asked = askedOf(condition, said)
    if (asked === null) continue
    const { isMet } = asked
    const left = rows.filter(({ index }) => isMet(condition.numbers[index] ?? Number.NaN))
    // "Update 400" may name a column of that name instead.
    if (left.length === 0 && (!condition.isLabel || headers.some(isMet))) continue
    isConfined = true
    isNaming &&= asked.isNaming
    rows = left
  }
  if (said.sizes === null) return isConfined ? { rows, isNaming } : null
  const wanted = said.sizes
  if (sizes !== null)
    return { rows: rows.filter(({ index }) => wanted.includes(sizes[index] ?? Number.NaN)), isNaming: false }
  const isOther = !wanted.some(size => new RegExp(`(?<!\\d)${size}(?!\\d)`).test(title))
  return isOther ? { rows: [], isNaming: false } : isConfined ? { rows, isNaming } : null
}

/** What a text asks of the values of a column. */
interface Asked {
  readonly isMet: (value: number) => boolean
  readonly isNaming: boolean
}

/** What is said about conditions up to the end of a clause, whatever the table: it is asked for one after the other. */
interface Said {
  readonly statement: Statement
  readonly to: number
  readonly text: string
  readonly hasNumber: boolean
  readonly lower: string
  readonly sizes: readonly number[] | null
  readonly asked: Map<string, Asked | null>
}

let last: Said | null = null

function saidIn(statement: Statement, to: number): Said {
  if (last?.statement === statement && last.to === to) return last
  const text = statement.text.slice(0, to)
  const [lower, sizes, hasNumber] = [text.toLowerCase(), sizesIn(text), /\d/.test(text)]
  last = { statement, to, text, hasNumber, lower, sizes, asked: new Map() }
  return last
}

/** Neighbouring tables have the same headers. */
function askedOf({ word, isLabel, key }: Condition, { text, lower, asked }: Said): Asked | null {
  const known = asked.get(key)
  if (known !== undefined) return known
  const made = readAsked(lastSaid(word, isLabel, text, lower), isLabel)
  asked.set(key, made)
  return made
}

const NUMBER = String.raw`(\d{1,6}(?:\.\d{1,6})?(?:e-?\d{1,2})?)`
const LIST = String.raw`((?:\s?[,，、/]\s?\d{1,6})*)(?![\d.%]|\s?[-–~至到]\s?\d)`
/** "Shot 1", "Shot≥2": what a label column is headed needs no more. */
const LABELLED = new RegExp(String.raw`^(?:[ _]?num)?\s?(=|≥|>=|>|≤|<=|<)?\s?${NUMBER}${LIST}`, 'i')
/** Of other columns the words must say that it is a condition: 学习率为 1e-6 时, "with beta = 0.1". */
const VALUED = new RegExp(
  String.raw`^(?:[ _]?num)?\s?(=|≥|>=|>|≤|<=|<|为|是|of)\s?${NUMBER}${LIST}\s?(?:时|下|的情况)`,
  'i',
)
const WITH = /(?:with|at|for|when|under) (?:an? )?$/i
const SET = new RegExp(String.raw`^(?:[ _]?num)?\s?(=|≥|>=|>|≤|<=|<|of|is)\s?${NUMBER}`, 'i')

/** "At size 2 …, at size 1 …": the last one said holds. */
function lastSaid(word: string, isLabel: boolean, text: string, lower: string): RegExpExecArray | null {
  for (let at = lower.lastIndexOf(word); at >= 0; at = at === 0 ? -1 : lower.lastIndexOf(word, at - 1)) {
    if (/[a-z]$/.test(lower.slice(0, at))) continue
    const behind = text.slice(at + word.length)
    const set = !isLabel && WITH.test(text.slice(0, at)) ? SET.exec(behind) : null
    const match = set ?? (isLabel ? LABELLED : VALUED).exec(behind)
    if (match !== null) return match
  }
  return null
}

function readAsked(match: RegExpExecArray | null, isLabel: boolean): Asked | null {
  if (match === null) return null
  const [, sign = '', number, further = ''] = match
  const value = Number(number)
  const more = further.split(/\D+/).filter(part => part !== '')
  const list = [value, ...more.map(Number)]
  const isBeyond = /[≥>]/.test(sign) ? 1 : /[≤<]/.test(sign) ? -1 : 0
  if (isBeyond === 0) return { isMet: one => list.includes(one), isNaming: isLabel }
  const isIncluded = /[≥≤=]/.test(sign)
  return { isMet: one => Math.sign(one - value) === isBeyond || (isIncluded && one === value), isNaming: false }
}

/** 少 40 条, 多 15 条: so many came out, on however many it was measured. */
function sizesIn(text: string): readonly number[] | null {
  if (!/\d\s?(?:条|样本|samples)/i.test(text)) return null
  const match = [
    ...text.matchAll(
      /(?<![\d.]|(?:[有少多差]|不[少多]于)\s?)(\d{2,6}(?:\s?[/、,]\s?\d{2,6})*)\s?(?:条|样本|samples)/gi,
    ),
  ].at(-1)
  return match === undefined ? null : (match[1] ?? '').split(/[^\d]+/).map(Number)
}

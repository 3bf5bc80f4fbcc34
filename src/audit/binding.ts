import type { Statement } from '../logs/document/document.js'
import { everyMatch } from '../logs/document/matches.js'
import { type Line, type Matrix, type MatrixAxis, matrixOf, type Point, shortLines } from '../logs/document/matrix.js'
import type { Quantity } from '../logs/document/quantity.js'
import { rememberedText } from '../logs/document/remembered.js'
import { memoByObject, memoOfLast } from '../logs/model/util/memo.js'
import { isAround, prints, type ReportEvidence } from './evidence.js'
import { has } from './lexicon.js'
import { areOf, focusOf, type Mention, mentionsIn, namesCorner, type ReportClause } from './mentions.js'

/**
 * How a clause is bound to tables, once for all relations. A frame is one line of a table (a column over its rows, or a
 * row over its columns) that the clause may speak of: its values within what the clause confines itself to, who of them
 * is named, and who is named as that which the others are measured against. Every frame is one reading of the clause.
 */
export interface BindingFrame {
  readonly line: Line
  /** Within the steps and conditions that the clause names, and without its exceptions. */
  readonly points: readonly Point[]
  readonly isConfined: boolean
  /** The line is named: by the clause itself, or by what stands before and above it. */
  readonly isOwn: boolean
  readonly isNamed: boolean
  /** By its whole name, in the clause itself. */
  readonly isExact: boolean
  /** Who is named; of a remark in a cell, its row. */
  readonly subjects: readonly Named[]
  /** Who is named behind "than", 比, 高于. */
  readonly bases: readonly Named[]
  /** Who was named before the clause, where it names nobody itself. */
  readonly earlier: readonly Named[]
  /** The table stands where the clause does, or close by. */
  readonly isHere: boolean
}

export interface Named {
  readonly point: Point
  readonly mention: Mention
}

const NEAREST = 8
const NONE: readonly Mention[] = []

/** Several relations ask about the clauses of one statement in turn, so the answers to the last one are kept. */
const framesByClause = memoOfLast((_: Statement, __: ReportEvidence) => new Map<string, readonly BindingFrame[]>())

export function framesOf(clause: ReportClause, evidence: ReportEvidence): readonly BindingFrame[] {
  const { statement, from, to } = clause
  const known = framesByClause(statement, evidence)
  const frames = known.get(`${from} ${to}`) ?? readFrames(clause, evidence)
  known.set(`${from} ${to}`, frames)
  return frames
}

function readFrames(clause: ReportClause, evidence: ReportEvidence): readonly BindingFrame[] {
  const { table, text, offsetOf } = clause.statement
  const isExcepting = EXCEPTED.test(text)
  // A remark in a cell is held against its table, a sentence against those around it.
  const matrices = table === null ? evidence.near(offsetOf(clause.from)).slice(0, NEAREST) : [matrixOf(table)]
  const frames: BindingFrame[] = []
  for (const matrix of matrices) putFrames(frames, clause, matrix, isExcepting)
  if (table !== null || frames.some(({ isHere, isNamed }) => isHere && isNamed)) return frames
  // The only table that has a line of that name is meant, wherever it stands.
  const isMeant = ({ isExact, isNamed, isConfined }: BindingFrame): boolean => isExact || (isNamed && isConfined)
  const named = frames.filter(one => isMeant(one) && one.points.length > 0 && one.line.points.length > 2)
  const [only, another] = new Set(named.map(({ line }) => line.matrix))
  if (only === undefined || another !== undefined) return frames
  return frames.map(frame => (frame.line.matrix === only && isMeant(frame) ? { ...frame, isHere: true } : frame))
}

function putFrames(frames: BindingFrame[], clause: ReportClause, matrix: Matrix, isExcepting: boolean): void {
  const { statement } = clause
  const { own, inherited: before } = focusOf(clause, matrix)
  const figures = statement.quantities.filter(one => prints(matrix, one))
  const isOfItself = statement.cell !== null || namesKind(clause, matrix)
  // Most tables around a sentence are none of its business.
  if (own.length + before.length + figures.length === 0 && !isOfItself) return
  const all = isExcepting ? mentionsIn(statement, matrix) : NONE
  const left = all.filter(one => isException(statement.text, one)).flatMap(({ axes }) => axes)
  // An exception that nobody understands leaves open what is spoken of.
  if (isExcepting && left.length === 0) return
  const isLeft = ({ axes }: Mention): boolean => axes.some(axis => left.includes(axis))
  const inherited = left.length === 0 ? before : before.filter(one => !isLeft(one))
  // "Shot≥2" confines; it does not name Shot 2.
  const named = own.filter(one => !isLeft(one) && !/[≥≤<>]/.test(statement.text.slice(one.from, one.to)))
  const isSpoken = named.length + inherited.length > 0 || isOfItself
  if (!isSpoken && figures.length === 0) return
  const confinement = confinedTo(clause, matrix)
  const isHere = isAround(matrix.table.section, statement.section)
  const sides = { columns: sideOf(clause, named, inherited, true), rows: sideOf(clause, named, inherited, false) }
  for (const line of shortLines(matrix)) {
    const { isColumn, of } = line
    const { along, rivals, bases, subjects, earlier } = isColumn ? sides.columns : sides.rows
    const isOwn = areOf(line, along)
    if (left.includes(of) || (!isOwn && (along.length > 0 || (isColumn && isSetting(of.name))))) continue
    const isOwnRow = !isColumn && of.index === statement.cell?.row
    const isNamed = isOwn || areOf(line, inherited) || isOwnRow
    if (!isNamed && rivals.length === 0 && !(isSpoken && isColumn) && !holdsAny(line, figures)) continue
    if (confinement !== null && !confinement(of, !isColumn)) continue
    const isIn = ({ at }: Point): boolean => (confinement?.(at, isColumn) ?? true) && !left.includes(at)
    const points = confinement === null && left.length === 0 ? line.points : line.points.filter(isIn)
    const home = isColumn && subjects.length === 0 ? ownRow(clause, line) : []
    frames.push({
      line,
      points,
      isConfined: confinement !== null || points.length < line.points.length,
      isOwn,
      isNamed,
      isExact: along.some(one => one.isWhole && one.axes.includes(of)),
      subjects: home.length > 0 ? home : pointsNamed(subjects, line),
      bases: pointsNamed(bases, line),
      earlier: pointsNamed(earlier, line),
      isHere,
    })
  }
}

/** What is named along the lines of one direction, and across them: who is compared, and with whom. */
function sideOf(
  { statement }: ReportClause,
  named: readonly Mention[],
  inherited: readonly Mention[],
  isColumn: boolean,
) {
  const rivals = named.filter(one => one.isRow === isColumn)
  const bases = basesAmong(rivals, statement.text)
  return {
    along: named.filter(one => one.isRow !== isColumn),
    rivals,
    subjects: rivals.filter(one => !bases.includes(one)),
    bases,
    earlier: inherited.filter(one => one.isRow === isColumn),
  }
}

function holdsAny({ points }: Line, figures: readonly Quantity[]): boolean {
  return figures.length > 0 && points.some(({ quantity }) => figures.some(({ value }) => value === quantity.value))
}

/** "All data sets", "the differences": the rows or the computed columns as a kind. */
function namesKind({ text, statement }: ReportClause, matrix: Matrix): boolean {
  if (has(text, 'change') && matrix.columns.some(({ role }) => role === 'difference')) return true
  return has(text, 'all') && (matrix.table.section === statement.section || namesCorner(text, matrix))
}

/** What was set is compared only where it is named. */
const isSetting = rememberedText((name: string) =>
  /学习率|系数|温度|种子|批大小|(?<![a-z])(?:lr|learning rate|coef(?:ficient)?|beta|temperature|seed|batch(?: size)?|group size|weight decay|warmup|rank)(?![a-z])|^[βαγλ]$/i.test(
    name,
  ),
)

/** A remark speaks of the row it stands in. */
function ownRow({ statement: { cell } }: ReportClause, { matrix, points }: Line): readonly Named[] {
  const point = cell === null ? undefined : points.find(({ at }) => at.index === cell.row)
  if (point === undefined) return []
  return [{ point, mention: { matrix, isRow: true, axes: [point.at], from: 0, to: 0, isWhole: true } }]
}

function pointsNamed(mentions: readonly Mention[], { points }: Line): readonly Named[] {
  return mentions.flatMap(mention =>
    points.filter(({ at }) => mention.axes.includes(at)).map(point => ({ point, mention })),
  )
}

/** What stands right before the one that something is measured against. */
const BASE =
  /(?:比|较|相比于?|相对于?|对比|[高低大小多少优好差长短劣逊弱强快慢]于|超[过越出]?|胜过|领先于?|落后于?|不如|不及|高出|(?<![A-Za-z])(?:than|as [a-z]{3,6} as|over|vs\.?|versus|against|compared (?:to|with)|relative to|from|(?:out|under)performs?(?:ed)?|beats?|surpass(?:es|ed)?|exceed(?:s|ed)?|trails|behind|above|below|ahead of))\s*(?:了|当前|原来?的?|(?:that of|the one (?:at|of|with|from)|the|its|our|all|both|did|at)\s)*\s*[`"'“‘]?\s*$/i

export function isBaseIn(text: string, { from, to }: Mention): boolean {
  return BASE.test(text.slice(Math.max(0, from - 32), from)) || /^\s?的\s?[\d.]+\s?倍/.test(text.slice(to, to + 12))
}

/** What joins the items of a list. */
const LIST = /^\s*(?:[,，、/]|and|or|[和与及])\s*(?:(?:and|or|the)\s)*$/

/** "Below A, B and C": what follows the first rival in a list is a rival too. */
function basesAmong(mentions: readonly Mention[], text: string): readonly Mention[] {
  const bases: Mention[] = []
  for (const one of mentions) {
    const before = bases.at(-1)
    const between = before === undefined ? '' : text.slice(before.to, one.from).replace(/\([^()]*\)/g, '')
    if (isBaseIn(text, one) || (before !== undefined && LIST.test(between))) bases.push(one)
  }
  return bases
}

/** "The gap is larger": gains are compared, not scores. */
const isOfGain = rememberedText((text: string) =>
  /幅度|增益|差距|增量|(?<![A-Za-z])(?:gains?|improvements?|drops?|gaps?|margins?) (?:is|are|was|were|of|on|for)(?![A-Za-z])/i.test(
    text,
  ),
)

export function isOfKind({ line: { of } }: BindingFrame, clause: ReportClause): boolean {
  return of.role === 'summary' || of.role === (isOfGain(clause.text) ? 'difference' : 'value')
}

const EXCEPT =
  /(?:除了?|(?<![A-Za-z])(?:except(?: for)?|apart from|other than|besides|with the exception of|all but|everywhere but))\s*(?:(?:on|in|for|at)\s)?(?:the\s)?[`"“]?\s*$/i

const EXCEPTED =
  /除[^,，。]{1,24}外|(?<![A-Za-z])(?:except|apart from|other than|(?<!without )exception|all but|everywhere but)(?![A-Za-z])/i

function isException(text: string, { from }: Mention): boolean {
  return EXCEPT.test(text.slice(Math.max(0, from - 24), from))
}

/** Whether a row or column is one of those that a clause confines itself to. */
type Confinement = (axis: MatrixAxis, isRow: boolean) => boolean

/** What a clause confines itself to: a stretch of steps, or the rows that were measured under a condition it names. */
function confinedTo({ statement: { text, steps }, from, to }: ReportClause, matrix: Matrix): Confinement | null {
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
function stretchOf(
  { first, last, from, to }: ReportClause['statement']['steps'][number],
  text: string,
): Confinement | null {
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
function rowsWhere(matrix: Matrix, said: string): readonly MatrixAxis[] | null {
  const { lower, hasNumber, asked } = saidIn(said)
  if (!hasNumber) return null
  const { rows, conditions, headers, sizes, titled } = termsOf(matrix)
  let left: readonly MatrixAxis[] = rows
  for (const { word, numbers } of conditions) {
    const isMet = askedOf(word.toLowerCase(), lower, conditions.length === 1)
    if (isMet === null) continue
    const met = left.filter(({ index }) => isMet(numbers[index] ?? Number.NaN))
    // "Update 400" may name a column of that name instead.
    if (met.length > 0 || !headers.some(isMet)) left = met
  }
  if (asked !== null && sizes !== null) left = left.filter(({ index }) => asked.includes(sizes[index] ?? Number.NaN))
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
    const [, sign = '', numbers = ''] = match
    const [first = Number.NaN, ...others] = numbers.split(/\s?[,，、/]\s?/).map(Number)
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

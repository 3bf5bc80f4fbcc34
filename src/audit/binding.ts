import type { Statement } from '../document/document.js'
import { type Line, type Matrix, matrixOf, type Point, shortLines } from '../document/matrix.js'
import type { Quantity } from '../document/quantity.js'
import { rememberedText } from '../document/remembered.js'
import { confinedTo } from './conditions.js'
import { type Evidence, isAround, prints } from './evidence.js'
import { has } from './lexicon.js'
import { areOf, type Clause, focusOf, type Mention, mentionsIn, namesCorner } from './mentions.js'

/**
 * How a clause is bound to tables, once for all relations. A frame is one line of a table (a column over its rows, or a
 * row over its columns) that the clause may speak of: its values within what the clause confines itself to, who of them
 * is named, and who is named as that which the others are measured against. Every frame is one reading of the clause.
 */
export interface Frame {
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

let last: readonly [of: Statement, by: Evidence, frames: Map<string, readonly Frame[]>] | null = null

/** Several relations ask about the clauses of one statement in turn, so the answers to the last one are kept. */
export function framesOf(clause: Clause, evidence: Evidence): readonly Frame[] {
  const { statement, from, to } = clause
  if (last?.[0] !== statement || last[1] !== evidence) last = [statement, evidence, new Map()]
  const frames = last[2].get(`${from} ${to}`) ?? readFrames(clause, evidence)
  last[2].set(`${from} ${to}`, frames)
  return frames
}

function readFrames(clause: Clause, evidence: Evidence): readonly Frame[] {
  const { table, text, offsetOf } = clause.statement
  const isExcepting = EXCEPTED.test(text)
  // A remark in a cell is held against its table, a sentence against those around it.
  const matrices = table === null ? evidence.near(offsetOf(clause.from)).slice(0, NEAREST) : [matrixOf(table)]
  const frames: Frame[] = []
  for (const matrix of matrices) putFrames(frames, clause, matrix, isExcepting)
  if (table !== null || frames.some(({ isHere, isNamed }) => isHere && isNamed)) return frames
  // The only table that has a line of that name is meant, wherever it stands.
  const isMeant = ({ isExact, isNamed, isConfined }: Frame): boolean => isExact || (isNamed && isConfined)
  const named = frames.filter(one => isMeant(one) && one.points.length > 0 && one.line.points.length > 2)
  const [only, another] = new Set(named.map(({ line }) => line.matrix))
  if (only === undefined || another !== undefined) return frames
  return frames.map(frame => (frame.line.matrix === only && isMeant(frame) ? { ...frame, isHere: true } : frame))
}

function putFrames(frames: Frame[], clause: Clause, matrix: Matrix, isExcepting: boolean): void {
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
function sideOf({ statement }: Clause, named: readonly Mention[], inherited: readonly Mention[], isColumn: boolean) {
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
function namesKind({ text, statement }: Clause, matrix: Matrix): boolean {
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
function ownRow({ statement: { cell } }: Clause, { matrix, points }: Line): readonly Named[] {
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
export const LIST = /^\s*(?:[,，、/]|and|or|[和与及])\s*(?:(?:and|or|the)\s)*$/

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

export function isOfKind({ line: { of } }: Frame, clause: Clause): boolean {
  return of.role === 'summary' || of.role === (isOfGain(clause.text) ? 'difference' : 'value')
}

const EXCEPT =
  /(?:除了?|(?<![A-Za-z])(?:except(?: for)?|apart from|other than|besides|with the exception of|all but|everywhere but))\s*(?:(?:on|in|for|at)\s)?(?:the\s)?[`"“]?\s*$/i

const EXCEPTED =
  /除[^,，。]{1,24}外|(?<![A-Za-z])(?:except|apart from|other than|(?<!without )exception|all but|everywhere but)(?![A-Za-z])/i

function isException(text: string, { from }: Mention): boolean {
  return EXCEPT.test(text.slice(Math.max(0, from - 24), from))
}

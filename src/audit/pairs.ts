import { type Axis, type Matrix, valueAt } from '../document/matrix.js'
import type { Quantity } from '../document/quantity.js'
import { rowsWhere } from './conditions.js'
import { has } from './lexicon.js'
import { type Clause, clausesOf, type Focus, type Mention, mentionsIn } from './mentions.js'

/**
 * Two rows or columns that a clause sets against each other by name, and the lines in which both have a value. The names
 * say which two, a third name which line they cross; what is not named is left open, and then every line is one reading.
 */
export interface Pairing {
  readonly matrix: Matrix
  readonly isRow: boolean
  readonly left: Axis
  readonly right: Axis
  readonly crossing: readonly Axis[]
  /** The crossing line is named. */
  readonly isNamed: boolean
  /** Conditions are named, and hold for all of the lines. */
  readonly isEvery: boolean
  /** Both are named by their whole names. */
  readonly isWhole: boolean
  /** One of the two is left open: any two in a line that is named, or any one against the one that is named. */
  readonly isOpen: boolean
}

export interface Compared {
  readonly pairing: Pairing
  readonly line: Axis
  readonly left: Quantity
  readonly right: Quantity
}

export function cellAt({ matrix: { table }, isRow }: Pick<Pairing, 'matrix' | 'isRow'>, axis: Axis, line: Axis) {
  return isRow ? table.rows[axis.index]?.[line.index] : table.rows[line.index]?.[axis.index]
}

export function valuesOf(pairing: Pairing): readonly Compared[] {
  const { matrix, isRow, left, right, crossing } = pairing
  const value = (axis: Axis, line: Axis): Quantity | null => {
    const quantity = isRow ? valueAt(matrix, axis.index, line.index) : valueAt(matrix, line.index, axis.index)
    const isPlain = quantity?.ends === null && (cellAt(pairing, axis, line)?.quantities.length ?? 0) < 3
    return isPlain ? quantity : null
  }
  return crossing.flatMap(line => {
    const [a, b] = [value(left, line), value(right, line)]
    return a === null || b === null ? [] : [{ pairing, line, left: a, right: b }]
  })
}

/** Without a row of means, the mean over all lines. */
export function meanOf(pairing: Pairing): readonly Compared[] {
  const values = valuesOf(pairing)
  const [first] = values
  if (first === undefined || values.length === 1) return values
  const mean = (list: readonly Quantity[]): Quantity => {
    const value = list.reduce((sum, one) => sum + one.value, 0) / list.length
    const half = Math.max(...list.map(({ range }) => (range.high - range.low) / 2))
    return { ...(list[0] ?? first.left), value, range: { low: value - half, high: value + half } }
  }
  return [{ ...first, left: mean(values.map(({ left }) => left)), right: mean(values.map(({ right }) => right)) }]
}

/** Gains are compared, not scores. */
const GAP =
  /幅度|增益|差距|增量|(?<![A-Za-z])(?:gains?|improvements?|drops?|gaps?|margins?) (?:is|are|was|were|of|on|for)(?![A-Za-z])/i
const MOST_CROSSING = 40

/** The lines that two rows or columns cross: those that are named, else those under the named conditions, else all. */
function crossingOf(focus: Focus, isRow: boolean, clause: Clause): Pick<Pairing, 'crossing' | 'isNamed' | 'isEvery'> {
  const { matrix } = focus
  const said = clause.statement.text.slice(0, clause.to)
  const isGap = GAP.test(clause.text)
  const measured = ({ role }: Axis): boolean => (isGap ? role === 'difference' : role === 'value' || role === 'summary')
  const where = isRow ? null : rowsWhere(matrix, [said])
  if (where !== null) return { crossing: where, isNamed: where.length > 0, isEvery: true }
  const all = (isRow ? matrix.columns : matrix.rows).filter(axis => measured(axis) && (!isRow || axis.index > 0))
  const means = has(said, 'mean') ? all.filter(({ role }) => role === 'summary') : []
  const inherited = focus.inherited.filter(one => one.isRow !== isRow)
  const named = [isRow ? focus.columns : focus.rows, inherited]
    .map(mentions => mentions.flatMap(({ axes }) => axes).filter(measured))
    .concat([means])
    .find(axes => axes.length > 0)
  if (named !== undefined) return { crossing: named, isNamed: true, isEvery: false }
  return { crossing: all.slice(0, MOST_CROSSING), isNamed: all.length === 1, isEvery: false }
}

/** What stands right before the one that something is measured against. */
export const BASE =
  /(?:比|较|相比于?|相对于?|对比|[高低大小多少优好差长短劣逊弱强]于|超[过越出]?|胜过|领先于?|落后于?|不如|不及|高出|(?<![A-Za-z])(?:than|over|vs\.?|versus|against|compared (?:to|with)|relative to|from|(?:out|under)performs?(?:ed)?|beats?|surpass(?:es|ed)?|exceed(?:s|ed)?|trails|behind|above|below|ahead of))\s*(?:了|当前|原来?的?|(?:the|its|our|all|both)\s)?\s*[`"'“‘]?\s*$/i

const isBaseIn =
  (text: string) =>
  ({ from }: Mention): boolean =>
    BASE.test(text.slice(Math.max(0, from - 24), from))

const isMeasured = ({ role }: Axis): boolean =>
  role === 'value' || role === 'summary' || role === 'step' || role === 'label'

const isComparable = ({ alongColumns, alongRows }: Matrix, isRow: boolean): boolean =>
  isRow ? alongColumns : alongRows

/** Subject and rival of a comparing word, in every way that the names allow. */
export function rivalsOf(clause: Clause, focus: Focus, word: number): readonly Pairing[] {
  const isBase = isBaseIn(clause.statement.text)
  const { matrix } = focus
  return [true, false].flatMap(isRow => {
    const own = isRow ? focus.rows : focus.columns
    const first = isComparable(matrix, isRow) ? own.find(isBase) : undefined
    if (first === undefined) return []
    // "Below A, B and C": what follows the first rival is a rival too, unless the first stands before the word.
    const bases = own.filter(one => one === first || isBase(one) || (first.from > word && one.from > first.from))
    const others = own.filter(one => !bases.includes(one))
    const subjects = others.length > 0 ? others : subjectBefore(clause, focus, isRow)
    const crossing = crossingOf(focus, isRow, clause)
    return subjects.flatMap(subject =>
      bases.flatMap(base => {
        const isWhole = subject.isWhole && base.isWhole
        return pairsOf(subject.axes, base.axes).map(([left, right]) => {
          return { matrix, isRow, left, right, ...crossing, isWhole, isOpen: false }
        })
      }),
    )
  })
}

function pairsOf(left: readonly Axis[], right: readonly Axis[]): readonly (readonly [Axis, Axis])[] {
  const measured = right.filter(isMeasured)
  return left.filter(isMeasured).flatMap(a => measured.flatMap(b => (a === b ? [] : [[a, b] as const])))
}

/** Who the sentence was about: the first name of the nearest clause before that does not begin with a rival. */
function subjectBefore({ statement, from }: Clause, focus: Focus, isRow: boolean): readonly Mention[] {
  const isBase = isBaseIn(statement.text)
  const all = mentionsIn(statement, focus.matrix).filter(one => one.isRow === isRow)
  for (const before of clausesOf(statement)
    .filter(one => one.to <= from)
    .reverse()) {
    const first = all.find(one => one.from >= before.from && one.to <= before.to)
    if (first !== undefined && !isBase(first)) return [first]
  }
  return all.some(one => one.to <= from) ? [] : focus.inherited.filter(one => one.isRow === isRow).slice(0, 1)
}

const MOST_OPEN = 12
const TWO = /(?<![A-Za-z])(?:the two|both)(?![A-Za-z])|两者|二者|两[个种组]/i
/** So short a statement is an entry of a list: what it does not name stands above it. */
const LONGEST_ENTRY = 40

/** The pairs that an amount can be the difference of; open ones only where no names single out a pair. */
export function pairingsOf(clause: Clause, focus: Focus): readonly Pairing[] {
  const all = [true, false].flatMap(isRow => pairingsAlong(clause, focus, isRow))
  const closed = all.filter(({ isOpen }) => !isOpen)
  return closed.length > 0 ? closed : all
}

function pairingsAlong(clause: Clause, focus: Focus, isRow: boolean): readonly Pairing[] {
  const { matrix } = focus
  if (!isComparable(matrix, isRow)) return []
  const isBase = isBaseIn(clause.statement.text)
  const own = isRow ? focus.rows : focus.columns
  const before = focus.inherited.filter(one => one.isRow === isRow)
  const subject = own.length > 0 && own.every(isBase) ? subjectBefore(clause, focus, isRow) : []
  // "1.3 points above A and 7.7 above B": each against who was spoken of, never against each other.
  const named =
    subject.length > 0
      ? subject
      : own.length === 1
        ? [...before.slice(0, 1), ...own]
        : own.length === 0 && before.length === 2
          ? before
          : own
  const axes = [...new Set(named.flatMap(one => one.axes))].filter(isMeasured)
  const all = (isRow ? matrix.rows : matrix.columns.slice(1)).filter(({ role }) => role === 'value')
  const ends = endsOf(clause, focus, isRow)
  // Of two rows, what is named of one is said of both: "three times that of B", "the two differ by 0.3".
  const lines = new Set((isRow ? focus.columns : focus.rows).flatMap(one => one.axes))
  const isTwo = axes.length === 1 || (axes.length === 0 && TWO.test(clause.text))
  const isBoth = all.length === 2 && isTwo && lines.size === 1
  const isOpen = ends.length === 0 && subject.length === 0 && axes.length < 2 && !isBoth
  const isMeant =
    axes.length === 1
      ? own.some(isBase) || (lines.size === 1 && clause.statement.kind !== 'cell')
      : lines.size > 0 && clause.statement.text.length < LONGEST_ENTRY
  if (isOpen && (!isMeant || all.length > MOST_OPEN)) return []
  const others = axes.length === 0 || isBoth ? all : axes
  const pairs =
    subject.length > 0
      ? pairsOf(
          axes,
          own.flatMap(one => one.axes),
        )
      : ends.length > 0
        ? ends
        : others.flatMap((left, i) => pairsOf([left], axes.length === 1 && !isBoth ? all : others.slice(i + 1)))
  const isWhole = !isOpen && named.every(one => one.isWhole)
  const crossing = crossingOf(focus, isRow, clause)
  return pairs.map(([left, right]) => ({ matrix, isRow, left, right, ...crossing, isWhole, isOpen }))
}

const FIRST =
  /初始|起始|起点|训练前|开始时?|(?<![A-Za-z])(?:initial|start|beginning|first evaluation|step 0|before training)(?![A-Za-z])/i
const LAST = /最终|最后|末尾?|结束|训练后|(?<![A-Za-z])(?:final|end|last evaluation|after training)(?![A-Za-z])/i
const HEAD = /前\s?(\d{1,6})\s?[步轮]|(?<![A-Za-z])first (\d{1,6}) (?:steps|epochs|iterations)/i
const TAIL = /后\s?(\d{1,6})\s?[步轮]|(?<![A-Za-z])last (\d{1,6}) (?:steps|epochs|iterations)/i
const BETWEEN =
  /(?<![A-Za-z])between (?:steps?|epochs?)?\s?(\d{1,6}) and (?:steps?|epochs?)?\s?(\d{1,6})(?![\d.%])|(\d{1,6})\s?[步轮]\s?[到至–-]\s?(\d{1,6})\s?[步轮]/i

/** "From the start", "in the last 150 steps", "between step 100 and 250": two places on an axis of steps. */
function endsOf(
  { text, statement, from, to }: Clause,
  { matrix, rows, columns }: Focus,
  isRow: boolean,
): readonly (readonly [Axis, Axis])[] {
  const axes = (isRow ? matrix.rows : matrix.columns).filter(({ step }) => step !== null)
  const [first, last] = [axes[0], axes.at(-1)]
  if (first === undefined || last === undefined || axes.length < 3) return []
  const pair = (a: number, b: number): readonly (readonly [Axis, Axis])[] => {
    const [start, end] = [axes.find(({ step }) => step === a), axes.find(({ step }) => step === b)]
    return start === undefined || end === undefined ? [] : [[start, end]]
  }
  const [head, tail, both] = [HEAD.exec(text), TAIL.exec(text), BETWEEN.exec(text)]
  const range = statement.steps.find(one => one.from >= from && one.to <= to && one.first < one.last)
  if (head !== null) return pair(first.step ?? 0, Number(head[1] ?? head[2]))
  if (tail !== null) return pair((last.step ?? 0) - Number(tail[1] ?? tail[2]), last.step ?? 0)
  if (both !== null) return pair(Number(both[1] ?? both[3]), Number(both[2] ?? both[4]))
  if (range !== undefined) return pair(range.first, range.last)
  const [only, more] = (isRow ? rows : columns).flatMap(({ axes: own }) => own)
  if (only === undefined) return FIRST.test(statement.text.slice(0, to)) ? [[first, last]] : []
  return LAST.test(text) && more === undefined && only.step !== null ? [[only, last]] : []
}

/** All pairs of a row or column that the statement names with any other, where an amount may be of another pair. */
export function otherPairings(clause: Clause, focus: Focus): readonly Pairing[] {
  const { matrix } = focus
  return [true, false].flatMap(isRow => {
    const axes = (isRow ? matrix.rows : matrix.columns).filter(isMeasured)
    if (!isComparable(matrix, isRow) || axes.length > MOST_CROSSING) return []
    const crossing = crossingOf(focus, isRow, clause)
    const named = [...focus.own, ...focus.inherited].filter(one => one.isRow === isRow).flatMap(one => one.axes)
    return named.flatMap(left =>
      axes.flatMap(right =>
        left === right ? [] : [{ matrix, isRow, left, right, ...crossing, isWhole: false, isOpen: true }],
      ),
    )
  })
}

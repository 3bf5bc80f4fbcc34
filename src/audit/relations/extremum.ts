import { type Statement, titlesAbove } from '../../document/document.js'
import { type Axis, type Line, type Matrix, type Point, shortLines } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { isMisprint, meets } from '../arithmetic.js'
import { type Assertion, confirmed, type Figure, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import { type Evidence, goalOfLine, isAround, pointName, prints, SPEED, significantDigits, topOf } from '../evidence.js'
import { refute } from '../fault.js'
import { has, places } from '../lexicon.js'
import { across, areOf, type Clause, clauseOf, focusOf, type Mention, mentionsIn, mentionsInText } from '../mentions.js'
import { assertionIn, figureOf } from '../read.js'
import { bestsIn, checkCourse, coursesIn } from './course.js'

/**
 * "Peak 3.41 at step 90", "A has the lowest loss", "B is best on Y": a figure or a name is called the highest, the lowest
 * or the best. It is bound to every line near by that it can be about; refuted only if it is the extremum of none.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.extremum-contradicted': { en: '“{quote}”: {found} is not the {which} of “{line}”: {owner} has {expected} (line {at}); write {expected}', zh: '“{quote}”：{found} 不是“{line}”的{which}：{owner} 是 {expected}（第 {at} 行）；应写 {expected}' },
  'audit.named-extremum': { en: '“{quote}”: in “{line}” that is {owner} with {found} (line {at}), not {claimed}; write {owner}', zh: '“{quote}”：“{line}”中那是 {owner} 的 {found}（第 {at} 行），不是 {claimed}；应写 {owner}' },
})

/** "The late peak", "second best": an extremum of something that the sentence does not print. */
const QUALIFIED =
  /后期|前期|早期|局部|次[优佳高低]|第[二三四]|此前|之前|历史|当时|(?<![a-z])(?:late|later|local|second|third|so far|previous|earlier|then|initial|near|close to|among|one of|candidate|top[- ]?\d+)(?![a-z])|(?<![a-z])of (?:the|its|their|all) (?:best|maximum|highest|lowest|largest)|接近|之一|区间|范围|上限|下限|top\s?\d/i

/** A superlative with the figure or the name that it is said of; which names are meant is seen when it is checked. */
function* inClause(clause: Clause): Generator<Assertion> {
  const { statement, from, to, text } = clause
  let isFirst = true
  for (const word of places(text, 'maximum', 'minimum', 'best', 'worst', 'most', 'fastest', 'slowest')) {
    // "At most 3" is a bound.
    if (/(?<![A-Za-z])at\s$/i.test(text.slice(0, word.from))) continue
    const figure = figureBeside(statement, from + word.from, from + word.to)
    if (figure !== null || isFirst) {
      const sense = has(word.text, 'maximum') ? 'up' : has(word.text, 'minimum') ? 'down' : null
      const kind =
        (['worst', 'most', 'fastest', 'slowest'] as const).find(one => has(word.text, one)) ??
        (sense === null ? 'best' : 'extremum')
      const { from: start, to: end } = figure?.quantity ?? clause
      yield assertionIn(
        statement,
        'extremum',
        { from: Math.min(from, start), to: Math.max(to, end) },
        {
          figures: figure === null ? [] : [figure],
          quantity: statement.text,
          sense,
          manner: `${kind} ${from + word.from}`,
        },
      )
    }
    isFirst = false
  }
}

/** The figure that an extremum is about: behind its word, or in the brackets before it. */
function figureBeside(statement: Statement, from: number, to: number): Figure | null {
  const { text, quantities } = statement
  const clean = quantities.filter(
    ({ ends, plusMinus, bound, hedge, unit }) =>
      ends === null && !plusMinus && bound === null && hedge === null && unit !== 'step' && unit !== 'epoch',
  )
  const behind = clean.find(one => one.from >= to)
  if (behind !== undefined && behind.from - to <= 26 && !/[,，;；。]|vs|→/.test(text.slice(to, behind.from)))
    return figureOf(statement, behind, 'value')
  const before = clean.filter(one => one.to <= from).at(-1)
  if (before === undefined || from - before.to > 12 || /[;；。→]/.test(text.slice(before.to, from))) return null
  return figureOf(statement, before, 'value')
}

/** One line of a table that the superlative may be about. */
interface Reading {
  readonly line: Line
  /** The best of the line within the steps that are named. */
  readonly top: Point
  readonly wants: 'max' | 'min'
  /** The line itself is named. */
  readonly isNamed: boolean
  /** The rows or columns that are named as owners; empty where none is. */
  readonly owners: readonly Axis[]
  /** By their whole names, and near the superlative. */
  readonly isWhole: boolean
  /** The cell that prints the figure of the sentence. */
  readonly held: Point | null
  /** The step that the clause gives, where the line goes along steps and no row of that step is named. */
  readonly step: number | null
}

function check(assertion: Assertion, evidence: Evidence): Outcome {
  const ofCourse = checkCourse(assertion, evidence)
  const clause = clauseOf(assertion)
  const [beside] = assertion.figures
  const { stance, scope, sense, manner } = assertion
  if (ofCourse !== null) return ofCourse
  if (clause === null || stance === 'planned' || stance === 'defined') return UNCHECKED
  if (stance === 'advised' && beside === undefined) return UNCHECKED
  const byColumn = stance === 'said' ? checkBestStep(assertion, clause, evidence) : null
  if (byColumn !== null) return byColumn
  const range = scope.steps !== null && scope.steps[0] < scope.steps[1] ? scope.steps : null
  const figure = beside === undefined ? null : measured(beside, clause, evidence)
  // Where the goal of one line is known, a line of which nobody knows what is good does not save the word.
  const isPraise = sense === null && !manner.startsWith('most')
  const isKnown = ({ line }: Reading): boolean => !isPraise || goalOfLine(line) !== null
  const every: Reading[] = []
  for (const matrix of tablesFor(assertion, figure, evidence)) {
    for (const reading of readingsIn(assertion, clause, figure, matrix, range)) {
      if (isKnown(reading) && fits(reading, figure)) return confirmed(reading.line.of.name)
      every.push(reading)
    }
  }
  const known = every.filter(isKnown)
  const readings = known.length > 0 ? known : every
  const right = readings.find(reading => fits(reading, figure))
  if (right !== undefined) return confirmed(right.line.of.name)
  if ((QUALIFIED.test(clause.text) && range === null) || stance === 'hedged') return UNCHECKED
  const weight = ({ isNamed, owners, held }: Reading): number =>
    (isNamed ? 2 : 0) + (owners.length > 0 ? 1 : 0) + (held !== null ? 1 : 0)
  const [miss] = readings
    .filter(one => isTold(one, figure, assertion, evidence, range !== null))
    .sort((a, b) => weight(b) - weight(a))
  return miss === undefined ? UNCHECKED : tell(assertion, figure, miss, evidence, range !== null)
}

function fits({ top, owners, line, wants, step }: Reading, figure: Figure | null): boolean {
  const { quantity } = top
  const isFigure =
    figure === null ||
    (meets(quantity.range, figure.quantity.range) &&
      // Nobody quotes more digits than the table has.
      ((figure.quantity.decimals ?? 0) <= (quantity.decimals ?? 0) || figure.quantity.value === quantity.value))
  const owns = (axis: Axis): boolean => {
    const own = line.points.find(({ at }) => at === axis)
    if (own === undefined) return false
    const isBeyond = wants === 'max' && own.quantity.value > quantity.value
    return own === top || isBeyond || meets(own.quantity.range, quantity.range)
  }
  return isFigure && (owners.length === 0 || owners.some(owns)) && (step === null || top.at.step === step)
}

const BEST_STEP = /(?:best|最[佳优])[\s_]*(?:step|epoch|ckpt|checkpoint)|(?:step|epoch)[\s_]*(?:of|at)[\s_]*best/i

/** "A peaks at step 160", where the table has a column of best steps. */
function checkBestStep(assertion: Assertion, clause: Clause, { near, document }: Evidence): Outcome | null {
  const [mark, more] = clause.statement.steps.filter(one => one.from >= clause.from && one.to <= clause.to)
  if (mark === undefined || more !== undefined || mark.first !== mark.last) return null
  for (const matrix of near(assertion.offset)) {
    const [column, another] = matrix.columns.filter(({ name }) => BEST_STEP.test(name))
    if (column === undefined || another !== undefined) continue
    const [row, other] = focusOf(clause, matrix).rows.filter(({ isWhole, axes }) => isWhole && axes.length === 1)
    const axis = row?.axes[0]
    const cell = axis === undefined || other !== undefined ? undefined : matrix.table.rows[axis.index]?.[column.index]
    const step = cell?.steps[0]?.first ?? cell?.quantities[0]?.value
    if (axis === undefined || cell === undefined || step === undefined) continue
    if (step === mark.first) return confirmed(column.name)
    const claimed = String(mark.first)
    const params = { quote: assertion.quote, line: column.name, owner: cell.text, found: axis.name, claimed }
    const message = say('audit.named-extremum', { ...params, at: document.placeOf(cell.offset).line })
    const more = { found: claimed, expected: cell.text, also: [cell.offset] }
    return refute('named-extremum', clause.statement.offsetOf(mark.from), message, more)
  }
  return null
}

/** A number that is part of a name, as in "session 10", is no figure; the next one may be. */
function measured(figure: Figure, { statement, to }: Clause, { near }: Evidence): Figure | null {
  const names = near(figure.offset).flatMap(matrix => mentionsIn(statement, matrix))
  const isName = ({ from }: Quantity): boolean => names.some(one => one.from <= from && one.to >= from + 1)
  if (!isName(figure.quantity)) return figure
  const next = statement.quantities.find(one => one.from > figure.quantity.from && one.to <= to && !isName(one))
  return next === undefined || next.from - figure.quantity.to > 12 ? null : figureOf(statement, next, 'value')
}

const MOST_TABLES = 18

/** The tables near by, and those that print the figure. */
function tablesFor({ offset }: Assertion, figure: Figure | null, evidence: Evidence): Iterable<Matrix> {
  const held = figure === null ? [] : evidence.holding(figure.quantity).map(({ line }) => line.matrix)
  return [...new Set([...evidence.near(offset), ...held])].slice(0, MOST_TABLES)
}

/** The owner of a superlative stands near it. */
const FARTHEST_OWNER = 32
/** Gains and losses are compared, not scores. */
const GAIN =
  /提升|涨幅|降幅|增益|幅度|下降|(?<![A-Za-z])(?:gains?|drops?|improvement|loses|loss of|declines?|increase|decrease|reduction)(?![A-Za-z])/i

function* readingsIn(
  assertion: Assertion,
  clause: Clause,
  figure: Figure | null,
  matrix: Matrix,
  range: readonly [number, number] | null,
): Generator<Reading> {
  const { own, inherited } = focusOf(clause, matrix)
  const word = Number(assertion.manner.split(' ')[1])
  // "Max Distance" is the name of a column.
  if (own.some(({ from, to, isWhole }) => isWhole && from <= word && to > word)) return
  // Without the figure, a table that the clause names nothing of is not meant.
  if (own.length === 0 && (figure === null || !prints(matrix, figure.quantity))) return
  const { statement } = clause
  const isNear = isAround(matrix.table.section, assertion.scope.section)
  const isGain = GAIN.test(clause.text)
  const lines = shortLines(matrix)
  const gains = lines.filter(({ of, isColumn }) => isColumn && of.role === 'difference')
  const above = [...statement.leads, ...titlesAbove(statement.section).slice(0, 1)]
  const around = [...inherited, ...above.flatMap(text => mentionsInText(text, matrix))]
  const [mark, more] = statement.steps.filter(one => one.from >= clause.from && one.to <= clause.to)
  const only = mark !== undefined && more === undefined && mark.first === mark.last ? mark.first : null
  const isClose = (one: Mention): boolean =>
    one.isWhole && Math.min(Math.abs(one.from - word), Math.abs(one.to - word)) <= FARTHEST_OWNER
  for (const line of lines) {
    if (isGain && figure === null && line.of.role !== 'difference') continue
    const rivals = across(line, own)
    const held = line.points.find(({ quantity }) => quantity.value === figure?.quantity.value) ?? null
    if (held === null && rivals.length === 0) continue
    const along = own.filter(one => !rivals.includes(one))
    const isAny = isGain || assertion.manner.startsWith('most')
    const owners = axesOf(isAny ? rivals : ownersOf(statement, rivals, along))
    if (held === null && owners.length === 0) continue
    const isNamed =
      (isGain && gains.length === 1 && gains[0] === line) ||
      areOf(line, isNear ? along : along.filter(({ isWhole }) => isWhole)) ||
      (along.length === 0 && areOf(line, around))
    if (along.length > 0 && !isNamed && !isGain) continue
    const isIn = ({ at: { step } }: Point): boolean => step !== null && range !== null && isWithin(step, range)
    const points = range === null ? line.points : line.points.filter(isIn)
    const isWhole = rivals.every(one => isClose(one) || !one.axes.some(axis => owners.includes(axis)))
    const isStepped = owners.length === 0 && held !== null && line.points.every(({ at }) => at.step !== null)
    for (const wants of wantsOf(assertion, line)) {
      const top = topOf(points, wants)
      if (top !== null) yield { line, top, wants, isNamed, owners, isWhole, held, step: isStepped ? only : null }
    }
  }
}

const isWithin = (step: number, [first, last]: readonly [number, number]): boolean => step >= first && step <= last

const SCOPE = /(?:在|于|(?<![A-Za-z])(?:on|in|at|for|under|with|of))\s*(?:the\s)?[`"“]?\s*$/i

/** "X is best on Y": Y says where; without such a word either may be meant. */
function ownersOf({ text }: Statement, rivals: readonly Mention[], along: readonly Mention[]): readonly Mention[] {
  const isScope = ({ from, axes }: Mention): boolean =>
    axes.every(({ step }) => step === null) && SCOPE.test(text.slice(Math.max(0, from - 12), from))
  return along.every(isScope) ? rivals : rivals.filter(one => !isScope(one))
}

const axesOf = (mentions: readonly Mention[]): readonly Axis[] =>
  [...new Set(mentions.flatMap(({ axes }) => axes))].filter(({ role }) => role === 'value')

/** Which end of a line the words ask for; both where nobody knows what is good, or gains and losses are compared. */
function wantsOf({ sense, manner, quote }: Assertion, line: Line): readonly ('max' | 'min')[] {
  if (GAIN.test(quote) && line.of.role === 'difference') return ['max', 'min']
  if (sense !== null) return [sense === 'up' ? 'max' : 'min']
  const isPace = /^(?:fast|slow)est/.test(manner)
  if (isPace && !SPEED.test(line.of.name)) return []
  const goal = manner.startsWith('most') ? null : (goalOfLine(line) ?? (isPace ? 'min' : null))
  if (goal === null) return ['max', 'min']
  return [/^(?:worst|slowest)/.test(manner) ? (goal === 'max' ? 'min' : 'max') : goal]
}

/** Enough is named to hold the miss against the sentence. */
function isTold(
  { line, isNamed, owners, held, top, step, isWhole }: Reading,
  figure: Figure | null,
  assertion: Assertion,
  evidence: Evidence,
  isStretch: boolean,
): boolean {
  const isNear = isAround(line.matrix.table.section, assertion.scope.section)
  const isQuoted = held !== null && significantDigits(held.quantity) > 2 && isNamed
  const units = new Set(line.points.map(({ quantity }) => quantity.unit))
  const isHere = (isNear || isQuoted || isStretch) && !line.matrix.isSettings && units.size === 1 && isOneScale(line)
  const isPlain = assertion.manner.startsWith('best') || assertion.manner.startsWith('worst')
  const isKnown = isPlain && goalOfLine(line) !== null && line.of.role === 'value'
  if (figure === null) return isHere && isWhole && (isNamed || isKnown) && owners.length === 1 && line.points.length > 2
  const { quantity } = figure
  if (held !== null && ((owners.length > 0 && isWhole) || step !== null))
    return isHere && significantDigits(quantity) > 1 && Math.abs(quantity.value) !== 1
  if (held !== null) {
    const isSure = isStretch || rivalBehind(assertion, figure, evidence, line)
    return isHere && significantDigits(quantity) > 2 && (isSure || (isNamed && !hasRivalScope(assertion, line)))
  }
  const isLike = quantity.unit === top.quantity.unit && quantity.decimals === top.quantity.decimals
  const isOwner = owners.length === 1 && owners[0] === top.at
  return isNamed && isOwner && isLike && isMisprint(quantity.value, top.quantity.value)
}

/** A learning rate and a score have no maximum between them. */
function isOneScale({ points }: Line): boolean {
  const decimals = points.map(({ quantity }) => quantity.decimals ?? 0)
  return Math.max(...decimals) - Math.min(...decimals) <= 3
}

/** A row or column of the table is named, so that the extremum may be meant within that alone. */
function hasRivalScope({ scope: { statement } }: Assertion, { matrix, isColumn, of }: Line): boolean {
  const mentions = statement === null ? [] : mentionsIn(statement, matrix)
  return mentions.some(one => one.isRow === isColumn || !one.axes.includes(of))
}

/** "Best 3.1 vs 3.6": the other figure is the best of its own line in the same table, so this one should be too. */
function rivalBehind(
  { scope: { statement } }: Assertion,
  { quantity: { to } }: Figure,
  evidence: Evidence,
  { matrix, isColumn }: Line,
): boolean {
  const other = statement?.quantities.find(
    one => one.from >= to && /^\s?(?:vs\.?|对比)\s?[^\d]{0,10}$/.test(statement.text.slice(to, one.from)),
  )
  const held = other === undefined ? [] : evidence.holding(other)
  return held.some(({ line, point }) => {
    if (line.matrix !== matrix || line.isColumn !== isColumn || line.points.length < 3) return false
    return topOf(line.points, goalOfLine(line) ?? 'max')?.quantity.value === point.quantity.value
  })
}

function tell(
  assertion: Assertion,
  figure: Figure | null,
  { line, top, owners, held, isNamed, step, wants }: Reading,
  evidence: Evidence,
  isStretch: boolean,
): Outcome {
  const [owner, expected] = [pointName(line, top), top.cell.text]
  const at = evidence.document.placeOf(top.cell.offset).line
  const params = { quote: assertion.quote, line: line.of.name, owner, at }
  const also = [top.cell.offset]
  if (figure === null || (held !== null && meets(held.quantity.range, top.quantity.range))) {
    const claimed = step === null ? owners.map(({ name }) => name).join(', ') : String(step)
    const isSure = isNamed && figure !== null && (owners.length === 1 || step !== null)
    const message = say('audit.named-extremum', { ...params, found: expected, claimed })
    const more = { severity: isSure ? 'error' : 'warning', found: claimed, expected: owner, also } as const
    return refute('named-extremum', figure?.offset ?? assertion.offset, message, more)
  }
  const isRival = rivalBehind(assertion, figure, evidence, line)
  const which = wants === 'max' ? '↑' : '↓'
  const message = say('audit.extremum-contradicted', { ...params, found: figure.text, which, expected })
  return refute(isRival ? 'stale-best' : 'extremum-contradicted', figure.offset, message, {
    severity: !isStretch && (isNamed || isRival) ? 'error' : 'warning',
    also,
  })
}

export const extremum: Relation = {
  names: ['extremum'],
  inClause,
  inStatement: coursesIn,
  inEntries: bestsIn,
  check,
}

import type { Statement } from '../../document/document.js'
import type { Line, Point } from '../../document/matrix.js'
import { sentences } from '../../text/sentences.js'
import { isMisprint, meets } from '../arithmetic.js'
import { type Assertion, confirmed, type Figure, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import { type Frame, framesHolding, framesOf, kindest, type Named, type Reading } from '../binding.js'
import { type Evidence, goalOfLine, pointName, SPEED, significantDigits, topOf } from '../evidence.js'
import { refute } from '../fault.js'
import { has, places } from '../lexicon.js'
import { type Clause, clauseOf } from '../mentions.js'
import { assertionIn, figureOf } from '../read.js'

/**
 * "Peak 3.41 at step 90", "A has the lowest loss", "B is best on Y": a figure or a name is called the highest, the lowest
 * or the best. It holds where it is the extremum of one line that the clause may speak of.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.extremum-contradicted': { en: '“{quote}”: {found} is not the {which} of “{line}”: {owner} has {expected} (line {at}); write {expected}', zh: '“{quote}”：{found} 不是“{line}”的{which}：{owner} 是 {expected}（第 {at} 行）；应写 {expected}' },
  'audit.named-extremum': { en: '“{quote}”: in “{line}” that is {owner} with {found} (line {at}), not {claimed}; write {owner}', zh: '“{quote}”：“{line}”中那是 {owner} 的 {found}（第 {at} 行），不是 {claimed}；应写 {owner}' },
})

/** "The late peak", "second best": an extremum of something that the sentence does not print. */
const QUALIFIED =
  /后期|前期|早期|局部|次[优佳高低]|第[二三四五](?=[高低好差优大小强名])|此前|共[有同]|之前|历史|当时|(?<![a-z])(?:late|later|in common|shared|local|second|third|so far|previous|earlier|initial|near|close to|among|one of|candidate|top[- ]?\d+)(?![a-z])|(?<![a-z])of (?:the|its|their|all) (?:best|maximum|highest|lowest|largest)|接近|之一|区间|范围|上限|下限|top\s?\d/i

const KINDS = ['worst', 'most', 'fastest', 'slowest'] as const

/** A superlative with the figure or the name that it is said of; which names are meant is seen when it is checked. */
function* inClause(clause: Clause): Generator<Assertion> {
  const { statement, from, to, text } = clause
  let isFirst = true
  for (const word of places(text, 'maximum', 'minimum', 'best', ...KINDS)) {
    // "At most 3" is a bound.
    if (/(?<![A-Za-z])at\s$/i.test(text.slice(0, word.from))) continue
    const figure = figureBeside(statement, from + word.from, from + word.to)
    if (figure !== null || isFirst) {
      const sense = has(word.text, 'maximum') ? 'up' : has(word.text, 'minimum') ? 'down' : null
      const kind = KINDS.find(one => has(word.text, one)) ?? (sense === null ? 'best' : 'extremum')
      const { from: start, to: end } = figure?.quantity ?? clause
      const stretch = { from: Math.min(from, start), to: Math.max(to, end) }
      yield assertionIn(statement, 'extremum', stretch, {
        figures: figure === null ? [] : [figure],
        quantity: statement.text,
        sense,
        manner: `${kind} ${from + word.from}`,
      })
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
  const between = text.slice(to, behind?.from ?? to)
  const isOwn = !/[,，;；。]|vs|→/.test(between) && !has(between, 'larger', 'smaller', 'better', 'worse')
  if (behind !== undefined && between.length <= 26 && isOwn) return figureOf(statement, behind, 'value')
  const before = clean.filter(one => one.to <= from).at(-1)
  if (before === undefined || from - before.to > 12 || /[;；。→]/.test(text.slice(before.to, from))) return null
  return figureOf(statement, before, 'value')
}

/** Gains and losses are compared, not scores. */
const GAIN =
  /提升|涨幅|降幅|增益|幅度|下降|(?<![A-Za-z])(?:gains?|drops?|improvement|loses|loss of|declines?|increase|decrease|reduction)(?![A-Za-z])/i

function check(assertion: Assertion, evidence: Evidence): Outcome {
  const clause = clauseOf(assertion)
  const { stance, manner, sense } = assertion
  if (clause === null || stance === 'planned' || stance === 'defined') return UNCHECKED
  if (stance === 'advised' && assertion.figures.length === 0) return UNCHECKED
  const near = framesOf(clause, evidence)
  const figure = measured(assertion, clause, near)
  const frames = figure === null ? near : [...near, ...framesHolding(clause, figure.quantity, evidence)]
  const word = Number(manner.split(' ')[1])
  // "Max Distance" is the name of a column.
  const isName = ({ from, to }: { readonly from: number; readonly to: number }): boolean => from <= word && to > word
  const meant = frames.filter(({ line, isOwn }) => !isOwn || !clauseNames(clause, line, isName))
  const isQualified = stance === 'hedged' || QUALIFIED.test(clause.text)
  const readings = meant.flatMap(frame => readingsIn(frame, { assertion, clause, figure, word, isQualified, evidence }))
  // Where the goal of one line is known, a line of which nobody knows what is good does not save the word.
  const known = readings.filter(({ line }) => sense !== null || manner.startsWith('most') || goalOfLine(line) !== null)
  const kept = known.length > 0 ? known : readings
  // How surely a line is meant matters only where none holds.
  const held = kept.find(({ holds }) => holds)
  return held === undefined ? kindest(kept) : held.outcome()
}

function clauseNames(
  { statement: { text } }: Clause,
  { of }: Line,
  isName: (stretch: { readonly from: number; readonly to: number }) => boolean,
): boolean {
  const from = text.toLowerCase().indexOf(of.name.toLowerCase())
  return from >= 0 && isName({ from, to: from + of.name.length })
}

/** A number that is part of a name, as in "session 10", is no figure; the next one may be. */
function measured(
  { figures: [figure] }: Assertion,
  { statement, to }: Clause,
  frames: readonly Frame[],
): Figure | null {
  const names = frames.flatMap(({ subjects, bases }) => [...subjects, ...bases].map(({ mention }) => mention))
  const isName = ({ from }: Figure['quantity']): boolean => names.some(one => one.from <= from && one.to >= from + 1)
  if (figure === undefined || !isName(figure.quantity)) return figure ?? null
  const next = statement.quantities.find(one => one.from > figure.quantity.from && one.to <= to && !isName(one))
  return next === undefined || next.from - figure.quantity.to > 12 ? null : figureOf(statement, next, 'value')
}

interface Asked {
  readonly assertion: Assertion
  readonly clause: Clause
  readonly figure: Figure | null
  /** Where the superlative stands. */
  readonly word: number
  readonly isQualified: boolean
  readonly evidence: Evidence
}

/** One line of a table that the superlative may be about. */
interface Claim {
  readonly asked: Asked
  readonly frame: Frame
  /** The extremum of the line, within what the clause confines itself to. */
  readonly top: Point
  readonly wants: 'max' | 'min'
  /** Who is said to have it. */
  readonly owners: readonly Named[]
  /** The cell that prints the figure of the sentence. */
  readonly held: Point | null
  /** The step that the clause gives, where the line goes along steps and has none of that name. */
  readonly step: number | null
}

type Weighed = Reading & { readonly line: Line }

function readingsIn(frame: Frame, asked: Asked): readonly Weighed[] {
  const { line, points, subjects } = frame
  const { assertion, clause, figure } = asked
  const isGain = GAIN.test(clause.text)
  if (isGain && figure === null && line.of.role !== 'difference') return []
  const held = line.points.find(({ quantity }) => quantity.value === figure?.quantity.value) ?? null
  const isAny = isGain || assertion.manner.startsWith('most')
  const all = isAny ? subjects : ownersOf(clause, subjects, frame)
  const close = all.filter(one => isClose(one, asked.word))
  const owners = close.length > 0 ? close : all
  if (held === null && owners.length === 0) return []
  const [mark, more] = clause.statement.steps.filter(one => one.from >= clause.from && one.to <= clause.to)
  const isStepped = held !== null && owners.length === 0 && line.points.every(({ at }) => at.step !== null)
  const step = isStepped && more === undefined && mark?.first === mark?.last ? (mark?.first ?? null) : null
  return wantsOf(assertion, line).flatMap((wants): readonly Weighed[] => {
    const top = topOf(points, wants)
    if (top === null) return []
    const claim: Claim = { asked, frame, top, wants, owners, held, step }
    if (fits(claim)) return [{ line, holds: true, weight: 0, outcome: () => confirmed(line.of.name) }]
    return [
      {
        line,
        holds: false,
        get weight() {
          return weightOf(claim)
        },
        outcome: () => tell(claim, weightOf(claim)),
      },
    ]
  })
}

const SCOPE = /(?:在|于|(?<![A-Za-z])(?:on|in|for|under|with|of))\s*(?:the\s)?[`"“]?\s*$/i

/** "X is best on Y": Y says where, unless nothing else is named. */
function ownersOf(
  { statement: { text } }: Clause,
  subjects: readonly Named[],
  { isOwn, line }: Frame,
): readonly Named[] {
  const isScope = ({ mention: { from }, point }: Named): boolean =>
    point.at.step === null && SCOPE.test(text.slice(Math.max(0, from - 12), from))
  return line.isColumn && isOwn ? subjects : subjects.filter(one => !isScope(one))
}

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

function fits({ top, owners, wants, asked: { figure }, step }: Claim): boolean {
  const { quantity } = top
  // Nobody quotes more digits than the table has.
  const isPrinted =
    figure === null ||
    (meets(quantity.range, figure.quantity.range) &&
      ((figure.quantity.decimals ?? 0) <= (quantity.decimals ?? 0) || figure.quantity.value === quantity.value))
  const owns = ({ point }: Named): boolean =>
    point === top ||
    meets(point.quantity.range, quantity.range) ||
    // Outside what the clause is confined to.
    (wants === 'max' && point.quantity.value > quantity.value)
  return isPrinted && (owners.length === 0 || owners.some(owns)) && (step === null || top.at.step === step)
}

/** The owner of a superlative stands near it. */
const FARTHEST_OWNER = 32

function isClose({ mention: { isWhole, from, to } }: Named, word: number): boolean {
  return isWhole && Math.min(Math.abs(from - word), Math.abs(to - word)) <= FARTHEST_OWNER
}

/** How surely a line is meant that does not bear the superlative out: 3 for an error, less for a warning, 0 for neither. */
function weightOf({ asked, frame, top, owners, held, step }: Claim): number {
  const { figure, word, isQualified, assertion, evidence, clause } = asked
  const { line, points, isNamed, isHere } = frame
  const isConfined = points.length < line.points.length
  const [first] = line.points
  const isOneUnit = line.points.every(({ quantity }) => quantity.unit === first?.quantity.unit)
  // A lone value is the extremum of nothing, and what lies outside what the clause is confined to is not spoken of.
  if (line.points.length < 2 || (held !== null && !points.includes(held))) return 0
  // A remark in a row that prints no such figure speaks of something else than its neighbours.
  if (held === null && !line.isColumn && clause.statement.cell !== null) return 0
  const isRival = figure !== null && rivalBehind(assertion, figure, evidence, line)
  if ((isQualified && !isConfined && !isRival) || line.matrix.isSettings || !isOneUnit || !isOneScale(line)) return 0
  const areClose = owners.every(one => isClose(one, word))
  if (figure === null) {
    const isPlain = /^(?:best|worst)/.test(assertion.manner) && goalOfLine(line) !== null && line.of.role === 'value'
    return isHere && areClose && (isNamed || isPlain) && owners.length === 1 && line.points.length > 2 ? 2 : 0
  }
  const digits = significantDigits(figure.quantity)
  const isMeant = isHere || isConfined || isRival || (held !== null && digits > 2 && isNamed)
  const isTop = held !== null && meets(held.quantity.range, top.quantity.range)
  if (held !== null && (owners.length > 0 || step !== null))
    return isMeant && areClose && digits > 1 && Math.abs(figure.quantity.value) !== 1
      ? isNamed && (owners.length < 2 || !isTop)
        ? 3
        : 2
      : 0
  if (held !== null) {
    const isAlone = isNamed && !hasOthers(frame)
    if (digits < 3 || !isMeant || !(isRival || isConfined || isAlone)) return 0
    return isConfined ? 2 : 3
  }
  const isLike = figure.quantity.unit === top.quantity.unit && figure.quantity.decimals === top.quantity.decimals
  const isOwner = owners.length === 1 && owners[0]?.point === top
  return isNamed && isOwner && isLike && isMisprint(figure.quantity.value, top.quantity.value) ? 3 : 0
}

/** A learning rate and a score have no maximum between them. */
function isOneScale({ points }: Line): boolean {
  const decimals = points.map(({ quantity }) => quantity.decimals ?? 0)
  return Math.max(...decimals) - Math.min(...decimals) <= 3
}

/** Somebody else is named, so that the extremum may be meant within that alone. */
function hasOthers({ subjects, bases, earlier }: Frame): boolean {
  return subjects.length + bases.length + earlier.length > 0
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

function tell({ asked, frame, top, owners, held, step, wants }: Claim, weight: number): Outcome {
  const { assertion, figure, evidence } = asked
  const { line } = frame
  const severity = weight > 2 ? 'error' : 'warning'
  const [owner, expected] = [pointName(line, top), top.cell.text]
  const at = evidence.document.placeOf(top.cell.offset).line
  const params = { quote: assertion.quote, line: line.of.name, owner, at }
  const also = [top.cell.offset]
  if (figure === null || (held !== null && meets(held.quantity.range, top.quantity.range))) {
    const claimed = step === null ? owners.map(({ point }) => pointName(line, point)).join(', ') : String(step)
    const message = say('audit.named-extremum', { ...params, found: expected, claimed })
    const more = { severity, found: claimed, expected: owner, also } as const
    return refute('named-extremum', figure?.offset ?? assertion.offset, message, more)
  }
  const rule = rivalBehind(assertion, figure, evidence, line) ? 'stale-best' : 'extremum-contradicted'
  const which = wants === 'max' ? '↑' : '↓'
  const message = say('audit.extremum-contradicted', { ...params, found: figure.text, which, expected })
  return refute(rule, figure.offset, message, { severity, also })
}

export const extremum: Relation = { names: ['extremum'], inClause, check }

import { isOfStep, type Line, type Point } from '../../document/matrix.js'
import { sentences } from '../../text/sentences.js'
import { areLevel, isMisprint, meets } from '../arithmetic.js'
import type { Assertion, Figure, Outcome, Relation } from '../assertion.js'
import { type Frame, isBaseIn, LIST, type Named } from '../binding.js'
import { cited, goalOfLine, pointName, SPEED, significantDigits, topOf } from '../evidence.js'
import { refute } from '../fault.js'
import { has } from '../lexicon.js'
import { mentionsIn, namesCorner } from '../mentions.js'
import { figureOf } from '../read.js'
import { type Asked, checkedBy, held, missed, type Reading } from '../reading.js'
import { placedAt } from './rank.js'
import { superlativesIn } from './superlative.js'

/**
 * "Peak 3.41 at step 90", "A has the lowest loss", "B is best on Y": a figure or a name is called the highest, the lowest
 * or the best. It holds where it is the extremum of one line that the clause may speak of.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.extremum-contradicted': { en: '“{quote}”: {found} is not the {which} of “{line}”: {owner} has {expected} (line {at}); write {expected}', zh: '“{quote}”：{found} 不是“{line}”的{which}：{owner} 是 {expected}（第 {at} 行）；应写 {expected}' },
  'audit.named-extremum': { en: '“{quote}”: in “{line}” that is {owner} with {found} (line {at}), not {claimed}; write {owner}', zh: '“{quote}”：“{line}”中那是 {owner} 的 {found}（第 {at} 行），不是 {claimed}；应写 {owner}' },
})

/** "The late peak", "near the best": an extremum of something that the sentence does not print. */
const QUALIFIED =
  /后期|前期|早期|局部|次[优佳高低]|此前|共[有同]|之前|历史|当时|(?<![a-z])(?:late|later|in common|shared|local|so far|previous|earlier|initial|near|nearest|close to|closest|(?:best|worst) [\w.-]+ (?:seed|run|fold)|of these|trade-?offs?|pareto|compromise|balanced?|among|(?<!every )one of|candidate|top[- ]?\d+)(?![a-z])|(?<![a-z])of (?:the|its|their|all) (?:best|maximum|highest|lowest|largest)|接近|最近|折中|折衷|权衡|这[两三四五六几][个种组项]|其中|帕累托|性价比|之一|区间|范围|上限|下限|top\s?\d|of the (?:other|rest|remaining)|其余|当中/i

const PARTLY =
  /(?<![a-z])among (?:the|those|all) [^,;]{0,24}(?:below|above|under|over|with|without|that|where|which)(?![a-z])/i

/** "Weakest: below the other two": of those alone. */
const AMONG = /另外[两二三四五]|[两二三四五]者[里中]|(?<![a-z])other (?:two|three|four|five)(?![a-z])/i

/** Gains and losses are compared, not scores. */
const GAIN =
  /提升|涨幅|降幅|增益|幅度|下降|加速|差距|(?<![A-Za-z])(?:gains?|gaps?|margins? (?:is|was|of|over|between)|speed-?ups?|drops?|improvement|loses|loss of|declines?|increase|decrease|reduction)(?![A-Za-z])/i

/** How far two are apart stands in no column of scores. */
const GAP = /差距|(?<![A-Za-z])(?:gaps?|margins? (?:is|was|of|over|between))(?![A-Za-z])/i

/** One line of a table that the superlative may be about. */
interface Claim {
  readonly asked: Asked
  readonly frame: Frame
  readonly figure: Figure | null
  readonly kind: string
  readonly rank: number
  /** Who is said to have it, and whether that stands near the superlative. */
  readonly owners: readonly Named[]
  readonly areClose: boolean
  /** The cell that prints the figure of the sentence. */
  readonly printed: Point | null
  /** The step that the clause gives, where the line goes along steps and has none of that name. */
  readonly step: number | null
  readonly wants: 'max' | 'min'
  /** The extremum of the line, within what the clause confines itself to. */
  readonly top: Point
}

function* readings(asked: Asked): Generator<Reading> {
  const { assertion, clause, frames } = asked
  if (assertion.stance === 'advised' && assertion.figures.length === 0) return
  const figure = measured(asked)
  const claims = frames.flatMap(frame => claimsIn(frame, figure, asked))
  // Where the goal of one line is known, a line of which nobody knows what is good does not save the word.
  const isKnown = ({ kind, frame: { line } }: Claim): boolean =>
    assertion.sense !== null || ['most', 'fastest', 'slowest'].includes(kind) || goalOfLine(line) !== null
  const known = claims.some(isKnown) ? claims.filter(isKnown) : claims
  // Where a line is called by its whole name, no other saves the word.
  const exact = figure === null ? known.filter(one => one.frame.isExact && (fits(one) || weightOf(one) > 0)) : []
  // "Lowest in every row": of several lines one that fails is enough.
  const isEvery = figure === null && assertion.sense !== null && EVERYWHERE.test(clause.text)
  const every = isEvery ? known.filter(one => !one.frame.isOwn && weightOf(one) > 0) : []
  const failed = every.filter(one => !every.some(other => other.frame === one.frame && fits(other)))
  // 两个集合上都最低 is said of two lines.
  const isOfTwo = /两[个种]|(?<![a-z])both(?![a-z])/i.test(clause.text) && every.length !== 2
  const isMeant = failed.length > 0 && failed.length < every.length && !isOfTwo
  // "Recall peaks at step 70": a course that is named goes before a row in which it is the greatest.
  const isCourse = ({ frame: { line, isExact }, owners: [owner] }: Claim): boolean =>
    line.isColumn &&
    isExact &&
    owner !== undefined &&
    owner.point.at.step !== null &&
    (assertion.sense !== null || goalOfLine(line) !== null)
  const course = exact.filter(isCourse)
  // "The highest tide is 6.4 (A)": of A over its steps, not of one step over all.
  const ofOwner = figure === null ? [] : known.filter(one => one.printed !== null && isCourseOfOwner(one, figure))
  const told = [isMeant ? failed : [], course, exact, ofOwner].find(list => list.length > 0) ?? (isOfTwo ? [] : known)
  // "By weight, crate 9 comes third": what is named saves the word all the same.
  const fitting = told.find(fits) ?? claims.find(one => one.rank > 1 && one.frame.isNamed && fits(one))
  // How surely a line is meant matters only where none fits.
  if (fitting !== undefined) yield held(fitting.frame.line.of.name)
  for (const claim of told) {
    const weight = weightOf(claim)
    yield missed(weight, () => tell(claim, weight > 2), claim.printed === null ? claim.frame.line : null)
  }
}

function isCourseOfOwner({ frame, asked: { clause } }: Claim, figure: Figure): boolean {
  const { line, isExact } = frame
  const named = mentionsIn(clause.statement, line.matrix).find(({ axes }) => axes.includes(line.of))
  const isBehind = named !== undefined && named.from >= figure.quantity.to && named.from - figure.quantity.to < 4
  return (
    line.isColumn && isExact && isBehind && line.points.length > 2 && line.points.every(({ at }) => at.step !== null)
  )
}

const EVERYWHERE =
  /(?:(?<!平)均|都)(?!衡)|(?<![A-Za-z])(?:on|in|for|across|under|at) (?:all|every|each)(?! of)(?![A-Za-z])|(?<![A-Za-z])everywhere/i

/** A number that is part of a name, as in "session 10", is no figure; the next one may be. */
function measured({ assertion: { figures }, clause: { statement, to }, frames }: Asked): Figure | null {
  const [figure = null] = figures
  const names = frames.flatMap(({ subjects, bases }) => [...subjects, ...bases].map(({ mention }) => mention))
  const isName = ({ from }: Figure['quantity']): boolean => names.some(one => one.from <= from && one.to > from)
  if (figure === null || !isName(figure.quantity)) return figure
  const next = statement.quantities.find(one => one.from > figure.quantity.from && one.to <= to && !isName(one))
  const gap = statement.text.slice(figure.quantity.to, next?.from)
  return next === undefined || gap.length > 12 || /[,，;；]/.test(gap) ? null : figureOf(statement, next, 'value')
}

function claimsIn(frame: Frame, figure: Figure | null, asked: Asked): readonly Claim[] {
  const { line, points, subjects, isOwn } = frame
  const { assertion, clause } = asked
  const { text, steps } = clause.statement
  const [kind = '', ...numbers] = assertion.manner.split(' ')
  const [word = 0, rank = 1] = numbers.map(Number)
  // "Max Distance" is the name of a column.
  const name = isOwn ? text.toLowerCase().indexOf(line.of.name.toLowerCase()) : -1
  if (name >= 0 && name <= word && name + line.of.name.length > word) return []
  const isGain = GAIN.test(clause.text)
  if (isGain && rank > 1) return []
  if (isGain && (figure === null || GAP.test(clause.text)) && line.of.role !== 'difference') return []
  // In a column of what is best, a remark beside it tells what that is.
  if (clause.statement.cell !== null && figure === null && has(line.of.name, 'best', 'maximum', 'minimum')) return []
  const printed = line.points.find(({ quantity }) => quantity.value === figure?.quantity.value) ?? null
  const isWhere = ({ mention: { from, to } }: Named): boolean =>
    LEAD.test(text.slice(clause.from, from)) ||
    /^\s?[上里中]/.test(text.slice(to)) ||
    BEST_OF.test(text.slice(Math.max(0, from - 9), from))
  const own = subjects.filter(one => !isWhere(one))
  const isApposed = subjects.length === 0 && figure === null && frame.isExact && APPOSED.test(clause.text)
  const before = frame.earlier.filter(({ mention }) => !isBaseIn(text, mention))
  const all = isApposed && before.length === 1 ? before : own
  const close: Named[] = []
  for (const one of all) {
    const { isWhole, from, to } = one.mention
    const isNear = from - word <= FARTHEST_OWNER && word - to <= FARTHEST_OWNER
    // "A and B lead": who is listed with a near one is as near.
    if (isWhole && (isNear || LIST.test(text.slice(close.at(-1)?.mention.to ?? from, from)))) close.push(one)
  }
  const owners = close.length > 0 ? close : all
  const areClose = owners === close || all.length === 0
  if (printed === null && owners.length === 0) return []
  const [mark, more] = steps.filter(one => one.from >= clause.from && one.to <= clause.to)
  const isStepped = printed !== null && owners.length === 0 && line.points.every(({ at }) => at.step !== null)
  const step = isStepped && more === undefined && mark?.first === mark?.last ? (mark?.first ?? null) : null
  return wantsOf(assertion, kind, line).flatMap(wants => {
    const top = placedAt(points, wants, rank)
    // The peak is no final value.
    const isFinal = [line.of.name, top?.at.name ?? ''].some(one => has(one, 'final')) && !has(clause.text, 'final')
    return top === undefined || isFinal
      ? []
      : [{ asked, frame, figure, kind, rank, owners, areClose, printed, step, wants, top }]
  })
}

/** "We keep X, the model with the top score", 选 X，准确率最高: the one who was named right before such a clause owns it. */
const APPOSED =
  /^\s*(?:the (?:\w+ )?|and |which )?(?:with|has|had|having) the |^[^的是在]{1,12}最[高低大小好优佳短长][\s。]*$/i

/** The owner of a superlative stands near it. */
const FARTHEST_OWNER = 32
/** "At 4k the best is X", 在 X 上最高: what leads the clause says where, and owns nothing. */
const LEAD = /^\s*(?:在|(?:at|on|in|for|under|with) )\s*(?:the\s)?[`"“]?$/i
/** "Best X": it is best in X. */
const BEST_OF = /(?<![A-Za-z])(?:best|highest|lowest|top|of(?: the)?)\s$/i

/** Which end of a line the words ask for; both where nobody knows what is good, or gains and losses are compared. */
function wantsOf({ sense }: Assertion, kind: string, line: Line): readonly ('max' | 'min')[] {
  // Of changes the largest has either sign.
  if (line.of.role === 'difference') return ['max', 'min']
  if (sense !== null) return [sense === 'up' ? 'max' : 'min']
  const isPace = kind === 'fastest' || kind === 'slowest'
  if (isPace && !SPEED.test(line.of.name)) return []
  const goal = kind === 'most' ? null : (goalOfLine(line) ?? (isPace ? 'min' : null))
  if (goal === null) return ['max', 'min']
  return [(kind === 'worst' || kind === 'slowest') === (goal === 'max') ? 'min' : 'max']
}

function fits({ top: { quantity, at }, frame, owners, figure, step }: Claim): boolean {
  const isPrinted = figure === null || meets(quantity.range, figure.quantity.range)
  // What lies outside what the clause is confined to is not spoken of.
  const owns = ({ point }: Named): boolean => areLevel(point.quantity, quantity) || !frame.points.includes(point)
  return isPrinted && (owners.length === 0 || owners.some(owns)) && (step === null || at.step === step)
}

/** How surely a line is meant that does not bear the superlative out: 3 for an error, less for a warning, 0 for neither. */
function weightOf(claim: Claim): number {
  const { figure, frame, rank, top, owners, areClose, printed, step } = claim
  const { assertion, clause } = claim.asked
  const { line, points, isNamed, isHere } = frame
  const isConfined = points.length < line.points.length
  const isOneUnit = line.points.every(({ quantity }) => quantity.unit === top.quantity.unit)
  // What lies outside what the clause is confined to is not spoken of.
  if (printed !== null && !points.includes(printed)) return 0
  // Of one step several things are measured, of which one is always the least.
  if (isOfStep(line)) return 0
  // A figure in a remark is of the same kind as its neighbours only where it is one of them; and a range has no top.
  const isRemark = clause.statement.cell !== null && !line.isColumn && figure !== null
  if (isRemark || top.quantity.ends !== null) return 0
  const isRival = hasRival(claim)
  // Of which some are left out, nobody knows.
  if (PARTLY.test(clause.statement.text.slice(0, clause.to))) return 0
  const isQualified = assertion.stance === 'hedged' || QUALIFIED.test(clause.text) || AMONG.test(clause.statement.text)
  if ((isQualified && !isConfined && !isRival) || line.matrix.isSettings || !isOneUnit) return 0
  if (figure === null) {
    const gaps = line.matrix.columns.filter(({ role }) => role === 'difference')
    const isMeant =
      frame.isOwn ||
      EVERYWHERE.test(clause.text) ||
      (line.of === gaps[0] && gaps.length === 1) ||
      (rank > 1 && namesCorner(clause.text, line.matrix))
    return isMeant && isHere && areClose && owners.length === 1 && line.points.length > 2 ? 2 : 0
  }
  const digits = significantDigits(figure.quantity)
  if (printed === null) {
    const isLike = figure.quantity.unit === top.quantity.unit && figure.quantity.decimals === top.quantity.decimals
    // Beside a mean over runs the best of them stands in no cell.
    const isMean = top.cell.quantities.some(({ plusMinus }) => plusMinus)
    const isOwned = owners.length === 1 && owners[0]?.point === top
    return isNamed && isLike && !isMean && isOwned && isMisprint(figure.quantity.value, top.quantity.value) ? 3 : 0
  }
  if (owners.length > 0 || step !== null) return !areClose || digits < 2 ? 0 : isNamed && owners.length < 2 ? 3 : 2
  // Where somebody else is named, the extremum may be meant within that alone.
  const isAlone = isNamed && frame.subjects.length + frame.bases.length + frame.earlier.length === 0
  return digits < 3 || !(isRival || isConfined || isAlone) ? 0 : isConfined ? 2 : 3
}

/** "Best 3.1 vs 3.6": the other figure is the best of its own line in the same table, so this one should be too. */
function hasRival({ figure, asked, frame: { line: own } }: Claim): boolean {
  const { statement } = asked.clause
  const end = figure?.quantity.to ?? Number.POSITIVE_INFINITY
  const other = statement.quantities.find(({ from }) => from >= end)
  if (other === undefined || !/^\s?(?:vs\.?|对比)\s?[^\d]{0,10}$/.test(statement.text.slice(end, other.from)))
    return false
  const isBest = (line: Line): boolean => topOf(line.points, goalOfLine(line) ?? 'max')?.quantity.value === other.value
  return asked.evidence.holding(other).some(({ line }) => line.matrix === own.matrix && isBest(line))
}

const MOST_BESIDE = 2

function tell(claim: Claim, isSure: boolean): Outcome {
  const { figure, frame, top, owners, printed, step, wants } = claim
  const { assertion, evidence } = claim.asked
  const params = { quote: assertion.quote, ...cited(frame.line, top, evidence) }
  // Beside further figures the superlative may be about another one of them.
  const isPlain = isSure && claim.asked.clause.statement.quantities.length <= MOST_BESIDE
  const more = { severity: isPlain ? 'error' : 'warning', also: [top.cell.offset] } as const
  if (figure === null || (printed !== null && meets(printed.quantity.range, top.quantity.range))) {
    const names = owners.map(({ point }) => pointName(frame.line, point))
    const claimed = step === null ? names.join(', ') : String(step)
    const message = say('audit.named-extremum', { ...params, found: params.expected, claimed })
    const offset = figure?.offset ?? assertion.offset
    return refute('named-extremum', offset, message, { ...more, found: claimed, expected: params.owner })
  }
  const rule = hasRival(claim) ? 'stale-best' : 'extremum-contradicted'
  const which = wants === 'max' ? '↑' : '↓'
  return refute(rule, figure.offset, say('audit.extremum-contradicted', { ...params, found: figure.text, which }), more)
}

export const extremum: Relation = {
  names: ['extremum'],
  inClause: superlativesIn,
  check: checkedBy(readings, ['said', 'hedged', 'advised', 'denied']),
}

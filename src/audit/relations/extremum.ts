import type { Statement } from '../../logs/document/document.js'
import { isOfStep, type Line, type Point } from '../../logs/document/matrix.js'
import { sentences } from '../../text/sentences.js'
import { areLevel, meets } from '../arithmetic.js'
import { type Assertion, type CheckOutcome, type Relation, refute, type StatedFigure } from '../assertion.js'
import type { BindingFrame, Named } from '../binding.js'
import { cited, goalOfLine, pointName, significantDigits, topOf } from '../evidence.js'
import { assertionIn, figureOf } from '../extract.js'
import { type ClauseCheck, checkedBy, held, type Interpretation, isNamed, missed } from '../interpretation.js'
import { has, places } from '../lexicon.js'
import { mentionsIn, type ReportClause } from '../mentions.js'
import { isDenied } from '../stance.js'

/**
 * "Peak 3.41 at step 90", "A has the lowest loss", "B is best on Y": a figure or a name is called the highest, the lowest
 * or the best. It holds where it is the extremum of one line that the clause may speak of.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.extremum': { en: '“{quote}”: in “{line}” that is {owner} with {value} (line {at}), not {found}; write {expected}', zh: '“{quote}”：“{line}”中那是 {owner} 的 {value}（第 {at} 行），不是 {found}；应写 {expected}' },
})

/** "The second best" is not the best, "at best" is a bound, "5 min" a time, and "post-max-load" a name. */
const OTHER = /-[a-z]+$|\d\s?min$|(?<![a-z])(?:at|first|second|third|fourth|fifth|next)[- ][a-z]+$/i

function* inClause(clause: ReportClause): Generator<Assertion> {
  const { statement, from, text } = clause
  if (statement.kind === 'cell') return
  for (const [i, word] of places(text, 'maximum', 'minimum', 'best').entries()) {
    const isOther = OTHER.test(text.slice(0, word.to)) || isDenied(text, word.from)
    const beside = figureBeside(statement, from + word.from, from + word.to)
    if (isOther || (beside === null && i > 0)) continue
    const sense = has(word.text, 'maximum') ? 'up' : has(word.text, 'minimum') ? 'down' : null
    const figures = beside === null ? [] : [figureOf(statement, beside, 'value')]
    // "The lowest is 2.7, at step 30": where it stands is part of it.
    const end = Math.max(clause.to, beside?.to ?? 0)
    const to = end + (beside === null ? 0 : (WHERE.exec(statement.text.slice(end))?.[0].length ?? 0))
    yield assertionIn(statement, 'extremum', { from, to }, { sense, figures, manner: String(from + word.from) })
  }
}

const WHERE = /^[,，]\s?(?:(?:出现|达到)?[在于]|(?:reached |seen )?(?:at|in)(?![a-z]))[^,，;；。.]{1,20}/i

/** The figure that an extremum is about: behind its word, or right before it. */
function figureBeside({ text, quantities }: Statement, from: number, to: number): StatedFigure['quantity'] | null {
  const clean = quantities.filter(({ ends, bound, unit }) => ends === null && bound === null && unit !== 'step')
  const behind = clean.find(one => one.from >= to)
  const between = text.slice(to, behind?.from)
  const isOwn = /^[^,，;；。→]{0,26}$/.test(between) && !has(between, 'larger', 'smaller', 'better', 'worse')
  // "Highest: 41.7 → 46.3": it goes from one to the other.
  if (behind !== undefined && isOwn) return /^\s?(?:→|->)/.test(text.slice(behind.to)) ? null : behind
  const before = clean.findLast(one => one.to <= from)
  const gap = text.slice(before?.to ?? 0, from)
  return before !== undefined && /^[^\p{L}\d,，;；。→]*(?:the )?$/u.test(gap) ? before : null
}

/** One line of a table that the superlative may be about. */
interface Claim {
  readonly asked: ClauseCheck
  readonly frame: BindingFrame
  readonly figure: StatedFigure | null
  /** Who is said to have it, and the cell that prints the figure of the sentence. */
  readonly owners: readonly Named[]
  readonly printed: Point | null
  /** The extremum of the line, within what the clause confines itself to. */
  readonly top: Point
}

function* readings(asked: ClauseCheck): Generator<Interpretation> {
  const claims = asked.frames.flatMap(frame => claimsIn(frame, asked))
  const named = claims.filter(({ figure }) => figure === null)
  // Where a line is called by its whole name, no other saves the word.
  const exact = named.filter(one => one.frame.isExact && (fits(one) || isMeant(one)))
  // "Lowest in every row": of several lines one that fails is enough.
  const every = has(asked.clause.text, 'all') ? named.filter(one => !one.frame.isOwn && isMeant(one)) : []
  const failed = every.filter(one => !fits(one))
  const told = [failed.length < every.length ? failed : [], exact].find(list => list.length > 0) ?? claims
  for (const claim of told) {
    const line = claim.printed === null ? claim.frame.line : null
    yield fits(claim) ? held(claim.frame.line.of.name) : missed(isMeant(claim) ? 1 : 0, () => tell(claim), line)
  }
}

/** "At 4k the best is X", "best X": what leads the clause says where, and owns nothing. */
const PLACE = /^\s*(?:在|(?:at|on|in|for|under|with) )\s*(?:the\s)?[`"“]?$|(?:best|highest|lowest|top|of)(?: the)? $/i

function claimsIn(frame: BindingFrame, asked: ClauseCheck): readonly Claim[] {
  const { line, points, subjects } = frame
  const { assertion, clause } = asked
  const { text } = clause.statement
  const [word, mentions] = [Number(assertion.manner), mentionsIn(clause.statement, line.matrix)]
  // "Max Distance" is the name of a column; and of one step several things are measured.
  const isName = mentions.some(({ isWhole, from, to }) => isWhole && from <= word && to > word)
  if (isName || isOfStep(line) || line.of.role === 'difference') return []
  // "Session 10": a number that is part of a name is no figure.
  const figure = assertion.figures.find(({ quantity }) => !isNamed(quantity, mentions)) ?? null
  const printed = line.points.find(({ quantity }) => quantity.value === figure?.quantity.value) ?? null
  const isPlace = ({ mention: { from, to } }: Named): boolean =>
    PLACE.test(text.slice(clause.from, from)) || /^\s?[上里中]/.test(text.slice(to))
  // What lies outside what the clause is confined to is not spoken of.
  const owners = subjects.filter(one => points.includes(one.point) && !isPlace(one))
  const goal = assertion.sense === null ? goalOfLine(line) : assertion.sense === 'up' ? 'max' : 'min'
  const top = goal === null || (printed === null && owners.length === 0) ? null : topOf(points, goal)
  return top === null ? [] : [{ asked, frame, figure, owners, printed, top }]
}

function fits({ top: { quantity }, owners, figure }: Claim): boolean {
  const isPrinted = figure === null || meets(quantity.range, figure.quantity.range)
  return isPrinted && (owners.length === 0 || owners.some(({ point }) => areLevel(point.quantity, quantity)))
}

/** "The late peak", "one of the best", 三者中最低, "the largest gain": of something that the sentence does not print. */
const QUALIFIED =
  /第[一二三]|[后前早]期|局部|次[优佳高低]|之[前一]|此前|历史|当时|接近|最近|折[中衷]|权衡|[两三四五几]者|这[两三四五几]|[其当]中|其余|另外|性价比|区间|范围|[上下]限|提升|[涨降]幅|增益|幅度|下降|加速|差距|(?<![a-z])(?:later?|in common|shared|local|so far|previous|earlier|initial|final|near|close|trade-?offs?|pareto|balanced?|among|(?<!every )one of|candidate|other|of (?:these|the rest|its|all)|seed|fold|gains?|gaps?|margins?|speed-?ups?|savings?|drops?|improvement|loses|loss of|declines?|increase|decrease|reduction)(?![a-z])|top[- ]?\d/i

/** Whether a line that does not bear the superlative out is surely meant. */
function isMeant(claim: Claim): boolean {
  const { figure, owners, printed, top, asked } = claim
  const { line, points, isNamed, isOwn, isHere, subjects, bases, earlier } = claim.frame
  const isOneKind = line.points.every(({ quantity: { unit, ends } }) => unit === top.quantity.unit && ends === null)
  const [isConfined, isRival] = [points.length < line.points.length, hasRival(claim)]
  const isQualified = asked.assertion.stance === 'hedged' || QUALIFIED.test(asked.clause.text)
  if (!isOneKind || (isQualified && !isRival)) return false
  if (figure === null) {
    const isOne = owners.length === 1 && owners[0]?.mention.isWhole === true
    return isOne && isHere && (isOwn || has(asked.clause.text, 'all')) && line.points.length > 2
  }
  // Where somebody else is named, the extremum may be meant within that alone.
  const isAlone = owners.length > 0 || subjects.length + bases.length + earlier.length === 0
  const isSure = significantDigits(figure.quantity) > 2 && (isRival || isConfined || (isNamed && isAlone))
  return isSure && printed !== null && points.includes(printed)
}

/** "Best 3.1 vs 3.6": the other figure is the best of its own line in the same table, so this one should be too. */
function hasRival({ figure, asked, frame: { line: own } }: Claim): boolean {
  const { text, quantities } = asked.clause.statement
  const end = figure?.quantity.to ?? text.length
  const other = quantities.find(({ from }) => from >= end)
  if (other === undefined || !/^\s?(?:vs\.?|对比)\s?[^\d]{0,10}$/.test(text.slice(end, other.from))) return false
  const isBest = (line: Line): boolean => topOf(line.points, goalOfLine(line) ?? 'max')?.quantity.value === other.value
  return asked.evidence.holding(other).some(({ line }) => line.matrix === own.matrix && isBest(line))
}

function tell(claim: Claim): CheckOutcome {
  const { figure, frame, top, owners, printed, asked } = claim
  const { quote, offset } = asked.assertion
  const { expected: value, ...place } = cited(frame.line, top, asked.evidence)
  const isName = figure === null || (printed !== null && meets(printed.quantity.range, top.quantity.range))
  const found = isName ? owners.map(({ point }) => pointName(frame.line, point)).join(', ') : figure.text
  const expected = isName ? place.owner : value
  // Beside further figures the superlative may be about another one of them.
  const isPlain = figure !== null && !frame.isConfined && asked.clause.statement.quantities.length < 3
  const rule = isName ? 'named-extremum' : hasRival(claim) ? 'stale-best' : 'extremum-contradicted'
  const more = { severity: isPlain ? 'error' : 'warning', also: [top.cell.offset] } as const
  return refute(
    rule,
    figure?.offset ?? offset,
    say('audit.extremum', { quote, ...place, value, found, expected }),
    more,
  )
}

export const extremum: Relation = { names: ['extremum'], inClause, check: checkedBy(readings) }

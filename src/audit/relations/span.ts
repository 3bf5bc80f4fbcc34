import type { Statement } from '../../logs/document/document.js'
import type { Quantity, Stretch } from '../../logs/document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { isDuration, MINUTES } from '../arithmetic.js'
import { type Assertion, type CheckOutcome, confirmed, type Relation, refute, UNCHECKED } from '../assertion.js'
import { pointName, type ReportEvidence } from '../evidence.js'
import { assertionIn, assertionOver, figureAs, figureOf } from '../extract.js'
import { has } from '../lexicon.js'
import { levelsIn } from './levels.js'

/**
 * How long something took: "10:15 – 10:47 (52 min)", "2025-03-04 to 2025-03-18, 14 days", "steps 130-150, 20 steps". Two
 * times of day, dates or steps of a sentence are so far apart, and the only length behind them, or in an item that hangs
 * below them, says how far.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.time-span': { en: '“{quote}”: {from} to {to} is {expected}, not {found}; write {expected}', zh: '“{quote}”：{from} 到 {to} 是 {expected}，不是 {found}；应写 {expected}' },
  'audit.step-span': { en: '“{quote}”: {from} stands at {first} and {to} at {last} (“{line}”): {expected} steps, not {found}; write {expected}', zh: '“{quote}”：{from} 在 {first}，{to} 在 {last}（“{line}”），相隔 {expected} 步，不是 {found}；应写 {expected}' },
  'audit.step-value': { en: '“{quote}”: {from} stands at {first}, and {claimed} has {expected} (“{line}”); write {expected}', zh: '“{quote}”：{from} 在 {first}，而 {claimed} 是 {expected}（“{line}”）；应写 {expected}' },
})

/** A dash, or words such as "finished at". */
const JOINED =
  /^(?:\s?[A-Za-z]{3})?\s?(?:[-–—~→到至]|to|,?\s?(?:and )?(?:finish|end|stop|done|完成|结束)(?:p?ed|e?s)?(?: at)?:?)\s?$/i
/** Items that hang below a line stand right behind it. */
const MOST_BELOW = 5

/** "13:25 started, 21:47 stopped by hand, ran for 8 h": with words between them that hold no figure. */
const LOOSELY = /^[^\d;。]{1,24}$/
const ENDED = /停|完|结束|到|至|(?<![a-z])(?:finish|end|stop|done|until|till|to(?![a-z]))/i

interface Moment extends Stretch {
  /** In minutes, or in steps. */
  readonly at: number
}

function momentsIn({ clocks, dates, steps: [range] }: Statement): readonly Moment[] {
  if (clocks.length > 0) return clocks.map(({ from, to, minutes: at }) => ({ from, to, at }))
  if (dates.length > 0) return dates.map(({ from, to, time }) => ({ from, to, at: time / 60_000 }))
  return range === undefined ? [] : [range.first, range.last].map(at => ({ ...range, at }))
}

function* inStatement(statement: Statement, { document, indexOf }: ReportEvidence): Generator<Assertion> {
  const { text, clocks, dates, steps } = statement
  const isSteps = clocks.length + dates.length === 0
  const [first, second, third] = momentsIn(statement)
  if (first === undefined || second === undefined || third !== undefined) return
  if (isSteps && (steps.length > 1 || first.at === second.at)) return
  const between = text.slice(first.to, second.from)
  const isJoined = isSteps || JOINED.test(between)
  if (!isJoined && !LOOSELY.test(between)) return
  // Where the days are not told, they are the same or follow each other.
  const minutes = second.at - first.at + (clocks.length > 0 && second.at < first.at ? 1440 : 0)
  const at = indexOf(statement) + 1
  const isBelow = (one: Statement): boolean => one.leads.includes(text) && has(one.text, 'duration')
  for (const home of [statement, ...document.statements.slice(at, at + MOST_BELOW).filter(isBelow)]) {
    const start = home === statement ? second.to : 0
    const isLength = (one: Quantity): boolean =>
      isSteps ? one.unit === 'step' || one.unit === 'epoch' : isDuration(one)
    const stated = home.quantities.filter(one => isLength(one) && one.from >= start)
    const [one, two = one, more] = stated
    if (one === undefined || two === undefined) continue
    // "2 h 42 min" is one length of two figures; "33 min of training and 9 min of loading" are parts of it.
    const isOne = more === undefined && two.from - one.to <= 2 && stated.every(isExact)
    const ahead = text.slice(start, one.from)
    const isTold =
      has(isJoined ? home.text : ahead, 'total', 'duration') || /跑了|(?<![a-z])(?:ran|so)(?![a-z])/i.test(ahead)
    const isWhole = isTold || (isJoined && /^\s?[(,:]\s?$/.test(ahead))
    const share = lengthOf(stated) / minutes
    // Of what is joined loosely the second must be an end, and what is far off is the length of something else.
    const isOwn = isJoined || (isTold && share > 0.5 && share < 2 && ENDED.test(text.slice(first.to, one.from)))
    if (!isOne || minutes < 0 || !isOwn || (!isWhole && (share < 1 || isSteps))) return
    const subjects = [first, second].map(({ from, to, at: step }) => (isSteps ? `${step}` : text.slice(from, to)))
    const figures = stated.map(quantity => figureOf(home, quantity, 'span'))
    const draft = { figures, subjects, manner: `${minutes} ${isJoined ? 'error' : 'warning'}` }
    return yield assertionIn(home, 'span', { from: 0, to: home.text.length }, draft)
  }
}

const isExact = ({ ends, bound, hedge }: Quantity): boolean => ends === null && bound === null && hedge === null
const sizeOf = ({ unit }: Quantity): number => MINUTES[unit ?? ''] ?? 1
const lengthOf = (stated: readonly Quantity[]): number => stated.reduce((sum, one) => sum + one.value * sizeOf(one), 0)

function check({ figures, subjects: [from = '', to = ''], manner, quote }: Assertion): CheckOutcome {
  const quantities = figures.map(({ quantity }) => quantity)
  const [stated, last] = [lengthOf(quantities), quantities.at(-1)]
  if (last === undefined) return UNCHECKED
  const [length, called] = manner.split(' ')
  // Both ends may be counted, and the last digit cut off; nobody says how many days lie between two times of day.
  const slack = 1.5 * 10 ** -last.decimals * sizeOf(last)
  const days = from.includes(':') ? [0, 1440, 2880] : [0]
  if (days.some(more => Math.abs(stated - Number(length) - more) <= slack)) return confirmed(`${from} – ${to}`)
  const found = figures.map(({ text }) => text).join(' ')
  const single = (Number(length) / sizeOf(last)).toFixed(Math.max(0, last.decimals))
  const clock = `${Math.floor(Number(length) / 60)} h ${Math.round(Number(length) % 60)} min`
  const expected = figures.length > 1 ? clock : found.replace(/[\d.,]*\d/, single)
  const severity = called === 'error' ? 'error' : 'warning'
  return refute('timeline', figures[0]?.offset ?? 0, say('audit.time-span', { quote, from, to, expected, found }), {
    severity,
  })
}

export const span: Relation = { names: ['span'], inStatement, check }

/** When a change happened: "from 1.52 to 0.31 within 20 steps", "steps 10-40: 1.52 → 0.31", by the line that holds both. */

/** "…, the last 40 steps" is another stretch. */
const PART = /[前后末首第]|last|first|final/i

function* changesIn(statement: Statement): Generator<Assertion> {
  const { text, quantities, steps } = statement
  for (const { a, b, joint } of levelsIn(statement)) {
    const count = quantities.find(({ unit, from }) => unit === 'step' && from >= b.to && from - b.to < 8)
    const isExact = count !== undefined && count.bound === null && count.hedge === null
    const span = isExact && !PART.test(text.slice(b.to, count.from)) ? [figureOf(statement, count, 'span')] : []
    if (joint !== 'change' || (span.length === 0 && !steps.some(({ first, last }) => first < last))) continue
    const figures = [figureOf(statement, a, 'from'), figureOf(statement, b, 'to'), ...span]
    yield assertionOver(statement, 'steps', { figures })
  }
}

/** So many steps apart, and the first at the step that the sentence names. */
function checkSteps(assertion: Assertion, evidence: ReportEvidence): CheckOutcome {
  const [a, b, count] = (['from', 'to', 'span'] as const).map(role => figureAs(assertion, role))
  if (a == null || b == null) return UNCHECKED
  const lines = evidence.holding(a.quantity).flatMap(({ line, point: from }) => {
    const start = from.at.step ?? Number.NaN
    const to = line.points.find(one => one.quantity.value === b.quantity.value && (one.at.step ?? 0) > start)
    return to === undefined ? [] : [{ line, from, to, gap: (to.at.step ?? 0) - start }]
  })
  const [one] = lines
  if (one === undefined) return UNCHECKED
  const { line, from, to, gap } = one
  const ends = { from: a.text, to: b.text, first: pointName(line, from), last: pointName(line, to) }
  const params = { quote: assertion.quote, line: line.of.name, ...ends }
  if (count != null && !lines.some(other => Math.abs(other.gap - count.quantity.value) <= 1)) {
    const message = say('audit.step-span', { ...params, found: count.quantity.value, expected: gap })
    return refute('step-span', count.offset, message, { also: [from.cell.offset, to.cell.offset] })
  }
  const [range, more] = assertion.scope.statement?.steps ?? []
  const start = line.points.find(({ at }) => at.step === range?.first)
  const isMet = start?.quantity.value === a.quantity.value || lines.some(other => other.from.at.step === range?.first)
  if (start === undefined || more !== undefined || isMet) return confirmed(line.of.name)
  const message = say('audit.step-value', { ...params, claimed: pointName(line, start), expected: start.cell.text })
  return refute('named-value', a.offset, message, { found: a.text, also: [start.cell.offset] })
}

export const steps: Relation = { names: ['steps'], inStatement: changesIn, check: checkSteps }

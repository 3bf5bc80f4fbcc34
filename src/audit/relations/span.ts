import type { Statement } from '../../document/document.js'
import type { Quantity } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { type Assertion, confirmed, type Figure, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import type { Evidence } from '../evidence.js'
import { refute } from '../fault.js'
import { has } from '../lexicon.js'
import { assertionIn, figureAs, figureOf, figuresAs } from '../read.js'

/**
 * How long something took: "10:15 – 10:47 (52 min)", "step 60 → 90, 20 steps", and a fall between two figures of a
 * table that is called so many steps. Durations are also held against the two times of day in the line they belong to.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.time-span': { en: '“{quote}”: {from} to {to} is {expected}, not {found}; write {expected}', zh: '“{quote}”：{from} 到 {to} 是 {expected}，不是 {found}；应写 {expected}' },
})

const MINUTES: { readonly [unit: string]: number } = { s: 1 / 60, min: 1, h: 60, d: 1440 }
const COUNTED: ReadonlySet<string> = new Set(['step', 'epoch', 'sample'])

const minutesIn = ({ value, unit }: Quantity): number => value * (MINUTES[unit ?? ''] ?? 0)
const isExact = ({ ends, bound, hedge }: Quantity): boolean => ends === null && bound === null && hedge === null
const isDuration = ({ unit, ends, bound }: Quantity): boolean =>
  unit !== null && unit in MINUTES && ends === null && bound === null

function* inStatement(statement: Statement, evidence: Evidence): Generator<Assertion> {
  if (statement.text.length > 300) return
  yield* rate(statement)
  yield* clockSpan(statement, evidence)
  yield* stepSpan(statement)
}

/** A dash, or words such as "finished at". */
const CLOCKS =
  /^\s?(?:[-–—~→]|到|至|to|[,，]?\s?(?:and )?(?:finish(?:ed|es)?|end(?:ed|s)?|stop(?:ped|s)?|done|完成|结束)(?: at| 于)?:?)\s?$/i

/** Two times of day joined by a dash, and a duration in the same line or in an item below it. */
function* clockSpan(statement: Statement, evidence: Evidence): Generator<Assertion> {
  const { text, quantities } = statement
  const clocks = clocksIn(statement)
  const [first, second] = clocks
  if (first === undefined || second === undefined || clocks.length !== 2) return
  if (!CLOCKS.test(text.slice(first.to, second.from))) return
  const minutes = (second.minutes - first.minutes + 1440) % 1440
  const own = durations(statement, quantities)
  const printed = { from: text.slice(first.from, first.to), to: text.slice(second.from, second.to) }
  const spans = own.length > 0 ? [{ statement, figures: own }] : below(statement, evidence)
  for (const { statement: home, figures } of spans) {
    const subjects = [printed.from, printed.to]
    const whole = { from: 0, to: home.text.length }
    yield assertionIn(home, 'span', whole, { figures, subjects, manner: `minutes ${minutes}` })
  }
}

const DAY = 86_400_000

/** Times of day, those that stand behind a date included. */
function clocksIn({ clocks, dates }: Statement): Statement['clocks'] {
  const dated = dates.filter(({ length }) => length < DAY)
  const made = dated.map(({ from, to, time }) => ({ from, to, minutes: (time % DAY) / 60_000 }))
  return [...clocks, ...made].sort((a, b) => a.from - b.from)
}

/** Items that hang below a line and say how long it took. */
function below(
  statement: Statement,
  { document, indexOf }: Evidence,
): readonly { statement: Statement; figures: readonly Figure[] }[] {
  const at = indexOf(statement)
  return document.statements
    .slice(at + 1, at + 6)
    .filter(
      next =>
        next.section === statement.section &&
        next.leads.some(lead => lead.includes(statement.text)) &&
        next.clocks.length === 0 &&
        has(next.text, 'duration'),
    )
    .map(next => ({ statement: next, figures: durations(next, next.quantities) }))
    .filter(({ figures }) => figures.length > 0)
    .slice(0, 1)
}

/** "2 h 42 min" is one duration of two figures; a second one elsewhere makes it unsure. */
function durations(statement: Statement, quantities: readonly Quantity[]): readonly Figure[] {
  const timed = quantities.filter(isDuration)
  const [first, second, third] = timed
  if (first === undefined || third !== undefined) return []
  if (second !== undefined && second.from - first.to > 2) return []
  return timed.map(quantity => figureOf(statement, quantity, 'span'))
}

const JUST = /^[\s(（,，:：]*(?:共|仅|只|in|over|just|only|about)?\s?(?:用了?)?\s?$/i

/** "Step 60 → 90 … 20 steps". */
function* stepSpan(statement: Statement): Generator<Assertion> {
  const [mark, more] = statement.steps
  if (mark === undefined || more !== undefined || mark.first >= mark.last) return
  const [count, another] = statement.quantities.filter(
    one => (one.unit === 'step' || one.unit === 'epoch') && one.from >= mark.to && one.from - mark.to < 24,
  )
  if (count === undefined || another !== undefined || !isExact(count)) return
  if (!JUST.test(statement.text.slice(mark.to, count.from))) return
  const figures = [figureOf(statement, count, 'count')]
  const subjects = [String(mark.first), String(mark.last)]
  const stretch = { from: mark.from, to: count.to }
  yield assertionIn(statement, 'span', stretch, { figures, subjects, manner: `steps ${mark.last - mark.first}` })
}

const EACH =
  /^\s?(?:per|each|a|\/)\s?(?:step|epoch|iteration|episode|sample|question|prompt)(?![a-z])|^\s?\/\s?[步轮题条]/i
const EACH_BEFORE = /(?:每[一个]?[步轮题条]|per[- ]step|step time|单步)(?:耗时|用时|时间|约|大约|需要?|[:：=\s])*$/i

/** "2.5 hours for 300 steps (30 s per step)": a time, how often, and how long each. */
function* rate(statement: Statement): Generator<Assertion> {
  const { text, quantities } = statement
  const timed = quantities.filter(isDuration)
  const each = timed.filter(
    ({ from, to }) => EACH.test(text.slice(to, to + 16)) || EACH_BEFORE.test(text.slice(Math.max(0, from - 16), from)),
  )
  const whole = timed.filter(one => !each.includes(one))
  const [count, another] = quantities.filter(({ unit, ends }) => COUNTED.has(unit ?? '') && ends === null)
  const [one, total] = [each[0], whole[0]]
  if (one === undefined || total === undefined || count === undefined || timed.length !== 2 || another !== undefined)
    return
  const stretch = { from: Math.min(one.from, total.from, count.from), to: Math.max(one.to, total.to, count.to) }
  yield assertionIn(statement, 'span', stretch, {
    figures: [figureOf(statement, total, 'span')],
    subjects: [text.slice(count.from, count.to), text.slice(one.from, one.to)],
    manner: `rate ${count.value * minutesIn(one)} ${(one.range.high - one.range.low) / one.value}`,
  })
}

function check(assertion: Assertion): Outcome {
  const [kind, amount, loose = '0'] = assertion.manner.split(' ')
  const span = Number(amount)
  const [from = '', to = ''] = assertion.subjects
  if (kind === 'steps') {
    const count = figureAs(assertion, 'count')
    if (count === null) return UNCHECKED
    // Both ends may be counted.
    if ([span, span + 1].includes(count.quantity.value)) return confirmed(`${from} – ${to}`)
    return miss(assertion, count, from, to, String(span))
  }
  const figures = figuresAs(assertion, 'span')
  const [first] = figures
  if (first === undefined || figures.some(({ quantity }) => quantity.unit === null)) return UNCHECKED
  const stated = figures.reduce((sum, { quantity }) => sum + minutesIn(quantity), 0)
  const unit = MINUTES[figures.at(-1)?.quantity.unit ?? 'min'] ?? 1
  const digit = unit * 10 ** -(figures.at(-1)?.quantity.decimals ?? 0)
  const slack =
    (kind === 'rate' ? digit + (0.05 + Number(loose)) * span : Math.max(digit, 1.5)) +
    (first.quantity.hedge === null ? 0 : 0.15 * span)
  if (Math.abs(stated - span) <= slack) return confirmed(`${from} – ${to}`)
  // "33 min of training and 9 min of loading" is part of it.
  const isWhole = /i\.e\.|即|共/.test(assertion.quote) || has(assertion.quote, 'total', 'duration')
  if (kind !== 'rate' && stated < span && !isWhole) return UNCHECKED
  const expected = span >= 90 ? `${Math.floor(span / 60)} h ${Math.round(span % 60)} min` : `${Math.round(span)} min`
  return miss(assertion, first, from, to, expected)
}

function miss(assertion: Assertion, figure: Figure, from: string, to: string, expected: string): Outcome {
  const params = { quote: assertion.quote, from, to, expected, found: figure.text }
  return refute('timeline', figure.offset, say('audit.time-span', params))
}

export const span: Relation = { names: ['span'], inStatement, check }

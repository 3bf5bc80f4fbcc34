import type { Statement } from '../../document/document.js'
import type { Quantity, Stretch } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { type Assertion, confirmed, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import type { Evidence } from '../evidence.js'
import { refute } from '../fault.js'
import { has } from '../lexicon.js'
import { assertionIn, figureOf, figuresAs } from '../read.js'

/**
 * How long something took: "10:15 – 10:47 (52 min)", "step 60 → 90, 20 steps", "2.5 hours for 300 steps (30 s per step)".
 * Durations are also held against the two times of day in the line that they hang below.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.time-span': { en: '“{quote}”: {from} to {to} is {expected}, not {found}; write {expected}', zh: '“{quote}”：{from} 到 {to} 是 {expected}，不是 {found}；应写 {expected}' },
})

const MINUTES: { readonly [unit: string]: number } = { s: 1 / 60, min: 1, h: 60, d: 1440 }
const LONGEST = 300

const minutesIn = ({ value, unit }: Quantity): number => value * (MINUTES[unit ?? ''] ?? 1)
const isDuration = ({ unit, ends, bound }: Quantity): boolean =>
  unit !== null && unit in MINUTES && ends === null && bound === null

function* inStatement(statement: Statement, evidence: Evidence): Generator<Assertion> {
  if (statement.text.length > LONGEST) return
  yield* rate(statement)
  yield* clockSpan(statement, evidence)
  yield* stepSpan(statement)
}

/** That some figures are as long as it is between two marks, or twice something: so many minutes or steps. */
function spanOf(
  statement: Statement,
  stated: readonly Quantity[],
  ends: readonly [string, string],
  manner: string,
  stretch: Stretch = { from: 0, to: statement.text.length },
): Assertion {
  const figures = stated.map(one => figureOf(statement, one, 'span'))
  return assertionIn(statement, 'span', stretch, { figures, subjects: ends, manner })
}

/** A dash, or words such as "finished at". */
const CLOCKS =
  /^\s?(?:[-–—~→]|到|至|to|[,，]?\s?(?:and )?(?:finish(?:ed|es)?|end(?:ed|s)?|stop(?:ped|s)?|done|完成|结束)(?: at| 于)?:?)\s?$/i
const DAY = 86_400_000
/** Items that hang below a line stand right behind it. */
const MOST_BELOW = 5

/** Two times of day joined by a dash, and a duration in the same line or in an item below it. */
function* clockSpan(statement: Statement, { document, indexOf }: Evidence): Generator<Assertion> {
  const { text, clocks, dates } = statement
  const dated = dates.filter(({ length }) => length < DAY)
  const all = [...clocks, ...dated.map(({ from, to, time }) => ({ from, to, minutes: (time % DAY) / 60_000 }))]
  const [first, second, more] = all.sort((a, b) => a.from - b.from)
  if (first === undefined || second === undefined || more !== undefined) return
  if (!CLOCKS.test(text.slice(first.to, second.from))) return
  const minutes = (second.minutes - first.minutes + 1440) % 1440
  const at = indexOf(statement)
  const isBelow = ({ section, leads, clocks: own, text: words }: Statement): boolean =>
    section === statement.section &&
    leads.some(lead => lead.includes(text)) &&
    own.length === 0 &&
    has(words, 'duration')
  const below =
    durations(statement) === null ? document.statements.slice(at + 1, at + 1 + MOST_BELOW).filter(isBelow) : []
  const home = [statement, ...below].find(one => durations(one) !== null)
  const ends = [text.slice(first.from, first.to), text.slice(second.from, second.to)] as const
  if (home !== undefined) yield spanOf(home, durations(home) ?? [], ends, `clock ${minutes} 1.5`)
}

/** "2 h 42 min" is one duration of two figures; a second one elsewhere makes it unsure. */
function durations({ quantities }: Statement): readonly Quantity[] | null {
  const timed = quantities.filter(isDuration)
  const [first, second, third] = timed
  if (first === undefined || third !== undefined) return null
  return second !== undefined && second.from - first.to > 2 ? null : timed
}

const JUST = /^[\s(（,，:：]*(?:共|仅|只|in|over|just|only|about)?\s?(?:用了?)?\s?$/i

/** "Step 60 → 90 … 20 steps". */
function* stepSpan(statement: Statement): Generator<Assertion> {
  const [mark, more] = statement.steps
  if (mark === undefined || more !== undefined || mark.first >= mark.last) return
  const isCount = ({ unit, ends, bound, hedge, from }: Quantity): boolean =>
    (unit === 'step' || unit === 'epoch') && ends === null && bound === null && hedge === null && from >= mark.to
  const [count, another] = statement.quantities.filter(isCount)
  if (count === undefined || another !== undefined || !JUST.test(statement.text.slice(mark.to, count.from))) return
  const [ends, manner] = [[`${mark.first}`, `${mark.last}`] as const, `steps ${mark.last - mark.first} 0`]
  yield spanOf(statement, [count], ends, manner, { from: mark.from, to: count.to })
}

const COUNTED: ReadonlySet<string> = new Set(['step', 'epoch', 'sample'])
const EACH =
  /^\s?(?:per|each|a|\/)\s?(?:step|epoch|iteration|episode|sample|question|prompt)(?![a-z])|^\s?\/\s?[步轮题条]/i
const EACH_BEFORE = /(?:每[一个]?[步轮题条]|per[- ]step|step time|单步)(?:耗时|用时|时间|约|大约|需要?|[:：=\s])*$/i

/** A time, how often, and how long each. */
function* rate(statement: Statement): Generator<Assertion> {
  const { text, quantities } = statement
  const timed = quantities.filter(isDuration)
  if (timed.length !== 2) return
  const isEach = ({ from, to }: Quantity): boolean =>
    EACH.test(text.slice(to, to + 16)) || EACH_BEFORE.test(text.slice(Math.max(0, from - 16), from))
  const [each, total] = [timed.find(isEach), timed.find(one => !isEach(one))]
  const [count, more] = quantities.filter(({ unit, ends }) => COUNTED.has(unit ?? '') && ends === null)
  if (each === undefined || total === undefined || count === undefined || more !== undefined) return
  const minutes = count.value * minutesIn(each)
  const slack = (0.05 + (each.range.high - each.range.low) / each.value) * minutes
  const ends = [text.slice(count.from, count.to), text.slice(each.from, each.to)] as const
  yield spanOf(statement, [total], ends, `rate ${minutes} ${slack}`)
}

function check(assertion: Assertion): Outcome {
  const [kind, amount, slack] = assertion.manner.split(' ')
  const [from = '', to = ''] = assertion.subjects
  const figures = figuresAs(assertion, 'span')
  const [first, last, span] = [figures[0], figures.at(-1)?.quantity, Number(amount)]
  if (first === undefined || last === undefined || amount === undefined) return UNCHECKED
  const stated = figures.reduce((sum, { quantity }) => sum + minutesIn(quantity), 0)
  const digit = (MINUTES[last.unit ?? ''] ?? 1) * 10 ** -(last.decimals ?? 0)
  const margin = kind === 'rate' ? digit + Number(slack) : Math.max(digit, Number(slack))
  const loose = margin + (first.quantity.hedge === null ? 0 : 0.15 * span)
  // Of steps, both ends may be counted.
  const isFit = kind === 'steps' ? [span, span + 1].includes(stated) : Math.abs(stated - span) <= loose
  if (isFit) return confirmed(`${from} – ${to}`)
  // "33 min of training and 9 min of loading" is part of it.
  const isWhole = /i\.e\.|即|共/.test(assertion.quote) || has(assertion.quote, 'total', 'duration')
  if (kind === 'clock' && stated < span && !isWhole) return UNCHECKED
  const clock = span >= 90 ? `${Math.floor(span / 60)} h ${Math.round(span % 60)} min` : `${Math.round(span)} min`
  const params = { quote: assertion.quote, from, to, expected: kind === 'steps' ? String(span) : clock }
  return refute('timeline', first.offset, say('audit.time-span', { ...params, found: first.text }))
}

export const span: Relation = { names: ['span'], inStatement, check }

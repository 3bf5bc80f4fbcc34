import type { Statement } from '../../document/document.js'
import { everyMatch } from '../../document/matches.js'
import type { Quantity, Stretch } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { meets, statedRange } from '../arithmetic.js'
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
  yield* looseSpan(statement)
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
  if (!WHOLE.test(statement.text.slice(count.to))) return
  const [ends, manner] = [[`${mark.first}`, `${mark.last}`] as const, `steps ${mark.last - mark.first} 0`]
  yield spanOf(statement, [count], ends, manner, { from: mark.from, to: count.to })
}

/** Two marks of one sentence, how far they are apart, and what of a figure behind them may still be right. */
interface Marks {
  readonly first: Stretch
  readonly second: Stretch
  /** In the unit of the figure. */
  readonly amountIn: (unit: string) => { readonly amount: number; readonly slack: number } | null
}

/** Right behind the second mark: a break, and at most a word that says that the whole of it is meant. */
const BEHIND =
  /^[^\d,，;；。(（]{0,10}[,，(（:：=—–]\s*(?:(?:历时|用时|耗时|共计?|总共|合计|前后|相隔|间隔|中断|停机|持续|为期|时长|跨度|运行|跑了|即|so|i\.e\.|lasting|for|which is|that is|in all|in total|a total of|total|took|lasted|duration|ran)\s*[:：]?\s*)*$/i
const WHOLE = /^\s?(?:$|[)）,，.。;；:：!?]|of work|in total|total|long|overall|steps?(?![a-z]))/i

/** "21:30 started, done at 04:30 the next day, 7 hours", "from May 3 to May 17, two weeks", "step 60 … step 90, 30 steps". */
function* looseSpan(statement: Statement): Generator<Assertion> {
  const { text, quantities } = statement
  const marks = clockMarks(statement) ?? dayMarks(text) ?? stepMarks(statement) ?? endsMarks(statement)
  if (marks === null || marks.second.from - marks.first.to > LONGEST_GAP) return
  const { first, second, amountIn } = marks
  const [stated, next] = quantities.filter(({ from }) => from >= second.to)
  if (stated === undefined || stated.ends !== null || stated.bound !== null || stated.hedge !== null) return
  const between = text.slice(second.to, stated.from)
  const unit = stated.unit ?? WORD.exec(text.slice(stated.to))?.[0].trim().toLowerCase() ?? ''
  const span = amountIn(unit)
  const isTwo = next !== undefined && next.from - stated.to <= 2
  const rest = text.slice(stated.to).replace(stated.unit === null ? WORD : '', '')
  if (span === null || isTwo || !BEHIND.test(between) || !WHOLE.test(rest)) return
  const { amount, slack } = span
  const isNear = stated.value > 0.6 * amount && stated.value < 1.7 * amount
  const ends = [text.slice(first.from, first.to), text.slice(second.from, second.to)] as const
  if (isNear) yield spanOf(statement, [stated], ends, `loose ${amount} ${slack}`, { from: first.from, to: stated.to })
}

const LONGEST_GAP = 48
const WORD = /^\s?(?:个月|星期|[\p{Script=Han}]|[a-z]+)/iu
const ENDED =
  /完成|结束|停止|恢复|到|至|(?<![A-Za-z])(?:to|until|till|finish\w*|end(?:ed|s)?|stop\w*|done|resum\w*|complet\w*|recover\w*)(?![A-Za-z])/i
const NEXT_DAY = /次日|翌日|隔天|第二天|(?<![A-Za-z])(?:next|following) (?:day|morning)|\+1\s?d/i
const WEEKDAY =
  /(?<![A-Za-z])(mon|tue|wed|thu|fri|sat|sun)(?:[a-z]*day)?s?(?![A-Za-z])|(?:周|星期|礼拜)([一二三四五六日天])/gi
const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const HAN_WEEKDAYS = '一二三四五六日'

/** Two times of day, on one day, on two that follow each other, or on two days of a week. */
function clockMarks({ text, clocks, dates }: Statement): Marks | null {
  const [first, second, more] = clocks
  if (first === undefined || second === undefined || more !== undefined || dates.length > 0) return null
  const days = everyMatch(text, WEEKDAY).map(({ 1: en, 2: han }) =>
    en === undefined ? HAN_WEEKDAYS.indexOf((han ?? '').replace('天', '日')) : WEEKDAYS.indexOf(en.toLowerCase()),
  )
  const [between, behind] = [text.slice(first.to, second.from), text.slice(second.to, second.to + 12)]
  if (!CLOCKS.test(between) && !ENDED.test(between) && !ENDED.test(behind.split(/[,，(（]/)[0] ?? '')) return null
  const gap = second.minutes - first.minutes
  const [from = 0, to = from] = days
  const later = days.length === 2 ? (to - from + 7) % 7 : NEXT_DAY.test(text) || gap < 0 ? 1 : 0
  if (days.length > 2) return null
  const minutes = gap + 1440 * later
  return {
    first,
    second,
    amountIn: unit => {
      const size = MINUTES[unit]
      return size === undefined || minutes <= 0 ? null : { amount: minutes / size, slack: unit === 'min' ? 1.5 : 0.1 }
    },
  }
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const NAME = `(?<![A-Za-z])(${MONTHS.join('|')})[a-z]*\\.?`
const DATES = new RegExp(
  String.raw`${NAME}\s(\d{1,2})(?:st|nd|rd|th)?(?![\d:])(?:,?\s(20\d\d))?|${NAME}\s(20\d\d)|(?:(20\d\d)\s?年\s?)?(\d{1,2})\s?月\s?(?:(\d{1,2})\s?[日号])?`,
  'gi',
)

/** Two days of a year, or two months. */
function dayMarks(text: string): Marks | null {
  const [first, second, more] = everyMatch(text, DATES).map(
    ({ index: from, 0: found, 1: name, 2: day, 3: year, 4: month, 5: its, 6: han, 7: number, 8: date }) => {
      const word = (name ?? month)?.slice(0, 3).toLowerCase()
      const at = word === undefined ? Number(number) - 1 : MONTHS.indexOf(word)
      const [inYear, onDay] = [year ?? its ?? han ?? null, day ?? date ?? null]
      return { from, to: from + found.length, month: at, year: inYear, day: onDay }
    },
  )
  if (first === undefined || second === undefined || more !== undefined) return null
  const isDay = first.day !== null && second.day !== null
  if (!isDay && (first.year === null || second.year === null || first.day !== second.day)) return null
  const start = Number(first.year ?? 2023)
  const end = Number(second.year ?? first.year ?? (second.month < first.month ? 2024 : 2023))
  const days =
    (Date.UTC(end, second.month, Number(second.day ?? 1)) - Date.UTC(start, first.month, Number(first.day ?? 1))) / DAY
  const sizes: { readonly [unit: string]: number } = isDay
    ? { d: 1, week: 7, weeks: 7, 周: 7, 星期: 7 }
    : { month: 30.44, months: 30.44, 个月: 30.44 }
  return {
    first,
    second,
    // Both ends may be counted.
    amountIn: unit => (sizes[unit] === undefined || days <= 0 ? null : { amount: days / sizes[unit], slack: 1.05 }),
  }
}

const STARTS =
  /(?:(?<![A-Za-z])(?:from|start\w*|began|begin\w*|resum\w*|between)(?: at)?|从|自|恢复于?|开始于?|起于)\s?$/i
const ENDS = /(?:(?<![A-Za-z])(?:to|until|till|end\w*|stop\w*|finish\w*|and)(?: at)?|到|至|止于|结束于|停[在于])\s?$/i

/** "Resumed at step 2,400 and stopped at step 3,150". */
function stepMarks({ text, steps }: Statement): Marks | null {
  const [first, second, more] = steps
  if (first === undefined || second === undefined || more !== undefined) return null
  if (!STARTS.test(text.slice(0, first.from)) || !ENDS.test(text.slice(first.to, second.from))) return null
  const amount = second.last - first.first
  const isOne = first.first === first.last && second.first === second.last
  const amountIn: Marks['amountIn'] = unit =>
    isOne && amount > 0 && (unit === 'step' || unit === 'further' || unit === 'more') ? { amount, slack: 1 } : null
  return { first, second, amountIn }
}

/** "Frames 15k to 60k (45k frames)": a printed range, and how long it is, of the same. */
function endsMarks({ text, quantities }: Statement): Marks | null {
  const ranged = quantities.findIndex(({ ends }) => ends !== null)
  const [range, stated] = [quantities[ranged], quantities[ranged + 1]]
  if (
    range?.ends == null ||
    stated === undefined ||
    !/^\s?\p{L}{0,12}\s?[(（]\s?$/u.test(text.slice(range.to, stated.from))
  )
    return null
  const noun = WORD.exec(text.slice(stated.to))?.[0].trim().toLowerCase() ?? ''
  const near = text.slice(Math.max(0, range.from - 16), stated.from).toLowerCase()
  const isSame = noun.length > 2 && near.includes(noun)
  const amount = range.ends[1] - range.ends[0]
  return isSame && amount > 0 ? { first: range, second: range, amountIn: () => ({ amount, slack: 1 }) } : null
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
  if (kind === 'loose') {
    const range = { low: span - Number(slack), high: span + Number(slack) }
    if (meets(statedRange(first.quantity), range)) return confirmed(`${from} – ${to}`)
    const expected = String(Number(span.toFixed(Math.max(0, first.quantity.decimals))))
    const params = { quote: assertion.quote, from, to, expected, found: first.text }
    return refute('timeline', first.offset, say('audit.time-span', params), { severity: 'warning' })
  }
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

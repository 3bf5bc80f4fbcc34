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
 * How long something took: "10:15 – 10:47 (52 min)", "May 3 to May 17, 14 days", "step 60 → 90, 20 steps", "2.5 hours for
 * 300 steps (30 s per step)". Two marks of a sentence are so far apart, and a figure behind them says how far. Durations
 * are also held against the two times of day in the line that they hang below.
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
  const marks = clockMarks(statement) ?? dayMarks(statement.text) ?? countMarks(statement)
  const behind = marks === null ? null : spanBehind(statement, marks)
  if (behind !== null) yield behind
  else if (marks?.isJoined) yield* clockSpan(statement, marks, evidence)
}

/** That some figures are as long as it is between two marks, or so many times something. */
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

/** Two marks of one sentence, and how far they are apart. */
interface Marks {
  readonly first: Stretch
  readonly second: Stretch
  readonly amount: number
  /** By how much a figure with this word behind it may be off; null where it measures something else. */
  readonly slackOf: (unit: string) => { readonly size: number; readonly slack: number } | null
  /** Two times of day with nothing but a dash between them. */
  readonly isJoined?: boolean
}

const endsOf = ({ text }: Statement, { first, second }: Marks): readonly [string, string] => [
  text.slice(first.from, first.to),
  text.slice(second.from, second.to),
]

/** Items that hang below a line stand right behind it. */
const MOST_BELOW = 5

/** Two times of day joined by a dash: the only duration of the line, or of an item below it. */
function* clockSpan(statement: Statement, marks: Marks, { document, indexOf }: Evidence): Generator<Assertion> {
  const at = indexOf(statement)
  const isBelow = ({ section, leads, clocks: own, text: words }: Statement): boolean =>
    section === statement.section &&
    leads.some(lead => lead.includes(statement.text)) &&
    own.length === 0 &&
    has(words, 'duration')
  const below =
    durations(statement) === null ? document.statements.slice(at + 1, at + 1 + MOST_BELOW).filter(isBelow) : []
  const home = [statement, ...below].find(one => durations(one) !== null)
  if (home !== undefined)
    yield spanOf(home, durations(home) ?? [], endsOf(statement, marks), `clock ${marks.amount} 1.5`)
}

/** "2 h 42 min" is one duration of two figures; a second one elsewhere makes it unsure. */
function durations({ quantities }: Statement): readonly Quantity[] | null {
  const timed = quantities.filter(isDuration)
  const [first, second, third] = timed
  if (first === undefined || third !== undefined) return null
  return second !== undefined && second.from - first.to > 2 ? null : timed
}

/** Right behind the second mark: a break, and at most a word that says that the whole of it is meant. */
const BEHIND =
  /^[^\d,，;；。(（]{0,10}[,，(（:：=—–]\s*(?:(?:历时|用时|耗时|共计?|总共|合计|前后|相隔|间隔|中断|停机|持续|为期|时长|跨度|运行|跑了|[仅只]?用了?|即|so|just|only|i\.e\.|lasting|for|which is|that is|in all|in total|a total of|total|took|lasted|duration|ran)\s*[:：]?\s*)*$/i
const WHOLE = /^\s?(?:$|[)）,，.。;；:：!?]|of work|in total|total|long|overall|steps?(?![a-z]))/i
const LONGEST_GAP = 48
const WORD = /^\s?(?:个月|星期|\p{Script=Han}|[a-z]+)/iu

/** "21:30 started, done at 04:30 the next day, 7 hours", "from May 3 to May 17, two weeks", "step 60 … 90, 30 steps". */
function spanBehind(statement: Statement, marks: Marks): Assertion | null {
  const { text, quantities } = statement
  const { first, second, amount, slackOf } = marks
  const [stated, next] = quantities.filter(({ from }) => from >= second.to)
  if (stated === undefined || second.from - first.to > LONGEST_GAP || amount <= 0) return null
  const unit = stated.unit ?? WORD.exec(text.slice(stated.to))?.[0].trim().toLowerCase() ?? ''
  const { size, slack } = slackOf(unit) ?? { size: 0, slack: 0 }
  const isPlain = stated.ends === null && stated.bound === null && stated.hedge === null
  const isTwo = next !== undefined && next.from - stated.to <= 2
  const rest = text.slice(stated.to).replace(stated.unit === null ? WORD : '', '')
  if (!isPlain || isTwo || !BEHIND.test(text.slice(second.to, stated.from)) || !WHOLE.test(rest)) return null
  const share = (stated.value * size) / amount
  // What is far off is the length of something else.
  if (share < 0.6 || share > 1.7) return null
  const manner = `${marks.isJoined ? 'joined' : 'loose'} ${amount / size} ${slack}`
  return spanOf(statement, [stated], endsOf(statement, marks), manner, { from: first.from, to: stated.to })
}

/** A dash, or words such as "finished at". */
const CLOCKS =
  /^\s?(?:[-–—~→]|到|至|to|[,，]?\s?(?:and )?(?:finish(?:ed|es)?|end(?:ed|s)?|stop(?:ped|s)?|done|完成|结束)(?: at| 于)?:?)\s?$/i
const ENDED =
  /完成|结束|停止|恢复|到|至|(?<![A-Za-z])(?:to|until|till|finish\w*|end(?:ed|s)?|stop\w*|done|resum\w*|complet\w*|recover\w*)(?![A-Za-z])/i
const NEXT_DAY = /次日|翌日|隔天|第二天|(?<![A-Za-z])(?:next|following) (?:day|morning)|\+1\s?d/i
const WEEKDAY =
  /(?<![A-Za-z])(mon|tue|wed|thu|fri|sat|sun)(?:[a-z]*day)?s?(?![A-Za-z])|(?:周|星期|礼拜)([一二三四五六日天])/gi
const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun', ...'一二三四五六日']
const DAY = 86_400_000

/** Two times of day, on one day, on two that follow each other, or on two days of a week. */
function clockMarks({ text, clocks, dates }: Statement): Marks | null {
  const dated = dates.filter(({ length }) => length < DAY)
  const all = [...clocks, ...dated.map(({ from, to, time }) => ({ from, to, minutes: (time % DAY) / 60_000 }))]
  const [first, second, more] = all.sort((a, b) => a.from - b.from)
  if (first === undefined || second === undefined || more !== undefined) return null
  const between = text.slice(first.to, second.from)
  const isJoined = CLOCKS.test(between)
  const behind = text.slice(second.to, second.to + 12).split(/[,，(（]/)[0] ?? ''
  if (!isJoined && (dated.length > 0 || (!ENDED.test(between) && !ENDED.test(behind)))) return null
  const gap = second.minutes - first.minutes
  const [from, to] = everyMatch(text, WEEKDAY).map(
    ({ 1: en, 2: han }) => WEEKDAYS.indexOf((en ?? han ?? '').toLowerCase().replace('天', '日')) % 7,
  )
  const isNext = NEXT_DAY.test(text) || gap < 0
  const days = isJoined || from === undefined || to === undefined ? Number(isNext) : (to - from + 7) % 7
  const slackOf: Marks['slackOf'] = unit =>
    MINUTES[unit] === undefined ? null : { size: MINUTES[unit], slack: unit === 'min' ? 1.5 : 0.1 }
  return { first, second, amount: gap + 1440 * days, slackOf, isJoined }
}

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const NAME = `(?<![A-Za-z])(?<name>${MONTHS.join('|')})[a-z]*\\.?`
const DATES = new RegExp(
  String.raw`${NAME}\s(?:(?<day>\d{1,2})(?:st|nd|rd|th)?(?![\d:])(?:,?\s(?<year>20\d\d))?|(?<its>20\d\d))|(?:(?<han>20\d\d)\s?年\s?)?(?<month>\d{1,2})\s?月\s?(?:(?<date>\d{1,2})\s?[日号])?`,
  'gi',
)
const DAYS: { readonly [unit: string]: number } = { d: 1, week: 7, weeks: 7, 周: 7, 星期: 7 }
const MANY_DAYS: { readonly [unit: string]: number } = { month: 30.44, months: 30.44, 个月: 30.44 }

/** Two days, or two months of known years. */
function dayMarks(text: string): Marks | null {
  if (!/\d\s?月|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z.]* \d/i.test(text)) return null
  const [first, second, more] = everyMatch(text, DATES).map(({ index: from, 0: found, groups = {} }) => {
    const { name, day, year, its, han, month, date } = groups
    const at = name === undefined ? Number(month) - 1 : MONTHS.indexOf(name.toLowerCase())
    return { from, to: from + found.length, month: at, year: year ?? its ?? han ?? null, day: day ?? date ?? null }
  })
  if (first === undefined || second === undefined || more !== undefined) return null
  const areDays = first.day !== null && second.day !== null
  if (!areDays && (first.year === null || second.year === null || first.day !== second.day)) return null
  const start = Number(first.year ?? second.year ?? 2023)
  const end = Number(second.year ?? start + Number(second.month < first.month))
  const timeOf = (year: number, { month, day }: typeof first): number => Date.UTC(year, month, Number(day ?? 1)) / DAY
  // Both ends may be counted.
  const slackOf: Marks['slackOf'] = unit => {
    const size = (areDays ? DAYS : MANY_DAYS)[unit]
    return size === undefined ? null : { size, slack: 1.05 }
  }
  return { first, second, amount: timeOf(end, second) - timeOf(start, first), slackOf }
}

const STARTS =
  /(?:(?<![A-Za-z])(?:from|start\w*|began|begin\w*|resum\w*|between)(?: at)?|从|自|恢复于?|开始于?|起于)\s?$/i
const ENDS = /(?:(?<![A-Za-z])(?:to|until|till|end\w*|stop\w*|finish\w*|and)(?: at)?|到|至|止于|结束于|停[在于])\s?$/i
const STEPS: ReadonlySet<string> = new Set(['step', 'epoch', 'further', 'more'])

/** "Step 60 → 90", "resumed at step 2,400 and stopped at step 3,150", "frames 15k to 60k (45k frames)". */
function countMarks({ text, steps, quantities }: Statement): Marks | null {
  const [first, second = first, more] = steps
  const isPair = first !== undefined && second !== undefined && more === undefined
  const isFromTo = isPair && STARTS.test(text.slice(0, first.from)) && ENDS.test(text.slice(first.to, second.from))
  const one = { size: 1, slack: 1 }
  if (isPair && (first === second || isFromTo))
    return { first, second, amount: second.last - first.first, slackOf: unit => (STEPS.has(unit) ? one : null) }
  const range = quantities.find(({ ends }) => ends !== null)
  if (range?.ends == null) return null
  const near = text.slice(Math.max(0, range.from - 16), range.to + 16).toLowerCase()
  const slackOf: Marks['slackOf'] = unit => (unit.length > 2 && near.split('(')[0]?.includes(unit) ? one : null)
  return { first: range, second: range, amount: range.ends[1] - range.ends[0], slackOf }
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
  if (kind === 'loose' || kind === 'joined') {
    const range = { low: span - Number(slack), high: span + Number(slack) }
    if (meets(statedRange(first.quantity), range)) return confirmed(`${from} – ${to}`)
    const expected = String(Number(span.toFixed(Math.max(0, first.quantity.decimals))))
    const params = { quote: assertion.quote, from, to, expected, found: first.text }
    return refute(
      'timeline',
      first.offset,
      say('audit.time-span', params),
      kind === 'loose' ? { severity: 'warning' } : {},
    )
  }
  const stated = figures.reduce((sum, { quantity }) => sum + minutesIn(quantity), 0)
  const digit = (MINUTES[last.unit ?? ''] ?? 1) * 10 ** -(last.decimals ?? 0)
  const margin = kind === 'rate' ? digit + Number(slack) : Math.max(digit, Number(slack))
  const loose = margin + (first.quantity.hedge === null ? 0 : 0.15 * span)
  // Nobody says how many days lie between two times of day.
  const isFit = [0, 1440, 2880].some(days => Math.abs(stated - span - (kind === 'clock' ? days : 0)) <= loose)
  if (isFit) return confirmed(`${from} – ${to}`)
  // "33 min of training and 9 min of loading" is part of it.
  const isWhole = /i\.e\.|即|共/.test(assertion.quote) || has(assertion.quote, 'total', 'duration')
  if (kind === 'clock' && stated < span && !isWhole) return UNCHECKED
  const clock = span >= 90 ? `${Math.floor(span / 60)} h ${Math.round(span % 60)} min` : `${Math.round(span)} min`
  const params = { quote: assertion.quote, from, to, expected: clock }
  return refute('timeline', first.offset, say('audit.time-span', { ...params, found: first.text }))
}

export const span: Relation = { names: ['span'], inStatement, check }

import type { Statement } from '../../document/document.js'
import { everyMatch } from '../../document/matches.js'
import type { Matrix } from '../../document/matrix.js'
import { type Quantity, readTokens, type Stretch } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { type Assertion, confirmed, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import type { Entry } from '../entries.js'
import type { Evidence } from '../evidence.js'
import { refute } from '../fault.js'
import { has } from '../lexicon.js'
import {
  assertionIn,
  assertionInCell,
  assertionInEntry,
  cellFigure,
  entryFigure,
  figureOf,
  figuresAs,
} from '../read.js'
import { isDuration, MINUTES } from './reckoned.js'

/**
 * How long something took: "10:15 – 10:47 (52 min)", "2025-03-04 to 2025-03-18, 14 days", "step 60 → 90, 20 steps". Two marks of a
 * sentence are so far apart, and a figure behind them says how far. Durations are also held against the two times of day
 * in the line that they hang below.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.time-span': { en: '“{quote}”: {from} to {to} is {expected}, not {found}; write {expected}', zh: '“{quote}”：{from} 到 {to} 是 {expected}，不是 {found}；应写 {expected}' },
})

/** Two marks of one sentence, and how far they are apart. */
interface Marks {
  readonly first: Stretch
  readonly second: Stretch
  readonly amount: number
  /** Whether a unit measures what lies between them. */
  readonly isOf: (unit: string) => boolean
  /** Two times of day with nothing but a dash between them. */
  readonly isJoined?: boolean
  /** Days are told as well. */
  readonly isDated?: boolean
}

const LONGEST = 300

function* inStatement(statement: Statement, evidence: Evidence): Generator<Assertion> {
  if (statement.text.length > LONGEST) return
  const marks = clockMarks(statement) ?? countMarks(statement)
  if (marks === null) return
  const { first, second, amount, isJoined = false, isDated = false } = marks
  const [own, hung] = [behind(statement, marks), isJoined ? below(statement, evidence) : null]
  const { home, stated } = own ?? hung ?? {}
  if (home === undefined || stated === undefined) return
  const figures = stated.map(one => figureOf(home, one, 'span'))
  const subjects = [first, second].map(({ from, to }) => statement.text.slice(from, to))
  const stretch = own === null ? { from: 0, to: home.text.length } : { from: first.from, to: stated.at(-1)?.to ?? 0 }
  const kind = isJoined ? (isDated ? 'dated' : 'joined') : 'loose'
  const manner = `${kind} ${amount} ${own === null ? 'below' : 'behind'}`
  yield assertionIn(home, 'span', stretch, { figures, subjects, manner })
}

interface Stated {
  readonly home: Statement
  readonly stated: readonly Quantity[]
}

/** Right behind the second mark: a break, and at most a word that says that the whole of it is meant. */
const BEHIND =
  /^(?:[^\d,;。(]{0,10}[,(:=—–]\s*|\s?(?=共))(?:(?:历时|用时|耗时|共计?|总共|合计?|前后|相隔|间隔|中断|停机|持续|为期|时长|跨度|运行|跑了|[仅只]?用了?|即|so|it|just|only|i\.e\.|lasting|for|which is|that is|in all|in total|a total of|total|took|lasted|duration|ran)(?:\s*:)?\s*)*$/i
const WHOLE =
  /^\s?(?:$|[),.。;:!?]|of work|in total|total|long|overall|wall[- ]?clock|on (?:a|one|\d)|steps?(?![a-z]))/i
const STEPS_DONE = /(?:after |for )?[\d,]+\s?k?\s?(?:步|轮|steps?|epochs?|iterations?)/i
const LONGEST_GAP = 48
const WORD = /^\s?(?:[\u4e00-\u9fff]|[a-z]+)/i

/** "21:30 started, done at 04:30 the next day, 7 hours", "step 60 … 90, 30 steps". */
function behind(statement: Statement, { first, second, amount, isOf }: Marks): Stated | null {
  const { text, quantities } = statement
  const behindIt = quantities.filter(({ from }) => from >= second.to)
  // "… done at 18:30 after 90 steps, 6 h": how many are no length of time.
  const [one, next] = isOf('min') ? behindIt.filter(({ unit }) => unit !== 'step' && unit !== 'epoch') : behindIt
  if (one === undefined || second.from - first.to > LONGEST_GAP) return null
  const isTwo = next !== undefined && next.from - one.to <= 2
  if (isTwo && !(isDuration(one) && isDuration(next))) return null
  const stated = isTwo ? [one, next] : [one]
  const end = isTwo ? next.to : one.to
  const isPlain = stated.every(({ ends, bound, hedge }) => ends === null && bound === null && hedge === null)
  const rest = text.slice(end).replace(one.unit === null ? WORD : '', '')
  const gap = text.slice(second.to, one.from).replace(isOf('min') ? STEPS_DONE : '', '')
  if (!isPlain || !BEHIND.test(gap) || !WHOLE.test(rest)) return null
  // What is far off is the length of something else.
  const isOwn = isOf(one.unit ?? WORD.exec(text.slice(one.to))?.[0].trim().toLowerCase() ?? '')
  const share = isOwn ? lengthOf(stated) / amount : 0
  return share < 0.6 || share > 1.7 ? null : { home: statement, stated }
}

const sizeOf = ({ unit }: Quantity): number => MINUTES[unit ?? ''] ?? 1
const lengthOf = (stated: readonly Quantity[]): number => stated.reduce((sum, one) => sum + one.value * sizeOf(one), 0)

/** Items that hang below a line stand right behind it. */
const MOST_BELOW = 5

/** The only duration of the line, or of an item below it. */
function below(statement: Statement, { document, indexOf }: Evidence): Stated | null {
  const at = indexOf(statement)
  const isBelow = ({ section, leads, clocks, text }: Statement): boolean =>
    section === statement.section &&
    leads.some(lead => lead.includes(statement.text)) &&
    clocks.length === 0 &&
    has(text, 'duration')
  const items = document.statements.slice(at + 1, at + 1 + MOST_BELOW).filter(isBelow)
  for (const home of [statement, ...items]) {
    const stated = durationsIn(home)
    if (stated.length > 0) return isOneLength(stated) ? { home, stated } : null
  }
  return null
}

function durationsIn({ quantities }: Pick<Statement, 'quantities'>): readonly Quantity[] {
  return quantities.filter(one => isDuration(one) && one.ends === null && one.bound === null)
}

/** "2 h 42 min" is one length of two figures. */
function isOneLength([first, second, third]: readonly Quantity[]): boolean {
  const isNext = second === undefined || (second.from - first.to <= 2 && second.unit !== first.unit)
  return third === undefined && isNext
}

/** A dash, or words such as "finished at". */
const CLOCKS =
  /^\s?(?:[-–—~→]|到|至|to|,?\s?(?:and )?(?:finish(?:ed|es)?|end(?:ed|s)?|stop(?:ped|s)?|done|完成|结束)(?: at| 于)?:?)\s?$/i
const ENDED =
  /完成|结束|停止|恢复|\S完|到|至|(?<![A-Za-z])(?:to|until|till|finish\w*|end(?:ed|s)?|stop\w*|done|resum\w*|complet\w*|recover\w*|kill\w*|abort\w*|crash\w*)(?![A-Za-z])/i
const DAY = 86_400_000

/** A date, or a time of day with or without one. */
interface Moment extends Stretch {
  readonly minutes: number
  readonly isDated: boolean
}

const MONTHS = 'Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec'
const MONTH = `(${MONTHS})[a-z]{0,6}\\.?`
/** Days without a year: "02-24" before a time of day, 2 月 24 日, "Feb 24", "24 February". */
const DAYS = new RegExp(
  String.raw`(?<![\d./-])(\d{1,2})[-/](\d{1,2})(?=\s\d{1,2}:\d)|(?<!\d)(\d{1,2})\s?月\s?(\d{1,2})\s?[日号]|(?<![A-Za-z])${MONTH}\s(\d{1,2})(?:st|nd|rd|th)?(?![\d:.]\d)|(?<![\d.])(\d{1,2})(?:st|nd|rd|th)?\s${MONTH}(?![a-z])`,
  'g',
)
const SOME_YEAR = 2025

function daysIn(text: string): readonly Moment[] {
  return everyMatch(text, DAYS).map(({ index, 0: words, 1: a, 2: b, 3: c, 4: d, 5: name, 6: e, 7: f, 8: last }) => {
    const named = MONTHS.split('|').indexOf(name ?? last ?? '')
    const [month, day] = [named < 0 ? Number(a ?? c) - 1 : named, Number(b ?? d ?? e ?? f)]
    return { from: index, to: index + words.length, minutes: Date.UTC(SOME_YEAR, month, day) / 60_000, isDated: true }
  })
}

/** All moments that a text tells; a day belongs to the time of day that it stands at. */
function momentsIn({ text, clocks, dates }: Pick<Statement, 'text' | 'clocks' | 'dates'>): readonly Moment[] {
  const days = daysIn(text)
  const dated = (clocks.length === 0 ? dates : dates.filter(({ length }) => length < DAY)).map(
    ({ from, to, time }): Moment => ({ from, to, minutes: time / 60_000, isDated: true }),
  )
  const timed = clocks.map(({ from, to, minutes }): Moment => {
    const ahead = days.find(day => /^,?\s(?:at )?$/.test(text.slice(day.to, from)))
    const day = ahead ?? days.find(one => /^,?\s(?:on )?$/.test(text.slice(to, one.from)))
    if (day === undefined) return { from, to, minutes, isDated: false }
    return { from: Math.min(from, day.from), to: Math.max(to, day.to), minutes: day.minutes + minutes, isDated: true }
  })
  const all = [...timed, ...dated]
  return (all.length === 0 ? [...days] : all).sort((a, b) => a.from - b.from)
}

/** From one moment to another; where a day is not told, it is the same or the next. */
function minutesBetween(first: Moment, second: Moment): number {
  if (first.isDated && second.isDated) return second.minutes - first.minutes
  const gap = (second.minutes % 1440) - (first.minutes % 1440)
  return gap < 0 ? gap + 1440 : gap
}

/** Two dates, or two times of day on one day or on two that follow each other. */
function clockMarks(statement: Statement): Marks | null {
  const { text } = statement
  const [first, second, more] = momentsIn(statement)
  if (first === undefined || second === undefined || more !== undefined) return null
  const between = text.slice(first.to, second.from)
  const isJoined = CLOCKS.test(between)
  const isEnded = ENDED.test(between) || ENDED.test(text.slice(second.to, second.to + 12).split(/[,(]/)[0] ?? '')
  const amount = minutesBetween(first, second)
  if ((!isJoined && (!isEnded || (second.isDated && !first.isDated))) || amount < 0) return null
  return { first, second, amount, isOf: unit => unit in MINUTES, isJoined, isDated: second.isDated }
}

/** Columns of beginnings and ends beside each other, and one of durations that all rows but one bear out. */
function* inTable(matrix: Matrix): Generator<Assertion> {
  const { rows } = matrix.table
  for (const [at, { clocks, dates }] of (rows[0] ?? []).entries()) {
    if (clocks.length + dates.length !== 1) continue
    for (const column of (rows[0] ?? []).keys()) {
      const spans = rows.flatMap(row => {
        const [cell, stated] = [row[column], durationsIn(row[column] ?? { quantities: [] })]
        const [first, second, more] = [at, at + 1].flatMap(i => (row[i] === undefined ? [] : momentsIn(row[i])))
        if (first === undefined || second === undefined || more !== undefined || cell === undefined) return []
        const subjects = [row[at]?.text ?? '', row[at + 1]?.text ?? '']
        return stated.length === 0 || !isOneLength(stated)
          ? []
          : [{ cell, stated, subjects, amount: minutesBetween(first, second) }]
      })
      const right = spans.filter(({ stated, amount }) => Math.abs(lengthOf(stated) - amount) <= slackOf(stated))
      if (right.length < 2 || right.length < spans.length - 1) continue
      for (const { cell, stated, subjects, amount } of spans) {
        const figures = stated.map(one => ({ ...cellFigure(cell, one), role: 'span' as const }))
        yield assertionInCell(matrix, cell, 'span', { figures, subjects, manner: `dated ${amount} behind` })
      }
    }
  }
}

const STARTED = /^(?:start|began|begin|launch|开始|启动|起始)/i
const FINISHED = /^(?:end|finish|stop|complet|done|结束|完成|停止)/i
const LASTED = /time|duration|elapsed|wall|took|total|耗时|用时|时长|历时|时间/i

/** "Started: …", "Finished: …" and "Took: …", one under the other. */
function* inEntries(entries: readonly Entry[]): Generator<Assertion> {
  for (const [i, start] of entries.entries()) {
    const [end, took] = [entries[i + 1], entries[i + 2]]
    if (end === undefined || took === undefined || !STARTED.test(start.key) || !FINISHED.test(end.key)) continue
    const [first, second, more] = [start, end].flatMap(({ value: text }) => momentsIn({ text, ...readTokens(text) }))
    const stated = durationsIn(took)
    const isWhole = LASTED.test(took.key) && stated[0]?.from === 0 && isOneLength(stated)
    if (first === undefined || second === undefined || more !== undefined || !isWhole) continue
    const [amount, subjects] = [minutesBetween(first, second), [start.value, end.value]]
    const figures = stated.map(one => entryFigure(took, one, 'span'))
    const kind = second.isDated ? 'dated' : 'joined'
    yield assertionInEntry(took, 'span', { figures, subjects, manner: `${kind} ${amount} behind` })
  }
}

const STARTS =
  /(?:(?<![A-Za-z])(?:from|start\w*|began|begin\w*|resum\w*|between)(?: at)?|从|自|恢复于?|开始于?|起于)\s?$/i
const ENDS = /(?:(?<![A-Za-z])(?:to|until|till|end\w*|stop\w*|finish\w*|and)(?: at)?|到|至|止于|结束于|停[在于])\s?$/i
const STEPS: ReadonlySet<string> = new Set(['step', 'epoch', 'further', 'more'])

/** "Step 60 → 90", "resumed at step 2,400 and stopped at step 3,150". */
function countMarks({ text, steps }: Statement): Marks | null {
  const [first, second = first, more] = steps
  const isPair = first !== undefined && second !== undefined && more === undefined
  const isFromTo = isPair && STARTS.test(text.slice(0, first.from)) && ENDS.test(text.slice(first.to, second.from))
  if (!isPair || (first !== second && !isFromTo)) return null
  return { first, second, amount: second.last - first.first, isOf: unit => STEPS.has(unit) }
}

/** By so many of its last digits a figure may be off: both ends may be counted, and it may be cut off. */
function slackOf(stated: readonly Quantity[]): number {
  const last = stated.at(-1)
  return last === undefined ? 0 : 1.5 * 10 ** -last.decimals * sizeOf(last)
}

function check(assertion: Assertion): Outcome {
  const { manner, quote } = assertion
  const [kind, printed, where] = manner.split(' ')
  const [from = '', to = ''] = assertion.subjects
  const figures = figuresAs(assertion, 'span')
  const [first, last, amount] = [figures[0], figures.at(-1), Number(printed)]
  if (first === undefined || last === undefined) return UNCHECKED
  const quantities = figures.map(({ quantity }) => quantity)
  const stated = lengthOf(quantities)
  const slack = slackOf(quantities) + (first.quantity.hedge === null ? 0 : 0.15 * amount)
  // Nobody says how many days lie between two times of day.
  const days = kind === 'joined' ? [0, 1440, 2880] : [0]
  if (days.some(more => Math.abs(stated - amount - more) <= slack)) return confirmed(`${from} – ${to}`)
  // "33 min of training and 9 min of loading" is part of it.
  const isWhole = /i\.e\.|即|共/.test(quote) || has(quote, 'total', 'duration')
  if (where === 'below' && stated < amount && !isWhole) return UNCHECKED
  const clock = `${Math.floor(amount / 60)} h ${Math.round(amount % 60)} min`
  const single = String(Number((amount / sizeOf(last.quantity)).toFixed(Math.max(0, last.quantity.decimals))))
  const params = {
    quote,
    from,
    to,
    expected: figures.length > 1 ? clock : single,
    found: figures.map(one => one.text).join(' '),
  }
  const severity = kind === 'loose' ? 'warning' : 'error'
  return refute('timeline', first.offset, say('audit.time-span', params), { severity })
}

export const span: Relation = { names: ['span'], inStatement, inTable, inEntries, check }

import type { Statement } from '../../document/document.js'
import type { Quantity, Stretch } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { type Assertion, confirmed, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import type { Evidence } from '../evidence.js'
import { refute } from '../fault.js'
import { has } from '../lexicon.js'
import { assertionIn, figureOf, figuresAs } from '../read.js'
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
  /** How much one of a unit is of the amount; undefined where it measures something else. */
  readonly sizeOf: (unit: string) => number | undefined
  /** Two times of day with nothing but a dash between them. */
  readonly isJoined?: boolean
}

const LONGEST = 300

function* inStatement(statement: Statement, evidence: Evidence): Generator<Assertion> {
  if (statement.text.length > LONGEST) return
  const marks = clockMarks(statement) ?? countMarks(statement)
  if (marks === null) return
  const { first, second, amount, isJoined = false } = marks
  const { home, stated, size } = behind(statement, marks) ?? (isJoined ? below(statement, evidence) : null) ?? {}
  if (home === undefined || stated === undefined) return
  const figures = stated.map(one => figureOf(home, one, 'span'))
  const subjects = [first, second].map(({ from, to }) => statement.text.slice(from, to))
  const stretch = size === undefined ? { from: 0, to: home.text.length } : { from: first.from, to: stated[0]?.to ?? 0 }
  const manner = `${isJoined ? 'joined' : 'loose'} ${amount} ${size ?? 'below'}`
  yield assertionIn(home, 'span', stretch, { figures, subjects, manner })
}

interface Stated {
  readonly home: Statement
  readonly stated: readonly Quantity[]
  /** Undefined where they are durations, somewhere in their line. */
  readonly size?: number
}

/** Right behind the second mark: a break, and at most a word that says that the whole of it is meant. */
const BEHIND =
  /^[^\d,;。(]{0,10}[,(:=—–]\s*(?:(?:历时|用时|耗时|共计?|总共|合计|前后|相隔|间隔|中断|停机|持续|为期|时长|跨度|运行|跑了|[仅只]?用了?|即|so|just|only|i\.e\.|lasting|for|which is|that is|in all|in total|a total of|total|took|lasted|duration|ran)\s*:?\s*)*$/i
const WHOLE =
  /^\s?(?:$|[),.。;:!?]|of work|in total|total|long|overall|wall[- ]?clock|on (?:a|one|\d)|steps?(?![a-z]))/i
const LONGEST_GAP = 48
const WORD = /^\s?(?:\p{Script=Han}|[a-z]+)/iu

/** "21:30 started, done at 04:30 the next day, 7 hours", "step 60 … 90, 30 steps". */
function behind(statement: Statement, { first, second, amount, sizeOf }: Marks): Stated | null {
  const { text, quantities } = statement
  const [stated, next] = quantities.filter(({ from }) => from >= second.to)
  if (stated === undefined || second.from - first.to > LONGEST_GAP) return null
  const size = sizeOf(stated.unit ?? WORD.exec(text.slice(stated.to))?.[0].trim().toLowerCase() ?? '')
  const isPlain = stated.ends === null && stated.bound === null && stated.hedge === null
  const isTwo = next !== undefined && next.from - stated.to <= 2
  const rest = text.slice(stated.to).replace(stated.unit === null ? WORD : '', '')
  if (!isPlain || isTwo || !BEHIND.test(text.slice(second.to, stated.from)) || !WHOLE.test(rest)) return null
  // What is far off is the length of something else.
  const share = size === undefined ? 0 : (stated.value * size) / amount
  return share < 0.6 || share > 1.7 ? null : { home: statement, stated: [stated], size }
}

/** Items that hang below a line stand right behind it. */
const MOST_BELOW = 5

/** The only duration of the line, or of an item below it; "2 h 42 min" is one of two figures. */
function below(statement: Statement, { document, indexOf }: Evidence): Stated | null {
  const at = indexOf(statement)
  const isBelow = ({ section, leads, clocks, text }: Statement): boolean =>
    section === statement.section &&
    leads.some(lead => lead.includes(statement.text)) &&
    clocks.length === 0 &&
    has(text, 'duration')
  const items = document.statements.slice(at + 1, at + 1 + MOST_BELOW).filter(isBelow)
  for (const home of [statement, ...items]) {
    const stated = home.quantities.filter(one => isDuration(one) && one.ends === null && one.bound === null)
    const [first, second, third] = stated
    const isOne = second === undefined || (first !== undefined && second.from - first.to <= 2)
    if (first !== undefined) return third === undefined && isOne ? { home, stated } : null
  }
  return null
}

/** A dash, or words such as "finished at". */
const CLOCKS =
  /^\s?(?:[-–—~→]|到|至|to|,?\s?(?:and )?(?:finish(?:ed|es)?|end(?:ed|s)?|stop(?:ped|s)?|done|完成|结束)(?: at| 于)?:?)\s?$/i
const ENDED =
  /完成|结束|停止|恢复|到|至|(?<![A-Za-z])(?:to|until|till|finish\w*|end(?:ed|s)?|stop\w*|done|resum\w*|complet\w*|recover\w*)(?![A-Za-z])/i
const DAY = 86_400_000

/** Two dates, or two times of day on one day or on two that follow each other. */
function clockMarks({ text, clocks, dates }: Statement): Marks | null {
  const dated = clocks.length === 0 ? dates : dates.filter(({ length }) => length < DAY)
  const whole = dated.length === 2 ? Number.POSITIVE_INFINITY : DAY
  const all = [...clocks, ...dated.map(({ from, to, time }) => ({ from, to, minutes: (time % whole) / 60_000 }))]
  const [first, second, more] = all.sort((a, b) => a.from - b.from)
  if (first === undefined || second === undefined || more !== undefined) return null
  const between = text.slice(first.to, second.from)
  const isJoined = CLOCKS.test(between)
  const isEnded = ENDED.test(between) || ENDED.test(text.slice(second.to, second.to + 12).split(/[,(]/)[0] ?? '')
  if (!isJoined && (dated.length === 1 || !isEnded)) return null
  const gap = second.minutes - first.minutes
  const amount = gap < 0 && dated.length < 2 ? gap + 1440 : gap
  return amount < 0 ? null : { first, second, amount, sizeOf: unit => MINUTES[unit], isJoined }
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
  return { first, second, amount: second.last - first.first, sizeOf: unit => (STEPS.has(unit) ? 1 : undefined) }
}

/** By so many of its last digits a figure may be off: both ends may be counted, and it may be cut off. */
const SLACK = 1.5

function check(assertion: Assertion): Outcome {
  const { manner, quote } = assertion
  const [kind, printed, unit] = manner.split(' ')
  const [from = '', to = ''] = assertion.subjects
  const figures = figuresAs(assertion, 'span')
  const [first, last, amount] = [figures[0], figures.at(-1), Number(printed)]
  if (first === undefined || last === undefined) return UNCHECKED
  const sizeOf = ({ unit: own }: Quantity): number => (unit === 'below' ? (MINUTES[own ?? ''] ?? 1) : Number(unit))
  const stated = figures.reduce((sum, { quantity }) => sum + quantity.value * sizeOf(quantity), 0)
  const hedge = first.quantity.hedge === null ? 0 : 0.15 * amount
  const slack = SLACK * 10 ** -last.quantity.decimals * sizeOf(last.quantity) + hedge
  // Nobody says how many days lie between two times of day.
  const days = kind === 'joined' ? [0, 1440, 2880] : [0]
  if (days.some(more => Math.abs(stated - amount - more) <= slack)) return confirmed(`${from} – ${to}`)
  // "33 min of training and 9 min of loading" is part of it.
  const isWhole = /i\.e\.|即|共/.test(quote) || has(quote, 'total', 'duration')
  if (unit === 'below' && stated < amount && !isWhole) return UNCHECKED
  const clock = `${Math.floor(amount / 60)} h ${Math.round(amount % 60)} min`
  const single = String(Number((amount / sizeOf(last.quantity)).toFixed(Math.max(0, last.quantity.decimals))))
  const params = { quote, from, to, expected: figures.length > 1 ? clock : single, found: first.text }
  const severity = kind === 'joined' ? 'error' : 'warning'
  return refute('timeline', first.offset, say('audit.time-span', params), { severity })
}

export const span: Relation = { names: ['span'], inStatement, check }

import { exactly, hull, type NumberRange, printedRange } from '../../stats/rounding.js'
import type { Span } from './markdown.js'
import { everyMatch } from './matches.js'

/**
 * Numbers in prose, as their author printed them: value, rounding interval, unit, hedges and bounds. A number that is
 * part of a name (`Qwen3-8B`, `rce_epoch5.pt`), of a step ("Step 40") or of a date is none. One pass, and no pattern
 * looks further than a few characters around a number, so a hostile line costs no more than a long one.
 */
export interface Quantity extends Stretch {
  /** As printed; of a printed range the middle. */
  readonly value: number
  /** All that the printed figure can stand for. */
  readonly range: NumberRange
  /** "205–220": both ends as printed. */
  readonly ends: readonly [number, number] | null
  readonly decimals: number
  readonly unit: Unit | null
  /** Printed with a sign of its own: it is a change rather than a level. */
  readonly signed: boolean
  readonly plusMinus: boolean
  /** "about", "~" widen what may be meant; "(estimated)" says that nobody measured it. */
  readonly hedge: 'about' | 'estimated' | null
  /** "< 4 %", "at least 3". */
  readonly bound: 'below' | 'above' | null
}

/** Where in the text that was read. */
export type Stretch = Span

/** "Step 40", "Epoch 21-50", "第 3 轮": a place on the axis, not an amount. */
export interface StepMark extends Stretch {
  readonly first: number
  readonly last: number
}

/** A day, or a moment where the text tells one; UTC, because a report has one clock. */
interface DateMark extends Stretch {
  /** Milliseconds of its beginning. */
  readonly time: number
  /** How long what was printed lasts: a day, a minute or a second. */
  readonly length: number
}

/** "08:14": a time of day, in minutes. */
interface ClockMark extends Stretch {
  readonly minutes: number
}

export interface Tokens {
  readonly quantities: readonly Quantity[]
  readonly steps: readonly StepMark[]
  readonly dates: readonly DateMark[]
  readonly clocks: readonly ClockMark[]
}

const NUMBER = String.raw`\d{1,3}(?:,\d{3})+(?:\.\d+)?(?!\d)|\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|\.\d+`
const DASH = String.raw`[-–—~～…]|\.\.\.?|到|至|\bto\b`

/** Numbers that name a thing instead of measuring one: "Shot 2", 方案 3, "GPU 3", "2-shot". */
const LABEL = String.raw`(?<![A-Za-z])(?:shots?|shot_num|beam|run|phase|stage|round|task|experiment|exp|table|figure|fig|section|seed|rank|level|option|bug|issue|version)[ _#=]{1,2}\d{1,6}(?:\.\d{1,3})?(?!\d|\.\d|\s?%|,\d{3})|(?<![A-Za-z])gpu[ _#=]{1,2}\d{1,4}(?!\d|\.\d|\s?%)|(?:方案|实验|阶段|节点|图|表|(?<![单每])卡|版本|案例|样例|问题|步骤)\s?#?\d{1,6}(?:\.\d{1,3})?(?:\s?\+\s?(?:方案\s?)?\d{1,3})?(?!\d|\.\d|\s?%)|(?<![\d.])\d{1,3}[- ]?shots?(?![a-z])`

/** The name of a commit or of a file's content, however many digits it begins with. */
const HASH = String.raw`(?<![\w.])(?=\d*[a-f])[\da-f]{7,}(?!\w|[+-]\d)`

/**
 * Alternatives in order: what is earlier takes the digits away from what is later. Groups by number, see
 * `GROUP`: named ones would make an object for each word of the text.
 */
const TOKEN = new RegExp(
  [
    String.raw`((?<!\d)20\d{6}[_T-]\d{6}(?!\d)|(?<!\d)(?:19|20)\d{2}(?:-\d{1,2}-|\/\d{1,2}\/|\.\d{1,2}\.|年\d{1,2}月)\d{1,2}日?(?:[ T]\d{1,2}:\d{2}(?::\d{2})?)?(?!\d))`,
    String.raw`((?<!\d:|[\d.])(?:[01]?\d|2[0-3]):[0-5]\d(?::[0-5]\d)?(?![\d:]))`,
    LABEL,
    String.raw`((?<!(?:per|every|each) )(?:steps?|epochs?|iterations?|iters?|ckpt|checkpoint)[ _#:]{0,2}(\d{1,3}(?:,\d{3})+|\d{1,9})(?!\.?\d|,\d{3}|\s?步)(?:\s?(?:${DASH})\s?(?:steps?|epochs?)?\s?(\d{1,9})(?!\.?\d))?|第\s?(\d{1,3}(?:,\d{3})+|\d{1,9})(?:\s?(?:${DASH})\s?(\d{1,9}))?\s?(?:步|轮|个\s?epoch|epoch|step))`,
    String.raw`(?:(?!\/\d)[A-Za-z_\/\\@#](?:(?!20\d{6}[_T-]\d{6})[\w.\/\\@-])*|(?<![\d.])\d+(?:\.\d+){2,})`,
    HASH,
    String.raw`((?:([+\-±]|\+\/-)\s?)?(?!\d{1,2}:\d{2}(?!\d))(?:${NUMBER}))`,
  ].join('|'),
  'gi',
)
const GROUP = { date: 1, clock: 2, step: 3, first: [4, 6], last: [5, 7], number: 8, sign: 9 } as const

/** What stands right before a number: what bounds it, and what says that it is no exact one. */
const BELOW =
  /(?:<(?![-=])|≤|(?<!不)(?:小于|低于|少于)|不到|不超过|不高于|不大于|以内的?|less than|fewer than|below|under|at most|no more than|within|up to)\s?$/i
const ABOVE =
  /(?:(?<![-=])>|≥|(?<!不)(?:大于|高于|超过|多于)|至少|不少于|不低于|不小于|more than|above|over|at least|no less than|exceeds?)\s?$/i
const ABOUT =
  /(?:[~≈≃∼约]|大约|大概|约为|接近|将近|about|around|roughly|approximately|approx\.?|circa|nearly|almost|some)\s?$/i
/** And right behind it. */
const ABOUT_BEHIND = /^\s?(?:左右|上下|前后|or so\b)/
const ESTIMATED_BEHIND = /^\s?\((?:估计值?|估算值?|预估值?|推测值?|est\.?|estimated?)\)|^\s?\(?(?:估计|estimated)\b/i
/** What is said before a number ends with a letter, `<`, `>`, `~` or the point of "approx."; most signs end nothing. */
const SAYS_NOTHING = /^$|[!-\-/-;=?@[-`{-}] *$/
/** How far around a number its context is looked for. */
const CONTEXT = 24

/** Most cells are one number and nothing else. */
const BARE_FIGURE = /^([+-])?\d{1,9}(?:\.\d{1,9})?%?$/

/** `text` must have its full-width forms replaced (see plain.ts): lengths stay the same. */
export function readTokens(text: string): Tokens {
  if (!/\d/.test(text)) return NO_TOKENS
  const bare = BARE_FIGURE.exec(text)
  if (bare !== null) return { ...NO_TOKENS, quantities: [quantityAt(text, 0, text.replace('%', ''), bare[1])] }
  const quantities: Quantity[] = []
  const steps: StepMark[] = []
  const dates: DateMark[] = []
  const clocks: ClockMark[] = []
  TOKEN.lastIndex = 0
  for (let match = TOKEN.exec(text); match !== null; match = TOKEN.exec(text)) {
    const from = match.index
    if (match[GROUP.number] !== undefined) {
      const quantity = quantityAt(text, from, match[0], match[GROUP.sign])
      // 1e999 is no number that anybody measured.
      if (Number.isFinite(quantity.range.low) && Number.isFinite(quantity.range.high)) quantities.push(quantity)
      TOKEN.lastIndex = Math.max(quantity.to, from + 1)
    } else if (match[GROUP.step] !== undefined) steps.push(stepAt(match, from, TOKEN.lastIndex))
    else {
      const { [GROUP.date]: date, [GROUP.clock]: clock } = match
      if (date !== undefined) dates.push(...dateAt(date, from))
      else if (clock !== undefined) clocks.push(clockAt(clock, from))
    }
  }
  return { quantities, steps, dates, clocks }
}

/** Shared, because a long report has millions of cells and most hold one number. */
const NO_TOKENS: Tokens = { quantities: [], steps: [], dates: [], clocks: [] }

function clockAt(text: string, from: number): ClockMark {
  const [hour = 0, minute = 0, second = 0] = text.split(':').map(Number)
  return { from, to: from + text.length, minutes: hour * 60 + minute + second / 60 }
}

function stepAt(match: readonly (string | undefined)[], from: number, to: number): StepMark {
  const first = numberOf(match[GROUP.first[0]] ?? match[GROUP.first[1]] ?? '')
  const last = match[GROUP.last[0]] ?? match[GROUP.last[1]]
  return { from, to, first, last: last === undefined ? first : Number(last) }
}

function dateAt(text: string, from: number): DateMark[] {
  const [year = 0, month = 0, day = 0, hour, minute, second] = text.match(/^\d{4}|\d{1,2}/g)?.map(Number) ?? []
  if (month < 1 || month > 12 || day < 1 || day > 31) return []
  const time = Date.UTC(year, month - 1, day, hour ?? 0, minute ?? 0, second ?? 0)
  const length = hour === undefined ? 86_400_000 : second === undefined ? 60_000 : 1_000
  return [{ from, to: from + text.length, time, length }]
}

function quantityAt(text: string, from: number, printed: string, sign: string | undefined): Quantity {
  const before = text.slice(Math.max(0, from - CONTEXT), from)
  const isRangeDash = sign === '-' && /[\d%A-Za-z]$/.test(before)
  const digits = sign === undefined ? printed : printed.replace(/^(?:[+\-±]|\+\/-)\s?|^\s/, '')
  const start = from + printed.length - digits.length
  const suffix = SUFFIX.exec(text.slice(start + digits.length, start + digits.length + 3))?.[0] ?? ''
  const afterFirst = start + digits.length + suffix.length
  const second = /(?:从|由|自|(?<![a-z])from)\s?[^\d,，;；。]{0,16}$/i.test(before)
    ? null
    : secondEnd(text, afterFirst, digits)
  const power = POWERS.get(suffix) ?? 0
  const value = numberOf(digits) * 10 ** power * (sign === '-' && !isRangeDash ? -1 : 1)
  const decimals = decimalsOf(digits) - power
  const last = second?.to ?? afterFirst
  const unit = unitAt(text, last)
  const end = last + (unit?.length ?? 0)
  const range = printedRange(value, decimals)
  const { hedge, bound } = contextOf(before, text.slice(end, end + CONTEXT))
  return {
    from: isRangeDash ? start : from + (printed.length - printed.trimStart().length),
    to: end,
    value: second === null ? value : (value + second.value) / 2,
    range: second === null ? range : hull([range.low, range.high, second.range.low, second.range.high]),
    ends: second === null ? null : [value, second.value],
    decimals,
    unit: unit?.unit ?? (/(?<![a-z])factor of\s?$/i.test(before) ? 'times' : null),
    signed: sign !== undefined && !isRangeDash,
    plusMinus: sign === '±' || sign === '+/-',
    hedge,
    bound,
  }
}

function contextOf(before: string, behind: string): Pick<Quantity, 'hedge' | 'bound'> {
  const isSaid = !SAYS_NOTHING.test(before)
  const isAbout = (isSaid && ABOUT.test(before)) || ABOUT_BEHIND.test(behind)
  return {
    hedge: ESTIMATED_BEHIND.test(behind) ? 'estimated' : isAbout ? 'about' : null,
    bound: isSaid && BELOW.test(before) ? 'below' : isSaid && ABOVE.test(before) ? 'above' : null,
  }
}

const WORD_AMOUNT =
  /(?<![A-Za-z])(?:(two|three|four|five|six|seven|eight|nine|ten)(?:\s|-)(?:times|fold)|(twice))(?![A-Za-z])|([两二三四五六七八九十])倍/gi
const NUMBER_WORDS: ReadonlyMap<string, number> = new Map([
  ...'one two three four five six seven eight nine ten'.split(' ').map((word, i) => [word, i + 1] as const),
  ...[...'一二三四五六七八九十'].map((word, i) => [word, i + 1] as const),
  ['twice', 2],
  ['两', 2],
])

/** As `readTokens`, amounts in words included: "twice", "eight times", 三倍. */
export function readProse(text: string): Tokens {
  const tokens = readTokens(text)
  const spelt = everyMatch(text, WORD_AMOUNT).map(({ index: from, 0: words, 1: times, 2: twice, 3: han }) => {
    const value = NUMBER_WORDS.get((times ?? twice ?? han ?? '').toLowerCase()) ?? 0
    const to = from + words.length
    const context = contextOf(text.slice(Math.max(0, from - CONTEXT), from), text.slice(to, to + CONTEXT))
    return { from, to, value, range: exactly(value), unit: 'times', ...UNSIGNED, ...context } as const
  })
  if (spelt.length === 0) return tokens
  return { ...tokens, quantities: [...tokens.quantities, ...spelt].sort((a, b) => a.from - b.from) }
}

const UNSIGNED = { ends: null, decimals: 0, signed: false, plusMinus: false } as const

/** A whole number that is no figure of its own in the text: a step, or one in words. */
export function countAt({ from, to }: Stretch, value: number): Quantity {
  return { from, to, value, range: exactly(value), unit: null, hedge: null, bound: null, ...UNSIGNED }
}

/** 500k, 1.5M, 3万: the suffix belongs to the figure. "4B" is a size of models, and stays a unit. */
const SUFFIX = /^(?:[kKM](?![A-Za-z])|[万亿])/
const POWERS: ReadonlyMap<string, number> = new Map(Object.entries({ k: 3, K: 3, M: 6, 万: 4, 亿: 8 }))

/** The other end of "205-220", "3.1–3.2", "-0.0002 到 -0.0009", "10% to 12%". */
const SECOND = new RegExp(
  String.raw`^\s?%?\s?(?:${DASH})\s?([+-]?(?:${NUMBER}))(?!\d|\.\d)([kKM](?![A-Za-z])|[万亿])?`,
  'i',
)

function secondEnd(text: string, at: number, first: string): Pick<Quantity, 'value' | 'range' | 'to'> | null {
  const [found, digits = '', suffix = ''] = SECOND.exec(text.slice(at, at + 40)) ?? []
  if (found === undefined) return null
  const power = POWERS.get(suffix) ?? 0
  const value = numberOf(digits) * 10 ** power
  // "0.84 to 0.31" is no range but a way down.
  if (value >= 0 && value < numberOf(first) && /[a-z到至]/i.test(found)) return null
  // "From 0.806 at 0 to 0.778 at 0.2": 0 and 0.778 are of two kinds.
  if (decimalsOf(first) === 0 && decimalsOf(digits) > 1 && /[a-z到至]/i.test(found)) return null
  return { value, range: printedRange(value, decimalsOf(digits) - power), to: at + found.length }
}

function numberOf(digits: string): number {
  return Number(digits.includes(',') ? digits.replaceAll(',', '') : digits)
}

/** `toFixed` knows a hundred; what is printed with more is no measurement. */
const MOST_DECIMALS = 80

/** Digits behind the point; an exponent moves the point: 5.0e-6 has seven, 3.1e5 minus four. */
function decimalsOf(digits: string): number {
  const exponent = Math.max(digits.indexOf('e'), digits.indexOf('E'))
  const point = digits.indexOf('.')
  const behind = point < 0 ? 0 : (exponent < 0 ? digits.length : exponent) - point - 1
  return Math.min(MOST_DECIMALS, exponent < 0 ? behind : behind - Number(digits.slice(exponent + 1)))
}

const UNITS = [
  [/^\s?%/, '%'],
  [/^\s?(?:个百分点|百分点|个点|pp\b|ppt\b|percentage points?\b|points?\b|pts?\b|分(?![钟类数布之段级析]))/i, 'points'],
  [/^\s?percent\b/i, '%'],
  [/^\s?(?:tokens?|tok)\s?\/\s?s(?:\b|ec)/i, 'token/s'],
  [/^\s?(?:个\s?)?(?:tokens?|toks?)\b/i, 'token'],
  [/^\s?(?:秒|seconds?\b|secs?\b|s\b)/i, 's'],
  [/^\s?(?:分钟|minutes?\b|mins?\b)/i, 'min'],
  [/^\s?(?:小时|卡时|hours?\b|hrs?\b|h\b|h(?=\d{1,2}\s?m(?:in)?\b))/i, 'h'],
  [/^\s?(?:天|days?\b)/i, 'd'],
  [/^\s?(?:个\s?)?(?:步|(?:steps?|iters?|iterations?)\b(?!\s?\d))/i, 'step'],
  [/^\s?(?:个\s?)?(?:轮|epochs?\b(?!\s?\d))/i, 'epoch'],
  [/^\s?(?:个\s?)?(?:样本|题|samples?\b|prompts?\b|questions?\b|problems?\b|examples?\b|items?\b)/i, 'sample'],
  [/^\s?(?:倍|times\b|-?fold\b|[x×](?!\w|\s?\d|\s?(?:[a-z]{1,4}-?\d{2,}|gpus?|nvidia|rtx|tpus?)(?![a-z])))/i, 'times'],
  [/^\s?(?:个|次|条|项|种|张|GB\b|MB\b|B\b|ms\b)/, 'other'],
] as const

/** What a number counts or measures, by the words right behind it. */
type Unit = (typeof UNITS)[number][1]

/** How far behind a number its unit is looked for. */
const LONGEST_UNIT = 24

const HOURS = /\d\s?(?:小时|h|hours?|hrs?)\s?\d{1,2}$/i

/** Signs and digits with which no unit begins. */
const NO_WORD = /^(?!-fold) ?[!-$&-?[-`{-}]/

function unitAt(text: string, at: number): { readonly unit: Unit; readonly length: number } | null {
  if (at >= text.length) return null
  const behind = text.slice(at, at + LONGEST_UNIT)
  if (NO_WORD.test(behind)) return null
  // "2h15m", 6 小时 35 分: behind hours they are minutes.
  const minutes = /^\s?(?:分(?!钟)|m(?![a-z]))/i.exec(behind)
  if (minutes !== null && HOURS.test(text.slice(Math.max(0, at - 12), at)))
    return { unit: 'min', length: minutes[0].length }
  for (const [pattern, unit] of UNITS) {
    const found = pattern.exec(behind)
    if (found !== null) return { unit, length: found[0].length }
  }
  return null
}

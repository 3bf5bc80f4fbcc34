import type { Statement } from '../../logs/document/document.js'
import type { Quantity, Stretch } from '../../logs/document/quantity.js'
import { memoOfLast } from '../../logs/model/util/memo.js'
import { places, words } from '../lexicon.js'
import { isDenied } from '../stance.js'

/**
 * Two levels of one thing in one sentence: `a → b`, "from a to b", "b, up from a", 从 a 降至 b, "a vs b". Nothing may stand
 * between them but that; what is said of the pair (an amount, a verb, "doubled") must touch it, with no other words than
 * those listed here. A form with one word more is not read, because that word may make it something else.
 */
export interface LevelPair {
  readonly from: Quantity
  readonly to: Quantity
  /** Of two that are compared nobody knows which is the base. */
  readonly joint: 'change' | 'versus'
  readonly amounts: readonly Quantity[]
  readonly verb: DirectionWord | null
  /** "doubled", 减半: a factor in one word. */
  readonly factor: FactorWord | null
}

export interface DirectionWord extends Stretch {
  readonly text: string
  readonly sense: 'up' | 'down'
}

export interface FactorWord extends Stretch {
  readonly text: string
  readonly value: number
}

export const levelPairsIn = memoOfLast((statement: Statement): readonly LevelPair[] => {
  const { text, kind } = statement
  const figures = statement.quantities.filter(({ plusMinus }) => !plusMinus)
  if (kind === 'code' || figures.length < 2) return []
  return figures.flatMap((first, i) => {
    const second = figures[i + 1]
    const joined = second === undefined ? null : jointOf(text, first, second)
    if (second === undefined || joined === null || isChain(text, figures, i)) return []
    const [from, to] = joined.isTurned ? [second, first] : [first, second]
    if (!areLevels(from, to)) return []
    const ahead = amountAhead(text, figures[i - 1], first)
    const behind = amountsBehind(text, figures.slice(i + 2), second)
    const amounts = [...(ahead === null ? [] : [ahead]), ...behind]
    if (joined.needsAmount && amounts.length === 0) return []
    const before = leadOf(text, ahead ?? first)
    const verb = joined.joint === 'versus' ? null : (joined.verb ?? verbAhead(text, before))
    return [{ from, to, joint: joined.joint, amounts, verb, factor: factorBeside(text, before, second) }]
  })
})

interface Joint {
  readonly joint: LevelPair['joint']
  /** The later level is printed first: "52 %, up from 40 %". */
  readonly isTurned: boolean
  readonly needsAmount: boolean
  readonly verb: DirectionWord | null
}

const ARROW = /^\s*(?:→|⟶|➜|➔|⇒|-{1,2}>|=>)\s*$/
const VERSUS = /^\s*vs\.?\s*$/i
const UP_FROM = /^\s*[,，(（]?\s*(up|down)\s+from\s*$/i
const BARE_FROM = /^\s*from\s*$/i
/** What is counted may stand behind the first figure and again behind the second. */
const NOUN = String.raw`(?:\s?[A-Za-z]{2,12})?`
const TO = new RegExp(String.raw`^${NOUN}\s*to\s*$`, 'i')
const FROM = /(?<![a-z])from\s+(?:about\s+|an?\s+)?$/i
/** 下降到 Beam 5 的 …: whose level it is may stand before the second. */
const HAN_TO = new RegExp(
  String.raw`^${NOUN}\s*(?:大幅|逐步|小幅|快速|显著|略微|进一步|骤|陡|稍)?(\p{Script=Han}{0,3}?)[到至为]\s*(?:[^,，。;；:：()（）]{1,14}的)?\s*$`,
  'u',
)
const HAN_FROM = /[从由自]\s*(?:约|大约)?\s*$/

/** How two neighbouring figures are joined; null where they are not. */
function jointOf(text: string, first: Quantity, second: Quantity): Joint | null {
  // "0.41 ± 0.02 → 0.52 ± 0.03": the spread belongs to its level.
  const between = text.slice(first.to, second.from).replace(/(?:±|\+\/-)\s?[\d.]+\s?%?/, '')
  const before = text.slice(Math.max(0, first.from - 12), first.from)
  const change = { joint: 'change', isTurned: false, needsAmount: false, verb: null } as const
  if (ARROW.test(between)) return change
  if (VERSUS.test(between)) return { ...change, joint: 'versus', needsAmount: true }
  const [, turned] = UP_FROM.exec(between) ?? []
  const at = first.to + Math.max(0, between.search(/up|down/i))
  if (turned !== undefined) {
    const sense = turned.toLowerCase() === 'up' ? 'up' : 'down'
    return { ...change, isTurned: true, verb: { text: turned, sense, from: at, to: at + turned.length } }
  }
  if (BARE_FROM.test(between)) return { ...change, isTurned: true, needsAmount: true }
  if (TO.test(between) && FROM.test(before)) return change
  const [whole, stem = ''] = HAN_TO.exec(between) ?? []
  if (whole === undefined) return null
  const sense = senseOf(stem)
  if (sense === null) return stem === '' && HAN_FROM.test(before) ? change : null
  const from = first.to + between.indexOf(stem)
  return { ...change, verb: { text: stem, sense, from, to: from + stem.length } }
}

/** The Chinese verbs that take two levels, by their stem. */
const RISES = /^(?:上?升|[增涨加]|上涨|增加|增长|增大|升高|攀升|提升|提高|飙升|回升|扩大)$/
const FALLS = /^(?:下?降|[跌减]|下跌|降低|减少|减小|下滑|回落|骤降|缩短|缩小|跌落|衰减|压缩)$/
const senseOf = (stem: string): 'up' | 'down' | null => (RISES.test(stem) ? 'up' : FALLS.test(stem) ? 'down' : null)

/** Levels of one unit, printed as such: no ranges, no bounds, and signs on both or on none. */
function areLevels(from: Quantity, to: Quantity): boolean {
  const isLevel = ({ ends, bound, hedge }: Quantity): boolean =>
    ends === null && bound === null && hedge !== 'estimated'
  const isSigned = (one: Quantity): boolean => one.signed && one.value > 0
  const areAlike = from.unit === to.unit || (from.unit === null && to.unit !== 'times')
  return isLevel(from) && isLevel(to) && areAlike && isSigned(from) === isSigned(to) && from.unit !== 'times'
}

/** "a → b → c" has more than two levels. */
function isChain(text: string, figures: readonly Quantity[], i: number): boolean {
  const [before, first, second, behind] = [figures[i - 1], figures[i], figures[i + 1], figures[i + 2]]
  const isJoined = (a: Quantity | undefined, b: Quantity | undefined): boolean =>
    a !== undefined && b !== undefined && /→|⟶|->|=>|(?<![a-z])(?:to|vs)(?![a-z])|[到至]/.test(text.slice(a.to, b.from))
  return isJoined(before, first) || isJoined(second, behind)
}

/** Words that say nothing but that something changed, and how it is counted. */
const CHANGES =
  'relative(?:ly)?|rel\\.?|absolute|abs\\.?|improvements?|improved|gains?|gained|drop(?:ped)?|increased?|decreased?|reductions?|reduced|rises?|rose|falls?|fell|declined?|lift|jump(?:ed)?|change|delta|difference|net|up|down|faster|slower|higher|lower|more|less|fewer|better|worse|speed-?up|提升|提高|下降|降低|增加|减少|增长|上升|上涨|降幅|增幅|涨幅|改善|变化|相对|绝对|加速|缩短|减小|增大|升高|回落|下跌|幅度|loss of'
const FILLERS = 'by|an?|of|about|overall|in total|total|i\\.e\\.|or|and|just|only|了|约|达|共|即|高达|仅|、'
const QUIET = new RegExp(`^(?:\\s|[(（,，=:：/Δ∆↑↓▲▼⬆⬇~≈*]|(?<![A-Za-z])(?:${CHANGES}|${FILLERS})(?![A-Za-z]))*$`, 'i')
const CHANGE_WORD = new RegExp(`(?<![A-Za-z])(?:${CHANGES})(?![A-Za-z])|[Δ∆↑↓▲▼⬆⬇]`, 'i')
/** What ends an amount: the bracket, a stop, or the end. */
const CLOSED = new RegExp(
  `^(?:\\s|(?<![A-Za-z])(?:${CHANGES}|overall|in total)(?![A-Za-z])|[↑↓▲▼⬆⬇*])*(?:[)）,，;；。!！]|\\.(?!\\d)|$)`,
  'i',
)
const FARTHEST = 40

/** "a → b (+12 %)", "= +7 %", ", a drop of 3 points", "(Δ +0.08, +17 %)". */
function amountsBehind(text: string, others: readonly Quantity[], level: Quantity): readonly Quantity[] {
  const found: Quantity[] = []
  let at = spreadEnd(text, level.to)
  for (const one of others.slice(0, 2)) {
    const gap = text.slice(at, one.from)
    const isTouching = gap.length <= FARTHEST && QUIET.test(withoutNoun(gap)) && /[(（,，=:：]/.test(gap)
    if (!isTouching || !CLOSED.test(text.slice(one.to, one.to + FARTHEST)) || one.ends !== null) break
    // "…, +3" behind a comma may begin something new; in brackets or behind "=" it is said of the pair.
    const isTold =
      one.signed ||
      CHANGE_WORD.test(gap) ||
      /(?<![a-z])by\s+$/i.test(gap) ||
      CHANGE_WORD.test(text.slice(one.to, one.to + 16))
    if (one.unit !== 'times' && !isTold) break
    found.push(one)
    at = one.to
  }
  return found
}

const spreadEnd = (text: string, at: number): number =>
  at + (/^\s*(?:±|\+\/-)\s?[\d.]+\s?%?/.exec(text.slice(at))?.[0].length ?? 0)

/** "1894 queries 增加到 2809 queries（+48%）": what is counted. */
const withoutNoun = (gap: string): string => gap.replace(/^\s?[A-Za-z]{2,12}(?=\s?[(（,，=])/, '')

/** "58 % drop (0.83 → 0.52)", 提升 12%（50 → 56）, "fell 12 % from 50 to 44". */
function amountAhead(text: string, amount: Quantity | undefined, first: Quantity): Quantity | null {
  if (amount === undefined || amount.ends !== null) return null
  const gap = text.slice(amount.to, first.from)
  const bare = gap.replace(/(?:(?<![a-z])from|[从由])\s*$/i, '')
  const isTouching = gap.length <= FARTHEST && QUIET.test(bare) && (bare !== gap || /[(（]\s*$/.test(gap))
  const before = text.slice(Math.max(0, amount.from - 14), amount.from)
  const isAfterWord = ENDS_IN_CHANGE.test(before) || /(?<![a-z])by\s+$/i.test(before)
  // "Run 2 falls from a to b": a bare number is a name unless a word for the change stands before it.
  const isNumber = amount.unit === null && !amount.signed
  const isTold = isAfterWord || (!isNumber && (amount.signed || amount.unit === 'times' || CHANGE_WORD.test(bare)))
  return isTouching && isTold ? amount : null
}

const ENDS_IN_CHANGE = new RegExp(`(?:(?<![A-Za-z])(?:${CHANGES}))\\s*(?:of|by|了|约|达)?\\s*$`, 'i')

/** Where the words right before a pair end: behind them stands only what opens it. */
function leadOf(text: string, { from }: Quantity): number {
  const near = text.slice(Math.max(0, from - FARTHEST), from).trimEnd()
  const bare = near.replace(/[~≈约]$/, '').trimEnd()
  const opened = bare.replace(/(?:(?<![a-z])(?:from|by)|[从由自])$/i, '').trimEnd()
  const before = opened.replace(/[(（:：,，]$/, '').trimEnd()
  return Math.max(0, from - FARTHEST) + before.length
}

const ADVERB = /\s+(?:[a-z]+ly|again|back|further|slightly)$/i
const FARTHEST_VERB = 24

/** The verb that ends right where the pair begins: "rose (", "dropped sharply from". */
function verbAhead(text: string, end: number): DirectionWord | null {
  const start = Math.max(0, end - FARTHEST_VERB)
  const lead = text.slice(start, end).replace(ADVERB, '')
  const found = places(lead, 'up', 'down').find(({ to }) => to === lead.length)
  if (found === undefined || isDenied(text, start + found.from) || NO_VERB.test(found.text)) return null
  const sense = words('up').test(found.text) ? 'up' : 'down'
  return { text: found.text, sense, from: start + found.from, to: start + found.to }
}

/** A comparative holds one thing against another; "cut" and "drop" may be what is set. */
const NO_VERB = /^(?:higher|lower|cuts?|drops?|up from|down from|[更变].*)$/i

const FACTORS: readonly (readonly [ahead: RegExp, alone: RegExp, value: number])[] = (
  [
    ['doubl(?:ed|es|ing)|翻了?一?[倍番]|加倍', 2],
    ['tripl(?:ed|es|ing)', 3],
    ['halv(?:ed|es|ing)|减半|腰斩', 0.5],
  ] as const
).map(([words, value]) => [new RegExp(`(?:${words})$`, 'i'), new RegExp(`^(?:${words})$`, 'i'), value])

/** "doubled: a → b", "a → b (halved)". */
function factorBeside(text: string, before: number, second: Quantity): FactorWord | null {
  const start = Math.max(0, before - 12)
  const lead = text.slice(start, before)
  const [, word = ''] =
    /^\s*[(（,，]\s*([A-Za-z]{6,8}|\p{Script=Han}{2,4})\s*[)）。.]/u.exec(text.slice(second.to, second.to + 20)) ?? []
  for (const [ahead, alone, value] of FACTORS) {
    const found = ahead.exec(lead)
    if (found !== null && !isDenied(text, start + found.index))
      return { text: found[0], value, from: start + found.index, to: before }
    if (alone.test(word)) {
      const from = text.indexOf(word, second.to)
      return { text: word, value, from, to: from + word.length }
    }
  }
  return null
}

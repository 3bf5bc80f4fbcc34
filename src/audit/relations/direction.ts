import type { Statement } from '../../document/document.js'
import type { Quantity, Stretch } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { areLevel, meets, middle, printedOf } from '../arithmetic.js'
import { type Assertion, confirmed, type Figure, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import { type Frame, framesOf, isBaseIn } from '../binding.js'
import { type Evidence, goalOf } from '../evidence.js'
import { refute } from '../fault.js'
import { adjectives, places, type Sense } from '../lexicon.js'
import { clauseOf, mentionsInText } from '../mentions.js'
import { areHeads } from '../pairs.js'
import { assertionOver, figureOf } from '../read.js'
import { isDenied } from '../stance.js'
import { type Levels, levelsIn } from './levels.js'

/**
 * Which way two levels of a sentence lie to each other, by its own words: "rises from a to b", "smaller (a vs b)", "a,
 * slightly above b", "it got slower: a before, b after", "A a, B b: the latter is better". Told only where the sentence
 * leaves no doubt which of the two the word is said of.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.sign-contradicted': { en: '“{quote}”: from {from} to {to} is {expected}, not {found}; write the other word, or change the figures', zh: '“{quote}”：{from} 到 {to} 是{expected}，不是“{found}”；应改用词或改数字' },
  'audit.figures-opposed': { en: '“{quote}”: {to} against {from} is {expected}, not {found}; change the word, or the figures', zh: '“{quote}”：{to} 与 {from} 相比是{expected}，不是“{found}”；应改用词或数字' },
})

/** That one level is more or less than the other. */
interface Said {
  readonly subject: Quantity
  readonly against: Quantity
  readonly sense: 'up' | 'down'
  readonly word: string
}

function* inStatement(statement: Statement): Generator<Assertion> {
  for (const levels of levelsIn(statement)) {
    const said = saidOf(statement, levels)
    if (said === null) continue
    const { subject, against, sense, word } = said
    const figures = [figureOf(statement, against, 'from'), figureOf(statement, subject, 'to')]
    yield assertionOver(statement, 'direction', { figures, sense, manner: `${levels.joint} ${word}` })
  }
}

export function saidOf(statement: Statement, levels: Levels): Said | null {
  const { a, b, joint } = levels
  const words = wordsIn(statement, levels)
  const own = joint === 'none' ? words : besideOf(statement.text, levels, words)
  const [word] = own
  const sense = word?.sense ?? null
  if (word === undefined || sense === null || own.some(one => one.sense !== sense)) return null
  const subject = subjectOf(statement.text, levels, own)
  return subject === null ? null : { subject, against: subject === a ? b : a, sense, word: word.text }
}

/** What a change is said of is where it ends, and of two that are compared the first, unless times are told. */
function subjectOf(text: string, levels: Levels, words: readonly Word[]): Quantity | null {
  const { a, b, joint } = levels
  if (joint === 'change') return b
  if (joint === 'order') return a
  if (isFar(a, b) || UNTOLD.test(joint === 'none' ? text : text.slice(words[0]?.from, b.to))) return null
  const later = laterOf(text, a, b)
  if (joint === 'versus') return later ?? a
  return isCourse(text, a, b, words) ? later : namedOf(text, a, b, words)
}

interface Word extends Stretch {
  readonly text: string
  /** Null where it is denied, or nobody knows what is good. */
  readonly sense: 'up' | 'down' | null
  /** A verb says what became of something; a comparative holds one thing against another. */
  readonly isVerb: boolean
}

const UP: readonly Sense[] = ['up', 'larger']
const DOWN: readonly Sense[] = ['down', 'smaller']
const GOOD: readonly Sense[] = ['better', 'faster']
const BAD: readonly Sense[] = ['worse', 'slower']
const COMPARATIVE =
  /er$|^(?:better|worse(?!n)|less|more|fewer|exceed|above|below|ahead|behind|superior|inferior|beat|outperform|underperform|surpass|trail|fell short|falls? short)|^[更较略]|[于如过及]$|^(?:不如|领先|落后|高出|超越|胜|逊)/i
const RATE = /(?<![A-Za-z])rates?(?![A-Za-z])|[率比](?![较如])/i
/** 比 Y 的 4.1 还高 0.3: the bare adjective, where the amount follows. */
const BARE = /(?<=比[^,，。;；]{1,24}的\s?[\d.]{1,8}\s?%?\s?[还要略稍]?)[高低多少大小长短](?=\s?[了出]?\s?\d)/g
const BECAME = /(?<![A-Za-z])(?:got|gets?|bec[ao]mes?) (?:much |slightly )?$/i

function wordsIn({ text, leads, section }: Statement, { a, b }: Levels): readonly Word[] {
  const bare = adjectives(text, BARE)
  const told = [...places(text, ...UP, ...DOWN, ...GOOD, ...BAD), ...bare]
  if (told.length === 0) return []
  const known = goalOf([text.slice(0, a.from), text.slice(a.to, b.from), ...leads, section?.title ?? ''])
  // Of a rate nobody knows whether it should be high.
  const goal = known ?? (a.unit === '%' && !RATE.test(text.slice(0, a.from)) ? 'max' : null)
  return told.map(({ from, to, text: word }): Word => {
    const is = (senses: readonly Sense[]): boolean => places(word, ...senses).length > 0
    const [isUp, isDown, isGood, isBad] = [UP, DOWN, GOOD, BAD].map(is)
    // 超过 is more and better: what is more wins over what is good.
    const isMore = isUp !== isDown ? isUp : goal === null || isGood === isBad ? null : isGood === (goal === 'max')
    // 提高 is said of what is raised, and of what gets better.
    const isRaised = /^提[升高]$/.test(word)
    const isOpen = isRaised ? goal === 'min' : isMore === null
    const sense = isOpen || isDenied(text, from) ? null : isMore || isRaised ? 'up' : 'down'
    return { from, to, text: word, sense, isVerb: !COMPARATIVE.test(word) || BECAME.test(text.slice(0, from)) }
  })
}

/** "The lower the better", "would be", "than expected": no word about these two. */
const UNTOLD =
  /越[低高小大]越|部分|多数|大多|(?:lower|higher|less|more|smaller|larger) is (?:better|worse)|(?<![A-Za-z])(?:if|would|expected|target|budget|limit|threshold|despite|although|though|even|yet|but|however|while|except|most|mostly|some|than (?:before|earlier))(?![A-Za-z])|预期|目标|阈值|上限|尽管|虽然|但|却|反而|而/i
const MOST_APART = 4
const isFar = (a: Quantity, b: Quantity): boolean => Math.max(a.value / b.value, b.value / a.value) > MOST_APART

/** What stands before the first level: its clause; or what is said before a bracket, a colon, or ", from". */
const LEAD = /[^,;。:]{0,48}(?:[(:,]\s*(?:from|从|由|[^,;。:\d]{0,8})\s*)?$/i

/** The end of two levels in brackets: "(0.5 → 0.6)". */
const LAST_PAIR = /\)(?!.*\d.*\))(?<=(?:→|->|vs\.?)[^()]*\))/

/** The words of two joined levels: between them, before them, or before their amount; else the sign of the amount. */
function besideOf(text: string, { a, b, joint, amounts }: Levels, words: readonly Word[]): readonly Word[] {
  const isChange = joint === 'change'
  const ahead = text.slice(Math.max(0, a.from - 80), a.from)
  // What stands before two other levels is said of those.
  const lead = LEAD.exec(ahead.slice(ahead.search(LAST_PAIR) + 1))?.[0] ?? ''
  const [amount] = amounts.filter(({ by }) => by === 'near').map(({ quantity }) => quantity)
  const end = isChange ? (amount?.from ?? b.to) : b.to + 10
  const stretches = [
    [a.to, b.from],
    [a.from - lead.length, a.from],
    [b.to, end],
  ]
  for (const [from = 0, to = 0] of stretches) {
    const own = words.filter(
      one => one.from >= from && one.to <= to && (!isChange || (one.isVerb && one.sense !== null)),
    )
    if (own.length > 0) return own
  }
  const mark = /^\s?\(?\s?([↑↓])/.exec(text.slice(b.to, b.to + 6))?.[1]
  const sign = mark ?? (amount?.signed ? (amount.value > 0 ? '+' : '-') : '')
  if (!isChange || sign === '') return []
  return [{ from: b.to, to: b.to, text: sign, sense: /[↑+]/.test(sign) ? 'up' : 'down', isVerb: true }]
}

export const OLD =
  /(?<![\w-])(?:before|prior|previous(?:ly)?|formerly|originally|was|were|old|last (?:week|month|year|time|round|run)|round one|first round|initial(?:ly)?|baseline)(?![\w-])|之前|此前|以前|原[来先本]|旧|上[周月轮次一]|第一[轮次版]|初始|[\u4e00-\u9fff]前(?=[\s\d为是])/i
export const NEW =
  /(?<![\w-])(?:after|afterwards|now|currently|new|this (?:week|month|year|time|round|run)|round two|second round|final(?:ly)?)(?![\w-])|之后|以后|现在|目前|如今|新|本[周月轮次]|这[周月轮次]|第二[轮次版]|最终|[\u4e00-\u9fff]后(?=[\s\d为是])/i
const PART = /[,;。:()]|(?<![A-Za-z])and(?![A-Za-z])/

/** What belongs to a level: up to the other one, or to where the clause ends. */
function around(text: string, level: Quantity, other: Quantity): string {
  const start = other.to <= level.from ? other.to : 0
  const end = other.from >= level.to ? other.from : text.length
  const [ahead, behind] = [text.slice(start, level.from).split(PART).at(-1), text.slice(level.from, end).split(PART)[0]]
  return `${ahead}${behind}`.toLowerCase()
}

/** "The rate was lowered", "lowering it", 降低学习率: somebody did it to something else. */
const DONE = /(?:^|(?<![A-Za-z])(?:is|are|was|were|been|be|being|with|after|by|via|for) (?:[a-z]+ly )?)$/i
const SAID =
  /^\s?(?:[a-z]+ly|a (?:bit|lot|little)|further|again|slightly|了|得?(?:明显|显著|不少|一点))?\s?(?:$|[,:;.。(—–-]|(?:after|with|in|on|at|from|to|since|over|between)(?![A-Za-z]))/i

/** A verb about the levels themselves. */
function isCourse(text: string, a: Quantity, b: Quantity, words: readonly Word[]): boolean {
  return words.every(({ from, to, isVerb, text: word }) => {
    const isDone = /ing$/i.test(word) || DONE.test(text.slice(0, from)) || !SAID.test(text.slice(to))
    return isVerb && !isDone && (to <= a.from || from >= b.to)
  })
}

/** By words for before and after at the levels; null where they do not tell. */
function laterOf(text: string, a: Quantity, b: Quantity): Quantity | null {
  const ageOf = (one: string): number => Number(NEW.test(one)) - Number(OLD.test(one))
  const [first, second] = [ageOf(around(text, a, b)), ageOf(around(text, b, a))]
  return first === second ? null : second > first ? b : a
}

const LAST_CLAUSE = /[,;。:]\s*(?:so|hence|thus|and|i\.e\.|因此|所以|故|可见|即)?\s*(?:the )?([^,;。:]{2,40})$/i
const REST = /^\s?(?:is|was|are|were|being|的?[\u4e00-\u9fff]{0,5})?\s?(?:[a-z]{2,16}ly|much|far|a bit)?\s?$/i

/** "…: the latter is slower", "A a, B b, so B is more": by its name, which stands at one of the two. */
function namedOf(text: string, a: Quantity, b: Quantity, [word, more]: readonly Word[]): Quantity | null {
  if (word === undefined || more !== undefined || word.from < b.to || word.isVerb) return null
  const name = (LAST_CLAUSE.exec(text.slice(b.to, word.from))?.[1] ?? '').toLowerCase()
  if (/^(?:[前后]者|former|latter)/.test(name)) return /^[前f]/.test(name) ? a : b
  const sharedWith = (one: string): number => {
    let length = name.length
    while (length > 0 && !one.includes(name.slice(0, length))) length -= 1
    return length
  }
  const [first, second] = [sharedWith(around(text, a, b)), sharedWith(around(text, b, a))]
  const longest = Math.max(first, second)
  if (first === second || longest < 2 || !REST.test(name.slice(longest))) return null
  return first > second ? a : b
}

function check(assertion: Assertion, evidence: Evidence): Outcome {
  const { figures, sense, manner, quote, stance } = assertion
  const [from, to] = figures
  const clause = clauseOf(assertion)
  if (from === undefined || to === undefined || clause === null || stance === 'defined') return UNCHECKED
  const [joint, ...words] = manner.split(' ')
  // "1.23, above 1.13" names the bound itself.
  const [a, b] = [from, to].map(({ quantity }) => printedOf({ ...quantity, bound: null }))
  const before = clause.statement.text.slice(0, from.quantity.from).split(words.join(' '))[0] ?? ''
  const ahead = before.split(/[;。]/).at(-1) ?? ''
  const isOther = joint === 'versus' && [before, ahead].every(one => isOfOther(one, from, to, evidence))
  const actual = middle(b) > middle(a) !== isOther ? 'up' : 'down'
  const isHedged = [from, to].some(({ quantity }) => quantity.hedge !== null)
  if (isHedged ? meets(a, b) : areLevel(from.quantity, to.quantity)) return UNCHECKED
  if (actual === sense) return confirmed(`${from.text} → ${to.text}`)
  // Of negative figures the size may be meant.
  if (middle(a) < 0 && middle(b) < 0) return UNCHECKED
  if (joint !== 'change' && areNames(framesOf(clause, evidence), clause.statement.text)) return UNCHECKED
  if (areHeads([from, to], evidence)) return UNCHECKED
  const params = { quote, from: from.text, to: to.text, found: words.join(' '), expected: actual === 'up' ? '↑' : '↓' }
  const message = say(joint === 'change' ? 'audit.sign-contradicted' : 'audit.figures-opposed', params)
  const { text, leads, section } = clause.statement
  // "It improved from 62 % to 58 %": more is better only as a rule.
  const isKnown =
    places(params.found, ...UP, ...DOWN).length > 0 || goalOf([text, ...leads, section?.title ?? '']) !== null
  const severity = isKnown && (joint === 'change' || joint === 'order') ? 'error' : 'warning'
  return refute('sign-contradicted', to.offset, message, { severity, expected: actual })
}

/** "S is smaller (a vs b)": where all lines that hold both figures have b for S, it is said of b. */
function isOfOther(ahead: string, against: Figure, subject: Figure, evidence: Evidence): boolean {
  const lines = evidence.holding(subject.quantity).flatMap(({ line, point }) => {
    const other = line.points.find(one => one !== point && one.quantity.value === against.quantity.value)
    const named = mentionsInText(ahead, line.matrix).flatMap(one =>
      one.axes.length === 1 && !isBaseIn(ahead, one) ? one.axes : [],
    )
    return other === undefined ? [] : [named.includes(other.at) && !named.includes(point.at)]
  })
  return lines.length > 0 && lines.every(isOther => isOther)
}

/** "0.12 is below 0.15": figures that are the names of rows are no figures. */
export function areNames(frames: readonly Frame[], text: string): boolean {
  const names = frames.flatMap(({ subjects, bases }) => [...subjects, ...bases])
  return names.some(({ mention: { from, to } }) => /^[\d.]+$/.test(text.slice(from, to)))
}

export const direction: Relation = { names: ['direction'], inStatement, check }

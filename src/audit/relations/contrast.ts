import type { Statement } from '../../document/document.js'
import type { Quantity } from '../../document/quantity.js'
import { goalOf } from '../evidence.js'
import { places, type Sense } from '../lexicon.js'
import { isDenied } from '../stance.js'
import { alikeIn } from './levels.js'

/**
 * "It got slower: 96 ms before, 128 ms after", "a exceeds the b of the other", "A 5.1, B 4.8: the latter is better": two
 * levels of a sentence and a word for which of them is more. Told only where the sentence leaves no doubt which one the
 * word is said of: by words for before and after, by what stands between them, or by its name.
 */
export interface Contrast {
  /** What the word is said of, and what it is held against. */
  readonly subject: Quantity
  readonly against: Quantity
  readonly sense: 'up' | 'down'
  readonly word: string
}

interface Word {
  readonly from: number
  readonly to: number
  readonly text: string
  readonly sense: 'up' | 'down'
  /** A verb says what became of something; a comparative holds one thing against another. */
  readonly isVerb: boolean
}

const MOST_APART = 4

export function contrastIn(statement: Statement): Contrast | null {
  const { text } = statement
  const { a, b } = alikeIn(statement) ?? {}
  if (a === undefined || b === undefined) return null
  // "72.4 % (below B by 1.5 %)": what is far off is no level.
  if (Math.max(a.value / b.value, b.value / a.value) > MOST_APART) return null
  const found = wordsIn(statement, a, b)
  const [word] = found
  if (word === undefined || found.some(({ sense }) => sense !== word.sense) || UNTOLD.test(text)) return null
  // "Rose less", "fell more slowly".
  if (found.some(({ to }) => /^\s?(?:by )?(?:less|more|slower|faster)(?![A-Za-z])/i.test(text.slice(to)))) return null
  const subject = [joined, courseOf, namedOf].reduce<Quantity | null>(
    (known, read) => known ?? read(text, a, b, found),
    null,
  )
  if (subject === null) return null
  return { subject, against: subject === a ? b : a, sense: word.sense, word: word.text }
}

/** "The lower the better", "would be", "than expected": no word about these two. */
const UNTOLD =
  /越[低高小大]越|(?:lower|higher|less|more|smaller|larger) is (?:better|worse)|(?<![A-Za-z])(?:if|would|expected|target|budget|limit|threshold|despite|although|though|even|yet|but|however|while|whereas|except)(?![A-Za-z])|预期|目标|阈值|上限|尽管|虽然|但|却|反而|而/i

const UP: readonly Sense[] = ['up', 'larger']
const DOWN: readonly Sense[] = ['down', 'smaller']
const GOOD: readonly Sense[] = ['better', 'faster']
const BAD: readonly Sense[] = ['worse', 'slower']
const COMPARATIVE =
  /er$|^(?:better|worse(?!n)|less|more|fewer|exceed|above|below|ahead|behind|short|superior|inferior|beat|outperform|underperform|surpass|trail|fell short|falls? short)|^[更较略]|[于如过及]$|^(?:不如|领先|落后|高出|超越|胜|逊)/i

function wordsIn({ text, leads, section }: Statement, a: Quantity, b: Quantity): readonly Word[] {
  const told = places(text, ...UP, ...DOWN, ...GOOD, ...BAD)
  if (told.length === 0) return []
  const isTime = [a, b].every(one => /[sh时秒天]$|min\w*$|分钟$/.test(text.slice(one.from, one.to)))
  const known = goalOf([text.slice(0, a.from), text.slice(a.to, b.from), ...leads, section?.title ?? ''])
  const goal = known ?? (isTime ? 'min' : null)
  return told.flatMap(({ from, to, text: word }): Word[] => {
    if (isDenied(text, from))
      return [
        { from, to, text: word, sense: 'up', isVerb: true },
        { from, to, text: word, sense: 'down', isVerb: true },
      ]
    const isShort = /^falls? short|^fell short/i.test(text.slice(from, from + 12))
    const is = (senses: readonly Sense[]): boolean => places(word, ...senses).length > 0
    const [isUp, isDown, isGood, isBad] = [UP, DOWN, GOOD, BAD].map(is)
    const isMore = isUp !== isDown ? isUp : goal === null || isGood === isBad ? null : isGood === (goal === 'max')
    // 超过 is more and better: what is more wins over what is good.
    const senses = isMore === null ? (['up', 'down'] as const) : [isMore ? ('up' as const) : ('down' as const)]
    const isVerb =
      (!COMPARATIVE.test(word) && !isShort) ||
      /(?<![A-Za-z])(?:got|gets?|bec[ao]mes?) (?:much |slightly )?$/i.test(text.slice(0, from))
    return senses.map(sense => ({ from, to, text: word, sense, isVerb }))
  })
}

type Reader = (text: string, a: Quantity, b: Quantity, words: readonly Word[]) => Quantity | null

const BREAK = /[,，;；。:：(（]/

/** "Is above", "exceeds"; of what is better only "than the b of": "a rate of 0.1 is better than 0.3" compares settings. */
const MORE_THAN =
  /(?<![A-Za-z])(?:higher|lower|larger|smaller|greater|more|less|longer|shorter) than|above|below|short of|exceed|[高低大小多少长短]于|超[过出]|不及|(?<![A-Za-z])(?:than|beats?|outperforms?|surpasses) the|[优好强差劣弱逊]于|不如/i

/** "a exceeds b", "a, up from b", "a，比 b 更低", "fewer than before (a vs b)": it is said of the first. */
const joined: Reader = (text, a, b, words) => {
  const between = text.slice(a.to, b.from)
  const inside = words.some(({ from, to, isVerb }) => from >= a.to && to <= b.from && !isVerb)
  // 低于基线 2.0% tells by how much.
  const isLevel = /(?:于|超[过出]|不及|不如|的|(?<![A-Za-z])(?:the|of|than|above|below|exceeds?|at)|['’]s)\s*$/i.test(
    between,
  )
  if (inside && isLevel && !BREAK.test(between) && MORE_THAN.test(between)) return a
  if (/[,，(（]\s*(?:up|down) from[^\d,，;；。]{0,24}$/i.test(between)) return a
  const isThan = /[,，]?\s?(?:比|较)[^\d,，;；。]{0,24}$/.test(between) && !/[;；。]/.test(between)
  if (isThan && words.every(({ from, isVerb }) => from >= b.to && from - b.to < 8 && !isVerb)) return a
  const isVersus =
    /^[^\d,，;；。()（）]{0,24}(?<![A-Za-z])(?:vs\.?|versus|against)(?![A-Za-z])[^\d,，;；。()（）]{0,24}$/i.test(
      between,
    )
  const opening = /[(（]\s*$/.exec(text.slice(0, a.from))?.index
  if (!isVersus || opening === undefined || words.some(({ to, isVerb }) => to > opening || isVerb)) return null
  const last = words.at(-1)
  if (/(?<![A-Za-z])than (?:before|earlier)/i.test(text.slice(last?.to, opening))) return null
  const isSaid = /(?<![A-Za-z])(?:is|are|was|were) (?:\p{L}+ly |much |far )?$/iu.test(text.slice(0, last?.from))
  return isSaid || /^[^,，;；。]{0,24}(?<![A-Za-z])than(?![A-Za-z])/.test(text.slice(last?.to, opening)) ? a : null
}

const OLD =
  /(?<![\w-])(?:before|prior|previous(?:ly)?|formerly|originally|was|were|old|last (?:week|month|year|time|round|run)|round one|first round|initial(?:ly)?|baseline)(?![\w-])|之前|此前|以前|原[来先本]|旧|上[周月轮次一]|第一[轮次版]|初始|\p{Script=Han}前(?=[\s\d为是])/iu
const NEW =
  /(?<![\w-])(?:after|afterwards|now|currently|new|this (?:week|month|year|time|round|run)|round two|second round|final(?:ly)?)(?![\w-])|之后|以后|现在|目前|如今|新|本[周月轮次]|这[周月轮次]|第二[轮次版]|最终|\p{Script=Han}后(?=[\s\d为是])/iu

/** What belongs to a level: up to the other one, or to where the clause ends. */
function around(text: string, level: Quantity, other: Quantity): string {
  const start = other.to <= level.from ? other.to : 0
  const end = other.from >= level.to ? other.from : text.length
  const ahead =
    text
      .slice(start, level.from)
      .split(/[,，;；。:：(（]|(?<![A-Za-z])and(?![A-Za-z])/)
      .at(-1) ?? ''
  return `${ahead}${text.slice(level.from, end).split(/[,，;；。)）]|(?<![A-Za-z])and(?![A-Za-z])/)[0]}`
}

/** "The rate was lowered", "lowering it", 降低学习率: somebody did it to something else. */
const DONE = /(?:^|(?<![A-Za-z])(?:is|are|was|were|been|be|being|with|after|by|via|for) (?:\p{L}+ly )?)$/iu
const SAID =
  /^\s?(?:\p{L}+ly|a (?:bit|lot|little)|further|again|slightly|了|得?(?:明显|显著|不少|一点))?\s?(?:$|[,，:：;；.。(（—–-]|(?:after|with|in|on|at|from|to|since|over|between)(?![A-Za-z]))/iu
const OWN_VERB = /(?<![A-Za-z])(?:is|was|are|were)(?![A-Za-z])|[为是]/i

/** A verb, and words for before and after at the levels: it is said of the later one. */
const courseOf: Reader = (text, a, b, words) => {
  const isSaid = words.every(({ from, to, isVerb, text: word }) => {
    const isDone = /ing$/i.test(word) || DONE.test(text.slice(0, from)) || !SAID.test(text.slice(to))
    return isVerb && !isDone && (from > a.from || !OWN_VERB.test(text.slice(to, a.from)))
  })
  if (!isSaid) return null
  const [first, second] = [around(text, a, b), around(text, b, a)]
  const order = (one: string): number => Number(NEW.test(one)) - Number(OLD.test(one))
  const isMixed = [first, second].some(one => NEW.test(one) && OLD.test(one))
  if (isMixed || order(first) === order(second) || words.some(({ from, to }) => from < b.to && to > a.from)) return null
  return order(second) > order(first) ? b : a
}

const LAST_CLAUSE =
  /[,，;；。:：]\s*(?:so|hence|thus|and|i\.e\.|因此|所以|故|可见|即)?\s*(?:the )?([^,，;；。:：]{2,40})$/i
const REST = /^\s*(?:is|was|are|were|being|的?\p{Script=Han}{0,5})?\s*(?:\p{L}+ly|much|far|a bit)?\s*$/iu

/** "…: the latter is slower", "A a, B b, so B is more": by its name, which stands at one of the two. */
const namedOf: Reader = (text, a, b, words) => {
  const [word, more] = words
  if (word === undefined || more !== undefined || word.from < b.to || word.isVerb) return null
  const name = LAST_CLAUSE.exec(text.slice(b.to, word.from))?.[1] ?? ''
  if (/^(?:前者|former)/i.test(name)) return a
  if (/^(?:后者|latter)/i.test(name)) return b
  const [first, second] = [around(text, a, b), around(text, b, a)].map(one => one.toLowerCase())
  for (let length = name.length; length > 1; length -= 1) {
    const part = name.slice(0, length).trim().toLowerCase()
    if (
      !REST.test(name.slice(length)) ||
      part.length < 2 ||
      (/[a-z\d]$/i.test(part) && /^[a-z\d]/i.test(name.slice(length)))
    )
      continue
    const [inFirst, inSecond] = [first.includes(part), second.includes(part)]
    if (inFirst || inSecond) return inFirst === inSecond ? null : inFirst ? a : b
  }
  return null
}

import type { Statement } from '../../logs/document/document.js'
import type { Quantity, Stretch } from '../../logs/document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { meets, middle, printedOf } from '../arithmetic.js'
import {
  type Assertion,
  type CheckOutcome,
  confirmed,
  type Relation,
  refute,
  type StatedFigure,
  UNCHECKED,
} from '../assertion.js'
import { isBaseIn } from '../binding.js'
import { goalOf, type ReportEvidence } from '../evidence.js'
import { assertionOver, figureOf } from '../extract.js'
import { areHeads } from '../interpretation.js'
import { has, places } from '../lexicon.js'
import { mentionsInText } from '../mentions.js'
import { isDenied } from '../stance.js'
import { type Levels, levelsIn } from './levels.js'

/**
 * Which way two levels of a sentence lie to each other, by its own words: "rises from a to b", "smaller (a vs b)", "a,
 * slightly above b". A change is said of where it ends; of two that are compared, the first is.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.sign-contradicted': { en: '“{quote}”: {to} against {from} is {expected}, not {found}; change the word, or the figures', zh: '“{quote}”：{to} 与 {from} 相比是{expected}，不是“{found}”；应改用词或数字' },
})

interface NameWord extends Stretch {
  readonly text: string
  /** Null where it is denied, or nobody knows what is good. */
  readonly sense: 'up' | 'down' | null
}

function* inStatement(statement: Statement): Generator<Assertion> {
  for (const levels of levelsIn(statement)) {
    const { a, b, joint } = levels
    const words = besideOf(statement, levels)
    const [word] = words
    if (
      joint === 'beside' ||
      word === undefined ||
      word.sense === null ||
      words.some(({ sense }) => sense !== word.sense)
    )
      continue
    const isFar = Math.abs(Math.log(a.value / b.value)) > MOST_APART
    if (joint === 'versus' && (isFar || UNTOLD.test(statement.text.slice(word.from, b.to)))) continue
    const [from, to] = joint === 'change' ? [a, b] : [b, a]
    const figures = [figureOf(statement, from, 'from'), figureOf(statement, to, 'to')]
    const [manner, quantity] = [`${joint}: ${word.text}`, statement.text.slice(0, word.from)]
    yield assertionOver(statement, 'direction', { figures, sense: word.sense, manner, quantity })
  }
}

const MOST_APART = Math.log(4)
/** "The lower the better", "would be", "than expected": no word about these two. */
const UNTOLD =
  /越[低高小大]越|(?:lower|higher|less|more|smaller|larger) is (?:better|worse)|(?<![A-Za-z])(?:if|would|expected|target|limit|despite|although|though|even|yet|but|however|while|except|most|some|before|after|now|earlier)(?![A-Za-z])|预期|目标|阈值|上限|尽管|虽然|但|却|反而|[之此以]前|[之以]后/i

/** A comparative holds one thing against another; only a verb says what became of something. */
const COMPARATIVE =
  /er$|^(?:worse$|less|more|fewer|exceed|above|below|ahead|behind|superior|inferior|beat|trail)|perform|surpass|short|^[更较略]|[于如过及]$/i
/** What stands before the first level: its clause; or what is said before a bracket, a colon, or ", from". */
const LEAD = /[^,;。:]{0,48}(?:[(:,]\s*(?:from|从|由|[^,;。:\d]{0,8})\s*)?$/i

/** The words before, between and right behind two levels; else the sign of their amount. */
function besideOf(statement: Statement, { a, b, joint, amounts }: Levels): readonly NameWord[] {
  const { text, quantities } = statement
  const isChange = joint === 'change'
  // What stands before other figures is said of those.
  const before = quantities.findLast(one => one.to <= a.from && !amounts.includes(one))?.to ?? 0
  const lead = LEAD.exec(text.slice(Math.max(before, a.from - 60), a.from))?.[0] ?? ''
  const amount = amounts.find(one => one.from >= b.to)
  const [start, end] = [a.from - lead.length, isChange ? (amount?.from ?? behindOf(text, b)) : b.to + 10]
  const own = wordsIn(statement, a.from).filter(
    ({ from, to, text: word }) => from >= start && to <= end && !(isChange && COMPARATIVE.test(word)),
  )
  if (own.length > 0 || !isChange || !amount?.signed) return own
  return [{ from: b.to, to: b.to, text: amount.value > 0 ? '+' : '-', sense: amount.value > 0 ? 'up' : 'down' }]
}

/** "14.7 → 13.9, fewer", 变少了: one word behind a comma, and no more. */
const behindOf = (text: string, { to }: Quantity): number =>
  to + (/^\s?,\s?[\p{L}]{2,12}(?=[\s。.;]*$)/u.exec(text.slice(to))?.[0].length ?? 0)

const UP = ['up', 'larger'] as const
const DOWN = ['down', 'smaller'] as const
const GOOD = ['better', 'faster'] as const
const BAD = ['worse', 'slower'] as const

/** That there is a gain does not say of what. */
const goalIn = (texts: readonly string[]): ReturnType<typeof goalOf> =>
  goalOf(texts.map(text => text.replace(/(?<![a-z])gains?(?![a-z])/gi, '')))

function wordsIn({ text, leads, section }: Statement, end: number): readonly NameWord[] {
  const found = places(text, ...UP, ...DOWN, ...GOOD, ...BAD)
  const goal = found.length === 0 ? null : goalIn([text.slice(0, end), text, ...leads, section?.title ?? ''])
  return found.map((word): NameWord => {
    const [isUp, isDown, isGood, isBad] = [UP, DOWN, GOOD, BAD].map(senses => has(word.text, ...senses))
    // 提高 of what should be low says either; 超过 is more and better: what is more wins.
    const isOpen = goal === null || isGood === isBad || (goal === 'min' && /^提[升高]$/.test(word.text))
    const isMore = isUp !== isDown ? isUp : isOpen ? null : isGood === (goal === 'max')
    return { ...word, sense: isMore === null || isDenied(text, word.from) ? null : isMore ? 'up' : 'down' }
  })
}

function check(assertion: Assertion, evidence: ReportEvidence): CheckOutcome {
  const { figures, sense, manner, quote, stance, scope, quantity: ahead } = assertion
  const [from, to] = figures
  if (from === undefined || to === undefined || stance === 'defined') return UNCHECKED
  const [joint, found = ''] = manner.split(': ')
  // "1.23, above 1.13" names the bound itself.
  const rangeOf = ({ quantity }: StatedFigure) => printedOf({ ...quantity, bound: null })
  const [a, b] = [rangeOf(from), rangeOf(to)]
  const isOther = joint === 'versus' && isOfOther(ahead ?? '', from, to, evidence)
  const actual = middle(b) > middle(a) !== isOther ? 'up' : 'down'
  if (actual === sense) return confirmed(`${from.text} → ${to.text}`)
  // Of negative figures the size may be meant.
  if (meets(a, b) || (middle(a) < 0 && middle(b) < 0) || areHeads([from, to], evidence)) return UNCHECKED
  const expected = actual === 'up' ? '↑' : '↓'
  const message = say('audit.sign-contradicted', { quote, from: from.text, to: to.text, found, expected })
  // What is good must be said of these two: a title above may name something else.
  const isSure = has(found, ...UP, ...DOWN) || /^[+-]$/.test(found) || goalIn([scope.statement?.text ?? '']) !== null
  const severity = joint === 'versus' || !isSure ? 'warning' : 'error'
  return refute('sign-contradicted', to.offset, message, { severity, expected: actual })
}

/** "S is smaller (a vs b)": where all lines that hold both figures have b for S, it is said of b. */
function isOfOther(ahead: string, against: StatedFigure, subject: StatedFigure, evidence: ReportEvidence): boolean {
  const lines = evidence.holding(subject.quantity).flatMap(({ line, point }) => {
    const other = line.points.find(one => one !== point && one.quantity.value === against.quantity.value)
    const named = mentionsInText(ahead, line.matrix).flatMap(one => (isBaseIn(ahead, one) ? [] : one.axes))
    return other === undefined ? [] : [named.includes(other.at) && !named.includes(point.at)]
  })
  return lines.length > 0 && lines.every(isOther => isOther)
}

export const direction: Relation = { names: ['direction'], inStatement, check }

import type { Statement } from '../../document/document.js'
import { sentences } from '../../text/sentences.js'
import { meets, middle, printedOf } from '../arithmetic.js'
import { type Assertion, confirmed, type Figure, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import { type Frame, framesOf } from '../binding.js'
import { type Evidence, goalOf } from '../evidence.js'
import { refute } from '../fault.js'
import { places, type Sense } from '../lexicon.js'
import { clauseOf, mentionsInText } from '../mentions.js'
import { assertionIn, figureOf } from '../read.js'
import { isDenied } from '../stance.js'
import { contrastIn } from './contrast.js'
import { type Levels, levelsIn } from './levels.js'

/**
 * Which way two figures of one sentence lie to each other, by its own words: "rises from a to b", "smaller (a vs b)",
 * "a, slightly above b", "a (vs b) → +d". The word, the sign or the arrow must fit the figures.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.sign-contradicted': { en: '“{quote}”: from {from} to {to} is {expected}, not {found}; write the other word, or change the figures', zh: '“{quote}”：{from} 到 {to} 是{expected}，不是“{found}”；应改用词或改数字' },
  'audit.figures-opposed': { en: '“{quote}”: {from} against {to} is {expected}, not {found}; change the word, or the figures', zh: '“{quote}”：{from} 与 {to} 相比是{expected}，不是“{found}”；应改用词或数字' },
})

/** What a sentence says: which way, and whether by a word for the number, a word for what is good, or a sign. */
interface Said {
  readonly sense: 'up' | 'down'
  readonly by: 'word' | 'good' | 'sign'
  readonly text: string
}

/** The one way that the words of a text point; undefined where they point both ways, null where none does. */
function wordIn(text: string, up: readonly Sense[], down: readonly Sense[]): Said | null | undefined {
  const [rise, fall] = [up, down].map(senses =>
    [...places(text, ...senses)].findLast(({ from }) => !isDenied(text, from)),
  )
  if (rise !== undefined && fall !== undefined) return undefined
  if (rise !== undefined) return { sense: 'up', by: 'word', text: rise.text }
  return fall === undefined ? null : { sense: 'down', by: 'word', text: fall.text }
}

function* inStatement(statement: Statement): Generator<Assertion> {
  for (const pair of levelsIn(statement)) {
    const said = saidOf(statement, pair)
    if (said === null) continue
    const { a, b, joint: kind, amounts: [{ quantity: result } = { quantity: null }] } = pair
    const [start, from] = [Math.min(a.from, result?.from ?? a.from), Math.max(0, a.from - 12)]
    const figures = [figureOf(statement, a, 'from'), figureOf(statement, b, 'to')]
    const quantity = statement.text.slice(Math.max(0, start - 40), start)
    const draft = { figures, quantity, sense: said.sense, manner: `${kind} ${said.by} ${said.text}` }
    yield assertionIn(statement, 'direction', { from, to: Math.max(b.to, result?.to ?? b.to) }, draft)
  }
  const contrast = levelsIn(statement).some(({ joint }) => joint === 'change') ? null : contrastIn(statement)
  if (contrast === null) return
  const { subject, against, sense, word } = contrast
  const figures = [figureOf(statement, against, 'from'), figureOf(statement, subject, 'to')]
  const stretch = { from: 0, to: statement.text.length }
  yield assertionIn(statement, 'direction', stretch, { figures, sense, manner: `contrast word ${word}` })
}

export function saidOf(statement: Statement, pair: Levels): Said | null {
  if (pair.joint === 'order') return wordIn(pair.between, ['larger'], ['smaller']) ?? null
  if (pair.joint === 'change') return moveOf(statement, pair)
  return pair.joint === 'versus' ? sideOf(statement, pair) : null
}

const LONGEST_LEAD = 120
/** Between a word for what is good and the bracket: no room for somebody else's name. */
const LONGEST_GAP = 6
const CLAUSE = /(?:[,，;；。:：]|^)([^,，;；。:：]*)$/

function signOf({ amounts }: Levels): Said | null {
  const result = amounts.find(one => one.by === 'near')?.quantity
  if (result === undefined || !result.signed || result.plusMinus || result.value === 0) return null
  return { sense: result.value > 0 ? 'up' : 'down', by: 'sign', text: result.value > 0 ? '+' : '−' }
}

/** Of a change: the word between the figures, right before the first, or before the result; else the sign of the result. */
function moveOf({ text }: Statement, pair: Levels): Said | null {
  const { a, b, between, amounts: [{ quantity: result } = { quantity: null }] } = pair
  const before = text.slice(Math.max(0, a.from - 26), a.from)
  if (/(?<![A-Za-z])(?:never|not|no|without)(?![A-Za-z])|从未|没有|未/i.test(before)) return null
  // ", from a to b": what is said of it stands before the comma.
  const whole = text.slice(Math.max(0, a.from - LONGEST_LEAD), a.from)
  const comma = /[,，]\s*(?:from|从|由)\s*$/i.exec(whole)?.index
  const lead = CLAUSE.exec(comma === undefined ? before : whole.slice(0, comma))?.[1] ?? ''
  // 回复变短：640 → 860: or before a colon.
  const title = /([^,，;；。:：]{1,30})[:：][^,，;；。:：]{0,8}$/.exec(whole)?.[1] ?? ''
  for (const part of [between, lead, result === null ? '' : text.slice(b.to, result.from), title]) {
    const said = wordIn(part, ['up'], ['down'])
    if (said !== null) return said ?? null
    const better = /提升|提高|(?<![a-z])improve[a-z]*/i.exec(part)?.[0]
    if (better !== undefined) return { sense: 'up', by: 'good', text: better }
  }
  const arrow = /^\s?[(（]?\s?([↑↓])/.exec(text.slice(b.to, b.to + 6))?.[1]
  return arrow === undefined ? signOf(pair) : { sense: arrow === '↑' ? 'up' : 'down', by: 'word', text: arrow }
}

const AGAINST = /^\s?[(（]\s?(?:vs|versus|对比|相比)/i
const BARE = /^\s?(?:vs\.?|versus|对比?)\s?$/i
/** What is said of some, or of what is good in general; and "lower than before (a vs b)" may give the earlier one first. */
const SOME = /部分|多数|大多|越|之前|此前|(?<![a-z])(?:most|mostly|some|is better|than (?:before|earlier))(?![a-z])/i

/** Of two that are compared: the sign behind "a (vs b)", or the word before the bracket that holds nothing but both. */
function sideOf({ text }: Statement, pair: Levels): Said | null {
  const { a, b, between, amounts: [{ quantity: result } = { quantity: null }] } = pair
  if (AGAINST.test(between) && (result?.from ?? 0) >= b.to) return signOf(pair)
  const lead =
    /[^\d,，;；。]{0,48}[(（:：,，]?\s?$/.exec(text.slice(Math.max(0, a.from - LONGEST_LEAD), a.from))?.[0] ?? ''
  if (!BARE.test(between) || !/[(（:：,，]\s?$/.test(lead) || SOME.test(lead)) return null
  const plain = wordIn(lead, ['up', 'larger'], ['down', 'smaller'])
  const good = wordIn(lead, ['better'], ['worse'])
  // "A lower rate is better (44.3 vs 44.0)": nobody knows of which the figures are.
  if (plain !== null) return good === null || good?.text === plain?.text ? (plain ?? null) : null
  const isLast = good != null && lead.length - lead.lastIndexOf(good.text) - good.text.length < LONGEST_GAP
  return isLast ? { ...good, by: 'good' } : null
}

/** Quantities of which less is more: time, memory, loss. */
const LESS =
  /time|latency|memory|loss|error|cost|size|usage|时间|耗时|显存|内存|损失|误差|成本|延迟|交叉熵|KL|步时|(?<![A-Za-z])(?:CE|NLL|cross[- ]entropy)(?![A-Za-z])/i

function check(assertion: Assertion, evidence: Evidence): Outcome {
  const { figures, sense, manner, quote, quantity, stance, scope } = assertion
  const [from, to] = figures
  const clause = clauseOf(assertion)
  if (from === undefined || to === undefined || clause === null || stance === 'denied' || stance === 'defined')
    return UNCHECKED
  const { text, leads } = clause.statement
  const [a, b] = [printedOf(from.quantity), printedOf(to.quantity)]
  const [kind, by, ...words] = manner.split(' ')
  const owner = kind === 'versus' ? ownerOf(text, from, to, evidence) : null
  const isRise = middle(b) > middle(a)
  const isMove = kind === 'change' || kind === 'contrast'
  const actual = isRise === (isMove || owner === to) ? 'up' : 'down'
  if (meets(a, b) || owner === undefined) return UNCHECKED
  const own =
    goalOf([quantity ?? '']) ?? (LESS.test(quantity ?? '') ? 'min' : from.quantity.unit === '%' ? 'max' : null)
  const isLess = [...leads, scope.section?.title ?? ''].some(name => goalOf([name]) === 'min' || LESS.test(name))
  const isGood = kind === 'versus' && by === 'good'
  if ((actual === sense) !== (isGood && own === 'min')) return confirmed(`${from.text} → ${to.text}`)
  // Of negative figures the size may be meant; of a loss, getting better is going down.
  const isSaving = kind === 'versus' && by === 'sign' && own !== 'max'
  // What is good of a quantity that nobody knows stays open.
  const isOpen = (by === 'good' && own === null) || isSaving || (!isGood && by !== 'word' && (own === 'min' || isLess))
  if (isOpen || (middle(a) < 0 && middle(b) < 0)) return UNCHECKED
  if (kind !== 'change' && areNames(framesOf(clause, evidence), text)) return UNCHECKED
  const params = { quote, from: from.text, to: to.text, found: words.join(' '), expected: actual === 'up' ? '↑' : '↓' }
  const message = say(isMove ? 'audit.sign-contradicted' : 'audit.figures-opposed', params)
  const severity = (kind === 'versus' && owner === null) || kind === 'contrast' ? 'warning' : 'error'
  return refute('sign-contradicted', to.offset, message, { severity, expected: actual })
}

/** "0.12 is below 0.15": figures that are the names of rows are no figures. */
export function areNames(frames: readonly Frame[], text: string): boolean {
  const names = frames.flatMap(({ subjects, bases }) => [...subjects, ...bases])
  return names.some(({ mention: { from, to } }) => /^[\d.]+$/.test(text.slice(from, to)))
}

/**
 * "S is smaller (a vs b)": where all lines that hold both figures say so, one of them is that of S; null where they do
 * not tell, and undefined where both are named, so that the names decide and not the order of the figures.
 */
function ownerOf(text: string, a: Figure, b: Figure, evidence: Evidence): Figure | null | undefined {
  const lead = text.slice(0, a.quantity.from)
  const owners = evidence.holding(a.quantity).flatMap(({ line, point }) => {
    const other = line.points.find(one => one !== point && one.quantity.value === b.quantity.value)
    const named = mentionsInText(lead, line.matrix).flatMap(({ axes }) => (axes.length === 1 ? axes : []))
    const [only, another] = other === undefined ? [] : [point, other].filter(({ at }) => named.includes(at))
    if (other === undefined) return []
    return [another !== undefined ? undefined : only === undefined ? null : only === point ? a : b]
  })
  if (owners.includes(undefined)) return undefined
  return owners.every(owner => owner === owners[0]) ? (owners[0] ?? null) : null
}

export const direction: Relation = { names: ['direction'], inStatement, check }

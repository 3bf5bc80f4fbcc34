import type { Statement } from '../../logs/document/document.js'
import { everyMatch } from '../../logs/document/matches.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted, isCount, isWithin, meets, statedRange } from '../arithmetic.js'
import { type Assertion, type CheckOutcome, confirmed, type Relation, refute, UNCHECKED } from '../assertion.js'
import { assertionOver, figureAs, figureOf } from '../extract.js'

/** `k/n (p %)`, "k of n (p %)", `k/n = p %` and `p % (k/n)`, nothing else between them. */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.wrong-share': { en: '“{quote}”: {part} of {whole} is {expected}, not {found}', zh: '“{quote}”：{part}/{whole} 是 {expected}，不是 {found}' },
})

const OF = String.raw`\s?(?:\/|(?:out )?of(?: the)?)\s?`
const WHOLE = String.raw`(?:\d{1,3}(?:,\d{3})+|\d{1,9})`
const PART = `(?<![\\w./])${WHOLE}`
const PERCENT = String.raw`[~≈]?\s?\d{1,3}(?:\.\d{1,6})?\s?%`
const UNIT = String.raw`(?:\s?(?:个?(?:样本|题|条|步|轮)|samples?|prompts?|questions?|problems?|examples?|items?|tasks?|episodes?|games?))?`
const FORMS = [
  new RegExp(
    `${PART}${OF}${WHOLE}(?![\\d./])${UNIT}\\s?(?:[(（]\\s?${PERCENT}\\s?[)）]|=\\s?${PERCENT}(?=\\s?(?:[)）,，;；。]|\\.(?!\\d)|$)))`,
    'gi',
  ),
  new RegExp(`(?<![\\w.+-])${PERCENT}\\s?[(（]\\s?${PART}${OF}${WHOLE}${UNIT}\\s?[)）]`, 'gi'),
]
const ROLES = [
  ['part', 'whole', 'result'],
  ['result', 'part', 'whole'],
] as const

function* inStatement(statement: Statement): Generator<Assertion> {
  const { text, quantities, kind } = statement
  if (kind === 'code' || !text.includes('%')) return
  for (const [i, form] of FORMS.entries())
    for (const { index, 0: found } of everyMatch(text, form)) {
      const inside = quantities.filter(({ from, to }) => from >= index && to <= index + found.length + 1)
      const figures = (ROLES[i] ?? []).flatMap((role, at) => {
        const quantity = inside[at]
        return quantity === undefined ? [] : [figureOf(statement, quantity, role)]
      })
      if (inside.length === 3 && figures.length === 3) yield assertionOver(statement, 'share', figures)
    }
}

function check(assertion: Assertion): CheckOutcome {
  const [part, whole, result] = (['part', 'whole', 'result'] as const).map(role => figureAs(assertion, role))
  if (part == null || whole == null || result == null || ![part, whole].every(({ quantity }) => isCount(quantity)))
    return UNCHECKED
  const [k, n] = [part.quantity.value, whole.quantity.value]
  const { quantity } = result
  // A rating of 8 out of 10, and more than the whole, are no shares.
  if (n <= 0 || k > n || quantity.unit !== '%' || quantity.signed) return UNCHECKED
  const isShare = (count: number): boolean =>
    meets(statedRange(quantity), { low: (100 * count) / n, high: (100 * count) / n })
  // "4/80 failed (95 % passed)".
  if (isShare(k) || isShare(n - k)) return confirmed(`${k} / ${n}`)
  if (k > 0 && quantity.value > 0 && !isWithin(5, (100 * k) / n / quantity.value)) return UNCHECKED
  const expected = asPrinted((100 * k) / n, quantity)
  const params = { quote: assertion.quote, part: part.text, whole: whole.text, expected, found: result.text }
  return refute('wrong-share', result.offset, say('audit.wrong-share', params))
}

export const share: Relation = { name: 'share', inStatement, check }

import type { Section, Statement } from '../../document/document.js'
import { titlesAbove } from '../../document/document.js'
import type { Quantity } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import type { Fault, Rule } from '../assertion.js'
import { entriesOf } from '../entries.js'
import type { Evidence } from '../evidence.js'
import { fault } from '../fault.js'

import { stanceOf } from '../stance.js'
import { linesOf } from './claims.js'

/**
 * A gain in points that so many questions cannot show. The number of questions is the one that the section, its heading
 * or its caption names ("800 samples"); two standard errors of a difference of two shares near one half are what chance
 * does in one comparison of twenty.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.sampling-error': { en: '“{quote}”: with {n} samples two scores differ by up to {points} points by chance alone (lines {lines}); write “not distinguishable”, or evaluate on more', zh: '“{quote}”：{n} 个样本时，仅凭偶然两个分数就会相差至多 {points} 个百分点（第 {lines} 行）；应写“分不出高下”，或增加样本' },
})

const CLAIMED =
  /有效|成功|最优|最佳|最好|更优|更好|优于|优势|提升|改善|下降|不如|变差|退化|推荐|明显|领先|(?<![a-z])(?:better|best|gains?|improve[sd]?|improvement|outperforms?|effective|worse|drop(?:s|ped)?|degrad(?:es|ed|ation)|wins?|beats?|movement)(?![a-z])/i

function* check(evidence: Evidence): Generator<Fault> {
  const found: { offset: number; quote: string; n: number; limit: number }[] = []
  const whole = commonSize(evidence)
  for (const statement of evidence.document.statements) {
    if (statement.kind === 'code' || statement.kind === 'heading' || !CLAIMED.test(statement.text)) continue
    if (statement.text.length > 300 || statement.quantities.length === 0 || BARE.test(statement.text)) continue
    const n = sizeNear(statement.section, statement) ?? whole
    if (n === null) continue
    const limit = 100 * 2 * Math.sqrt(0.5 / n)
    const gap = gapIn(statement)
    if (gap === null || gap >= limit || stanceOf(statement, 0, statement.text.length) === 'planned') continue
    found.push({ offset: statement.offsetOf(0), quote: statement.text.slice(0, 40), n, limit })
    const lead = leadOf(statement, evidence)
    if (lead !== null && CLAIMED.test(lead.text))
      found.push({ offset: lead.offsetOf(0), quote: lead.text.slice(0, 40), n, limit })
  }
  const [first] = found
  if (first === undefined) return
  yield fault(
    'sampling-error',
    first.offset,
    say('audit.sampling-error', {
      quote: first.quote,
      n: first.n,
      points: first.limit.toFixed(1),
      lines: linesOf(evidence, found),
    }),
    { found: first.quote, expected: `≥ ${first.limit.toFixed(1)}`, also: found.map(({ offset }) => offset) },
  )
}

/** "Mean gain: +0.4 %" lists a figure and claims nothing. */
const BARE = /^[^:：]{0,16}[:：]\s?[+-]?\d[\d.]*\s?%?\s*(?:[(（][^)）]{0,20}[)）])?\s*$/

/** The line that a list of figures hangs on claims what they are to show. */
function leadOf(statement: Statement, { document, indexOf }: Evidence): Statement | null {
  const [lead] = statement.leads
  if (lead === undefined) return null
  const at = indexOf(statement)
  return document.statements.slice(Math.max(0, at - 12), at).findLast(({ text }) => text === lead) ?? null
}

/** The difference that a sentence rests on: a signed figure in percent, or two scores it sets against each other. */
function gapIn({ quantities, text }: Statement): number | null {
  const percents = quantities.filter(({ unit, ends, hedge }) => unit === '%' && ends === null && hedge === null)
  // Scores that are no percentages are compared in percent of themselves.
  if (quantities.some(({ unit, decimals, signed }) => unit === null && !signed && (decimals ?? 0) > 1)) return null
  const signed = percents.filter(one => one.signed)
  if (signed.length > 0) return Math.max(...signed.map(({ value }) => Math.abs(value)))
  const [a, b] = percents
  if (a === undefined || b === undefined || percents.length !== 2 || !/vs|对比|→/.test(text.slice(a.to, b.from)))
    return null
  return a.value > 15 && b.value > 15 ? Math.abs(a.value - b.value) : null
}

/** How many questions the scores of a place rest on. */
function sizeNear(section: Section | null, statement: Statement): number | null {
  const around = [statement.text, ...statement.leads, ...titlesAbove(section).slice(0, 2)]
  for (const text of around) {
    const size = sampleSize(text)
    if (size !== null) return size
  }
  return null
}

const SIZE =
  /(?<![\d.,])(\d{2,3}(?:,\d{3})+|\d{2,6})\s?(?:个|条)?\s?(?:样本|样例|测试样本|条数据|题|samples?(?![a-z])|questions?(?![a-z])|problems?(?![a-z])|prompts?(?![a-z])|examples?(?![a-z]))/gi

/** The one size that a text names; the rollouts or the training data of a run are none. */
function sampleSize(text: string): number | null {
  if (/rollout|train|训练|generations?/i.test(text)) return null
  const sizes = new Set([...text.matchAll(SIZE)].map(match => Number((match[1] ?? '').replaceAll(',', ''))))
  const [only] = sizes
  return sizes.size === 1 && only !== undefined && only >= 20 && only <= 20_000 ? only : null
}

/** The size that the report names most, where no other comes near it. */
function commonSize(evidence: Evidence): number | null {
  const counts = new Map<number, number>()
  for (const statement of evidence.document.statements) {
    const size = sampleSize(statement.text)
    if (size !== null) counts.set(size, (counts.get(size) ?? 0) + 1)
  }
  for (const { key, quantities } of entriesOf(evidence)) {
    const [size] = quantities
    if (size !== undefined && isSizeKey(key, size)) counts.set(size.value, (counts.get(size.value) ?? 0) + 2)
  }
  const ranked = [...counts].sort((a, b) => b[1] - a[1])
  const [first, second] = ranked
  return first !== undefined && first[1] >= 2 * (second?.[1] ?? 0) ? first[0] : null
}

function isSizeKey(key: string, { value, unit }: Quantity): boolean {
  return (
    /样本数|测试样本|eval(?:uation)? (?:samples|size|problems)|test (?:samples|size|problems)|num(?:ber of)? problems/i.test(
      key,
    ) &&
    unit !== '%' &&
    Number.isInteger(value) &&
    value >= 20
  )
}

export const power: Rule = { check }

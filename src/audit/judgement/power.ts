import { type Statement, titlesAbove } from '../../document/document.js'
import { sentences } from '../../text/sentences.js'
import type { Fault } from '../assertion.js'
import type { Evidence } from '../evidence.js'
import { stanceOf } from '../stance.js'
import { type Hit, hitOn, once } from './hits.js'

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

const LONGEST = 300

export function* power(evidence: Evidence): Generator<Fault> {
  const common = commonSize(evidence)
  const found = evidence.document.statements.flatMap(statement => {
    const n = isClaim(statement) ? (sizeNear(statement) ?? common) : null
    const points = n === null ? 0 : chanceOf(n)
    const gap = n === null ? null : gapIn(statement)
    if (n === null || gap === null || gap >= points) return []
    if (stanceOf(statement, 0, statement.text.length) === 'planned') return []
    return [{ n, points: points.toFixed(1), hits: [hitOn(statement), ...leadOf(statement, evidence)] }]
  })
  const [first] = found
  if (first === undefined) return
  const { n, points } = first
  const hits = found.flatMap(one => one.hits)
  const more = { expected: `≥ ${points}` }
  yield* once(evidence, 'sampling-error', hits, said => say('audit.sampling-error', { ...said, n, points }), more)
}

/** Two standard errors of the difference of two shares near one half, in points. */
export const chanceOf = (n: number): number => 100 * 2 * Math.sqrt(0.5 / n)

function isClaim({ kind, text, quantities }: Statement): boolean {
  if (kind === 'code' || kind === 'heading' || text.length > LONGEST || quantities.length === 0) return false
  return CLAIMED.test(text) && !BARE.test(text)
}

/** "Mean gain: +0.4 %" lists a figure and claims nothing. */
const BARE = /^[^:：]{0,16}[:：]\s?[+-]?\d[\d.]*\s?%?\s*(?:[(（][^)）]{0,20}[)）])?\s*$/

/** The line that a list of figures hangs on claims what they are to show. */
function leadOf(statement: Statement, { document, indexOf }: Evidence): readonly Hit[] {
  const [lead] = statement.leads
  if (lead === undefined || !CLAIMED.test(lead)) return []
  const at = indexOf(statement)
  const home = document.statements.slice(Math.max(0, at - 12), at).findLast(({ text }) => text === lead)
  return home === undefined ? [] : [hitOn(home)]
}

/** The difference that a sentence rests on: a signed figure in percent, or two scores it sets against each other. */
function gapIn({ quantities, text }: Statement): number | null {
  const percents = quantities.filter(({ unit, ends, hedge }) => unit === '%' && ends === null && hedge === null)
  // Scores that are no percentages are compared in percent of themselves.
  if (quantities.some(({ unit, decimals, signed }) => unit === null && !signed && (decimals ?? 0) > 1)) return null
  const signed = percents.filter(one => one.signed)
  if (signed.length > 0) return Math.max(...signed.map(({ value }) => Math.abs(value)))
  const [a, b, more] = percents
  if (a === undefined || b === undefined || more !== undefined || Math.min(a.value, b.value) <= 15) return null
  return /vs|对比|→/.test(text.slice(a.to, b.from)) ? Math.abs(a.value - b.value) : null
}

const SIZE =
  /(?<![\d.,])(\d{2,3}(?:,\d{3})+|\d{2,6})\s?(?:个|条)?\s?(?:样本|样例|测试样本|条数据|题|samples?(?![a-z])|questions?(?![a-z])|problems?(?![a-z])|prompts?(?![a-z])|examples?(?![a-z]))|(?:样本数|测试样本|(?:eval(?:uation)?|test) (?:samples|size|problems)|num(?:ber of)? problems)\s?[:：=]\s?(\d{2,6})(?![\d.%])/gi

const FEWEST = 20

/** How many questions the scores of a place rest on. */
function sizeNear({ text, leads, section }: Statement): number | null {
  for (const around of [text, ...leads, ...titlesAbove(section).slice(0, 2)]) {
    const size = sampleSize(around)
    if (size !== null) return size
  }
  return null
}

/** The one size that a text names; the rollouts or the training data of a run are none. */
function sampleSize(text: string): number | null {
  if (/rollout|train|训练|generations?/i.test(text)) return null
  const [only, more] = new Set(
    [...text.matchAll(SIZE)].map(([, ahead, behind = '']) => Number((ahead ?? behind).replaceAll(',', ''))),
  )
  return only !== undefined && more === undefined && only >= FEWEST && only <= 20_000 ? only : null
}

/** The size that the report names most, where no other comes near it. */
function commonSize(evidence: Evidence): number | null {
  const counts = new Map<number, number>()
  for (const { text } of evidence.document.statements) {
    const size = sampleSize(text)
    if (size !== null) counts.set(size, (counts.get(size) ?? 0) + 1)
  }
  const [first, second] = [...counts].sort((a, b) => b[1] - a[1])
  return first !== undefined && first[1] >= 2 * (second?.[1] ?? 0) ? first[0] : null
}

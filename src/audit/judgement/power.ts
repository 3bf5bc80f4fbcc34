import { type Statement, titlesAbove } from '../../document/document.js'
import type { Quantity } from '../../document/quantity.js'
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
  'audit.sampling-error': { en: '“{quote}”: with {n} samples only a difference of {expected} points is more than chance (lines {lines}); write “not distinguishable”, or evaluate on more', zh: '“{quote}”：{n} 个样本时，两个分数相差 {expected} 个百分点才不是偶然（第 {lines} 行）；应写“分不出高下”，或增加样本' },
})

const CLAIMED =
  /有效|成功|最优|最佳|最好|更优|更好|优于|优势|提升|改善|下降|不如|变差|退化|推荐|明显|领先|(?<![a-z])(?:better|best|gains?|improve[sd]?|improvement|outperforms?|effective|worse|drop(?:s|ped)?|degrad(?:es|ed|ation)|wins?|beats?|movement)(?![a-z])/i

export function* power(evidence: Evidence): Generator<Fault> {
  const common = commonSize(evidence)
  const weak = evidence.document.statements.filter(isClaim).flatMap(statement => {
    const [n, gap] = [sizeNear(statement) ?? common, gapIn(statement)]
    const points = n === null ? 0 : chanceOf(n)
    return n === null || gap === null || gap >= points ? [] : [{ n, expected: `≥ ${points.toFixed(1)}`, statement }]
  })
  if (weak.length === 0) return
  const [{ n, expected }] = weak
  const hits = weak.flatMap(({ statement }) => [hitOn(statement), ...leadOf(statement, evidence)])
  yield* once(evidence, 'sampling-error', hits, said => say('audit.sampling-error', { ...said, n, expected }))
}

/** Two standard errors of the difference of two shares near one half, in points. */
export const chanceOf = (n: number): number => 100 * 2 * Math.sqrt(0.5 / n)

function isClaim(statement: Statement): boolean {
  const { kind, text } = statement
  if (kind === 'code' || kind === 'heading' || !CLAIMED.test(text) || BARE.test(text)) return false
  return stanceOf(statement, 0, text.length) !== 'planned'
}

/** "Mean gain: +0.4 %" lists a figure and claims nothing. */
const BARE = /^[^:：]{0,16}[:：]\s?[+-]?\d[\d.]*\s?%?\s*(?:[(（][^)）]{0,20}[)）])?\s*$/

/** The line that a list of figures hangs on claims what they are to show. */
function leadOf({ leads: [lead = ''], offsetOf }: Statement, { document }: Evidence): readonly Hit[] {
  const isLead = (one: Statement): boolean => one.text === lead && one.offsetOf(0) < offsetOf(0)
  const home = CLAIMED.test(lead) ? document.statements.findLast(isLead) : undefined
  return home === undefined ? [] : [hitOn(home)]
}

/** The difference that a sentence rests on, signed and in percent; other scores are compared in percent of themselves. */
function gapIn({ quantities }: Statement): number | null {
  const isScore = ({ unit, signed, decimals }: Quantity): boolean => unit === null && !signed && (decimals ?? 0) > 1
  const gaps = quantities.filter(one => one.unit === '%' && one.signed && one.ends === null && one.hedge === null)
  if (gaps.length === 0 || quantities.some(isScore)) return null
  return Math.max(...gaps.map(({ value }) => Math.abs(value)))
}

const SIZE =
  /(?<![\d.,])(\d{2,3}(?:,\d{3})+|\d{2,6})\s?(?:个|条)?\s?(?:样本|样例|测试样本|条数据|题|samples?(?![a-z])|questions?(?![a-z])|problems?(?![a-z])|prompts?(?![a-z])|examples?(?![a-z]))|(?:样本数|测试样本|(?:eval(?:uation)?|test) (?:samples|size|problems)|num(?:ber of)? problems)\s?[:：=]\s?(\d{2,6})(?![\d.%])/gi

const FEWEST = 20

/** How many questions the scores of a place rest on. */
function sizeNear({ text, leads, section }: Statement): number | null {
  const around = [text, ...leads, ...titlesAbove(section).slice(0, 2)]
  return around.map(sampleSize).find(size => size !== null) ?? null
}

/** The one size that a text names; the rollouts or the training data of a run are none. */
function sampleSize(text: string): number | null {
  if (/rollout|train|训练|generations?/i.test(text)) return null
  const [only, more] = new Set(
    [...text.matchAll(SIZE)].map(([, ahead, behind = '']) => Number((ahead ?? behind).replaceAll(',', ''))),
  )
  return only !== undefined && more === undefined && only >= FEWEST ? only : null
}

/** The size that the report names most, where no other comes near it. */
function commonSize({ document }: Evidence): number | null {
  const sizes = document.statements.flatMap(({ text }) => sampleSize(text) ?? [])
  const times = (size: number): number => sizes.filter(one => one === size).length
  const [first = null, second] = [...new Set(sizes)].sort((a, b) => times(b) - times(a))
  return first === null || times(first) < 2 * times(second) ? null : first
}

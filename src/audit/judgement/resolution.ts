import { type Statement, titlesAbove } from '../../document/document.js'
import { sentences } from '../../text/sentences.js'
import type { Fault } from '../assertion.js'
import type { Evidence } from '../evidence.js'
import { isStated, stanceOf } from '../stance.js'
import { hitOn, once } from './hits.js'

/**
 * Differences that so many samples cannot show. Two standard errors of a difference of two shares near one half are what
 * chance does in one comparison of twenty. The number of questions is the one that the section or its heading names
 * ("800 samples"), or that a score is printed with ("9/10").
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.sampling-error': { en: '“{quote}”: with {n} samples only a difference of {expected} points is more than chance (lines {lines}); write “not distinguishable”, or evaluate on more', zh: '“{quote}”：{n} 个样本时，两个分数相差 {expected} 个百分点才不是偶然（第 {lines} 行）；应写“分不出高下”，或增加样本' },
  'audit.few-samples': { en: '“{quote}”: with {n} questions two scores differ by up to {points} points by chance alone (lines {lines}); give the interval, or evaluate on more', zh: '“{quote}”：只有 {n} 题，仅凭偶然两个分数就会相差至多 {points} 个百分点（第 {lines} 行）；应给出区间，或增加题数' },
})

/** Two standard errors of the difference of two shares near one half, in points. */
const chanceOf = (n: number): number => 100 * 2 * Math.sqrt(0.5 / n)

export function* resolution(evidence: Evidence): Generator<Fault> {
  yield* gains(evidence)
  yield* fewSamples(evidence)
}

const CLAIMED =
  /有效|成功|最优|最佳|最好|更优|更好|优于|优势|提升|改善|下降|不如|变差|退化|推荐|明显|领先|(?<![a-z])(?:better|best|gains?|improve[sd]?|improvement|outperforms?|effective|worse|drop(?:s|ped)?|degrad(?:es|ed|ation)|wins?|beats?|movement)(?![a-z])/i

/** Gains in points, where the number of questions is known. */
function* gains(evidence: Evidence): Generator<Fault> {
  const common = commonSize(evidence)
  const weak = evidence.document.statements.filter(isClaim).flatMap(statement => {
    const [n, gap] = [sizeNear(statement) ?? common ?? Number.POSITIVE_INFINITY, gapIn(statement)]
    return gap < chanceOf(n) ? [{ n, statement }] : []
  })
  const n = weak[0]?.n ?? 1
  const hits = weak.map(({ statement }) => hitOn(statement))
  const expected = `≥ ${chanceOf(n).toFixed(1)}`
  yield* once(evidence, 'sampling-error', hits, said => say('audit.sampling-error', { ...said, n, expected }))
}

function isClaim(statement: Statement): boolean {
  const { text } = statement
  return CLAIMED.test(text) && !BARE.test(text) && stanceOf(statement, 0, text.length) !== 'planned'
}

/** "Mean gain: +0.4 %" lists a figure and claims nothing. */
const BARE = /^[^:：]{0,16}[:：]\s?[+-]?\d[\d.]*\s?%?\s*(?:[(（][^)）]{0,20}[)）])?\s*$/

/** The difference that a sentence rests on, signed and in percent; other scores are compared in percent of themselves. */
function gapIn({ quantities }: Statement): number {
  const gaps = quantities.filter(one => one.unit === '%' && one.signed && one.ends === null)
  const isOfScores = quantities.some(one => one.unit === null && !one.signed && one.decimals > 1)
  if (gaps.length === 0 || isOfScores) return Number.POSITIVE_INFINITY
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

/** The only size that the report names. */
function commonSize({ document }: Evidence): number | null {
  const [size = null, other] = new Set(document.statements.flatMap(({ text }) => sampleSize(text) ?? []))
  return other === undefined ? size : null
}

const FEW = 100
const MOST = 6
const OF = /(?<![\d./-])(\d{1,5})\s?\/\s?(\d{1,5})(?![\d./-])/
const NO_QUESTION = /配置|设置|epoch|step|shot|轮|步|config|settings?|metrics?|指标|任务数/i

/** A score of few questions that is printed with their number: "90% (9/10)". */
function* fewSamples(evidence: Evidence): Generator<Fault> {
  const found = evidence.document.statements.flatMap(statement => {
    const { text, quantities, cell, table } = statement
    const [, right = Number.NaN, n = FEW] = OF.exec(text)?.map(Number) ?? []
    const row = table?.rows[cell?.row ?? -1]?.[0]?.text ?? ''
    const isScore = quantities.filter(({ unit }) => unit === '%').length === 1 && !NO_QUESTION.test(`${text} ${row}`)
    const isFew = right <= n && n > 2 && n < FEW
    return isScore && isFew && isStated(statement, 0, text.length) ? [{ n, hit: hitOn(statement) }] : []
  })
  const hits = found.slice(0, MOST).map(({ hit }) => hit)
  const n = found[0]?.n ?? FEW
  yield* once(evidence, 'few-samples', hits, said =>
    say('audit.few-samples', { ...said, n, points: chanceOf(n).toFixed(0) }),
  )
}

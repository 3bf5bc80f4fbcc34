import { type Statement, titlesAbove } from '../../logs/document/document.js'
import { sentences } from '../../text/sentences.js'
import type { Fault } from '../assertion.js'
import type { ReportEvidence } from '../evidence.js'
import { has } from '../lexicon.js'
import { stanceOf } from '../stance.js'
import { hitOn, once } from './hits.js'

/**
 * Differences that so many questions cannot show. Of n questions a gain of d points is n·d/100 answers. If both sides
 * answered the same questions, the gain is clearest where all changed answers went one way; five of five do so by chance
 * with p = 2 · 0.5⁵ = 0.06, so up to five answers no pairing makes it more than chance. Above that the unpaired bound is
 * given, two standard errors of two shares near one half, and called unpaired: a paired test may still resolve it.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.sampling-paired': { en: '“{quote}”: {points} points of {n} samples are about {answers} {answers|response|responses}; even if all of them changed in one direction, this is within sampling noise (lines {lines})', zh: '“{quote}”：{n} 个样本中的 {points} 个百分点约为 {answers} 道题；即使都朝同一方向变化，也在抽样误差之内（第 {lines} 行）' },
  'audit.sampling-unpaired': { en: '“{quote}”: with {n} samples, unpaired, sampling noise reaches {expected} points (lines {lines}); a paired test on the same samples may resolve it', zh: '“{quote}”：{n} 个样本，按非配对计算，抽样误差可达 {expected} 个百分点（第 {lines} 行）；在同一批样本上做配对检验或可判定' },
})

/** Two standard errors of the difference of two shares near one half, in points. */
const unpairedBound = (n: number): number => 100 * 2 * Math.sqrt(0.5 / n)
const MOST_ANSWERS = 5.5

const CLAIMED =
  /有效|最优|最佳|最好|更优|更好|优于|优势|提升|改善|不如|变差|退化|领先|(?<![a-z])(?:better|best|gains?|improve[sd]?|improvement|outperforms?|worse|degrad(?:es|ed|ation)|wins?|beats?)(?![a-z])/i
const TESTED =
  /(?<![a-z_])p\s?[<=≤]\s?0?\.\d|p[- ]?values?|置信区间|confidence intervals?|(?<![a-z])(?:t[- ]?test|bootstrap|wilcoxon|mcnemar|standard error)|显著性检验|标准误|误差范围内|抽样误差|统计误差|within (?:the )?(?:sampling )?noise|sampling (?:noise|error)/i

/** Gains in points of a share, where the number of questions is known: printed in the sentence, above it, or the one that the report names. */
export function* samplingError(evidence: ReportEvidence): Generator<Fault> {
  const { statements, text } = evidence.document
  if (TESTED.test(text)) return
  const common = commonSize(statements)
  const isOfShares = SCORE.test(text)
  const weak = statements.filter(isClaim).flatMap(statement => {
    const own = isOfShares ? gainIn(statement) : null
    const [n, gain] = [sizeNear(statement) ?? common, own ?? gainBeside(statement, evidence)]
    // A mean over several evaluations, as a table may print it, rests on more answers than n.
    const isOfOne = own !== null && !has(statement.text, 'mean')
    return n !== null && gain !== null && gain < unpairedBound(n) ? [{ n, gain, statement, isOfOne }] : []
  })
  const [clearest] = weak.toSorted((a, b) => Number(b.isOfOne) - Number(a.isOfOne) || a.n * a.gain - b.n * b.gain)
  if (clearest === undefined) return
  const { n, gain } = clearest
  const answers = Math.max(1, Math.round((n * gain) / 100))
  const isPaired = clearest.isOfOne && (n * gain) / 100 <= MOST_ANSWERS
  const hits = [clearest, ...weak.filter(one => one !== clearest)].map(({ statement }) => hitOn(statement))
  const expected = unpairedBound(n).toFixed(1)
  yield* once(evidence, 'sampling-error', hits, said =>
    isPaired
      ? say('audit.sampling-paired', { ...said, n, answers, points: gain })
      : say('audit.sampling-unpaired', { ...said, n, expected }),
  )
}

function isClaim(statement: Statement): boolean {
  const { text, kind } = statement
  const isSentence = kind === 'sentence' || kind === 'item' || kind === 'cell'
  return isSentence && CLAIMED.test(text) && !BARE.test(text) && stanceOf(statement, 0, text.length) === 'said'
}

/** "Mean gain: +0.4 %" lists a figure and claims nothing. */
const BARE = /^[^:：]{0,16}[:：]\s?[+-]?\d[\d.]*\s?%?\s*(?:[(（][^)）]{0,20}[)）])?\s*$/

/** What is a share of questions; times, losses and sizes are compared in percent of themselves. */
const SCORE = /正确率|准确率|通过率|成功率|胜率|acc|pass|solve|correct|exact|win rate|success rate/i
const OTHER =
  /相对|relative|loss|损失|reward|奖励|时间|显存|耗时|time|memory|latency|speed|token|length|长度|参数|param|步数|steps/i

/** The gain that a sentence rests on, in points of a share; null where it may be something else. */
function gainIn({ text, quantities }: Statement): number | null {
  const gains = quantities.filter(
    one => one.signed && !one.plusMinus && one.ends === null && (one.unit === '%' || one.unit === 'points'),
  )
  if (gains.length === 0 || OTHER.test(text) || quantities.some(one => one.unit === 'times')) return null
  const size = Math.max(...gains.map(({ value }) => Math.abs(value)))
  return size > 0 ? size : null
}

/** Of a claim without a figure: the largest gap of the tables of its section that print one. */
function gainBeside({ section, quantities, kind }: Statement, { matrices }: ReportEvidence): number | null {
  if (section === null || kind === 'cell' || sampleSize(section.title) === null) return null
  if (quantities.some(({ signed }) => signed)) return null
  const gaps = matrices
    .filter(({ table }) => table.section === section)
    .flatMap(({ columns, table }) =>
      columns
        .filter(({ role }) => role === 'difference')
        .flatMap(({ index }) => table.rows.flatMap(row => row[index]?.quantities ?? [])),
    )
  const size = Math.max(...gaps.map(({ value }) => Math.abs(value)))
  return gaps.length > 1 && gaps.every(({ unit }) => unit === '%') && size > 0 ? size : null
}

const SIZE =
  /(?<![\d.,])(\d{2,3}(?:,\d{3})+|\d{2,6})\s?(?:个|条)?\s?(?:(?:测试|评[测估]|验证)?(?:样本|样例|题)|条数据|(?:test|eval(?:uation)?|held-out )?\s?(?:samples?|questions?|problems?|prompts?|examples?)(?![a-z]))|(?:样本数|测试样本|(?:eval(?:uation)?|test) (?:samples|size|problems)|num(?:ber of)? problems)\s?[:：=]\s?(\d{2,6})(?![\d.%])/gi
const FEWEST = 20

/** How many questions the scores of a place rest on: by the sentence itself, what it hangs on, or a title above it. */
function sizeNear({ text, leads, section }: Statement): number | null {
  return [text, ...leads, ...titlesAbove(section)].map(sampleSize).find(size => size !== null) ?? null
}

/** The size that the report names most, where no other comes near it. */
function commonSize(statements: readonly Statement[]): number | null {
  const sizes = statements.flatMap(({ text }) => sampleSize(text) ?? [])
  const times = (size: number): number => sizes.filter(one => one === size).length
  const [first = null, second = Number.NaN] = [...new Set(sizes)].sort((a, b) => times(b) - times(a))
  return first === null || times(first) < 2 * times(second) ? null : first
}

/** The one size that a text names; the rollouts or the training data of a run are none. */
function sampleSize(text: string): number | null {
  if (!/\d\d/.test(text) || /rollout|train|训练|generations?|每[次步轮]/i.test(text)) return null
  const [only, more] = new Set(
    [...text.matchAll(SIZE)].map(([, ahead, behind = '']) => Number((ahead ?? behind).replaceAll(',', ''))),
  )
  return only !== undefined && more === undefined && only >= FEWEST ? only : null
}

import { type Statement, titlesAbove } from '../../logs/document/document.js'
import { everyMatch } from '../../logs/document/matches.js'
import type { Matrix } from '../../logs/document/matrix.js'
import { sentences } from '../../text/sentences.js'
import type { Fault } from '../assertion.js'
import type { ReportEvidence } from '../evidence.js'
import { has } from '../lexicon.js'
import { isStated, stanceOf } from '../stance.js'
import { type Hit, hitOn, hitOnRow, once } from './hits.js'

/**
 * Differences that so many samples cannot show. Two standard errors of a difference of two shares near one half are what
 * chance does in one comparison of twenty. The number of questions is the one that the section or its heading names
 * ("800 samples"), that a score is printed with ("9/10"), or that the text calls the test set.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.sampling-error': { en: '“{quote}”: with {n} samples only a difference of {expected} points is more than chance (lines {lines}); write “not distinguishable”, or evaluate on more', zh: '“{quote}”：{n} 个样本时，两个分数相差 {expected} 个百分点才不是偶然（第 {lines} 行）；应写“分不出高下”，或增加样本' },
  'audit.few-samples': { en: '“{quote}”: with {n} questions two scores differ by up to {points} points by chance alone (lines {lines}); give the interval, or evaluate on more', zh: '“{quote}”：只有 {n} 题，仅凭偶然两个分数就会相差至多 {points} 个百分点（第 {lines} 行）；应给出区间，或增加题数' },
})

/** Two standard errors of the difference of two shares near one half, in points. */
const chanceOf = (n: number): number => 100 * 2 * Math.sqrt(0.5 / n)

export function* resolution(evidence: ReportEvidence): Generator<Fault> {
  yield* gains(evidence)
  yield* fewSamples(evidence)
}

const CLAIMED =
  /有效|成功|最优|最佳|最好|更优|更好|优于|优势|提升|改善|下降|不如|变差|退化|推荐|明显|领先|(?<![a-z])(?:better|best|gains?|improve[sd]?|improvement|outperforms?|effective|worse|drop(?:s|ped)?|degrad(?:es|ed|ation)|wins?|beats?|movement)(?![a-z])/i

/** Gains in points, where the number of questions is known. */
function* gains(evidence: ReportEvidence): Generator<Fault> {
  const common = commonSize(evidence)
  const weak = evidence.document.statements.filter(isClaim).flatMap(statement => {
    const [n, gap] = [sizeNear(statement) ?? common ?? Number.POSITIVE_INFINITY, gapIn(statement)]
    return gap < chanceOf(n) ? [{ n, statement }] : []
  })
  const n = weak[0]?.n ?? 1
  const hits = weak.flatMap(({ statement }) => [hitOn(statement), ...leadOf(statement, evidence)])
  const expected = `≥ ${chanceOf(n).toFixed(1)}`
  yield* once(evidence, 'sampling-error', hits, said => say('audit.sampling-error', { ...said, n, expected }))
}

function isClaim(statement: Statement): boolean {
  const { text } = statement
  return CLAIMED.test(text) && !BARE.test(text) && stanceOf(statement, 0, text.length) !== 'planned'
}

/** "Mean gain: +0.4 %" lists a figure and claims nothing. */
const BARE = /^[^:：]{0,16}[:：]\s?[+-]?\d[\d.]*\s?%?\s*(?:[(（][^)）]{0,20}[)）])?\s*$/

/** The line that a list of figures hangs on claims what they are to show. */
function leadOf({ leads: [lead = ''], offsetOf }: Statement, { document }: ReportEvidence): readonly Hit[] {
  const isLead = (one: Statement): boolean => one.text === lead && one.offsetOf(0) < offsetOf(0)
  const home = CLAIMED.test(lead) ? document.statements.findLast(isLead) : undefined
  return home === undefined ? [] : [hitOn(home)]
}

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
  if (!/\d\d/.test(text) || /rollout|train|训练|generations?/i.test(text)) return null
  const [only, more] = new Set(
    [...text.matchAll(SIZE)].map(([, ahead, behind = '']) => Number((ahead ?? behind).replaceAll(',', ''))),
  )
  return only !== undefined && more === undefined && only >= FEWEST ? only : null
}

/** The size that the report names most, where no other comes near it. */
function commonSize({ document }: ReportEvidence): number | null {
  const sizes = document.statements.flatMap(({ text }) => sampleSize(text) ?? [])
  const times = (size: number): number => sizes.filter(one => one === size).length
  const [first = null, second = Number.NaN] = [...new Set(sizes)].sort((a, b) => times(b) - times(a))
  return first === null || times(first) < 2 * times(second) ? null : first
}

const FEW = 100
const LONGEST = 300
const MOST = 6

/** Scores of few questions, where their number stands in the score itself or in the words for the test set. */
function* fewSamples(evidence: ReportEvidence): Generator<Fault> {
  const known = sizeOf(evidence)
  const found = evidence.document.statements.flatMap(statement => {
    const n = sizeIn(statement) ?? (isCompared(statement) ? known : null)
    if (n === null || statement.text.length > LONGEST || !isStated(statement, 0, statement.text.length)) return []
    const apart = pointsApart(statement)
    const isOpen = apart === null ? n < FEW && /\d\s?%/.test(statement.text) : apart < chanceOf(n)
    return isOpen ? [{ n, hit: hitOn(statement) }] : []
  })
  const inRows = known === null || known >= FEW ? [] : evidence.matrices.flatMap(matrix => closeRows(matrix, known))
  const hits = [...inRows, ...found.map(({ hit }) => hit)].sort((a, b) => a.offset - b.offset).slice(0, MOST)
  const n = found[0]?.n ?? known ?? FEW
  const points = chanceOf(n).toFixed(0)
  yield* once(evidence, 'few-samples', hits, said => say('audit.few-samples', { ...said, n, points }))
}

/** Rows whose difference in percent is one that chance makes. */
function closeRows({ table, columns }: Matrix, n: number): readonly Hit[] {
  const differences = columns.filter(({ role }) => role === 'difference')
  return table.rows.flatMap(row => {
    const gaps = differences.flatMap(({ index }) => row[index]?.quantities ?? []).filter(({ unit }) => unit === '%')
    const isClose = gaps.some(({ value }) => value !== 0) && gaps.every(({ value }) => Math.abs(value) < chanceOf(n))
    return isClose ? [hitOnRow(row)] : []
  })
}

const isCompared = ({ kind, text }: Statement): boolean =>
  (kind === 'sentence' || kind === 'item') && has(text, 'verdict', 'better', 'worse', 'up', 'down')

const OF = /(?<![\d./-])(\d{1,5})\s?\/\s?(\d{1,5})(?![\d./-])/g
const SCORE = /%|准确|正确|命中|通过率|成功率|胜率|accura|correct|pass|success rate|solved|win rate/i
const NO_QUESTION = /配置|设置|epoch|step|shot|轮|步|config|settings?|metrics?|指标|任务数/i

/** The few questions that a score is printed with. */
function sizeIn({ text, cell, table }: Statement): number | null {
  const row = table?.rows[cell?.row ?? -1]?.[0]?.text ?? ''
  if (!SCORE.test(text) || NO_QUESTION.test(`${text} ${row}`)) return null
  const [size = FEW] = sizesIn(text)
  return size < FEW ? size : null
}

function sizesIn(text: string): readonly number[] {
  return everyMatch(text, OF).flatMap(([, k, n]) => (Number(k) <= Number(n) && Number(n) > 2 ? [Number(n)] : []))
}

const COUNTED = '(?:prompts?|questions?|cases?|examples?|samples?|problems?|items?|episodes?|trials?|scenarios?)'
const TEST_SET = new RegExp(
  String.raw`(?:eval|test|benchmark|dataset|评[测估]|测试|验证)[^.。;；\n|]{0,40}?(?<![\d.,])(\d{1,2})\s?(?:(?:[a-z]+ ){0,3}${COUNTED}(?![a-z])|题|条|个(?:样本|问题|用例|样例))|(?:eval\w*|test|held-out) ${COUNTED}\s?[:：=]\s?(\d{1,2})(?![\d.,])`,
  'i',
)

/** The size of the test set: the one that the scores of the tables are printed with, or what the text calls it. */
function sizeOf({ document, matrices }: ReportEvidence): number | null {
  const counts = new Map<number, number>()
  for (const { text } of matrices.flatMap(({ table }) => table.rows.flat()))
    for (const n of sizesIn(text)) counts.set(n, (counts.get(n) ?? 0) + 1)
  const [most] = [...counts].sort((a, b) => b[1] - a[1])
  if (most !== undefined && most[1] >= 3 && most[0] >= 20) return most[0]
  const named = document.statements.find(({ text }) => TEST_SET.test(text) && !/train|训练/i.test(text))
  const match = TEST_SET.exec(named?.text ?? '')
  return match === null ? null : Number(match[1] ?? match[2])
}

const POINTS = /(\d+(?:\.\d+)?)\s?个?(?:百分点|percentage points?|points?|pp)(?![a-z])/i

/** How far two scores are said to be apart. */
function pointsApart({ text, quantities }: Statement): number | null {
  const points = POINTS.exec(text)?.[1]
  if (points !== undefined) return Number(points)
  const percents = quantities.filter(({ unit }) => unit === '%')
  const shares = quantities.filter(({ unit, decimals }) => unit === null && decimals > 1)
  const [a, b, more] = percents.length > 0 ? percents : shares
  if (a === undefined || b === undefined || more !== undefined) return null
  return Math.abs(a.value - b.value) * (a.unit === null ? 100 : 1)
}

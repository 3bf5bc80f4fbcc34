import type { Cell, Statement } from '../../document/document.js'
import { everyMatch } from '../../document/matches.js'
import type { Matrix } from '../../document/matrix.js'
import { sentences } from '../../text/sentences.js'
import type { Fault, Rule } from '../assertion.js'
import type { Evidence } from '../evidence.js'
import { has } from '../lexicon.js'
import { isStated } from '../stance.js'
import { type Hit, hitOn, once } from './hits.js'

/**
 * Scores whose number of questions stands in the score itself, as so many of so many, or in the words for the test set.
 * A share of a few dozen has an interval of tens of points, and two shares that differ by less than two standard errors
 * of a difference are not apart.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.few-samples': { en: '“{quote}”: with {n} questions two scores differ by up to {points} points by chance alone (lines {lines}); give the interval, or evaluate on more', zh: '“{quote}”：只有 {n} 题，仅凭偶然两个分数就会相差至多 {points} 个百分点（第 {lines} 行）；应给出区间，或增加题数' },
  'audit.within-spread': { en: '“{quote}”: the difference is smaller than the spread printed beside the scores (lines {lines}); test it, or write that the scores do not differ', zh: '“{quote}”：差异小于分数旁标出的波动（第 {lines} 行）；应做检验，或写明分不出高下' },
})

const FEW = 100
const FEWEST = 3
const LONGEST = 300
const MOST = 6

function* check(evidence: Evidence): Generator<Fault> {
  const known = sizeOf(evidence)
  const found = evidence.document.statements.flatMap(statement => {
    const n = sizeIn(statement) ?? (isVerdict(statement) ? known : null)
    if (n === null || statement.text.length > LONGEST || !isStated(statement, 0, statement.text.length)) return []
    const gap = gapIn(statement)
    const isOpen = gap === null ? n < FEW && HAS_SHARE.test(statement.text) : gap < chanceOf(n)
    return isOpen ? [{ n, hit: hitOn(statement) }] : []
  })
  const inRows = known === null || known >= FEW ? [] : evidence.matrices.flatMap(matrix => closeRows(matrix, known))
  const hits = [...inRows, ...found.map(({ hit }) => hit)].sort((a, b) => a.offset - b.offset).slice(0, MOST)
  const n = found[0]?.n ?? known ?? FEW
  const points = chanceOf(n).toFixed(0)
  yield* once(evidence, 'few-samples', hits, said => say('audit.few-samples', { ...said, n, points }))
  const within = evidence.matrices.flatMap(({ table, columns }) =>
    columns.some(({ role }) => role === 'difference') ? table.rows.flatMap(withinSpread) : [],
  )
  yield* once(evidence, 'within-spread', within, said => say('audit.within-spread', said))
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

/** "78.1 ± 9.5 | 76.9 ± 9.9 | -1.2": the scores lie within each other's spread. */
function withinSpread(row: readonly Cell[]): readonly Hit[] {
  const spread = row.flatMap(({ quantities: [mean, by, more] }) =>
    mean !== undefined && by?.plusMinus === true && more === undefined ? [{ mean: mean.value, by: by.value }] : [],
  )
  const [a, b, more] = spread
  if (a === undefined || b === undefined || more !== undefined) return []
  return Math.abs(a.mean - b.mean) < Math.min(a.by, b.by) ? [hitOnRow(row)] : []
}

const hitOnRow = (row: readonly Cell[]): Hit => ({
  offset: row[0]?.offset ?? 0,
  quote: row.map(({ text }) => text).join(' | '),
})

/** Two standard errors of the difference of two shares near one half, in points. */
const chanceOf = (n: number): number => 100 * 2 * Math.sqrt(0.5 / n)

const isVerdict = ({ kind, text }: Statement): boolean =>
  (kind === 'sentence' || kind === 'item') && has(text, 'verdict', 'better', 'worse', 'up', 'down')

const HAS_SHARE = /\d\s?%/
const OF = /(?<![\d./-])(\d{1,5})\s?\/\s?(\d{1,5})(?![\d./-])/g
const SCORE = /%|准确|正确|命中|通过率|成功率|胜率|accura|correct|pass|success rate|solved|win rate/i
const COUNTED = String.raw`(?:prompts?|questions?|cases?|examples?|samples?|problems?|vignettes?|items?|episodes?|trials?)`
const NO_QUESTION = /配置|设置|epoch|step|shot|轮|步|config|settings?|metrics?|指标|任务数/i

/** The size that a score is printed with. */
function sizeIn({ kind, text, cell, table }: Statement): number | null {
  const row = table?.rows[cell?.row ?? -1]?.[0]?.text ?? ''
  if (kind === 'code' || kind === 'heading' || text.length > LONGEST) return null
  if (!SCORE.test(text) || NO_QUESTION.test(`${text} ${row}`)) return null
  const [size = null] = sizesIn(text)
  return size !== null && size < FEW ? size : null
}

function sizesIn(text: string): readonly number[] {
  return everyMatch(text, OF).flatMap(([, k, n]) => (Number(k) <= Number(n) && Number(n) >= FEWEST ? [Number(n)] : []))
}

const TEST_SET = new RegExp(
  String.raw`(?:eval|test|benchmark|dataset|评[测估]|测试|验证)[^.。;；\n|]{0,40}?(?<![\d.,])(\d{1,2})\s?(?:(?:[a-z]+ ){0,3}${COUNTED}(?![a-z])|题|条|个(?:样本|问题|用例|样例))|(?:eval\w*|test|held-out) ${COUNTED}\s?[:：=]\s?(\d{1,2})(?![\d.,])`,
  'i',
)

const isTestSet = ({ kind, text }: Statement): boolean => kind !== 'code' && TEST_SET.test(text)

/** The size of the test set: the one that most scores of the tables are printed with, or what the text calls it. */
function sizeOf({ document, matrices }: Evidence): number | null {
  const counts = new Map<number, number>()
  for (const { text } of matrices.flatMap(({ table }) => table.rows.flat()))
    for (const n of sizesIn(text)) counts.set(n, (counts.get(n) ?? 0) + 1)
  const [most] = [...counts].sort((a, b) => b[1] - a[1])
  if (most !== undefined && most[1] >= 3 && most[0] >= 20) return most[0]
  const [named] = document.statements.filter(isTestSet)
  const match = TEST_SET.exec(named?.text ?? '')
  return match === null ? null : Number(match[1] ?? match[2])
}

const POINTS = /(\d+(?:\.\d+)?)\s?(?:个)?(?:百分点|percentage points?|points?|pp)(?![a-z])/i

/** How far two scores are said to be apart, in points. */
function gapIn({ text, quantities }: Statement): number | null {
  const points = POINTS.exec(text)?.[1]
  if (points !== undefined) return Number(points)
  const shares = quantities.filter(
    ({ value, unit, decimals, signed }) => unit === null && !signed && (decimals ?? 0) > 1 && value > 0 && value < 1,
  )
  const percents = quantities.filter(({ unit, signed }) => unit === '%' && !signed)
  const [a, b, more] = shares.length > 1 ? shares : percents
  if (a === undefined || b === undefined || more !== undefined) return null
  return Math.abs(a.value - b.value) * (a.unit === null ? 100 : 1)
}

export const fewSamples: Rule = { check }

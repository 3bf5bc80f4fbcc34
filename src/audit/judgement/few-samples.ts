import type { Statement } from '../../document/document.js'
import { everyMatch } from '../../document/matches.js'
import type { Matrix } from '../../document/matrix.js'
import { sentences } from '../../text/sentences.js'
import type { Fault } from '../assertion.js'
import type { Evidence } from '../evidence.js'
import { has } from '../lexicon.js'
import { isStated } from '../stance.js'
import { type Hit, hitOn, hitOnRow, once } from './hits.js'
import { chanceOf } from './power.js'

/**
 * Scores of few questions, where their number stands in the score itself, as so many of so many, or in the words for the
 * test set. A share of a few dozen is known to tens of points only; of more questions two scores must differ by two
 * standard errors to be apart.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.few-samples': { en: '“{quote}”: with {n} questions two scores differ by up to {points} points by chance alone (lines {lines}); give the interval, or evaluate on more', zh: '“{quote}”：只有 {n} 题，仅凭偶然两个分数就会相差至多 {points} 个百分点（第 {lines} 行）；应给出区间，或增加题数' },
})

const FEW = 100
const LONGEST = 300
const MOST = 6

export function* fewSamples(evidence: Evidence): Generator<Fault> {
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
function sizeIn({ kind, text, cell, table }: Statement): number | null {
  const row = table?.rows[cell?.row ?? -1]?.[0]?.text ?? ''
  if (kind === 'code' || kind === 'heading' || text.length > LONGEST) return null
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
function sizeOf({ document, matrices }: Evidence): number | null {
  const counts = new Map<number, number>()
  for (const { text } of matrices.flatMap(({ table }) => table.rows.flat()))
    for (const n of sizesIn(text)) counts.set(n, (counts.get(n) ?? 0) + 1)
  const [most] = [...counts].sort((a, b) => b[1] - a[1])
  if (most !== undefined && most[1] >= 3 && most[0] >= 20) return most[0]
  const named = document.statements.find(
    ({ kind, text }) => kind !== 'code' && TEST_SET.test(text) && !/train|训练/i.test(text),
  )
  const match = TEST_SET.exec(named?.text ?? '')
  return match === null ? null : Number(match[1] ?? match[2])
}

const POINTS = /(\d+(?:\.\d+)?)\s?个?(?:百分点|percentage points?|points?|pp)(?![a-z])/i

/** How far two scores are said to be apart. */
function pointsApart({ text, quantities }: Statement): number | null {
  const points = POINTS.exec(text)?.[1]
  if (points !== undefined) return Number(points)
  const percents = quantities.filter(({ unit, signed }) => unit === '%' && !signed)
  const shares = quantities.filter(({ value, unit, decimals }) => unit === null && (decimals ?? 0) > 1 && value < 1)
  const [a, b, more] = percents.length > 0 ? percents : SCORE.test(text) ? shares : []
  if (a === undefined || b === undefined || more !== undefined) return null
  return Math.abs(a.value - b.value) * (a.unit === null ? 100 : 1)
}

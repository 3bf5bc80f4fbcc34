import type { Statement } from '../../document/document.js'
import type { Quantity } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted, changeReadings, isMisprint, meets, middle, sizeOf, statedRange } from '../arithmetic.js'
import type { Fault, Rule } from '../assertion.js'
import { type Entry, entriesOf } from '../entries.js'
import type { Evidence } from '../evidence.js'
import { fault } from '../fault.js'
import { has, source } from '../lexicon.js'
import { wordsOf } from '../names.js'

/**
 * Figures in a row: the mean of a list that the sentence prints, and two entries of a list with what became of them.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.list-change': { en: '“{quote}”: from {from} to {to} is {expected}, not {found}; write {expected}', zh: '“{quote}”：{from} 到 {to} 是 {expected}，不是 {found}；应写 {expected}' },
  'audit.list-sum': { en: '“{quote}”: {values} add up to {expected}, not {found}; write {expected}', zh: '“{quote}”：{values} 之和是 {expected}，不是 {found}；应写 {expected}' },
  'audit.list-mean': { en: '“{quote}”: the mean of {values} is {expected}, not {found}; write {expected}', zh: '“{quote}”：{values} 的平均是 {expected}，不是 {found}；应写 {expected}' },
})

function* check(evidence: Evidence): Generator<Fault> {
  const { statements } = evidence.document
  yield* outcomes(entriesOf(evidence))
  for (const statement of statements) if (statement.quantities.length > 2) yield* meanOf(statement)
}

/** "Original size: 2,953 MB", "Compressed size: 767 MB", "Reduction: 74 %": the two before share a word and a unit. */
function* outcomes(entries: readonly Entry[]): Generator<Fault> {
  for (const [i, entry] of entries.entries()) {
    const [result, more] = entry.quantities
    const [a, b] = [entries[i - 2], entries[i - 1]]
    if (result === undefined || more !== undefined || result.from > 2 || a === undefined || b === undefined) continue
    if ((result.unit !== '%' && result.unit !== 'times' && !result.signed) || !has(entry.key, 'change', 'up', 'down'))
      continue
    const [left, right] = [a.quantities[0], b.quantities[0]]
    const isList = [a, b].every(one => one.section === entry.section && one.quantities.length === 1)
    if (left === undefined || right === undefined || !isList || left.unit !== right.unit || left.unit === '%') continue
    const words = wordsOf(a.key).map(({ text }) => text)
    if (!wordsOf(b.key).some(({ text }) => words.includes(text))) continue
    const readings = changeReadings(left.range, right.range, result, { percents: false, isShare: false })
    const [reading] = readings
    if (reading === undefined || readings.some(range => meets(sizeOf(statedRange(result)), range))) continue
    if (!isMisprint(result.value, middle(reading))) continue
    const expected = asPrinted(Math.sign(result.value || 1) * middle(reading), result)
    const found = entry.value.slice(result.from, result.to)
    const params = { quote: `${entry.key}: ${entry.value}`, from: a.value, to: b.value, expected, found }
    const beside = { severity: 'warning', also: [a.offset, b.offset] } as const
    yield fault('percent-change', entry.offset, say('audit.list-change', params), beside)
  }
}

const MEAN_BEFORE = new RegExp(`${source('mean')}(?:为|是|[:：=]| of| is| was)?\\s?$`, 'i')
const SUM_BEFORE =
  /(?:合计|总计|总共|一共|共计|共|(?<![A-Za-z])(?:total(?:ling| of|s)?|in total|sum|altogether))(?:为|是|[:：=]| of| is| was)?\s?$/i
const SEPARATOR = /^\s?(?:[,，、/]|and|和|与)\s?$/i
/** "from a to b" and "a vs b" are no list. */
const NO_LIST = /→|->|到|至|(?<![A-Za-z])(?:to|vs\.?|versus)(?![A-Za-z])/i

/** "A 1.2 %, B 0.6 % (mean 0.9 %)", "A 5.5 h, B 2.2 h, 7.7 h in total": the figures since the last colon, all alike. */
function* meanOf(statement: Statement): Generator<Fault> {
  const { text, quantities } = statement
  if (!has(text, 'mean', 'total') || text.length > 300) return
  for (const [end, result] of quantities.entries()) {
    const start = Math.max(...[':', '：', ';', '；', '。'].map(mark => text.lastIndexOf(mark, result.from)))
    const list = quantities.slice(0, end).filter(({ from }) => from > start)
    const last = list.at(-1)
    const isAlike = ({ unit, decimals, signed, ends }: Quantity): boolean =>
      unit === last?.unit && decimals === result.decimals && signed === result.signed && ends === null
    if (last?.unit !== result.unit && last?.unit !== null) continue
    if (last === undefined || list.length < 2 || !list.every(isAlike) || result.from - last.to > 24) continue
    const ahead = text.slice(last.to, result.from)
    const isSum = SUM_BEFORE.test(ahead)
    if ((!isSum && !MEAN_BEFORE.test(ahead)) || result.hedge !== null || (isSum && result.unit === null)) continue
    const gaps = list.slice(1).map((one, i) => text.slice(list[i]?.to, one.from))
    if (gaps.some(gap => NO_LIST.test(gap) || !/[,，、/]|and|和|与/.test(gap))) continue
    const value = list.reduce((sum, one) => sum + one.value, 0) / (isSum ? 1 : list.length)
    const half = Math.max(...list.map(({ range }) => (range.high - range.low) / 2)) * (isSum ? list.length : 1)
    if (meets(statedRange(result), { low: value - half, high: value + half })) continue
    const [expected, found] = [asPrinted(value, result), text.slice(result.from, result.to)]
    const params = { quote: text, values: list.map(one => one.value).join(', '), expected, found }
    // Where names stand between the figures, it may be of more than these; and what is far off counts something else.
    const isPure = !isSum && list.length > 2 && gaps.every(gap => SEPARATOR.test(gap))
    if (isSum && Math.abs(value / result.value - 1) > 0.3) continue
    const message = isSum ? say('audit.list-sum', params) : say('audit.list-mean', params)
    yield fault(isSum ? 'wrong-sum' : 'wrong-mean', statement.offsetOf(result.from), message, {
      severity: isPure ? 'error' : 'warning',
      isFix: true,
    })
  }
}

export const lists: Rule = { check }

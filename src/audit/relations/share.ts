import type { Statement } from '../../document/document.js'
import { everyMatch } from '../../document/matches.js'
import type { Stretch } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted, statedRange } from '../arithmetic.js'
import { type Assertion, confirmed, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import { refute } from '../fault.js'
import { assertionIn, figureAs, printedFigure } from '../read.js'

/** "12/80 tasks solved (15 %)", "45 % (9 of 20)", "score 1.4 / 1.0": a part, a whole, and what share it is. */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.share': { en: '“{quote}”: {part} of {whole} is {expected}, not {found}; write {expected}', zh: '“{quote}”：{whole} 中的 {part} 是 {expected}，不是 {found}；应写 {expected}' },
  'audit.impossible-score': { en: '“{quote}”: {part} is more than the {whole} that can be reached; one of the two is wrong', zh: '“{quote}”：{part} 超过了满分 {whole}；两个数中必有一个不对' },
})

const INTEGER = String.raw`\d{1,3}(?:,\d{3})+|\d{1,9}`
const PERCENT = String.raw`[~≈约<>≤≥]?\s?(\d{1,3}(?:\.\d{1,6})?)\s?%`
const FRACTION = String.raw`(?<![\d./])(${INTEGER})\s?(?:\/|(?:out )?of(?: the)?)\s?(${INTEGER})(?![\d./]|\s?%)`
const BEHIND = new RegExp(String.raw`${FRACTION}[^\d%;；。,，/]{0,24}?(?:[(（=:：→]|is)\s?${PERCENT}`, 'giu')
const BEFORE = new RegExp(String.raw`(?<![\d.])${PERCENT}\s?[(（]\s?${FRACTION}\s?[^\d()（）]{0,20}[)）]`, 'giu')
const OF_WHOLE =
  /(?<![\d.])(\d{1,3}(?:,\d{3})+|\d{1,9})[^\d,，。;；]{0,8}[,，]?\s?占[^\d,，。;；%]{0,10}(\d{1,3}(?:,\d{3})+|\d{1,9})[^\d,，。;；%]{0,8}的\s?(\d{1,3}(?:\.\d{1,6})?)\s?%/gu
/** 300 局中有 147 局成功，成功率 49%. */
const WITHIN =
  /(?<![\d.])(\d{1,3}(?:,\d{3})+|\d{1,9})\s?\p{Script=Han}{1,4}中[^\d,，。;；%]{0,6}(\d{1,3}(?:,\d{3})+|\d{1,9})[^\d。;；%]{0,16}(?:率|占比?|比例)(?:为|是|达)?\s?(\d{1,3}(?:\.\d{1,6})?)\s?%/gu
const SCORE =
  /(?<![A-Za-z])(?:score|得分|评分|分数|accuracy|正确率)[^\d\n]{0,12}?(\d{1,3}(?:\.\d{1,3})?)\s?\/\s?(\d{1,3}(?:\.\d{1,3})?)(?![\d./%])/giu

function* inStatement(statement: Statement): Generator<Assertion> {
  const { text } = statement
  if (!/\d/.test(text)) return
  if (text.includes('%')) {
    const words = text.replace(/(?<=[A-Za-z][A-Za-z_-]*)\d/g, 'n')
    for (const match of everyMatch(words, BEHIND)) yield shareIn(statement, match, [1, 2, 3])
    for (const match of everyMatch(words, OF_WHOLE)) yield shareIn(statement, match, [1, 2, 3])
    for (const match of everyMatch(words, WITHIN)) yield shareIn(statement, match, [2, 1, 3])
    for (const match of everyMatch(words, BEFORE)) yield shareIn(statement, match, [2, 3, 1])
  }
  for (const match of everyMatch(text, SCORE)) {
    const [part, whole] = [figure(statement, match, 1, 'part'), figure(statement, match, 2, 'whole')]
    yield assertionIn(statement, 'share', stretchOf(match), { figures: [part, whole], manner: 'score' })
  }
}

const stretchOf = (match: RegExpExecArray): Stretch => ({ from: match.index, to: match.index + match[0].length })

function shareIn(
  statement: Statement,
  match: RegExpExecArray,
  [k, n, p]: readonly [number, number, number],
): Assertion {
  const figures = [
    figure(statement, match, k, 'part'),
    figure(statement, match, n, 'whole'),
    figure(statement, match, p, 'result', '%'),
  ]
  return assertionIn(statement, 'share', stretchOf(match), { figures })
}

/** A group of a match as a figure; the digits may be part of what the tokens call a step ("Step 40/80"). */
function figure(
  statement: Statement,
  match: RegExpExecArray,
  group: number,
  role: 'part' | 'whole' | 'result',
  unit: '%' | '' = '',
): Assertion['figures'][number] {
  const printed = match[group] ?? ''
  let at = match.index
  for (let g = 1; g < group; g += 1) {
    const earlier = match[g] ?? ''
    const found = match[0].indexOf(earlier, at - match.index)
    if (found >= 0) at = match.index + found + earlier.length
  }
  const start = Math.max(match.index + match[0].indexOf(printed, at - match.index), match.index)
  const mark = /([~≈约<>≤≥])\s?$/.exec(statement.text.slice(Math.max(0, start - 2), start))?.[1] ?? ''
  const hedge = /[<>≤≥]/.test(mark) ? mark : mark === '' ? '' : '约'
  return printedFigure(statement, `${printed}${unit}`, start, role, hedge)
}

function check(assertion: Assertion): Outcome {
  const [part, whole] = [figureAs(assertion, 'part'), figureAs(assertion, 'whole')]
  const result = figureAs(assertion, 'result')
  if (part === null || whole === null || whole.quantity.value === 0) return UNCHECKED
  const params = { quote: assertion.quote, part: part.text, whole: whole.text }
  if (assertion.manner === 'score') {
    if (part.quantity.value <= whole.quantity.value) return confirmed(`${part.text} ≤ ${whole.text}`)
    const more = { found: part.text, expected: `≤ ${whole.text}` }
    return refute('impossible-score', part.offset, say('audit.impossible-score', params), more)
  }
  if (result === null) return UNCHECKED
  const percent = (100 * part.quantity.value) / whole.quantity.value
  const { low, high } = statedRange(result.quantity)
  if (percent >= low && percent <= high) return confirmed(`${part.text}/${whole.text}`)
  // "4/80 failed (95 % passed)".
  if (100 - percent >= low && 100 - percent <= high) return confirmed(`1 − ${part.text}/${whole.text}`)
  const expected = asPrinted(percent, result.quantity)
  const message = say('audit.share', { ...params, found: result.text, expected })
  return refute('wrong-share', result.offset, message, { isFix: true })
}

export const share: Relation = { names: ['share'], inStatement, check }

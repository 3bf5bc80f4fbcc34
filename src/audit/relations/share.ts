import type { Statement } from '../../logs/document/document.js'
import type { Matrix } from '../../logs/document/matrix.js'
import { lastAtMost } from '../../logs/document/places.js'
import { countAt, type Quantity } from '../../logs/document/quantity.js'
import { memoByObject } from '../../logs/model/util/memo.js'
import { sentences } from '../../text/sentences.js'
import { asPrinted, isCount, isMistyped, isPlain, isSlip, statedRange } from '../arithmetic.js'
import { type Assertion, type CheckOutcome, confirmed, type Relation, refute, UNCHECKED } from '../assertion.js'
import { type ReportEvidence, significantDigits } from '../evidence.js'
import { assertionInCell, assertionOver, cellFigure, figureAs, figureOf } from '../extract.js'
import { has } from '../lexicon.js'
import { CHANGED } from './levels.js'

/**
 * A part, a whole, and what share it is: "12/80 tasks solved (15 %)", "score 1.4 / 1.0", and "52 were relevant (13 %)",
 * where the whole stands near by, and columns of shares.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.share': { en: '“{quote}”: {part} of {whole} is {expected}, not {found}; write {expected}', zh: '“{quote}”：{whole} 中的 {part} 是 {expected}，不是 {found}；应写 {expected}' },
  'audit.impossible-score': { en: '“{quote}”: {part} is more than the {whole} that can be reached; one of the two is wrong', zh: '“{quote}”：{part} 超过了满分 {whole}；两个数中必有一个不对' },
})

function isShare(part: number, whole: number, stated: Quantity): boolean {
  const { low, high } = statedRange(stated)
  return (100 * part) / whole >= low && (100 * part) / whole <= high
}

const FRACTION = /^\s?(?:\/|(?:out )?of(?: the)?)\s?$/i
const TO_PERCENT = /^[^\d%;。,/]{0,24}?(?:[(=:→]|is|,\s?(?:or|i\.e\.|that is|即|占))\s?[~≈约<>≤≥]?\s?$/i
const SCORE = /(?<![A-Za-z])(?:score|得分|评分|分数|accuracy|正确率)[^\d\n]{0,12}$/i

function* inStatement(statement: Statement, evidence: ReportEvidence): Generator<Assertion> {
  const { text, quantities, steps } = statement
  if (!/%|\d\s?\//.test(text)) return
  const assert = (manner: string, part: Quantity, whole: number, result: Quantity): Assertion => {
    const figures = [figureOf(statement, part, 'part'), figureOf(statement, result, 'result')]
    return assertionOver(statement, 'share', { figures, manner: `${manner} ${part.value} ${whole}` })
  }
  // "Step 40/80" is progress: of what counts, a step is a part as well.
  const figures = [...quantities, ...steps.map(step => countAt(step, step.last))].sort((a, b) => a.from - b.from)
  for (const [i, part] of figures.entries()) {
    const [before, whole, behind] = [figures[i - 1], figures[i + 1], figures[i + 2]]
    if (whole === undefined || !FRACTION.test(text.slice(part.to, whole.from))) continue
    const isScore = Number.isInteger(whole.value) && SCORE.test(text.slice(Math.max(0, part.from - 24), part.from))
    if (isScore) yield assert('score', part, whole.value, whole)
    const isBehind = behind !== undefined && TO_PERCENT.test(text.slice(whole.to, behind.from))
    const isAhead = /^\s?\(\s?$/.test(text.slice(before?.to, part.from))
    const percent = isBehind ? behind : isAhead ? before : undefined
    if (percent?.unit !== '%' || percent.signed || !isCount(part) || !isCount(whole)) continue
    yield assert('sure', part, whole.value, percent)
  }
  for (const [part, percent] of sharesIn(statement)) {
    const whole = wholeOf([part, percent], statement, evidence)
    if (whole !== undefined) yield assert('unsure', part, whole, percent)
  }
}

/** A count, and right behind it which share it is of something: "71 were kept (23.5 %)", 丢弃 52 例，占 13.0%. */
type Share = readonly [part: Quantity, percent: Quantity]

const BESIDE = /^[^\d,;。(:]{0,72}(?<!more|fewer|less|[多少])\s?\(\s?$|^[^\d,;。(]{0,12},\s?占[\u4e00-\u9fff]{0,4}\s?$/i
/** "3 of 40 (7.5 %)", "ranks 1–8 (15 %)": the end of something else. */
const IS_END = /(?:\d\s?[/–—-]|(?<![A-Za-z])of(?: the)?)\s?$/i

function sharesIn({ text, quantities, kind }: Statement): readonly Share[] {
  return quantities.flatMap((part, i): Share[] => {
    const percent = quantities[i + 1]
    if (kind === 'cell' || percent?.unit !== '%' || !isPlain(percent) || !isCount(part) || part.value < 2) return []
    const isBeside = BESIDE.test(text.slice(part.to, percent.from)) && !IS_END.test(text.slice(0, part.from))
    // "Cut 52 (13.0 %)", "52 (13.0 % less)", "52 long ones (31 % of the words)".
    const isChange = has(text.slice(Math.max(0, part.from - 8), part.from), ...CHANGED)
    return isBeside && !isChange && /^\s?(?:[),;。]|$)/.test(text.slice(percent.to)) ? [[part, percent]] : []
  })
}

const FEWEST_RIGHT = 2
const LINES_AROUND = 4
const CALLED_WHOLE = /(?:(?<![A-Za-z])(?:of|among)(?: the| all)?|共\D{0,2}|总\D{0,4})\s?#|#[^\d,;。]{0,9}[中里]/i

/**
 * The number near by of which it is the share. Where none is, and none of the report at all, it is wrong of the only one
 * that the sentence calls a whole, that two other lines are shares of, or of which it is a misprint.
 */
function wholeOf([part, percent]: Share, statement: Statement, evidence: ReportEvidence): number | undefined {
  const { text, quantities, section } = statement
  const at = evidence.indexOf(statement)
  const lines = evidence.document.statements.slice(Math.max(0, at - LINES_AROUND), at + LINES_AROUND)
  const around = lines.filter(one => one.section === section)
  const isRight = (whole: number): boolean => [part.value, whole - part.value].some(one => isShare(one, whole, percent))
  const wholes = [...new Set(around.flatMap(countsIn))].filter(whole => whole > part.value)
  const right = wholes.find(isRight)
  if (right !== undefined || isShareOfAny(part.value, percent, evidence)) return right
  const called = quantities.filter(({ from, to }) => CALLED_WHOLE.test(`${text.slice(0, from)}#${text.slice(to)}`))
  const others = around.filter(one => one !== statement).flatMap(sharesIn)
  const [whole, another] = wholes.filter(one => {
    const isCalled = called.some(({ value }) => value === one) && isSlip(percent.value, (100 * part.value) / one)
    const agreeing = others.filter(([count, stated]) => isShare(count.value, one, stated))
    const isMisprint = isMistyped(percent.value, (100 * part.value) / one, percent.decimals)
    return isCalled || agreeing.length >= FEWEST_RIGHT || (isMisprint && significantDigits(percent) > 2)
  })
  return another === undefined ? whole : undefined
}

const countsIn = ({ quantities }: Pick<Statement, 'quantities'>): readonly number[] =>
  quantities.filter(isCount).map(({ value }) => value)

const numbersIn = memoByObject(({ document: { statements, tables } }: ReportEvidence) =>
  [...new Set([...statements, ...tables.flatMap(({ rows }) => rows.flat())].flatMap(countsIn))].sort((a, b) => a - b),
)

/** Whether some number of the report is a whole of which, or of the rest of which, it is this share. */
function isShareOfAny(part: number, percent: Quantity, evidence: ReportEvidence): boolean {
  const { low, high } = statedRange(percent)
  const numbers = numbersIn(evidence)
  const isPrinted = (least: number, most: number): boolean => (numbers[lastAtMost(numbers, most)] ?? 0) >= least
  return (
    isPrinted((100 * part) / high, (100 * part) / low) ||
    isPrinted((100 * part) / (100 - low), (100 * part) / (100 - high))
  )
}

const MOST_COLUMNS = 14

/**
 * A column of percentages, or "96 (64 %)" in its cells: which count of the row is the part and what the whole is (another
 * count, the 80 of "12/80", the sum of all parts, what one of the shares implies) is solved from the rows that agree. What
 * explains all of them but one is what the author meant.
 */
function* inTable(matrix: Matrix): Generator<Assertion> {
  const columns = matrix.columns.map(({ index }) => index)
  const rows = matrix.rows.flatMap(({ role, index }) => {
    const cells = matrix.table.rows[index] ?? []
    const counts = cells.map(cell => (cell.quantities[0]?.from === 0 ? countsIn(cell) : []))
    return role === 'value' ? [{ cells, counts }] : []
  })
  const counted = columns.filter(column => rows.some(({ counts }) => (counts[column] ?? []).length > 0))
  for (const column of columns.length > MOST_COLUMNS ? [] : columns) {
    const shown = rows.flatMap(({ cells: { [column]: cell }, counts }) => {
      const [percent, more] = cell?.quantities.filter(({ unit }) => unit === '%') ?? []
      if (cell === undefined || percent === undefined || more !== undefined) return []
      return percent.signed || percent.value === 0 ? [] : [{ cell, percent, counts }]
    })
    const ways = (shown.length < FEWEST_RIGHT ? [] : counted).flatMap(own => {
      const parts = shown.map(({ counts }) => counts[own]?.[0] ?? 0)
      const sum = parts.reduce((all, part) => all + part, 0)
      const implied = shown.map(({ percent }, i) => Math.round((100 * (parts[i] ?? 0)) / percent.value))
      const inRows = counted.map(other => shown.map(({ counts }) => counts[other]?.[other === own ? 1 : 0] ?? 0))
      return [...inRows, ...[...new Set([sum, ...implied])].map(whole => parts.map(() => whole))].map(wholes => {
        const shares = shown.map((one, i) => ({ ...one, part: parts[i] ?? 0, whole: wholes[i] ?? 0 }))
        return shares.filter(({ part, whole }) => part > 0 && part <= whole)
      })
    })
    const best = ways.reduce((one, other) => (rightIn(other) > rightIn(one) ? other : one), [])
    if (rightIn(best) < Math.max(FEWEST_RIGHT, best.length - 1)) continue
    for (const { part, whole, cell, percent } of best) {
      const figures = [cellFigure(cell, percent)]
      yield assertionInCell(matrix, cell, 'share', {
        figures,
        manner: `${rightIn(best) > 2 ? 'sure' : 'unsure'} ${part} ${whole}`,
      })
    }
  }
}

/** How many are what they say; all of something is all of much else. */
const rightIn = (shares: readonly { readonly part: number; readonly whole: number; readonly percent: Quantity }[]) =>
  shares.filter(({ part, whole, percent }) => part < 0.99 * whole && isShare(part, whole, percent)).length

function check(assertion: Assertion): CheckOutcome {
  const { manner, quote } = assertion
  const [sureness, ...counts] = manner.split(' ')
  const [ofPart, ofWhole, result] = (['part', 'whole', 'result'] as const).map(role => figureAs(assertion, role))
  const [part = ofPart?.quantity.value ?? 0, whole = ofWhole?.quantity.value ?? 0] = counts.map(Number)
  if (result == null || whole <= 0) return UNCHECKED
  if (sureness === 'score') {
    if (part <= whole) return confirmed(`${part} ≤ ${whole}`)
    const more = { found: String(part), expected: `≤ ${whole}` }
    return refute('impossible-score', assertion.offset, say('audit.impossible-score', { quote, part, whole }), more)
  }
  // "4/80 failed (95 % passed)".
  if ([part, whole - part].some(one => isShare(one, whole, result.quantity))) return confirmed(`${part} / ${whole}`)
  const expected = asPrinted((100 * part) / whole, result.quantity)
  const severity = sureness === 'unsure' ? 'warning' : 'error'
  const message = say('audit.share', { quote, part, whole, expected, found: result.text })
  return refute('wrong-share', result.offset, message, { severity, isFix: true })
}

export const share: Relation = { names: ['share'], inStatement, inTable, check }

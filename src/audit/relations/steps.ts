import type { Statement } from '../../document/document.js'
import { sentences } from '../../text/sentences.js'
import { type Assertion, type CheckOutcome, confirmed, type Relation, refute, UNCHECKED } from '../assertion.js'
import { pointName, type ReportEvidence } from '../evidence.js'
import { assertionOver, figureAs, figureOf } from '../extract.js'
import { levelsIn } from './levels.js'

/** When a change happened: "from 1.52 to 0.31 within 20 steps", "steps 10-40: 1.52 → 0.31", by the line that holds both. */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.step-span': { en: '“{quote}”: {from} stands at {first} and {to} at {last} (“{line}”): {expected} steps, not {found}; write {expected}', zh: '“{quote}”：{from} 在 {first}，{to} 在 {last}（“{line}”），相隔 {expected} 步，不是 {found}；应写 {expected}' },
  'audit.step-value': { en: '“{quote}”: {from} stands at {first}, and {claimed} has {expected} (“{line}”); write {expected}', zh: '“{quote}”：{from} 在 {first}，而 {claimed} 是 {expected}（“{line}”）；应写 {expected}' },
})

/** "…, the last 40 steps" is another stretch. */
const PART = /[前后末首第]|last|first|final/i

function* inStatement(statement: Statement): Generator<Assertion> {
  const { text, quantities, steps } = statement
  for (const { a, b, joint } of levelsIn(statement)) {
    const count = quantities.find(({ unit, from }) => unit === 'step' && from >= b.to && from - b.to < 8)
    const isExact = count !== undefined && count.bound === null && count.hedge === null
    const span = isExact && !PART.test(text.slice(b.to, count.from)) ? [figureOf(statement, count, 'span')] : []
    if (joint !== 'change' || (span.length === 0 && !steps.some(({ first, last }) => first < last))) continue
    const figures = [figureOf(statement, a, 'from'), figureOf(statement, b, 'to'), ...span]
    yield assertionOver(statement, 'steps', { figures })
  }
}

/** So many steps apart, and the first at the step that the sentence names. */
function check(assertion: Assertion, evidence: ReportEvidence): CheckOutcome {
  const [a, b, count] = (['from', 'to', 'span'] as const).map(role => figureAs(assertion, role))
  if (a == null || b == null) return UNCHECKED
  const lines = evidence.holding(a.quantity).flatMap(({ line, point: from }) => {
    const start = from.at.step ?? Number.NaN
    const to = line.points.find(one => one.quantity.value === b.quantity.value && (one.at.step ?? 0) > start)
    return to === undefined ? [] : [{ line, from, to, gap: (to.at.step ?? 0) - start }]
  })
  const [one] = lines
  if (one === undefined) return UNCHECKED
  const { line, from, to, gap } = one
  const ends = { from: a.text, to: b.text, first: pointName(line, from), last: pointName(line, to) }
  const params = { quote: assertion.quote, line: line.of.name, ...ends }
  if (count != null && !lines.some(other => Math.abs(other.gap - count.quantity.value) <= 1)) {
    const message = say('audit.step-span', { ...params, found: count.quantity.value, expected: gap })
    return refute('step-span', count.offset, message, { also: [from.cell.offset, to.cell.offset] })
  }
  const [range, more] = assertion.scope.statement?.steps ?? []
  const start = line.points.find(({ at }) => at.step === range?.first)
  const isMet = start?.quantity.value === a.quantity.value || lines.some(other => other.from.at.step === range?.first)
  if (start === undefined || more !== undefined || isMet) return confirmed(line.of.name)
  const message = say('audit.step-value', { ...params, claimed: pointName(line, start), expected: start.cell.text })
  return refute('named-value', a.offset, message, { found: a.text, also: [start.cell.offset] })
}

export const steps: Relation = { names: ['steps'], inStatement, check }

import type { Statement } from '../../document/document.js'
import { type Line, type Point, shortLines } from '../../document/matrix.js'
import { sentences } from '../../text/sentences.js'
import { meets, statedRange } from '../arithmetic.js'
import { type Assertion, confirmed, type Outcome, type Relation, refuted, UNCHECKED } from '../assertion.js'
import { entriesOf } from '../entries.js'
import { type Evidence, isIn, mentionAt, namesOf, significantDigits } from '../evidence.js'
import { fault } from '../fault.js'
import { assertionIn, figureAs, figureOf } from '../read.js'

/**
 * A value at a step, said in prose and printed in a table: "step 90: validation reward 3.41". The cell must be named
 * by its step and by its line; another table that has the figure at that step saves it. And a mean beside its own range:
 * it lies inside it, and not at its end.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.named-value': { en: '“{quote}”: at {owner} the table has {expected} (“{line}”), not {found}; write {expected}', zh: '“{quote}”：表中 {owner} 是 {expected}（“{line}”），不是 {found}；应写 {expected}' },
  'audit.mean-impossible': { en: '“{quote}”: a mean of {found} cannot lie at or beyond the end of its own range {low} – {high}', zh: '“{quote}”：平均值 {found} 不可能在自己的范围 {low} – {high} 的端点或之外' },
})

function* read(evidence: Evidence): Generator<Assertion> {
  for (const statement of evidence.document.statements) {
    if (statement.kind === 'cell' || statement.kind === 'heading') continue
    yield* atStep(statement)
  }
  for (const entry of entriesOf(evidence)) {
    const [value, range] = entry.quantities
    if (value === undefined || range?.ends == null || entry.statement === null) continue
    if (value.from > 2 || !/mean|平均|均值/i.test(entry.value) || !/range|范围/i.test(entry.value)) continue
    const shift = entry.statement.text.length - entry.value.length
    const place = (quantity: typeof value) => ({ ...quantity, from: quantity.from + shift, to: quantity.to + shift })
    yield assertionIn(entry.statement, 'range', {
      from: 0,
      to: entry.statement.text.length,
      figures: [figureOf(entry.statement, place(value), 'value'), figureOf(entry.statement, place(range), 'bound')],
    })
  }
}

/** One step, then one figure that is no change. */
function* atStep(statement: Statement): Generator<Assertion> {
  const [step, more] = statement.steps
  if (step === undefined || more !== undefined || step.first !== step.last || statement.text.length > 200) return
  const [value] = statement.quantities.filter(one => one.from >= step.to)
  if (
    value === undefined ||
    significantDigits(value) < 3 ||
    value.signed ||
    value.bound !== null ||
    value.hedge !== null ||
    value.ends !== null
  )
    return
  if (/→|->|vs|从|from|降|升|提|增|减/.test(statement.text)) return
  yield assertionIn(statement, 'value', {
    from: step.from,
    to: value.to,
    figures: [figureOf(statement, value, 'value')],
    subjects: [String(step.first)],
    quantity: statement.text.slice(step.to, value.from),
  })
}

function check(assertion: Assertion, evidence: Evidence): Outcome {
  const figure = figureAs(assertion, 'value')
  if (figure === null || assertion.stance !== 'said') return UNCHECKED
  if (assertion.relation === 'range') return checkRange(assertion)
  const step = Number(assertion.subjects[0])
  const wrong: { line: Line; point: Point }[] = []
  for (const matrix of evidence.near(assertion.offset)) {
    for (const line of shortLines(matrix)) {
      const point = line.points.find(({ at }) => at.step === step)
      if (point === undefined) continue
      if (meets(statedRange(figure.quantity), point.quantity.range)) return confirmed(line.of.name)
      const { section } = matrix.table
      const isHere =
        isIn(assertion.scope.section, section) || isIn(section, assertion.scope.section) || isRecord(assertion)
      const isNamed = mentionAt(assertion.quantity ?? '', namesOf(matrix, line.of, !line.isColumn)) >= 0
      if (isHere && isNamed) wrong.push({ line, point })
    }
  }
  const [miss] = wrong
  if (
    miss === undefined ||
    wrong.length !== 1 ||
    evidence.holding(figure.quantity).some(({ point }) => point.at.step === step)
  )
    return UNCHECKED
  return refuted(
    fault(
      'named-value',
      figure.offset,
      say('audit.named-value', {
        quote: assertion.quote,
        owner: namesOf(miss.line.matrix, miss.point.at, miss.line.isColumn)[0] ?? String(step),
        expected: miss.point.cell.text,
        found: figure.text,
        line: miss.line.of.name,
      }),
      { also: [miss.point.cell.offset] },
    ),
  )
}

/** "Step 90: Validation Reward = 3.41" repeats a record of the table, wherever it stands. */
function isRecord({ scope, quantity }: Assertion): boolean {
  const text = scope.statement?.text ?? ''
  return (
    (scope.statement?.steps[0]?.from ?? 9) < 4 &&
    /^\s?[:：]/.test(quantity ?? '') &&
    /[=:：]\s?$/.test(quantity ?? '') &&
    text.length < 80
  )
}

function checkRange(assertion: Assertion): Outcome {
  const [value, range] = [figureAs(assertion, 'value'), figureAs(assertion, 'bound')]
  const ends = range?.quantity.ends
  if (value === null || ends == null) return UNCHECKED
  const [low, high] = [Math.min(...ends), Math.max(...ends)]
  if (low === high || (value.quantity.value > low && value.quantity.value < high)) return confirmed(`${low} – ${high}`)
  return refuted(
    fault(
      'mean-impossible',
      value.offset,
      say('audit.mean-impossible', { quote: assertion.quote, found: value.text, low, high }),
      { expected: `${low} – ${high}` },
    ),
  )
}

export const value: Relation = { name: 'value', read, check }

export const range: Relation = { name: 'range', read: () => [], check }

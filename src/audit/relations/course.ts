import type { Statement } from '../../document/document.js'
import { type Line, type Point, shortLines } from '../../document/matrix.js'
import { sentences } from '../../text/sentences.js'
import { meets } from '../arithmetic.js'
import { type Assertion, confirmed, type Figure, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import type { Entry } from '../entries.js'
import { type Evidence, goalOf, goalOfLine, pointName, significantDigits, topOf } from '../evidence.js'
import { refute } from '../fault.js'
import { has, source } from '../lexicon.js'
import { assertionIn, assertionInEntry, entryFigure, figureOf } from '../read.js'

/**
 * What a course is said to come to: a figure that is called final though it is the best, a best that is worse than the
 * last, and the largest swing from one evaluation to the next.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.best-below': { en: '“{key}” is {found}, but “{other}” is {expected}, which is better; one of the two is wrong', zh: '“{key}”是 {found}，而“{other}”是 {expected}，反而更好；两者必有一错' },
  'audit.final-is-best': { en: '“{quote}”: {found} is the best ({owner}), not the last: {last} has {expected}; write {expected}, or call it the best', zh: '“{quote}”：{found} 是最佳值（{owner}），不是最终值：{last} 是 {expected}；应写 {expected}，或称为最佳' },
  'audit.swing-omits-change': { en: '“{quote}”: the largest change of “{line}” is {expected}, from {from} ({first}) to {to} ({last}); write {expected}', zh: '“{quote}”：“{line}”的最大变化是 {expected}，从 {from}（{first}）到 {to}（{last}）；应写 {expected}' },
})

const SCORE = '(?:性能|表现|得分|分数|正确率|准确率|奖励|结果|score|reward|accuracy|performance|result)s?'
const FINAL = new RegExp(`${source('final')}\\s?${SCORE}(?![a-z])`, 'i')
const SWING =
  /最[大高](?:波动|起伏|变化|振幅|摆动)|(?:largest|biggest|maximum|max) (?:swing|fluctuation|jump|step change)/i

/** "Final performance (3.41)", "Largest swing ±14.1 %". */
function* inStatement(statement: Statement): Generator<Assertion> {
  const { text, quantities } = statement
  if (quantities.length === 0 || text.length > 600) return
  for (const [pattern, manner] of [[FINAL, 'last'] as const, [SWING, 'swing'] as const]) {
    const word = pattern.exec(text)
    const end = word === null ? 0 : word.index + word[0].length
    const stated = quantities.find(({ from, unit }) => from >= end && (manner === 'last' || unit === '%'))
    if (word === null || stated === undefined || stated.from - end > 26) continue
    if (/[,，;；。]|vs|→/.test(text.slice(end, stated.from))) continue
    const figures = [figureOf(statement, stated, 'value')]
    yield assertionIn(statement, 'course', { from: word.index, to: stated.to }, { figures, quantity: text, manner })
  }
}

const isAhead = ({ quantities: [first] }: Entry): boolean => (first?.from ?? 9) <= 3

/** "Final reward: 7.3" and "Best reward: 6.9" in one list: the best cannot be worse than the last. */
function* inEntries(entries: readonly Entry[]): Generator<Assertion> {
  for (const [i, entry] of entries.entries()) {
    if (!isAhead(entry) || !has(entry.key, 'best', 'maximum')) continue
    const noun = nounOf(entry.key)
    const others = entries
      .slice(Math.max(0, i - 6), i + 7)
      .filter(
        other =>
          other.section === entry.section &&
          other !== entry &&
          nounOf(other.key) === noun &&
          has(other.key, 'final', 'mean') &&
          isAhead(other),
      )
    if (noun === '' || others.length === 0) continue
    const figures = [entry, ...others].flatMap(one =>
      one.quantities.slice(0, 1).map(first => entryFigure(one, first, 'value')),
    )
    yield assertionInEntry(entry, 'course', {
      subjects: others.map(({ key }) => key),
      quantity: noun,
      figures,
      sense: has(entry.key, 'maximum') ? 'up' : null,
      manner: `entry ${entry.key}`,
    })
  }
}

const WHICH = new RegExp(`${source('best', 'final', 'mean', 'maximum')}|(?<![a-z])(?:the|at)(?![a-z])`, 'gi')

/** What the best or the last is of. */
function nounOf(key: string): string {
  return key
    .toLowerCase()
    .replace(/[(（].*[)）]/g, '')
    .replace(WHICH, '')
    .replace(/[^\p{L}]/gu, '')
}

function check(assertion: Assertion, evidence: Evidence): Outcome {
  const [figure, ...others] = assertion.figures
  if (figure === undefined) return UNCHECKED
  if (assertion.manner === 'last') return checkLast(assertion, figure, evidence)
  return assertion.manner === 'swing'
    ? checkSwing(assertion, figure, evidence)
    : checkEntries(assertion, figure, others)
}

/** What is called final must be the last of some line that holds it, not merely its best. */
function checkLast({ quote }: Assertion, { quantity, offset, text }: Figure, evidence: Evidence): Outcome {
  const held = evidence.holding(quantity).filter(({ line, point }) => line.points.length > 3 && point.at.step !== null)
  if (held.length === 0 || significantDigits(quantity) < 3) return UNCHECKED
  if (held.some(({ line, point }) => line.points.at(-1) === point)) return confirmed(held[0]?.line.of.name ?? '')
  const best = held.find(({ line, point }) => topOf(line.points, goalOfLine(line) ?? 'max') === point)
  const last = best?.line.points.at(-1)
  if (best === undefined || last === undefined) return UNCHECKED
  const [owner, expected] = [pointName(best.line, best.point), last.cell.text]
  const params = { quote, found: text, owner, last: pointName(best.line, last), expected }
  const also = [best.point.cell.offset, last.cell.offset]
  return refute('final-is-best', offset, say('audit.final-is-best', params), { also })
}

interface Move {
  readonly line: Line
  readonly from: Point
  readonly to: Point
  readonly percent: number
}

/** A swing that some line shows, but not as its largest. */
function checkSwing({ quote, offset }: Assertion, figure: Figure, evidence: Evidence): Outcome {
  const stated = Math.abs(figure.quantity.value)
  let miss: Move | null = null
  for (const line of evidence.near(offset).flatMap(shortLines)) {
    if (line.points.length < 4 || !line.points.every(({ at }) => at.step !== null)) continue
    const moves = line.points.slice(1).map((to, i): Move => {
      const from = line.points[i] ?? to
      return { line, from, to, percent: 100 * (to.quantity.value / from.quantity.value - 1) }
    })
    const largest = moves.reduce((top, move) => (Math.abs(move.percent) > Math.abs(top.percent) ? move : top))
    if (Math.abs(Math.abs(largest.percent) - stated) < 0.11) return confirmed(line.of.name)
    if (moves.some(({ percent }) => Math.abs(Math.abs(percent) - stated) < 0.06)) miss ??= largest
  }
  if (miss === null) return UNCHECKED
  const { line, from, to, percent } = miss
  const ends = { from: from.cell.text, first: pointName(line, from), to: to.cell.text, last: pointName(line, to) }
  const params = { quote, line: line.of.name, ...ends, expected: `${percent.toFixed(1)} %` }
  const more = { found: figure.text, also: [to.cell.offset] }
  return refute('swing-omits-change', figure.offset, say('audit.swing-omits-change', params), more)
}

function checkEntries(
  { manner, sense, quantity: noun, subjects }: Assertion,
  { quantity, offset, text }: Figure,
  others: readonly Figure[],
): Outcome {
  const key = manner.slice('entry '.length)
  const goal = sense === 'up' ? 'max' : goalOf([noun ?? '', key])
  if (goal === null) return UNCHECKED
  const rival = others.findIndex(
    one => !meets(one.quantity.range, quantity.range) && (goal === 'max') === one.quantity.value > quantity.value,
  )
  const beyond = others[rival]
  if (beyond === undefined) return confirmed(others[0]?.text ?? '')
  const params = { key, found: text, other: subjects[rival] ?? '', expected: beyond.text }
  return refute('final-is-best', offset, say('audit.best-below', params), { also: [beyond.offset] })
}

export const course: Relation = { names: ['course'], inStatement, inEntries, check }

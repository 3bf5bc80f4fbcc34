import { type Line, type Matrix, type Point, valueAt } from '../../document/matrix.js'
import { sentences } from '../../text/sentences.js'
import { meets } from '../arithmetic.js'
import { type Assertion, confirmed, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import { framesOf, kindest } from '../binding.js'
import { type Evidence, pointName } from '../evidence.js'
import { refute } from '../fault.js'
import { has, places } from '../lexicon.js'
import { areOf, type Clause, clauseOf, mentionsInText, namesCorner } from '../mentions.js'
import { assertionIn } from '../read.js'
import { isDenied } from '../stance.js'

/**
 * "Falls steadily", 明显缩短, "longer at every checkpoint", 系数越大得分越低: a direction for a whole line. In a table the
 * remark stands in the line; in prose the line is named, and goes along steps, from a column "before" to one "after", or
 * along the values of another column. Loose words are refuted only by the ends, strict ones by any step back.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.trend-contradicted': { en: '“{quote}”: “{line}” goes from {from} ({first}) to {to} ({last}, line {at}); write what it does', zh: '“{quote}”：“{line}”从 {from}（{first}）到 {to}（{last}，第 {at} 行），方向相反；应如实描述' },
  'audit.not-monotone': { en: '“{quote}”: “{line}” turns back from {from} ({first}) to {to} ({last}, line {at}); leave out the word, or name the exception', zh: '“{quote}”：“{line}”在 {first} 到 {last}（第 {at} 行）由 {from} 变为 {to}，出现反向；应去掉该词或说明例外' },
})

const STRICT =
  /单调|(?<![a-z])monotonic|每[一个]?(?:步|轮|个)|(?:every|each) (?:single )?(?:step|epoch|checkpoint|iteration|evaluation|update|round|stage)|一直|始终|consistently|越[^,，。;；]{1,12}越/i
/** 温度越高得分越低: the second 越 says what happens. */
const MORE = /越[^,，。;；]{1,12}[,，]?[^,，。;；]{0,8}越([大小高低多少好差长短])/
/** What is compared with something, or confined to a part of the course, is no trend of the whole. */
const PARTIAL =
  /比|较|相对|[高低大小多少优好差]于|之后|后期|前期|阶段|期间|(?<![A-Za-z])(?:than|vs\.?|versus|against|compared|after|late|early|phase|during|between|until|then|slightly|if|when)(?![A-Za-z])|略有?|先[^,，。]{1,8}后/i

/** A bound is no trend. */
const LEVEL = /^(?:above|below|more than|less than|exceed|over)/i

function* inClause(clause: Clause): Generator<Assertion> {
  const { statement, text } = clause
  if (statement.text.length > 300) return
  const more = MORE.exec(text)?.[1] ?? ''
  const isMonotone = has(text, 'monotone') || STRICT.test(text)
  const senses = isMonotone ? (['up', 'down', 'larger', 'smaller'] as const) : (['up', 'down'] as const)
  const words = [...places(text, ...senses)].filter(
    word =>
      !isDenied(text, word.from) &&
      (isMonotone ? !LEVEL.test(word.text) : !/higher|lower|cut|reduced/i.test(word.text)),
  )
  const isUp = words.some(word => has(word.text, 'up', 'larger')) || /[大高多长]/.test(more)
  const isDown = words.some(word => has(word.text, 'down', 'smaller')) || /[小低少短]/.test(more)
  const isCompared = /(?<![a-z])than(?![a-z])|[高低大小多少优好差长短]于/i.test(text)
  if (isUp === isDown || isCompared) return
  if (!isMonotone && (PARTIAL.test(text) || statement.quantities.length > 0)) return
  const manner = STRICT.test(text) ? 'strict' : isMonotone ? 'loose' : 'plain'
  yield assertionIn(statement, 'trend', clause, { quantity: text, sense: isUp ? 'up' : 'down', manner })
}

function check(assertion: Assertion, evidence: Evidence): Outcome {
  const clause = clauseOf(assertion)
  if (clause === null || assertion.stance !== 'said') return UNCHECKED
  const sign = assertion.sense === 'up' ? 1 : -1
  const judged = coursesIn(assertion, clause, evidence).flatMap(({ line, points }) => {
    return points.length < 2 ? [] : [{ line, turn: turnIn(points, sign, assertion.manner === 'strict') }]
  })
  // Said of all things, it must hold for each.
  const isEvery = has(clause.text, 'all') && MORE.test(clause.text)
  const failed = judged.filter(({ turn }) => turn !== null)
  return kindest(
    (isEvery && failed.length > 0 ? failed : judged).map(({ line, turn }) => ({
      holds: turn === null,
      weight: 1,
      outcome: () => (turn === null ? confirmed(line.of.name) : tell(assertion, line, turn, evidence)),
    })),
  )
}

function tell(assertion: Assertion, line: Line, { from, to, rule }: Turn, evidence: Evidence): Outcome {
  const ends = { from: from.cell.text, first: pointName(line, from), to: to.cell.text, last: pointName(line, to) }
  const at = evidence.document.placeOf(to.cell.offset).line
  const message = say(`audit.${rule}`, { quote: assertion.quote, line: line.of.name, ...ends, at })
  const expected = `${ends.from} → ${ends.to}`
  return refute(rule, assertion.offset, message, { severity: 'warning', expected, also: [to.cell.offset] })
}

interface Course {
  readonly line: Line
  readonly points: readonly Point[]
}

/** The line that a remark stands in, or the lines near by that a clause names, their values in order. */
function coursesIn(assertion: Assertion, clause: Clause, evidence: Evidence): readonly Course[] {
  const { cell } = clause.statement
  const frames = framesOf(clause, evidence).filter(({ isHere }) => isHere)
  if (cell !== null) return frames.filter(({ line }) => !line.isColumn && line.of.index === cell.row)
  const isEvery = has(clause.text, 'all') && MORE.test(clause.text)
  const values = frames.filter(
    ({ line, subjects, isConfined }) => line.of.role === 'value' && (isConfined || subjects.length === 0),
  )
  const along = values.flatMap(({ line, points }) => {
    const by = driverIn(clause, line.matrix, line)
    return by === null ? [] : [{ line, points: sortedBy(line, points, by) }]
  })
  if (along.length > 0) return along
  const named = values.filter(
    ({ line, isNamed, isOwn }) => (assertion.manner === 'plain' ? isOwn : isNamed) && isCourse(line),
  )
  const kinds = values.filter(({ line }) => isEvery && line.isColumn && namesCorner(clause.text, line.matrix))
  return named.length > 0 ? named : kinds
}

/** "The larger X, the lower Y": the column X that a line Y is said to follow. */
function driverIn({ text }: Clause, matrix: Matrix, line: Line): Line['of'] | null {
  const match = MORE.exec(text)
  if (match === null || !line.isColumn) return null
  const start = match.index + 2
  const [before, behind] = [text.slice(0, match.index), text.slice(start)].map(part => mentionsInText(part, matrix))
  const driver = before?.findLast(one => !one.isRow && one.axes.length === 1)?.axes[0]
  return driver !== undefined && driver !== line.of && areOf(line, behind ?? []) ? driver : null
}

function sortedBy({ matrix }: Line, points: readonly Point[], { index }: Line['of']): readonly Point[] {
  const keyed = points.flatMap(point => {
    const key = valueAt(matrix, point.at.index, index)
    return key === null ? [] : [{ point, key: key.value }]
  })
  return keyed.sort((a, b) => a.key - b.key).map(({ point }) => point)
}

const BEFORE = /前|初始|旧|base|before|initial|start|old|第一|step\s?0/i
const AFTER = /后|最终|新|after|final|end|last|new|tuned/i

/** Its values follow each other: along steps or the values of a sweep, or from before to after. */
function isCourse({ points }: Line): boolean {
  const [first, last, more] = points
  if (points.every(({ at }) => at.step !== null)) return true
  const names = points.map(({ at }) => Number(at.name))
  const isSweep = names.length > 2 && names.every((value, i) => i === 0 || value > (names[i - 1] ?? Number.NaN))
  return isSweep || (more === undefined && BEFORE.test(first?.at.name ?? '') && AFTER.test(last?.at.name ?? ''))
}

interface Turn {
  readonly from: Point
  readonly to: Point
  readonly rule: 'trend-contradicted' | 'not-monotone'
}

/** Where a course goes against what is said of it; null where it does not. */
function turnIn(points: readonly Point[], sign: 1 | -1, isStrict: boolean): Turn | null {
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined) return null
  const isBack = (a: Point, b: Point): boolean =>
    !meets(a.quantity.range, b.quantity.range) && Math.sign(b.quantity.value - a.quantity.value) === -sign
  if (isBack(first, last)) return { from: first, to: last, rule: 'trend-contradicted' }
  const at = isStrict ? points.findIndex((point, i) => i > 0 && isBack(points[i - 1] ?? point, point)) : -1
  const [from, to] = [points[at - 1], points[at]]
  return from === undefined || to === undefined ? null : { from, to, rule: 'not-monotone' }
}

export const trend: Relation = { names: ['trend'], inClause, check }

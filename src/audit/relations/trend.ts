import { type Line, type Point, valueAt } from '../../document/matrix.js'
import { sentences } from '../../text/sentences.js'
import { meets } from '../arithmetic.js'
import type { Assertion, Relation } from '../assertion.js'
import { type Asked, checkedBy, held, missed, type Reading } from '../binding.js'
import { cited, pointName } from '../evidence.js'
import { refute } from '../fault.js'
import { has, places } from '../lexicon.js'
import { areOf, type Clause, clausesOf, mentionsInText, namesCorner } from '../mentions.js'
import { assertionIn } from '../read.js'
import { isDenied } from '../stance.js'

/**
 * "Falls steadily", 明显缩短, "longer at every checkpoint", 系数越大得分越低: a direction for a whole line. In a table the
 * remark stands in the line; in prose the line is named, and goes along steps, from a column "before" to one "after", or
 * along the values of another column. Loose words are refuted only by the ends, strict ones by any step back.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.trend-contradicted': { en: '“{quote}”: “{line}” goes from {from} ({first}) to {expected} ({owner}, line {at}); write what it does', zh: '“{quote}”：“{line}”从 {from}（{first}）到 {expected}（{owner}，第 {at} 行），方向相反；应如实描述' },
  'audit.not-monotone': { en: '“{quote}”: “{line}” turns back from {from} ({first}) to {expected} ({owner}, line {at}); leave out the word, or name the exception', zh: '“{quote}”：“{line}”在 {first} 到 {owner}（第 {at} 行）由 {from} 变为 {expected}，出现反向；应去掉该词或说明例外' },
})
const STRICT =
  /单调|(?<![a-z])monotonic|每[一个]?(?:步|轮|个)|(?:every|each) (?:single )?(?:step|epoch|checkpoint|iteration|evaluation|update|round|stage)|一直|始终|consistently|(?:through|across|over) all (?:\w+ )?(?:steps|epochs|checkpoints|iterations|evaluations|rounds|stages)|越[^。;；]{1,20}越/i
/** 温度越高得分越低: the second 越 says what happens. */
const MORE = /越[^,，。;；]{1,12}[,，]?[^,，。;；]{0,8}越([大小高低多少好差长短])/
/** What is compared with something, or confined to a part of the course, is no trend of the whole. */
const PARTIAL =
  /比|较|相对|[高低大小多少优好差]于|之后|后期|前期|阶段|期间|(?<![A-Za-z])(?:than|vs\.?|versus|against|compared|after|late|early|phase|during|between|until|then|slightly|if|when)(?![A-Za-z])|略有?|先[^,，。]{1,8}后/i

/** A bound is no trend; a comparison is none unless it is made at every step. */
const LEVEL = /^(?:above|below|more than|less than|exceed|over)/i
const COMPARED = /higher|lower|cut|reduced/i
const THAN = /(?<![a-z])than(?![a-z])|[高低大小多少优好差长短]于/i

/** 温度越高，得分越低: what drives it stands in the clause before. */
const DRIVER = /越[大小高低多少长短强]\s*$/

function withNext(clause: Clause): Clause {
  const { statement, from, to, text } = clause
  const next = DRIVER.test(text) ? clausesOf(statement).find(one => one.from > to) : undefined
  if (next === undefined || !next.text.includes('越')) return clause
  return { statement, from, to: next.to, text: statement.text.slice(from, next.to) }
}

/** What is said of how much it grows is not said of it. */
const GAIN = /增量|增幅|涨幅|降幅|增速|(?<![a-z])(?:gains?|increments?)(?![a-z])/i

function* inClause(own: Clause): Generator<Assertion> {
  const clause = withNext(own)
  const { statement, text } = clause
  const isStrict = STRICT.test(text)
  const isMonotone = isStrict || has(text, 'monotone')
  if (statement.text.length > 300 || THAN.test(text) || GAIN.test(text)) return
  if (!isMonotone && (PARTIAL.test(text) || statement.quantities.length > 0)) return
  const found = isMonotone ? places(text, 'up', 'down', 'larger', 'smaller') : places(text, 'up', 'down')
  const none = isMonotone ? LEVEL : COMPARED
  const words = [...found].filter(word => !isDenied(text, word.from) && !none.test(word.text))
  const more = MORE.exec(text)?.[1] ?? ''
  const isUp = words.some(word => has(word.text, 'up', 'larger')) || /[大高多长]/.test(more)
  const isDown = words.some(word => has(word.text, 'down', 'smaller')) || /[小低少短]/.test(more)
  if (isUp === isDown) return
  const manner = isStrict ? 'strict' : isMonotone ? 'loose' : 'plain'
  yield assertionIn(statement, 'trend', clause, { quantity: text, sense: isUp ? 'up' : 'down', manner })
}

/** 温度越高得分越低 of all things: it must hold for each. */
const isOfEvery = ({ text }: Clause): boolean => has(text, 'all') && MORE.test(text)

function readings(asked: Asked): readonly Reading[] {
  const { assertion, clause, evidence } = asked
  const { quote, offset, sense, manner } = assertion
  const judged = coursesIn(asked).flatMap(({ line, points }) => {
    const turn = turnIn(points, sense === 'up' ? 1 : -1, manner === 'strict')
    if (points.length < 2) return []
    if (turn === null) return held(line.of.name)
    const { from, to, rule } = turn
    const ends = { from: from.cell.text, first: pointName(line, from), ...cited(line, to, evidence) }
    const more = { expected: `${ends.from} → ${ends.expected}`, also: [to.cell.offset] }
    return missed(1, () => refute(rule, offset, say(`audit.${rule}`, { quote, ...ends }), more), line)
  })
  const failed = isOfEvery(clause) ? judged.filter(({ holds }) => !holds) : []
  return failed.length > 0 ? failed : judged
}

type Course = Pick<Line, 'points'> & { readonly line: Line }

/** The line that a remark stands in, or the lines near by that a clause names, their values in order. */
function coursesIn({ assertion, clause, frames }: Asked): readonly Course[] {
  const { cell } = clause.statement
  const near = frames.filter(({ isHere }) => isHere)
  if (cell !== null) return near.filter(({ line }) => !line.isColumn && line.of.index === cell.row)
  const values = near.filter(
    ({ line, subjects, isConfined, isExact }) =>
      (line.of.role === 'value' || (isExact && assertion.manner !== 'plain')) && (isConfined || subjects.length === 0),
  )
  const along = values.flatMap(({ line, points }) => driven(clause, line, points))
  if (along.length > 0) return along
  const isPlain = assertion.manner === 'plain'
  const named = values.filter(({ line, isNamed, isOwn }) => (isPlain ? isOwn : isNamed) && isCourse(line))
  if (named.length > 0 || !isOfEvery(clause)) return named
  return values.filter(({ line }) => line.isColumn && !line.matrix.alongRows && namesCorner(clause.text, line.matrix))
}

/** "The larger X, the lower Y": the line Y along the values of the column X. */
function driven({ text }: Clause, line: Line, points: readonly Point[]): readonly Course[] {
  const { matrix, of, isColumn } = line
  const at = MORE.exec(text)?.index
  if (at === undefined || !isColumn || !areOf(line, mentionsInText(text.slice(at + 2), matrix))) return []
  const before = mentionsInText(text.slice(0, at), matrix)
  const driver = before.findLast(one => !one.isRow && one.axes.length === 1)?.axes[0]
  if (driver === undefined || driver === of) return []
  const keyOf = (point: Point): number => valueAt(matrix, point.at.index, driver.index)?.value ?? Number.NaN
  const keyed = points.filter(point => !Number.isNaN(keyOf(point)))
  return [{ line, points: keyed.sort((a, b) => keyOf(a) - keyOf(b)) }]
}

const BEFORE = /前|初始|旧|base|before|initial|start|old|第一|step\s?0/i
const AFTER = /后|最终|新|after|final|end|last|new|tuned/i

/** Its values follow each other: along steps or the values of a sweep, or from before to after. */
function isCourse({ points }: Line): boolean {
  if (points.every(({ at }) => at.step !== null)) return true
  const [first = '', last = '', more] = points.map(({ at }) => at.name)
  if (more === undefined) return BEFORE.test(first) && AFTER.test(last)
  return points.every(({ at }, i) => i === 0 || settingOf(at.name) > settingOf(points[i - 1]?.at.name ?? ''))
}

/** 0.01 of "β=0.01", 32,000 of "32k". */
function settingOf(name: string): number {
  const [, digits, thousands] = /^(?:[^\d=]{1,12}=)?\s?(\d+(?:\.\d+)?(?:e-?\d+)?)(k?)$/i.exec(name.trim()) ?? []
  return digits === undefined ? Number.NaN : Number(digits) * (thousands === '' ? 1 : 1000)
}

interface Turn {
  readonly from: Point
  readonly to: Point
  readonly rule: 'trend-contradicted' | 'not-monotone'
}

/** Where a course goes against what is said of it; null where it does not. */
function turnIn(points: readonly Point[], sign: 1 | -1, isStrict: boolean): Turn | null {
  const isBack = ({ quantity: a }: Point, { quantity: b }: Point): boolean =>
    !meets(a.range, b.range) && Math.sign(b.value - a.value) === -sign
  const ends = { from: points[0], to: points.at(-1), rule: 'trend-contradicted' } as const
  const steps = points.slice(1).map((to, i) => ({ from: points[i], to, rule: 'not-monotone' }) as const)
  for (const { from, to, rule } of [ends, ...(isStrict ? steps : [])])
    if (from !== undefined && to !== undefined && isBack(from, to)) return { from, to, rule }
  return null
}

export const trend: Relation = { names: ['trend'], inClause, check: checkedBy(readings, ['said']) }

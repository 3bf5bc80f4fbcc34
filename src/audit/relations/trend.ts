import { isOfStep, type Line, type Point } from '../../document/matrix.js'
import type { Quantity } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { meets } from '../arithmetic.js'
import type { Assertion, Relation } from '../assertion.js'
import type { Frame } from '../binding.js'
import { cited, pointName } from '../evidence.js'
import { refute } from '../fault.js'
import { has, places } from '../lexicon.js'
import type { Clause } from '../mentions.js'
import { assertionIn, figureOf } from '../read.js'
import { type Asked, checkedBy, held, missed, type Reading } from '../reading.js'
import { isDenied } from '../stance.js'
import { isList } from './reckoned.js'

/**
 * "Falls steadily", 明显缩短, "longer at every checkpoint": a direction for a whole line. In a table the remark stands in the
 * line; in prose the line is named, and goes along steps or the values of a sweep, or from "before" to "after". Loose
 * words are refuted only by the ends, strict ones by any step back.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.trend-contradicted': { en: '“{quote}”: “{line}” goes from {from} ({first}) to {expected} ({owner}, line {at}); write what it does', zh: '“{quote}”：“{line}”从 {from}（{first}）到 {expected}（{owner}，第 {at} 行），方向相反；应如实描述' },
  'audit.not-monotone': { en: '“{quote}”: “{line}” turns back from {from} ({first}) to {expected} ({owner}, line {at}); leave out the word, or name the exception', zh: '“{quote}”：“{line}”在 {first} 到 {owner}（第 {at} 行）由 {from} 变为 {expected}，出现反向；应去掉该词或说明例外' },
  'audit.list-turned': { en: '“{quote}”: {from} to {expected} goes the other way; change the word, or the figures', zh: '“{quote}”：{from} 到 {expected} 方向相反；应改用词或数字' },
})
const STRICT =
  /单调|(?<![a-z])monotonic|每[一个]?(?:步|轮|个)|(?:every|each) (?:single )?(?:step|epoch|checkpoint|iteration|evaluation|update|round|stage)|一直|始终|consistently|(?:through|across|over) all (?:\w+ )?(?:steps|epochs|checkpoints|iterations|evaluations|rounds|stages)/i
const THAN = /(?<![a-z])than(?![a-z])|[高低大小多少优好差长短]于/i

/** What is said of how much it grows is not said of it. */
const GAIN = /增量|增幅|涨幅|降幅|增速|(?<![a-z])(?:gains?|increments?)(?![a-z])/i

/** Of the size, 并非都如此, "until then", "from left to right": not of the whole course. */
const NOT_ALL =
  /绝对值|从[左上]到[右下]|直到|为止|(?<![a-z])(?:absolute|in (?:size|magnitude)|left to right|up to (?:there|then|that|step|\d)|until)(?![a-z])|(?:不是|并非)(?:每|所有|全部|都)|(?<![a-z])not (?:in |on |at )?(?:every|each|all)(?![a-z])/i

/** 随长度增加而变慢, 越长越慢: with a setting, not along the course. */
const WITH =
  /随|越|(?<![a-z])(?:as (?:the )?[a-z -]{2,30} (?:grow|increase|rise|fall|drop|decrease)s?|with (?:more|larger|longer|fewer|smaller))(?![a-z])/i

function* inClause(clause: Clause): Generator<Assertion> {
  const { statement, text } = clause
  if (!has(text, 'up', 'down', 'larger', 'smaller')) return
  const isStrict = STRICT.test(text)
  const isMonotone = isStrict || has(text, 'monotone')
  if (THAN.test(text) || GAIN.test(text) || NOT_ALL.test(text) || (!isMonotone && WITH.test(statement.text))) return
  const listed = listedBy(clause)
  if (!isMonotone && listed.length === 0 && statement.quantities.length > 0) return
  const found = isMonotone ? places(text, 'up', 'down', 'larger', 'smaller') : places(text, 'up', 'down')
  const words = found.filter(word => !isDenied(text, word.from))
  const isUp = words.some(word => has(word.text, 'up', 'larger'))
  if (words.length === 0 || isUp === words.some(word => has(word.text, 'down', 'smaller'))) return
  const manner = isStrict ? 'strict' : isMonotone ? 'loose' : 'plain'
  const figures = listed.map(one => figureOf(statement, one, 'value'))
  yield assertionIn(statement, 'trend', clause, { quantity: text, sense: isUp ? 'up' : 'down', manner, figures })
}

/** "It falls round by round: 900, 640, 410": the course stands in the sentence itself. */
function listedBy({ statement: { text, quantities }, from, to }: Clause): readonly Quantity[] {
  const [first, ...more] = quantities.filter(one => one.from >= from)
  if (first === undefined || more.length < 2 || first.from > to || quantities.at(-more.length - 1) !== first) return []
  const areAlike = more.every(one => one.unit === first.unit && one.decimals === first.decimals)
  const isPlain = (one: Quantity): boolean => one.ends === null && one.hedge === null && !one.signed
  const isListed = areAlike && [first, ...more].every(isPlain) && isList(text, [first, ...more])
  return isListed && /[:(（：]\s?$/.test(text.slice(0, first.from)) ? [first, ...more] : []
}

function* readings(asked: Asked): Generator<Reading> {
  const { quote, offset, sense, manner, figures } = asked.assertion
  if (figures.length > 0) return yield listReading(asked)
  for (const { line, points } of coursesIn(asked)) {
    const turn = turnIn(points, sense === 'up' ? 1 : -1, manner === 'strict')
    if (turn === undefined && points.length > 1) yield held(line.of.name)
    if (turn?.to === undefined) continue
    const { from, to, rule } = turn
    const ends = { from: from.cell.text, first: pointName(line, from), ...cited(line, to, asked.evidence) }
    const more = { expected: `${ends.from} → ${ends.expected}`, also: [to.cell.offset] }
    yield missed(1, () => refute(rule, offset, say(`audit.${rule}`, { quote, ...ends }), more), line)
  }
}

function listReading({ assertion: { quote, offset, sense, manner, figures } }: Asked): Reading {
  const steps = figures.slice(1).map((to, i) => ({ from: figures[i] ?? to, to }))
  const isBack = ({ from, to }: (typeof steps)[number]): boolean =>
    Math.sign(to.quantity.value - from.quantity.value) === (sense === 'up' ? -1 : 1)
  const [turn, ...more] = steps.filter(isBack)
  // A loose word is wrong where every step goes the other way.
  if (turn === undefined || (manner === 'plain' && more.length + 1 < steps.length)) return held(quote)
  const message = say('audit.list-turned', { quote, from: turn.from.text, expected: turn.to.text })
  return missed(1, () => refute('trend-contradicted', offset, message))
}

/** The line that a remark stands in, or the lines near by that a clause names. */
function coursesIn({ clause, frames }: Asked): readonly Frame[] {
  const { cell } = clause.statement
  return frames.filter(({ line, subjects, isHere, isConfined, isOwn }) => {
    if (cell !== null) return isHere && !line.isColumn && line.of.index === cell.row && !isOfStep(line)
    return isHere && isOwn && (isConfined || subjects.length === 0) && isCourse(line)
  })
}

const BEFORE = /前|初始|旧|base|before|initial|start|old|第一|step\s?0/i

/** Its values follow each other: along steps or the values of a sweep, or from before to after. */
function isCourse({ points }: Line): boolean {
  if (points.every(({ at }) => at.step !== null)) return true
  const names = points.map(({ at }) => at.name)
  if (names.length === 2) return BEFORE.test(names[0])
  return names.every((name, i) => i === 0 || settingOf(name) > settingOf(names[i - 1] ?? ''))
}

/** 0.01 of "β=0.01", 32,000 of "32k". */
function settingOf(name: string): number {
  const [, digits, thousands] = /^(?:[^\d=]{1,12}=)?\s?(\d+(?:\.\d+)?(?:e-?\d+)?)(k?)$/i.exec(name.trim()) ?? []
  return digits === undefined ? Number.NaN : Number(digits) * (thousands === '' ? 1 : 1000)
}

/** Where a course goes against what is said of it. */
function turnIn(points: readonly Point[], sign: 1 | -1, isStrict: boolean) {
  const isBack = ({ quantity: a }: Point, { quantity: b }: Point): boolean =>
    !meets(a.range, b.range) && Math.sign(b.value - a.value) === -sign
  const ends = { from: points[0], to: points.at(-1), rule: 'trend-contradicted' } as const
  const steps = points.slice(1).map((to, i) => ({ from: points[i], to, rule: 'not-monotone' }) as const)
  return [ends, ...(isStrict ? steps : [])].find(({ from, to }) => to !== undefined && isBack(from, to))
}

export const trend: Relation = { names: ['trend'], inClause, check: checkedBy(readings, ['said']) }

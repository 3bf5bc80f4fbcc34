import { sentences } from '../../text/sentences.js'
import { areLevel } from '../arithmetic.js'
import { type Assertion, type CheckOutcome, type Relation, refute } from '../assertion.js'
import { isOfKind } from '../binding.js'
import { cited, goalOf, goalOfLine, pointName } from '../evidence.js'
import { assertionIn } from '../extract.js'
import {
  type ClauseCheck,
  checkedBy,
  held,
  type Interpretation,
  meantOf,
  missed,
  type Pair,
  rivalsOf,
} from '../interpretation.js'
import { has, places } from '../lexicon.js'
import { namesCorner, type ReportClause } from '../mentions.js'
import { isDenied } from '../stance.js'
import { type Levels, levelsIn } from './levels.js'

/** Which of two named points of a line is the larger: "A is above B", 甲 在 Shot≥2 时优于 乙, "A beats B on every site". */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.named-order': { en: '“{quote}”: in “{line}” {left} has {found} and {owner} has {expected} (line {at}), the other way round; change the word, or name the exception', zh: '“{quote}”：“{line}”中 {left} 是 {found}，{owner} 是 {expected}（第 {at} 行），正好相反；应改用词，或写明例外' },
})

/** Not of all, or of what follows behind a colon. */
const SOME =
  /部分|多数|大多|几乎|唯一|[仅只]在|或|[:：]\s*$|(?<![a-z-])(?:most|almost|some|only|one|no|none|or)(?![a-z])/i

function* inClause(clause: ReportClause): Generator<Assertion> {
  const { statement, text, from, to } = clause
  const words = places(text, 'larger', 'smaller', 'better', 'worse')
  // "Below B on X and above it elsewhere" points both ways.
  const [sense, another] = new Set(words.map(word => (has(word.text, 'larger', 'better') ? 'up' : 'down')))
  const isDoubted = SOME.test(text) || words.some(word => isDenied(text, word.from))
  // Where the sentence gives the two levels, they tell.
  const isHere = ({ b, joint }: Levels): boolean => joint === 'change' && b.from >= from && b.to <= to
  const isTold = levelsIn(statement).some(one => isHere(one) || (one.joint === 'order' && one.a.to <= from))
  if (sense === undefined || another !== undefined || isDoubted || isTold) return
  const manner = has(text, 'larger', 'smaller') ? 'plain' : 'good'
  yield assertionIn(statement, 'comparison', clause, { quantity: text, sense, manner })
}

/** Named against named, table by table: where no line is named, one that fits is enough, unless all are meant. */
function* readings(asked: ClauseCheck): Generator<Interpretation> {
  const { assertion, clause, frames } = asked
  const all = frames.filter(frame => isOfKind(frame, clause)).flatMap(frame => rivalsOf(frame, clause))
  const here = all.filter(({ frame }) => frame.line.matrix.table.section === assertion.scope.section)
  const pairs = here.length > 0 ? here : all
  for (const matrix of new Set(pairs.map(({ frame }) => frame.line.matrix))) {
    const ofMatrix = pairs.filter(({ frame }) => frame.line.matrix === matrix)
    // "On every site": row by row of such a table.
    const isEvery = has(clause.text, 'all') && namesCorner(clause.text, matrix)
    const meant = isEvery ? ofMatrix : meantOf(ofMatrix)
    const made = meant.flatMap(pair => reading(asked, pair))
    const areAll = isEvery || meant.every(({ frame }) => frame.isConfined)
    const failed = areAll ? made.filter(({ holds }) => !holds) : []
    yield* failed.length > 0 ? failed : made
  }
}

/** None where nobody knows what is good, or what rounding may have made equal. */
function reading(
  { assertion, clause, evidence }: ClauseCheck,
  { frame, left, right }: Pair,
): readonly Interpretation[] {
  const { quote, offset, quantity, sense, manner, stance } = assertion
  const { line, isHere } = frame
  const [{ quantity: a, cell: first }, { quantity: b, cell: second }] = [left.point, right.point]
  const goal = manner === 'plain' ? 'max' : (goalOf([line.of.name, quantity ?? '']) ?? goalOfLine(line))
  if (goal === null && a.unit !== '%') return []
  if (a.value > b.value === ((goal !== 'min') === (sense === 'up'))) return [held(line.of.name)]
  if (areLevel(a, b)) return []
  const sides = { left: pointName(line, left.point), found: first.text, ...cited(line, right.point, evidence) }
  const message = say('audit.named-order', { quote, ...sides })
  const told = (): CheckOutcome => refute('named-comparison', offset, message, { also: [first.offset, second.offset] })
  // "A is worse than B (17 vs 15)": the two levels that it prints are those of the cells.
  const areOthers = levelsIn(clause.statement).some(
    ({ joint, a: level }) =>
      joint === 'versus' && level.from >= clause.from && ![a.value, b.value].includes(level.value),
  )
  return [missed(isHere && !areOthers && stance === 'said' ? 2 : 0, told, line)]
}

export const comparison: Relation = { names: ['comparison'], inClause, check: checkedBy(readings) }

import { type Line, type Point, shortLines } from '../../document/matrix.js'
import { sentences } from '../../text/sentences.js'
import { meets } from '../arithmetic.js'
import { type Assertion, confirmed, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import { type Evidence, isAround, pointName } from '../evidence.js'
import { refute } from '../fault.js'
import { has, places } from '../lexicon.js'
import { areOf, type Clause, clauseOf, focusOf, namesCorner } from '../mentions.js'
import { assertionIn } from '../read.js'
import { isDenied } from '../stance.js'

/**
 * "Falls steadily", 明显缩短, "rises with every epoch": a direction for a whole line. In a table the remark stands in the
 * line; in prose the line is named, and goes along steps or from a column "before" to one "after". Loose words are
 * refuted only by the ends, strict ones by any step back.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.trend-contradicted': { en: '“{quote}”: “{line}” goes from {from} ({first}) to {to} ({last}, line {at}); write what it does', zh: '“{quote}”：“{line}”从 {from}（{first}）到 {to}（{last}，第 {at} 行），方向相反；应如实描述' },
  'audit.not-monotone': { en: '“{quote}”: “{line}” turns back from {from} ({first}) to {to} ({last}, line {at}); leave out the word, or name the exception', zh: '“{quote}”：“{line}”在 {first} 到 {last}（第 {at} 行）由 {from} 变为 {to}，出现反向；应去掉该词或说明例外' },
})

const STRICT =
  /单调|(?<![a-z])monotonic|每[一个]?(?:步|轮|个)|every(?![a-z])|each|一直|始终|consistently|越[^,，。;；]{1,8}越/i

/** 温度越高得分越低: the second 越 says what happens. */
const MORE = /越[^,，。;；]{1,10}[,，]?[^,，。;；]{0,8}越([大小高低多少好差])/
/** What is compared with something, or confined to a part of the course, is no trend of the whole. */
const PARTIAL =
  /比|较|相对|[高低大小多少优好差]于|之后|后期|前期|阶段|期间|(?<![A-Za-z])(?:than|vs\.?|versus|against|compared|after|late|early|phase|during|between|until|then|slightly|if|when)(?![A-Za-z])|略有?|先[^,，。]{1,8}后/i

function* inClause(clause: Clause): Generator<Assertion> {
  const { statement, text } = clause
  if (statement.text.length > 300) return
  const more = MORE.exec(text)?.[1] ?? ''
  const isMonotone = has(text, 'monotone') || STRICT.test(text)
  const words = [...places(text, 'up', 'down')].filter(
    word => !isDenied(text, word.from) && (isMonotone || !/higher|lower|cut|reduced/i.test(word.text)),
  )
  const isUp = words.some(word => has(word.text, 'up')) || /[大高多]/.test(more)
  const isDown = words.some(word => has(word.text, 'down')) || /[小低少]/.test(more)
  if (isUp === isDown || (!isMonotone && (PARTIAL.test(text) || statement.quantities.length > 0))) return
  const manner = STRICT.test(text) ? 'strict' : isMonotone ? 'loose' : 'plain'
  yield assertionIn(statement, 'trend', clause, { quantity: text, sense: isUp ? 'up' : 'down', manner })
}

function check(assertion: Assertion, evidence: Evidence): Outcome {
  const clause = clauseOf(assertion)
  if (clause === null || assertion.stance !== 'said') return UNCHECKED
  const isEvery = has(clause.text, 'all') && MORE.test(clause.text)
  const { steps } = assertion.scope
  let failed: (Turn & { readonly line: Line }) | null = null
  for (const line of linesMeant(assertion, clause, isEvery, evidence)) {
    const isIn = ({ at: { step } }: Point): boolean => step === null || steps === null || isBetween(step, steps)
    const points = line.points.filter(isIn)
    const turn = turnIn(points, assertion.sense === 'up' ? 1 : -1, assertion.manner === 'strict')
    if (turn === null && points.length > 1 && !isEvery) return confirmed(line.of.name)
    if (turn !== null) failed ??= { line, ...turn }
  }
  if (failed === null) return UNCHECKED
  const { line, from, to, rule } = failed
  const ends = { from: from.cell.text, first: pointName(line, from), to: to.cell.text, last: pointName(line, to) }
  const at = evidence.document.placeOf(to.cell.offset).line
  const message = say(`audit.${rule}`, { quote: assertion.quote, line: line.of.name, ...ends, at })
  const expected = `${ends.from} → ${ends.to}`
  return refute(rule, assertion.offset, message, { severity: 'warning', expected, also: [to.cell.offset] })
}

const isBetween = (step: number, [first, last]: readonly [number, number]): boolean =>
  first === last || (step >= first && step <= last)

const NEAREST = 3

/** The line that a remark stands in, or the lines near by that a clause names. */
function linesMeant(
  { scope: { statement, section }, offset, manner }: Assertion,
  clause: Clause,
  isEvery: boolean,
  { near }: Evidence,
): readonly Line[] {
  const tables = near(offset)
  if (statement?.cell != null) {
    const { row } = statement.cell
    const own = tables.filter(({ table }) => table === statement.table).flatMap(shortLines)
    return own.filter(line => !line.isColumn && line.of.index === row)
  }
  return tables
    .filter(({ table }) => isAround(table.section, section))
    .slice(0, NEAREST)
    .flatMap(matrix => {
      const { own, inherited } = focusOf(clause, matrix)
      const mentions = own.length > 0 ? own : manner === 'plain' ? [] : inherited
      const single = mentions.filter(({ axes }) => axes.length === 1)
      const lines = shortLines(matrix).filter(({ of }) => of.role === 'value')
      const meant = lines.filter(line => areOf(line, single) && isCourse(line))
      const isKind = isEvery && namesCorner(clause.text, matrix)
      return meant.length > 0 ? meant : isKind ? lines.filter(({ isColumn }) => isColumn) : []
    })
}

const BEFORE = /前|初始|旧|base|before|initial|start|old|第一|step\s?0/i
const AFTER = /后|最终|新|after|final|end|last|new|tuned/i

/** Its values follow each other: along steps, or from before to after. */
function isCourse({ points }: Line): boolean {
  const [first, last, more] = points
  if (points.every(({ at }) => at.step !== null)) return true
  return more === undefined && BEFORE.test(first?.at.name ?? '') && AFTER.test(last?.at.name ?? '')
}

interface Turn {
  readonly from: Point
  readonly to: Point
  readonly rule: 'trend-contradicted' | 'not-monotone'
}

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

import { type Axis, type Line, type Matrix, type Point, shortLines } from '../../document/matrix.js'
import { sentences } from '../../text/sentences.js'
import { meets } from '../arithmetic.js'
import { type Assertion, confirmed, type Outcome, type Relation, refuted, UNCHECKED } from '../assertion.js'
import { type Evidence, isAround, namesOf } from '../evidence.js'
import { fault } from '../fault.js'
import { has, places } from '../lexicon.js'
import { type Clause, clauseOf, clausesOf, focusOf } from '../mentions.js'
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

function* read(evidence: Evidence): Generator<Assertion> {
  for (const statement of evidence.document.statements) {
    const { text, kind } = statement
    if (kind === 'code' || kind === 'heading' || text.length > 300) continue
    for (const clause of clausesOf(statement)) yield* trendsIn(clause)
  }
}

function* trendsIn({ statement, from, to, text }: Clause): Generator<Assertion> {
  const more = MORE.exec(text)?.[1] ?? ''
  const isMonotone = has(text, 'monotone') || STRICT.test(text)
  const words = [...places(text, 'up', 'down')].filter(
    word => !isDenied(text, word.from) && (isMonotone || !/higher|lower|cut|reduced/i.test(word.text)),
  )
  const [up, down] = [
    words.some(word => has(word.text, 'up')) || /[大高多]/.test(more),
    words.some(word => has(word.text, 'down')) || /[小低少]/.test(more),
  ]
  if (up === down || (!isMonotone && (PARTIAL.test(text) || statement.quantities.length > 0))) return
  yield assertionIn(statement, 'trend', {
    from,
    to,
    quantity: text,
    sense: up ? 'up' : 'down',
    manner: STRICT.test(text) ? 'strict' : isMonotone ? 'loose' : 'plain',
  })
}

function check(assertion: Assertion, evidence: Evidence): Outcome {
  const clause = clauseOf(assertion)
  if (clause === null || assertion.stance !== 'said') return UNCHECKED
  const lines = linesMeant(assertion, clause, evidence)
  const isEvery = has(clause.text, 'all') && MORE.test(clause.text)
  let failed: { line: Line; from: Point; to: Point; rule: 'trend-contradicted' | 'not-monotone' } | null = null
  for (const line of lines) {
    const points = scoped(line, assertion.scope.steps)
    const miss = against(points, assertion.sense === 'up' ? 1 : -1, assertion.manner === 'strict')
    if (miss === null) {
      if (points.length > 1 && !isEvery) return confirmed(line.of.name)
    } else failed ??= { line, ...miss }
  }
  if (failed === null) return UNCHECKED
  const { line, from, to, rule } = failed
  const name = (point: Point): string => namesOf(line.matrix, point.at, line.isColumn)[0] ?? point.at.name
  const at = evidence.document.placeOf(to.cell.offset).line
  const params = {
    quote: assertion.quote,
    line: line.of.name,
    from: from.cell.text,
    first: name(from),
    to: to.cell.text,
    last: name(to),
    at,
  }
  return refuted(
    fault(rule, assertion.offset, say(`audit.${rule}`, params), {
      severity: 'warning',
      found: assertion.quote,
      expected: `${from.cell.text} → ${to.cell.text}`,
      also: [to.cell.offset],
    }),
  )
}

/** The line that a remark stands in, or the lines near by that a clause names. */
function linesMeant({ scope, offset, manner }: Assertion, clause: Clause, { near }: Evidence): readonly Line[] {
  const { statement } = scope
  if (statement?.cell != null && statement.table !== null) {
    const { row } = statement.cell
    const own = near(offset).find(({ table }) => table === statement.table)
    return own === undefined ? [] : shortLines(own).filter(line => !line.isColumn && line.of.index === row)
  }
  return near(offset)
    .filter(({ table }) => isAround(table.section, scope.section))
    .slice(0, NEAREST)
    .flatMap(matrix => {
      const { rows, columns, inherited } = focusOf(clause, matrix)
      const own = [...rows, ...columns]
      const mentions = own.length > 0 ? own : manner === 'plain' ? [] : inherited
      const named = mentions.filter(({ axes }) => axes.length === 1)
      const lines = shortLines(matrix).filter(({ of }) => of.role === 'value')
      const meant = lines.filter(
        line => named.some(one => one.isRow !== line.isColumn && one.axes.includes(line.of)) && isCourse(line),
      )
      const isAll = has(clause.text, 'all') && MORE.test(clause.text) && namesCorner(clause.text, matrix)
      return meant.length > 0 ? meant : isAll ? lines.filter(({ isColumn }) => isColumn) : []
    })
}

const NEAREST = 3
const BEFORE = /前|初始|旧|base|before|initial|start|old|第一|step\s?0/i
const AFTER = /后|最终|新|after|final|end|last|new|tuned/i

/** Its values follow each other: along steps, or from before to after. */
function isCourse({ points }: Line): boolean {
  const [first, last] = [points[0]?.at, points.at(-1)?.at]
  if (points.every(({ at }) => at.step !== null)) return true
  const isPair = (a: Axis | undefined, b: Axis | undefined): boolean =>
    BEFORE.test(a?.name ?? '') && AFTER.test(b?.name ?? '')
  return points.length === 2 && isPair(first, last)
}

/** The sentence speaks of what the rows are: "温度 档" for a column headed 温度档. */
function namesCorner(text: string, { table }: Matrix): boolean {
  const corner = (table.header[0]?.text ?? '').replace(/[(（].*$/, '').replace(/\s/g, '')
  return corner.length > 2 && text.replace(/\s/g, '').toLowerCase().includes(corner.toLowerCase())
}

function scoped({ points }: Line, steps: Assertion['scope']['steps']): readonly Point[] {
  if (steps === null || steps[0] === steps[1]) return points
  return points.filter(({ at }) => at.step === null || (at.step >= steps[0] && at.step <= steps[1]))
}

function against(
  points: readonly Point[],
  sign: 1 | -1,
  isStrict: boolean,
): { from: Point; to: Point; rule: 'trend-contradicted' | 'not-monotone' } | null {
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined || points.length < 2) return null
  const isBack = (a: Point, b: Point): boolean =>
    !meets(a.quantity.range, b.quantity.range) && Math.sign(b.quantity.value - a.quantity.value) === -sign
  if (isBack(first, last)) return { from: first, to: last, rule: 'trend-contradicted' }
  if (!isStrict) return null
  for (const [i, point] of points.entries()) {
    const next = points[i + 1]
    if (next !== undefined && isBack(point, next)) return { from: point, to: next, rule: 'not-monotone' }
  }
  return null
}

export const trend: Relation = { name: 'trend', read, check }

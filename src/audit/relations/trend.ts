import { type Line, type Point, shortLines } from '../../document/matrix.js'
import { sentences } from '../../text/sentences.js'
import { meets } from '../arithmetic.js'
import { type Assertion, confirmed, type Outcome, type Relation, refuted, UNCHECKED } from '../assertion.js'
import { type Evidence, isIn, mentionAt, namesOf } from '../evidence.js'
import { fault } from '../fault.js'
import { has, places } from '../lexicon.js'
import { assertionIn } from '../read.js'

/**
 * "Falls steadily", 逐渐减小, "rises with every epoch": a direction for a whole line. In a table the remark stands in the
 * line; in prose the line must be named. Loose words (逐渐) are refuted only by the ends, strict ones by any step back.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.trend-contradicted': { en: '“{quote}”: “{line}” goes from {from} ({first}) to {to} ({last}); write what it does', zh: '“{quote}”：“{line}”从 {from}（{first}）到 {to}（{last}），方向相反；应如实描述' },
  'audit.not-monotone': { en: '“{quote}”: “{line}” turns back from {from} ({first}) to {to} ({last}); leave out the word, or name the exception', zh: '“{quote}”：“{line}”在 {first} 到 {last} 由 {from} 变为 {to}，出现反向；应去掉该词或说明例外' },
})

const STRICT =
  /单调|(?<![a-z])monotonic|每[一个]?(?:步|轮|个)|every(?![a-z])|each|一直|始终|consistently|越[^,，。;；]{1,8}越/i

/** 温度越高得分越低: the second 越 says what happens. */
const MORE = /越[^,，。;；]{1,10}[,，]?[^,，。;；]{0,8}越([大小高低多少好差])/
const RISING = /[大高多]/
const FALLING = /[小低少]/

function* read(evidence: Evidence): Generator<Assertion> {
  for (const statement of evidence.document.statements) {
    const { text, kind } = statement
    if (kind === 'code' || text.length > 200) continue
    const [monotone] = places(text, 'monotone')
    const strict = STRICT.exec(text)
    if (monotone === undefined && strict === null) continue
    const around = text.slice(Math.max(0, (monotone?.from ?? 0) - 12), (monotone?.to ?? 0) + 14)
    const where = monotone === undefined ? text : around
    const more = MORE.exec(text)?.[1] ?? ''
    const [up, down] = [has(where, 'up') || RISING.test(more), has(where, 'down') || FALLING.test(more)]
    if (up === down) continue
    yield assertionIn(statement, 'trend', {
      from: 0,
      to: text.length,
      quantity: text,
      sense: up ? 'up' : 'down',
      manner: strict === null ? 'loose' : 'strict',
    })
  }
}

function check(assertion: Assertion, evidence: Evidence): Outcome {
  if (assertion.stance !== 'said') return UNCHECKED
  const lines = linesMeant(assertion, evidence)
  const isEvery = has(assertion.quantity ?? '', 'all')
  let failed: { line: Line; from: Point; to: Point; rule: 'trend-contradicted' | 'not-monotone' } | null = null
  for (const line of lines) {
    const points = scoped(line, assertion.scope.steps)
    const miss = against(points, assertion.sense === 'up' ? 1 : -1, assertion.manner === 'strict')
    if (miss === null) {
      if (points.length > 2 && !isEvery) return confirmed(line.of.name)
    } else failed ??= { line, ...miss }
  }
  if (failed === null) return UNCHECKED
  const { line, from, to, rule } = failed
  const name = (point: Point): string => namesOf(line.matrix, point.at, line.isColumn)[0] ?? point.at.name
  return refuted(
    fault(
      rule,
      assertion.offset,
      say(`audit.${rule}`, {
        quote: assertion.quote,
        line: line.of.name,
        from: from.cell.text,
        first: name(from),
        to: to.cell.text,
        last: name(to),
      }),
      {
        kind: 'contradiction',
        severity: 'warning',
        found: assertion.quote,
        expected: `${from.cell.text} → ${to.cell.text}`,
        also: [to.cell.offset],
      },
    ),
  )
}

/** The line that a remark stands in, or the lines near by that a sentence names. */
function linesMeant({ scope, offset, quantity }: Assertion, { near }: Evidence): readonly Line[] {
  const { statement } = scope
  if (statement?.cell != null && statement.table !== null) {
    const { row } = statement.cell
    const own = near(offset).find(({ table }) => table === statement.table)
    return own === undefined ? [] : shortLines(own).filter(line => !line.isColumn && line.of.index === row)
  }
  const text = quantity ?? ''
  return near(offset)
    .filter(
      ({ table }) =>
        isIn(table.section, scope.section) ||
        isIn(scope.section, table.section) ||
        table.section?.parent === scope.section?.parent,
    )
    .slice(0, 2)
    .flatMap(matrix => {
      const lines = shortLines(matrix).filter(({ of }) => of.role === 'value')
      const named = lines.filter(({ of, isColumn }) => mentionAt(text, namesOf(matrix, of, !isColumn)) >= 0)
      const isAll = has(text, 'all') && MORE.test(text) && namesCorner(text, matrix)
      return named.length > 0 ? named : isAll ? lines.filter(({ isColumn }) => isColumn) : []
    })
}

/** The sentence speaks of what the rows are: "温度 档" for a column headed 温度档. */
function namesCorner(text: string, { table }: Line['matrix']): boolean {
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
  if (first === undefined || last === undefined || points.length < 3) return null
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

import type { Statement } from '../../logs/document/document.js'
import { everyMatch } from '../../logs/document/matches.js'
import type { Line, Point } from '../../logs/document/matrix.js'
import { sentences } from '../../text/sentences.js'
import { meets } from '../arithmetic.js'
import { type Assertion, type Relation, refute } from '../assertion.js'
import { cited, neighbours, pointName } from '../evidence.js'
import { assertionIn } from '../extract.js'
import { type ClauseCheck, checkedBy, held, type Interpretation, missed } from '../interpretation.js'
import { has, places, source } from '../lexicon.js'
import { namesCorner, type ReportClause } from '../mentions.js'
import { isDenied } from '../stance.js'

/**
 * A direction for a whole line: "falls steadily", 一直上升, or with a setting, "falls as the depth grows", 越长越慢. It goes along
 * steps or the values of that setting. Loose words are refuted only by the ends, strict ones by any step back.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.turn': { en: '“{quote}”: “{line}” goes from {from} ({first}) to {expected} ({owner}, line {at}); write what it does, or name the exception', zh: '“{quote}”：“{line}”从 {from}（{first}）到 {expected}（{owner}，第 {at} 行），方向相反；应如实描述，或说明例外' },
})

const STRICT = /单调|每[一个]?[步轮个]|一直|始终|(?<![a-z])(?:monotonic|(?:every|each) (?:step|epoch|checkpoint))/i
/** Of something else, of how fast it goes, on the whole only, or not of the whole course. */
const NOT_ALL =
  /[高低大小多少优好差长短]于|略|[增涨降]幅(?!度)|增[量速]|绝对值|从[左上]到[右下]|直到|为止|不是|并非|[整总]体|大致|基本|先|(?<![a-z])(?:than|gains?|absolute|magnitude|left to right|until|up to|overall|roughly|generally|mostly|not (?:\w\w )?(?:every|each|all))(?![a-z])/i

function* inClause(clause: ReportClause): Generator<Assertion> {
  const { statement, text } = clause
  const isStrict = STRICT.test(text)
  const isSaid = statement.kind !== 'cell' && (isStrict || has(text, 'monotone')) && !NOT_ALL.test(text)
  const sense = isSaid ? wayIn(text) : null
  if (sense !== null) yield assertionIn(statement, 'trend', clause, { sense, manner: isStrict ? 'strict' : 'loose' })
}

/** The one direction that all words of a text give. */
function wayIn(text: string): 'up' | 'down' | null {
  // 越高 is 更高.
  const all = places(text.replace(/越(?=[高大多长低小少短])/g, '更'), 'up', 'down', 'larger', 'smaller')
  const words = all.filter(word => !isDenied(text, word.from) && text[word.to] !== '幅')
  const [way = null, another] = new Set(words.map(word => (has(word.text, 'up', 'larger') ? 'up' : 'down')))
  return another === undefined ? way : null
}

/** How a setting is said to vary, and what it is called. */
const VARYING = new RegExp(
  `(?:随着?|(?<![a-z])[Aa]s (?:the )?|^(?=[^,，]*[时越]))([^,，]{1,20}?)(?:[\\s的]?${source('up', 'down')}|越[大高多长小低少短])`,
)
const GAP = /幅度|差距|(?<![a-z])gaps?(?![a-z])/i

function* inStatement(statement: Statement): Generator<Assertion> {
  const { text, kind } = statement
  if (kind === 'cell' || NOT_ALL.test(text) || has(text, 'monotone')) return
  for (const { index: from, 0: part } of everyMatch(text, /[^:：;；。]+/g)) {
    const [found = '', quantity = ''] = VARYING.exec(part) ?? []
    const varies = wayIn(found)
    // 差距随长度扩大: the only verb is that of what is measured.
    const goes = varies && (wayIn(part.replace(found, ',')) ?? (GAP.test(part) && varies === 'up' ? varies : null))
    if (goes === null) continue
    const draft = { quantity, sense: goes === varies ? 'up' : 'down', manner: 'strict' } as const
    yield assertionIn(statement, 'trend', { from, to: from + part.length }, draft)
  }
}

/** In the lines near by that a clause names; of a gap, in those of differences. */
function* readings({ assertion, clause, frames, evidence }: ClauseCheck): Generator<Interpretation> {
  const { quote, offset, quantity: setting } = assertion
  const isGap = setting !== null && GAP.test(clause.text)
  for (const { line, points, subjects, isHere, isConfined, isOwn, isNamed } of frames) {
    const isMeant = isGap ? line.of.role === 'difference' : setting === null ? isOwn : isNamed
    const isWhole = setting === null ? isConfined || subjects.length === 0 : !isConfined
    if (!isHere || !isMeant || !isWhole || points.length < 2 || !isAlong(line, setting)) continue
    const turn = turnIn(points, assertion, isGap)
    if (turn === undefined) yield held(line.of.name)
    else {
      const { from, to, rule } = turn
      const ends = { from: from.cell.text, first: pointName(line, from), ...cited(line, to, evidence) }
      const more = { expected: `${ends.from} → ${ends.expected}`, also: [to.cell.offset] }
      yield missed(1, () => refute(rule, offset, say('audit.turn', { quote, ...ends }), more), line)
    }
  }
}

/** Its values follow each other: along steps or the rising values of a setting, of this one where it is named. */
function isAlong({ points, matrix, isColumn }: Line, setting: string | null): boolean {
  const places = points.map(({ at }) => at.step ?? Number(at.name.replace(/^[^\d=]*=|k$/gi, '')))
  const isRising = places.every((place, i) => i === 0 || place > (places[i - 1] ?? Number.NaN))
  return isRising && (setting === null || (isColumn && points.length > 2 && namesCorner(setting, matrix)))
}

/** Where a course goes against what is said of it; of a gap the size is meant. */
function turnIn(points: readonly Point[], { sense, manner }: Assertion, isGap: boolean) {
  const sizeOf = ({ quantity: { value } }: Point): number => (isGap ? Math.abs(value) : value)
  const isBack = (a: Point, b: Point): boolean =>
    !meets(a.quantity.range, b.quantity.range) && sizeOf(b) > sizeOf(a) === (sense === 'down')
  const [first, last] = [points[0], points.at(-1)]
  if (first === undefined || last === undefined) return undefined
  const ends = { from: first, to: last, rule: 'trend-contradicted' } as const
  const steps = neighbours(points).map(([from, to]) => ({ from, to, rule: 'not-monotone' }) as const)
  return [ends, ...(manner === 'loose' ? [] : steps)].find(({ from, to }) => isBack(from, to))
}

export const trend: Relation = { names: ['trend'], inClause, inStatement, check: checkedBy(readings, ['said']) }

import type { Statement } from '../../document/document.js'
import type { Point } from '../../document/matrix.js'
import type { Stretch } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { meets } from '../arithmetic.js'
import type { Assertion, Relation } from '../assertion.js'
import type { Frame } from '../binding.js'
import { cited, pointName } from '../evidence.js'
import { refute } from '../fault.js'
import { adjectives, has, places } from '../lexicon.js'
import { namesCorner } from '../mentions.js'
import { assertionIn } from '../read.js'
import { type Asked, checkedBy, held, missed, type Reading } from '../reading.js'
import { isDenied } from '../stance.js'
import { GAP, unsigned } from './apart.js'

/**
 * What grows or shrinks with a setting: "accuracy falls as the shots grow", 越长越慢, "the gap widens with size". The setting
 * heads the rows of a table, so the line that is named must go that way from each row to the next.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.covariation': { en: '“{quote}”: “{line}” goes from {from} ({first}) to {expected} ({owner}, line {at}), the other way; name the exception', zh: '“{quote}”：“{line}”从 {from}（{first}）到 {expected}（{owner}，第 {at} 行），方向相反；应说明例外' },
})

const MORE =
  '增[加大多长高]|变[大长多高]|[升提]高|提升|上升|扩大|加[大长]|grows?|increases?|rises?|goes up|gets? (?:larger|longer|bigger|deeper)'
const LESS =
  '减[小少]|降低|下降|变[小短少低]|缩[小短]|decreases?|shrinks?|falls?|drops?|goes down|gets? (?:smaller|shorter)'
const MUCH = 'more|larger|longer|higher|bigger|deeper|increasing|growing|each additional'
const LITTLE = 'fewer|smaller|shorter|lower|decreasing|shrinking'

/** How a setting is said to vary: what it is called, and by which words it grows or shrinks. */
const PATTERNS: readonly RegExp[] = [
  `随着?(?<name>[^,，。;；]{1,16}?)的?(?:(?<more>${MORE})|(?<less>${LESS}))`,
  `(?<name>[^,，。;；:：]{1,12}?)(?:数|值)?(?:(?<more>${MORE})|(?<less>${LESS}))时`,
  '(?<name>[^,，。;；:：]{1,12}?)越(?:(?<more>[大高多长深])|(?<less>[小低少短浅]))(?=[,，]|[^,，。;；]{0,10}越)',
  `(?<![a-z])as (?:the )?(?:number of )?(?<name>[a-z][\\w -]{0,20}?) (?:(?<more>${MORE})|(?<less>${LESS}))(?![a-z])`,
  `(?<![a-z])with (?:(?<more>${MUCH})|(?<less>${LITTLE})) (?<name>[a-z][\\w-]{1,16})`,
  `(?<![a-z])the (?:(?<more>${MUCH})|(?<less>${LITTLE})) (?:the )?(?<name>[a-z][\\w -]{1,20}?), the `,
].map(pattern => new RegExp(pattern, 'i'))

interface Varying extends Stretch {
  readonly name: string
  readonly isMore: boolean
}

export function varyingIn(text: string): Varying | null {
  for (const pattern of PATTERNS) {
    const { index = 0, 0: found = '', groups } = pattern.exec(text) ?? {}
    if (groups?.name !== undefined)
      return { name: groups.name, isMore: groups.more !== undefined, from: index, to: index + found.length }
  }
  return null
}

/** "On the whole", "up to 8": not from each row to the next. */
const LOOSELY =
  /整体|总体|大致|基本|趋于|先|直到|之后|以[后上]|略|不[再明]|(?<![a-z])(?:overall|roughly|generally|mostly|tends?|first|until|up to|then|beyond|after|if|would|should|expected?)(?![a-z])|预期|应该|会/i

function* inStatement(statement: Statement): Generator<Assertion> {
  const { text, kind } = statement
  if (!text.includes('越') && !has(text, 'up', 'down', 'larger', 'smaller')) return
  const isLoose = LOOSELY.test(text) || has(text, 'monotone')
  const varying = kind === 'cell' || text.length > 200 || isLoose ? null : varyingIn(text)
  if (varying === null) return
  const start = Math.max(...[...':;。'].map(mark => text.lastIndexOf(mark, varying.from))) + 1
  const end = varying.to + Math.max(0, text.slice(varying.to).search(/[:;。]|$/))
  const compared = adjectives(text, /越[高大多长快低小少短慢]/g)
  const words = [...places(text, 'up', 'down', 'larger', 'smaller'), ...compared].filter(
    ({ from, to }) => from >= start && to <= end && !isDenied(text, from) && !text.startsWith('幅', to),
  )
  const own = words.filter(({ from, to }) => to <= varying.from || from >= varying.to)
  // 差距随长度扩大: the only verb is that of what is measured.
  const [word, more] = own.length > 0 ? own : varying.isMore ? words : []
  if (word === undefined || more !== undefined) return
  const isUp = has(word.text, 'up', 'larger')
  const draft = { quantity: varying.name, sense: isUp === varying.isMore ? ('up' as const) : ('down' as const) }
  yield assertionIn(statement, 'covariation', { from: start, to: end }, draft)
}

function* readings({ assertion, clause, frames, evidence }: Asked): Generator<Reading> {
  const { quantity, sense, quote, offset } = assertion
  const isGap = GAP.test(clause.text)
  const courses = frames.filter(one => isCourse(one, quantity ?? '') && (one.line.of.role === 'difference') === isGap)
  const named = courses.filter(({ isNamed }) => isNamed)
  for (const { line } of named.length > 0 ? named : courses) {
    const points = isGap ? line.points.map(unsigned) : line.points
    const steps = points.slice(1).map((to, i) => ({ from: points[i] ?? to, to }))
    const turn = steps.find(({ from, to }) => isBack(from, to, sense === 'up' ? 1 : -1))
    if (turn === undefined) yield held(line.of.name)
    else {
      const ends = { from: turn.from.cell.text, first: pointName(line, turn.from), ...cited(line, turn.to, evidence) }
      const message = say('audit.covariation', { quote, ...ends })
      const more = { expected: `${ends.from} → ${ends.expected}`, also: [turn.to.cell.offset] }
      yield missed(1, () => refute('not-monotone', offset, message, more), line)
    }
  }
}

/** A column over rows of the setting, in rising order. */
function isCourse({ line, isHere, isConfined }: Frame, setting: string): boolean {
  const { matrix, points, isColumn } = line
  const places = points.map(({ at }) => at.step ?? settingOf(at.name))
  const isRising = places.every((place, i) => i === 0 || place > (places[i - 1] ?? Number.NaN))
  return isColumn && isHere && !isConfined && points.length > 2 && isRising && namesCorner(setting, matrix)
}

/** 0.01 of "β=0.01", 32,000 of "32k". */
export function settingOf(name: string): number {
  const [, digits, thousands] = /^(?:[^\d=]{1,12}=)?\s?(\d+(?:\.\d+)?(?:e-?\d+)?)(k?)$/i.exec(name.trim()) ?? []
  return digits === undefined ? Number.NaN : Number(digits) * (thousands === '' ? 1 : 1000)
}

const isBack = ({ quantity: a }: Point, { quantity: b }: Point, sign: 1 | -1): boolean =>
  !meets(a.range, b.range) && Math.sign(b.value - a.value) === -sign

export const covariation: Relation = { names: ['covariation'], inStatement, check: checkedBy(readings, ['said']) }

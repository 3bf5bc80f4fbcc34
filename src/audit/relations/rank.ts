import { type Axis, type Line, lineOf, type Matrix, type Point } from '../../document/matrix.js'
import { sentences } from '../../text/sentences.js'
import { areLevel } from '../arithmetic.js'
import type { Assertion, Outcome, Relation } from '../assertion.js'
import { refute } from '../fault.js'
import { source } from '../lexicon.js'
import { assertionInCell } from '../read.js'

/**
 * Places among others: "the third largest", 排第二, which are read as superlatives are, and columns of ranks. Equal values
 * share their places. Which way a column of ranks counts is what fits most of its rows; one row alone that does not is
 * wrong.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.rank': { en: '“{quote}”: by “{line}” {claimed} is number {expected}, not {found}; count again', zh: '“{quote}”：按“{line}”，{claimed} 排第 {expected}，不是第 {found}；应重新排' },
})

const PLACES = ['first|1st|一|1', 'second|2nd|二|2', 'third|3rd|三|3', 'fourth|4th|四|4', 'fifth|5th|五|5']
const SAID = new RegExp(
  String.raw`(?<![A-Za-z\d]|in the )(?<place>first|second|third|fourth|fifth|[1-5](?:st|nd|rd|th))(?:[- ](?:(?<maximum>${source('maximum')})|(?<minimum>${source('minimum')})|(?<worst>${source('worst')}|weakest)|${source('best')}|place(?![a-z]))|(?<=(?:ranks?|ranked|comes?|came|places?|placed|finish(?:es|ed)) \w{3,6})(?![A-Za-z]))`,
  'i',
)
const SAID_ZH =
  /第\s?(?<place>[一二三四五1-5])(?:(?<=排(?:名|在|名在)?第\s?.)(?!\d)|(?<=一)[\s。；;]*$|(?<!一)(?:(?<maximum>[大高多])|(?<minimum>[小低少])|(?<worst>差))(?!\p{Script=Han}?[于过]))/u

/** Where a text speaks of a place, from which end it counts, and which place it is. */
export function placeIn(text: string): { readonly at: number; readonly kind: string; readonly rank: number } | null {
  const match = SAID.exec(text) ?? SAID_ZH.exec(text)
  if (match === null) return null
  const { place = '', maximum, minimum, worst } = match.groups ?? {}
  const rank = 1 + PLACES.findIndex(names => names.split('|').includes(place.toLowerCase()))
  const kinds = { maximum, minimum, worst }
  const kind = Object.entries(kinds).find(([, word]) => word !== undefined)?.[0] ?? 'best'
  return { at: match.index, kind, rank }
}

/** Who is at a place, counted from the largest or from the least. */
export function placedAt(points: readonly Point[], which: 'max' | 'min', rank: number): Point | undefined {
  const sign = which === 'max' ? -1 : 1
  return [...points].sort((a, b) => sign * (a.quantity.value - b.quantity.value))[rank - 1]
}

const RANKED = /^(?:rank(?:ing)?|place|排名|名次|位次)(?:\s*[(（[].*)?$/i
const FEWEST_RIGHT = 3
const MOST_RANKED = 200

/** The one row of a column of ranks that no order of another column gives, where one gives all the others. */
function* inTable(matrix: Matrix): Generator<Assertion> {
  for (const column of matrix.columns.filter(({ name }) => RANKED.test(name.trim()))) {
    const lineBy = (of: Axis): Line => lineOf(matrix, of, true, matrix.rows)
    const ranks = lineBy(column).points
    if (ranks.length <= FEWEST_RIGHT || ranks.length > MOST_RANKED) continue
    const scores = matrix.columns.filter(one => one !== column && one.role === 'value')
    const orders = scores.flatMap(of => (['max', 'min'] as const).map(which => oddIn(ranks, lineBy(of), which)))
    const [odd, more] = orders.sort((a, b) => a.length - b.length)[0] ?? []
    if (odd === undefined || more !== undefined) continue
    const { rank, place, of } = odd
    const draft = { subjects: [rank.at.name], quantity: of.name, manner: `${place}` }
    if (place > 0) yield assertionInCell(matrix, rank.cell, 'rank', draft)
  }
}

/** The rows that an order does not give their ranks, and the place that each has in it. */
function oddIn(ranks: readonly Point[], { of, points }: Line, which: 'max' | 'min') {
  return ranks.flatMap(rank => {
    const own = points.find(({ at }) => at === rank.at)
    const isAt = (place: number): boolean => {
      const placed = placedAt(points, which, place)
      return own !== undefined && placed !== undefined && areLevel(own.quantity, placed.quantity)
    }
    return isAt(rank.quantity.value) ? [] : [{ rank, of, place: 1 + points.findIndex((_, i) => isAt(i + 1)) }]
  })
}

function check({ manner, offset, quote, quantity, subjects: [claimed = ''] }: Assertion): Outcome {
  const params = { quote, line: quantity ?? '', claimed, expected: manner, found: quote }
  return refute('order-contradicted', offset, say('audit.rank', params), { severity: 'warning' })
}

export const rank: Relation = { names: ['rank'], inTable, check }

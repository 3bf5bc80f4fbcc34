import type { Point } from '../../document/matrix.js'
import { source } from '../lexicon.js'

/** Places among others: "the third largest", 排第二, which are read as superlatives are. Equal values share their places. */
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

import type { Statement } from '../../document/document.js'
import type { Assertion, Figure } from '../assertion.js'
import { has, places } from '../lexicon.js'
import type { Clause } from '../mentions.js'
import { assertionIn, figureOf } from '../read.js'
import { isDenied } from '../stance.js'
import { placeIn } from './rank.js'

/** Superlatives of a clause, and the figure that each is said of: "Peak 3.41 at step 90", "the lowest is 2.7, at step 30". */

const SENSES: { readonly [kind: string]: 'up' | 'down' } = { maximum: 'up', minimum: 'down' }
const KINDS = ['maximum', 'minimum', 'worst', 'most', 'fastest', 'slowest', 'best'] as const

/** A superlative with the figure or the name that it is said of; which names are meant is seen when it is checked. */
export function* superlativesIn(clause: Clause): Generator<Assertion> {
  const { statement, from, to, text } = clause
  const place = placeIn(text)
  if (place !== null) {
    const { kind, at, rank } = place
    const draft = { quantity: statement.text, sense: SENSES[kind] ?? null, manner: `${kind} ${from + at} ${rank}` }
    return statement.kind === 'cell' ? undefined : yield assertionIn(statement, 'extremum', clause, draft)
  }
  for (const [i, word] of [...places(text, ...KINDS)].entries()) {
    // "At most 3" is a bound, and "most of it" a part.
    const isPart = /^most$/i.test(word.text) && /^ of(?![A-Za-z])/i.test(text.slice(word.to))
    // "Post-max-load" is a name.
    const isPlaced = /(?:second|third|fourth|fifth|next)[- ]$/i.test(text.slice(0, word.from))
    const isName = text[word.from - 1] === '-' || text[word.to] === '-'
    const isUnit = word.text === 'min' && /\d\s?$/.test(text.slice(0, word.from))
    if (
      isPart ||
      isName ||
      isUnit ||
      isPlaced ||
      isDenied(text, word.from) ||
      /(?<![A-Za-z])at\s$/i.test(text.slice(0, word.from))
    )
      continue
    const figure = figureBeside(statement, from + word.from, from + word.to)
    if (figure === null && i > 0) continue
    const kind = KINDS.find(one => has(word.text, one)) ?? 'best'
    const { from: start, to: end } = figure?.quantity ?? clause
    // "The lowest is 3.4, at step 70": where it stands is part of it.
    const till = Math.max(to, end)
    const where = figure === null ? '' : (WHERE.exec(statement.text.slice(till))?.[0] ?? '')
    const stretch = { from: Math.min(from, start), to: till + where.length }
    yield assertionIn(statement, 'extremum', stretch, {
      figures: figure === null ? [] : [figure],
      quantity: statement.text,
      sense: SENSES[kind] ?? null,
      manner: `${kind} ${from + word.from} 1`,
    })
  }
}

const WHERE = /^[,，]\s?(?:(?:出现|达到)?[在于]|(?:reached |seen )?(?:at|in)(?![a-z]))[^,，;；。.]{1,20}/i

/** The figure that an extremum is about: behind its word, or in the brackets before it. */
function figureBeside(statement: Statement, from: number, to: number): Figure | null {
  const { text, quantities } = statement
  const clean = quantities.filter(({ ends, bound, unit }) => ends === null && bound === null && unit !== 'step')
  const behind = clean.find(one => one.from >= to)
  const between = text.slice(to, behind?.from ?? to)
  const isOwn = !/[,，;；。]|vs|→/.test(between) && !has(between, 'larger', 'smaller', 'better', 'worse')
  // "Highest: 41.7 → 46.3", "the most, from 41.7": it goes from one to the other.
  const isMoved = /^\s?(?:→|->|=>)/.test(text.slice(behind?.to)) || /(?:从|由|(?<![a-z])from)\s*$/i.test(between)
  if (behind !== undefined && isMoved) return null
  if (behind !== undefined && between.length <= 26 && isOwn) return figureOf(statement, behind, 'value')
  const before = clean.findLast(one => one.to <= from)
  const gap = text.slice(before?.to ?? from, from)
  // "41.7, the highest", but not "wins 3, on X the best is Y".
  // "Down to 27 %, the biggest relief": of something else.
  const isOther =
    /^[a-z]/i.test(text.slice(from)) &&
    !/^\s?(?:$|[.,;:)]|(?:of|in|on|among|across|so far|yet|at|for|over)(?![a-z]))/i.test(text.slice(to))
  if (
    before === undefined ||
    isOther ||
    gap.length > 12 ||
    /[;；。→]|[,，](?!\s?(?:the|为|是|也是|[^\p{L}]*$))/u.test(gap)
  )
    return null
  return figureOf(statement, before, 'value')
}

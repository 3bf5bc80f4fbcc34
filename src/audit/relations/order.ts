import type { Statement } from '../../document/document.js'
import { everyMatch } from '../../document/matches.js'
import type { Quantity, Stretch } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { meets } from '../arithmetic.js'
import type { Assertion, Relation } from '../assertion.js'
import type { Frame } from '../binding.js'
import { refute } from '../fault.js'
import { assertionIn, figureOf, masked } from '../read.js'
import { type Asked, checkedBy, held, missed, type Reading } from '../reading.js'

/**
 * Chains: "A (0.63) > B (0.61) ≈ C (0.60)". Every link is a name, a figure or both; a link without a figure has that of
 * the row or column it names, in one line for all links, which also holds the figures of the others.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.order-contradicted': { en: '“{quote}”: but {expected}; write them in order', zh: '“{quote}”：实际是 {expected}；应按大小重排' },
})

interface Link extends Stretch {
  /** What stands before it; empty for the first. */
  readonly sign: string
  readonly name: string
  readonly printed: Quantity | null
}

/** At least two signs, so that "x > 3" is none. */
const LINK = '[^><≈≥≤=,，、;；。:：\\p{C}]{1,60}?'
const CHAIN = new RegExp(String.raw`${LINK}(?:\s?[><≈≥≤]\s?${LINK}){2,12}(?=[,，;；。:：]|$|[)）](?!\s?[><≈]))`, 'gu')

const LONGEST = 600

function* inStatement(statement: Statement): Generator<Assertion> {
  if (!/[><]/.test(statement.text) || statement.text.length > LONGEST) return
  for (const { index, 0: whole } of everyMatch(masked(statement), CHAIN)) {
    // "A -> B" leads on, and "<b>" is a tag.
    if (/[-=]>|<[-/]|<\p{L}+>/u.test(whole)) continue
    const stretch = { from: index, to: index + whole.length }
    const links = linksIn(statement, stretch)
    const figures = links.flatMap(({ printed }) => (printed === null ? [] : [figureOf(statement, printed, 'value')]))
    if (links.length > 0)
      yield assertionIn(statement, 'order', stretch, { figures, subjects: links.map(({ name }) => name) })
  }
}

/** None where a link holds two figures, or the chain goes both ways. */
function linksIn({ text, quantities }: Statement, { from: start, to: end }: Stretch): readonly Link[] {
  const links: Link[] = []
  for (const { index, 0: whole, 1: sign = '' } of text.slice(start, end).matchAll(/([><≈≥≤])?[^><≈≥≤]+/g)) {
    const [from, to] = [start + index + sign.length, start + index + whole.length]
    const [printed = null, more] = quantities.filter(one => one.from >= from && one.to <= to)
    if (more !== undefined) return []
    const name = text.slice(from, printed?.from ?? to).replace(/[(（\s]+$/, '')
    links.push({ from, to, sign, name: name.trim(), printed })
  }
  const signs = links.map(({ sign }) => sign).join('')
  return /[>≥]/.test(signs) && /[<≤]/.test(signs) ? [] : links
}

/** Along each line in which all links have a value; else along the figures of the chain alone. */
function* readings({ assertion: { quote, offset }, clause, frames }: Asked): Generator<Reading> {
  const links = linksIn(clause.statement, clause)
  const lines = frames.map(frame => links.map(link => valueIn(frame, link)))
  const along = lines.filter(values => values.every(value => value !== null))
  for (const values of along.length > 0 ? along : [links.map(({ printed }) => printed)]) {
    const at = links.findIndex(({ sign }, i) => isBroken(sign, values[i - 1] ?? null, values[i] ?? null))
    if (at < 0) yield held(quote)
    const ends = [at, at - 1].map(i => `${links[i]?.name} (${values[i]?.value})`)
    const expected = ends.join(/[>≥]/.test(links[at]?.sign ?? '') ? ' > ' : ' < ')
    const severity = links[at]?.printed == null ? 'warning' : 'error'
    const message = say('audit.order-contradicted', { quote, expected })
    yield missed(1, () => refute('order-contradicted', offset, message, { severity, found: quote }))
  }
}

function isBroken(sign: string, left: Quantity | null, right: Quantity | null): boolean {
  if (left === null || right === null || sign === '≈' || meets(left.range, right.range)) return false
  return left.value > right.value !== /[>≥]/.test(sign)
}

/** The value of what a link prints or names; a name that several share has none. */
function valueIn({ line, subjects }: Frame, { from, to, printed }: Link): Quantity | null {
  if (printed !== null) return line.points.some(({ quantity }) => quantity.value === printed.value) ? printed : null
  const [own, more] = subjects.filter(({ mention }) => mention.from >= from && mention.to <= to)
  return own === undefined || more !== undefined ? null : own.point.quantity
}

export const order: Relation = { names: ['order'], inStatement, check: checkedBy(readings) }

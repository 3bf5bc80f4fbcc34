import type { Statement } from '../../document/document.js'
import type { Stretch } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { meets } from '../arithmetic.js'
import type { Assertion, Figure, Relation } from '../assertion.js'
import { type Asked, checkedBy, type Frame, held, missed, type Reading } from '../binding.js'
import { refute } from '../fault.js'
import { assertionIn, figureOf, masked } from '../read.js'

/**
 * Chains: "A (0.63) > B (0.61) ≈ C (0.60)". Every link is a name, a figure or both; a link without a figure has that of
 * the row or column it names, in one line for all links, which also holds the figures of the others.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.order-contradicted': { en: '“{quote}”: {left} is {leftValue} and {right} is {rightValue}, so it is not “{left} {sign} {right}”; write them in order', zh: '“{quote}”：{left} 是 {leftValue}，{right} 是 {rightValue}，并非“{left} {sign} {right}”；应按大小重排' },
})

interface Link extends Stretch {
  /** What stands before it; empty for the first. */
  readonly sign: string
  readonly name: string
  readonly figure: Figure | null
}

/** At least two signs, so that "x > 3" is none. */
const LINK = '[^><≈≥≤=,，;；。:：\\p{C}]{1,60}?'
const CHAIN = new RegExp(String.raw`${LINK}(?:\s?[><≈≥≤]\s?${LINK}){2,12}(?=[,，;；。:：]|$|[)）](?!\s?[><≈]))`, 'gu')

function* inStatement(statement: Statement): Generator<Assertion> {
  if (!/[><]/.test(statement.text) || statement.text.length > 600) return
  for (const { index, 0: whole } of masked(statement).matchAll(CHAIN)) {
    const stretch = { from: index, to: index + whole.length }
    const links = linksIn(statement, stretch)
    const figures = links.flatMap(({ figure }) => figure ?? [])
    if (links.length > 2 && figures.length !== 1)
      yield assertionIn(statement, 'order', stretch, { figures, subjects: links.map(({ name }) => name) })
  }
}

/** None where a link holds two figures, or the chain goes both ways. */
function linksIn(statement: Statement, { from: start, to: end }: Stretch): readonly Link[] {
  const links: Link[] = []
  for (const { index, 0: whole, 1: sign = '' } of statement.text.slice(start, end).matchAll(/([><≈≥≤])?[^><≈≥≤]+/g)) {
    const [from, to] = [start + index + sign.length, start + index + whole.length]
    const [only, more] = statement.quantities.filter(one => one.from >= from && one.to <= to)
    if (more !== undefined) return []
    const name = statement.text.slice(from, only?.from ?? to).replace(/[(（\s]+$/, '')
    const figure = only === undefined ? null : figureOf(statement, only, 'value')
    links.push({ from, to, sign, name: name.trim(), figure })
  }
  const signs = links.map(({ sign }) => sign).join('')
  return /[>≥]/.test(signs) && /[<≤]/.test(signs) ? [] : links
}

type Value = Pick<Figure, 'quantity' | 'text'>

/** Along the figures of the chain, or along each line in which all links have a value; the lines that are named first. */
function* readings({ assertion, clause, frames }: Asked): Generator<Reading> {
  const links = linksIn(clause.statement, clause)
  const printed = links.filter(({ figure }) => figure !== null)
  const fitting = frames.filter(frame =>
    links.every(({ figure, ...link }) =>
      figure === null
        ? valueIn(frame, link) !== null
        : frame.line.points.some(({ quantity }) => quantity.value === figure.quantity.value),
    ),
  )
  const named = fitting.filter(({ isNamed }) => isNamed)
  const along = named.length > 0 ? named : fitting
  const isPrinted = printed.length === links.length || (along.length === 0 && printed.length > 1)
  for (const frame of isPrinted ? [null] : along) {
    const values = links.map(link => link.figure ?? (frame === null ? null : valueIn(frame, link)))
    const broken = links.findIndex((link, i) => isBroken(link.sign, values[i - 1] ?? null, values[i] ?? null))
    const weight = [broken - 1, broken].every(i => links[i]?.figure != null) ? 2 : 1
    yield broken < 0
      ? held(assertion.quote)
      : missed(weight, () => {
          const [leftValue = '', rightValue = ''] = [broken - 1, broken].map(i => values[i]?.text)
          const [left, right] = [links[broken - 1]?.name || leftValue, links[broken]?.name || rightValue]
          const params = { quote: assertion.quote, left, leftValue, right, rightValue, sign: links[broken]?.sign ?? '' }
          return refute('order-contradicted', assertion.offset, say('audit.order-contradicted', params), {
            severity: weight > 1 ? 'error' : 'warning',
            found: assertion.quote,
            expected: /[>≥]/.test(params.sign) ? '<' : '>',
          })
        })
  }
}

function isBroken(sign: string, left: Value | null, right: Value | null): boolean {
  if (left === null || right === null || sign === '≈' || meets(left.quantity.range, right.quantity.range)) return false
  return left.quantity.value > right.quantity.value !== /[>≥]/.test(sign)
}

/** The value of what a link names. A name that several share stands for all: what is said must hold for one. */
function valueIn({ subjects }: Frame, { from, to }: Stretch): Value | null {
  const own = subjects.filter(({ mention }) => mention.from >= from && mention.to <= to)
  const sorted = own.map(({ point }) => point).sort((a, b) => a.quantity.value - b.quantity.value)
  const [low, high] = [sorted[0], sorted.at(-1)]
  if (low === undefined || high === undefined || new Set(own.map(({ mention }) => mention)).size > 1) return null
  const range = { low: low.quantity.range.low, high: high.quantity.range.high }
  return { text: low.cell.text, quantity: { ...low.quantity, range } }
}

export const order: Relation = { names: ['order'], inStatement, check: checkedBy(readings) }

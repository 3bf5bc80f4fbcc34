import type { Statement } from '../../document/document.js'
import { everyMatch } from '../../document/matches.js'
import { type Line, shortLines } from '../../document/matrix.js'
import type { Stretch } from '../../document/quantity.js'
import { sentences } from '../../text/sentences.js'
import { meets } from '../arithmetic.js'
import { type Assertion, confirmed, type Figure, type Outcome, type Relation, UNCHECKED } from '../assertion.js'
import type { Evidence } from '../evidence.js'
import { refute } from '../fault.js'
import { mentionsIn, mentionsInText } from '../mentions.js'
import { assertionIn, figureOf, masked } from '../read.js'

/**
 * Chains: "A (0.63) > B (0.61) ≈ C (0.60)". Every link is a name, a figure or both; a link without a figure is looked
 * up in the tables near by, where its row or column also holds the figures of the other links.
 */
// biome-ignore format: one sentence a line, both languages side by side
const say = sentences({
  'audit.order-contradicted': { en: '“{quote}”: {left} is {leftValue} and {right} is {rightValue}, so it is not “{left} {sign} {right}”; write them in order', zh: '“{quote}”：{left} 是 {leftValue}，{right} 是 {rightValue}，并非“{left} {sign} {right}”；应按大小重排' },
})

interface Link {
  readonly name: string
  readonly figure: Figure | null
}

interface Chain {
  readonly links: readonly Link[]
  readonly signs: readonly string[]
}

/** At least two signs, so that "x > 3" is none. */
const LINK = '[^><≈≥≤=,，;；。:：\\p{C}]{1,60}?'
const CHAIN = new RegExp(String.raw`${LINK}(?:\s?[><≈≥≤]\s?${LINK}){2,12}(?=[,，;；。:：]|$|[)）](?!\s?[><≈]))`, 'gu')

function* inStatement(statement: Statement): Generator<Assertion> {
  if (!/[><]/.test(statement.text) || statement.text.length > 600) return
  for (const { index, 0: whole } of everyMatch(masked(statement), CHAIN)) {
    const stretch = { from: index, to: index + whole.length }
    const chain = chainIn(statement, stretch)
    if (chain === null) continue
    const figures = chain.links.flatMap(({ figure }) => figure ?? [])
    const subjects = chain.links.map(({ name }) => name)
    if (figures.length !== 1)
      yield assertionIn(statement, 'order', stretch, { figures, subjects, manner: chain.signs.join('') })
  }
}

/** The links and the signs between them; null where a link holds two figures, or the chain goes both ways. */
function chainIn(statement: Statement, { from, to }: Stretch): Chain | null {
  const links: Link[] = []
  const signs: string[] = []
  let at = from
  for (const piece of statement.text.slice(from, to).split(/([><≈≥≤])/)) {
    const [start, end] = [at, at + piece.length]
    at = end
    if (/^[><≈≥≤]$/.test(piece)) {
      signs.push(piece)
      continue
    }
    const [only, more] = statement.quantities.filter(one => one.from >= start && one.to <= end)
    if (more !== undefined) return null
    const name = statement.text.slice(start, only?.from ?? end).replace(/[(（\s]+$/, '')
    links.push({ name: name.trim(), figure: only === undefined ? null : figureOf(statement, only, 'value') })
  }
  const isOneWay = !(signs.some(sign => /[>≥]/.test(sign)) && signs.some(sign => /[<≤]/.test(sign)))
  return links.length > 2 && isOneWay ? { links, signs } : null
}

function check(assertion: Assertion, evidence: Evidence): Outcome {
  const { statement, stretch } = assertion.scope
  const chain = statement === null || stretch === null ? null : chainIn(statement, stretch)
  if (chain === null || (assertion.stance !== 'said' && assertion.stance !== 'hedged')) return UNCHECKED
  const printed = chain.links.filter(({ figure }) => figure !== null).length
  const lines = printed === chain.links.length ? [null] : linesOf(assertion, chain, evidence)
  const outcomes = (lines.length === 0 && printed > 1 ? [null] : lines).map(line => checkAlong(assertion, chain, line))
  return outcomes.find(({ verdict }) => verdict === 'confirmed') ?? outcomes[0] ?? UNCHECKED
}

function checkAlong({ quote, offset }: Assertion, { links, signs }: Chain, line: Line | null): Outcome {
  let checked = 0
  for (const [i, sign] of signs.entries()) {
    const [left, right] = [links[i], links[i + 1]].map(link => (link === undefined ? null : valueFor(link, line)))
    if (left == null || right == null) continue
    checked += 1
    const isGreater = left.quantity.value > right.quantity.value
    if (sign === '≈' || meets(left.quantity.range, right.quantity.range) || isGreater === /[>≥]/.test(sign)) continue
    const [a, b] = [links[i]?.name || left.text, links[i + 1]?.name || right.text]
    const params = { quote, left: a, right: b, leftValue: left.text, rightValue: right.text, sign }
    return refute('order-contradicted', offset, say('audit.order-contradicted', params), {
      severity: links[i]?.figure !== null && links[i + 1]?.figure !== null ? 'error' : 'warning',
      found: quote,
      expected: isGreater ? '>' : '<',
    })
  }
  return checked > 0 ? confirmed(quote) : UNCHECKED
}

/** The figure of a link: printed beside its name, else of the row or column that it names in one line for all links. */
function valueFor({ name, figure }: Link, line: Line | null): Pick<Figure, 'quantity' | 'text'> | null {
  if (figure !== null || line === null) return figure
  const { matrix, points, isColumn } = line
  const [mention, other] = mentionsInText(name, matrix).filter(({ isRow }) => isRow === isColumn)
  if (mention === undefined || other !== undefined) return null
  const own = points.filter(({ at }) => mention.axes.includes(at))
  const sorted = own.sort((a, b) => a.quantity.value - b.quantity.value)
  const [low, high] = [sorted[0], sorted.at(-1)]
  if (low === undefined || high === undefined) return null
  // A name that several share stands for all of them: what is said must hold for one.
  const range = { low: low.quantity.range.low, high: high.quantity.range.high }
  return { text: low.cell.text, quantity: { ...low.quantity, range } }
}

/** The lines in which every link that has no figure of its own has a value, and the printed figures are those of the line. */
function linesOf({ offset, scope: { statement } }: Assertion, { links }: Chain, { near }: Evidence): readonly Line[] {
  const fitting = near(offset)
    .flatMap(matrix => shortLines(matrix))
    .filter(line =>
      links.every(link =>
        link.figure === null
          ? valueFor(link, line) !== null
          : line.points.some(({ quantity }) => quantity.value === link.figure?.quantity.value),
      ),
    )
  const named = fitting.filter(
    ({ matrix, of, isColumn }) =>
      statement !== null && mentionsIn(statement, matrix).some(one => one.isRow !== isColumn && one.axes.includes(of)),
  )
  return named.length > 0 ? named : fitting
}

export const order: Relation = { names: ['order'], inStatement, check }

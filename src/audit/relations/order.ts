import type { Statement } from '../../document/document.js'
import { type Line, type Point, shortLines } from '../../document/matrix.js'
import { sentences } from '../../text/sentences.js'
import { meets } from '../arithmetic.js'
import {
  type Assertion,
  confirmed,
  type Figure,
  type Outcome,
  type Relation,
  refuted,
  UNCHECKED,
} from '../assertion.js'
import type { Evidence } from '../evidence.js'
import { fault } from '../fault.js'
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

function* read(statements: readonly Statement[]): Generator<Assertion> {
  for (const statement of statements) {
    const { text, kind } = statement
    if (kind === 'code' || !/[><]/.test(text) || text.length > 600) continue
    const words = masked(statement)
    for (const { index, 0: whole } of words.matchAll(CHAIN)) {
      const links = linksOf(statement, index, index + whole.length)
      if (links === null || links.parts.length < 3 || !isOneWay(links.signs)) continue
      const figures = links.parts.flatMap(({ figure }) => (figure === null ? [] : [figure]))
      if (figures.length === 1) continue
      yield assertionIn(statement, 'order', {
        from: index,
        to: index + whole.length,
        figures,
        subjects: links.parts.map(({ name }) => name),
        manner: links.signs.join(''),
      })
    }
  }
}

/** At least two signs, so that "x > 3" is none. */
const LINK = '[^><≈≥≤=,，;；。:：\\p{C}]{1,60}?'
const CHAIN = new RegExp(String.raw`${LINK}(?:\s?[><≈≥≤]\s?${LINK}){2,12}(?=[,，;；。:：]|$|[)）](?!\s?[><≈]))`, 'gu')

/** A ranking goes one way. */
function isOneWay(signs: readonly string[]): boolean {
  return !(signs.some(sign => /[>≥]/.test(sign)) && signs.some(sign => /[<≤]/.test(sign)))
}

function linksOf(statement: Statement, from: number, to: number): { parts: Link[]; signs: string[] } | null {
  const text = statement.text.slice(from, to)
  const parts: Link[] = []
  const signs: string[] = []
  let at = from
  for (const piece of text.split(/([><≈≥≤])/)) {
    const end = at + piece.length
    if (/^[><≈≥≤]$/.test(piece)) signs.push(piece)
    else {
      const inside = statement.quantities.filter(quantity => quantity.from >= at && quantity.to <= end)
      if (inside.length > 1) return null
      const [only] = inside
      const name = (only === undefined ? piece : statement.text.slice(at, only.from)).replace(/[(（\s]+$/, '').trim()
      parts.push({ name, figure: only === undefined ? null : figureOf(statement, only, 'value') })
    }
    at = end
  }
  return { parts, signs }
}

function check(assertion: Assertion, evidence: Evidence): Outcome {
  if (assertion.stance !== 'said' && assertion.stance !== 'hedged') return UNCHECKED
  const isPrinted = assertion.figures.length === assertion.subjects.length
  const lines = isPrinted ? [null] : linesOf(assertion, evidence)
  const outcomes = (lines.length === 0 && assertion.figures.length > 1 ? [null] : lines).map(line =>
    checkAlong(assertion, line),
  )
  return outcomes.find(({ verdict }) => verdict === 'confirmed') ?? outcomes[0] ?? UNCHECKED
}

function checkAlong(assertion: Assertion, line: Line | null): Outcome {
  const values = assertion.subjects.map(name => linkValue(assertion, name, line))
  let checked = 0
  for (const [i, sign] of [...assertion.manner].entries()) {
    const [left, right] = [values[i], values[i + 1]]
    if (left == null || right == null) continue
    checked += 1
    if (sign === '≈' || meets(left.quantity.range, right.quantity.range)) continue
    const isGreater = left.quantity.value > right.quantity.value
    if (isGreater === (sign === '>' || sign === '≥')) continue
    const params = {
      quote: assertion.quote,
      left: assertion.subjects[i] || left.text,
      right: assertion.subjects[i + 1] || right.text,
      leftValue: left.text,
      rightValue: right.text,
      sign,
    }
    return refuted(
      fault('order-contradicted', assertion.offset, say('audit.order-contradicted', params), {
        severity: left.printed && right.printed ? 'error' : 'warning',
        found: assertion.quote,
        expected: isGreater ? '>' : '<',
      }),
    )
  }
  return checked > 0 ? confirmed(assertion.quote) : UNCHECKED
}

interface Known {
  readonly quantity: Figure['quantity']
  readonly text: string
  readonly printed: boolean
}

/** The figure of a link: printed beside its name, else of the row or column that it names in one line for all links. */
function linkValue(assertion: Assertion, name: string, line: Line | null): Known | null {
  const at = assertion.subjects.indexOf(name)
  const own = assertion.figures.find(figure => belongsTo(assertion, at, figure))
  if (own !== undefined) return { quantity: own.quantity, text: own.text, printed: true }
  const point = line === null ? undefined : pointNamed(line, name)
  return point === undefined ? null : { quantity: point.quantity, text: point.cell.text, printed: false }
}

/** A name that several share stands for all of them: what is said must hold for one. */
function pointNamed({ matrix, points, isColumn }: Line, name: string): Pick<Point, 'quantity' | 'cell'> | undefined {
  const [mention, other] = mentionsInText(name, matrix).filter(({ isRow }) => isRow === isColumn)
  const own = mention === undefined || other !== undefined ? [] : points.filter(({ at }) => mention.axes.includes(at))
  const sorted = [...own].sort((a, b) => a.quantity.value - b.quantity.value)
  const [low, high] = [sorted[0], sorted.at(-1)]
  if (low === undefined || high === undefined) return undefined
  return {
    cell: low.cell,
    quantity: { ...low.quantity, range: { low: low.quantity.range.low, high: high.quantity.range.high } },
  }
}

/** The lines in which every link that has no figure of its own has a value, and the printed figures are those of the line. */
function linesOf(assertion: Assertion, { near }: Evidence): readonly Line[] {
  const { statement } = assertion.scope
  const lines = near(assertion.offset)
    .slice(0, 6)
    .flatMap(matrix => shortLines(matrix))
  const fitting = lines.filter(line => {
    const values = assertion.subjects.map((name, at) => ({
      name,
      own: assertion.figures.find(figure => belongsTo(assertion, at, figure)),
    }))
    const isHeld = ({ quantity }: Figure): boolean => line.points.some(point => point.quantity.value === quantity.value)
    return values.every(({ name, own }) => (own === undefined ? pointNamed(line, name) !== undefined : isHeld(own)))
  })
  const named = fitting.filter(
    ({ matrix, of, isColumn }) =>
      statement !== null && mentionsIn(statement, matrix).some(one => one.isRow !== isColumn && one.axes.includes(of)),
  )
  return named.length > 0 ? named : fitting
}

/** Links and figures come in the same order; a link without a figure is skipped. */
function belongsTo(assertion: Assertion, link: number, figure: Figure): boolean {
  const { statement } = assertion.scope
  if (statement === null) return false
  const from = statement.text.indexOf(assertion.quote)
  if (from < 0) return false
  const pieces = assertion.quote.split(/[><≈≥≤]/)
  let at = from
  for (const [i, piece] of pieces.entries()) {
    const inside = figure.quantity.from >= at && figure.quantity.to <= at + piece.length + 1
    if (i === link) return inside
    at += piece.length + 1
  }
  return false
}

export const order: Relation = { name: 'order', read: ({ document }) => read(document.statements), check }

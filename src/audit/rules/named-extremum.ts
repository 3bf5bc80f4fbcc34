import type { Quantity } from '../../document/quantity.js'
import { canMeet } from '../../stats/rounding.js'
import { message } from '../../text/say.js'
import type { Claim } from '../claims.js'
import { goalOf } from '../direction.js'
import type { AuditDocument, Statement } from '../document.js'
import { PARTIAL } from '../extremes.js'
import { type Grid, gridFor, type Line, linesNamed, metricsNamed, sameUnit } from '../grid.js'
import { clauseAt, isRestricted, oneMetric, oneThing } from '../naming.js'
import { printed } from '../printed-curves.js'
import type { AuditRule, Fault } from '../rule.js'
import { titlesAbove } from '../table-view.js'

/**
 * "s09 has the best reward", "拒答率最低出现在 step 220": a superlative about a named row and a named column, without its
 * value, against the table. With the value it is `extremum-contradicted`.
 */
export const namedExtremum: AuditRule = {
  id: 'named-extremum',
  kind: 'contradiction',
  severity: 'error',
  example: {
    faulty: '| run | reward |\n|---|---|\n| s1 | 0.61 |\n| s2 | 0.67 |\n| s3 | 0.65 |\n\ns3 has the best reward.',
    sound: '| run | reward |\n|---|---|\n| s1 | 0.61 |\n| s2 | 0.67 |\n| s3 | 0.65 |\n\ns2 has the best reward.',
  },
  *check(document: AuditDocument) {
    for (const statement of document.statements) {
      const { kind, text } = statement
      if (kind === 'cell' || kind === 'code' || kind === 'heading') continue
      const claims = superlatives(statement)
      if (claims.length === 0 || PARTIAL.test(text)) continue
      for (const claim of claims) {
        const fault = gridFor(document, statement, grid => against(grid, statement, claim))
        if (fault !== null && fault !== 'right') yield fault
      }
    }
  },
}

interface Superlative extends Pick<Claim, 'from' | 'to'> {
  readonly direction: 'high' | 'low' | 'best'
  /** A word that says its column as well. */
  readonly column: RegExp | null
}

const CHEAPEST = /最便宜|(?<![a-z])cheapest(?![a-z])/i
const COST = /cost|price|费用|成本|价格/i
const FEW = /最少|(?<![a-z])fewest(?![a-z])/i

function superlatives({ claims, text }: Statement): readonly Superlative[] {
  const found = claims.flatMap(({ kind, from, to, negated, hedged }): Superlative[] => {
    if (negated || hedged) return []
    if (kind === 'best')
      return /^win/i.test(text.slice(from, to)) ? [] : [{ from, to, direction: 'best', column: null }]
    if (kind === 'extremum-high') return [{ from, to, direction: 'high', column: null }]
    return kind === 'extremum-low' ? [{ from, to, direction: 'low', column: null }] : []
  })
  const cheap = CHEAPEST.exec(text)
  const few = FEW.exec(text)
  const words = [
    ...(cheap === null ? [] : [{ match: cheap, column: COST }]),
    ...(few === null ? [] : [{ match: few, column: null }]),
  ]
  const others = words.map(({ match, column }): Superlative => {
    return { from: match.index, to: match.index + match[0].length, direction: 'low', column }
  })
  return [...found, ...others]
}

const EVERYWHERE = /(?<![a-z])(?:all|every|each|across)(?![a-z])|所有|全部|每个|各[项个类]|都/i

/** "A's best checkpoint" is the best of A. */
const OWN = /(?:的|'s|’s)\s*$/

function against(grid: Grid, statement: Statement, claim: Superlative): Fault | 'right' | null {
  const { text } = statement
  const clause = clauseAt(text, claim.from)
  const words = text.slice(clause.from, clause.to)
  if (EVERYWHERE.test(words) || OWN.test(text.slice(0, claim.from))) return null
  const thing = oneThing(statement, grid, clause)
  const metric =
    claim.column === null
      ? metricOf(statement, grid, words, claim)
      : (grid.metrics.find(({ name }) => claim.column?.test(name) === true) ?? null)
  if (thing === null || metric === null) return null
  if (isRestricted(statement, grid, metric)) return 'right'
  if (printsAnother(statement, grid, thing, metric)) return null
  const direction = directionOf(claim, metric, statement)
  const own = grid.at(thing, metric)
  if (direction === null || own === null) return null
  const beaten = beatenBy(grid, thing, metric, direction)
  if (beaten === null) return 'right'
  const params = {
    column: metric.name,
    name: thing.name,
    found: printed(own),
    other: beaten.line.name,
    expected: printed(beaten.quantity),
  }
  return {
    offset: statement.offsetOf(claim.from),
    message: message(direction === 'high' ? 'audit.named-extremum-high' : 'audit.named-extremum-low', params),
    found: params.found,
    expected: params.expected,
  }
}

/** "Best" of what its own clause names; "highest" may have its quantity in the clause before. */
function metricOf(statement: Statement, grid: Grid, clause: string, { direction }: Superlative): Line | null {
  if (direction !== 'best') return oneMetric(statement, grid, clause)
  const named = metricsNamed(clause, grid)
  return named.length === 1 ? named[0] : null
}

/** "F1 = 0.9102" of a row that prints another F1: the sentence speaks of another table. */
function printsAnother({ text, quantities }: Statement, grid: Grid, thing: Line, metric: Line): boolean {
  const own = grid.at(thing, metric)
  return linesNamed(text, [metric]).some(({ to }) => {
    const said = quantities.find(({ from }) => from >= to)
    if (said === undefined || own === null || !/^\s?(?:=|:|为|是|is|of|\()\s?$/.test(text.slice(to, said.from)))
      return false
    return said.ends === null && !canMeet(said.range, own.range)
  })
}

function directionOf({ direction }: Superlative, { name }: Line, { section }: Statement): 'high' | 'low' | null {
  return direction === 'best' ? goalOf([name, ...titlesAbove(section)]) : direction
}

/** The thing that lies farthest beyond this one, whatever the rounding was. */
export function beatenBy(
  grid: Grid,
  thing: Line,
  metric: Line,
  direction: 'high' | 'low',
): { readonly line: Line; readonly quantity: Quantity } | null {
  const own = grid.at(thing, metric)
  if (own === null) return null
  const sign = direction === 'high' ? 1 : -1
  const beyond = grid.things.flatMap(line => {
    const quantity = line === thing ? null : grid.at(line, metric)
    if (quantity === null || !sameUnit(quantity, own)) return []
    const isBeyond = sign > 0 ? quantity.range.low >= own.range.high : quantity.range.high <= own.range.low
    return isBeyond && quantity.value !== own.value ? [{ line, quantity }] : []
  })
  return beyond.toSorted((a, b) => sign * (b.quantity.value - a.quantity.value))[0] ?? null
}

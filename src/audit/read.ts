import type { Statement } from '../document/document.js'
import { type Quantity, readTokens, type Stretch } from '../document/quantity.js'
import type { Assertion, Figure, FigureRole, RelationName, Scope } from './assertion.js'
import { stanceOf } from './stance.js'

/** Small makers that every relation uses to put an assertion together. */
export function figureOf(statement: Statement, quantity: Quantity, role: FigureRole): Figure {
  return {
    role,
    quantity,
    offset: statement.offsetOf(quantity.from),
    text: statement.text.slice(quantity.from, quantity.to),
  }
}

/** Digits that a pattern found, also where the tokens take them for a step or a name. */
export function printedFigure(statement: Statement, text: string, at: number, role: FigureRole, hedge = ''): Figure {
  const value = Number(text.replace(/[,%]/g, ''))
  const bare = { from: 0, to: text.length, value, range: { low: value, high: value }, ends: null, decimals: 0 } as const
  const none = { unit: null, signed: false, plusMinus: false, hedge: null, bound: null } as const
  const [quantity = { ...bare, ...none }] = readTokens(hedge + text).quantities
  return { role, quantity, offset: statement.offsetOf(at), text }
}

export function scopeOf(statement: Statement, stretch: Stretch | null = null): Scope {
  const [first] = statement.steps
  const steps = statement.steps
  const whole: readonly [number, number] | null =
    first === undefined ? null : [Math.min(...steps.map(one => one.first)), Math.max(...steps.map(one => one.last))]
  return { section: statement.section, table: statement.table, steps: whole, statement, stretch }
}

export interface Draft {
  readonly from: number
  readonly to: number
  readonly figures?: readonly Figure[]
  readonly subjects?: readonly string[]
  readonly quantity?: string | null
  readonly sense?: Assertion['sense']
  readonly manner?: string
}

export function assertionIn(statement: Statement, relation: RelationName, draft: Draft): Assertion {
  const { from, to, figures = [], subjects = [], quantity = null, sense = null, manner = '' } = draft
  return {
    relation,
    stance: stanceOf(statement, from, to),
    quote: statement.text.slice(from, to).trim(),
    offset: statement.offsetOf(from),
    subjects,
    quantity,
    figures,
    sense,
    scope: scopeOf(statement, { from, to }),
    manner,
  }
}

export function figureAs({ figures }: Assertion, role: FigureRole): Figure | null {
  return figures.find(figure => figure.role === role) ?? null
}

export function figuresAs({ figures }: Assertion, role: FigureRole): readonly Figure[] {
  return figures.filter(figure => figure.role === role)
}

const masks = new WeakMap<Statement, string>()

/** The text with every digit that belongs to a name, a step or a date made a letter: what is left is measured. */
export function masked(statement: Statement): string {
  const known = masks.get(statement)
  if (known !== undefined) return known
  const { text, quantities } = statement
  let made = ''
  let at = 0
  for (const { from, to } of quantities) {
    made += text.slice(at, from).replace(/\d/g, 'n') + text.slice(from, to)
    at = to
  }
  made += text.slice(at).replace(/\d/g, 'n')
  masks.set(statement, made)
  return made
}

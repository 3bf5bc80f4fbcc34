import type { Quantity } from '../document/quantity.js'
import { message } from '../text/say.js'
import { type ComparisonSet, comparisonSets, type Item, setsNamed, stretchOf } from './comparison-sets.js'
import type { AuditDocument, Statement } from './document.js'
import { within } from './extremes.js'
import { gridFor, thingsNamed } from './grid.js'
import { isRestricted, oneMetric } from './naming.js'
import { printed } from './printed-curves.js'
import type { Fault } from './rule.js'

/**
 * What is said of a stretch of steps ("epochs 21-50", "all epochs") against the rows of that stretch. At least one row
 * must agree: where none does, the sentence speaks of something else than the table.
 */
/** Where a sentence may be looked up: along steps, or in a table of its own section as well. */
export interface StretchSets {
  readonly document: AuditDocument
  readonly curves: readonly ComparisonSet[]
  readonly all: readonly ComparisonSet[]
}

export function stretchSets(document: AuditDocument): StretchSets {
  const all = comparisonSets(document)
  return { document, all, curves: all.filter(({ isCurve }) => isCurve) }
}

export type Filled = Item & { readonly quantity: Quantity }

export interface Contradiction {
  readonly set: ComparisonSet
  readonly wrong: readonly Filled[]
  readonly of: number
}

/** A part of the steps that nobody can look up. */
const PARTLY =
  /之后|以后|之前|以前|前\s?\d|后\s?\d|(?<![a-z])(?:after|before|since|until|from then|first|last|early|late|later)(?![a-z])|早期|后期|初期/i

/** Rows of the stretch that disagree, in the one quantity meant; null when none does, none agrees, or it is unclear. */
export function contradicting(
  statement: Statement,
  { document, curves, all }: StretchSets,
  agrees: (item: Filled) => boolean,
  unit: Quantity['unit'],
): Contradiction | null {
  const stretch = stretchOf(statement)
  if (stretch === null && (statement.steps.length > 0 || PARTLY.test(statement.text))) return null
  const near = setsNamed(statement, stretch === null ? all : curves).filter(
    ({ isCurve, section }) => isCurve || section === statement.section,
  )
  const named = near.length > 0 || stretch !== null ? near : inTableBefore(document, statement)
  if (new Set(named.map(({ metric }) => metric)).size > 1) return null
  const against = (set: ComparisonSet): Contradiction | null => {
    const rows = set.items
      .filter(isFilled)
      .filter(
        ({ step, quantity }) =>
          (unit === null || quantity.unit === null || quantity.unit === unit) &&
          (stretch === null || (step !== null && within(step, stretch))),
      )
    const wrong = rows.filter(row => !agrees(row))
    return wrong.length === 0 || wrong.length === rows.length ? null : { set, wrong, of: rows.length }
  }
  const [first, ...others] = named
  const found = first === undefined ? null : against(first)
  return found !== null && others.every(set => against(set) !== null) ? found : null
}

/** The named column of the nearest table that has it, in an earlier section as well. */
function inTableBefore(document: AuditDocument, statement: Statement): readonly ComparisonSet[] {
  const set = gridFor(document, statement, (grid): ComparisonSet | null => {
    const metric = oneMetric(statement, grid, statement.text)
    if (metric === null || isRestricted(statement, grid, metric) || thingsNamed(statement, grid).length > 0) return null
    const items = grid.things.map(line => ({
      name: line.name,
      step: line.step,
      cell: grid.cellAt(line, metric),
      quantity: grid.at(line, metric),
    }))
    return { metric: metric.name, isCurve: false, section: grid.table.section, table: grid.table, items }
  })
  return set === null ? [] : [set]
}

export function isFilled(item: Item): item is Filled {
  return item.quantity !== null && item.quantity.hedge !== 'estimated'
}

export function stretchFault(
  statement: Statement,
  at: number,
  key: 'audit.range-contradicted' | 'audit.sign-positive' | 'audit.sign-negative' | 'audit.all-contradicted',
  { set, wrong }: Contradiction,
  found: string,
): Fault {
  const expected = wrong
    .slice(0, MOST_SHOWN)
    .map(({ name, quantity }) => `${name}: ${printed(quantity)}`)
    .join(', ')
  return {
    offset: statement.offsetOf(at),
    message: message(key, { found, column: set.metric, rows: expected + (wrong.length > MOST_SHOWN ? ', …' : '') }),
    found,
    expected,
  }
}

const MOST_SHOWN = 3

import { type Quantity, readTokens, type StepMark } from '../../document/quantity.js'
import { canMeet } from '../../stats/rounding.js'
import { message } from '../../text/say.js'
import { comparisonSets, setsNamed } from '../comparison-sets.js'
import type { Section, Statement } from '../document.js'
import { mentionsOf } from '../mentions.js'
import { isExact, listedCurves, printed, tableCurves } from '../printed-curves.js'
import type { AuditRule } from '../rule.js'
import type { PrintedPoint, PrintedSeries } from '../table-view.js'

/**
 * One number printed twice, and not the same: a list or a second table that repeats a curve but for a point, and "val
 * loss at epoch 3 is 5.17" against the row of epoch 3. Two curves are the same when most of their shared points are.
 */
export const valueContradicted: AuditRule = {
  id: 'value-contradicted',
  kind: 'contradiction',
  severity: 'error',
  example: {
    faulty:
      '| step | run |\n|---|---|\n| 5 | 1.695 |\n| 10 | 1.992 |\n| 15 | 1.768 |\n| 20 | 1.915 |\n\n- Step 5: 1.695\n- Step 10: 1.992\n- Step 15: 1.786\n- Step 20: 1.915',
    sound:
      '| step | run |\n|---|---|\n| 5 | 1.695 |\n| 10 | 1.992 |\n| 15 | 1.768 |\n| 20 | 1.915 |\n\n- Step 5: 1.695\n- Step 10: 1.992\n- Step 15: 1.768\n- Step 20: 1.915',
  },
  *check(document) {
    const tables = tableCurves(document).slice(0, MOST_CURVES)
    const lists = listedCurves(document).slice(0, MOST_CURVES)
    const repeated = [...lists, ...tables]
    for (const curve of repeated) {
      const earlier = tables.filter(other => other !== curve && other.points[0]?.offset < curve.points[0]?.offset)
      const original = closest(curve, lists.includes(curve) ? tables : earlier)
      if (original === null) continue
      for (const { step, own, other } of original.differing) {
        const { line } = document.placeOf(other.offset)
        yield {
          offset: own.offset,
          message: message('audit.value-contradicted', {
            found: printed(own.quantity),
            expected: printed(other.quantity),
            where: `step ${step}`,
            line,
          }),
          found: printed(own.quantity),
          expected: printed(other.quantity),
        }
      }
    }
    const sets = comparisonSets(document).filter(({ isCurve }) => isCurve)
    const names = [...new Set(sets.map(({ metric }) => metric))]
    for (const statement of document.statements) {
      if (statement.kind === 'cell' || statement.kind === 'code' || statement.quantities.length === 0) continue
      const said = saidOf(statement, names)
      if (said === null) continue
      const rows = setsNamed(statement, sets)
        .filter(({ metric, section }) => metric === said.metric && isNear(section, statement.section))
        .flatMap(({ items }) => items.filter(({ step }) => step === said.step))
        .flatMap(({ name, cell, quantity }) =>
          quantity === null || quantity.hedge !== null ? [] : [{ name, cell, quantity }],
        )
      if (rows.length === 0 || rows.some(({ quantity }) => isPossible(quantity, said.quantity))) continue
      const [{ name, cell, quantity }] = rows
      yield {
        offset: statement.offsetOf(said.quantity.from),
        message: message('audit.value-contradicted', {
          found: printed(said.quantity),
          expected: printed(quantity),
          where: `${said.metric}, ${name}`,
          line: document.placeOf(cell.offset).line,
        }),
        found: printed(said.quantity),
        expected: printed(quantity),
      }
    }
  },
}

const MOST_CURVES = 60
/** Of the shared points that must be printed alike for two curves to be one. */
const ALIKE = 0.7
const FEWEST_SHARED = 4

interface Difference {
  readonly step: number
  readonly own: PrintedPoint
  readonly other: PrintedPoint
}

function closest(
  curve: PrintedSeries,
  others: readonly PrintedSeries[],
): { readonly differing: readonly Difference[] } | null {
  let best: { readonly differing: readonly Difference[]; readonly alike: number } | null = null
  for (const other of others) {
    const points = new Map(other.points.filter(isExact).map(point => [point.step, point]))
    const shared = curve.points.filter(isExact).flatMap((own): Difference[] => {
      const point = points.get(own.step)
      return point === undefined ? [] : [{ step: own.step, own, other: point }]
    })
    const differing = shared.filter(({ own, other: point }) => !isSame(own.quantity, point.quantity))
    const alike = shared.filter(({ own, other: point }) => isSame(own.quantity, point.quantity))
    // Equal by chance: a constant, or figures with hardly a digit.
    if (new Set(alike.map(({ own }) => own.quantity.value)).size < 3) continue
    if (shared.length < FEWEST_SHARED || alike.length < ALIKE * shared.length) continue
    if (alike.some(({ own }) => digitsOf(own.quantity) < 3)) continue
    if (best === null || alike.length > best.alike) best = { differing, alike: alike.length }
  }
  return best
}

/** Significant ones. */
function digitsOf(quantity: Quantity): number {
  return printed(quantity).replace(/^-?0?\.?0*|\./g, '').length
}

function isSame(a: Quantity, b: Quantity): boolean {
  return a.unit === b.unit && (a.decimals === b.decimals ? a.value === b.value : canMeet(a.range, b.range))
}

const LINK = /^\s?(?:值)?\s?(?:[:=(]|为|是|降至|升至|达到?|only|of|is|was|at|reach(?:es|ed))?\s?$/i

/** "Val Loss: 5.15 (epoch 2)": a quantity of the table, directly followed by a value, at one step. */
function saidOf(
  statement: Statement,
  names: readonly string[],
): { readonly metric: string; readonly quantity: Quantity; readonly step: number } | null {
  const { text, quantities, steps, section } = statement
  const marks = steps.length > 0 || section === null ? steps : stepsIn(section)
  if (marks.length !== 1 || marks[0].first !== marks[0].last) return null
  for (const { name, to } of mentionsOf(text, names)) {
    const quantity = quantities.find(({ from }) => from >= to)
    if (quantity === undefined || quantity.ends !== null || quantity.bound !== null || quantity.hedge !== null) continue
    if (quantity.plusMinus || quantity.unit === 'times' || !LINK.test(text.slice(to, quantity.from))) continue
    if (/[→>]|->/.test(text.slice(quantity.to, quantity.to + 4))) continue
    return { metric: name, quantity, step: marks[0].first }
  }
  return null
}

const known = new WeakMap<Section, readonly StepMark[]>()

function stepsIn(section: Section): readonly StepMark[] {
  const before = known.get(section)
  if (before !== undefined) return before
  const { steps } = readTokens(section.title)
  known.set(section, steps)
  return steps
}

/** Another unit is another matter. */
function isPossible(row: Quantity, said: Quantity): boolean {
  return row.unit !== said.unit || canMeet(row.range, said.range)
}

/** The table stands in the same chapter: elsewhere the same words may be about another run. */
function isNear(section: Section | null, own: Section | null): boolean {
  if (section === own || own === null || section === null) return section === own || own === null
  return section.parent === own || own.parent === section || (own.parent !== null && section.parent === own.parent)
}

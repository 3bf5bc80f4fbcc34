import type { Quantity } from '../document/quantity.js'
import type { Cell, Section, Table } from './document.js'
import { remembered } from './remember.js'

/**
 * What the columns of a table are: positions (steps, epochs), labels, values, differences between columns, remarks. Read
 * off the header's words and the cells' contents, never off one alone.
 */
export type ColumnRole = 'position' | 'label' | 'value' | 'difference' | 'mean' | 'remark'

export interface TableView {
  readonly table: Table
  readonly roles: readonly ColumnRole[]
  /** The step or epoch of each row, where the table runs over positions. */
  readonly positions: readonly (number | null)[]
}

const POSITION = /^(?:step|steps|epoch|epochs|iter(?:ation)?|global[_ ]?step|checkpoint|ckpt|步数?|轮次?|训练步数)$/i
const DIFFERENCE =
  /差异|差值|差距|(?:变化|提升|改善)(?![前后版])|[降增涨]幅|(?<![a-z])(?:diff(?:erence)?|delta|change|gain|gap|improvement|reduction|speed-?up|vs\.?|Δ)(?![a-z])|Δ/i
const MEAN = /^(?:平均值?|均值|mean|average|avg\.?)$/i

const views = new WeakMap<Table, TableView>()

/** Read once, since most rules ask. */
export function viewOf(table: Table): TableView {
  const before = views.get(table)
  if (before !== undefined) return before
  const view = readView(table)
  views.set(table, view)
  return view
}

function readView(table: Table): TableView {
  const roles = table.header.map((header, column) => roleOf(header.text, cellsIn(table, column), column))
  const at = roles.indexOf('position')
  const positions = table.rows.map(row => (at < 0 ? null : positionOf(row[at])))
  return { table, roles, positions }
}

function roleOf(header: string, cells: readonly Cell[], column: number): ColumnRole {
  const filled = cells.filter(({ text, pending }) => text !== '' && !pending)
  const positions = filled.filter(cell => positionOf(cell) !== null).length
  if (POSITION.test(header.trim()) && positions >= Math.ceil(filled.length / 2)) return 'position'
  if (column === 0) return filled.length > 1 && filled.every(({ steps }) => steps.length === 1) ? 'position' : 'label'
  const numeric = filled.filter(cell => mainQuantity(cell) !== null).length
  if (numeric * 2 < filled.length || filled.length === 0) return filled.length === 0 ? 'value' : 'remark'
  if (DIFFERENCE.test(header)) return 'difference'
  return MEAN.test(header.trim()) ? 'mean' : 'value'
}

/** "差异", "vs baseline", "Δ": a column or row of changes. */
export const isDifferenceHeader = remembered(text => DIFFERENCE.test(text))

const SUMMARY =
  /^(?:平均值?|均值|合计|总计|总和|最佳.*|差异|差值|变化|mean|average|avg\.?|total|sum|overall|best.*|diff(?:erence)?|change)$/i

/** A row or column that sums the others up: a mean, a total, a best. */
export function isSummary(label: string): boolean {
  return SUMMARY.test(label.trim())
}

export function cellsIn(table: Table, column: number): readonly Cell[] {
  return table.rows.map(row => row[column])
}

/** "Step 5", "5", "Epoch 2": what the row stands for; a value in brackets behind it is another matter. */
export function positionOf({ text, steps, quantities }: Cell): number | null {
  if (steps.length === 1 && steps[0].first === steps[0].last) return steps[0].first
  const [only, ...more] = quantities
  if (only === undefined || more.length > 0 || only.unit !== null || only.ends !== null) return null
  return Number.isInteger(only.value) && /^\D{0,2}\d+\D{0,2}$/.test(text) ? only.value : null
}

/** So many characters before a number are a sign or a mark, no words. */
const MOST_BEFORE = 3

/** The number a cell is about: its first, unless the cell is words that happen to hold one. */
export function mainQuantity({ text, quantities }: Cell): Quantity | null {
  const [first] = quantities
  if (first === undefined) return null
  if (first.from <= MOST_BEFORE) return first
  const words = text.slice(0, first.from).replace(/[~≈约+\-\s(（$*]/g, '')
  return words.length > MOST_BEFORE && /\p{L}/u.test(words) ? null : first
}

/** A column of values over positions: a curve that the document prints. */
export interface PrintedSeries {
  /** The column's header, or the label above a list. */
  readonly subject: string
  readonly section: Section | null
  readonly points: readonly PrintedPoint[]
}

export interface PrintedPoint {
  readonly step: number
  readonly quantity: Quantity
  readonly offset: number
}

export function seriesIn({ table, roles, positions }: TableView): readonly PrintedSeries[] {
  if (!roles.includes('position')) return []
  return roles.flatMap((role, column) => {
    if (role !== 'value') return []
    const points = table.rows.flatMap((row, i): PrintedPoint[] => {
      const [step, quantity] = [positions[i], mainQuantity(row[column])]
      return step === null || quantity === null || row[column].pending
        ? []
        : [{ step, quantity, offset: row[column].offset }]
    })
    return points.length < 2 ? [] : [{ subject: table.header[column].text, section: table.section, points }]
  })
}

/** The titles above a place, innermost first. */
export function titlesAbove(section: Section | null): readonly string[] {
  return section === null ? [] : [section.title, ...titlesAbove(section.parent)]
}

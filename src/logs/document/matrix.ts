import { memoByObject } from '../model/util/memo.js'
import type { Cell, Table } from './document.js'
import { isMetricName } from './metric-name.js'
import type { Quantity } from './quantity.js'
import { rememberedText } from './remembered.js'
import { namedStep, namesMetrics, namesSettings, stepOfCell, stepUnitOf } from './words.js'

/**
 * A table as numbers between two axes whose roles are inferred once: which lines are steps, things or quantities, which
 * sum others up or are computed from them, and along which axis values may be compared. It has no preferred direction:
 * a transposed table is the same table.
 */
export interface Matrix {
  readonly table: Table
  /** It tells what was set, not what was measured. */
  readonly isSettings: boolean
  readonly rows: readonly MatrixAxis[]
  readonly columns: readonly MatrixAxis[]
  /** Values of one column can be compared with each other: the rows are things, steps or conditions of one quantity. */
  readonly alongColumns: boolean
  /** Values of one row can be compared with each other. */
  readonly alongRows: boolean
}

export interface MatrixAxis {
  readonly index: number
  /** As printed in the header or in the first cell. */
  readonly name: string
  readonly role: AxisRole
  readonly step: number | null
  /** Of a row: what each of its label columns says, such as the data size and the number of shots. */
  readonly keys: readonly { readonly header: string; readonly text: string }[]
}

/** `value` lines hold what was measured; `difference` and `summary` lines follow from others. */
type AxisRole = 'label' | 'step' | 'value' | 'difference' | 'summary' | 'remark'

const DIFFERENCE =
  /(?:^|[A-Za-z\d\s])差$|加速比|差异|差值|差距|增量|(?:变化|提升|改善|改进|增益|下降)(?![前后版])|[降增涨]幅|(?<![a-z])(?:diff(?:erence)?|delta|change|gain|gap|improvement|reduction|drop|lift|speed-?up|vs\.?)(?![a-z])|[Δ∆]/i
const SUMMARY =
  /^.{1,4}(?:合计|总计)$|^(?:总体|整体|综合|全部|总|宏|简单|算术)?(?:平均(?:值|分|正确率|准确率)?|均值|合计|总计|总[和数]|小计|中位数|标准差|方差|最佳值?|最优值?|最大值?|最小值?|最高值?|最低值?)$|^(?:最[佳优好][^,，。]{0,12}|best(?![a-z])[^,.]{0,16})$|^(?:overall|grand )?\s?(?:mean|average|avg\.?|total|sum|overall|median|std\.?|stdev|best|max|min|macro[- ]?(?:avg|average|mean)|subtotal)$/i

/** Columns that say under which condition a row was measured. */
const CONDITION =
  /^(?:shots?(?:[ _]?num)?|数据量|样本[数量]|数据规模|beam(?:[ _]?(?:num|size|位置))?|top[- _]?k|seed|samples?|n[ _]?samples|k)$/i

/** A row of differences is called so and nothing else. */
const DIFFERENCE_ROW =
  /^差(?:\s?[(（].*)?$|^(?:差异|差值|差距|提升|变化|改善|增益|(?:diff(?:erence)?|delta|change|gain|improvement|reduction|lift)(?![a-z])|[Δ∆])(?:.{0,8}|\s?(?:over|vs\.?|from|相对|较).{1,24})$/i

export const isDifferenceName = (name: string): boolean => DIFFERENCE.test(name)
const isSummaryName = rememberedText((name: string): boolean =>
  SUMMARY.test(name.replace(/\s*[(（][^()（）]*[)）]\s*$/, '').trim()),
)

export const matrixOf = memoByObject((table: Table): Matrix => {
  const columns = table.header.map((header, index) => columnAxis(table, header, index))
  const labels = columns.filter(({ role }) => role === 'label').map(({ index }) => index)
  const rows = table.rows.map((row, index) => rowAxis(table, row, index, labels))
  const values = columns.filter(({ role }) => role === 'value')
  const items = rows.filter(({ role }) => role === 'value')
  const corner = table.header[0]?.text ?? ''
  const isSettings = namesSettings(corner) && columns.length > 1
  const rowsAreMetrics = isSettings || namesMetrics(corner) || mostAreMetrics(items)
  return {
    table,
    isSettings,
    rows,
    columns,
    alongColumns: !rowsAreMetrics,
    alongRows: values.length > 1 && (rowsAreMetrics || !mostAreMetrics(values)),
  }
})

function mostAreMetrics(axes: readonly MatrixAxis[]): boolean {
  return axes.filter(({ name }) => isMetricName(name)).length > axes.length / 2
}

function columnAxis(table: Table, { text: name }: Cell, index: number): MatrixAxis {
  const cells = table.rows.flatMap(row => row[index] ?? []).filter(({ text, pending }) => text !== '' && !pending)
  return { index, name, role: columnRole(name, cells, index), step: namedStep(name)?.step ?? null, keys: [] }
}

function columnRole(name: string, cells: readonly Cell[], index: number): AxisRole {
  const arePositions = (): boolean => cells.filter(cell => stepOfCell(cell.text) !== null).length * 2 >= cells.length
  if (stepUnitOf(name) !== null && arePositions()) return index === 0 ? 'label' : 'step'
  if (index === 0 || (CONDITION.test(name.trim()) && arePositions())) return 'label'
  const numeric = cells.filter(cell => mainQuantity(cell) !== null).length
  if (cells.length === 0) return 'value'
  if (numeric * 2 < cells.length) return 'remark'
  if (isDifferenceName(name) || areSigned(cells)) return 'difference'
  return isSummaryName(name) ? 'summary' : 'value'
}

/** "+1.2", "−0.4", "0": where a gain is printed with its plus, all of them are changes, whatever the column is called. */
function areSigned(cells: readonly Cell[]): boolean {
  const figures = cells.flatMap(cell => mainQuantity(cell) ?? [])
  return figures.every(({ signed, value }) => signed || value === 0) && cells.some(({ text }) => /^\+\s?\d/.test(text))
}

function rowAxis(table: Table, row: readonly Cell[], index: number, labels: readonly number[]): MatrixAxis {
  const name = row[0]?.text ?? ''
  const role = DIFFERENCE_ROW.test(name.trim()) ? 'difference' : isSummaryName(name) ? 'summary' : 'value'
  const keys = labels.map(column => ({ header: table.header[column]?.text ?? '', text: row[column]?.text ?? '' }))
  return { index, name, role, step: stepOfCell(name), keys }
}

/** So many characters before a number are a sign or a mark, no words. */
const MOST_BEFORE = 3

/** The number a cell is about: its first, unless the cell is words that happen to hold one. */
export function mainQuantity({ text, quantities }: Cell): Quantity | null {
  const [first] = quantities
  if (first === undefined) return null
  // Most cells are one number and nothing else.
  if (first.to === text.length && first.from === 0) return first
  // "9/24 (37.5 %)" is about the share.
  const share = /^\s?\d[\d,]*\s?\/\s?\d/.test(text) ? quantities.find(({ unit }) => unit === '%') : undefined
  if (share !== undefined) return share
  if (first.from <= MOST_BEFORE) return first
  const words = text.slice(0, first.from).replace(/[~≈约+\-\s(（$*]/g, '')
  return words.length > MOST_BEFORE && /\p{L}/u.test(words) ? null : first
}

export function cellValue({ table }: Matrix, row: number, column: number): Quantity | null {
  const cell = table.rows[row]?.[column]
  return cell === undefined || cell.pending ? null : mainQuantity(cell)
}

/** A line of values that may be compared: a column over its rows, or a row over its columns. */
export interface Line {
  readonly matrix: Matrix
  readonly of: MatrixAxis
  readonly isColumn: boolean
  readonly points: readonly Point[]
}

export interface Point {
  /** The axis that tells this value from the others of the line. */
  readonly at: MatrixAxis
  readonly cell: Cell
  readonly quantity: Quantity
}

/** Every comparable line of a table, rows and columns alike; summaries and differences are no points of it. */
export const linesOfMatrix = memoByObject((matrix: Matrix): readonly Line[] => {
  const items = matrix.rows.filter(({ role }) => role === 'value')
  const values = matrix.columns.filter(({ role }) => role === 'value')
  const columns = matrix.columns.filter(({ role }) => role === 'value' || role === 'difference' || role === 'summary')
  return [
    ...(matrix.alongColumns ? columns.map(of => lineOf(matrix, of, true, items)) : []),
    ...(matrix.alongRows ? matrix.rows.map(of => lineOf(matrix, of, false, values)) : []),
  ].filter(({ points }) => points.length > 1)
})

export function lineOf(matrix: Matrix, of: MatrixAxis, isColumn: boolean, others: readonly MatrixAxis[]): Line {
  const points: Point[] = []
  for (const at of others) {
    const [row, column] = isColumn ? [at.index, of.index] : [of.index, at.index]
    const cell = matrix.table.rows[row]?.[column]
    const quantity = cellValue(matrix, row, column)
    if (cell !== undefined && quantity !== null) points.push({ at, cell, quantity })
  }
  return { matrix, of, isColumn, points }
}

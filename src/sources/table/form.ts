import type { Cell } from '../../document/cell.js'
import type { TableHead } from './head.js'

/**
 * How a table is laid out: a column per metric, or long with the metric's name in a cell; and whether a column says
 * which run a row belongs to.
 */
export interface TableForm {
  readonly run: string | null
  readonly long: LongForm | null
}

interface LongForm {
  readonly metric: string
  readonly value: string
}

const METRIC_NAMES = ['metric', 'metric_name', 'key', 'tag', 'variable', '指标', 'name']
const VALUE_NAMES = ['value', 'metric_value', 'val', '数值', '值']
const RUN_NAMES = ['run', 'run_id', 'run_name', 'experiment']

export function tableForm(head: TableHead): TableForm {
  const long = longForm(head)
  const named = findColumn(head.columns, RUN_NAMES)
  if (named !== undefined && named !== long?.metric) return { run: named, long }
  const name = findColumn(head.columns, ['name'])
  return { run: name !== undefined && name !== long?.metric && namesRuns(head, name) ? name : null, long }
}

/** The first of some names that a table has a column for, as the table spells it. */
export function findColumn(columns: readonly string[], names: readonly string[]): string | undefined {
  for (const wanted of names) {
    const column = columns.find(candidate => plainName(candidate) === wanted)
    if (column !== undefined) return column
  }
  return undefined
}

function plainName(column: string): string {
  return column.trim().toLowerCase().replace(/\s+/g, '_')
}

/** The cells of a column that are not empty. */
export function cellsOf(head: TableHead, column: string): Cell[] {
  return cellsAt(head, head.columns.indexOf(column))
}

export function cellsAt(head: TableHead, index: number): Cell[] {
  return head.rows.map(row => row[index]).filter(cell => cell.kind !== 'empty')
}

/** Whether nearly all cells that say something say it by numbers. True of a column without any. */
export function isNumeric(cells: readonly Cell[]): boolean {
  const texts = cells.filter(cell => cell.kind === 'text').length
  return texts <= 0.1 * cells.length
}

function longForm(head: TableHead): LongForm | null {
  const metric = findColumn(head.columns, METRIC_NAMES)
  const value = findColumn(head.columns, VALUE_NAMES)
  if (metric === undefined || value === undefined) return null
  const isLong = cellsOf(head, metric).every(cell => cell.kind === 'text') && isNumeric(cellsOf(head, value))
  return isLong ? { metric, value } : null
}

/**
 * `name` is too common a word to trust: only words that come again name runs. Log lines often carry a name of what
 * they report on (`train`, `eval`), so in JSONL it never does.
 */
function namesRuns(head: TableHead, column: string): boolean {
  if (head.format === 'jsonl') return false
  const cells = cellsOf(head, column)
  const names = cells.flatMap(cell => (cell.kind === 'text' ? [cell.text] : []))
  return names.length === cells.length && new Set(names).size < names.length
}

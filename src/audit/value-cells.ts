import type { Cell } from './document.js'
import type { TableView } from './table-view.js'

/** The cells of a row that hold results: no label, no difference, no remark. */
export function valueCells({ roles }: TableView, row: readonly Cell[]): readonly Cell[] {
  return row.filter((_, column) => roles[column] === 'value' || roles[column] === 'mean')
}

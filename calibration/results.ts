import type { Average, Cell, CellResult } from './study.js'

/** Looking things up in what was measured. */
export interface Results {
  /** Asked for; a cell gets its study's share. */
  readonly repetitions: number
  readonly seconds: number
  readonly results: readonly CellResult[]
}

/** The cells of a study that match; a key that a cell does not have matches nothing. */
export function cellsOf({ results }: Results, study: string, where: Cell = {}): CellResult[] {
  return results.filter(
    result => result.study === study && Object.entries(where).every(([key, value]) => result.cell[key] === value),
  )
}

/** Of the one cell that matches, or that has these keys and no other. */
export function averageOf(results: Results, study: string, where: Cell, name: string): Average {
  const matching = cellsOf(results, study, where)
  const keys = Object.keys(where).length
  const found = matching.length === 1 ? matching : matching.filter(({ cell }) => Object.keys(cell).length === keys)
  if (found.length !== 1) throw new Error(`${found.length} cells of ${study} match ${JSON.stringify(where)}`)
  const average = found[0].averages[name]
  if (average === undefined) throw new Error(`${study} does not measure "${name}"`)
  return average
}

/** In per cent, one decimal: 4.9; a dash where nothing was there to average. */
export function percent(average: Average): string {
  return average.count === 0 || !Number.isFinite(average.mean) ? '–' : (100 * average.mean).toFixed(1)
}

/** The cell where a rate is highest, for a statement about the worst case. */
export function worst(cells: readonly CellResult[], name: string): CellResult {
  return cells.reduce((highest, cell) => (cell.averages[name].mean > highest.averages[name].mean ? cell : highest))
}

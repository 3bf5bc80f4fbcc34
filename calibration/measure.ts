import { seededRandom } from '../src/stats/random.js'
import type { Average, Cell, CellResult, Study } from './study.js'

/** Runs one cell: the same seed gives the same averages on every machine. */
export function measure(study: Study, index: number, repetitions: number): CellResult {
  const cell = study.cells[index]
  const random = seededRandom(seedOf(study.name, cell))
  const sums = new Map<string, { sum: number; squares: number; count: number }>()
  for (let i = 0; i < repetitions; i += 1) {
    for (const [name, value] of Object.entries(study.once(cell, random))) {
      const tally = sums.get(name) ?? { sum: 0, squares: 0, count: 0 }
      sums.set(name, tally)
      if (Number.isNaN(value)) continue
      tally.sum += value
      tally.squares += value ** 2
      tally.count += 1
    }
  }
  const averages: Record<string, Average> = {}
  for (const [name, { sum, squares, count }] of sums) {
    const mean = sum / count
    averages[name] = { mean, error: Math.sqrt(Math.max(0, squares / count - mean ** 2) / count), count }
  }
  return { study: study.name, cell, repetitions, averages }
}

/** FNV-1a over the cell's own words, so that adding a cell changes no other. */
function seedOf(name: string, cell: Cell): number {
  let hash = 0x811c9dc5
  for (const character of `${name} ${JSON.stringify(cell)}`) {
    hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193)
  }
  return hash >>> 0
}

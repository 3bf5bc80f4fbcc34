import { averageOf, cellsOf, type Results } from './results.js'
import type { Cell, CellResult } from './study.js'
import { type Named, readers, table } from './table.js'

/** Loops under the gate: what is kept among equal settings, and the true gain that is left where there are real ones. */
export function loopTables(results: Results): Named[] {
  const { rate } = readers(results)
  const size = (study: string, where: Cell, name: string, digits: number): string =>
    averageOf(results, study, where, name).mean.toFixed(digits)
  const equalRow = (study: string, { cell }: CellResult, words: string): string[] => [
    words,
    rate(study, cell, 'kept'),
    rate(study, cell, 'habit'),
    size(study, cell, 'trainings', 0),
  ]
  const gainRow = (study: string, { cell }: CellResult, words: readonly string[]): string[] => {
    const [gain, habit] = [
      averageOf(results, study, cell, 'gain').mean,
      averageOf(results, study, cell, 'habitGain').mean,
    ]
    const digits = study === 'gate-ideas' ? 2 : 4
    return [
      ...words,
      String(cell.trainings),
      size(study, cell, 'trainings', 0),
      gain.toFixed(digits),
      habit.toFixed(digits),
      // Where the habit ends no higher than it began there is no share to speak of.
      habit > 0 && gain > 0 ? (gain / habit).toFixed(2) : '–',
      rate(study, cell, 'false'),
      rate(study, cell, 'habitFalse'),
    ]
  }
  const gains = ['trainings', 'used', 'true gain', 'the habit', 'share', 'anything false', 'the habit: anything false']
  return [
    [
      'loops-equal',
      table(
        ['fifty tries, all settings equal', 'anything kept', 'the habit', 'trainings'],
        [
          ...cellsOf(results, 'gate-equal').map(each => equalRow('gate-equal', each, wordsFor(each.cell))),
          ...cellsOf(results, 'gate-labs-equal').map(each =>
            equalRow('gate-labs-equal', each, `runs of the lab ${each.cell.lab}`),
          ),
        ],
      ),
    ],
    [
      'loops-labs',
      table(
        ['lab', 'start', ...gains],
        cellsOf(results, 'gate-labs-gains').map(each =>
          gainRow('gate-labs-gains', each, [String(each.cell.lab), STARTS[String(each.cell.start)]]),
        ),
      ),
    ],
    [
      'loops-ideas',
      table(
        ['gains of real ideas, in standard deviations of a run', ...gains],
        cellsOf(results, 'gate-ideas').map(each => gainRow('gate-ideas', each, [SIZES[String(each.cell.gains)]])),
      ),
    ],
  ]
}

const STARTS: { readonly [start: string]: string } = { below: 'shown below the best', tied: 'tied with the best' }
const SIZES: { readonly [size: string]: string } = { large: '1 to 7', medium: '0.5 to 3.5', small: '0 to 2' }

function wordsFor({ noise, drift, proposals, spreads }: Cell): string {
  if (drift !== 'none') return `all scores drift: ${drift}`
  if (spreads !== 1) return `std of settings differ by a factor of ${spreads}, up or down`
  return `${NOISES[String(noise)]}${proposals === 'adaptive' ? ', the best discarded one tried again' : ''}`
}

const NOISES: { readonly [noise: string]: string } = {
  normal: 'normal runs',
  t3: 'heavy tails (t, 3 degrees of freedom)',
  'skewed-up': 'skewed upwards (log-normal, skewness 3.7)',
  'skewed-down': 'skewed downwards',
  collapses: 'one run in twenty collapses',
  'two-modes': 'two modes',
}

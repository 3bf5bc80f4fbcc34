import { cellsOf, type Results } from './results.js'
import type { Average, CellResult } from './study.js'
import { type Named, table } from './table.js'

/** The gradients of KL terms. A pair of figures: the cosine with the gradient of the KL, and the relative error. */
export function objectiveTables(results: Results): Named[] {
  const fresh = cellsOf(results, 'kl-gradient', { spread: 0.6, stale: 0 })
  return [
    [
      'kl-gradient',
      table(
        [
          'in',
          'estimator',
          'weight',
          'near the reference',
          'far from it',
          'far, older answers',
          'far, of whole answers',
        ],
        fresh.map(far => {
          const { place, form, weight } = far.cell
          const other = (spread: number, stale: number): CellResult =>
            cellsOf(results, 'kl-gradient', { place, form, weight, spread, stale })[0]
          return [
            String(place),
            String(form),
            WEIGHT_WORDS[String(weight)] ?? '',
            both(other(0.1, 0)),
            both(far),
            both(other(0.6, 0.3)),
            both(far, 'Answer'),
          ]
        }),
      ),
    ],
  ]
}

const WEIGHT_WORDS: { readonly [weight: string]: string } = {
  none: '',
  detached: 'r, detached',
  score: 'π / π detached',
  ratio: 'r',
  sequence: 'r of the answer',
}

function both({ averages }: CellResult, of: '' | 'Answer' = ''): string {
  const error = averages[`error${of}`]
  const size = averages.size
  const isNothing = size.mean < 1e-5
  return isNothing ? 'none' : `${shown(averages[`cosine${of}`])}, ${shown(error)}`
}

function shown({ mean }: Average): string {
  return Math.abs(mean) < 5e-5 ? '0' : Math.abs(mean - 1) < 5e-5 ? '1' : mean.toFixed(2).replace('-', '−')
}

import type { Results } from './results.js'
import { type Named, readers, table } from './table.js'

/** Runs that are watched: healthy ones that were stopped, and collapsed ones that were not. */
export function stopTables(results: Results): Named[] {
  const { rate } = readers(results)
  return [
    [
      'false-stops',
      table(
        ['noise, share of the level', 'ρ', ...LENGTHS.map(T => `${T} evaluations`)],
        [0.03, 0.1, 0.2, 0.33].flatMap(noise =>
          [0, 0.3, 0.6, 0.8, 0.9].map(rho => [
            String(noise),
            String(rho),
            ...LENGTHS.map(T => rate('false-stops', { kind: 'normal', noise, rho, T }, 'stopped')),
          ]),
        ),
      ),
    ],
    [
      'false-stops-noise',
      table(
        ['noise', 'share of the level', 'ρ', ...LENGTHS.map(T => `${T} evaluations`)],
        KINDS.flatMap(([kind, words, rhos]) =>
          [0.1, 0.33].flatMap(noise =>
            rhos.map(rho => [
              words,
              String(noise),
              rho === 0 ? '–' : String(rho),
              ...LENGTHS.map(T => rate('false-stops', { kind, noise, rho, T }, 'stopped')),
            ]),
          ),
        ),
      ),
    ],
    [
      'true-stops',
      table(
        ['noise', 'ρ', 'falls to 0: within 3', 'within 15', 'falls to 0.4: within 3', 'within 15'],
        [0.03, 0.07, 0.1, 0.2].flatMap(noise =>
          [0.3, 0.6, 0.8].map(rho => [
            String(noise),
            String(rho),
            ...[0, 0.4].flatMap(left => ['soon', 'later'].map(name => rate('true-stops', { noise, rho, left }, name))),
          ]),
        ),
      ),
    ],
  ]
}

const LENGTHS = [20, 93, 300]

const KINDS = [
  ['t3', 'heavy tails (t3)', [0.3, 0.6]],
  ['skewed', 'skewed (χ² with one degree of freedom)', [0.3, 0.6]],
  ['outliers', 'one in fifty ten times as far off', [0.3, 0.6]],
  ['growing', 'spread grows threefold', [0.3, 0.6]],
  ['slow-half', 'half slow wander (ρ = 0.9), half sampling', [0]],
  ['slow-quarter', 'a quarter slow wander (ρ = 0.95), three quarters sampling', [0]],
] as const

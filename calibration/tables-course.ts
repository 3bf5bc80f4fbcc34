import type { Results } from './results.js'
import { LENGTHS, type Named, type Read, readers, table } from './table.js'

/** The course of a run: steadier, sooner, falling, turning, rising. */
export function courseTables(results: Results): Named[] {
  const { rate } = readers(results)
  return [
    [
      'stability',
      table(
        [
          'evaluations',
          'ρ',
          'false claims',
          'plain F test',
          '"ratio above 1.24"',
          'ratio 1.5 found',
          'ratio 2 found',
          'ratio 3 found',
        ],
        LENGTHS.flatMap(T =>
          [0, 0.3, 0.6].map(rho => [
            String(T),
            String(rho),
            rate('stability', { kind: 'normal', T, rho, ratio: 1 }, 'claimed'),
            rate('stability', { kind: 'normal', T, rho, ratio: 1 }, 'plainF'),
            rate('stability', { kind: 'normal', T, rho, ratio: 1 }, 'rawBeyond124'),
            ...[1.5, 2, 3].map(ratio => rate('stability', { kind: 'normal', T, rho, ratio }, 'claimed')),
          ]),
        ),
      ),
    ],
    [
      'speed',
      table(
        [
          'evaluations',
          'ρ',
          'false claims',
          '"best at another step"',
          'twice as fast: found',
          'wrong way',
          'four times: found',
          'wrong way',
        ],
        [9, 20, 50].flatMap(T =>
          [0, 0.3, 0.6].map(rho => [
            String(T),
            String(rho),
            rate('speed', { T, rho, speed: 1 }, 'claimed'),
            rate('speed', { T, rho, speed: 1 }, 'argmaxDiffers'),
            ...[2, 4].flatMap(speed => ['claimed', 'wrong'].map(name => rate('speed', { T, rho, speed }, name))),
          ]),
        ),
      ),
    ],
    ['onset-level', onset(rate, 'onset-level', 'fall', [2, 4], true)],
    ['onset-slope', onset(rate, 'onset-slope', 'turn', [1, 2], false)],
    [
      'trend',
      table(
        ['evaluations', 'ρ', 'false claims', 'plain Mann-Kendall', 'slope interval covers', 'rise of 2 spreads found'],
        LENGTHS.flatMap(T =>
          [0, 0.3, 0.6].map(rho => [
            String(T),
            String(rho),
            rate('trend', { T, rho, rise: 0 }, 'claimed'),
            rate('trend', { T, rho, rise: 0 }, 'plain'),
            rate('trend', { T, rho, rise: 2 }, 'covered'),
            rate('trend', { T, rho, rise: 2 }, 'claimed'),
          ]),
        ),
      ),
    ],
    [
      'stability-noise',
      table(
        ['noise', ...LENGTHS.map(T => `T = ${T}: false claims`), ...LENGTHS.map(T => `T = ${T}: ratio 2 found`)],
        STABILITY_KINDS.map(([kind, words]) => [
          words,
          ...LENGTHS.map(T => rate('stability', { kind, T, rho: 0.3, ratio: 1 }, 'claimed')),
          ...LENGTHS.map(T => rate('stability', { kind, T, rho: 0.3, ratio: 2 }, 'claimed')),
        ]),
      ),
    ],
  ]
}

const STABILITY_KINDS = [
  ['t3', 'heavy tails (t3)'],
  ['skewed', 'skewed (χ² with one degree of freedom)'],
  ['outliers', 'one in fifty ten times as far off'],
  ['shrinking-5', 'shrinks fivefold with training'],
  ['shrinking-20', 'shrinks twentyfold'],
  ['slow-half', 'half slow wander (ρ = 0.9), half sampling'],
  ['smoothed-5', 'moving mean of five'],
] as const

function onset(rate: Read, study: string, axis: string, sizes: readonly number[], withBic: boolean): string {
  const head = sizes.flatMap(size => [`${axis} ${size}: reported`, 'possible', 'date covers'])
  return table(
    ['evaluations', 'ρ', 'false alarms', '"possible" only', ...(withBic ? ['BIC split'] : []), ...head],
    [12, 20, 50, 93].flatMap(T =>
      [0, 0.3, 0.6].map(rho => {
        const none = { T, rho, [axis]: 0 }
        return [
          String(T),
          String(rho),
          rate(study, none, 'headline'),
          rate(study, none, 'possible'),
          ...(withBic ? [rate(study, none, 'bic')] : []),
          ...sizes.flatMap(size =>
            ['headline', 'possible', 'located'].map(name => rate(study, { T, rho, [axis]: size }, name)),
          ),
        ]
      }),
    ),
  )
}

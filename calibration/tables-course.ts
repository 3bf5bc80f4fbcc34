import type { Results } from './results.js'
import type { Cell } from './study.js'
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
        STABILITY_LENGTHS.slice(0, 4).flatMap(T =>
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
      'stability-courses',
      table(
        ['spread', 'ρ', ...STABILITY_LENGTHS.slice(0, 4).map(T => `T = ${T}`)],
        [0.01, 0.03].flatMap(sd =>
          [0, 0.3, 0.6].map(rho => [
            String(sd),
            String(rho),
            ...STABILITY_LENGTHS.slice(0, 4).map(T =>
              rate('stability', { course: 'unlike', sd, kind: 'normal', T, rho, ratio: 1 }, 'claimed'),
            ),
          ]),
        ),
      ),
    ],
    [
      'stability-noise',
      table(
        ['noise', ...STABILITY_LENGTHS.map(T => `T = ${T}: false, of these not fragile`), 'T = 50: ratio 2 found'],
        STABILITY_KINDS.map(([kind, words]) => [
          words,
          ...STABILITY_LENGTHS.map(T => {
            const [claimed, firm] = ['claimed', 'firm'].map(name =>
              rate('stability', { kind, T, rho: 0.3, ratio: 1 }, name),
            )
            return `${claimed}, ${firm}`
          }),
          rate('stability', { kind, T: 50, rho: 0.3, ratio: 2 }, 'claimed'),
        ]),
      ),
    ],
    ['stability-runs', stabilityOfRuns(rate)],
    [
      'growing-gap',
      table(
        [
          'evaluations',
          'ρ',
          'equal: false claims',
          'without the line',
          ...GROWN.flatMap(([, words]) => [`${words}: found`, 'without the line', 'covers']),
        ],
        [9, 16, 20, 50, 93].flatMap(T =>
          [0, 0.3, 0.5, 0.6, 0.8].map(rho => [
            String(T),
            String(rho),
            ...['claimed', 'plain'].map(name => rate('growing-gap', { T, rho, grows: 0, course: 'straight' }, name)),
            ...GROWN.flatMap(([where]) =>
              rho === 0.3 || rho === 0.6
                ? ['claimed', 'plain', 'covered'].map(name => rate('growing-gap', { T, rho, ...where }, name))
                : ['–', '–', '–'],
            ),
          ]),
        ),
      ),
    ],
  ]
}

const STABILITY_LENGTHS = [9, 20, 50, 100, 200]

/** Gaps that grow, in spreads of one evaluation. */
const GROWN = [
  [{ grows: 5, course: 'straight' }, 'grows to 5 spreads'],
  [{ grows: 10, course: 'straight' }, 'to 10'],
  [{ grows: 10, course: 'saturating' }, 'to 10, levelling off'],
] as const

function stabilityOfRuns(rate: Read): string {
  const lengths = [9, 20, 50]
  const found = (where: Cell): string[] => lengths.map(T => rate('stability-runs', { ...where, T }, 'claimed'))
  const unlike = { course: 'unlike', kind: 'normal', ratio: 1 }
  const rows: readonly (readonly [string, Cell])[] = [
    ...[0.003, 0.01, 0.03].flatMap(sd =>
      [0, 0.6].map(
        rho => [`one learns three times as fast, spread ${sd}, ρ = ${rho}`, { ...unlike, sd, rho }] as const,
      ),
    ),
    ...(['t2', 'lognormal', 'phases'] as const).map(kind => [SHAPE_WORDS[kind], { kind, rho: 0.3, ratio: 1 }] as const),
    ...[1.5, 2].map(ratio => [`ratio ${ratio}: found`, { kind: 'normal', rho: 0.3, ratio }] as const),
  ]
  return table(
    ['', ...[3, 10].flatMap(K => lengths.map(T => `${K} runs a side, T = ${T}`))],
    rows.map(([words, where]) => [words, ...[3, 10].flatMap(K => found({ ...where, K }))]),
  )
}

const SHAPE_WORDS = {
  t2: 'heavier tails (t2)',
  lognormal: 'lognormal',
  phases: 'in phases (GARCH, 0.2 and 0.75)',
} as const

const STABILITY_KINDS = [
  ['t3', 'heavy tails (t3)'],
  ['t2', SHAPE_WORDS.t2],
  ['skewed', 'skewed (χ² with one degree of freedom)'],
  ['lognormal', SHAPE_WORDS.lognormal],
  ['outliers', 'one in fifty ten times as far off'],
  ['outliers-5', 'one in twenty eight times as far off'],
  ['outliers-1', 'one in a hundred twenty times as far off'],
  ['growing-10', 'grows tenfold'],
  ['burst', 'five times as much over a sixth of the run'],
  ['ties', 'rounded to whole spreads'],
  ['shrinking-5', 'shrinks fivefold with training'],
  ['shrinking-20', 'shrinks twentyfold'],
  ['slow-half', 'half slow wander (ρ = 0.9), half sampling'],
  ['smoothed-5', 'moving mean of five'],
  ['phases', SHAPE_WORDS.phases],
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

import { averageOf, cellsOf, percent, type Results } from './results.js'
import { LENGTHS, type Named, RHOS, readers, table } from './table.js'

/** Two runs against each other, and two settings. */
export function runTables(results: Results): Named[] {
  const { rate } = readers(results)
  const byRho = (name: string): string[][] =>
    LENGTHS.map(T => [String(T), ...RHOS.map(rho => rate('level', { T, rho, gap: 0 }, name))])
  const rhoHead = ['evaluations', ...RHOS.map(rho => `ρ = ${rho}`)]
  return [
    ['false-level', table(rhoHead, byRho('level.claimed'))],
    ['false-final', table(rhoHead, byRho('final.claimed').slice(1))],
    ['fragile', table(rhoHead, byRho('headline.fragile'))],
    [
      'rivals',
      table(
        ['evaluations', 'ρ', 'maxima differ by > 3 %', 'paired t-test', 'AR(1) by lag 1 alone', 'klens'],
        LENGTHS.flatMap(T =>
          [0, 0.3, 0.5, 0.6].map(rho => [
            String(T),
            String(rho),
            ...['maximaBeyond3', 'pairedT', 'lagOneOnly', 'level.claimed'].map(name =>
              rate('level', { T, rho, gap: 0 }, name),
            ),
          ]),
        ),
      ),
    ],
    [
      'answers',
      table(
        [
          'evaluations',
          'true gap',
          'right claim',
          'wrong claim',
          'same',
          'maxima: right',
          'maxima: wrong',
          'maxima: "same"',
        ],
        LENGTHS.flatMap(T =>
          [0, 0.05, 0.0967, 0.15, 0.2, 0.3].map(gap => {
            const where = { T, rho: 0.3, gap }
            const right =
              averageOf(results, 'level', where, 'level.claimed').mean -
              averageOf(results, 'level', where, 'level.wrong').mean
            const naive =
              averageOf(results, 'level', where, 'maximaBeyond5').mean -
              averageOf(results, 'level', where, 'maximaWrong').mean
            return [
              String(T),
              String(gap),
              gap === 0 ? '–' : (100 * right).toFixed(1),
              rate('level', where, 'level.wrong'),
              rate('level', where, 'level.same'),
              gap === 0 ? '–' : (100 * naive).toFixed(1),
              rate('level', where, 'maximaWrong'),
              rate('level', where, 'maximaWithin5'),
            ]
          }),
        ),
      ),
    ],
    [
      'margin',
      table(
        ['evaluations', ...[0, 0.2, 0.3, 0.5, 0.6].map(rho => `ρ = ${rho}`)],
        LENGTHS.map(T => [
          String(T),
          ...[0, 0.2, 0.3, 0.5, 0.6].map(rho => rate('level', { T, rho, gap: 0.0967 }, 'level.same')),
        ]),
      ),
    ],
    [
      'power',
      table(
        ['evaluations', 'ρ', 'gap', 'klens', 'told ρ', 'ratio'],
        [50, 93].flatMap(T =>
          [0, 0.2, 0.3, 0.5, 0.6].flatMap(rho =>
            [0.05, 0.0967].map(gap => {
              const ours = averageOf(results, 'level', { T, rho, gap }, 'level.claimed')
              const oracle = averageOf(results, 'level', { T, rho, gap }, 'oracle')
              return [
                String(T),
                String(rho),
                String(gap),
                percent(ours),
                percent(oracle),
                (ours.mean / oracle.mean).toFixed(2),
              ]
            }),
          ),
        ),
      ),
    ],
    [
      'robustness',
      table(
        ['noise', 'ρ', ...LENGTHS.map(T => `T = ${T}`)],
        KINDS.flatMap(([kind, words]) =>
          [0, 0.3, 0.5, 0.6].map(rho => [
            words,
            String(rho),
            ...LENGTHS.map(T => rate('robustness', { kind, T, rho }, 'level.claimed')),
          ]),
        ),
      ),
    ],
    [
      'robustness-more',
      table(
        ['noise', ...[...LENGTHS, 200, 400].map(T => `T = ${T}`)],
        [
          ...MORE_KINDS.map(([kind, words]) => [
            words,
            ...LENGTHS.map(T => rate('robustness', { kind, T, rho: 0.3 }, 'level.claimed')),
            '–',
            '–',
          ]),
          ...SLOW_KINDS.map(([kind, words]) => [
            words,
            ...[...LENGTHS, 200, 400].map(T => rate('robustness', { kind, T, rho: 0 }, 'level.claimed')),
          ]),
        ],
      ),
    ],
    [
      'union',
      table(
        ['evaluations', ...[0, 0.3, 0.6].flatMap(rho => [`ρ = ${rho}: klens`, 'rules of thumb'])],
        LENGTHS.map(T => [
          String(T),
          ...[0, 0.3, 0.6].flatMap(rho => ['any', 'naive'].map(name => rate('union', { T, rho }, name))),
        ]),
      ),
    ],
    [
      'many',
      table(
        ['asked at once', 'T = 20: any level', 'any headline or end', 'T = 50: any level', 'any headline or end'],
        [
          ...[1, 3, 8].map(others => [
            `${others} others`,
            ...[20, 50].flatMap(T =>
              ['anyLevel', 'anyHeadline'].map(name => rate('several-others', { others, T }, name)),
            ),
          ]),
          ...[1, 3, 10].map(sets => [
            `${sets} validation sets`,
            ...[20, 50].flatMap(T => ['anyLevel', 'anyFinal'].map(name => rate('several-sets', { sets, T }, name))),
          ]),
        ],
      ),
    ],
    [
      'unequal-seeds',
      table(
        ['runs scatter', '3 against 5: false claims', '3 against 10: false claims', '3 against 10: a gap of 2 found'],
        [
          ['normal', 'normally'],
          ['lognormal', 'with a long tail'],
          ['collapse-20', 'because one in five collapses'],
          ['collapse-50', 'because one in two collapses'],
        ].map(([kind, words]) => [
          words,
          rate('unequal-seeds', { kind, second: 5, gap: 0 }, 'claimed'),
          rate('unequal-seeds', { kind, second: 10, gap: 0 }, 'claimed'),
          rate('unequal-seeds', { kind, second: 10, gap: 2 }, 'claimed'),
        ]),
      ),
    ],
    [
      'sweeps',
      table(
        [
          'seeds',
          ...[3, 5, 8].flatMap(settings => [`${settings} settings: any false claim of sweep`, 'of compare']),
          '5 settings: a gap of 5 found',
        ],
        [
          ['normal', 'normal'],
          ['t3', 'heavy tails (t3)'],
          ['lognormal', 'with a long tail'],
          ['collapse-20', 'one in five collapses'],
          ['two-humps', 'one in two collapses'],
          ['tight-humps', 'the same, the others hardly differ'],
        ].map(([kind, words]) => [
          words,
          ...[3, 5, 8].flatMap(settings =>
            ['any', 'compared'].map(name => rate('sweeps', { kind, settings, gap: 0 }, name)),
          ),
          rate('sweeps', { kind, settings: 5, gap: 5 }, 'last'),
        ]),
      ),
    ],
    [
      'frontier',
      table(
        [
          'seeds vary',
          'seeds',
          'joint interval holds',
          'equal settings: any claim',
          'peak held',
          'best within a KL named',
        ],
        [
          ['normal', 'normal'],
          ['t3', 'heavy tails (t3)'],
          ['skewed', 'with a long tail'],
        ].flatMap(([kind, words]) =>
          [3, 5, 8].map(seeds => [
            words,
            String(seeds),
            ...['joint', 'equal', 'peak', 'within'].map(name =>
              [-0.6, 0.6].map(together => rate('frontier', { kind, seeds, together }, name)).join(', '),
            ),
          ]),
        ),
      ),
    ],
    [
      'lent-scatter',
      table(
        [
          'settings scatter; seeds',
          'settings',
          'false claims: Welch',
          'with lent scatter',
          'a gap of 3 found: Welch',
          'with lent scatter',
        ],
        cellsOf(results, 'lent-scatter', { gap: 0 }).map(({ cell: { scatter, seeds, settings } }) => [
          `${scatter}; ${seeds}`,
          String(settings),
          ...[0, 3].flatMap(gap =>
            ['welch', 'lent'].map(name => rate('lent-scatter', { scatter, seeds, settings, gap }, name)),
          ),
        ]),
      ),
    ],
    [
      'choices',
      table(
        [
          'true differences, in seed scatters',
          'evaluations',
          'stated',
          'right',
          'stated ≥ 0.9: how often',
          'stated',
          'right',
          'loss if wrong: stated',
          'true',
        ],
        [0.25, 1, 3].flatMap(gaps =>
          [20, 80].map(T => [
            String(gaps),
            String(T),
            ...['stated', 'right', 'sure', 'sureStated', 'sureRight'].map(name => rate('choices', { gaps, T }, name)),
            ...['lossStated', 'lossTrue'].map(name => averageOf(results, 'choices', { gaps, T }, name).mean.toFixed(4)),
          ]),
        ),
      ),
    ],
    [
      'scatter',
      table(
        ['evaluations', 'seeds scatter by 0', 'by 0.05', 'by 0.10'],
        LENGTHS.map(T => [
          String(T),
          ...[0, 0.05, 0.1].map(tau => rate('scatter', { T, rho: 0.3, tau }, 'level.claimed')),
        ]),
      ),
    ],
    [
      'seeds',
      table(
        ['runs a side', 'seeds scatter by', 'false claims', 'interval covers', 'gap of 0.0967 found'],
        [3, 5, 10].flatMap(K =>
          [0, 0.05, 0.1].map(tau => [
            String(K),
            String(tau),
            rate('seeds', { K, tau, gap: 0 }, 'level.claimed'),
            rate('seeds', { K, tau, gap: 0.0967 }, 'level.covered'),
            rate('seeds', { K, tau, gap: 0.0967 }, 'level.claimed'),
          ]),
        ),
      ),
    ],
    [
      'bootstrap',
      table(
        ['runs a side', ...[3, 5, 10, 20].map(String)],
        [['percentile bootstrap covers', ...[3, 5, 10, 20].map(K => rate('bootstrap-seeds', { K }, 'covered'))]],
      ),
    ],
  ]
}

const MORE_KINDS = [
  ['skewed', 'skewed (χ² with one degree of freedom), ρ = 0.3'],
  ['outliers', 'one in fifty ten times as far off, ρ = 0.3'],
  ['shrinking-20', 'spread shrinks twentyfold, ρ = 0.3'],
] as const

const SLOW_KINDS = [
  ['slow-half', 'half slow wander (ρ = 0.9), half sampling'],
  ['slow-quarter', 'a quarter slow wander (ρ = 0.95), three quarters sampling'],
  ['smoothed-5', 'logs that print a moving mean of five'],
  ['smoothed-10', 'of ten'],
] as const

const KINDS = [
  ['t3', 'heavy tails (t3)'],
  ['white-part', 'half wandering, half sampling'],
  ['growing', 'spread grows threefold'],
  ['unequal-spread', 'one run wobbles three times as much'],
  ['unequal-rho', 'only one run has autocorrelation ρ'],
  ['moving-gap', 'gap moves from −0.2 to +0.2'],
] as const

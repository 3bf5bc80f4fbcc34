import { averageOf, type Results } from './results.js'
import { type Named, readers, table } from './table.js'

/** Studies: settling, and dropping hopeless arms. */
export function studyTables(results: Results): Named[] {
  const { rate, number } = readers(results)
  const size = (
    study: string,
    where: Readonly<Record<string, number | string>>,
    name: string,
    digits: number,
  ): string => averageOf(results, study, where, name).mean.toFixed(digits)
  return [
    [
      'settle-seeds',
      table(
        [
          'seeds',
          'equal: false claim',
          'same',
          'seeds a side',
          'the habit: false claim',
          'one spread apart: false same',
          'found',
          'seeds a side',
          'two apart: found',
          'seeds a side',
          'fixed design: seeds a side',
        ],
        SEED_KINDS.map(([kind, words]) => {
          const of = (gap: number, name: string): string => rate('settle-seeds', { kind, gap }, name)
          const seeds = (gap: number): string => size('settle-seeds', { kind, gap }, 'seeds', 1)
          return [
            words,
            of(0, 'claimed'),
            of(0, 'same'),
            seeds(0),
            of(0, 'habit'),
            of(1, 'same'),
            of(1, 'claimed'),
            seeds(1),
            of(2, 'claimed'),
            seeds(2),
            size('settle-seeds', { kind, gap: 0 }, 'fixedSeeds', 0),
          ]
        }),
      ),
    ],
    [
      'settle-several',
      table(
        [
          'seeds',
          'others',
          'all equal: any false claim',
          'trials',
          'one ahead by 1.5: any false claim',
          'found',
          'trials',
          'fixed design: trials',
        ],
        [
          ['normal', 'normal'],
          ['collapse-20', 'one in five collapses'],
        ].flatMap(([kind, words]) =>
          [2, 5].map(others => {
            const [equal, ahead] = [0, 1.5].map(gap => ({ kind, others, ahead: gap }))
            return [
              words,
              String(others),
              rate('settle-several', equal, 'anyFalse'),
              size('settle-several', equal, 'trials', 0),
              rate('settle-several', ahead, 'anyFalse'),
              rate('settle-several', ahead, 'found'),
              size('settle-several', ahead, 'trials', 0),
              size('settle-several', equal, 'fixedTrials', 0),
            ]
          }),
        ),
      ),
    ],
    [
      'settle-prompts',
      table(
        [
          'scores',
          'prompts that differ',
          'true gap',
          'claimed',
          'wrong',
          'same',
          'prompts asked',
          'the habit: claimed',
          'fixed design: prompts',
        ],
        ['right or wrong', 'graded'].flatMap(scores =>
          [0.1, 0.3].flatMap(discordance =>
            [0, 0.06, 0.12].map(gap => {
              const where = { scores, discordance, gap }
              return [
                scores,
                String(discordance),
                String(gap),
                ...['claimed', 'wrong', 'same'].map(name => rate('settle-prompts', where, name)),
                size('settle-prompts', where, 'prompts', 0),
                rate('settle-prompts', where, 'habit'),
                size('settle-prompts', where, 'fixedPrompts', 0),
              ]
            }),
          ),
        ),
      ),
    ],
    [
      'settle-buying',
      table(
        [
          'seeds scatter by',
          'true gap',
          'claimed',
          'same',
          'hours',
          'prompts a run',
          'seeds alone: claimed',
          'same',
          'hours',
        ],
        [0.01, 0.05].flatMap(tau =>
          [0, 0.06].map(gap => {
            const where = { tau, gap }
            return [
              String(tau),
              String(gap),
              rate('settle-buying', where, 'claimed'),
              rate('settle-buying', where, 'same'),
              number('settle-buying', where, 'hours'),
              size('settle-buying', where, 'prompts', 0),
              rate('settle-buying', where, 'alone'),
              rate('settle-buying', where, 'aloneSame'),
              number('settle-buying', where, 'aloneHours'),
            ]
          }),
        ),
      ),
    ],
    [
      'drop-labs',
      table(
        [
          'lab',
          'arms',
          'seeds',
          'best lost',
          'steps saved',
          'regret, points',
          'without dropping',
          'halving: best lost',
          'saved',
          'regret, points',
        ],
        ['addition', 'sorting'].flatMap(lab =>
          ['healthy', 'all'].flatMap(arms =>
            [2, 3, 5].map(K => {
              const where = { lab, arms, K }
              const points = (name: string): string => rate('drop-labs', where, name)
              return [
                lab,
                arms === 'all' ? 'with those made sick' : 'healthy',
                String(K),
                points('lost'),
                points('saved'),
                points('regret'),
                points('regretWithout'),
                points('halvingLost'),
                points('halvingSaved'),
                points('halvingRegret'),
              ]
            }),
          ),
        ),
      ),
    ],
    [
      'drop-first',
      table(
        ['arms', 'seeds', 'best lost', 'steps saved'],
        [
          ...[4, 9].flatMap(arms =>
            [0, 10].flatMap(spread =>
              [0, 0.15].flatMap(late =>
                [2, 3, 5].map(K => {
                  const others = `${arms}, made up, the others ${spread === 0 ? 'equal' : 'far below'}`
                  const where = { arms, K, spread, late }
                  return [
                    late === 0 ? others : `${others}; 15 % learn late`,
                    String(K),
                    rate('drop-first', where, 'lost'),
                    rate('drop-first', where, 'saved'),
                  ]
                }),
              ),
            ),
          ),
          ...['addition', 'sorting'].flatMap(lab =>
            ['without', 'with'].flatMap(sick =>
              [2, 3, 5].map(K => [
                `${lab}, ${sick} those made sick`,
                String(K),
                rate('drop-first', { lab, sick, K }, 'lost'),
                rate('drop-first', { lab, sick, K }, 'saved'),
              ]),
            ),
          ),
        ],
      ),
    ],
    [
      'drop-made-up',
      table(
        [
          'other arms',
          'best ahead by',
          'best lost',
          'steps saved',
          'any false verdict',
          'with fresh seeds',
          'best found',
          'with fresh seeds',
          'halving: best lost',
        ],
        [0, 3].flatMap(spread =>
          [0, 2].map(ahead => {
            const where = { spread, ahead }
            return [
              spread === 0 ? 'equal' : 'up to 3 spreads and more below',
              String(ahead),
              ...['lost', 'saved', 'false', 'falseFresh'].map(name => rate('drop-made-up', where, name)),
              ...(ahead === 0 ? ['–', '–'] : ['found', 'foundFresh'].map(name => rate('drop-made-up', where, name))),
              rate('drop-made-up', where, 'halvingLost'),
            ]
          }),
        ),
      ),
    ],
  ]
}

const SEED_KINDS = [
  ['normal', 'normal'],
  ['lognormal', 'long tail (lognormal)'],
  ['collapse-20', 'one in five collapses'],
  ['collapse-30-tight', 'three in ten collapse, the others close together'],
  ['threefold', 'one side scatters three times as much'],
  ['addition', 'real seeds, addition'],
  ['sorting', 'real seeds, sorting'],
]

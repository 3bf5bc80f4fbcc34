import { cellsOf, percent, type Results } from './results.js'
import type { Cell } from './study.js'
import { type Named, readers, table } from './table.js'

/** Checkpoints: on the same prompts, the best of several, watched while they come. */
export function promptTables(results: Results): Named[] {
  const { rate, number } = readers(results)
  return [
    [
      'prompts',
      table(
        [
          'prompts',
          'discordance',
          'false claims',
          'by t alone',
          'by McNemar alone',
          'interval covers',
          'gap of 4 points found',
          'found if pairing were ignored',
        ],
        [14, 50, 100, 200, 800].flatMap(n =>
          [0.05, 0.1, 0.2].map(discordance => [
            String(n),
            String(discordance),
            rate('prompts', { n, discordance, gap: 0 }, 'claimed'),
            rate('prompts', { n, discordance, gap: 0 }, 'claimedByT'),
            rate('prompts', { n, discordance, gap: 0 }, 'claimedByMcnemar'),
            rate('prompts', { n, discordance, gap: 0.04 }, 'covered'),
            rate('prompts', { n, discordance, gap: 0.04 }, 'claimed'),
            rate('prompts', { n, discordance, gap: 0.04 }, 'claimedUnpaired'),
          ]),
        ),
      ),
    ],
    [
      'graded',
      table(
        ['prompts', 'samples each', 'false claims', 'if every sample counted as a prompt'],
        cellsOf(results, 'graded-prompts').map(({ cell, averages }) => [
          String(cell.n),
          String(cell.repeats),
          percent(averages.claimed),
          percent(averages.claimedFlat),
        ]),
      ),
    ],
    [
      'tasks',
      table(
        [
          'tasks',
          'items each',
          'items',
          'goes with the cluster',
          'any false claim',
          'of it by the mean over tasks',
          'interval of a task covers',
          'any, if clusters were ignored',
        ],
        cellsOf(results, 'tasks').map(({ cell, averages }) => [
          String(cell.tasks),
          String(cell.n),
          itemsText(cell),
          Number(cell.within) === 0 ? '' : String(cell.within),
          percent(averages.anyClaim),
          Number(cell.tasks) === 1 ? '' : percent(averages.overall),
          percent(averages.covered),
          cell.sizes === 'one' ? '' : percent(averages.anyIgnoringClusters),
        ]),
      ),
    ],
    [
      'pass-at-k',
      table(
        ['items', 'answers each', 'tasks', 'pass@k missed', 'maj@k missed'],
        cellsOf(results, 'pass-at-k').map(({ cell, averages }) => [
          String(cell.n),
          String(cell.repeats),
          String(cell.ease),
          percent(averages.missedPass),
          percent(averages.missedMajority),
        ]),
      ),
    ],
    [
      'best',
      table(
        [
          'truth',
          'checkpoints',
          'set misses the best',
          'set size',
          'maximum too high by',
          'shrunken too high by',
          'interval covers',
          'plain ±1.96 covers',
        ],
        TRUTHS.flatMap(([truth, words]) =>
          [3, 5, 9, 20, 50].map(k => [
            words,
            String(k),
            rate('best', { k, truth }, 'missed'),
            number('best', { k, truth }, 'setSize'),
            number('best', { k, truth }, 'biasReported'),
            number('best', { k, truth }, 'biasShrunken'),
            rate('best', { k, truth }, 'covered'),
            rate('best', { k, truth }, 'coveredNaively'),
          ]),
        ),
      ),
    ],
    [
      'best-watched',
      table(
        ['truth', 'evaluations', 'as if ended', 'with a plan', 'remembered looks', 'one look at the end'],
        [
          ['equal', 'all equal'],
          ['rising', 'rising, the last is the best'],
        ].flatMap(([truth, words]) =>
          [20, 80].map(T => [
            words,
            String(T),
            ...['naive', 'planned', 'remembered', 'once'].map(name => rate('best-watched', { truth, T }, name)),
          ]),
        ),
      ),
    ],
    [
      'peeking',
      table(
        [
          'noise',
          'klens with a plan: ever a claim',
          'with remembered looks',
          'the verdict of ended runs at every eighth evaluation',
          'a gap of 5 % found with a plan',
          'with remembered looks',
          'found at the end alone',
        ],
        WATCHED.map(([kind, rho, words]) => [
          words,
          ...['ever', 'remembered', 'naive'].map(name => rate('peeking', { kind, rho, gap: 0 }, name)),
          ...['ever', 'remembered', 'fixed'].map(name =>
            kind === 'normal' && rho < 0.6 ? rate('peeking', { kind, rho, gap: 0.0967 }, name) : '–',
          ),
        ]),
      ),
    ],
  ]
}

const WATCHED = [
  ...[0, 0.3, 0.5, 0.6].map(rho => ['normal', rho, `ρ = ${rho}`] as const),
  ['slow-quarter', 0, 'a quarter is slow wander'],
  ['slow-half', 0, 'half is slow wander'],
] as const

function itemsText({ sizes, repeats, discordance }: Cell): string {
  if (sizes === 'shared') return 'in clusters of five, the same in all tasks'
  if (sizes !== 'one') return sizes === 'equal' ? 'in clusters of five' : 'in clusters of 1 to 15'
  return discordance === 'low' ? 'alone, few differ' : repeats === 1 ? 'alone' : `alone, ${repeats} answers each`
}

const TRUTHS = [
  ['equal', 'all equal'],
  ['scattered', 'scattered by one error'],
  ['one-ahead', 'one ahead by one error'],
  ['rising', 'rising, then flat'],
] as const

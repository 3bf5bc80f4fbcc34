import { type Line, lineChart, stackedBars } from './chart.js'
import { averageOf, type Results } from './results.js'
import type { Cell } from './study.js'

/** The plots of docs/statistics.md, by file name. */
export function plotsOf(results: Results): ReadonlyMap<string, string> {
  const rate = (study: string, where: Cell, name: string): number => 100 * averageOf(results, study, where, name).mean
  const over = <X extends number | string>(
    xs: readonly X[],
    name: string,
    style: number,
    value: (x: X) => number,
  ): Line => ({ name, style, points: xs.map(x => [x, value(x)] as const) })
  const lengths = [9, 20, 50, 93]
  const rhos = [0, 0.2, 0.3, 0.5, 0.6, 0.8]
  const gaps = [0, 0.05, 0.0967, 0.15, 0.2, 0.3]
  const promise = 5
  const watched = { kind: 'normal', gap: 0 }

  return new Map([
    [
      'false-claims.svg',
      lineChart(
        lengths.map(T => ({
          title: `${T} evaluations`,
          lines: [
            over(rhos, 'klens', 0, rho => rate('level', { T, rho, gap: 0 }, 'level.claimed')),
            over(rhos, 'paired t-test', 2, rho => rate('level', { T, rho, gap: 0 }, 'pairedT')),
            over(rhos, 'maxima differ by more than 3 %', 1, rho => rate('level', { T, rho, gap: 0 }, 'maximaBeyond3')),
          ],
        })),
        {
          title: 'Two runs that do not differ: how often is a difference claimed?',
          x: 'autocorrelation',
          y: 'false claims',
          limit: promise,
          highest: 80,
        },
      ),
    ],
    [
      'last-third.svg',
      lineChart(
        [
          { title: 'all evaluations', name: 'level.claimed', rows: lengths },
          { title: 'last third', name: 'final.claimed', rows: [20, 50, 93] },
          { title: 'headline', name: 'headline.claimed', rows: lengths },
        ].map(({ title, name, rows }) => ({
          title,
          lines: rows.map(T =>
            over(rhos, `${T} evaluations`, lengths.indexOf(T), rho => rate('level', { T, rho, gap: 0 }, name)),
          ),
        })),
        {
          title: 'False claims of klens, by question',
          x: 'autocorrelation',
          y: 'false claims',
          limit: promise,
          highest: 20,
        },
      ),
    ],
    [
      'power.svg',
      lineChart(
        [
          {
            title: 'klens: difference claimed, right way',
            lines: lengths.map((T, i) =>
              over(gaps.slice(1), `${T} evaluations`, i, gap => {
                const where = { T, rho: 0.3, gap }
                return rate('level', where, 'level.claimed') - rate('level', where, 'level.wrong')
              }),
            ),
          },
          {
            title: 'klens: "same" at a margin of 0.0967',
            lines: lengths.map((T, i) =>
              over(gaps, `${T} evaluations`, i, gap => rate('level', { T, rho: 0.3, gap }, 'level.same')),
            ),
          },
          {
            title: 'maxima differ by more than 5 %',
            lines: lengths.map((T, i) =>
              over(gaps, `${T} evaluations`, i, gap => rate('level', { T, rho: 0.3, gap }, 'maximaBeyond5')),
            ),
          },
        ],
        {
          title: 'Two runs that differ by a true gap (autocorrelation 0.3, spread 0.13)',
          x: 'true gap',
          y: 'share of pairs',
          highest: 100,
        },
      ),
    ],
    [
      'answers.svg',
      stackedBars(
        lengths.flatMap(T => ['0', `0.0967\n${T} evaluations`, '0.2']),
        ANSWERS.map(({ name, share, fill, ink }) => ({
          name,
          fill,
          ink,
          shares: lengths.flatMap(T =>
            [0, 0.0967, 0.2].map(gap => share((what: string) => rate('level', { T, rho: 0.3, gap }, what))),
          ),
        })),
        {
          title: 'What klens answers, by true gap and number of evaluations (margin 0.0967, autocorrelation 0.3)',
          x: '',
        },
      ),
    ],
    [
      'robustness.svg',
      lineChart(
        [0, 0.3, 0.5, 0.6].map(rho => ({
          title: `autocorrelation ${rho}`,
          lines: [
            over(lengths, 'normal', 0, T => rate('level', { T, rho, gap: 0 }, 'level.claimed')),
            over(lengths, 'heavy tails', 1, T => rate('robustness', { kind: 't3', T, rho }, 'level.claimed')),
            over(lengths, 'spread 1 : 3', 2, T =>
              rate('robustness', { kind: 'unequal-spread', T, rho }, 'level.claimed'),
            ),
            over(lengths, 'spread grows', 3, T => rate('robustness', { kind: 'growing', T, rho }, 'level.claimed')),
            over(lengths, 'half is sampling', 4, T =>
              rate('robustness', { kind: 'white-part', T, rho }, 'level.claimed'),
            ),
          ],
        })),
        {
          title: 'Noise that the interval was not made for',
          x: 'evaluations',
          y: 'false claims',
          limit: promise,
          highest: 10,
        },
      ),
    ],
    [
      'onset.svg',
      lineChart(
        [12, 20, 50, 93].map(T => ({
          title: `${T} evaluations`,
          lines: [
            over([0, 0.3, 0.6], 'klens: fall', 0, rho => rate('onset-level', { T, rho, fall: 0 }, 'headline')),
            over([0, 0.3, 0.6], 'klens: turn', 2, rho => rate('onset-slope', { T, rho, turn: 0 }, 'headline')),
            over([0, 0.3, 0.6], 'klens: "possible" fall', 3, rho =>
              rate('onset-level', { T, rho, fall: 0 }, 'possible'),
            ),
            over([0, 0.3, 0.6], 'BIC split', 1, rho => rate('onset-level', { T, rho, fall: 0 }, 'bic')),
          ],
        })),
        {
          title: 'Curves without a change: how often is one dated?',
          x: 'autocorrelation',
          y: 'false alarms',
          limit: promise,
          highest: 100,
        },
      ),
    ],
    [
      'best.svg',
      lineChart(
        [
          ['equal', 'checkpoints all equal'],
          ['scattered', 'scattered by one error'],
          ['rising', 'rising, then flat'],
        ].map(([truth, title]) => ({
          title,
          lines: [
            over([3, 5, 9, 20, 50], 'reported maximum', 1, k => rate('best', { k, truth }, 'biasReported')),
            over([3, 5, 9, 20, 50], 'shrunken by klens', 0, k => rate('best', { k, truth }, 'biasShrunken')),
          ],
        })),
        {
          title: 'How much too high is the best checkpoint’s score?',
          x: 'checkpoints',
          y: 'share of one error',
          lowest: -50,
          highest: 250,
        },
      ),
    ],
    [
      'live.svg',
      lineChart(
        [
          {
            title: 'looking at every evaluation of 93',
            lines: [
              over([0, 0.3, 0.5, 0.6], 'klens: four looks', 0, rho => rate('peeking', { ...watched, rho }, 'ever')),
              over([0, 0.3, 0.5, 0.6], 'ended runs', 1, rho => rate('peeking', { ...watched, rho }, 'naive')),
            ],
          },
        ],
        {
          title: 'Nothing differs: was there ever an alarm?',
          x: 'autocorrelation',
          y: 'ever wrong',
          limit: promise,
          highest: 50,
        },
      ),
    ],
  ])
}

type Rate = (what: string) => number

/** From dark to light in the order of how much is claimed. */
const ANSWERS: readonly {
  readonly name: string
  readonly share: (rate: Rate) => number
  readonly fill: string
  readonly ink: string
}[] = [
  { name: 'difference, wrong', share: rate => rate('level.wrong'), fill: '#000000', ink: '#ffffff' },
  {
    name: 'difference, right',
    share: rate => rate('level.claimed') - rate('level.wrong'),
    fill: '#0072B2',
    ink: '#ffffff',
  },
  { name: 'same', share: rate => rate('level.sameOnly'), fill: '#E69F00', ink: '#000000' },
  {
    name: 'undetermined',
    share: rate => 100 - rate('level.claimed') - rate('level.sameOnly'),
    fill: '#e6e6e6',
    ink: '#222222',
  },
]

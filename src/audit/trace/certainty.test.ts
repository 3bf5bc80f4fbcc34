import { expect, test } from 'vitest'
import { readDocument } from '../../logs/document/document.js'
import { traceFigures } from './trace.js'

/** A figure is called wrong only by a run, a metric and a part that are named where it stands. */

const METRIC = { metric: 'val/reward', canonical: 'val.score', goal: 'max', isValidation: true, file: null } as const
const series = ['kl-0.0', 'kl-0.1'].flatMap((group, g) =>
  [0, 1].map(seed => ({
    ...METRIC,
    run: `${group}/seed${seed}`,
    steps: [0, 10, 20, 30],
    values: [0.3111, 0.5222, 0.7333, 0.6444].map(value => value + 0.1 * g + 0.0107 * seed),
  })),
)
const statesOf = (text: string) =>
  traceFigures(readDocument('r.md', text), { series, settings: [] }).figures.map(({ state }) => state)

test.each([
  'The final reward of kl-0.0/seed0 is 0.912.',
  'kl-0.0/seed0: the reward begins at 0.912.',
  '## kl-0.1/seed1\n\nThe reward at step 10 is 0.912.',
  'kl-0.1/seed1 的最终奖励为 0.912。',
  'kl-0.0/seed0: the reward never exceeds 0.912.',
  'Averaged over seeds, kl-0.1 ends with a reward of 0.912.',
  'kl-0.0 的末次奖励标准差为 0.0912。',
])('what names all three is judged: %s', text => {
  expect(statesOf(text)).toEqual(['contradicted'])
})

test.each([
  ['a setting in words', 'kl-0.0/seed0 is done. Without the penalty the reward ends at 0.912.'],
  ['a value of a setting', 'kl-0.0/seed0 is done. Averaged over seeds the final reward is 91.2 % at 0.1.'],
  ['seeds of no group', 'kl-0.0 is done. Penalised with more, seed 1 ends with a reward of 0.912.'],
  ['another run in words', 'The reward of kl-0.0/seed0 is fine, while the strongest penalty ends at 0.912.'],
  ['a part of the sentence before', 'The reward of kl-0.0/seed0 at step 10 is 0.522. Halfway kl-0.1/seed0 has 0.912.'],
  ['a part of another clause', 'At step 10 the reward of kl-0.0/seed0 is 0.522; ten steps later it is 0.912.'],
  [
    'two steps without a word for their mean',
    'From step 10 to step 30 the reward of kl-0.0/seed0 hardly moves: 0.912 and 0.955.',
  ],
  ['figures of other work', 'In the pilot kl-0.0/seed0 had a final reward of 0.912.'],
  ['no run', 'The final reward of kl-0.0/seed0 is 0.644. The price went from 0.912 to 0.987.'],
  ['another attempt', 'kl-0.0/seed0 ends at a reward of 0.644, 0.2111 above the first attempt.'],
  ['another subject', 'kl-0.0/seed0 的最终奖励为 0.644，而惩罚最强的一组达到 0.912。'],
])('%s accuses nobody', (_, text) => {
  expect(statesOf(text)).toContain('untraced')
  expect(statesOf(text)).not.toContain('contradicted')
})

test('lists over seeds are traced by a group that is named by its setting', () => {
  expect(statesOf('Without the penalty the reward ends at 0.644 and 0.655 (seeds 0, 1).')).toEqual(['traced', 'traced'])
  expect(statesOf('Seeds 0 and 1 of kl-0.1 end with a reward of 0.744 and 0.755.')).toEqual(['traced', 'traced'])
})

test('a row of something unknown is not judged by the metric of the caption', () => {
  const table = '| | kl-0.0 | kl-0.1 |\n|---|---|---|\n| peak memory (GB) | 61.4 | 63.8 |\n| hours | 3.21 | 3.34 |\n'
  expect(statesOf(`Final reward:\n\n${table}`)).not.toContain('contradicted')
})

test('a setting that two projects share means the runs that log the metric', () => {
  const other = [0, 1].map(seed => ({
    ...METRIC,
    metric: 'actor/entropy',
    canonical: 'entropy',
    isValidation: false,
    run: `beta-0.1/seed${seed}`,
    steps: [0, 10],
    values: [0.2101, 0.4201 + 0.01 * seed],
  }))
  const states = (text: string) =>
    traceFigures(readDocument('r.md', text), { series: [...series, ...other], settings: [] }).figures.map(
      ({ state }) => state,
    )
  const table = (figure: string) => `| KL | entropy (final) |\n|---|---|\n| 0.1 | ${figure} |\n`
  expect(states(table('0.4251'))).toEqual(['traced'])
  expect(states(table('0.4751'))).toEqual(['contradicted'])
})

test('a list without metrics has those of the sentence before, in turn', () => {
  const sets = ['short', 'medium', 'long'].flatMap((set, s) =>
    ['kl-0.0', 'kl-0.1'].map((run, r) => ({
      ...METRIC,
      metric: `val-core/sort_${set}/acc/mean@4`,
      run,
      steps: [0, 10],
      values: [0.2101, 0.9123 - 0.15 * s - 0.0507 * r],
    })),
  )
  const first = 'kl-0.0 ends with an accuracy of 0.912 on the short set and 0.612 on the long set.'
  const states = (text: string) =>
    traceFigures(readDocument('r.md', `${first} ${text}`), { series: sets, settings: [] }).figures.map(
      ({ state }) => state,
    )
  expect(states('kl-0.1 ends at 0.862 and 0.562.')).toEqual(['traced', 'traced', 'traced', 'traced'])
  expect(states('kl-0.1 ends at 0.832 and 0.562.')).toEqual(['traced', 'traced', 'contradicted', 'traced'])
})

test('a line of hundreds of seeds and thousands of figures is no sentence, and ends', () => {
  const states = statesOf(`kl-0.0 ends with ${'seed 1, '.repeat(300)}${'0.91, '.repeat(3_000)}a reward.`)
  expect(new Set(states)).toEqual(new Set(['untraced']))
})

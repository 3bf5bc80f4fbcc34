import { expect, test } from 'vitest'
import { readDocument } from '../../logs/document/document.js'
import { traceFigures } from './trace.js'

/** What a report calls runs and metrics in words of its own, and what it makes of their values. */

const STEPS = [0, 10, 20, 30, 40]
const CURVE = [0.3111, 0.5222, 0.7333, 0.6444, 0.6877]
const SETS = ['short', 'long'] as const
const series = ['kl-0.0', 'kl-0.01', 'kl-0.3'].flatMap((group, g) =>
  [0, 1].flatMap(seed =>
    SETS.map((set, s) => ({
      run: `${group}/seed${seed}`,
      metric: `val-core/${set}/acc/mean@1`,
      canonical: 'val.score',
      goal: 'max' as const,
      isValidation: true,
      file: null,
      steps: STEPS,
      values: CURVE.map(value => value + 0.0613 * g - 0.0107 * seed - 0.1321 * s),
    })),
  ),
)
const tracedIn = (text: string) =>
  traceFigures(readDocument('r.md', text), { series, settings: [] }).figures.map(one => [
    one.figure.text,
    one.state,
    one.state === 'traced' ? (one.reading.address?.runs.map(({ name }) => name).join(' ') ?? '') : '',
  ])

test.each([
  ['after a word', '*Free* is `kl-0.0`, *tight* is `kl-0.3`.\n\nThe short accuracy of tight ends at 0.805.'],
  [
    'before a list of values',
    'I call them *free*, *light* and *tight* (0.0, 0.01, 0.3).\n\nThe short accuracy of tight ends at 0.805.',
  ],
  ['in Chinese quotes', '「紧组」= 0.3。\n\n紧组 short 集的最终准确率为 0.805。'],
  ['behind the name', '`kl-0.3`（下称紧组）收敛较慢。\n\n紧组 short 集的最终准确率为 0.805。'],
])('a name that the report gives to runs %s is theirs', (_, text) => {
  expect(tracedIn(text).at(-1)).toEqual(['0.805', 'traced', 'kl-0.3/seed0 kl-0.3/seed1'])
})

test('a row that no word names is called by its label from there on', () => {
  const table =
    '| arm | short, first | short, best | short, last |\n|---|---|---|---|\n| gentle | 0.306 | 0.728 | 0.682 |\n| harsh | 0.428 | 0.851 | 0.805 |\n'
  expect(tracedIn(`${table}\nThe short accuracy of harsh at step 10 is 0.639.`).at(-1)).toEqual([
    '0.639',
    'traced',
    'kl-0.3/seed0 kl-0.3/seed1',
  ])
})

test('people average data sets that are logged apart', () => {
  expect(tracedIn('The final accuracy of kl-0.0/seed0, averaged over the two sets, is 0.622.').at(-1)).toEqual([
    '0.622',
    'traced',
    'kl-0.0/seed0',
  ])
})

test('a median of a stretch, and a step at which a curve first passes a level', () => {
  expect(tracedIn('For kl-0.0/seed0 the median of the short accuracy over steps 10–30 is 0.644.').at(-1)?.[1]).toBe(
    'traced',
  )
  expect(tracedIn('The short accuracy of kl-0.0/seed0 first exceeds 0.7 at step 20.').at(-1)?.slice(0, 2)).toEqual([
    '20',
    'traced',
  ])
})

test('a metric that never was so large is not what a figure is wrong by', () => {
  expect(tracedIn('The final short accuracy of kl-0.0/seed0 is 44.7 tokens.').map(([, state]) => state)).not.toContain(
    'contradicted',
  )
})

import { expect, test } from 'vitest'
import { readDocument } from '../../logs/document/document.js'
import { type TracedFigure, traceFigures } from './trace.js'

/** Two metrics of two groups with three seeds each, at steps 1 to 60: no two values are alike. */
const series = ['beta-0.0', 'beta-0.3'].flatMap((group, g) =>
  [0, 1, 2].flatMap(seed =>
    ['eval/proxy', 'eval/gold'].map((metric, m) => ({
      canonical: null,
      goal: 'max' as const,
      isValidation: true,
      file: null,
      metric,
      run: `${group}/seed${seed}`,
      steps: Array.from({ length: 60 }, (_, i) => i + 1),
      values: Array.from(
        { length: 60 },
        (_, i) => 0.3 + 0.2 * m + 0.11 * g + 0.017 * seed + 0.1 * Math.sin((i + 7 * seed + 5 * g) / (9 + 4 * m)),
      ),
    })),
  ),
)

const valuesOf = (
  run: string,
  metric = 'eval/gold',
  [first, last]: readonly [number, number] = [1, 60],
): readonly number[] =>
  series.find(one => one.run === run && one.metric === metric)?.values.slice(first - 1, last) ?? []
const mean = (values: readonly number[]): number => values.reduce((a, b) => a + b, 0) / values.length
const found = (text: string): readonly TracedFigure[] =>
  traceFigures(readDocument('r.md', text), { series, settings: [] }).figures
const states = (text: string) => found(text).map(({ state }) => state)
const table = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  [header, header.map(() => '---'), ...rows].map(row => `| ${row.join(' | ')} |`).join('\n')

const GROUPS = ['beta-0.0', 'beta-0.3']
const SEEDS = [0, 1, 2]

test('columns that name a stretch of steps are means over it', () => {
  const stretches: readonly (readonly [number, number])[] = [
    [1, 20],
    [21, 40],
    [41, 60],
  ]
  const rows = GROUPS.map(group => [
    group,
    ...stretches.map(steps =>
      mean(SEEDS.map(seed => mean(valuesOf(`${group}/seed${seed}`, 'eval/gold', steps)))).toFixed(4),
    ),
  ])
  const text = table(['gold', ...stretches.map(([a, b]) => `before (${a}–${b})`)], rows)
  expect(new Set(states(text))).toEqual(new Set(['traced']))
})

test('signed cells under "a minus b" are differences of two metrics, and a wrong one is told', () => {
  const gap = (run: string): string => {
    const value = (valuesOf(run, 'eval/proxy').at(-1) ?? 0) - (valuesOf(run).at(-1) ?? 0)
    return `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(4)}`
  }
  const rows = GROUPS.map(group => [group, ...SEEDS.map(seed => gap(`${group}/seed${seed}`))])
  const text = table(['proxy minus gold at step 60', 'seed 0', 'seed 1', 'seed 2'], rows)
  expect(new Set(states(text))).toEqual(new Set(['derived']))
  const cell = rows[1]?.[2] ?? ''
  const wrong = states(text.replace(cell, `${cell.slice(0, 3)}9${cell.slice(4)}`))
  expect(wrong.filter(state => state === 'contradicted')).toHaveLength(1)
})

test('a range over seeds is the highest less the lowest', () => {
  const rows = GROUPS.map(group => {
    const last = SEEDS.map(seed => valuesOf(`${group}/seed${seed}`).at(-1) ?? 0)
    return [group, ...last.map(value => value.toFixed(4)), (Math.max(...last) - Math.min(...last)).toFixed(4)]
  })
  const text = `Final gold:\n\n${table(['run', 'seed 0', 'seed 1', 'seed 2', '极差'], rows)}`
  expect(new Set(states(text))).toEqual(new Set(['traced']))
})

import { expect, test } from 'vitest'
import { auditReports } from '../audit.js'

const steps = [10, 20, 30, 40]
const values = [1.5204, 1.9101, 1.7437, 1.6059]
const logged = {
  run: 'alpha',
  metric: 'val/reward',
  file: 'alpha.csv',
  canonical: 'val.score',
  goal: 'max',
  isValidation: true,
  steps,
  values,
} as const

const table = (rows: readonly string[]) => ['| Step | alpha |', '|---|---|', ...rows].join('\n')
const audited = (text: string) => {
  const [file] = auditReports([{ file: 'r.md', text }], { logs: { series: [logged], settings: [], verdicts: [] } })
  if (file === undefined) throw new Error('one report, one answer')
  return file
}

test('every figure is traced, derived, contradicted or untraced', () => {
  const text = `${table(['| 10 | 1.520 |', '| 20 | 1.910 |', '| 30 | 1.744 |', '| 40 | 1.660 |'])}\n\nReward 1.520 → 1.910 (+25.7%), beside 0.777.\n`
  const { ledger, findings } = audited(text)
  expect(ledger?.map(entry => [entry.text, entry.state])).toEqual([
    ['1.520', 'traced'],
    ['1.910', 'traced'],
    ['1.744', 'traced'],
    ['1.660', 'contradicted'],
    ['1.520', 'traced'],
    ['1.910', 'traced'],
    ['+25.7%', 'derived'],
    ['0.777', 'untraced'],
  ])
  expect(findings.map(({ rule, expected }) => [rule, expected])).toEqual([['data-value', '1.606']])
})

test('a column with the name of a run that agrees with nothing in it is invented', () => {
  const { findings } = audited(table(['| 10 | 2.111 |', '| 20 | 2.222 |', '| 30 | 2.313 |', '| 40 | 2.454 |']))
  expect(findings.map(({ rule, severity }) => [rule, severity])).toEqual([['data-invented', 'error']])
})

test.each([
  ['is told', '0.9134', '0.8851', [['data-invented', 'error']]],
  ['is not told when one figure is in the log', '1.744', '0.8851', []],
  ['is not told of means over the end of the log', '1.675', '1.753', []],
])('a table of runs and metrics that agrees with nothing in the logs %s', (_, one, other, expected) => {
  const text = `| Run | Reward | Val Reward |\n|---|---|---|\n| alpha | ${one} | ${other} |\n| beta | 2.871 | 2.644 |\n`
  const beta = { ...logged, run: 'beta', metric: 'val/reward' }
  const [file] = auditReports([{ file: 'r.md', text }], {
    logs: { series: [logged, beta], settings: [], verdicts: [] },
  })
  expect(file?.findings.map(({ rule, severity }) => [rule, severity])).toEqual(expected)
})

test('a column KL is not the run kl', () => {
  const text = '| Step | KL |\n|---|---|\n| 10 | 0.111 |\n| 20 | 0.222 |\n| 30 | 0.313 |\n'
  const [file] = auditReports([{ file: 'r.md', text }], {
    logs: { series: [{ ...logged, run: 'kl' }], settings: [], verdicts: [] },
  })
  expect(file?.findings).toEqual([])
})

/** Two hundred steps of three runs, as a trainer logs them. */
const long = ['kl-0.0', 'kl-0.1', 'few-prompts-kl-0.1'].flatMap((run, r) =>
  [
    { metric: 'actor/kl_loss', canonical: 'kl.ref', at: (i: number) => 0.2 - 0.06 * r + 0.01 * Math.sin(i / 3 + r) },
    { metric: 'actor/grad_norm', canonical: 'grad.norm', at: (i: number) => 2 + r / 3 + 0.4 * Math.cos(i / 5) },
    { metric: 'val-core/sort/acc/mean@4', canonical: 'val.score', at: (i: number) => 0.4 + (0.1 + r / 9) * (i / 200) },
  ].map(({ metric, canonical, at }) => ({
    run,
    metric,
    canonical,
    goal: null,
    isValidation: metric.startsWith('val'),
    file: null,
    steps: Array.from({ length: 200 }, (_, i) => i + 1),
    values: Array.from({ length: 200 }, (_, i) => at(i + 1)),
  })),
)
const settings = [
  {
    run: 'kl-0.1',
    metric: 'actor.kl_loss_coef',
    canonical: 'kl.loss.coef',
    goal: null,
    isValidation: false,
    file: null,
    steps: [0],
    values: [0.1],
  },
]
const states = (text: string) => {
  const [file] = auditReports([{ file: 'r.md', text }], { logs: { series: long, settings, verdicts: [] } })
  return {
    entries: file?.ledger?.map(entry => [entry.text, entry.state]),
    findings: file?.findings.map(({ rule, severity, expected }) => [rule, severity, expected]),
  }
}
const valuesOf = (run: string, metric: string): readonly number[] =>
  long.find(one => one.run === run && one.metric === metric)?.values ?? []
const last = (run: string, metric: string): number => valuesOf(run, metric).at(-1) ?? 0
const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

test.each([
  ['the last value', `kl-0.1 的最终 KL 为 ${last('kl-0.1', 'actor/kl_loss').toFixed(3)}。`],
  [
    'a share as a percentage',
    `kl-0.1 ends at an accuracy of ${(100 * last('kl-0.1', 'val-core/sort/acc/mean@4')).toFixed(1)}%.`,
  ],
  [
    'a mean of the end',
    `最后 20 步 kl-0.1 的平均梯度范数为 ${mean(valuesOf('kl-0.1', 'actor/grad_norm').slice(-20)).toFixed(2)}。`,
  ],
  [
    'a mean of steps',
    `The gradient norm of kl-0.0 averaged ${mean(valuesOf('kl-0.0', 'actor/grad_norm').slice(100, 150)).toFixed(2)} over steps 101-150.`,
  ],
  ['a setting', 'kl-0.1 was trained with a KL loss coefficient of 0.1.'],
])('in prose %s is traced by the words that name it', (_, text) => {
  expect(states(text).entries?.map(([, state]) => state)).toEqual(['traced'])
})

test('a line over runs is recognised by most of it, and the figure that is not logged is told', () => {
  const finalOf = (run: string): string => last(run, 'actor/kl_loss').toFixed(4)
  const printed = [finalOf('kl-0.0'), finalOf('kl-0.1'), finalOf('few-prompts-kl-0.1')] as const
  const table = (cells: readonly string[]): string =>
    `| Run | final KL |\n|---|---|\n| kl-0.0 | ${cells[0]} |\n| kl-0.1 | ${cells[1]} |\n| few-prompts-kl-0.1 | ${cells[2]} |\n`
  expect(states(table(printed)).findings).toEqual([])
  const wrong = [printed[0], '0.1888', printed[2]]
  expect(states(table(wrong)).findings).toEqual([['data-value', 'error', printed[1]]])
})

test('a sentence that names run, metric and step is held against the log, and no other', () => {
  const [right] = valuesOf('kl-0.1', 'actor/grad_norm').slice(49)
  const said = (words: string): unknown => states(words).findings
  expect(said('At step 50 the gradient norm of kl-0.1 was 3.11.')).toEqual([['data-value', 'error', right?.toFixed(2)]])
  expect(said('At step 50 the gradient norm of kl-0.1 may be 3.11.')).toEqual([])
  expect(said('At step 50 the gradient norm of kl-0.1 rose by 3.11.')).toEqual([])
  expect(said('The gradient norm of kl-0.1 was 3.11.')).toEqual([])
})

test('a table of runs whose figures are nowhere in long logs is invented; one at a common step is not', () => {
  const table = (values: readonly (readonly string[])[]): string =>
    `| Run | KL | accuracy |\n|---|---|---|\n${values.map(([kl, acc], i) => `| ${['kl-0.0', 'kl-0.1'][i]} | ${kl} | ${acc} |`).join('\n')}\n`
  const invented = table([
    ['0.4312', '0.8812'],
    ['0.3921', '0.9127'],
  ])
  expect(states(invented).findings?.map(([rule, severity]) => [rule, severity])).toEqual([['data-invented', 'error']])
  const at77 = ['kl-0.0', 'kl-0.1'].map(run =>
    ['actor/kl_loss', 'val-core/sort/acc/mean@4'].map(metric => valuesOf(run, metric)[76]?.toFixed(4) ?? ''),
  )
  expect(states(table(at77)).findings).toEqual([])
})

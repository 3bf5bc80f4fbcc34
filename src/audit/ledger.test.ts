import { expect, test } from 'vitest'
import { auditReports } from './audit.js'

const steps = [10, 20, 30, 40]
const values = [1.5204, 1.9101, 1.7437, 1.6059]
const logged = {
  run: 'alpha',
  metric: 'val/reward',
  file: 'alpha.csv',
  canonical: 'val.score',
  steps,
  values,
}

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

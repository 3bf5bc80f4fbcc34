import { expect, test } from 'vitest'
import { evidenceIn, table, wordsOn } from '../../../test/support/audit-findings.js'

/** Reports given together. Names differ between them on purpose: runs are recognised by their figures. */

const measured = table(
  'Step | 无约束 | 有约束 | 差异',
  '10 | 0.512 | 0.498 | -0.014',
  '20 | 0.634 | 0.581 | -0.053',
  '30 | 0.601 | 0.612 | +0.011',
  '40 | 0.622 | 0.625 | +0.003',
  '50 | 0.661 | 0.604 | -0.057',
)

test('one run at one step with two measured values', () => {
  const other = measured.replace('无约束 | 有约束', 'old | new').replace('0.601 | 0.612', '0.610 | 0.612')
  expect(wordsOn(other, 'cross-value', measured)).toEqual(['old at step 30 is 0.610 here and 0.601 in report-1.md:5'])
})

test('agreement to the printed digits is none', () => {
  expect(evidenceIn(measured.replaceAll('0.512', '0.51'), measured)).toEqual([])
})

test('different runs with different figures do not contradict each other', () => {
  expect(evidenceIn(measured.replaceAll('0.6', '0.7'), measured)).toEqual([])
})

test('an estimate that another report measured, and the differences it turns round', () => {
  const guessed = table(
    'step | base | KL | diff',
    '10 | 0.512 | 0.498 | -0.014',
    '20 | ~0.55 (estimated) | 0.581 | +0.031',
    '30 | 0.601 | 0.612 | +0.011',
    '40 | ~0.64 (estimated) | 0.625 | -0.015',
    '50 | 0.661 | 0.604 | -0.057',
  )
  expect(evidenceIn(guessed, measured)).toEqual([
    '4 cross-estimate',
    '4 estimated-as-data',
    '4 cross-estimate',
    '6 cross-estimate',
  ])
  expect(wordsOn(guessed, 'cross-estimate', measured)).toEqual([
    '2 of 2 estimates of base are refuted by report-1.md; at step 20 0.55 was guessed and 0.634 measured (line 4)',
    'step 20: the difference is −0.053, not +0.031: report-1.md:4 measured 0.634 where this report guesses',
    'step 40: the difference is +0.003, not −0.015: report-1.md:6 measured 0.622 where this report guesses',
  ])
})

const sweep = `## Epoch 1\n\n${table('KL_BETA | KL | Train Loss | PPO Loss', '0.1 | 0.0800 | 0.0180 | 0.0100', '0.2 | 0.0750 | 0.0250 | 0.0100')}`

test('the same setting with other figures for its first epoch', () => {
  const metric = (name: string, value: string) =>
    `## ${name}\n\n${table('指标 | KL_BETA=0.1 | KL_BETA=0.4', `初始 | ${value} | 0.0500`)}\n\n`
  expect(wordsOn(sweep, 'cross-setting', metric('KL散度', '0.0771'))).toEqual([
    'first figures for a KL coefficient of 0.1 differ from report-1.md:5 (here / there: KL 0.0800 / 0.0771); if they are different runs, say so',
  ])
  expect(wordsOn(sweep, 'cross-setting', metric('KL散度', '0.08003'))).toEqual([])
})

test('“identical” accuracies that another report prints as different', () => {
  const here = `${table('指标 | KL_BETA=0.1 | KL_BETA=0.2', 'KL | 0.08 | 0.07')}\n\n两者推理准确率完全相同。`
  const scores = (second: string) => table('KL_BETA | 1-shot | 2-shot', '0.1 | 51.5% | 50.0%', `0.2 | ${second}`)
  expect(evidenceIn(here, scores('52.5% | 49.5%'))).toEqual(['5 cross-identical'])
  expect(evidenceIn(here, scores('51.5% | 50.0%'))).toEqual([])
})

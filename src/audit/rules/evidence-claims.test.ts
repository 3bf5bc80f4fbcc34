import { describe, expect, test } from 'vitest'
import { evidenceIn, table, wordsOn } from '../../../test/support/audit-findings.js'

/** Words that only a test allows. */

const curves = table(
  'step | plain reward | penalised reward',
  '100 | 0.31 | 0.28',
  '200 | 0.38 | 0.37',
  '300 | 0.44 | 0.41',
  '400 | 0.43 | 0.47',
  '500 | 0.46 | 0.45',
  '600 | 0.45 | 0.46',
)

test.each([
  ['same-untested', 'The two policies perform about the same.', '两个模型的性能几乎相同。'],
  ['significance-untested', 'The penalty significantly improves the reward.', '惩罚项显著提升了奖励。'],
  ['stability-untested', 'Training with the penalty is more stable.', '加惩罚项后训练更稳定。'],
  ['convergence-untested', 'Both runs have converged.', '两个 run 都已收敛。'],
  ['prevented-untested', 'The penalty prevents overfitting.', '惩罚项有效防止了过拟合。'],
  ['level-as-stability', 'Its loss is the lowest, so training is more stable.', '它的损失最低，说明训练更稳定。'],
])('%s: in English and Chinese', (rule, english, chinese) => {
  expect(evidenceIn(english)).toEqual([`1 ${rule}`])
  expect(evidenceIn(chinese)).toEqual([`1 ${rule}`])
})

test.each([
  'If the two runs perform about the same, we stop.',
  'We expect training to be more stable.',
  'Is the reward significantly higher?',
  'The runs have not converged.',
  '建议检查性能是否显著提升。',
  '如果训练更稳定，则继续。',
  '## 下一步计划\n\n- 让训练更稳定',
  'Throughput is about the same.',
  'The model converges faster than the last one.',
  'The run has converged: reward changed by less than 0.02 over the last 5 evaluations.',
  'To check for overfitting we held out 10% of the data.',
  'The result has three significant digits.',
  'The model moves closer to the reference: 模型更接近参考策略。',
])('no claim: %s', sentence => {
  expect(evidenceIn(sentence)).toEqual([])
})

describe('a report that tests', () => {
  test.each(['p = 0.03 (paired t-test).', '95% CI −0.02 to +0.05.', '共 5 个随机种子。', 'Mean 0.52 ± 0.03.'])(
    '%s',
    tested => {
      expect(evidenceIn(`The penalised run is significantly better and more stable. ${tested}`)).toEqual([])
    },
  )

  test('is not one that plans to', () => {
    expect(evidenceIn('奖励显著提升。\n\n## 下一步\n\n- 用 5 个种子重复')).toEqual(['1 significance-untested'])
  })
})

describe('with two printed curves', () => {
  test('the claim meets their own numbers', () => {
    const said = (words: string) => `${curves}\n\n${words}`
    expect(wordsOn(said('The final rewards are about the same.'), 'same-untested')).toEqual([
      '“about the same” is not tested: 6 shared evaluations give −0.01 (−0.08 … +0.07); equality would pass only at a margin of 0.06',
    ])
    expect(wordsOn(said('The penalised run is smoother.'), 'stability-untested')).toEqual([
      '“smoother”: spread of plain reward over penalised reward is 0.716 (0.0727 … 7.05); 6 evaluations cannot tell',
    ])
    expect(wordsOn(said('The penalty prevents collapse.'), 'prevented-untested')).toEqual([
      'no printed run collapsed, with this setting or without: the deepest fall is 4.3 % (0.47 → 0.45), so nothing was shown to be prevented',
    ])
  })

  test('what they show is not called untested', () => {
    const rows = Array.from(
      { length: 30 },
      (_, i) => `${i} | ${0.5 + (i % 2 === 0 ? 0.2 : -0.2)} | ${0.5 + 0.01 * ((i * 7) % 3)}`,
    )
    const report = `${table('step | A reward | B reward', ...rows)}\n\nB is more stable.`
    expect(evidenceIn(report)).toEqual([])
  })

  test('a collapse that the data holds may have been prevented', () => {
    const fallen = curves.replace('600 | 0.45', '600 | 0.11')
    expect(evidenceIn(`${fallen}\n\nThe penalty prevents collapse.`)).toEqual([])
  })
})

test('a claim is told once in each part of the report', () => {
  const report = '# T\n\n## A\n\n训练更稳定。\n\n### A1\n\n训练更稳定。\n\n## B\n\n训练更稳定，显著提升稳定性。'
  expect(evidenceIn(report)).toEqual(['5 stability-untested', '13 stability-untested'])
})

test('overfitting needs the same metric on both sides', () => {
  const losses = table('epoch | train loss | val loss', '1 | 1.21 | 1.25', '2 | 0.98 | 1.10', '3 | 0.80 | 1.19')
  expect(evidenceIn(`${losses}\n\nThe model overfits from epoch 3 on.`)).toEqual([])
  const alone = table('epoch | val loss', '1 | 1.25', '2 | 1.10', '3 | 1.19')
  expect(evidenceIn(`${alone}\n\nThe model overfits from epoch 3 on.`)).toEqual(['7 prevented-untested'])
})

test('causes and recommendations from one run each are notes', () => {
  expect(evidenceIn(`${curves}\n\n这说明惩罚项有助于学习奖励。`)).toEqual(['10 cause-untested'])
  expect(evidenceIn(`${curves}\n\n推荐使用惩罚项，可以用于生产环境。`)).toEqual(['10 one-seed'])
})

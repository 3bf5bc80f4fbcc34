import { describe, expect, it } from 'vitest'
import { isMetricName } from './metric-name.js'
import {
  cleanHeading,
  isRemark,
  isStatistic,
  namedStep,
  sampleCount,
  shotsOf,
  stepOfCell,
  stepUnitOf,
} from './words.js'

describe('isMetricName', () => {
  it.each([
    'Train Loss',
    'Val Loss',
    'KL',
    'KL值',
    'KL散度 (KL Divergence)',
    'PPO Loss',
    'Adv Std',
    'grad_norm',
    'actor/kl_loss',
    'val-core/math/reward/mean@8',
    'Accuracy (%)',
    'pass@1',
    'Shot 3',
    'shot_num=2',
    '平均',
    '验证集准确率',
    '最佳性能',
    'Learning rate',
  ])('takes %s for a metric', name => expect(isMetricName(name)).toBe(true))

  it.each([
    '无KL约束',
    'KL=0.1',
    'KL 0.1',
    'PPO',
    'Baseline',
    '新实验（KL版本）',
    'GRPO',
    'Group8 8B',
    'Train',
    '方案五',
    '',
  ])('takes %s for a name', name => expect(isMetricName(name)).toBe(false))
})

describe('steps', () => {
  it.each([
    ['5', 5],
    ['Step 5', 5],
    ['step_12', 12],
    ['Epoch 3', 3],
    ['第 4 轮', 4],
    ['1,200', 1200],
    ['2k', 2000],
    ['40/465', 40],
    ['40 (best)', 40],
    ['最佳Step', null],
    ['-5', null],
    ['0.5', null],
    ['mean', null],
    ['', null],
  ])('reads the cell %s as step %s', (cell, step) => expect(stepOfCell(cell)).toBe(step))

  it.each([
    ['方案五（Epoch 2）', { step: 2, unit: 'epoch', rest: '方案五' }],
    ['2.202 (Step 45)', { step: 45, unit: 'step', rest: '2.202' }],
    ['Epoch 1 训练指标', { step: 1, unit: 'epoch', rest: '训练指标' }],
    ['第3步结果', { step: 3, unit: 'step', rest: '结果' }],
    ['Iteration 7', { step: 7, unit: 'step', rest: '' }],
    ['之前（Step 1-5）', null],
    ['Steps 10 ~ 20', null],
    ['Step-by-Step', null],
    ['timestep 5', null],
    ['Step 4.5', null],
    ['Top 10', null],
  ])('finds in %s the step %o', (text, named) => expect(namedStep(text)).toEqual(named))

  it('knows columns of steps and of epochs', () => {
    expect(['Step', '步数', 'global_step', 'Iteration'].map(stepUnitOf)).toEqual(['step', 'step', 'step', 'step'])
    expect(['Epoch', '轮次', 'Epoch (GRPO)'].map(stepUnitOf)).toEqual(['epoch', 'epoch', 'epoch'])
    expect(['最佳Step', '达到最佳性能的Step', 'Steps to best', ''].map(stepUnitOf)).toEqual([null, null, null, null])
  })
})

describe('other words', () => {
  it('knows bare statistics', () => {
    expect(['平均', '最小值', 'mean', 'Std dev', '变化', 'Final'].filter(label => !isStatistic(label))).toEqual([])
    expect(['平均长度', 'mean reward', 'KL'].filter(isStatistic)).toEqual([])
  })

  it('reads shots', () => {
    expect(['Shot 2', 'shot_num=4', '3-shot', 'one shot'].map(shotsOf)).toEqual([2, 4, 3, null])
  })
})

describe('words of a report', () => {
  it('knows columns that are computed or comment', () => {
    const remarks = ['差异', 'Δ', 'Diff (%)', 'vs 0.15', '变化', '备注', 'Notes', '评价', '胜者', '相对提升', 'A vs B']
    expect(remarks.filter(header => !isRemark(header))).toEqual([])
    expect(['KL', '平均', 'rollout_probs_diff_mean', 'Noted'].filter(isRemark)).toEqual([])
  })

  it('reads sample counts', () => {
    expect(['（200样本）', 'n=64', '1,000 prompts', 'samples', '50 epochs'].map(sampleCount)).toEqual([
      200,
      64,
      1000,
      null,
      null,
    ])
  })

  it.each([
    ['📊 核心问题回答', '核心问题回答'],
    ['1. KL散度 (KL Divergence)', 'KL散度 (KL Divergence)'],
    ['3.1 与方案五对比', '与方案五对比'],
    ['二、最优 Checkpoint：', '最优 Checkpoint'],
    ['（三）结果', '结果'],
    ['2) Results:', 'Results'],
    ['1️⃣ 目标', '目标'],
    ['2025 review', '2025 review'],
    ['0.12 vs 0.15', '0.12 vs 0.15'],
  ])('cleans the heading %s to %s', (heading, clean) => expect(cleanHeading(heading)).toBe(clean))
})

import { describe, expect, it } from 'vitest'
import { cleanHeading, isRemark, sampleCount } from './words.js'

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

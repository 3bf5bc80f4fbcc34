import { describe, expect, it } from 'vitest'
import { render } from '../../text/sentences.js'
import { type AuditFinding, auditReports } from '../audit.js'
import { ARITHMETIC_RULES } from './arithmetic.js'

function findings(text: string): readonly AuditFinding[] {
  return auditReports([{ file: 'report.md', text }], ARITHMETIC_RULES)[0].findings
}

/** "line rule severity", in the order of the text. */
function found(text: string): readonly string[] {
  return findings(text).map(({ line, rule, severity }) => `${line} ${rule} ${severity}`)
}

function table(...rows: readonly string[]): string {
  const [header, ...body] = rows
  const dashes = header
    .split('|')
    .slice(2)
    .map(() => '---|')
  return [header, `|${dashes.join('')}`, ...body].join('\n')
}

describe.each(ARITHMETIC_RULES)('$id', ({ id, example }) => {
  it('finds the fault of its example, once, and nothing in the sound one', () => {
    expect(findings(example.faulty).map(({ rule }) => rule)).toEqual([id])
    expect(findings(example.sound)).toEqual([])
  })

  it('speaks both languages without holes', () => {
    for (const { message } of findings(example.faulty)) {
      expect(render(message, 'en')).not.toMatch(/undefined|NaN|\{/)
      expect(render(message, 'zh')).not.toMatch(/undefined|NaN|\{/)
      expect(render(message, 'zh')).not.toBe(render(message, 'en'))
    }
  })
})

describe('differences in tables', () => {
  it('learns from the rows which column is subtracted', () => {
    const rows = [
      '| step | A | B | 差异 |',
      '| 10 | 1.50 | 1.20 | 0.30 |',
      '| 20 | 1.60 | 1.10 | 0.50 |',
      '| 30 | 1.40 | 1.55 | -0.15 |',
    ]
    expect(found(table(...rows))).toEqual([])
    expect(found(table(...rows, '| 40 | 1.70 | 1.30 | 0.60 |'))).toEqual(['6 difference-column error'])
  })

  it('calls a flipped sign wrong over steps, and lets improvements have the sign they like', () => {
    const steps = [
      '| step | A | B | diff |',
      '| 1 | 1.50 | 1.20 | -0.30 |',
      '| 2 | 1.60 | 1.10 | -0.50 |',
      '| 3 | 1.40 | 1.55 | +0.15 |',
    ]
    expect(found(table(...steps, '| 4 | 1.70 | 1.30 | +0.40 |'))).toEqual(['6 difference-column error'])
    const metrics = [
      '| metric | before | after | improvement |',
      '| accuracy | 50.0 | 55.0 | +10% |',
      '| latency | 200 ms | 150 ms | +25% |',
    ]
    expect(found(table(...metrics))).toEqual([])
  })

  it('measures by the row that the header names', () => {
    const rows = ['| beta | score | vs 0.2 |', '| 0.1 | 61.4 | +1.1 |', '| 0.2 | 60.3 | - |', '| 0.3 | 59.1 | -1.2 |']
    expect(found(table(...rows))).toEqual([])
    expect(found(table(...rows, '| 0.4 | 58.0 | -3.2 |'))).toEqual(['6 difference-column error'])
  })

  it('measures by the row before where that is what the column does', () => {
    const rows = [
      '| epoch | loss | change |',
      '| 1 | 0.900 | |',
      '| 2 | 0.810 | -10.0% |',
      '| 3 | 0.700 | -13.6% |',
      '| 4 | 0.665 | -5.0% |',
    ]
    expect(found(table(...rows))).toEqual([])
    expect(found(table(...rows, '| 5 | 0.600 | -8.9% |'))).toEqual(['7 difference-column error'])
  })

  it('checks the percentage behind a difference, by either base', () => {
    const header = '| metric | A | B | 差异 |'
    expect(found(table(header, '| reward | 2.202 | 2.123 | -0.079 (-3.6%) |'))).toEqual([])
    expect(found(table(header, '| reward | 2.202 | 2.123 | -0.079 (3.7%) |'))).toEqual([])
    expect(found(table(header, '| reward | 2.202 | 2.123 | -0.079 (-6.3%) |'))).toEqual(['3 difference-column error'])
  })

  it('reads a mean column against the row that has no difference', () => {
    const rows = [
      '| 方法 | x | y | z | 平均 | Δ |',
      '| SFT | 71.2 | 34.5 | 10.0 | 38.6 | - |',
      '| PPO | 75.4 | 38.9 | 13.3 | 42.5 | +3.9 |',
    ]
    expect(found(table(...rows, '| GRPO | 78.1 | 41.2 | 16.7 | 45.3 | +6.7 |'))).toEqual([])
    expect(found(table(...rows, '| GRPO | 78.1 | 41.2 | 16.7 | 45.3 | +7.6 |'))).toEqual(['5 difference-column error'])
  })

  it('takes bare accuracies for percentages', () => {
    expect(found(table('| metric | A | B | diff |', '| accuracy | 57.2 | 58.9 | +1.7% |'))).toEqual([])
  })

  it('checks the percentage behind a winner', () => {
    const header = '| metric | Run A | Run B | winner |'
    expect(found(table(header, '| reward | 1.90 | 2.10 | B (+10.5%) |'))).toEqual([])
    expect(found(table(header, '| reward | 1.90 | 2.10 | B (+15.5%) |'))).toEqual(['3 percent-base error'])
  })

  it('stays silent where rounding, a bound or a range explains the figure', () => {
    const rows = [
      '| metric | before | after | 变化 |',
      '| rate | 0.5 | 0.4 | -0.2 |',
      '| error | ~5% | <1% | 6x |',
      '| time | 5-8 s | 1-2 s | 75% |',
      '| lines | ~5,200 | ~4,200 | 20% |',
    ]
    expect(found(table(...rows))).toEqual([])
  })

  it('says nothing about a column that no reading explains', () => {
    const rows = [
      '| run | A | B | gap to oracle |',
      '| 1 | 1.50 | 1.20 | 0.71 |',
      '| 2 | 1.60 | 1.10 | 0.64 |',
      '| 3 | 1.70 | 1.40 | 0.93 |',
    ]
    expect(found(table(...rows))).toEqual([])
  })

  it('checks a row of differences under its two rows', () => {
    const rows = ['| 实验 | reward | 长度 |', '| 基线 | 2.31 | 540 |', '| 改进 | 2.45 | 610 |']
    expect(found(table(...rows, '| 差异 | +0.14 | +70 |'))).toEqual([])
    expect(found(table(...rows, '| 差异 | +0.14 | +90 |'))).toEqual(['5 difference-row error'])
  })
})

describe('percentages and differences in sentences', () => {
  it.each([
    'Reward 2.123 vs 2.202, -3.6 %.',
    'Reward 2.123 vs 2.202 (+3.7 %).',
    '奖励从 2.202 降到 2.123，下降约 4%。',
    '差异仅 3.6%（2.123 vs 2.202）',
    '新方案（2.123）比旧方案（2.202）低 3.6%',
    'Accuracy went from 0.50 to 0.55, a gain of 5%.',
    '显存从 40 GB 降到 30 GB（75%）',
    'Reward 1.9 → 2.1, KL up 0.05.',
    'It scored 1.9 vs 2.1 (95% confidence), 3 of 5 seeds.',
    'Loss went 1.2 → 0.9 → 0.8 (-33%).',
    'Version 0.6.1 has 2x more downloads than 0.7.3.',
    'The rate rose from 5e-6 to 5e-5, 10 times.',
    '步数从 20,000 增加到 35,000（+74%）',
    '把学习率从 0.1 降到 0.05，提升 2.5%。',
    'Batch 32 → 64, 1.8x throughput.',
    'GPU 利用率 60% → 85%，训练时间减少 30%',
    'From 2024 to 2025, +30 %.',
    'WER fell from 21.8 to 16.5, 5.3 % lower.',
    'It gained 0.297 from step 5->10 (+0.297).',
  ])('accepts: %s', sentence => {
    expect(findings(sentence).filter(({ severity }) => severity !== 'note')).toEqual([])
  })

  it.each([
    ['Reward 2.123 vs 2.202, -4.6 %.', 'percent-change'],
    ['奖励从 2.202 降到 2.123，下降 5.6%。', 'percent-change'],
    ['差异仅 6.3%（2.123 vs 2.202）', 'percent-change'],
    ['熵 0.216 → 0.256（-18.5%）', 'percent-change'],
    ['Entropy dropped by 18.5 % (0.216 → 0.256).', 'percent-change'],
    ['2.123 is 5.6% lower than 2.202.', 'percent-change'],
    ['得分 2.123 vs 2.202，相差 0.097', 'stated-difference'],
    ['准确率从 50.0% 提升到 55.0%，提升 4 个百分点', 'stated-difference'],
    ['Step 40 vs Step 45，提前 10 步', 'stated-difference'],
    ['- A: 5.152\n- B: 5.141\n- 差异：+0.021', 'stated-difference'],
    ['学习率 5e-6 → 5e-5（100 倍）', 'wrong-multiple'],
    ['50 倍加速：0.2 ms vs 20 ms', 'wrong-multiple'],
    ['Loss 从 2.31 降至 1.87，降幅 29%', 'percent-change'],
    ['66.25% vs 67.50%, a 3.5% relative improvement', 'percent-change'],
    ['The new run peaks at 2.202, 3.6 % higher than the 2.123 of the old.', 'percent-base'],
  ])('rejects: %s', (sentence, rule) => {
    expect(findings(sentence).map(one => one.rule)).toEqual([rule])
  })

  it('points at the very figure', () => {
    const [fault] = findings('得分 2.123 vs 2.202，相差 **0.097**')
    expect([fault.line, fault.column, fault.found, fault.expected]).toEqual([1, 24, '0.097', '-0.079'])
  })

  it('notes per cent where points are meant, in a column once', () => {
    const rows = ['| run | A | B | diff |', '| 1 | 50.0% | 55.0% | +5.0% |', '| 2 | 51.0% | 53.0% | +2.0% |']
    expect(found(table(...rows))).toEqual(['3 percent-for-points note'])
    expect(found('准确率从 50.0% 提升到 55.0%（+5.0%）')).toEqual(['1 percent-for-points note'])
  })

  it('warns where a named side is measured by itself, and where the text repeats it', () => {
    const text = `${table('| 维度 | 基线 | 新法 | 胜者 |', '| 最佳 | 2.202 | 2.123 | 基线（+3.6%） |')}\n\n- 基线上限略高（+3.6%）\n- 新法略低（-3.6%）`
    expect(found(text)).toEqual(['3 percent-base warning', '5 percent-base warning'])
  })
})

describe('means, totals and calculations', () => {
  it('checks a column of means, whatever other numbers the table has', () => {
    const rows = [
      '| model | size | x | y | z | avg |',
      '| a | 7 | 61.0 | 52.0 | 43.0 | 52.0 |',
      '| b | 8 | 62.5 | 51.5 | 45.0 | 53.0 |',
      '| c | 9 | 60.0 | 50.0 | 46.0 | 53.0 |',
    ]
    expect(found(table(...rows))).toEqual(['5 wrong-mean error'])
  })

  it('checks rows of means and totals', () => {
    const rows = ['| 任务 | A | B | C |', '| 1 | 10.0 | 20.0 | 30.0 |', '| 2 | 12.0 | 22.0 | 31.0 |']
    expect(found(table(...rows, '| 平均 | 11.0 | 21.0 | 33.5 |'))).toEqual(['5 wrong-mean error'])
    expect(found(table(...rows, '| 合计 | 22.0 | 42.0 | 71.0 |'))).toEqual(['5 wrong-mean error'])
    expect(found(table(...rows, '| 合计 | 22.0 | 42.0 | 61.0 |'))).toEqual([])
  })

  it('knows that a mean beside first and last values is not the mean of those', () => {
    const rows = ['| 指标 | A | B |', '| 初始 | 0.79 | 0.78 |', '| 最终 | 0.53 | 0.52 |', '| 平均 | 0.59 | 0.58 |']
    expect(found(table(...rows))).toEqual([])
  })

  it('leaves means of data that the table does not show alone', () => {
    const rows = ['| 指标 | 最小 | 中位数 | 平均 | P90 | P99 |', '| 字节 | 1,307 | 4,171 | 7,821 | 15,054 | 56,407 |']
    expect(found(table(...rows))).toEqual([])
  })

  it.each([
    'Seeds: 61.0, 63.0, 65.0 (mean 63.0).',
    '三个种子得分 61.0、63.0、65.0，平均 63.0',
    '465 steps × 210 s = 27.1 h',
    '2.202 - 2.123 = 0.079',
    '110/200 = 55%',
    'loss = 0.0086 + 0.12 × 0.0718 = 0.0172',
    '共 500 步，每步 210 秒，总计 31 小时',
  ])('accepts: %s', sentence => {
    expect(findings(sentence)).toEqual([])
  })

  it.each([
    ['Seeds: 61.0, 63.0, 65.0 (mean 64.0).', 'wrong-mean'],
    ['三个种子平均 66.0（61.0、63.0、65.0）', 'wrong-mean'],
    ['465 步 × 210 秒 = 17.1 小时', 'wrong-equation'],
    ['2.202 − 2.123 = 0.097', 'wrong-equation'],
    ['12 + 15 = 28', 'wrong-equation'],
    ['110/200 = 56%', 'wrong-equation'],
    ['500 steps at 210 s per step took 20 h.', 'wrong-equation'],
  ])('rejects: %s', (sentence, rule) => {
    expect(findings(sentence).map(one => one.rule)).toEqual([rule])
  })
})

describe('lists, counts, orders and spreads', () => {
  it('checks each change of a list against the line before', () => {
    const list = '```\nStep 10: 2.00\nStep 20: 2.10 (+5.0%)\nStep 30: 1.89 (-10.0%) low\nStep 40: 2.00 (+8.5%)\n```'
    expect(found(list)).toEqual(['5 stepwise-change error'])
    expect(found('- Step 10: 2.00\n- Step 20: 1.90（下降 5.0%）\n- Step 30: 1.71（上升 10.0%）')).toEqual([
      '3 stepwise-change error',
    ])
  })

  it('takes the value before from a table where the list leaves steps out', () => {
    const rows = table('| step | reward |', '| 10 | 2.00 |', '| 20 | 1.60 |', '| 30 | 1.76 |')
    expect(found(`${rows}\n\n- Step 10: 2.00\n- Step 30: 1.76 (+10.0%)`)).toEqual([])
  })

  it('counts the rows under "top N" and leaves a table that goes on alone', () => {
    const rows = ['| run | reward |', '| a | 2.2 |', '| b | 2.1 |']
    expect(found(`## 前 3 名\n\n${table(...rows)}`)).toEqual(['1 count-mismatch error'])
    expect(found(`## 前 3 名\n\n${table(...rows, '| ... | |')}`)).toEqual([])
    expect(found(`## Top-5 accuracy\n\n${table(...rows)}`)).toEqual([])
  })

  it('counts settings and comparisons in the table above', () => {
    const rows = table('| step | A | B |', '| 1 | 2.2 | 3.0 |', '| 2 | 2.1 | 3.1 |', '| 3 | 2.4 | 1.9 |')
    expect(found(`${rows}\n\nB is higher at 2 of 3 steps.`)).toEqual([])
    expect(found(`${rows}\n\nB is higher at 3 of 3 steps.`)).toEqual(['7 count-mismatch warning'])
    expect(found(`${rows}\n\nAll seven settings improve.`)).toEqual(['7 count-mismatch warning'])
    expect(found(`${rows}\n\n所有 7 个配置都更好`)).toEqual(['7 count-mismatch warning'])
  })

  it('reads the order off the words, or off the rows', () => {
    const rows = table('| run | 损失 |', '| a | 0.52 |', '| b | 0.58 |', '| c | 0.55 |', '| d | 0.61 |')
    expect(found(`按损失从低到高排序：\n\n${rows}`)).toEqual(['7 not-sorted error'])
    expect(found(`按损失排序：\n\n${rows}`)).toEqual(['7 not-sorted error'])
    expect(found(`按名称排序：\n\n${rows}`)).toEqual([])
  })

  it('compares a bound on differences with the column that it names', () => {
    const rows = table(
      '| beta | KL | loss |',
      '| 0.1 | 0.0738 | 0.50 |',
      '| 0.2 | 0.0700 | 0.80 |',
      '| 0.3 | 0.0712 | 0.60 |',
    )
    expect(found(`${rows}\n\n- KL 差异很小（< 4%）`)).toEqual(['7 spread-exceeded error'])
    expect(found(`${rows}\n\n- KL 差异很小（< 6%）`)).toEqual([])
    expect(found(`${rows}\n\n- All KL values are within 3 % of the mean.`)).toEqual([])
    expect(found(`${rows}\n\n- 差异很小（< 4%）`)).toEqual([])
  })

  it('subtracts ranges end by end', () => {
    const rows = table('| 指标 | A | B |', '| 每步时间 | 193-205s | 205-220s |')
    expect(found(`${rows}\n\n每步时间略长（+12-15s）`)).toEqual([])
    expect(found(`${rows}\n\n每步时间略长（+10-20s）`)).toEqual([])
    expect(found(`${rows}\n\n每步时间略长（+15-20s）`)).toEqual(['5 range-difference error'])
  })
})

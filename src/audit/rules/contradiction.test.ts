import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { render } from '../../text/sentences.js'
import { auditReports } from '../audit.js'
import { CONTRADICTION_RULES as RULES } from './contradiction.js'

function findings(text: string): readonly string[] {
  const [{ findings: found }] = auditReports([{ file: 'report.md', text }], RULES)
  return found.map(({ line, rule }) => `${line} ${rule}`)
}

function said(text: string, language: 'en' | 'zh'): string {
  const [{ findings: found }] = auditReports([{ file: 'report.md', text }], RULES)
  return found.map(({ message }) => render(message, language)).join('\n')
}

const COEFFICIENTS = `## 结果
| 系数 | 准确率 | 熵 | 备注 |
|---|---|---|---|
| 0.02 | 71.3% | 0.08 | REMARK |
| 0.05 | 74.1% | 0.21 | |
| 0.09 | 70.2% | 0.93 | |
`

describe('extremes', () => {
  it('takes a superlative with its value to the column it is about', () => {
    expect(findings(`${COEFFICIENTS}\n- 0.02 的准确率最高（71.3%）`)).toEqual(['8 extremum-contradicted'])
    expect(findings(`${COEFFICIENTS}\n- 0.05 的准确率最高（74.1%）`)).toEqual([])
    expect(said(`${COEFFICIENTS}\n- 0.02 的准确率最高（71.3%）`, 'zh')).toBe('71.3 不是“准确率”的最高值：0.05 为 74.1')
  })

  it('reads a remark as being about its row', () => {
    expect(findings(COEFFICIENTS.replace('REMARK', '熵最高'))).toEqual(['4 extremum-contradicted'])
    expect(findings(COEFFICIENTS.replace('REMARK', '熵最低'))).toEqual([])
  })

  it('leaves a best of a part alone', () => {
    expect(findings(`${COEFFICIENTS}\n- 0.02 的准确率是第二高，前两者之中最高的是 0.02（71.3%）之一`)).toEqual([])
    expect(findings(`${COEFFICIENTS}\nAmong the small ones, 0.02 has the highest 准确率 (71.3%).`)).toEqual([])
  })

  it('knows the best of one thing from the best of all', () => {
    const weeks = '## 准确率\n| 指标 | 本周 | 上周 |\n|---|---|---|\n| 准确率 | 52.35% | 50.91% |\n'
    expect(findings(`${weeks}\n本周最佳准确率 52.35%，上周最佳 50.91%。`)).toEqual([])
  })

  it('notes an extreme named while a cell is open', () => {
    const open = COEFFICIENTS.replace('0.93', '?').replace('REMARK', '熵最低')
    expect(findings(open)).toEqual(['4 extremum-over-pending'])
  })
})

const CURVE = `## Validation reward
| step | run |
|---|---|
| 10 | 1.412 |
| 20 | 1.655 |
| 30 | 1.903 |
| 40 | 1.746 |
| 50 | 1.801 |
`

describe('one curve', () => {
  it('knows the best from the final evaluation', () => {
    expect(findings(`${CURVE}\nThe final performance (1.903) is close to the target.`)).toEqual(['10 final-is-best'])
    expect(findings(`${CURVE}\n最终性能（1.903）接近目标。`)).toEqual(['10 final-is-best'])
    expect(findings(`${CURVE}\nThe final performance (1.801) is close to the target.`)).toEqual([])
    expect(findings(`${CURVE}\nThe final performance is 1.903 (best) and 1.801 (last).`)).toEqual([])
    expect(findings(`${CURVE}\nIt finally reached its best performance (1.903) at step 30.`)).toEqual([])
  })

  it('finds a best that the table has overtaken', () => {
    expect(findings(`${CURVE}\n- 最佳 1.903（Step 30）\n- 学习可能受限（最佳性能 1.655）`)).toEqual(['11 stale-best'])
    expect(findings(`${CURVE}\nThe best so far was 1.655.\nThe best is 1.903.`)).toEqual([])
  })

  it('finds the larger change that a largest swing leaves out', () => {
    expect(findings(`${CURVE}\nThe largest swing is ±15.0%.`)).toEqual(['10 swing-omits-change'])
    expect(said(`${CURVE}\n最大波动 ±15.0%`, 'zh')).toContain('最大变化是 +17.2%（step 10 → 20：1.412 → 1.655）')
    expect(findings(`${CURVE}\nThe largest drop is -8.2%.`)).toEqual([])
    expect(findings(`${CURVE}\nThe largest swing is ±17.2%.`)).toEqual([])
  })

  it('does not call a curve calm that goes up and down by a tenth', () => {
    const rough = CURVE.replace('1.746', '1.546')
    expect(findings(`${rough}\nTraining went on without strong fluctuations.`)).toEqual(['10 fluctuation-denied'])
    expect(findings(`${rough}\n训练过程无剧烈波动。`)).toEqual(['10 fluctuation-denied'])
    expect(findings(`${CURVE}\n训练过程无剧烈波动。`)).toEqual([])
  })

  it('compares a list with the table that it repeats', () => {
    const list = (value: string) => `\n- Step 10: 1.412\n- Step 20: ${value}\n- Step 30: 1.903\n- Step 40: 1.746\n`
    expect(findings(CURVE + list('1.665'))).toEqual(['11 value-contradicted'])
    expect(findings(CURVE + list('1.655'))).toEqual([])
    expect(findings(CURVE + list('1.66'))).toEqual([])
  })

  it('sees the change between two windows that are called stable', () => {
    const windows = '\n- 训练更稳定：\n  - Step 10-20: 1.412 → 1.655\n  - Step 30-40: 1.903 → 1.746\n'
    expect(findings(CURVE + windows)).toEqual([])
    const flat = CURVE.replace('1.412', '1.640').replace('1.746', '1.899')
    expect(findings(flat + windows.replace('1.412', '1.640').replace('1.746', '1.899'))).toEqual([
      '12 window-hides-change',
    ])
  })
})

const EPOCHS = `## Losses
| epoch | val loss | ppo loss | adv std |
|---|---|---|---|
| 1 | 5.1533 | -0.0004 | 0.0063 |
| 2 | 5.1515 | 0.0001 | 0.0062 |
| 3 | 5.1536 | -0.0002 | 0.0062 |
| 20 | 5.2115 | 0.0003 | 0.0062 |
| 40 | 5.2274 | 0.0001 | 0.0062 |
`

describe('stretches of steps', () => {
  it('checks a range against the rows, as rounded', () => {
    expect(findings(`${EPOCHS}\n- Epoch 1-3: val loss stays between 5.15 and 5.16`)).toEqual([])
    expect(findings(`${EPOCHS}\n- Epoch 1-3：val loss 在 5.15-5.16 之间`)).toEqual([])
    expect(findings(`${EPOCHS}\n- Epoch 1-20：val loss 在 5.15-5.16 之间`)).toEqual(['10 range-contradicted'])
    expect(findings(`${EPOCHS}\n- Between epochs 20 and 40 val loss is between 5.22 and 5.27`)).toEqual([
      '10 range-contradicted',
    ])
  })

  it('is silent where no row agrees: the sentence is about something else', () => {
    expect(findings(`${EPOCHS}\n- The other run: epochs 1-3 have val loss between 4.10 and 4.20`)).toEqual([])
  })

  it('checks signs and "all"', () => {
    expect(findings(`${EPOCHS}\n- Epoch 2-20: ppo loss is positive`)).toEqual(['10 sign-contradicted'])
    expect(findings(`${EPOCHS}\n- Epoch 20-40：ppo loss 为正值`)).toEqual([])
    expect(findings(`${EPOCHS}\n- 所有 epoch：adv std = 0.0062（恒定）`)).toEqual(['10 all-contradicted'])
    expect(findings(`${EPOCHS}\n- Both runs have an adv std of 0.0062`)).toEqual([])
    expect(findings(`${EPOCHS}\n- 所有 epoch：adv std = 0.006（恒定）`)).toEqual([])
  })

  it('checks where a trend ends', () => {
    expect(findings(`${EPOCHS}\n- Epoch 3-40: val loss is increasing`)).toEqual([])
    expect(findings(`${EPOCHS}\n- Epoch 3-40: val loss is falling`)).toEqual(['10 trend-contradicted'])
    expect(findings(`${EPOCHS}\n- Epoch 3-40：val loss 持续上升（5.15-5.29）`)).toEqual(['10 trend-contradicted'])
  })

  it('misses the epochs that a ranking should list', () => {
    const ranking = EPOCHS.replace('## Losses', '## Top 10 by val loss')
    expect(findings(`${ranking}\n## Trend\n- Epoch 4-19: val loss 5.17-5.20`)).toEqual(['11 ranking-omits'])
    expect(findings(`${ranking}\n## Trend\n- Epoch 50-60: val loss 5.27-5.30`)).toEqual([])
  })

  it('compares a value in a sentence with its row', () => {
    expect(findings(`${EPOCHS}\nAt epoch 20 the val loss is 5.2511.`)).toEqual(['10 value-contradicted'])
    expect(findings(`${EPOCHS}\nAt epoch 20 the val loss is 5.21.`)).toEqual([])
  })
})

const PAIR = `## Validation reward
| step | no KL | with KL | remark |
|---|---|---|---|
| 10 | 1.20 | 1.15 | |
| 20 | 1.42 | 1.35 | |
| 30 | 1.45 | 1.22 | REMARK |
| 40 | 1.51 | 1.44 | |
| 50 | 1.58 | 1.31 | |
`

describe('two runs', () => {
  it('checks who is higher at a step', () => {
    expect(findings(PAIR.replace('REMARK', 'with KL is higher'))).toEqual(['6 step-comparison'])
    expect(findings(PAIR.replace('REMARK', 'with KL is lower'))).toEqual([])
    expect(findings(`${PAIR}\nAt step 40 the run without KL is lower.`)).toEqual(['10 step-comparison'])
    expect(findings(`${PAIR}\n- Step 50 时 1.31 vs 之前可能更低`)).toEqual(['10 step-comparison'])
  })

  it('asks for a rival that declines', () => {
    expect(findings(`${PAIR}\nWith KL the decline is milder.`)).toEqual(['10 decline-without-rival'])
    expect(findings(`${PAIR}\n- 性能下降更温和（Step 50 为 1.31）`)).toEqual(['10 decline-without-rival'])
    expect(findings(`${PAIR}\nWithout KL the decline is milder.`)).toEqual([])
    expect(findings(`${PAIR.replace('1.45', '1.35')}\nWith KL the decline is milder.`)).toEqual([])
  })

  it('holds "smoother" and "more stable" against the figures of the report', () => {
    expect(findings(`${PAIR}\nThe curve with KL is smoother.`)).toEqual(['10 smoother-turns-more'])
    expect(findings(`${PAIR}\nThe curve without KL is smoother.`)).toEqual([])
    const swings = `${PAIR}\n- no KL: largest swing ±18.3%\n- with KL: largest swing ±19.0%\n`
    expect(findings(`${swings}\nWith KL the run is more stable.`)).toEqual(['11 stabler-swings-more'])
    expect(findings(`${swings}\nWithout KL the run is more stable.`)).toEqual([])
  })

  it('knows the gap of the bests from the gap at the end', () => {
    expect(findings(`${PAIR}\nFinal performance differs by 8.9%.`)).toEqual(['10 final-is-best'])
    expect(findings(`${PAIR}\nFinal performance differs by 17.1%.`)).toEqual([])
  })
})

describe('words and their own numbers', () => {
  it('reads a chain of signs', () => {
    expect(findings('KL：甲 (0.084) > 乙 (0.086) > 丙 (0.080)')).toEqual(['1 order-contradicted'])
    expect(findings('KL: A (0.0847) > B (0.0816) > C (0.0808) ≈ D (0.0813)')).toEqual(['1 order-contradicted'])
    expect(findings('KL: A (0.0847) > B (0.0816) ≈ C (0.0813)')).toEqual([])
    expect(findings('KL: A (0.08) > B (0.0801)')).toEqual([])
    expect(findings('Cited as Smith (2019) > Jones (2021)')).toEqual([])
  })

  it('does not take a third for stable', () => {
    expect(findings('- 熵保持稳定（0.210 → 0.290）')).toEqual(['1 stable-while-moving'])
    expect(findings('- Entropy remains stable (0.210 → 0.222)')).toEqual([])
    expect(findings('- Entropy rises steadily (0.210 → 0.290)')).toEqual([])
  })

  it('wants big moves marked alike', () => {
    expect(findings('- Step 10: 1.84 (-14.0%)\n- Step 15: 1.75 (-4.9%) 大幅下降')).toEqual(['2 bigger-move-unmarked'])
    expect(findings('- Step 10: 1.84 (+14.0%)\n- Step 15: 1.75 (-4.9%) 大幅下降')).toEqual([])
  })

  it('notes a denial beside its opposite', () => {
    expect(findings('- 约束限制了模型的学习能力。\n- 约束没有显著限制学习能力。')).toEqual(['2 opposite-statements'])
    expect(findings('- 约束没有显著限制学习能力。')).toEqual([])
  })
})

describe('how far the work is', () => {
  it('finds training that is over and still going on', () => {
    const done = '训练已完成，共 400 步。\n\n'
    expect(findings(`${done}- 需要更多步数才能看到效果`)).toEqual(['3 progress-contradicted'])
    expect(findings(`${done}- 至少训练到 100 步`)).toEqual(['3 progress-contradicted'])
    expect(findings(`${done}- 建议训练到 800 步`)).toEqual([])
    expect(findings('Training is complete: 400 steps.\n\nThe schedule is still in warmup.')).toEqual([
      '3 progress-contradicted',
    ])
    expect(findings(`${done}- run-32 仍在训练`)).toEqual([])
    expect(findings('训练进行中：已训练 300 步。\n\n- 仍处于 warmup 阶段\n- 需要更多步数')).toEqual([])
  })

  it('does not call a tenth of a curve complete', () => {
    const curve = '| step | reward |\n|---|---|\n| 10 | 1.00 |\n| 20 | 1.10 |\n'
    expect(findings(`Training is complete: 400 steps.\n\n## Complete training curve\n${curve}`)).toEqual([
      '3 complete-but-partial',
    ])
    expect(findings(`Training is complete: 400 steps.\n\n## Next\nLook at the complete curve.\n\n${curve}`)).toEqual([])
    expect(findings(`训练已完成 20 步。\n\n## 完整训练曲线\n${curve}`)).toEqual([])
  })

  it('compares "pending" with the cells', () => {
    const table = (cell: string) => `| run | accuracy | vs B |\n|---|---|---|\n| A | 57.0 | -1.1 |\n| B | ${cell} | |\n`
    expect(findings(`## 评测结果（待评估）\n${table('58.1')}`)).toEqual(['1 pending-but-filled'])
    expect(findings(`## Results (pending)\n${table('?')}`)).toEqual(['4 compared-with-pending'])
    expect(findings(`## Results\n${table('58.1')}\n- [ ] A\n- [x] B`)).toEqual(['7 pending-but-filled'])
    expect(findings('## Runs to do (pending)\n| run | beta |\n|---|---|\n| A | 0.1 |\n| B | 0.2 |')).toEqual([])
  })

  it('notes a subject of the title that has no values', () => {
    const table = (cell: string) => `| beta | KL |\n|---|---|\n| 0.1 | 0.08 |\n| 0.2 | ${cell} |\n`
    expect(findings(`# 0.1 vs 0.2\n${table('?')}`)).toEqual(['1 title-subject-missing'])
    expect(findings(`# 0.1 vs 0.2\n${table('0.07')}`)).toEqual([])
  })
})

it('shows a fault, and its repair, in the example of every rule', () => {
  for (const rule of RULES) {
    const of = (text: string) => auditReports([{ file: 'report.md', text }], [rule])[0].findings.length
    expect([rule.id, of(rule.example.faulty) > 0, of(rule.example.sound)]).toEqual([rule.id, true, 0])
  }
})

const SEEDS = '../shared/seeds'

describe.skipIf(!existsSync(SEEDS))('the seed reports', () => {
  const found = (file: string): readonly string[] => {
    const name = readdirSync(SEEDS).find(one => one.startsWith(file)) ?? ''
    return findings(readFileSync(`${SEEDS}/${name}`, 'utf8'))
  }

  it('finds what contradicts itself in 000', () => {
    expect(found('000')).toEqual([
      '66 stable-while-moving',
      '106 stale-best',
      '111 progress-contradicted',
      '112 progress-contradicted',
      '134 decline-without-rival',
      '134 step-comparison',
      '143 complete-but-partial',
      '159 opposite-statements',
      '167 progress-contradicted',
      '185 complete-but-partial',
      '203 decline-without-rival',
      '215 final-is-best',
      '227 fluctuation-denied',
      '228 final-is-best',
      '229 decline-without-rival',
      '242 final-is-best',
      '248 progress-contradicted',
      '256 complete-but-partial',
    ])
  })

  it('finds what contradicts itself in 001', () => {
    expect(found('001')).toEqual([
      '67 window-hides-change',
      '112 bigger-move-unmarked',
      '114 bigger-move-unmarked',
      '132 swing-omits-change',
      '133 swing-omits-change',
      '133 stabler-swings-more',
      '133 smoother-turns-more',
      '164 smoother-turns-more',
    ])
  })

  it('finds what contradicts itself in 002 and nothing in 003', () => {
    expect(found('002')).toEqual([
      '1 title-subject-missing',
      '22 extremum-over-pending',
      '59 pending-but-filled',
      '85 compared-with-pending',
      '89 compared-with-pending',
      '144 order-contradicted',
    ])
    expect(found('003')).toEqual([])
  })

  it('finds what contradicts itself in 004', () => {
    expect(found('004')).toEqual([
      '91 ranking-omits',
      '92 range-contradicted',
      '92 trend-contradicted',
      '99 sign-contradicted',
      '102 sign-contradicted',
      '106 all-contradicted',
    ])
  })
})

import { describe, expect, test } from 'vitest'
import { evidenceIn, table, wordsOn } from '../../../test/support/audit-findings.js'

/** Two runs side by side: speed, bests, windows, several changes at once, and what could not have been otherwise. */

const curves = table(
  'Step | 基线奖励 | 新方案奖励',
  '10 | 0.512 | 0.498',
  '20 | 0.634 | 0.581',
  '30 | 0.601 | 0.612',
  '40 | 0.622 | 0.625',
  '50 | 0.661 | 0.604',
  '60 | 0.648 | 0.611',
)

describe('speed', () => {
  test('a run that passed the level before refutes “sooner”; one interval is no speed', () => {
    const report = `${curves}\n\n新方案提前10步达到最佳。`
    expect(evidenceIn(report)).toEqual(['10 speed-contradicted', '10 one-interval'])
    expect(wordsOn(report, 'speed-contradicted')).toEqual([
      '基线奖励 reached 0.634 at step 20, beyond the best of 新方案奖励, 0.625 at step 40',
    ])
  })

  test('a claim for the other run, about seconds, or only hoped for, is another matter', () => {
    expect(evidenceIn(`${curves}\n\n基线更快达到最佳。`)).toEqual([])
    expect(evidenceIn(`${curves}\n\n新方案每步时间更短，推理更快。`)).toEqual([])
    expect(evidenceIn(`${curves}\n\n希望新方案更快达到最佳。`)).toEqual([])
  })

  test('each run timed to its own extremum is told where no curve is printed', () => {
    const extrema = table('metric | A | B', 'lowest loss | 2.41 (epoch 30) | 2.44 (epoch 22)')
    expect(evidenceIn(`${extrema}\n\nB reaches its lowest loss earlier.`)).toEqual(['5 own-extremum'])
    expect(evidenceIn(`${extrema}\n\nA has the lowest loss.`)).toEqual([])
  })
})

describe('selection and resolution', () => {
  test('best against best is answered with the mean over all shared evaluations, once', () => {
    const said = '最佳对比：0.661 vs 0.625，差异 0.036'
    expect(wordsOn(`${curves}\n\n${said}\n\n## 总结\n\n${said}`, 'best-of-several')).toEqual([
      '0.661 and 0.625 are each the best of 6 noisy evaluations; over the 6 shared ones the difference is −0.025 (−0.080 … +0.031)',
    ])
  })

  test('a lead within the sampling error is told with its size, and not one beyond it', () => {
    const report = (n: number, best: string) =>
      `Accuracy on ${n} questions:\n\n${table('run | accuracy', 'A | 61.0%', `B | ${best}`)}\n\nB is the best (${best}).`
    expect(wordsOn(report(100, '64.0%'), 'sampling-error')).toEqual([
      '“best”: 64.0% against 61.0% is 3.0 points, within what 100 samples move a score by chance (±9.2 points for one score)',
    ])
    expect(evidenceIn(report(100, '83.0%'))).toEqual([])
    expect(evidenceIn(`${report(100, '64.0%')} McNemar p = 0.02.`)).toEqual([])
  })
})

describe('windows', () => {
  test('columns of two runs at different steps are unlike; one run over steps is a curve', () => {
    expect(evidenceIn(table('指标 | 旧（Step 5） | 新（Step 20）', '长度 | 210 | 305'))).toEqual(['1 unlike-windows'])
    expect(evidenceIn(table('指标 | 新（Step 5） | 新（Step 20）', '长度 | 210 | 305'))).toEqual([])
    expect(evidenceIn(table('metric | Step 5 | Step 20', 'length | 210 | 305'))).toEqual([])
  })

  test('sections of two runs from a common start are unlike; phases are not', () => {
    const sections = (a: string, b: string) => `## A (${a})\n- entropy: 0.21\n## B (${b})\n- entropy: 0.28\n`
    expect(evidenceIn(sections('steps 1-10', 'steps 1-80'))).toEqual(['3 unlike-windows'])
    expect(evidenceIn(sections('steps 1-10', 'steps 11-80'))).toEqual([])
    expect(evidenceIn(sections('steps 1-80', 'steps 1-80'))).toEqual([])
  })
})

describe('confounds', () => {
  const config = (rows: readonly string[], said: string) =>
    `## 配置\n\n${table('配置项 | 旧 | 新', ...rows)}\n\n## 结果\n\n${said}`
  const changed = ['KL Loss | 关闭 | 0.01', '学习率 | 1e-6 | 3e-6', '训练步数 | 400 | 420']

  test('several changes and one credited', () => {
    expect(wordsOn(config(changed, 'KL 约束有效提升了奖励。'), 'confound')).toEqual([
      '2 settings changed together (KL Loss, 学习率); none can be credited alone, as line 11 does',
    ])
  })

  test('one change, no credit, or a report that says so itself', () => {
    expect(evidenceIn(config(changed.slice(0, 1), 'KL 约束有效提升了奖励。'))).toEqual([])
    expect(evidenceIn(config(changed, '奖励为 0.61。'))).toEqual([])
    expect(evidenceIn(config(changed, 'KL 约束提升了奖励，但同时改了学习率，无法归因。'))).toEqual([])
  })
})

describe('true by construction', () => {
  test('a KL loss that follows its coefficient', () => {
    const metric = (name: string, row: string) => `## ${name}\n\n${table('指标 | KL_BETA=0.1 | KL_BETA=0.3', row)}\n\n`
    const report = metric('KL散度', '平均 | 0.0600 | 0.0590') + metric('KL Loss', '平均 | 0.0060 | 0.0177')
    expect(evidenceIn(`${report}KL_BETA=0.1 的 KL Loss 更低。`)).toEqual(['13 kl-loss-by-construction'])
    expect(evidenceIn(`${report}KL Loss 在第 3 轮记录。`)).toEqual([])
  })

  test('a setting sold as a success', () => {
    expect(evidenceIn('## 总结\n\n- 熵正则成功启用')).toEqual(['3 setting-as-success'])
    expect(evidenceIn('## 配置\n\n- 熵正则：启用')).toEqual([])
  })
})

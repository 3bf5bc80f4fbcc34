import { describe, expect, test } from 'vitest'
import { evidenceIn, severitiesOf, table, wordsOn } from '../../../test/support/audit-findings.js'

/** Data that nobody measured, was copied, or cannot be. */

describe('estimates', () => {
  test('a judgement against an estimate is told, in both languages', () => {
    expect(evidenceIn('- Step 20: the new run is better (0.62 vs estimated 0.58)')).toEqual(['1 estimated-as-data'])
    expect(evidenceIn('- Step 20：新 run 更好（0.62 vs 估计 0.58）')).toEqual(['1 estimated-as-data'])
  })

  test('an estimate that nothing is concluded from may stand', () => {
    expect(evidenceIn('- The remaining time is 3 h (estimated), lower than 5 h.')).toEqual([])
    expect(evidenceIn(table('step | hours', '1 | ~10 h', '2 | ~20 h', '3 | ~30 h', '4 | ~40 h', '5 | ~50 h'))).toEqual(
      [],
    )
    expect(evidenceIn(table('Step | 奖励', '10 | 0.51', '20 | 0.55', '30 | ~0.58 (估计)'))).toEqual([])
  })

  test('guesses in equal steps are a drawn line, and measured values near a line are not', () => {
    const guessed = table('Step | 奖励', '10 | 0.51', '20 | ~0.54', '30 | ~0.56', '40 | ~0.58', '50 | ~0.60')
    expect(wordsOn(guessed, 'linear-fill')).toEqual([
      '4 of 5 values of 奖励 (steps 20–50) change by exactly +0.02 each: a drawn line, not data',
    ])
    expect(evidenceIn(table('step | reward', '10 | 0.51', '20 | 0.54', '30 | 0.56', '40 | 0.58', '50 | 0.60'))).toEqual(
      [],
    )
  })

  test('many finely printed values on a line are told unmarked, but not those of a schedule', () => {
    const rows = Array.from({ length: 8 }, (_, i) => `${10 * i} | ${(0.412 + 0.013 * i).toFixed(3)}`)
    expect(evidenceIn(table('step | reward', ...rows))).toEqual(['3 linear-fill'])
    expect(evidenceIn(table('step | learning rate', ...rows))).toEqual([])
  })
})

describe('copies', () => {
  test('a column that is the same for all says nothing about copying', () => {
    const rows = ['0.1 | 0.0711 | 0.1703 | 0.1966', '0.2 | 0.0702 | 0.1703 | 0.1966', '0.3 | 0.0698 | 0.1703 | 0.1966']
    expect(evidenceIn(table('KL_BETA | KL | Adv Std | Adv Max', ...rows))).toEqual([])
  })

  test('coarse figures may agree by chance', () => {
    const rows = ['A | 0.71 | 12 | 31', 'B | 0.70 | 14 | 35', 'C | 0.68 | 12 | 31']
    expect(evidenceIn(table('run | score | hours | GPUs', ...rows))).toEqual([])
  })

  test('scores that are identical across settings are told where the report calls them so, else at the row', () => {
    const scores = table('β | 1-shot | 2-shot | 3-shot', '1 | 41.3% | 40.2% | 39.9%', '2 | 41.3% | 40.2% | 39.9%')
    expect(evidenceIn(scores)).toEqual(['4 identical-rows'])
    expect(evidenceIn(`${scores}\n\n两组结果完全相同。`)).toEqual(['6 identical-rows'])
  })

  test('a setting with the same scores at another epoch is told at the later row', () => {
    const scores = (epoch: number, second: string) =>
      `## Epoch ${epoch}\n\n${table('run | a | b | c', 'A | 41.3% | 40.2% | 39.9%', `B | ${second}`)}\n`
    const report = scores(1, '42.1% | 40.8% | 39.2%') + scores(2, '43.7% | 41.1% | 38.4%')
    expect(evidenceIn(report)).toEqual(['11 identical-rows'])
  })
})

describe('losses', () => {
  const rows = ['0.05 | 0.0800 | 0.0140 | 0.0100', '0.10 | 0.0750 | 0.0175 | 0.0100']
  const header = 'KL_BETA | KL | Train Loss | PPO Loss'

  test('a row that breaks the sum is wrong where the others obey', () => {
    expect(wordsOn(table(header, ...rows, '0.20 | 0.0700 | 0.0175 | 0.0100'), 'loss-identity')).toEqual([
      '0.20: 0.0100 + 0.2 × 0.0700 is 0.0240, not 0.0175; it would take a coefficient of 0.106 … 0.109, although the other rows obey theirs',
    ])
  })

  test('what rounding explains is right', () => {
    expect(evidenceIn(table(header, ...rows, '0.20 | 0.0700 | 0.0241 | 0.0100'))).toEqual([])
  })

  test('a loss with other terms is no fault', () => {
    const other = [
      '0.05 | 0.0800 | 0.0340 | 0.0100',
      '0.10 | 0.0750 | 0.0475 | 0.0100',
      '0.2 | 0.0700 | 0.0540 | 0.0100',
    ]
    expect(evidenceIn(table(header, ...other))).toEqual([])
  })

  test('a KL loss of a section of its own must be coefficient times KL', () => {
    const metric = (name: string, ...values: readonly string[]) =>
      `## ${name}\n\n${table('指标 | KL_BETA=0.1 | KL_BETA=0.2', ...values)}\n\n`
    const kl = metric('1. KL散度', '平均 | 0.060 | 0.058', '初始 | 0.080 | 0.079', '最终 | 0.050 | 0.049')
    const right = metric('2. KL Loss', '平均 | 0.0060 | 0.0116', '初始 | 0.0080 | 0.0158', '最终 | 0.0050 | 0.0098')
    expect(evidenceIn(kl + right)).toEqual([])
    expect(wordsOn(kl + right.replace('0.0158', '0.0185'), 'loss-identity')).toEqual([
      'KL_BETA=0.2, 初始: 0.2 × 0.079 is 0.0158, not 0.0185; it would take a coefficient of 0.232 … 0.236, although the other rows obey theirs',
    ])
  })

  test('a printed coefficient far from the configured one is an error only if the losses agree with it', () => {
    const report = (total: string) =>
      `KL 系数: 0.2\n\n- Train Loss: ${total}\n- PPO Loss: 0.0100\n- KL: 0.0500\n- Beta: 0.020\n`
    expect(severitiesOf(report('0.0110'), 'effective-coefficient')).toEqual(['error'])
    expect(severitiesOf(report('0.0310'), 'effective-coefficient')).toEqual(['warning'])
    expect(evidenceIn(report('0.0200'))).toEqual([])
    expect(evidenceIn(`${report('0.0110')}\nThe coefficient is adaptive.`)).toEqual([])
  })
})

describe('counts and times', () => {
  test('a percentage that no count gives is told once, with its neighbours', () => {
    const report = `### 结果（40 题）\n\n${table('run | 准确率', 'A | 52.5%', 'B | 53.1%')}`
    expect(wordsOn(report, 'grim')).toEqual([
      'no count out of 40 gives 53.1% (next to 53.1% are 52.50% / 55.00%): the score is no share of right answers, or n is not 40',
    ])
  })

  test('with many samples every percentage is possible', () => {
    expect(evidenceIn(`### Results (1200 samples)\n\n${table('run | accuracy', 'A | 52.5%', 'B | 53.1%')}`)).toEqual([])
  })

  test('a run cannot end after its report; the fastest step and the last second of the day count', () => {
    const report = (seconds: string, day: string) =>
      `报告日期：${day}\n\n${table('指标 | 旧 | 新', '训练步数 | 300步 | 400步', `每步时间 | 90s | ${seconds}`)}\n\n- 已训练400步\n- 日志：run-20250601_000000-aa (新) vs run-20250501_000000-bb (旧)`
    expect(evidenceIn(report('240-300s', '2025-06-01'))).toEqual(['8 timeline'])
    expect(evidenceIn(report('200-300s', '2025-06-01'))).toEqual([])
    expect(evidenceIn(report('240-300s', '2025-06-02'))).toEqual([])
    expect(severitiesOf(report('600s', '2025-06-01'), 'timeline')).toEqual(['error'])
  })
})

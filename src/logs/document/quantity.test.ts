import { describe, expect, it } from 'vitest'
import { readTokens } from './quantity.js'

const values = (text: string): number[] => readTokens(text).quantities.map(({ value }) => value)
const only = (text: string) => readTokens(text).quantities[0]

describe('numbers in prose', () => {
  it('are not the first digits of a hash', () => {
    expect(values('22a59ed21845 and 0ee7a6973bd5, but 1234567e-3, 2.5e7 and 12345678')).toEqual([
      1234.567, 2.5e7, 12_345_678,
    ])
  })

  it('are read with sign, unit and rounding interval', () => {
    expect(only('差异仅-0.079（3.6%）')).toMatchObject({ value: -0.079, signed: true, decimals: 3, unit: null })
    expect(only('fell by 3.6 %')).toMatchObject({
      value: 3.6,
      unit: '%',
      range: { low: expect.closeTo(3.55), high: expect.closeTo(3.65) },
    })
    expect(only('+0.5 percentage points')).toMatchObject({ value: 0.5, unit: 'points' })
    expect(only('about 59,839 tokens')).toMatchObject({ value: 59839, unit: 'token', hedge: 'about' })
    expect(only('GRPO_LR 5e-6')).toMatchObject({ value: 5e-6, decimals: 6 })
    expect(only('最大波动 ±14.1%')).toMatchObject({ value: 14.1, plusMinus: true, unit: '%' })
  })

  it('are no part of names, paths, steps or dates', () => {
    expect(values('Qwen3-8B in kl012/rce_epoch5.pt, rl_data_k64_v3.json, Group8')).toEqual([])
    expect(values('Step 40: 2.123')).toEqual([2.123])
    expect(readTokens('Epoch 21-50 and 第 3 轮').steps).toMatchObject([
      { first: 21, last: 50 },
      { first: 3, last: 3 },
    ])
    expect(values('2025-12-06 and run-20251206_013957-l6ldowdv')).toEqual([])
    expect(readTokens('2025-12-06').dates[0]).toMatchObject({ time: Date.UTC(2025, 11, 6), length: 86_400_000 })
  })

  it('know a range from a sign and from two numbers', () => {
    expect(only('205-220s')).toMatchObject({ ends: [205, 220], unit: 's' })
    expect(only('0.306–0.340')).toMatchObject({ ends: [0.306, 0.34] })
    expect(only('-0.00012 到 -0.00098')).toMatchObject({ ends: [-0.00012, -0.00098] })
    expect(values('1.915 → 1.970')).toEqual([1.915, 1.97])
    expect(values('2.123 vs 2.202')).toEqual([2.123, 2.202])
  })

  it('keep hedges, bounds and estimates apart', () => {
    expect(only('差异很小（< 4%）')).toMatchObject({ bound: 'below', value: 4 })
    expect(only('at least 3 seeds')).toMatchObject({ bound: 'above', value: 3 })
    expect(only('~1.85 (估计)')).toMatchObject({ hedge: 'estimated', value: 1.85 })
    expect(only('0.07 左右')).toMatchObject({ hedge: 'about' })
  })

  it('cost time in proportion to the text', () => {
    const hostile = [
      '1'.repeat(200_000),
      '1-'.repeat(100_000),
      'a1'.repeat(100_000),
      '1,'.repeat(100_000),
      'step '.repeat(50_000),
    ]
    for (const text of hostile) readTokens(text)
  })
})

import { describe, expect, it } from 'vitest'
import { cellText } from './tables.js'

describe('cellText', () => {
  it.each([
    ['**2.123** ⭐', '2.123'],
    ['-0.123 ⬇️', '-0.123'],
    ['✅ True (coef=0.01)', 'True (coef=0.01)'],
    ['⭐⭐⭐', ''],
    ['⭐ **最优**', '最优'],
    ['`grpo_epoch2.pt`', 'grpo_epoch2.pt'],
    ['0.3 ↑', '0.3'],
    ['👩‍🔬 甲', '甲'],
    ['~1.85 (估计)', '~1.85 (估计)'],
    ['-', '-'],
  ])('reads %s as %s', (source, text) => {
    expect(cellText(source)).toBe(text)
  })
})

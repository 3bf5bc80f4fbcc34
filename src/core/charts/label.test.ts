import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fitted, placeLabels, shown, textWidth, wrapped } from './label.js'

const TYPE = { size: 12 }

describe('text in a chart', () => {
  it('is cut in the middle, because names differ at their ends', () => {
    expect(fitted('val-core/addition/reward/mean@1', 500, TYPE)).toBe('val-core/addition/reward/mean@1')
    const cut = fitted('val-core/addition/reward/mean@1', 140, TYPE)
    expect(cut).toMatch(/^val-core.*….*mean@1$/)
  })

  it('never gets wider than the room it has', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.integer({ min: 30, max: 700 }), (text, width) => {
        expect(textWidth(fitted(text, width, TYPE), TYPE)).toBeLessThanOrEqual(width)
        const lines = wrapped(text, width, TYPE, 3)
        expect(lines.length).toBeLessThanOrEqual(3)
        for (const line of lines) expect(textWidth(line, TYPE)).toBeLessThanOrEqual(width)
      }),
    )
  })

  it('loses no word when there is room for all lines', () => {
    const text = 'entropy fell from 0.35 to 0.02 within 60 steps and stayed there'
    expect(wrapped(text, 150, TYPE).join(' ')).toBe(text)
  })

  it('breaks between Chinese characters, but no line begins with a comma or a full stop', () => {
    const lines = wrapped('熵在 60 步内从 0.35 降到 0.02，并停在那里，策略不再探索。', 130, TYPE, 9)
    expect(lines.length).toBeGreaterThan(2)
    expect(lines.filter(line => /^[，。]/.test(line))).toEqual([])
  })

  it('is measured by whoever knows better', () => {
    expect(fitted('abcdefgh', 60, TYPE)).toBe('abcdefgh')
    expect(fitted('abcdefgh', 60, TYPE, text => text.length * 10)).toBe('abc…gh')
  })

  it('keeps a bracket with what it opens', () => {
    const lines = wrapped('平均差值的置信区间（−0.0500 到 −0.0100）', 150, TYPE, 9)
    expect(lines.length).toBeGreaterThan(1)
    expect(lines.filter(line => line.endsWith('（'))).toEqual([])
  })

  it('has no control characters and nothing that turns its direction', () => {
    expect(shown('a\u0000b\u202ec\nd\ud800e')).toBe('a b c d e')
  })
})

describe('labels beside points', () => {
  const room = { width: 300, height: 200, type: { ...TYPE, colour: 'ink' }, measure: textWidth, points: [] } as const

  it('do not lie on each other', () => {
    const labels = placeLabels(
      Array.from({ length: 5 }, (_, i) => ({ x: 100 + i * 3, y: 100, text: `step ${i}` })),
      room,
    )
    expect(labels).toHaveLength(5)
    for (const [i, one] of labels.entries()) {
      for (const other of labels.slice(i + 1)) {
        const apart = one.x + one.wide <= other.x || other.x + other.wide <= one.x || Math.abs(one.y - other.y) >= 12
        expect(apart).toBe(true)
      }
    }
  })

  it('say a thing once where several sides start at one place', () => {
    const start = { x: 50, y: 150, text: 'step 0' }
    expect(placeLabels([start, { ...start, x: 55 }, { ...start, x: 200 }], room)).toHaveLength(2)
  })
})

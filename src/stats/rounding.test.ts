import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { add, canMeet, divide, exactly, meanIsPossible, multiply, printedRange, subtract } from './rounding.js'

describe('GRIM', () => {
  it('never calls a mean impossible that was rounded correctly', () => {
    const sample = fc.record({
      n: fc.integer({ min: 1, max: 500 }),
      share: fc.double({ min: 0, max: 1, noNaN: true }),
      decimals: fc.integer({ min: 0, max: 5 }),
    })
    fc.assert(
      fc.property(sample, ({ n, share, decimals }) => {
        const mean = Math.round(share * n) / n
        return meanIsPossible(Number(mean.toFixed(decimals)), decimals, n)
      }),
    )
  })

  it('finds that 56.1 % of 200 right-or-wrong answers cannot be', () => {
    expect(meanIsPossible(0.561, 3, 200)).toBe(false)
    expect(meanIsPossible(0.57, 3, 200)).toBe(true)
    expect(meanIsPossible(1.818, 3, 40, { grain: 0.1 })).toBe(true)
  })
})

describe('rounding ranges', () => {
  it('contain whatever correct rounding could have started from', () => {
    const number = fc.double({ min: -1e6, max: 1e6, noNaN: true })
    const decimals = fc.integer({ min: 0, max: 6 })
    fc.assert(
      fc.property(number, number, decimals, (a, b, digits) => {
        const [x, y] = [a, b].map(value => printedRange(Number(value.toFixed(digits)), digits))
        const holds = (range: ReturnType<typeof add> | null, value: number): boolean =>
          range === null || canMeet(range, exactly(value))
        return (
          holds(add(x, y), a + b) &&
          holds(subtract(x, y), a - b) &&
          holds(multiply(x, y), a * b) &&
          holds(divide(x, y), a / b)
        )
      }),
    )
  })

  it('show the copied row of the sweep: 0.01164 + 0.18 × 0.07002 cannot print as 0.02235', () => {
    const loss = add(printedRange(0.01164, 5), multiply(exactly(0.18), printedRange(0.07002, 5)))
    expect(canMeet(loss, printedRange(0.02235, 5))).toBe(false)
    const honest = add(printedRange(0.01164, 5), multiply(exactly(0.145), printedRange(0.07384, 5)))
    expect(canMeet(honest, printedRange(0.02235, 5))).toBe(true)
  })
})

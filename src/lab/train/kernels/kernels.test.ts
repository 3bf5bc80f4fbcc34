/** The SIMD kernels against their plain twins, at sizes that leave every kind of remainder. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectTwins } from '../../../../test/support/kernel-twins.js'
import { createEngine } from './engine.js'
import type { AdamRates, Kernels } from './kernels.js'

const size = fc.integer({ min: 1, max: 37 })
const gap = fc.integer({ min: 0, max: 5 })

describe('a SIMD kernel does what its plain twin does', () => {
  it('for products of a matrix and a vector', () => {
    fc.assert(
      fc.property(fc.nat(), size, size, gap, (seed, rows, columns, extra) => {
        const stride = columns + extra
        expectTwins(seed, (k, at) => k.matrixVector(at(0), at(1), at(2), rows, columns, stride))
        expectTwins(seed, (k, at) => k.transposedVector(at(0), at(1), at(2), rows, columns, stride))
        expectTwins(seed, (k, at) => k.addOuter(at(0), at(1), at(2), rows, columns, stride))
      }),
      { numRuns: 30 },
    )
  })

  it('for products of two matrices', () => {
    fc.assert(
      fc.property(fc.nat(), size, size, size, gap, fc.boolean(), (seed, m, n, k, extra, adds) => {
        const [wideN, wideK] = [n + extra, k + extra]
        expectTwins(seed, (kernels, at) =>
          kernels.multiplyTransposed(at(0), at(1), at(2), m, n, k, wideN, wideK, wideK),
        )
        expectTwins(seed, (kernels, at) => kernels.multiply(at(0), at(1), at(2), m, n, k, wideK, wideN, wideK, adds))
        expectTwins(seed, (kernels, at) =>
          kernels.transposedMultiply(at(0), at(1), at(2), m, n, k, wideK, wideN, wideK, adds),
        )
      }),
      { numRuns: 30 },
    )
  })

  it('for rows, copies and sums', () => {
    fc.assert(
      fc.property(fc.nat(), size, size, (seed, rows, columns) => {
        expectTwins(seed, (k, at) => k.normaliseRows(at(0), at(1), at(2), rows, columns, 1e-12))
        // Of rows that were normalised, and none so short that the way back divides by next to nothing.
        const wide = columns + 3
        expectTwins(seed, (k, at) => {
          k.normaliseRows(at(2), at(3), at(4), rows, wide, 1e-12)
          k.normaliseRowsBackward(at(0), at(1), at(2), at(3), rows, wide, 1e-12)
        })
        expectTwins(seed, (k, at) => k.copy(at(0), at(1), rows * columns))
        expectTwins(seed, (k, at) => k.sumOfSquares(at(0), rows * columns))
      }),
      { numRuns: 30 },
    )
  })

  it('for AdamW over a stored gradient and over an outer product', () => {
    const rates: AdamRates = [0.5, 0.1, 0.001, 1e-3, 1e-8, 1e-5]
    fc.assert(
      fc.property(fc.nat(), size, size, (seed, rows, columns) => {
        // v must not be negative: an infinite epsilon makes this kernel write zeros
        const zeroed = (k: Kernels, at: (block: number) => number): void => {
          k.normaliseRowsBackward(at(2), at(0), at(1), at(3), rows, columns, Number.POSITIVE_INFINITY)
        }
        expectTwins(seed, (k, at) => {
          zeroed(k, at)
          k.adamw(at(0), at(1), at(2), at(3), rows * columns, ...rates)
        })
        expectTwins(seed, (k, at) => {
          zeroed(k, at)
          k.adamwOuter(at(0), at(1), at(2), at(3), at(4), rows, columns, ...rates)
        })
        expectTwins(seed, (k, at) => k.floorMoments(at(0), at(1), rows * columns, 0.5))
      }),
      { numRuns: 30 },
    )
  })
})

describe('an engine', () => {
  it.each(['float32', 'float64'] as const)('keeps its numbers in %s when it grows', precision => {
    const engine = createEngine(precision)
    const first = engine.allocate(3)
    engine.numbers().set([1, 2, 3], first)
    const second = engine.allocate(3_000_000)
    expect([...engine.numbers().subarray(first, first + 3)]).toEqual([1, 2, 3])
    expect(engine.numbers().length).toBeGreaterThanOrEqual(second + 3_000_000)
    expect(engine.numbers()[second + 2_999_999]).toBe(0)
  })
})

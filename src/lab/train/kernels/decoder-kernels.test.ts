/** The decoder's SIMD kernels against their plain twins, and the promise that a row does not depend on its neighbours. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expectTwins } from '../../../../test/support/kernel-twins.js'
import { seededRandom } from '../../../stats/random.js'
import { createEngine } from './engine.js'
import type { FloatArray } from './kernels.js'

const size = fc.integer({ min: 1, max: 37 })
const few = fc.integer({ min: 1, max: 9 })

/** Whole numbers below `limit` in place of what is there. */
function writeIndices(numbers: FloatArray, at: number, count: number, limit: number): void {
  for (let i = 0; i < count; i++) numbers[at + i] = (i * 7 + 3) % limit
}

describe("a decoder's SIMD kernel does what its plain twin does", () => {
  it('for sums and rows picked by index', () => {
    fc.assert(
      fc.property(fc.nat(), size, size, few, (seed, rows, columns, table) => {
        expectTwins(seed, (k, at) => k.add(at(0), at(1), rows * columns))
        expectTwins(seed, (k, at, numbers) => {
          writeIndices(numbers, at(2), rows, table)
          k.gatherRows(at(0), at(1), at(2), rows, columns)
        })
        expectTwins(seed, (k, at, numbers) => {
          writeIndices(numbers, at(2), rows, table)
          k.addToRows(at(0), at(2), at(1), rows, columns)
        })
      }),
      { numRuns: 20 },
    )
  })

  it('for RMSNorm and its reverse', () => {
    fc.assert(
      fc.property(fc.nat(), size, size, fc.boolean(), (seed, rows, columns, adds) => {
        expectTwins(seed, (k, at) => {
          k.rmsNorm(at(0), at(1), at(2), at(3), rows, columns, 1e-6)
          k.rmsNormBackward(at(4), at(5), at(6), at(2), at(1), at(3), rows, columns, adds)
        })
      }),
      { numRuns: 30 },
    )
  })

  it('for rotary positions, which turn back to where they were', () => {
    fc.assert(
      fc.property(fc.nat(), few, few, few, (seed, rows, heads, half) => {
        const width = 2 * half
        expectTwins(seed, (k, at, numbers) => {
          writeIndices(numbers, at(1), rows, 11)
          k.rotate(at(0), at(1), at(2), at(3), rows, heads, width, 1)
          k.rotate(at(4), at(1), at(2), at(3), rows, heads, width, -1)
        })
      }),
      { numRuns: 30 },
    )
  })

  it('for attention and its reverse, with and without a past', () => {
    const shapes = fc.record({ rows: fc.integer({ min: 1, max: 40 }), past: fc.integer({ min: 0, max: 20 }) })
    fc.assert(
      fc.property(
        fc.nat(),
        shapes,
        few,
        fc.constantFrom(1, 2),
        fc.constantFrom(1, 3),
        (seed, shape, w, g, keyHeads) => {
          const { rows, past } = shape
          const width = Math.min(2 * w, 12)
          const heads = g * keyHeads
          expectTwins(seed, (k, at, numbers) => {
            // The weights have four blocks: 6 heads x 40 rows x 60 keys are 14,400.
            const [out, q, keys, values, dOut, dQ, weights] = [0, 1, 2, 3, 4, 5, 6].map(at)
            const [scratch, dK, dV] = [10, 11, 12].map(at)
            k.attend(out, weights, q, keys, values, rows, past, heads, keyHeads, width)
            k.attendBackward(
              ...[dQ, dK, dV, dOut, scratch, weights, q, keys, values, rows, past, heads, keyHeads, width],
            )
            // What a kernel leaves in its scratch, and right of the keys that a token sees, is its own business.
            numbers.fill(0, weights, dK)
          })
        },
      ),
      { numRuns: 30 },
    )
  })

  it('for the gate of SwiGLU, far out as well', () => {
    fc.assert(
      fc.property(fc.nat(), size, fc.constantFrom(1, 30, 200), (seed, length, factor) => {
        expectTwins(seed, (k, at, numbers) => {
          for (let i = 0; i < length; i++) numbers[at(1) + i] *= factor
          k.gated(at(0), at(1), at(2), length)
          k.gatedBackward(at(3), at(4), at(5), at(1), at(2), length)
        })
      }),
      { numRuns: 30 },
    )
  })

  it('for distributions, their entropy and divergence, and the slopes of all three', () => {
    fc.assert(
      fc.property(fc.nat(), few, size, fc.constantFrom(0.5, 1, 2), (seed, rows, columns, scale) => {
        expectTwins(seed, (k, at, numbers) => {
          const [z, other, p, q, dz, perRow, slopes] = [0, 1, 2, 3, 4, 5, 6].map(at)
          const [n, m, h, d] = [perRow, perRow + 100, perRow + 200, perRow + 300]
          const [a, b, c, targets] = [slopes, slopes + 100, slopes + 200, slopes + 300]
          writeIndices(numbers, targets, rows, columns)
          k.softmaxRows(p, n, z, rows, columns, scale)
          k.softmaxRows(q, m, other, rows, columns, scale)
          k.entropyRows(h, p, n, z, rows, columns, scale)
          k.divergenceRows(d, p, n, z, m, other, rows, columns, scale)
          k.logitSlopes(dz, a, b, targets, h, p, n, z, rows, columns, scale)
          k.addDivergenceSlopes(dz, c, d, p, n, z, m, other, rows, columns, scale)
        })
      }),
      { numRuns: 30 },
    )
  })
})

describe('a row of a float32 result', () => {
  const engine = createEngine('float32')
  const { kernels } = engine
  const random = seededRandom(5)
  const block = (length: number): number => {
    const start = engine.allocate(length)
    for (let i = 0; i < length; i++) engine.numbers()[start + i] = random.normal()
    return start
  }
  const read = (start: number, length: number): readonly number[] => [
    ...engine.numbers().subarray(start, start + length),
  ]

  it('is the same to the bit whether it is computed alone or among others', () => {
    const [rows, n, k] = [7, 22, 30]
    const [x, w, together, alone] = [block(rows * k), block(n * k), block(rows * n), block(n)]
    kernels.multiplyTransposed(together, x, w, rows, n, k, n, k, k)
    for (let r = 0; r < rows; r++) {
      kernels.multiplyTransposed(alone, x + r * k, w, 1, n, k, n, k, k)
      expect(read(alone, n)).toEqual(read(together + r * n, n))
    }
    // A column of the tail is what it would be inside a tile.
    kernels.multiplyTransposed(alone, x, w, 1, n - 1, k, n, k, k)
    expect(read(alone, n - 1)).toEqual(read(together, n - 1))
    kernels.multiplyTransposed(alone, x, w + k, 1, n - 1, k, n, k, k)
    expect(read(alone, n - 1)).toEqual(read(together + 1, n - 1))
  })

  it('is the same to the bit whether attention sees a whole sequence or one token after a cache', () => {
    const [rows, heads, keyHeads, width] = [45, 4, 2, 24]
    const [q, keys, values] = [block(rows * heads * width), block(rows * 48), block(rows * 48)]
    const [out, one, weights] = [block(rows * heads * width), block(heads * width), block(heads * rows * 48)]
    kernels.attend(out, weights, q, keys, values, rows, 0, heads, keyHeads, width)
    const whole = read(out, rows * heads * width)
    for (let r = 0; r < rows; r++) {
      const from = r * heads * width
      kernels.attend(one, weights, q + from, keys, values, 1, r, heads, keyHeads, width)
      expect(read(one, heads * width)).toEqual(whole.slice(from, from + heads * width))
    }
  })
})

import { expect } from 'vitest'
import { seededRandom } from '../../src/stats/random.js'
import { createEngine } from '../../src/train/kernels/engine.js'
import type { FloatArray, Kernels } from '../../src/train/kernels/kernels.js'

/** Numbers from one block to the next. */
const BLOCK = 4000
const NUMBERS = 14 * BLOCK

/** Runs the same call on both engines over the same normal numbers and compares all numbers afterwards. */
export function expectTwins(
  seed: number,
  call: (kernels: Kernels, at: (block: number) => number, numbers: FloatArray) => unknown,
): void {
  const random = seededRandom(seed)
  const values = Float32Array.from({ length: NUMBERS }, () => random.normal())
  const results = (['float64', 'float32'] as const).map(precision => {
    const engine = createEngine(precision)
    const start = engine.allocate(NUMBERS)
    engine.numbers().set(values, start)
    const answer = Number(call(engine.kernels, block => start + block * BLOCK, engine.numbers()) ?? 0)
    return [answer, ...engine.numbers().subarray(start, start + NUMBERS)]
  })
  const [plain, simd] = results
  const worst = plain.reduce((most, value, i) => Math.max(most, Math.abs(value - simd[i]) / (1 + Math.abs(value))), 0)
  expect(worst).toBeLessThan(2e-5)
}

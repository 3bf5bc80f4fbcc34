import { expect } from 'vitest'
import { createEngine } from '../../src/lab/train/kernels/engine.js'
import type { FloatArray, Kernels } from '../../src/lab/train/kernels/kernels.js'
import { seededRandom } from '../../src/stats/random.js'

/** Numbers from one block to the next. */
const BLOCK = 4000
const NUMBERS = 14 * BLOCK

/** Drawn once: a case begins at its own place among them. */
const PLACES = 10_007
const NORMAL = normalNumbers(NUMBERS + PLACES)

/** Runs the same call on both engines over the same normal numbers and compares all numbers afterwards. */
export function expectTwins(
  seed: number,
  call: (kernels: Kernels, at: (block: number) => number, numbers: FloatArray) => unknown,
): void {
  const from = seed % PLACES
  const [plain, simd] = (['float64', 'float32'] as const).map(precision => {
    const engine = createEngine(precision)
    const start = engine.allocate(NUMBERS)
    engine.numbers().set(NORMAL.subarray(from, from + NUMBERS), start)
    const answer = Number(call(engine.kernels, block => start + block * BLOCK, engine.numbers()) ?? 0)
    return { answer, numbers: engine.numbers().subarray(start, start + NUMBERS) }
  })
  const apart = (one: number, other: number): number => Math.abs(one - other) / (1 + Math.abs(one))
  let worst = apart(plain.answer, simd.answer)
  for (let i = 0; i < NUMBERS; i += 1) worst = Math.max(worst, apart(plain.numbers[i], simd.numbers[i]))
  expect(worst).toBeLessThan(2e-5)
}

function normalNumbers(count: number): Float32Array {
  const random = seededRandom(1)
  return Float32Array.from({ length: count }, () => random.normal())
}

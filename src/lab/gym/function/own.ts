import { seededRandom } from '../../../stats/random.js'
import type { TaskSplit } from '../intention/own/tasks.js'
import { type FunctionTask, functionTaskSchema } from './function.js'

/** klens's own hidden formulas. */

const DRAWN = {
  train: { count: 40, seed: 1 },
  test: { count: 20, seed: 2 },
  fresh: { count: 20, seed: 3 },
  practice: { count: 2000, seed: 4 },
} as const
const SHAPES = [
  'x*a + y*b - z*c*d',
  'x*a*b + y*(c - d)',
  '(x*a + y)*(z*b - c) + d',
  'x*a^2 + y*b*c - z*d',
  'x*(a + b)*(c + d) - y',
] as const

export function ownFunctions(split: TaskSplit): readonly FunctionTask[] {
  const { count, seed } = DRAWN[split]
  const random = seededRandom(seed)
  const small = (): number => 2 + random.below(8)
  return Array.from({ length: count }, (_, i) =>
    functionTaskSchema.parse({
      id: `function-${split}-${i + 1}`,
      formula: SHAPES[i % SHAPES.length].replace(/[xyz]/g, () => String(small())),
      test: [small(), small(), small(), small()],
    }),
  )
}

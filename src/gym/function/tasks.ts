import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { Problem } from '../../model/problem.js'
import { parsePythonJson } from '../../sources/python-json.js'
import { seededRandom } from '../../stats/random.js'
import { sentences } from '../../text/sentences.js'
import { type FunctionTask, functionTaskSchema } from './function.js'

/** Hidden formulas: klens's own, or a JSON list of `{id, formula, test}`. */

const say = sentences({
  'gym.function.unreadable': {
    en: '{path} holds no formulas: it must be a JSON list of objects with id, formula (over a, b, c, d) and test (four numbers)',
    zh: '{path} 中没有公式：应为 JSON 列表，每项含 id、formula（关于 a、b、c、d）和 test（四个数）',
  },
})

const DRAWN = { train: { count: 40, seed: 1 }, test: { count: 20, seed: 2 }, fresh: { count: 20, seed: 3 } } as const
const SHAPES = [
  'x*a + y*b - z*c*d',
  'x*a*b + y*(c - d)',
  '(x*a + y)*(z*b - c) + d',
  'x*a^2 + y*b*c - z*d',
  'x*(a + b)*(c + d) - y',
] as const

export function ownFunctions(split: keyof typeof DRAWN): readonly FunctionTask[] {
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

export async function readFunctions(paths: readonly string[]): Promise<readonly FunctionTask[]> {
  const tasks: FunctionTask[] = []
  for (const path of paths) {
    const text = await readFile(path, 'utf8').catch(() => '')
    const parsed = z.array(functionTaskSchema).min(1).safeParse(parsePythonJson(text))
    if (!parsed.success) throw new Problem('unreadable', say('gym.function.unreadable', { path }))
    tasks.push(...parsed.data)
  }
  return tasks
}

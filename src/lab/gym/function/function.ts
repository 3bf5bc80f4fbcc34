import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import { Problem } from '../../../logs/model/problem.js'
import { parsePythonJson } from '../../../logs/sources/python-json.js'
import { seededRandom } from '../../../stats/random.js'
import { sentences } from '../../../text/sentences.js'
import { type EpisodeOutcome, type Gym, INTERACT, type InstantEpisode, type Step } from '../gym.js'
import { readFormula, type Variables } from './formula.js'

/**
 * A hidden formula over a, b, c and d. `[action] 1 2 3 4` gives its value there, `[search] test` the place at which it is
 * asked for, `[answer] 42` ends: 1 for the right value, once. No simulator: everything follows from the task.
 */

const say = sentences({
  'gym.function.over': { en: 'this episode is over; start another one', zh: '该 episode 已结束，请另开一个' },
  'gym.function.unreadable': {
    en: '{path} contains no formulas: it must be a JSON list of objects with id, formula (over a, b, c, d) and test (four numbers)',
    zh: '{path} 中没有公式：应为 JSON 列表，每项含 id、formula（关于 a、b、c、d）和 test（四个数）',
  },
})

const variables = z.tuple([z.number(), z.number(), z.number(), z.number()]).readonly()

export const functionTaskSchema = z.object({
  id: z.string(),
  formula: z.string().transform((text, context) => {
    const formula = readFormula(text)
    if (formula !== null) return formula
    context.issues.push({ code: 'custom', input: text, message: `no formula over a, b, c, d: ${text}` })
    return z.NEVER
  }),
  test: variables,
})

export type FunctionTask = Readonly<z.output<typeof functionTaskSchema>>

const CLOSE = 1e-6
const SOLVED: EpisodeOutcome = { why: 'solved' }
const WRONG: EpisodeOutcome = { why: 'finished' }
const LIMIT: EpisodeOutcome = { why: 'limit' }

export function functionGym({ maxSteps = 16 } = {}): Gym<FunctionTask, InstantEpisode> {
  return {
    name: 'function',
    tool: INTERACT,
    prompts: () => ({
      system:
        'A formula over four numbers a, b, c, d is hidden. Call interact_with_env: choice "action" with four numbers to learn ' +
        'its value there, choice "search" with "test" to learn which four numbers count, choice "answer" with the value at ' +
        'these. Only one answer is taken.',
      user: 'What is the value at the test numbers?',
    }),
    open: task => openFunction(task, maxSteps),
  }
}

function openFunction({ formula, test }: FunctionTask, maxSteps: number): InstantEpisode {
  let steps = 0
  let isOver = false
  return {
    step(action) {
      if (isOver) throw new Problem('bad-request', say('gym.function.over', {}))
      steps += 1
      const [, kind = '', content] = /^\s*(?:\[(action|answer|search|finish)\])?\s*(.*)$/is.exec(action) ?? []
      const taken = taking(kind.toLowerCase(), content.trim())
      const end = taken.end ?? (steps >= maxSteps ? LIMIT : null)
      isOver = end !== null
      return { ...taken, end, terminated: taken.end !== null, truncated: end === LIMIT }
    },
  }

  function taking(kind: string, content: string): Pick<Step, 'feedback' | 'reward' | 'gained' | 'end'> {
    if (kind === 'finish') return { feedback: 'The episode has ended.', reward: 0, gained: 0, end: WRONG }
    if (kind === 'search') {
      const feedback = content.toLowerCase() === 'test' ? test.join(' ') : 'Only "test" can be looked up.'
      return { feedback, reward: 0, gained: 0, end: null }
    }
    const numbers = content.split(/[\s,]+/).map(Number)
    if (kind === 'answer') {
      const value = formula(test)
      const isRight = numbers.length === 1 && Math.abs(numbers[0] - value) <= CLOSE * Math.max(1, Math.abs(value))
      if (!isRight) return { feedback: 'That is not the value.', reward: 0, gained: 0, end: WRONG }
      return { feedback: 'That is the value.', reward: 1, gained: 1, end: SOLVED }
    }
    if (!areVariables(numbers)) return { feedback: 'Give four numbers.', reward: 0, gained: 0, end: null }
    return { feedback: String(formula(numbers)), reward: 0, gained: 0, end: null }
  }
}

function areVariables(numbers: readonly number[]): numbers is Variables {
  return numbers.length === 4 && numbers.every(Number.isFinite)
}

/** Hidden formulas: klens's own, or a JSON list of `{id, formula, test}`. */

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

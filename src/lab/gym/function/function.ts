import { z } from 'zod'
import { roundedAsInPython } from '../../../logs/model/dialogue.js'
import { FINISHED, type Move, openEpisode, paid, SOLVED, type Watched } from '../episode.js'
import { type Gym, INTERACT, type InstantEpisode } from '../gym.js'
import { asciiDigits, strip } from '../intention/answers.js'
import type { ReplayForm } from '../recording.js'
import { type Formula, NoValue, readFormula, type Variables } from './formula.js'

/**
 * A hidden formula over a, b, c and d, by the rules of UserRL's FunctionGym: `[action] 1 2 3 4` gives its value there,
 * `[search] test` the numbers that count, at which no value is given, `[answer] 42` pays once when it is right and may be
 * tried again. No simulator: everything follows from the task.
 */

const variables = z.tuple([z.number(), z.number(), z.number(), z.number()]).readonly()

const formulaText = z.string().transform((text, context) => {
  const formula = readFormula(text)
  if (formula !== null) return formula
  context.issues.push({ code: 'custom', input: text, message: `no formula over a, b, c, d: ${text}` })
  return z.NEVER
})

/** klens's own form, and UserRL's, which states the result that is expected. */
export const functionTaskSchema = z
  .union([
    z.object({ id: z.string(), formula: formulaText, test: variables }),
    z
      .object({ id: z.string(), rule: formulaText, test_case: variables, expected_result: z.number() })
      .transform(({ id, rule: formula, test_case: test, expected_result: expected }) => ({
        id,
        formula,
        test,
        expected,
      })),
  ])
  .transform(task => ({ expected: valueAt(task.formula, task.test) ?? Number.NaN, ...task }))

export type FunctionTask = Readonly<z.output<typeof functionTaskSchema>>

interface FunctionRules {
  readonly maxSteps: number
  readonly stepPenalty: number
  readonly right: number
  readonly wrong: number
  readonly normalizeRewards: boolean
}

const RULES: FunctionRules = { maxSteps: 16, stepPenalty: 0, right: 1, wrong: 0, normalizeRewards: false }

export function functionGym(rules: Partial<FunctionRules> = {}): Gym<FunctionTask, InstantEpisode> {
  return {
    name: 'function',
    tool: INTERACT,
    prompts: () => ({
      system:
        'A formula over four numbers a, b, c, d is hidden. Call interact_with_env: choice "action" with four numbers to learn ' +
        'its value there, choice "search" with "test" to learn which four numbers count, choice "answer" with the value at ' +
        'these, which is never told.',
      user: 'What is the value at the test numbers?',
    }),
    open: task => openFunction(task, { ...RULES, ...rules }),
  }
}

/** The gym's sentences, by the names that recordings have for them. */
const SENTENCES = {
  'no-move': () => 'Begin with [action], [search], [answer] or [finish].',
  'no-numbers': () => 'Give four numbers.',
  'not-four': () => 'Give exactly four numbers.',
  'test-case': () => 'These are the test numbers; their value is not told.',
  'no-value': () => 'There is no value there; try other numbers.',
  value: (numbers = '', value = '') => `The value at ${numbers} is ${value}.`,
  'not-test': () => 'Only "test" can be looked up.',
  test: (numbers = '') => `Test numbers: ${numbers}`,
  'no-answer': () => 'Give a number as the answer.',
  'no-number': () => 'That is no number.',
  right: () => 'That is the value.',
  wrong: () => 'That is not the value. Try on.',
  finished: (value = '') => `The episode is over. The value was ${value}.`,
} as const satisfies { readonly [name: string]: (...values: string[]) => string }

type FunctionPhrase = readonly [name: keyof typeof SENTENCES, ...values: string[]]

interface Standing {
  readonly phrase: FunctionPhrase
  readonly right: boolean
}

function openFunction(task: FunctionTask, rules: FunctionRules): InstantEpisode & Watched<Standing> {
  const { formula, test, expected } = task
  let phrase: FunctionPhrase = ['no-move']
  let right = false

  function take(action: string, step: number): Move {
    phrase = phraseFor(strip(action))
    const [name, ...values] = phrase
    const earned = name === 'right' ? rules.right : name === 'wrong' ? rules.wrong : 0
    return {
      feedback: SENTENCES[name](...values),
      reward: paid(earned, rules.stepPenalty * step, { ...rules, rewardScale: 1 }),
      gained: name === 'right' ? 1 : 0,
      end: name === 'right' ? SOLVED : name === 'finished' ? FINISHED : null,
    }
  }

  /** Prefixes are lower case and stand at the very beginning. */
  function phraseFor(said: string): FunctionPhrase {
    const content = strip(said.slice(8))
    if (said.startsWith('[action]')) return asked(content)
    if (said.startsWith('[search]')) return content.toLowerCase() === 'test' ? ['test', test.join(', ')] : ['not-test']
    if (said.startsWith('[answer]')) return answered(content)
    return said.startsWith('[finish]') ? ['finished', pythonText(expected)] : ['no-move']
  }

  function asked(content: string): FunctionPhrase {
    if (content === '') return ['no-numbers']
    const numbers = [...asciiDigits(content).matchAll(/-?\d+\.?\d*/g)].map(([text]) => Number(text))
    if (!areVariables(numbers)) return ['not-four']
    if (numbers.every((number, i) => number === test[i])) return ['test-case']
    const value = valueAt(formula, numbers)
    if (value === null) return ['no-value']
    return ['value', numbers.map(pythonText).join(', '), pythonText(value === 0 ? value : roundedAsInPython(value))]
  }

  function answered(content: string): FunctionPhrase {
    if (content === '') return ['no-answer']
    const answer = pythonNumber(content)
    if (answer === null) return ['no-number']
    right = Math.abs(answer - expected) <= CLOSE
    return [right ? 'right' : 'wrong']
  }

  const limits = { maxSteps: rules.maxSteps, limitTerminates: false, endTruncates: true }
  return openEpisode(limits, take, () => ({ phrase, right }))
}

const CLOSE = 1e-6

function areVariables(numbers: readonly number[]): numbers is Variables {
  return numbers.length === 4
}

/** Null where Python raises. */
function valueAt(formula: Formula, numbers: Variables): number | null {
  try {
    return formula(numbers)
  } catch (error) {
    if (error instanceof NoValue) return null
    throw error
  }
}

const NUMBER = /^[-+]?(?:\d(?:_?\d)*(?:\.(?:\d(?:_?\d)*)?)?|\.\d(?:_?\d)*)(?:[eE][-+]?\d(?:_?\d)*)?$/

/** What `float` takes, with digits of any script. */
function pythonNumber(text: string): number | null {
  const plain = asciiDigits(text)
  if (NUMBER.test(plain)) return Number(plain.replaceAll('_', ''))
  const [, sign, name] = /^([-+]?)(inf|infinity|nan)$/i.exec(plain) ?? []
  if (name === undefined) return null
  return /^n/i.test(name) ? Number.NaN : sign === '-' ? -Infinity : Infinity
}

/** A float as Python prints it: 1.0, 1e-05, 1e+16, inf. */
export function pythonText(value: number): string {
  if (Number.isNaN(value)) return 'nan'
  if (!Number.isFinite(value)) return value < 0 ? '-inf' : 'inf'
  if (Object.is(value, -0)) return '-0.0'
  const [digits, exponent] = value.toExponential().split('e')
  const power = Number(exponent)
  if (power >= -4 && power < 16) return Number.isInteger(value) ? `${value}.0` : String(value)
  return `${digits}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`
}

const episodeSchema = z.looseObject({
  task: functionTaskSchema,
  options: z.looseObject({
    max_steps: z.number().default(20),
    step_penalty: z.number().default(0),
    correct_answer_reward: z.number().default(1),
    incorrect_answer_reward: z.number().default(0),
    normalize_rewards: z.boolean().default(false),
  }),
})

export const functionReplay: ReplayForm = {
  members: ['right', 'total'],
  open(episode) {
    const { task, options } = episodeSchema.parse(episode)
    return openFunction(task, {
      maxSteps: options.max_steps,
      stepPenalty: options.step_penalty,
      right: options.correct_answer_reward,
      wrong: options.incorrect_answer_reward,
      normalizeRewards: options.normalize_rewards,
    })
  },
}

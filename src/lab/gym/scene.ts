import { z } from 'zod'
import { sha256 } from '../../logs/model/id.js'
import { Problem } from '../../logs/model/problem.js'
import { sentences } from '../../text/sentences.js'
import type { Ask } from '../endpoint/endpoint.js'
import type { Gym, GymTask } from './gym.js'
import type { TaskLanguage, TaskSplit } from './intention/own/tasks.js'
import type { JudgeProbe } from './judged/probes.js'
import type { Policy } from './policy.js'
import { type RolloutRules, USERRL_ROLLOUT } from './rollout.js'

/** A gym with its tasks, its rules and who judges in it: what every verb plays in, whichever gym it is. */
export interface Scene<Task extends GymTask = GymTask> {
  readonly gym: Gym<Task>
  readonly rollout: RolloutRules
  /** As it stands in the condition of an evaluation; equal names are equal tasks. */
  readonly data: string
  readonly tasks: readonly Task[]
  factsOf(task: Task): TaskFacts
  script(name: string): Policy<Task>
  /** Answers the prompts of UserRL's own gym by the same episodes; null: this is none of them. */
  readonly userRlUser?: (prompt: string) => Promise<string | null>
  /** How right the judge of this gym is can be measured by these moves. */
  readonly judgeCheck?: {
    readonly isOffline: boolean
    /** False: an offline judge that nothing is known about, on these tasks. */
    readonly isMeasured: boolean
    readonly tasks: readonly Task[]
    readonly probes: readonly JudgeProbe[]
  }
}

export interface TaskFacts {
  readonly request: string
  readonly wanted: string
  /** What is to be had at most. */
  readonly ceiling: number
  /** How many things there are to be found. */
  readonly details: number
}

export interface SceneRequest {
  /** A model that plays the user and judges; null: a program does. */
  readonly ask: Ask | null
  /** Whose prompts such a model is given (intention). */
  readonly prompts: string | null
  /** Files of tasks; none: klens's own. */
  readonly data: readonly string[]
  readonly split: TaskSplit
  readonly language: TaskLanguage
  readonly limit: number | null
  readonly maxTurns: number | null
  /** `name=value`, as typed. */
  readonly quirk: readonly string[]
}

const say = sentences({
  'gym.no-tasks': { en: 'this gym has no tasks of the split "{split}"', zh: '该 gym 没有“{split}”划分的任务' },
  'gym.bad-quirk': {
    en: '"{given}" is not a quirk of this gym; use one of: {known}',
    zh: '“{given}”不是该 gym 可用的 quirk；可写：{known}',
  },
  'gym.unknown-script': {
    en: 'there is no scripted policy "{name}" for this gym; the policies are {known}',
    zh: '该 gym 没有名为“{name}”的脚本策略；可用的有 {known}',
  },
})

export function unknownScript(name: string, known: readonly string[]): Problem {
  return new Problem('bad-request', say('gym.unknown-script', { name, known: known.join(', ') }))
}

export const yesNo = z.enum(['true', 'false']).transform(word => word === 'true')

const ROLLOUT_QUIRKS = {
  showReward: yesNo,
  limitSkipsLastCall: yesNo,
  parallelCalls: z.enum(['last', 'sum']),
} as const

/**
 * Rules of the dialogue, and the gym's own quirks as far as they were given. docs/gym.md says what each does to a result; left
 * out, it is as klens plays, which differs from UserRL where a failure would be hidden.
 */
export function rulesIn<Shape extends z.ZodRawShape>({ quirk, maxTurns: asked }: SceneRequest, shape: Shape) {
  const words = Object.fromEntries(
    quirk.map(word => {
      const [name, ...value] = word.split('=')
      return [name.trim(), value.join('=').trim()] as const
    }),
  )
  const known = [...Object.keys(shape), ...Object.keys(ROLLOUT_QUIRKS)]
  const own = z.object(shape).partial().safeParse(words)
  const general = z.object(ROLLOUT_QUIRKS).partial().safeParse(words)
  if (!own.success || !general.success || Object.keys(words).some(name => !known.includes(name))) {
    throw new Problem('bad-request', say('gym.bad-quirk', { given: quirk.join(' '), known: known.join(', ') }))
  }
  const rollout: RolloutRules = { ...USERRL_ROLLOUT, ...general.data, ...(asked !== null && { maxTurns: asked }) }
  return { rollout, quirks: own.data, questions: rollout.maxTurns - (rollout.limitSkipsLastCall ? 1 : 0) }
}

/** The tasks that were asked for, and their name in the condition of an evaluation. */
export function chosenTasks<Task extends GymTask>(
  { limit, split }: SceneRequest,
  name: string,
  all: readonly Task[],
  told: (task: Task) => unknown = task => task,
): { readonly data: string; readonly tasks: readonly Task[] } {
  if (all.length === 0) throw new Problem('bad-request', say('gym.no-tasks', { split }))
  const tasks = all.slice(0, limit ?? all.length)
  return { data: `${name}-${sha256(JSON.stringify(tasks.map(told))).slice(0, 8)}`, tasks }
}

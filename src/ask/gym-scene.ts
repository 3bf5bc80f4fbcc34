import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type FunctionTask, functionGym, ownFunctions, readFunctions } from '../gym/function/function.js'
import type { Gym } from '../gym/gym.js'
import { intentionGym } from '../gym/intention/intention.js'
import type { TaskSplit } from '../gym/intention/own/tasks.js'
import { ceilingOf, KLENS_RULES } from '../gym/intention/rules.js'
import type { IntentionTask } from '../gym/intention/task.js'
import { functionScript, scriptedPolicy } from '../gym/policies/scripted.js'
import type { Policy } from '../gym/policy.js'
import { type RolloutRules, USERRL_ROLLOUT } from '../gym/rollout.js'
import { Problem } from '../model/problem.js'
import type { Workspace } from '../store/workspace.js'
import { sentences } from '../text/sentences.js'
import { simulatorNamed, tasksFor } from './gym-request.js'

/** A gym with its tasks and rules, as an evaluation needs them, whichever gym it is. */
export interface Scene<Task extends { readonly id: string }> {
  readonly gym: Gym<Task>
  readonly rollout: RolloutRules
  /** As it stands in the condition of an evaluation; equal names are equal tasks. */
  readonly data: string
  readonly tasks: readonly Task[]
  factsOf(task: Task): TaskFacts
  script(name: string): Policy<Task>
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
  readonly simulator: string
  readonly data: readonly string[]
  readonly split: TaskSplit
  readonly language: 'en' | 'zh'
  readonly limit: number | null
  readonly maxTurns: number | null
  /** `name=value`, as typed. */
  readonly quirk: readonly string[]
}

export async function intentionScene(workspace: Workspace, asked: SceneRequest): Promise<Scene<IntentionTask>> {
  const { showReward, limitSkipsLastCall, parallelCalls, ...quirks } = quirksIn(asked.quirk)
  const maxTurns = asked.maxTurns ?? USERRL_ROLLOUT.maxTurns
  const rollout = { maxTurns, showReward, limitSkipsLastCall, parallelCalls }
  const rules = { ...KLENS_RULES, maxSteps: maxTurns, quirks }
  const questions = maxTurns - (limitSkipsLastCall ? 1 : 0)
  const { language } = asked
  const { name: data, tasks } = await tasksFor(asked)
  return {
    gym: intentionGym({ simulator: simulatorNamed(workspace, asked.simulator), rules, language }),
    ...{ rollout, data, tasks },
    factsOf: ({ task: request, missing_details: details }) => ({
      request,
      wanted: details.map(({ description }) => description).join('; '),
      ceiling: ceilingOf(details, questions, rules),
      details: details.length,
    }),
    script: name => scriptedPolicy(name, { language, questions }),
  }
}

export async function functionScene(asked: SceneRequest): Promise<Scene<FunctionTask>> {
  const { showReward, limitSkipsLastCall, parallelCalls } = quirksIn(asked.quirk)
  const maxTurns = asked.maxTurns ?? USERRL_ROLLOUT.maxTurns
  const all = asked.data.length === 0 ? ownFunctions(asked.split) : await readFunctions(asked.data)
  const tasks = all.slice(0, asked.limit ?? all.length)
  const told = tasks.map(({ id, formula, test }) => [id, test, formula(test)])
  const gym = functionGym({ maxSteps: maxTurns })
  return {
    gym,
    rollout: { maxTurns, showReward, limitSkipsLastCall, parallelCalls },
    data: `function-${createHash('sha256').update(JSON.stringify(told)).digest('hex').slice(0, 8)}`,
    tasks,
    factsOf: task => ({
      request: gym.prompts(task).user,
      wanted: String(task.formula(task.test)),
      ceiling: 1,
      details: 1,
    }),
    script: functionScript,
  }
}

const say = sentences({
  'gym.bad-quirk': {
    en: '"{given}" is no quirk; write one of: {known}',
    zh: '“{given}”不是可用的 quirk；可写：{known}',
  },
})

const yesNo = z.enum(['true', 'false']).transform(word => word === 'true')

/** docs/gym.md says what each does to a result. Left out: as klens plays, which differs from UserRL where a failure would be hidden. */
const QUIRKS = {
  failedCall: z.enum(['zero', 'missing']),
  unreadableJudgement: z.enum(['nothing', 'missing']),
  repeatedIndex: z.enum(['counts', 'once']),
  searchPrefix: z.enum(['stays', 'cut']),
  historyPrefix: z.enum(['stays', 'cut']),
  limitTerminates: yesNo,
  replySeesDetails: yesNo,
  showReward: yesNo,
  limitSkipsLastCall: yesNo,
  parallelCalls: z.enum(['last', 'sum']),
} as const
const quirksSchema = z.strictObject(QUIRKS).partial()

function quirksIn(given: readonly string[]) {
  const words = Object.fromEntries(
    given.map(word => {
      const [name, ...value] = word.split('=')
      return [name.trim(), value.join('=').trim()] as const
    }),
  )
  const parsed = quirksSchema.safeParse(words)
  if (!parsed.success) {
    const known = Object.keys(QUIRKS).join(', ')
    throw new Problem('bad-request', say('gym.bad-quirk', { given: given.join(' '), known }))
  }
  const { showReward, limitSkipsLastCall, parallelCalls } = USERRL_ROLLOUT
  return { ...KLENS_RULES.quirks, showReward, limitSkipsLastCall, parallelCalls, ...parsed.data }
}

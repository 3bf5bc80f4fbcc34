import { join } from 'node:path'
import { z } from 'zod'
import { cacheFolder, type Workspace } from '../../core/store/workspace.js'
import { openResponseCache } from '../../lab/endpoint/cache.js'
import { type Ask, openEndpoint } from '../../lab/endpoint/endpoint.js'
import { openToolEndpoint } from '../../lab/endpoint/tools.js'
import { type FunctionTask, functionGym, ownFunctions, readFunctions } from '../../lab/gym/function/function.js'
import type { Gym } from '../../lab/gym/gym.js'
import { INTERACT } from '../../lab/gym/gym.js'
import { embeddedSimulator } from '../../lab/gym/intention/embedded/embedded.js'
import { endpointSimulator, KLENS_PROMPTS } from '../../lab/gym/intention/endpoint-simulator.js'
import { intentionGym } from '../../lab/gym/intention/intention.js'
import { ownTasks, type TaskSplit } from '../../lab/gym/intention/own/tasks.js'
import { readTasks } from '../../lab/gym/intention/read-tasks.js'
import { ceilingOf, KLENS_RULES } from '../../lab/gym/intention/rules.js'
import type { Simulator } from '../../lab/gym/intention/simulator.js'
import type { IntentionTask } from '../../lab/gym/intention/task.js'
import { promptsNamed } from '../../lab/gym/intention/userrl-prompts.js'
import type { EndpointAsks } from '../../lab/gym/policies/endpoint.js'
import { functionScript, scriptedPolicy } from '../../lab/gym/policies/scripted.js'
import type { Policy } from '../../lab/gym/policy.js'
import { type RolloutRules, USERRL_ROLLOUT } from '../../lab/gym/rollout.js'
import { sha256 } from '../../logs/model/id.js'
import { Problem } from '../../logs/model/problem.js'
import { message } from '../../text/say.js'
import { sentences } from '../../text/sentences.js'

/** What the words of a gym's verbs mean: `http://…/v1#model` an endpoint, files or klens's own tasks the data. */

export interface EndpointUse {
  readonly temperature?: number
  readonly maxTokens?: number
  /** Answers that differ though the question is the same are kept apart under it. */
  readonly attempt?: number
}

export function endpointAt(workspace: Workspace, address: string, use: EndpointUse = {}): Ask {
  const { options, cache } = endpointNamed(workspace, address, use)
  return openEndpoint(options, cache)
}

/**
 * A policy at an endpoint. Answers to repeats are kept apart; dialogues of one repeat share a client, so that its limits
 * hold for all of them and a server that refuses is asked no more.
 */
export function asksAt(workspace: Workspace, address: string, temperature: number): EndpointAsks {
  return {
    inText: remembered(attempt => endpointAt(workspace, address, { temperature, attempt })),
    withTools: remembered(attempt => {
      const { options, cache } = endpointNamed(workspace, address, { temperature, attempt })
      return openToolEndpoint(options, [INTERACT], cache)
    }),
  }
}

function remembered<Opened>(open: (attempt: number) => Opened): (attempt: number) => Opened {
  const known = new Map<number, Opened>()
  return attempt => {
    const opened = known.get(attempt) ?? open(attempt)
    known.set(attempt, opened)
    return opened
  }
}

function endpointNamed(workspace: Workspace, address: string, use: EndpointUse) {
  const [url, model] = [address.replace(/#.*$/s, ''), address.split('#')[1] ?? '']
  if (!/^https?:\/\//.test(url) || !URL.canParse(url) || model === '') {
    throw new Problem('bad-request', message('gym.bad-endpoint', { address }))
  }
  const { temperature = 0, maxTokens = 1024, attempt = 0 } = use
  const apiKey = process.env.OPENAI_API_KEY
  return {
    options: { url, model, temperature, maxTokens, ...(apiKey !== undefined && { apiKey }) },
    cache: openResponseCache(join(cacheFolder(workspace), 'gym', String(attempt))),
  }
}

/** `klens`, `userrl`, or where a checkout of UserRL is; left out: UserRL's where the tasks come from one. */
export const PROMPTS = z.string().nullable().default(null)

export interface SimulatorRequest {
  readonly simulator: string
  readonly prompts: string | null
  /** Where the tasks come from; by them the prompts are found. */
  readonly data: readonly string[]
}

/** Whose prompts a model is given that plays the user; null: klens's, or no model does. */
export function promptsUsed({ simulator, prompts, data }: SimulatorRequest): string | null {
  return simulator === 'embedded' ? null : (promptsNamed(prompts, data)?.name ?? null)
}

export function simulatorNamed(
  workspace: Workspace,
  { simulator, prompts, data }: SimulatorRequest,
  use: EndpointUse = {},
): Simulator {
  if (simulator === 'embedded') return embeddedSimulator
  return endpointSimulator(endpointAt(workspace, simulator, use), promptsNamed(prompts, data) ?? KLENS_PROMPTS)
}

export interface TaskData {
  /** As it stands in the condition of an evaluation; equal names are equal tasks. */
  readonly name: string
  readonly tasks: readonly IntentionTask[]
}

interface DataRequest {
  readonly data: readonly string[]
  readonly split: TaskSplit
  readonly language: 'en' | 'zh'
  readonly limit: number | null
}

export async function tasksFor({ data, split, language, limit }: DataRequest): Promise<TaskData> {
  const all = data.length === 0 ? ownTasks(split, language) : await readTasks(data)
  const tasks = all.slice(0, limit ?? all.length)
  const hash = sha256(JSON.stringify(tasks)).slice(0, 8)
  return { name: data.length === 0 ? `intention-${language}-${hash}` : `intention-${hash}`, tasks }
}

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

export interface SceneRequest extends SimulatorRequest {
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
    gym: intentionGym({ simulator: simulatorNamed(workspace, asked), rules, language }),
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
    data: `function-${sha256(JSON.stringify(told)).slice(0, 8)}`,
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
    en: '"{given}" is not a quirk; use one of: {known}',
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

/**
 * The gym as a training uses it: which requests there are to learn from and to be validated on, by which rules, and who
 * plays the user. Requests are klens's own or those of files. The simulator can be made to fail for some steps
 * (`gym.outage`).
 */
import { join } from 'node:path'
import type { Workspace } from '../../../core/store/workspace.js'
import { sha256 } from '../../../logs/model/id.js'
import { Problem } from '../../../logs/model/problem.js'
import type { Message } from '../../../logs/model/run.js'
import { mean } from '../../../stats/descriptive.js'
import { sentences } from '../../../text/sentences.js'
import { openResponseCache } from '../../endpoint/cache.js'
import { openEndpoint } from '../../endpoint/endpoint.js'
import type { Gym } from '../../gym/gym.js'
import { EMBEDDED_USER, embeddedSimulator } from '../../gym/intention/embedded/embedded.js'
import { endpointSimulator, KLENS_PROMPTS } from '../../gym/intention/endpoint-simulator.js'
import { intentionGym } from '../../gym/intention/intention.js'
import { ownTasks } from '../../gym/intention/own/tasks.js'
import { readTasks } from '../../gym/intention/read-tasks.js'
import { ceilingOf, type IntentionRules, KLENS_RULES } from '../../gym/intention/rules.js'
import type { Simulator } from '../../gym/intention/simulator.js'
import type { IntentionTask } from '../../gym/intention/task.js'
import { promptsNamed } from '../../gym/intention/userrl-prompts.js'
import type { RolloutRules } from '../../gym/rollout.js'
import { elementCount } from '../../weights/tensor.js'
import type { IntentionConfig } from '../config/language-settings.js'
import { DEFAULT_DECODER, decoderTensors } from '../lm/shape.js'
import { type Environment, keyIn } from '../open-task.js'

const say = sentences({
  'train.intention.outage': {
    en: 'gym.outage: the simulator fails on purpose in this step',
    zh: 'gym.outage：设置要求模拟器在这一步失败',
  },
  'train.intention.few-tasks': {
    en: 'data.train leaves {count} {count|task|tasks} to train on; there must be 2 or more, some for the start and others for the steps',
    zh: 'data.train 可用于训练的任务只有 {count} 个；至少需要 2 个，分别用于监督起点与强化学习步骤',
  },
  'train.intention.overlap': {
    en: '{count} {count|task|tasks} of data.train {count|makes|make} a request that data.test makes too; left out of training, because scores on {count|it|them} would show memory',
    zh: 'data.train 中有 {count} 个任务的请求与 data.test 相同；为免分数只反映记忆，训练时不使用它们',
  },
})

export interface GymSetup {
  readonly gym: Gym<IntentionTask>
  /** The same with the embedded user, for the scripted dialogues of the start, which cost nothing. */
  readonly lessonGym: Gym<IntentionTask>
  /** What the start imitates dialogues about; null: requests of klens's own without end. */
  readonly lessonTasks: readonly IntentionTask[] | null
  readonly trainTasks: readonly IntentionTask[]
  readonly validationTasks: readonly IntentionTask[]
  readonly trainRules: RolloutRules
  readonly validationRules: RolloutRules
  /** What is to be had at most on the validation tasks, on average. */
  readonly ceiling: number
  readonly dataHash: string
  /** What a user should know of the data. */
  readonly remarks: readonly Message[]
  /** Which step the simulator is to answer in. */
  enter(step: number): void
}

export async function openGymSetup(
  config: IntentionConfig,
  workspace: Workspace,
  environment: Environment,
): Promise<GymSetup> {
  const { gym: settings } = config
  const { language, outage, max_turns: maxTurns } = settings
  let isOut = false
  const failure = { kind: 'missing', reason: say('train.intention.outage', {}) } as const
  const user = simulatorFor(config, workspace, environment)
  const simulator: Simulator = {
    reply: situation => (isOut ? failure : user.reply(situation)),
    judge: situation => (isOut ? failure : user.judge(situation)),
  }
  const rules: IntentionRules = {
    ...KLENS_RULES,
    maxSteps: maxTurns,
    multiDetailPenalty: settings.multi_detail_penalty,
    quirks: { ...KLENS_RULES.quirks, failedCall: settings.failed_call },
  }
  const rollout = (shows: boolean): RolloutRules => ({
    maxTurns,
    showReward: shows,
    limitSkipsLastCall: settings.limit_skips_last_call,
    parallelCalls: settings.parallel_calls,
  })
  const tasks = await tasksFor(config)
  const questions = maxTurns - (settings.limit_skips_last_call ? 1 : 0)
  return {
    ...tasks,
    gym: intentionGym({ simulator, rules, language }),
    lessonGym: intentionGym({ simulator: embeddedSimulator, rules, language }),
    trainRules: rollout(settings.show_reward !== 'never'),
    validationRules: rollout(settings.show_reward === 'always'),
    ceiling: mean(tasks.validationTasks.map(task => ceilingOf(task.missing_details, questions, rules))),
    dataHash: sha256(JSON.stringify([tasks.trainTasks, tasks.validationTasks, EMBEDDED_USER])),
    enter(step) {
      isOut = outage.from !== null && step >= outage.from && step <= (outage.to ?? Number.POSITIVE_INFINITY)
    },
  }
}

/** A model's answers are paid for, so they lie beside the runs; a training that is taken up again asks for none twice. */
function simulatorFor(
  { simulator, endpoint, data }: IntentionConfig,
  { root }: Workspace,
  environment: Environment,
): Simulator {
  if (simulator === 'embedded') return embeddedSimulator
  const [url, model] = simulator.split('#')
  const hasKey = (environment[endpoint.key_env] ?? '') !== ''
  const ask = openEndpoint(
    {
      ...{ url, model, temperature: 0, maxTokens: 1024 },
      ...(hasKey && { apiKey: keyIn(environment, endpoint.key_env) }),
      ...{ concurrency: endpoint.concurrency, attempts: endpoint.attempts, timeoutSeconds: endpoint.timeout },
      ...(endpoint.requests_per_minute !== null && { requestsPerMinute: endpoint.requests_per_minute }),
    },
    openResponseCache(join(root, 'answers')),
  )
  return endpointSimulator(ask, promptsNamed(endpoint.prompts, data.train) ?? KLENS_PROMPTS)
}

type Tasks = Pick<GymSetup, 'lessonTasks' | 'trainTasks' | 'validationTasks' | 'remarks'>

async function tasksFor({ data, start, gym: { language }, eval: { samples } }: IntentionConfig): Promise<Tasks> {
  if (data.train.length === 0) {
    const validationTasks = evenly(ownTasks('test', language), samples)
    return { lessonTasks: null, trainTasks: ownTasks('train', language), validationTasks, remarks: [] }
  }
  const given = inAnyOrder(await readTasks(data.train))
  const heldOut = given.slice(0, atLeastOne(data.val_share * given.length))
  const tests = data.test.length > 0 ? await readTasks(data.test) : heldOut
  const asked = new Set(tests.flatMap(({ id, task }) => [id, requestKey(task)]))
  const rest = given.filter(({ id, task }) => !asked.has(id) && !asked.has(requestKey(task)))
  const left = data.test.length > 0 ? given.length - rest.length : 0
  if (rest.length < FEWEST_TASKS)
    throw new Problem('not-enough', say('train.intention.few-tasks', { count: rest.length }))
  const lessons = Math.min(atLeastOne(start.share * rest.length), rest.length - 1)
  return {
    lessonTasks: rest.slice(0, lessons),
    trainTasks: rest.slice(lessons),
    validationTasks: evenly(tests, samples),
    remarks: left === 0 ? [] : [say('train.intention.overlap', { count: left })],
  }
}

const FEWEST_TASKS = 2
const atLeastOne = (count: number): number => Math.max(1, Math.round(count))

/** The same order whatever order the file has, so that a task stays on its side when others are added. */
function inAnyOrder(tasks: readonly IntentionTask[]): readonly IntentionTask[] {
  const keyed = tasks.map(task => ({ task, key: sha256(task.id) }))
  return keyed.sort((one, other) => (one.key < other.key ? -1 : 1)).map(({ task }) => task)
}

const requestKey = (request: string): string => request.toLowerCase().replace(/\s+/g, ' ').trim()

/** So many of them, from all parts of the list alike. */
function evenly<Item>(items: readonly Item[], count: number): readonly Item[] {
  const taken = Math.min(count, items.length)
  return Array.from({ length: taken }, (_, i) => items[Math.floor((i * items.length) / taken)])
}

/** What is known of a training before it begins: how much there is to learn from, how large the model is, what can be had. */

export function introduction(config: IntentionConfig, { trainTasks, lessonTasks, ceiling }: GymSetup) {
  return {
    queries: trainTasks.length + (lessonTasks?.length ?? 0),
    parameters: parametersOf(config),
    baselines: [{ name: 'ceiling', score: ceiling }],
  }
}

/** As many tokens as are asked for; a gym with fewer words makes it smaller. */
function parametersOf({ model }: IntentionConfig): number {
  const { key_heads: keyHeads, head_width: headWidth, ...rest } = model
  const tensors = decoderTensors({ ...DEFAULT_DECODER, ...rest, keyHeads, headWidth })
  return tensors.reduce((sum, { dimensions }) => sum + elementCount(dimensions), 0)
}

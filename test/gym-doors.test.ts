import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'
import { openPlay } from '../src/app/ask/gym.js'
import { gymEval } from '../src/app/ask/gym-eval.js'
import { ask } from '../src/app/ask/question.js'
import { gymServe } from '../src/app/server/gym-serve.js'
import { functionGym, ownFunctions } from '../src/lab/gym/function/function.js'
import { feedbackText, type Gym, INTERACT } from '../src/lab/gym/gym.js'
import { readJudgement, readReply } from '../src/lab/gym/intention/answers.js'
import { embeddedSimulator } from '../src/lab/gym/intention/embedded/embedded.js'
import { endpointSimulator } from '../src/lab/gym/intention/endpoint-simulator.js'
import { intentionGym, openIntention } from '../src/lab/gym/intention/intention.js'
import { ownTasks } from '../src/lab/gym/intention/own/tasks.js'
import { KLENS_RULES } from '../src/lab/gym/intention/rules.js'
import type { Exchange, Simulator } from '../src/lab/gym/intention/simulator.js'
import { type IntentionTask, taskSchema } from '../src/lab/gym/intention/task.js'
import { functionScript, scriptedPolicy } from '../src/lab/gym/policies/scripted.js'
import { callText, type Policy, saidBy } from '../src/lab/gym/policy.js'
import { playDialogue, USERRL_ROLLOUT } from '../src/lab/gym/rollout.js'
import { type Random, seededRandom } from '../src/stats/random.js'
import { temporaryFolder, temporaryWorkspace } from './workspace.js'

/**
 * The same words earn the same through every door: the gym itself, a policy's dialogue, `klens gym play`, POST /envs, and
 * UserRL's own gym with the chat endpoint as its user.
 */

interface Door {
  readonly url: string
  readonly token: string
}

async function served(request: { readonly [member: string]: unknown } = {}): Promise<Door> {
  const workspace = await temporaryWorkspace()
  const stop = new AbortController()
  return new Promise(resolve => {
    const serving = ask(workspace, gymServe, request, { signal: stop.signal, onProgress: resolve })
    onTestFinished(async () => {
      stop.abort()
      await serving
    })
  })
}

const answerSchema = z.looseObject({
  env: z.string().optional(),
  reward: z.number().nullable().optional(),
  feedback: z.json().optional(),
  done: z.boolean().optional(),
  choices: z.array(z.object({ message: z.object({ content: z.string() }) })).optional(),
})

async function post({ url, token }: Door, path: string, body: object) {
  const headers = { authorization: `Bearer ${token}` }
  const response = await fetch(`${url}${path}`, { method: 'POST', body: JSON.stringify(body), headers })
  expect(response.status).toBeLessThan(300)
  return answerSchema.parse(await response.json())
}

/** What UserRL's gym sends, in its headings, order and blank lines. */
function userRlSimulator(door: Door): Simulator {
  const chat = async (content: string): Promise<string> => {
    const { choices } = await post(door, '/v1/chat/completions', { messages: [{ role: 'user', content }] })
    return choices?.[0].message.content ?? ''
  }
  const shown = (history: readonly Exchange[], asked: (i: number) => string, said: (i: number) => string): string =>
    `\n\nPrevious conversation:\n${history.map(({ question, feedback }, i) => `${asked(i)}: ${question}\n${said(i)}: ${feedback}\n`).join('')}`
  return {
    async reply({ task, question, history }) {
      const before =
        history.length === 0
          ? 'This is the first question.'
          : shown(
              history,
              () => 'Helper',
              () => 'You',
            )
      const prompt = `\nYou asked.\n\nORIGINAL TASK REQUEST: ${printed(task)}\nCATEGORY: ${task.category}\n\nCURRENT QUESTION FROM HELPER: ${question}\n\nCONVERSATION HISTORY:\n${before}\n\nYour job is to respond.\n`
      return readReply(await chat(prompt))
    },
    async judge({ task, question, history, remaining }) {
      const details = remaining.map(
        ({ description, inquiry }, i) =>
          `${i}. [LOW] ${description}\n   Example question type expected: ${inquiry}\n\n`,
      )
      const before =
        history.length === 0
          ? 'None'
          : shown(
              history,
              i => `Q${i + 1}`,
              i => `A${i + 1}`,
            )
      const prompt = `\nYou judge.\n\nTASK: ${printed(task)}\nCATEGORY: ${task.category}\n\nMISSING DETAILS:\n${details.join('')}\n\nCONVERSATION HISTORY:\n${before}\n\nLATEST USER'S QUESTION: ${question}\n\nYour job is to judge.\n`
      return readJudgement(await chat(prompt))
    },
  }
}

/** As Python prints a dict. */
function printed(value: unknown): string {
  if (typeof value === 'string') return `'${value.replace(/['\\]/g, '\\$&').replaceAll('\n', '\\n')}'`
  if (Array.isArray(value)) return `[${value.map(printed).join(', ')}]`
  if (typeof value !== 'object' || value === null) return String(value)
  return `{${Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([name, member]) => `${printed(name)}: ${printed(member)}`)
    .join(', ')}}`
}

/** What every door comes to: a reward and an answer a step. */
type Course = readonly (readonly [reward: number | null, feedback: string])[]

interface Stepping {
  step(action: string): Promise<{ reward: number | null; feedback: string; isOver: boolean }>
}

async function courseOf(actions: readonly string[], { step }: Stepping): Promise<Course> {
  const course: (readonly [number | null, string])[] = []
  for (const action of actions) {
    const { reward, feedback, isOver } = await step(action)
    course.push([reward, feedback.trimEnd()])
    if (isOver) break
  }
  return course
}

function gymDoor<Task>(gym: Gym<Task>, task: Task): Stepping {
  const episode = gym.open(task)
  return {
    step: async action => {
      const { reward, feedback, end } = await episode.step(action)
      return { reward, feedback: feedbackText(feedback), isOver: end !== null }
    },
  }
}

async function envDoor(door: Door, task: IntentionTask, isSplit: boolean): Promise<Stepping> {
  const { env } = await post(door, '/envs', { task: task.id })
  return {
    step: async action => {
      const [, choice, content] = /^\[(action|answer|search)\] (.*)$/s.exec(action) ?? []
      const body = isSplit && choice !== undefined ? { choice, content } : { action }
      const { reward = null, feedback = null, done } = await post(door, `/envs/${env}/step`, body)
      return { reward, feedback: feedbackText(feedback), isOver: done === true }
    },
  }
}

/** klens itself, with another klens as the model that plays its user. */
function klensSimulator(door: Door): Simulator {
  return endpointSimulator(async messages => {
    const { choices } = await post(door, '/v1/chat/completions', { messages })
    return { kind: 'answer', text: choices?.[0].message.content ?? '' }
  })
}

function chatDoor(door: Door, task: IntentionTask, simulator = userRlSimulator(door)): Stepping {
  const episode = openIntention(task, simulator, KLENS_RULES)
  return {
    step: async action => {
      const { reward, feedback, end } = await episode.step(action)
      return { reward, feedback: feedbackText(feedback), isOver: end !== null }
    },
  }
}

function playDoor(language: 'en' | 'zh', task: IntentionTask): Stepping {
  const play = openPlay(language, task.id)
  return { step: async action => play.ask(action.replace(/^\[action\] /, '')) }
}

/** A policy that says these words, one message each. */
function sayer<Task>(actions: readonly string[]): Policy<Task> {
  return {
    label: 'sayer',
    settings: {},
    open() {
      const left = [...actions]
      return {
        next: () => {
          const [, choice, content] = /^\[(action|answer|search)\] (.*)$/s.exec(left.shift() ?? '') ?? []
          return saidBy(
            choice === undefined ? 'enough' : callText({ name: INTERACT.name, arguments: { choice, content } }),
          )
        },
      }
    },
  }
}

async function policyCourse<Task>(gym: Gym<Task>, task: Task, actions: readonly string[]): Promise<Course> {
  const rules = { ...USERRL_ROLLOUT, limitSkipsLastCall: false }
  const { turns } = await playDialogue(gym, sayer<Task>(actions), { task, repeat: 0 }, rules)
  return turns.filter(turn => turn.actions.length > 0).map(({ reward, heard }) => [reward, heard.join('')])
}

/** Questions to the point and beside it, in any order, some of them twice and several at once. */
function wordsFor(task: IntentionTask, others: readonly IntentionTask[], random: Random): readonly string[] {
  const pick = <Item>(items: readonly Item[]): Item => items[random.below(items.length)]
  const anyOf = ({ missing_details: details }: IntentionTask): string => pick(details).inquiry
  const beside = 0.05 + 0.3 * random.next()
  return Array.from({ length: 10 }, () => {
    const said = random.next() < beside ? anyOf(pick(others)) : anyOf(task)
    const question = random.next() < 0.15 ? `${said} ${anyOf(task)}` : said
    return `[${pick(['action', 'action', 'action', 'answer', 'search'])}] ${question}`
  })
}

it.each([
  ['en', 'train'],
  ['en', 'test'],
  ['zh', 'train'],
  ['zh', 'test'],
] as const)('of %s requests to %s on: every door pays the same, step by step', async (language, split) => {
  const door = await served({ language, split })
  const gym = intentionGym({ simulator: embeddedSimulator, rules: KLENS_RULES, language })
  const tasks = ownTasks(split, language)
  const random = seededRandom(7)
  let steps = 0
  let afterPatience = 0
  for (const task of tasks.slice(0, 10)) {
    const actions = wordsFor(task, tasks, random)
    const expected = await courseOf(actions, gymDoor(gym, task))
    steps += expected.length
    afterPatience += expected.filter(([, said]) => /no more time|没有时间/.test(said)).length
    expect(await policyCourse(gym, task, actions), task.id).toEqual(expected)
    const env = await envDoor(door, task, random.next() < 0.5)
    expect(await courseOf(actions, env), task.id).toEqual(expected)
    expect(await courseOf(actions, chatDoor(door, task)), task.id).toEqual(expected)
    const asked = chatDoor(door, task, klensSimulator(door))
    expect(await courseOf(actions, asked), task.id).toEqual(expected)
    if (split === 'train') {
      const plain = actions.map(action => action.replace(/^\[\w+\]/, '[action]'))
      const played = await courseOf(plain, playDoor(language, task))
      expect(played, task.id).toEqual(await courseOf(plain, gymDoor(gym, task)))
    }
  }
  // The words are such that the rules matter: patience is lost, and not at once.
  expect(steps).toBeGreaterThan(50)
  expect(afterPatience).toBeGreaterThan(0.1 * steps)
  expect(afterPatience).toBeLessThan(0.7 * steps)
})

it.each(['oracle', 'asker', 'random', 'fixed-list'])('what scripted:%s says is paid alike', async name => {
  const language = 'en'
  const door = await served({ split: 'test' })
  const gym = intentionGym({ simulator: embeddedSimulator, rules: KLENS_RULES, language })
  const tasks = ownTasks('test', language).slice(0, 6)
  const { policies } = await ask(await temporaryWorkspace(), gymEval, { policies: [`scripted:${name}`], limit: '6' })
  let total = 0
  for (const task of tasks) {
    const policy = scriptedPolicy(name, { language, questions: 15 })
    const { turns } = await playDialogue(gym, policy, { task, repeat: 0 }, USERRL_ROLLOUT)
    const played = turns.filter(({ actions }) => actions.length > 0)
    const actions = played.flatMap(turn => turn.actions)
    const rewards = played.map(({ reward }) => reward)
    total += rewards.reduce<number>((sum, reward) => sum + (reward ?? 0), 0)
    for (const stepping of [await envDoor(door, task, true), chatDoor(door, task)]) {
      expect(
        (await courseOf(actions, stepping)).map(([reward]) => reward),
        task.id,
      ).toEqual(rewards)
    }
  }
  expect(policies[0].score).toBeCloseTo(total / tasks.length, 9)
})

it('dialogues that look alike in a prompt and are not are kept apart, and answered at once', async () => {
  const door = await served({ split: 'test' })
  const tasks = ownTasks('test', 'en')
  const task = tasks.find(({ missing_details: details }) => details.length >= 5) ?? tasks[0]
  const hits = task.missing_details.map(({ inquiry }) => `[action] ${inquiry}`)
  const beside = '[action] What is the weather on Mars?'
  const courses = [
    [...hits.slice(0, 3), beside, ...hits.slice(3)],
    [beside, ...hits.slice(0, 3), beside, ...hits.slice(3)],
    [beside, beside, ...hits],
    [...hits.slice(0, 3), hits[0], hits[1], ...hits.slice(3)],
    [hits[0], hits[0], ...hits.slice(1)],
  ]
  const gym = intentionGym({ simulator: embeddedSimulator, rules: KLENS_RULES, language: 'en' })
  const twice = [...courses, ...courses]
  const expected = await Promise.all(twice.map(actions => courseOf(actions, gymDoor(gym, task))))
  expect(await Promise.all(twice.map(actions => courseOf(actions, chatDoor(door, task))))).toEqual(expected)
  expect(new Set(expected.map(course => JSON.stringify(course.map(([reward]) => reward)))).size).toBeGreaterThan(3)
})

it("UserRL's tasks, read from a file or out of the prompt alone, are played alike", async () => {
  const foreign = ownTasks('test', 'en')
    .slice(0, 8)
    .map(task => ({
      ...task,
      id: `foreign's ${task.id}`,
      missing_details: task.missing_details.map(({ kind: _, importance, ...detail }) => ({
        ...detail,
        importance: String(importance),
      })),
    }))
  const file = join(temporaryFolder(), 'tasks.json')
  writeFileSync(file, JSON.stringify(foreign))
  const [known, unknown] = [await served({ data: [file] }), await served()]
  const gym = intentionGym({ simulator: embeddedSimulator, rules: KLENS_RULES, language: 'en' })
  const tasks = foreign.map(task => taskSchema.parse(task))
  const random = seededRandom(3)
  for (const task of tasks) {
    const actions = wordsFor(task, tasks, random)
    const expected = await courseOf(actions, gymDoor(gym, task))
    expect(await courseOf(actions, await envDoor(known, task, true))).toEqual(expected)
    for (const door of [known, unknown]) expect(await courseOf(actions, chatDoor(door, task))).toEqual(expected)
  }
})

it('a hidden formula pays a policy what it pays by itself', async () => {
  const gym = functionGym()
  for (const task of ownFunctions('test')) {
    for (const name of ['oracle', 'prober']) {
      const { turns } = await playDialogue(gym, functionScript(name), { task, repeat: 0 }, USERRL_ROLLOUT)
      const played = turns.filter(({ actions }) => actions.length > 0)
      const actions = played.flatMap(turn => turn.actions)
      const course = await courseOf(actions, gymDoor(gym, task))
      expect(course.map(([reward]) => reward)).toEqual(played.map(({ reward }) => reward))
      expect(await policyCourse(gym, task, actions)).toEqual(course)
    }
  }
})

import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { actionOf, feedbackText } from '../../lab/gym/gym.js'
import { embeddedSimulator } from '../../lab/gym/intention/embedded/embedded.js'
import { endpointSimulator } from '../../lab/gym/intention/endpoint-simulator.js'
import { ownTasks, TASK_SPLITS } from '../../lab/gym/intention/own/tasks.js'
import { readTasks } from '../../lab/gym/intention/read-tasks.js'
import type { Judgement, Simulator, Situation } from '../../lab/gym/intention/simulator.js'
import type { IntentionDetail, IntentionTask } from '../../lab/gym/intention/task.js'
import { GYM_NAMES } from '../../lab/gym/registry.js'
import { replay } from '../../lab/gym/replay.js'
import { Problem } from '../../logs/model/problem.js'
import { median } from '../../stats/descriptive.js'
import { message } from '../../text/say.js'
import { json, list, numberWithin, request } from './fields.js'
import { endpointAt, sceneFor } from './gym-request.js'
import { type Asking, question } from './question.js'

/**
 * Is this simulator fit to train on? A detail's own question must cover it, a question from another task must cover
 * nothing, and the same question must be judged alike twice. Two caches, so that the second judgement is a second one.
 */

const USUAL_QUESTIONS = 40

const checkAnswer = z.object({
  questions: z.number(),
  /** Shares of the judgements that came; null where none did. */
  recall: z.number().nullable(),
  falseAlarms: z.number().nullable(),
  repeatable: z.number().nullable(),
  failures: z.number(),
  /** Seconds, median. */
  latency: z.number().nullable(),
})

export type GymCheckAnswer = z.infer<typeof checkAnswer>

export const gymCheck = question({
  request: request({
    simulator: z.string().default('embedded'),
    data: list(z.string()).default([]),
    split: z.enum(TASK_SPLITS).default('test'),
    language: z.enum(['en', 'zh']).default('en'),
    questions: numberWithin({ above: 0, whole: true }),
  }),
  answer: checkAnswer,
  async ask(workspace, asked, { signal }) {
    const tasks = asked.data.length === 0 ? ownTasks(asked.split, asked.language) : await readTasks(asked.data)
    const again = (attempt: number): Simulator =>
      asked.simulator === 'embedded'
        ? embeddedSimulator
        : endpointSimulator(endpointAt(workspace, asked.simulator, { attempt }))
    const [first, second] = [again(0), again(1)]
    const probes = probesOf(tasks, asked.questions ?? USUAL_QUESTIONS)
    const recalled: boolean[] = []
    const alarmed: boolean[] = []
    const repeated: boolean[] = []
    const seconds: number[] = []
    let failures = 0
    for (const { task, position, detail, foreign } of probes) {
      signal?.throwIfAborted()
      const own = situationOf(task, detail.inquiry)
      const start = performance.now()
      const judged = coveredBy(await first.judge(own))
      seconds.push((performance.now() - start) / 1000)
      const judgedAgain = coveredBy(await second.judge(own))
      const judgedForeign = coveredBy(await first.judge(situationOf(task, foreign)))
      failures += [judged, judgedAgain, judgedForeign].filter(each => each === null).length
      if (judged !== null) recalled.push(judged.includes(position))
      if (judgedForeign !== null) alarmed.push(judgedForeign.length > 0)
      if (judged !== null && judgedAgain !== null) repeated.push(judged.join() === judgedAgain.join())
    }
    return {
      questions: probes.length,
      recall: share(recalled),
      falseAlarms: share(alarmed),
      repeatable: share(repeated),
      failures,
      latency: seconds.length === 0 ? null : median(seconds),
    }
  },
})

interface Probe {
  readonly task: IntentionTask
  readonly position: number
  readonly detail: IntentionDetail
  /** A question of a task of another category, for something that is not open here. */
  readonly foreign: string
}

/** Spread over all tasks. */
function probesOf(tasks: readonly IntentionTask[], most: number): readonly Probe[] {
  const all = tasks.flatMap((task, at) =>
    task.missing_details.flatMap((detail, position): Probe[] => {
      const foreign = foreignQuestion(task, [...tasks.slice(at + 1), ...tasks.slice(0, at)])
      return detail.inquiry === '' || foreign === null ? [] : [{ task, position, detail, foreign }]
    }),
  )
  const every = Math.max(1, all.length / most)
  return Array.from({ length: Math.min(most, all.length) }, (_, i) => all[Math.floor(i * every)])
}

function foreignQuestion(task: IntentionTask, others: readonly IntentionTask[]): string | null {
  const open = new Set(task.missing_details.map(({ description }) => description))
  for (const other of others) {
    const found = other.missing_details.find(({ description, inquiry }) => !open.has(description) && inquiry !== '')
    if (found !== undefined && other.category !== task.category) return found.inquiry
  }
  return null
}

function situationOf(task: IntentionTask, asked: string): Situation {
  return { task, question: asked, history: [], misses: 0, remaining: task.missing_details, replySeesDetails: false }
}

function coveredBy(judgement: Judgement): readonly number[] | null {
  return judgement.kind === 'covered' ? judgement.indices : null
}

function share(outcomes: readonly boolean[]): number | null {
  return outcomes.length === 0 ? null : outcomes.filter(Boolean).length / outcomes.length
}

/** Does klens's gym do what another gym did, step by step, when its simulator answers the same? */

const replayAnswer = z.object({
  episodes: z.number(),
  transitions: z.number(),
  differences: list(
    z.object({
      episode: z.union([z.number(), z.string()]),
      step: z.number(),
      member: z.string(),
      recorded: json,
      replayed: json,
    }),
  ),
})

export type ReplayAnswer = z.infer<typeof replayAnswer>

export const gymReplay = question({
  request: request({ file: z.string() }),
  answer: replayAnswer,
  async ask(_, { file }) {
    const bytes = await readFile(file).catch(() => null)
    if (bytes === null) throw new Problem('not-found', message('gym.no-file', { path: file }))
    return replay(file, textOf(bytes))
  },
})

function textOf(bytes: Buffer): string {
  const isCompressed = bytes[0] === 0x1f && bytes[1] === 0x8b
  return (isCompressed ? gunzipSync(bytes) : bytes).toString('utf8')
}

/** A dialogue that a person has in a gym, one line at a time. */
export interface Play {
  readonly request: string
  /** What is to be had at most. */
  readonly ceiling: number
  /** A line that begins with `[` is a move as it stands, any other one an action; an empty one ends. */
  ask(line: string): Promise<PlayStep>
  leave(): void
}

export interface PlayStep {
  readonly feedback: string
  readonly reward: number | null
  readonly total: number
  readonly isOver: boolean
}

export const gymPlay = question({
  request: request({
    gym: z.enum(GYM_NAMES).default('intention'),
    task: z.string().optional(),
    simulator: z.string().default('embedded'),
    data: list(z.string()).default([]),
    split: z.enum(TASK_SPLITS).default('train'),
    language: z.enum(['en', 'zh']).default('en'),
  }),
  answer: z.object({ score: z.number() }),
  async ask(workspace, asked, { onProgress }: Asking<Play>) {
    const scene = await sceneFor(workspace, { ...asked, limit: null, maxTurns: null, quirk: [] })
    const { gym, tasks, factsOf } = scene
    const { task: id } = asked
    const task = id === undefined ? tasks[Math.floor(Math.random() * tasks.length)] : tasks.find(each => each.id === id)
    if (task === undefined) throw new Problem('not-found', message('gym.play.no-task', { id: id ?? '' }))
    const episode = gym.open(task)
    let score = 0
    await new Promise<void>(leave => {
      onProgress?.({
        request: gym.prompts(task).user,
        ceiling: factsOf(task).ceiling,
        async ask(line) {
          const action = line.startsWith('[') ? line : actionOf(line === '' ? 'finish' : 'action', line)
          const { feedback, reward, end } = await episode.step(action)
          score += reward ?? 0
          return { feedback: feedbackText(feedback), reward, total: score, isOver: end !== null }
        },
        leave,
      })
    })
    return { score }
  },
})

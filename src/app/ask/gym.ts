import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { actionOf, feedbackText } from '../../lab/gym/gym.js'
import { TASK_SPLITS } from '../../lab/gym/intention/own/tasks.js'
import { GYM_NAMES } from '../../lab/gym/registry.js'
import { replay } from '../../lab/gym/replay.js'
import { Problem } from '../../logs/model/problem.js'
import { message } from '../../text/say.js'
import { json, list, request } from './fields.js'
import { PROMPTS, sceneFor } from './gym-request.js'
import { type Asking, question } from './question.js'

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
    prompts: PROMPTS,
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

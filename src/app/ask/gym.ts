import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { z } from 'zod'
import { actionOf } from '../../lab/gym/gym.js'
import { embeddedSimulator } from '../../lab/gym/intention/embedded/embedded.js'
import { intentionGym } from '../../lab/gym/intention/intention.js'
import { ownTasks, type TaskLanguage } from '../../lab/gym/intention/own/tasks.js'
import { ceilingOf, KLENS_RULES } from '../../lab/gym/intention/rules.js'
import { replay } from '../../lab/gym/replay.js'
import { Problem } from '../../logs/model/problem.js'
import { message } from '../../text/say.js'
import { json, list, request } from './fields.js'
import { question } from './question.js'

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

/** A dialogue that a person has with the embedded user, one question at a time. */
export interface Play {
  readonly category: string
  readonly request: string
  /** What is to be had at most. */
  readonly ceiling: number
  ask(question: string): PlayStep
}

export interface PlayStep {
  readonly feedback: string
  readonly reward: number
  readonly total: number
  readonly isOver: boolean
}

export function openPlay(language: TaskLanguage, id: string | undefined): Play {
  const tasks = ownTasks('train', language)
  const task = id === undefined ? tasks[Math.floor(Math.random() * tasks.length)] : tasks.find(each => each.id === id)
  if (task === undefined) throw new Problem('not-found', message('gym.play.no-task', { id: id ?? '' }))
  const episode = intentionGym({ simulator: embeddedSimulator, rules: KLENS_RULES, language }).open(task)
  return {
    category: task.category,
    request: task.task,
    ceiling: ceilingOf(task.missing_details, KLENS_RULES.maxSteps, KLENS_RULES),
    ask(question) {
      const { feedback, reward, end } = episode.step(actionOf(question === '' ? 'finish' : 'action', question))
      return { feedback: String(feedback), reward: reward ?? 0, total: episode.progress().total, isOver: end !== null }
    },
  }
}

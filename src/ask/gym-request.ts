import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { openResponseCache } from '../endpoint/cache.js'
import { type Ask, openEndpoint } from '../endpoint/endpoint.js'
import { openToolEndpoint } from '../endpoint/tools.js'
import { INTERACT } from '../gym/gym.js'
import { embeddedSimulator } from '../gym/intention/embedded/embedded.js'
import { endpointSimulator } from '../gym/intention/endpoint-simulator.js'
import { ownTasks, type TaskSplit } from '../gym/intention/own/tasks.js'
import { readTasks } from '../gym/intention/read-tasks.js'
import type { Simulator } from '../gym/intention/simulator.js'
import type { IntentionTask } from '../gym/intention/task.js'
import type { EndpointAsks } from '../gym/policies/endpoint.js'
import { Problem } from '../model/problem.js'
import { cacheFolder, type Workspace } from '../store/workspace.js'
import { message } from '../text/say.js'

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

export function simulatorNamed(workspace: Workspace, name: string): Simulator {
  return name === 'embedded' ? embeddedSimulator : endpointSimulator(endpointAt(workspace, name))
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
  const hash = createHash('sha256').update(JSON.stringify(tasks)).digest('hex').slice(0, 8)
  return { name: data.length === 0 ? `intention-${language}-${hash}` : `intention-${hash}`, tasks }
}

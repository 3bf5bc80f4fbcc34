import { join } from 'node:path'
import { z } from 'zod'
import { cacheFolder, type Workspace } from '../../core/store/workspace.js'
import { openResponseCache } from '../../lab/endpoint/cache.js'
import { type Ask, openEndpoint } from '../../lab/endpoint/endpoint.js'
import { openToolEndpoint } from '../../lab/endpoint/tools.js'
import { INTERACT } from '../../lab/gym/gym.js'
import { embeddedSimulator } from '../../lab/gym/intention/embedded/embedded.js'
import { endpointSimulator, KLENS_PROMPTS } from '../../lab/gym/intention/endpoint-simulator.js'
import type { Simulator } from '../../lab/gym/intention/simulator.js'
import { promptsNamed } from '../../lab/gym/intention/userrl-prompts.js'
import type { EndpointAsks } from '../../lab/gym/policies/endpoint.js'
import { type GymName, openScene } from '../../lab/gym/registry.js'
import type { Scene, SceneRequest } from '../../lab/gym/scene.js'
import { Problem } from '../../logs/model/problem.js'
import { message } from '../../text/say.js'

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

export type GymRequest = Omit<SceneRequest, 'ask'> & { readonly gym: GymName; readonly simulator: string }

export function sceneFor(workspace: Workspace, { gym, simulator, ...asked }: GymRequest): Promise<Scene> {
  return openScene(gym, { ...asked, ask: simulator === 'embedded' ? null : endpointAt(workspace, simulator) })
}

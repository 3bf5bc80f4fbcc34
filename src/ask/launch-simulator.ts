import { z } from 'zod'
import { type Launch, settingsByKey } from '../launch/launch.js'
import type { SimulatorState } from '../launch/rule.js'
import type { Workspace } from '../store/workspace.js'
import { gymCheck } from './gym-check.js'

/**
 * The user simulator that a launch names: whether it answers, and whether it is fit to train on. One on this machine is
 * called, another only where that is allowed.
 */

const PATIENCE_MS = 2_000

export async function simulatorOf(
  workspace: Workspace,
  launch: Launch,
  mayCall: boolean,
  signal: AbortSignal | undefined,
): Promise<SimulatorState | null> {
  const address = launch.environment.get('OPENAI_BASE_URL')
  if (address === undefined || !URL.canParse(address.text) || !/^https?:/.test(address.text)) return null
  const url = address.text.replace(/\/$/, '')
  const named = settingsByKey(launch).get('actor_rollout_ref.rollout.multi_turn.model_name')?.value
  const model = typeof named === 'string' ? named : (launch.environment.get('MULTITURN_MODEL_NAME')?.text ?? null)
  const about = { url, model, line: address.line, serves: null, fitness: null }
  if (!isOnThisMachine(url) && !mayCall) return { ...about, state: 'not-asked' }
  const models = await modelsAt(url)
  if (models === null) return { ...about, state: 'unreachable' }
  const serves = model === null || models.length === 0 ? null : models.includes(model)
  const fitness = mayCall && model !== null ? await fitnessOf(workspace, `${url}#${model}`, signal) : null
  return { ...about, state: 'reachable', serves, fitness }
}

function isOnThisMachine(url: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname)
}

const modelList = z.object({ data: z.array(z.object({ id: z.string() })) })

/** Null where nothing answers. What answers otherwise than with a list of models answers. */
async function modelsAt(url: string): Promise<readonly string[] | null> {
  try {
    const response = await fetch(`${url}/models`, { signal: AbortSignal.timeout(PATIENCE_MS), redirect: 'manual' })
    const parsed = modelList.safeParse(await response.json().catch(() => null))
    return parsed.success ? parsed.data.data.map(({ id }) => id) : []
  } catch {
    return null
  }
}

const QUESTIONS_TO_ASK = 20

async function fitnessOf(
  workspace: Workspace,
  simulator: string,
  signal: AbortSignal | undefined,
): Promise<SimulatorState['fitness']> {
  const asked = gymCheck.request.parse({ simulator, questions: QUESTIONS_TO_ASK })
  const { recall, falseAlarms, failures } = await gymCheck.ask(workspace, asked, signal === undefined ? {} : { signal })
  return { recall, falseAlarms, failures }
}

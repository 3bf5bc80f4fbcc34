import { Problem } from '../model/problem.js'
import type { Config } from '../model/run.js'
import { message } from '../text/say.js'
import type { TrainConfig } from './config/schema.js'
import { isLanguageModel, languageSettings } from './intention/start-from.js'
import { type LoadedCheckpoint, loadCheckpoint } from './load-checkpoint.js'
import { flatConfig } from './run-events.js'
import type { Task } from './tasks/task.js'

/** A checkpoint to start from, which must have the shape that the config asks for and the width that the data has. */
export async function loadStart(path: string, { policy }: TrainConfig, task: Task): Promise<LoadedCheckpoint> {
  const loaded = await loadCheckpoint(path)
  if (loaded === null) throw new Problem('not-enough', message('eval.no-selector', { path }))
  const { form, hidden, layers, width } = loaded.shape
  if (width !== task.queryEmbeddings.width) {
    throw new Problem('bad-request', message('eval.width', { path, width, has: task.queryEmbeddings.width }))
  }
  const differing = Object.entries({ form, hidden, layers }).filter(
    ([key, value]) => Object.entries(policy).find(([other]) => other === key)?.[1] !== value,
  )
  if (differing.length === 0) return loaded
  const settings = differing.map(([key, value]) => `--set policy.${key}=${value}`).join(' ')
  throw new Problem('bad-request', message('train.from-shape', { path, settings }))
}

/** What a checkpoint is for and the shape that it has: settings to begin with, over which all that is given wins. */
export async function startingSettings(path: string | undefined): Promise<Config> {
  if (path !== undefined && isLanguageModel(path)) return languageSettings(path)
  const loaded = path === undefined ? null : await loadCheckpoint(path)
  if (loaded === null) return {}
  const { form, hidden, layers } = loaded.shape
  const shape = { 'policy.form': form, 'policy.hidden': hidden, 'policy.layers': layers }
  const own = loaded.settings === null ? [] : Object.entries(flatConfig(loaded.settings))
  return { ...Object.fromEntries(own.filter(([key]) => /^(?:task$|data\.|llm\.|policy\.)/.test(key))), ...shape }
}

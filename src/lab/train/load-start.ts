import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isJsonObject } from '../../logs/model/json.js'
import type { Checkpoint } from '../../logs/model/lineage.js'
import { Problem } from '../../logs/model/problem.js'
import type { Config } from '../../logs/model/run.js'
import { message } from '../../text/say.js'
import { flatConfig } from './config/hash.js'
import type { IntentionConfig } from './config/language-settings.js'
import type { TrainConfig } from './config/selector-settings.js'
import { type LoadedModel, loadModel } from './lm/checkpoint/model-folder.js'
import { type LoadedCheckpoint, loadCheckpoint } from './load-checkpoint.js'
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

/** A checkpoint of a language model to start from: its weights and tokenizer, and the settings that belong to them. */

export interface LanguageCheckpoint extends Checkpoint, LoadedModel {}

/** A folder is a language model, a file a selector. */
function isLanguageModel(path: string): boolean {
  return existsSync(join(path, 'config.json'))
}

export async function loadLanguageCheckpoint(path: string, config: IntentionConfig): Promise<LanguageCheckpoint> {
  const loaded = await loadModel(path)
  const shape = shapeSettings(loaded)
  const differing = Object.entries(shape).filter(
    ([key, value]) => new Map(Object.entries(config.model)).get(key) !== value,
  )
  if (differing.length > 0) {
    const settings = differing.map(([key, value]) => `--set model.${key}=${value}`).join(' ')
    throw new Problem('bad-request', message('train.from-shape', { path, settings }))
  }
  const { about } = loaded
  return {
    ...loaded,
    path: resolve(path),
    step: typeof about.step === 'number' ? about.step : null,
    run: typeof about.run === 'string' ? about.run : null,
    config: isJsonObject(about.config) ? about.config : null,
  }
}

/** What it was made for and the form that it has: settings to begin with. */
async function languageSettings(path: string): Promise<Config> {
  const loaded = await loadModel(path)
  const own = isJsonObject(loaded.about.config) ? Object.entries(loaded.about.config) : []
  const shape = Object.entries(shapeSettings(loaded)).map(([key, value]) => [`model.${key}`, value] as const)
  return {
    task: 'intention',
    ...Object.fromEntries(own.filter(([key]) => /^(?:gym|start|data)\.|^simulator$/.test(key))),
    ...Object.fromEntries(shape),
  }
}

function shapeSettings({ shape }: LoadedModel) {
  const { vocabulary, width, layers, heads, keyHeads, headWidth, inner, positions: context } = shape
  return { vocabulary, width, layers, heads, key_heads: keyHeads, head_width: headWidth, inner, context }
}

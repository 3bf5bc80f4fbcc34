import { sha256 } from '../../../logs/model/id.js'
import { isJsonObject, type Json } from '../../../logs/model/json.js'
import type { Config } from '../../../logs/model/run.js'
import { memoByObject, memoByText } from '../../../logs/model/util/memo.js'
import type { IntentionConfig } from './language-settings.js'
import type { TrainConfig } from './selector-settings.js'

/** A config as the store has it, as one text, the same whatever the order in which it was written, and the hash that stands for it. */

/** JSON with sorted keys and no spaces. */
export function canonicalJson(value: Json): string {
  if (typeof value === 'number' && Number.isFinite(value)) return `${value}`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  let members = ''
  for (const key of Object.keys(value).sort()) {
    members += `${members === '' ? '' : ','}${quoted(key)}:${canonicalJson(Reflect.get(value, key))}`
  }
  return `{${members}}`
}

const quoted = memoByText((key: string): string => JSON.stringify(key))

/** SHA-256 over all settings but the name: two runs with one hash have the same settings. */
export function configHash(config: TrainConfig | IntentionConfig): string {
  return hashPerSeed(config)(config.seed)
}

/** The same for many seeds of one config, whose text is made once. */
export const hashPerSeed = memoByObject((config: TrainConfig | IntentionConfig): ((seed: number) => string) => {
  const { name: _, ...settings } = config
  const members = (isAsked: (key: string) => boolean): string =>
    canonicalJson(Object.fromEntries(Object.entries(settings).filter(([key]) => isAsked(key)))).slice(1, -1)
  const [before, after] = [members(key => key < 'seed'), members(key => key > 'seed')]
  return seed => sha256(`{${before},"seed":${seed},${after}}`)
})

/** Dotted keys, as every config in the store has them; what is not set, and what the task has no use for, is left out. */
export function flatConfig(settings: TrainConfig | IntentionConfig): Config {
  const flat: { [key: string]: Json } = {}
  const walk = (value: Json, prefix: string): void => {
    if (value === null) return
    if (!isJsonObject(value)) flat[prefix] = value
    else for (const [key, child] of Object.entries(value)) walk(child, prefix === '' ? key : `${prefix}.${key}`)
  }
  const { llm, ...others } = { llm: null, ...settings }
  walk(settings.task === 'llm' ? { ...others, llm } : others, '')
  return flat
}

import { isJsonObject, type Json, type JsonObject } from '../../../logs/model/json.js'
import { parseYaml } from '../../../logs/model/util/yaml.js'

/**
 * A config as hydra composes it from a folder: the defaults list first, in its order, each part at its place, the file's
 * own keys where `_self_` stands (last, where it does not). Enough of hydra for the configs that verl ships; what it
 * does at run time (interpolation, overrides of hydra itself) is left as it is written.
 */

/** The text of a file of the folder, by its path without `.yaml`; null where there is none. */
export type ConfigFolder = (path: string) => string | null

const DEEPEST = 8

export function composeConfig(folder: ConfigFolder, path: string, depth = 0): JsonObject | null {
  const text = depth > DEEPEST ? null : folder(path)
  const value = text === null ? undefined : parseYaml(text).value
  if (!isJsonObject(value)) return null
  const { defaults, hydra: _hydra, ...own } = value
  const parts = partsOf(Array.isArray(defaults) ? defaults : [])
  const order = parts.some(({ name }) => name === SELF) ? parts : [...parts, { name: SELF, at: [] }]
  let composed: JsonObject = {}
  for (const { name, at } of order) {
    const part = name === SELF ? own : composeConfig(folder, inFolderOf(path, name), depth + 1)
    if (part !== null) composed = merged(composed, placed(part, at))
  }
  return composed
}

const SELF = '_self_'

interface Part {
  readonly name: string
  /** Where in the config it stands. */
  readonly at: readonly string[]
}

/** `ppo_trainer`, `{actor@actor_rollout_ref.actor: dp_actor}`, `{optim: fsdp}`; `optional` and `override` before a group. */
function partsOf(defaults: readonly Json[]): readonly Part[] {
  return defaults.flatMap((entry): Part[] => {
    if (typeof entry === 'string') return entry.startsWith('override ') ? [] : [{ name: entry, at: [] }]
    if (!isJsonObject(entry)) return []
    return Object.entries(entry).flatMap(([place, choice]): Part[] => {
      const [group, target = group] = place.replace(/^(?:optional|override) /, '').split('@')
      if (typeof choice !== 'string' || group.startsWith('hydra/')) return []
      const at = target === '_global_' || target === '_here_' ? [] : target.split(/[./]/)
      return [{ name: `${group}/${choice}`, at }]
    })
  })
}

/** A name is looked for in the folder of the file that names it. */
function inFolderOf(path: string, name: string): string {
  const parent = path.includes('/') ? path.slice(0, path.lastIndexOf('/') + 1) : ''
  return name.startsWith('/') ? name.slice(1) : `${parent}${name.replace(/\.yaml$/, '')}`
}

function placed(part: JsonObject, at: readonly string[]): JsonObject {
  return at.reduceRight<JsonObject>((inner, name) => ({ [name]: inner }), part)
}

function merged(base: JsonObject, over: JsonObject): JsonObject {
  const both = new Map(Object.entries(base))
  for (const [key, value] of Object.entries(over)) {
    const before = both.get(key)
    both.set(key, isJsonObject(before) && isJsonObject(value) ? merged(before, value) : value)
  }
  return Object.fromEntries(both)
}

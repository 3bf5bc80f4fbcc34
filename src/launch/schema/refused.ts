import { isJsonObject, type Json } from '../../model/json.js'
import type { Launch, LaunchSetting } from '../launch.js'
import { knows, type Schema } from './schema.js'

/** The settings of a launch that a release would refuse, and why. */
export interface Refused {
  readonly setting: LaunchSetting
  /** `unknown`: there is no such key. `exists`: `+` adds a key that has a value already. */
  readonly why: 'unknown' | 'exists'
}

export function refusedBy(launch: Launch, schema: Schema): readonly Refused[] {
  const added = new Set<string>()
  return launch.settings.flatMap((setting): Refused[] => {
    const { key, operation, from, value } = setting
    const isThere = knows(schema, key) || added.has(key)
    if (from !== 'command' || operation === 'add' || operation === 'force')
      for (const part of pathsTo(key)) added.add(part)
    if (isChoice(key)) return []
    const isBound = from === 'command' || (from === 'config' && launch.program.framework !== 'verl')
    if (operation === 'set' && !isThere && isBound) return [{ setting, why: 'unknown' }]
    // Hydra appends to what is empty, and merges maps and lists.
    const before = schema.settings.get(key)?.value ?? null
    if (operation === 'add' && before !== null && !isCollection(value)) return [{ setting, why: 'exists' }]
    return []
  })
}

function isCollection(value: Json | undefined): boolean {
  return Array.isArray(value) || isJsonObject(value)
}

/** The key and every section around it: what is put beside a new key needs no `+` any more. */
function pathsTo(key: string): readonly string[] {
  return [...key.matchAll(/\./g)].map(dot => key.slice(0, dot.index)).concat(key)
}

/** Hydra's choice of a part (`model_engine=megatron`, `actor@actor_rollout_ref.actor=dp_actor`); what TRL hands to accelerate. */
function isChoice(key: string): boolean {
  return /^(?:model_engine|num_processes|accelerate_config|env|config)$/.test(key) || /[@/]/.test(key)
}

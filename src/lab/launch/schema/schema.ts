import { isJsonObject, type Json } from '../../../logs/model/json.js'
import { FRAMEWORK_NAMES } from '../../../logs/model/vocabulary/framework.js'
import type { Launch, LaunchFramework, LaunchSetting } from '../launch.js'

/** All settings that one release of a framework knows: what a launch is checked against. */
export interface Schema {
  readonly framework: LaunchFramework
  readonly version: string
  /** `named` or `installed`: the release that will run. `fitting`: of those that klens knows, the one that refuses least. */
  readonly origin: 'installed' | 'named' | 'fitting'
  readonly settings: ReadonlyMap<string, DeclaredSetting>
  readonly sections: ReadonlySet<string>
  /** Names of advantage estimators; null where the release does not list them. */
  readonly estimators: readonly string[] | null
}

export interface DeclaredSetting {
  readonly value: Json
  /** `bool`, `int`, `float`, `str`, `any`; null where only the default tells. */
  readonly type: string | null
}

export function makeSchema(
  about: Pick<Schema, 'framework' | 'version' | 'origin' | 'estimators'>,
  settings: ReadonlyMap<string, DeclaredSetting>,
): Schema {
  const sections = new Set<string>()
  for (const key of settings.keys()) {
    for (let dot = key.indexOf('.'); dot > 0; dot = key.indexOf('.', dot + 1)) sections.add(key.slice(0, dot))
  }
  return { ...about, settings, sections }
}

export function knows({ settings, sections }: Schema, key: string): boolean {
  return settings.has(key) || sections.has(key)
}

/** UserRL's fork is verl 0.4 with what the seeds of this field's comparisons were trained with. */
export function schemaName({ framework, version }: Pick<Schema, 'framework' | 'version'>): string {
  if (version === 'userrl') return "verl 0.4 (UserRL's fork)"
  const name = framework === 'trl-ppo' ? 'TRL' : framework === 'hf' ? 'Transformers' : FRAMEWORK_NAMES[framework]
  return `${name} ${version}`
}

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

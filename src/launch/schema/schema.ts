import type { Json } from '../../model/json.js'
import type { LaunchFramework } from '../launch.js'

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
  const name = { verl: 'verl', trl: 'TRL', 'trl-ppo': 'TRL', openrlhf: 'OpenRLHF', hf: 'Transformers', klens: 'klens' }
  return version === 'userrl' ? "verl 0.4 (UserRL's fork)" : `${name[framework]} ${version}`
}

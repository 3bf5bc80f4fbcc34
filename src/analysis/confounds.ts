import type { Json } from '../model/json.js'
import type { Config } from '../model/run.js'
import { CONFIG_KEYS } from '../model/vocabulary/config-keys.js'
import type { Framework } from '../model/vocabulary/framework.js'
import { isIdentityKey, isSeedKey } from '../model/vocabulary/identity.js'
import { settingsOf } from '../model/vocabulary/settings.js'

/**
 * What else differed? Settings are compared by what takes effect: a KL coefficient that is switched off on both sides
 * is no difference, whatever its value. Seeds, names, paths and the like never count.
 */
export interface Confound {
  /** The canonical name where klens knows the setting, else the raw key. */
  readonly key: string
  /** Effective values, one per side; null where a side does not have the setting. */
  readonly values: readonly Json[]
  /** Keys that make up one knob (`kl.loss.on` and `kl.loss.coef`); null for a raw key that klens knows nothing about. */
  readonly knob: string | null
}

export function confounds(configs: readonly Config[], frameworks: readonly (Framework | null)[]): readonly Confound[] {
  const effective = configs.map((config, side) => effectiveValues(config, frameworks[side]))
  const keys = [...new Set(effective.flatMap(values => [...values.keys()]))]
  return keys
    .filter(key => !isSeedKey(key) && !isIdentityKey(key))
    .map(key => ({ key, values: effective.map(values => values.get(key) ?? null), knob: knobOf(key) }))
    .filter(({ values }) => values.some(value => JSON.stringify(value) !== JSON.stringify(values[0])))
}

/** Canonical settings by effect, then every raw key that is not one of them. */
function effectiveValues(config: Config, framework: Framework | null): Map<string, Json> {
  const settings = settingsOf(config, framework)
  const known = new Set(settings.map(({ rawKey }) => rawKey))
  const values = new Map<string, Json>(settings.map(({ key, effective }) => [key, effective]))
  for (const [key, value] of Object.entries(config)) {
    if (!known.has(key) && !isSeedKey(key) && !isIdentityKey(key)) values.set(key, value)
  }
  return values
}

/** How many knobs were turned: the length of a run is no knob, and unknown keys may be notes. */
export function knobsTurned(differing: readonly Confound[]): number {
  return new Set(differing.flatMap(({ knob }) => (knob === null || knob === 'steps' ? [] : [knob]))).size
}

const KNOWN_KEYS = new Set(CONFIG_KEYS.map(({ key }) => key))

function knobOf(key: string): string | null {
  return KNOWN_KEYS.has(key) ? key.split('.')[0] : null
}

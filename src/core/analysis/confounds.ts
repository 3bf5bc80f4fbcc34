import type { Json } from '../../logs/model/json.js'
import { CONFIG_KEYS } from '../../logs/model/vocabulary/config-keys.js'
import { isIdentityKey, isSeedKey } from '../../logs/model/vocabulary/identity.js'
import { isReported } from './compare/cost.js'
import type { RunView } from './run-view.js'

/**
 * What else differed? Settings are compared by what takes effect: a KL coefficient that is switched off on both sides
 * is no difference, whatever its value. Seeds, names, paths and the like never count, nor do figures of the outcome.
 */
export interface Confound {
  /** The canonical name where klens knows the setting, else the raw key. */
  readonly key: string
  /** Effective values, one per side; null where a side does not have the setting. */
  readonly values: readonly Json[]
  /**
   * The knob that the key belongs to: `kl.loss.on` and `kl.loss.coef` are one, and so is a key that klens does not know
   * but that moves just as a known one does. null for a key that klens knows nothing about: it may be a mere note.
   */
  readonly knob: string | null
}

type Configured = Pick<RunView, 'config' | 'settings'>

export function confounds(runs: readonly Configured[]): readonly Confound[] {
  const effective = runs.map(effectiveValues)
  const keys = [...new Set(effective.flatMap(values => [...values.keys()]))].sort(asInTheTable)
  const differing = keys
    .map(key => ({ key, values: effective.map(values => values.get(key) ?? null), knob: knobOf(key) }))
    .filter(({ values }) => values.some(value => JSON.stringify(value) !== JSON.stringify(values[0])))
  return differing.map(confound => ({ ...confound, knob: confound.knob ?? twinKnob(confound, differing) }))
}

/** One text for one setting: runs that share it are replicates of each other. Null for a config that tells nothing. */
export function settingKey(run: Configured): string | null {
  const values = [...effectiveValues(run)].sort(([a], [b]) => (a < b ? -1 : 1))
  return values.length === 0 ? null : JSON.stringify(values)
}

/** Canonical settings by effect, then every raw key that is not one of them. */
function effectiveValues({ config, settings }: Configured): Map<string, Json> {
  const counting = [...settings.values()].filter(({ key }) => counts(key))
  const known = new Set(counting.map(({ rawKey }) => rawKey))
  const values = new Map<string, Json>(counting.map(({ key, effective }) => [key, effective]))
  for (const [key, value] of Object.entries(config)) if (!known.has(key) && counts(key)) values.set(key, value)
  return values
}

function counts(key: string): boolean {
  return !isSeedKey(key) && !isIdentityKey(key) && !isReported(key)
}

const PLACES = new Map(CONFIG_KEYS.map(({ key }, place) => [key, place]))

function asInTheTable(a: string, b: string): number {
  return (PLACES.get(a) ?? PLACES.size) - (PLACES.get(b) ?? PLACES.size)
}

function knobOf(key: string): string | null {
  return PLACES.has(key) ? key.split('.')[0] : null
}

function twinKnob({ values }: Confound, differing: readonly Confound[]): string | null {
  const moves = JSON.stringify(values)
  return differing.find(other => other.knob !== null && JSON.stringify(other.values) === moves)?.knob ?? null
}

/** Settings that differ in one number are doses of it. */
export interface NumericFactor {
  readonly key: string
  /** In the order of the settings. */
  readonly doses: readonly number[]
}

/** Null where they differ in nothing, in several settings, or in one that is no number. */
export function numericFactor(settings: readonly { readonly [key: string]: Json }[]): NumericFactor | null {
  const keys = new Set(settings.flatMap(each => Object.keys(each)))
  const varying = [...keys].filter(key => new Set(settings.map(each => JSON.stringify(each[key]))).size > 1)
  const [key, ...more] = varying
  if (key === undefined || more.length > 0) return null
  const doses = settings.map(each => each[key]).filter(dose => typeof dose === 'number')
  return doses.length === settings.length ? { key, doses } : null
}

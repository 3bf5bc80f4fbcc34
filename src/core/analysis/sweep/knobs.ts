import type { Json } from '../../../logs/model/json.js'
import type { Message } from '../../../logs/model/run.js'
import { plainValue } from '../../../logs/model/vocabulary/config-value.js'
import { type Confound, confounds } from '../confounds.js'
import type { RunView } from '../run-view.js'

/**
 * The knob of a sweep: what each run set it to, what took effect, and what else was turned with it. Runs that differ in
 * another known setting fall into different blocks, and only runs of one block are compared: so separation runs are
 * used for what they separate, and a knob that never moves alone is not credited with anything.
 */

export interface Knob {
  /** Canonical where klens knows the setting, else the raw key. */
  readonly key: string
  readonly effective: Json
  /** Null: no key of the config says it. */
  readonly configured: Json
  /** Why the effect is not what was configured, or that it holds only at the start. */
  readonly reason: Message | null
}

/** Null where the config does not tell. */
export function knobOf({ config, settings }: RunView, key: string): Knob | null {
  const setting = [...settings.values()].find(found => found.key === key || found.rawKey === key)
  if (setting !== undefined) {
    const { configured, effective, reason } = setting
    return effective === null ? null : { key: setting.key, effective, configured: plainValue(configured), reason }
  }
  if (!Object.hasOwn(config, key)) return null
  const value = plainValue(config[key])
  return value === null ? null : { key, effective: value, configured: value, reason: null }
}

export interface Blocks {
  /** One per run; runs of one block are alike in every known setting but the knobs. */
  readonly of: readonly string[]
  /** Other known settings that differ somewhere: what blocks are made of. */
  readonly others: readonly Confound[]
  /** Settings that belong to a knob and move with it, such as the estimator of a KL with its coefficient. */
  readonly together: readonly string[]
  /** Keys that klens knows nothing about and that differ between cells: perhaps notes, perhaps more. */
  readonly unknown: readonly string[]
}

export function blocksOf(runs: readonly RunView[], keys: readonly string[], cellOf: readonly string[]): Blocks {
  const differing = confounds(runs).filter(({ key }) => !keys.includes(key))
  const families = new Set(keys.map(familyOf))
  const known = differing.filter(({ knob }) => knob !== null && !LENGTHS.has(knob))
  const isTogether = ({ knob, values }: Confound): boolean =>
    knob !== null && families.has(knob) && !variesWithin(values, cellOf)
  // Cells are made of effective values, so a switch that moves with them says again that the coefficient is 0.
  const switches = new Set(keys.map(key => key.replace(/\.coef$/, '.on')))
  const others = known.filter(confound => !isTogether(confound))
  return {
    of: runs.map((_, run) => JSON.stringify(others.map(({ values }) => values[run]))),
    others,
    together: known
      .filter(confound => isTogether(confound) && !switches.has(confound.key) && !isMerelyIdle(confound))
      .map(({ key }) => key),
    unknown: differing.filter(({ knob }) => knob === null).map(({ key }) => key),
  }
}

/** The estimator of a KL that is off in some runs: where it acts, it is one and the same. */
function isMerelyIdle({ values }: Confound): boolean {
  return new Set(values.filter(value => value !== null).map(value => JSON.stringify(value))).size <= 1
}

/** Runs are compared at shared steps, so their length is no difference. */
const LENGTHS = new Set(['steps', 'epochs'])

/** `kl.loss.on` and `kl.loss.coef` are one knob: confounds.ts names it so. */
function familyOf(key: string): string {
  return key.split('.')[0]
}

function variesWithin(values: readonly Json[], cellOf: readonly string[]): boolean {
  const first = new Map<string, string>()
  return values.some((value, run) => {
    const text = JSON.stringify(value)
    const before = first.get(cellOf[run])
    first.set(cellOf[run], before ?? text)
    return before !== undefined && before !== text
  })
}

import type { Json } from '../../model/json.js'
import type { Config } from '../../model/run.js'
import { canonicalJson } from '../config/hash.js'
import { DEFAULT_CONFIG } from '../config/schema.js'
import { flatConfig } from '../run-events.js'

/** What a continued training would do otherwise than before. */
export interface Change {
  readonly key: string
  readonly from: Json
  readonly to: Json
}

/** What the run is called does not change what it does. */
const NO_SETTING = new Set(['name'])

/** A run of an older version lacks the settings that came since: their defaults are what it did. */
const DEFAULTS = flatConfig({ ...DEFAULT_CONFIG, task: 'llm' })

export function changesBetween(before: Config, now: Config): readonly Change[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(now)])].filter(key => !NO_SETTING.has(key))
  return keys.flatMap(key => {
    const [from, to] = [before[key] ?? DEFAULTS[key] ?? null, now[key] ?? null]
    return canonicalJson(from) === canonicalJson(to) ? [] : [{ key, from, to }]
  })
}

/** The stored state has the form of these: other ones need a run of their own, started from the weights. */
const FIXED = [
  'policy.form',
  'policy.hidden',
  'policy.heads',
  'policy.layers',
  'freeze.rce',
  'freeze.grpo',
  'data.width',
  'kl.reference',
]

export function isFixed({ key }: Change): boolean {
  return FIXED.includes(key)
}

export function changeText({ key, from, to }: Change): string {
  return `${key} ${shown(from)} → ${shown(to)}`
}

function shown(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

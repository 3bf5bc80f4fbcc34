import type { Json } from '../../model/json.js'
import type { Config } from '../../model/run.js'
import { canonicalJson } from '../config/hash.js'

/** What a continued training would do otherwise than before. */
export interface Change {
  readonly key: string
  readonly from: Json
  readonly to: Json
}

/** What the run is called does not change what it does. */
const NO_SETTING = new Set(['name'])

/** A run of an older version lacks the settings that came since: their defaults are what it did. */
export function changesBetween(before: Config, now: Config, defaults: Config): readonly Change[] {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(now)])].filter(key => !NO_SETTING.has(key))
  return keys.flatMap(key => {
    const [from, to] = [before[key] ?? defaults[key] ?? null, now[key] ?? null]
    return canonicalJson(from) === canonicalJson(to) ? [] : [{ key, from, to }]
  })
}

export function changeText({ key, from, to }: Change): string {
  return `${key} ${shown(from)} → ${shown(to)}`
}

function shown(value: Json): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

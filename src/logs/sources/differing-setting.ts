import type { Json } from '../model/json.js'
import type { Config } from '../model/run.js'
import { isIdentityKey } from '../model/vocabulary/identity.js'

/**
 * A setting that both of two logs state, and state differently: they are of two trainings, however equal their values.
 * Names, ids, places and times differ between two logs of one training too, and so does how a value is written: MLflow
 * keeps `True` and `1e-05` as texts, and cuts long ones off.
 */
export interface DifferingSetting {
  readonly key: string
  readonly values: readonly [Json, Json]
}

export function differingSetting(one: Config, other: Config): DifferingSetting | null {
  for (const [key, value] of Object.entries(one)) {
    if (!Object.hasOwn(other, key) || isIdentityKey(key) || isOutcome(key)) continue
    const twin = other[key] ?? null
    if (!isSameSetting(asWritten(value ?? null), asWritten(twin))) return { key, values: [value ?? null, twin] }
  }
  return null
}

/** Trainers state how far they came among the settings, and a log that was cut off states less. */
function isOutcome(key: string): boolean {
  return /(?:^|[._])(?:global_step|epoch|total_flos|num_input_tokens_seen|log_history|version|pid|python|gpu|cpu)/i.test(
    key,
  )
}

/** The fewest characters that a tracker keeps of a long text. */
const CUT_TEXT = 250

function isSameSetting(one: string, other: string): boolean {
  if (one === other) return true
  const shorter = Math.min(one.length, other.length)
  return shorter >= CUT_TEXT && one.slice(0, CUT_TEXT) === other.slice(0, CUT_TEXT)
}

const NOTHING = new Set(['none', 'null', ''])

function asWritten(value: Json): string {
  if (typeof value !== 'string' && typeof value === 'object' && value !== null) {
    return JSON.stringify(value)
      .replaceAll(/["'\s]/g, '')
      .toLowerCase()
  }
  const text = String(value).trim()
  if (NOTHING.has(text.toLowerCase())) return ''
  const number = Number(text)
  return text !== '' && Number.isFinite(number) ? String(number) : text.replaceAll(/["'\s]/g, '').toLowerCase()
}

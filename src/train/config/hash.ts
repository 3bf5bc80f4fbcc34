import { createHash } from 'node:crypto'
import { isJsonObject, type Json } from '../../model/json.js'
import type { IntentionConfig } from '../intention/settings.js'
import type { TrainConfig } from './schema.js'

/** A config as one text, the same whatever the order in which it was written, and the hash that stands for it. */

/** JSON with sorted keys and no spaces. */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (!isJsonObject(value)) return JSON.stringify(value)
  const members = Object.keys(value)
    .sort()
    .map(key => `${JSON.stringify(key)}:${canonicalJson(value[key])}`)
  return `{${members.join(',')}}`
}

/** SHA-256 over all settings but the name: two runs with one hash were told to do the same. */
export function configHash({ name: _, ...settings }: TrainConfig | IntentionConfig): string {
  return createHash('sha256').update(canonicalJson(settings)).digest('hex')
}

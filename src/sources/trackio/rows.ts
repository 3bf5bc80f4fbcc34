import type { Row } from '../../model/events.js'
import { isJsonObject, type Json, type JsonObject, numberFromJson } from '../../model/json.js'
import type { Config, RunAbout } from '../../model/run.js'
import { flatten } from '../python-json.js'
import { nameLists, timeFromText } from '../source-helpers.js'

/** What Trackio writes into its database and into its fragments alike: a JSON object per call of `log`. */

export type RowReader = (metrics: JsonObject, step: number, time: number | null) => Row | null

export function rowReader(): RowReader {
  const shared = nameLists()
  return (logged, step, time) => {
    const metrics: string[] = []
    const values: number[] = []
    for (const [key, item] of Object.entries(logged)) {
      // Histograms, images, tables and the like.
      if (isJsonObject(item) && typeof item._type === 'string') continue
      for (const [name, leaf] of flatten(item, key).leaves) {
        const value = numberFromJson(leaf)
        if (value === undefined) continue
        metrics.push(name)
        values.push(value)
      }
    }
    return metrics.length === 0 ? null : { type: 'row', step, time, metrics: shared(metrics), values }
  }
}

/** Trackio adds keys of its own to a config; they start with an underscore and configure nothing. */
export function settingsOf(config: JsonObject): Config {
  const own = Object.entries(config).filter(([key]) => !key.startsWith('_'))
  return Object.fromEntries(flatten(Object.fromEntries(own)).leaves)
}

export function aboutFromConfig(config: JsonObject): RunAbout {
  const startedAt = timeOf(config._Created)
  return {
    ...(typeof config._Group === 'string' && config._Group !== '' ? { group: config._Group } : {}),
    ...(startedAt === null ? {} : { startedAt }),
  }
}

export function timeOf(timestamp: Json | undefined): number | null {
  return typeof timestamp === 'string' ? timeFromText(timestamp) : null
}

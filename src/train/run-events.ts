import type { RunEvent } from '../model/events.js'
import { isJsonObject, type Json } from '../model/json.js'
import type { Config } from '../model/run.js'
import type { TrainConfig } from './config/schema.js'
import type { Epoch } from './train.js'

/** A training in the words of the store: the same path that imported runs take. */

/** Dotted keys, as every config in the store has them. */
export function flatConfig(config: TrainConfig): Config {
  const flat: { [key: string]: Json } = {}
  const walk = (value: Json, prefix: string): void => {
    if (!isJsonObject(value)) flat[prefix] = value
    else for (const [key, child] of Object.entries(value)) walk(child, prefix === '' ? key : `${prefix}.${key}`)
  }
  walk(config, '')
  return flat
}

export function epochEvents({ epoch, metrics, validation }: Epoch, time: number): readonly RunEvent[] {
  const names = Object.keys(metrics)
  const row: RunEvent = { type: 'row', step: epoch, time, metrics: names, values: names.map(name => metrics[name]) }
  if (validation === null) return [row]
  const { ids, hard, choices } = validation
  return [
    row,
    {
      type: 'evaluation',
      evaluation: {
        metric: 'val.score',
        step: epoch,
        condition: {},
        value: metrics['val.score'],
        n: ids.length,
        quality: 'measured',
      },
    },
    {
      type: 'samples',
      samples: {
        metric: 'val.score',
        step: epoch,
        condition: {},
        ids,
        scores: hard,
        choices: choices.map(choice => choice.join(' ')),
      },
    },
  ]
}

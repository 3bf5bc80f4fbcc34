import type { RunEvent } from '../model/events.js'
import { isJsonObject, type Json } from '../model/json.js'
import type { Config } from '../model/run.js'
import type { TrainConfig } from './config/schema.js'
import type { IntentionConfig } from './intention/settings.js'
import type { Epoch } from './train.js'

/** A training in the words of the store: the same path that imported runs take. */

/** Dotted keys, as every config in the store has them; what is not set, and what the task has no use for, is left out. */
export function flatConfig(settings: TrainConfig | IntentionConfig): Config {
  const flat: { [key: string]: Json } = {}
  const walk = (value: Json, prefix: string): void => {
    if (value === null) return
    if (!isJsonObject(value)) flat[prefix] = value
    else for (const [key, child] of Object.entries(value)) walk(child, prefix === '' ? key : `${prefix}.${key}`)
  }
  const { llm, ...others } = { llm: null, ...settings }
  walk(settings.task === 'llm' ? { ...others, llm } : others, '')
  return flat
}

/** What took how long: true of one machine on one day, and kept apart from what the seed decides. */
export interface EpochTimes {
  /** Unix seconds at the end of the epoch. */
  readonly time: number
  /** Seconds that the epoch took: it is a run's step. */
  readonly 'time.step': number
  /** Queries a second. */
  readonly 'throughput.samples': number
}

export function epochEvents(
  { epoch, metrics, validation, loss }: Epoch,
  { time, ...times }: EpochTimes,
): readonly RunEvent[] {
  const logged: { readonly [name: string]: number } = { ...metrics, ...times }
  const names = Object.keys(logged)
  const row: RunEvent = { type: 'row', step: epoch, time, metrics: names, values: names.map(name => logged[name]) }
  const evaluated = (metric: string, value: number, ids: readonly string[], scores: readonly number[]): RunEvent[] => [
    {
      type: 'evaluation',
      evaluation: { metric, step: epoch, condition: {}, value, n: ids.length, quality: 'measured' },
    },
    { type: 'samples', samples: { metric, step: epoch, condition: {}, ids, scores } },
  ]
  const ofLoss = loss === null ? [] : evaluated('val.loss', loss.mean, loss.ids, loss.losses)
  if (validation === null) return [row, ...ofLoss]
  const { ids, scores, choices } = validation
  return [
    row,
    ...ofLoss,
    ...evaluated('val.score', metrics['val.score'], ids, scores),
    {
      type: 'texts',
      texts: {
        table: 'val.score',
        step: epoch,
        condition: {},
        ids,
        repeats: ids.map(() => 0),
        inputs: ids.map(() => null),
        outputs: ids.map(() => null),
        expected: ids.map(() => null),
        choices: choices.map(choice => choice.join(' ')),
      },
    },
  ]
}

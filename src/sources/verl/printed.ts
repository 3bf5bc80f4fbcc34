import { isJsonObject, numberFromJson } from '../../model/json.js'
import type { Config } from '../../model/run.js'
import { flatten } from '../loose-json.js'
import { readPythonLiteral } from './python-literal.js'

/** What verl prints as Python values: its config, and the validation before the first step. */

/** Flat, or undefined when the text is some other dict; null when it cannot be read at all. */
export function configFromPrint(text: string): Config | undefined | null {
  const value = readPythonLiteral(text)
  if (value === undefined) return null
  if (!isJsonObject(value) || !('trainer' in value || 'actor_rollout_ref' in value)) return undefined
  return Object.fromEntries(flatten(value).leaves)
}

export interface PrintedMetrics {
  readonly metrics: readonly string[]
  readonly values: readonly number[]
}

/** `("Initial validation metrics: {'val-core/…': " "0.12}")`, which is pprint of a string with a dict in it, or plain. */
export function metricsFromPrint(text: string): PrintedMetrics | undefined {
  const sentence = /^\(?["']/.test(text) ? readPythonLiteral(text) : text
  if (typeof sentence !== 'string') return undefined
  const value = readPythonLiteral(sentence.slice(Math.max(0, sentence.indexOf('{'))))
  if (!isJsonObject(value)) return undefined
  const metrics: string[] = []
  const values: number[] = []
  for (const [metric, item] of Object.entries(value)) {
    const number = numberFromJson(item)
    if (number === undefined) continue
    metrics.push(metric)
    values.push(number)
  }
  return metrics.length === 0 ? undefined : { metrics, values }
}

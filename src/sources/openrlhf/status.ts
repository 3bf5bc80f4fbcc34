import { isJsonObject, numberFromJson } from '../../model/json.js'
import { readPythonLiteral } from '../verl/python-literal.js'

/** A dict of metrics as Python prints it: `{'policy_loss': -0.0123, 'kl': nan}`. Null when it is none. */
export interface Status {
  readonly metrics: string[]
  readonly values: number[]
}

const NUMBER_ITEM = /[{ ]'([^'\\]{1,200})': (-?\d[\d.]*(?:e[-+]?\d+)?)(?=, |\}$),?/y

export function readStatus(text: string): Status | null {
  return readPlain(text) ?? readAny(text)
}

/** The usual case, five times as fast: nothing but finite numbers. */
function readPlain(text: string): Status | null {
  const metrics: string[] = []
  const values: number[] = []
  let at = 0
  while (at < text.length - 1) {
    NUMBER_ITEM.lastIndex = at
    const match = NUMBER_ITEM.exec(text)
    if (match === null) return null
    metrics.push(match[1])
    values.push(Number(match[2]))
    at = NUMBER_ITEM.lastIndex
  }
  return metrics.length > 0 && text.endsWith('}') && values.every(Number.isFinite) ? { metrics, values } : null
}

/** With nan, None, lists, or `tensor(0.1)`; what is no number is left out. */
function readAny(text: string): Status | null {
  const dict = readPythonLiteral(text)
  if (!isJsonObject(dict)) return null
  const metrics: string[] = []
  const values: number[] = []
  for (const [metric, item] of Object.entries(dict)) {
    const value = numberFromJson(item)
    if (value === undefined) continue
    metrics.push(metric)
    values.push(value)
  }
  return { metrics, values }
}

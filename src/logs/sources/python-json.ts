import { isJsonObject, type Json, type JsonObject, jsonNumber, numberFromJson } from '../model/json.js'

/**
 * JSON as trackers really write it. Python's json module emits bare NaN, Infinity and -Infinity, which
 * JSON.parse rejects; they become the strings that `numberFromJson` understands.
 */
export function parsePythonJson(text: string): Json | undefined {
  try {
    return JSON.parse(text)
  } catch {
    if (!text.includes('NaN') && !text.includes('Infinity')) return undefined
  }
  try {
    return JSON.parse(text.replace(STRING_OR_BARE_NUMBER, token => (token.startsWith('"') ? token : `"${token}"`)))
  } catch {
    return undefined
  }
}

/** A string that is never closed runs to the end of the text, or finding that out would take quadratic time. */
const STRING_OR_BARE_NUMBER = /"(?:[^"\\]|\\[\s\S])*(?:"|\\?$)|-?\bInfinity\b|\bNaN\b/g

/** Deeper than any real config; a guard against files nested 100,000 deep, which recursion would not survive. */
const DEEPEST = 64

/**
 * The leaves of a nested object under dotted keys. Lists are leaves. What is nested deeper than any real config
 * is left out and counted.
 */
export function flatten(
  value: Json,
  prefix = '',
  leaves = new Map<string, Json>(),
  depth = 0,
): { readonly leaves: Map<string, Json>; readonly tooDeep: boolean } {
  if (!isJsonObject(value)) {
    if (prefix !== '' && !nestedDeeperThan(value, DEEPEST)) leaves.set(prefix, spelled(value))
    return { leaves, tooDeep: false }
  }
  if (depth >= DEEPEST) return { leaves, tooDeep: true }
  let tooDeep = false
  for (const [key, child] of Object.entries(value)) {
    const path = prefix === '' ? key : `${prefix}.${key}`
    if (flatten(child, path, leaves, depth + 1).tooDeep) tooDeep = true
  }
  return { leaves, tooDeep }
}

function nestedDeeperThan(value: Json, limit: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (limit === 0) return true
  return Object.values(value).some(child => nestedDeeperThan(child, limit - 1))
}

/** `1e999` is valid JSON for an infinity, which could not be written as JSON again. */
function spelled(value: Json): Json {
  if (typeof value === 'number') return jsonNumber(value)
  if (Array.isArray(value)) return value.map(spelled)
  if (!isJsonObject(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, child]) => [key, spelled(child)]))
}

export interface Numbers {
  readonly metrics: readonly string[]
  readonly values: readonly number[]
}

/** The members of an object that are numbers. */
export function numbersIn(object: JsonObject): Numbers {
  const metrics: string[] = []
  const values: number[] = []
  for (const [metric, member] of Object.entries(object)) {
    const value = numberFromJson(member)
    if (value === undefined) continue
    metrics.push(metric)
    values.push(value)
  }
  return { metrics, values }
}

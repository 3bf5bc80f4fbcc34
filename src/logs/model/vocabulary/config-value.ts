import { type Json, numberFromJson } from '../json.js'

/** Config values as they arrive: typed from YAML and JSON, as Python's words from command lines, as 1 and 0 from flags. */

export function truthOf(value: Json | undefined): boolean | null {
  if (typeof value === 'boolean') return value
  switch (String(value).trim().toLowerCase()) {
    case 'true':
    case '1':
    case 'yes':
    case 'on':
      return true
    case 'false':
    case '0':
    case 'no':
    case 'off':
      return false
    default:
      return null
  }
}

export function numberOf(value: Json | undefined): number | null {
  if (typeof value === 'string' && NUMBER.test(value.trim())) return Number(value)
  return numberFromJson(value) ?? null
}

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i

/** Python's None, YAML's null, and a key that is not there, are all nothing. */
export function isNothing(value: Json | undefined): boolean {
  return value === undefined || value === null || value === '' || value === 'None' || value === 'null'
}

/** A value without the spelling of its source: "5e-6" is a number, "True" a truth, "None" nothing. */
export function plainValue(value: Json): Json {
  if (typeof value !== 'string') return value
  if (isNothing(value)) return null
  const word = value.trim().toLowerCase()
  if (word === 'true' || word === 'false') return word === 'true'
  return NUMBER.test(word) ? Number(word) : value
}

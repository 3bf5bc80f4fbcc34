/** Values that JSON can carry: what a config holds and what a cursor is made of. */
export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json }

export type JsonObject = { readonly [key: string]: Json }

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * A number as klens's JSON writes it: NaN and the infinities are strings, because JSON has no other way
 * and a silent null would look like a missing value. `Number` turns it back.
 */
export type JsonNumber = number | 'NaN' | 'Infinity' | '-Infinity'

export function jsonNumber(value: number): JsonNumber
export function jsonNumber(value: number | null): JsonNumber | null
export function jsonNumber(value: number | null): JsonNumber | null {
  if (value === null || Number.isFinite(value)) return value
  return Number.isNaN(value) ? 'NaN' : value > 0 ? 'Infinity' : '-Infinity'
}

/** The number behind a JSON value, or undefined. Accepts the strings that trackers write for NaN and infinities. */
export function numberFromJson(value: unknown): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string') return undefined
  switch (value) {
    case 'NaN':
    case 'nan':
      return Number.NaN
    case 'Infinity':
    case 'inf':
      return Number.POSITIVE_INFINITY
    case '-Infinity':
    case '-inf':
      return Number.NEGATIVE_INFINITY
    default:
      return undefined
  }
}

/** JSON with NaN and the infinities as strings. */
export function encodeJson(value: unknown): string {
  return JSON.stringify(value, (_, member) =>
    typeof member === 'number' && !Number.isFinite(member) ? String(member) : member,
  )
}

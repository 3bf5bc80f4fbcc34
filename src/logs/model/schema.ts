import { z } from 'zod'
import type { Json, JsonNumber } from './json.js'

/** Schemas that answers share: they are read, never changed. */

export function list<Item extends z.ZodType>(item: Item) {
  return z.array(item).readonly()
}

export function pair<Item extends z.ZodType>(item: Item) {
  return z.tuple([item, item]).readonly()
}

export const json: z.ZodType<Json> = z.json()

/** A number, or the word for one that JSON has no way to write. */
export const figure: z.ZodType<JsonNumber> = z.union([z.number(), z.enum(['NaN', 'Infinity', '-Infinity'])])

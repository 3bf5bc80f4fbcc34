import type { Json } from '../model/json.js'

/** Settings that differ in one number are doses of it. */
export interface Dose {
  readonly key: string
  /** In the order of the settings. */
  readonly doses: readonly number[]
}

/** Null where they differ in nothing, in several settings, or in one that is no number. */
export function doseOf(settings: readonly { readonly [key: string]: Json }[]): Dose | null {
  const keys = new Set(settings.flatMap(each => Object.keys(each)))
  const varying = [...keys].filter(key => new Set(settings.map(each => JSON.stringify(each[key]))).size > 1)
  const [key, ...more] = varying
  if (key === undefined || more.length > 0) return null
  const doses = settings.map(each => each[key]).filter(dose => typeof dose === 'number')
  return doses.length === settings.length ? { key, doses } : null
}

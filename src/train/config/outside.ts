import { PATH_SETTINGS } from './schema.js'

/** Settings that name files, folders or servers: whoever trains for others does not let them say these. */

const SERVER = 'llm'

/** Also of a section that holds one: `data={"train": …}` says as much as `data.train=…`. */
export function isOutside(key: string): boolean {
  const isAtServer = key === SERVER || key.startsWith(`${SERVER}.`)
  return isAtServer || [...PATH_SETTINGS].some(path => path === key || path.startsWith(`${key}.`))
}

/** The key of the first of some `key=value` that is one; null where none is. */
export function outsideAmong(given: unknown): string | null {
  const words = Array.isArray(given) ? given.map(String) : []
  return words.map(word => word.split('=')[0].trim()).find(isOutside) ?? null
}

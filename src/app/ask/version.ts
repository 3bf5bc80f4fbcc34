import { existsSync, readFileSync } from 'node:fs'

/** The version in package.json, which lies two folders above the bundle and three above this file. */
export function version(): string {
  const places = ['../../package.json', '../../../package.json'].map(place => new URL(place, import.meta.url))
  const manifest = JSON.parse(readFileSync(places.find(existsSync) ?? places[0], 'utf8'))
  return String(manifest.version)
}

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** A file on its way into an archive: folders follow from the paths, links do not occur. */
export interface Entry {
  readonly path: string
  readonly executable: boolean
  readonly bytes: Uint8Array
}

/** The files below a folder, in an order that does not depend on the machine. */
export function readEntries(folder: string, keep: (path: string) => boolean = () => true): Entry[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(path => path.replaceAll('\\', '/'))
    .filter(path => statSync(join(folder, path)).isFile() && keep(path))
    .sort()
    .map(path => ({
      path,
      executable: (statSync(join(folder, path)).mode & 0o100) !== 0,
      bytes: readFileSync(join(folder, path)),
    }))
}

export function textEntry(path: string, text: string, executable = false): Entry {
  return { path, executable, bytes: Buffer.from(text) }
}

export function under(folder: string, entries: readonly Entry[]): Entry[] {
  return entries.map(entry => ({ ...entry, path: `${folder}/${entry.path}` }))
}

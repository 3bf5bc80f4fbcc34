import { dirname } from 'node:path'
import { runNameFromPath } from './run-name.js'
import type { Belonging, SourceFile } from './source.js'

/** A log that is a run by itself, known again by its first line, which stays while it grows. */
export function loneLog(source: string, file: SourceFile, head: string, name = runNameFromPath(file.path)): Belonging {
  const firstRecord = head.slice(0, head.search(/[\r\n]|$/))
  return { run: `${source}:${file.path}`, name, folder: dirname(file.path), order: 0, firstRecord }
}

import { dirname } from 'node:path'
import { runNameFromPath } from '../run-name.js'
import type { Belonging, SourceFile } from '../source.js'

/** Both of verl's logs are a run by themselves, known again by their first line, which stays while they grow. */
export function belongingOf(file: SourceFile, head: string, name = runNameFromPath(file.path)): Belonging {
  const lineEnd = head.indexOf('\n')
  return {
    run: `verl:${file.path}`,
    name,
    folder: dirname(file.path),
    order: 0,
    firstRecord: lineEnd < 0 ? head : head.slice(0, lineEnd),
  }
}

import { dirname } from 'node:path'
import type { Workspace } from '../../core/store/workspace.js'

/**
 * Answers for askers of other machines: where things lie on this one is not their business. Of a path only its last part is
 * left, as in `klens export --site`, and what names the workspace's own folder, in sentences too, begins in it. Settings and
 * texts of samples stay as they were logged.
 */

/** A member of an answer that holds an absolute path. */
const PATH = /"(path|workspace|folder|file)":"((?:\/|[A-Za-z]:\\\\)(?:[^"\\]|\\.)*)"/g

/** Takes an answer as JSON. */
export function withoutFolders({ root }: Workspace): (json: string) => string {
  const inJson = (text: string): string => JSON.stringify(text).slice(1, -1)
  const [folder, inside] = [inJson(dirname(root)), inJson(`${dirname(root)}/`)]
  return json =>
    json
      .replace(PATH, (_, member: string, path: string) => `"${member}":"${path.split(/\/|\\\\/).at(-1)}"`)
      .replaceAll(inside, '')
      .replaceAll(folder, '.')
}

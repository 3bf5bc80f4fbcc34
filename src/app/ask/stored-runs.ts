import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { openWorkspace } from '../../core/store/workspace.js'

/** Where the workspace in force is, and how many runs it has, by their folders: no run is opened. */
export async function storedRuns(): Promise<{ readonly root: string; readonly runs: number }> {
  const { root } = await openWorkspace()
  const folder = join(root, 'runs')
  return { root, runs: existsSync(folder) ? readdirSync(folder).length : 0 }
}

import { stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

/** Where runs are kept: a `.klens` folder, found by walking up, like git's. */
export interface Workspace {
  readonly root: string
}

export const WORKSPACE_FOLDER = '.klens'

/** The workspace in force, or null where there is none yet. `KLENS_HOME` names a `.klens` folder itself. */
export async function findWorkspace(
  from: string = process.cwd(),
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Workspace | null> {
  if (environment.KLENS_HOME) return { root: resolve(environment.KLENS_HOME) }
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const root = join(folder, WORKSPACE_FOLDER)
    if (await isFolder(root)) return { root }
    if (dirname(folder) === folder) return null
  }
}

/** The workspace in force, or the one that the first run to be written will make in the current folder. */
export async function openWorkspace(
  from: string = process.cwd(),
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Workspace> {
  return (await findWorkspace(from, environment)) ?? { root: join(resolve(from), WORKSPACE_FOLDER) }
}

export function runFolder(workspace: Workspace, id: string): string {
  return join(workspace.root, 'runs', id)
}

export function cacheFolder(workspace: Workspace): string {
  return join(workspace.root, 'cache')
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch {
    return false
  }
}

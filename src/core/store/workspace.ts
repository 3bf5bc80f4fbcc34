import { access, constants, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { Duck } from './duck.js'
import { isAlive } from './process.js'

/**
 * Where runs are kept: a `.klens` folder, found by walking up, like git's. A workspace is opened once, handed on to all
 * that read or write runs, and closed by whoever opened it. Opening costs nothing: DuckDB starts with the first query,
 * the list of runs is made by the first that asks for it.
 */
export interface Workspace {
  readonly root: string
  readonly duck: Duck
  close(): Promise<void>
}

/** Where a run lies, and the handle through which it is read. */
export interface RunPlace {
  readonly workspace: Workspace
  readonly folder: string
}

export const WORKSPACE_FOLDER = '.klens'

/** The workspace in force, or null where there is none yet. `KLENS_HOME` names a `.klens` folder itself. */
async function findWorkspace(
  from: string = process.cwd(),
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Workspace | null> {
  if (environment.KLENS_HOME) return workspaceAt(resolve(environment.KLENS_HOME))
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const root = join(folder, WORKSPACE_FOLDER)
    if (await isFolder(root)) return workspaceAt(root)
    if (dirname(folder) === folder) return null
  }
}

/** The workspace in force, or the one that the first run to be written will make in the current folder. */
export async function openWorkspace(
  from: string = process.cwd(),
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Workspace> {
  return (await findWorkspace(from, environment)) ?? workspaceAt(join(resolve(from), WORKSPACE_FOLDER))
}

/** The workspace in this very folder, which need not be there yet. */
export function workspaceAt(root: string): Workspace {
  const duck = new Duck(() => spillFolder(root))
  return { root, duck, close: () => duck.close() }
}

/** What is learned of a workspace once, and lives as long as its handle. */
export function perWorkspace<Known>(begin: () => Known): (workspace: Workspace) => Known {
  const all = new WeakMap<Workspace, Known>()
  return workspace => {
    const known = all.get(workspace) ?? begin()
    all.set(workspace, known)
    return known
  }
}

export function runFolder({ root }: Workspace, id: string): string {
  return join(root, 'runs', id)
}

export function cacheFolder({ root }: Workspace): string {
  return join(root, 'cache')
}

let spills = 0

/**
 * A folder of this handle alone, for DuckDB's files there bear the same names in every process. What killed processes
 * left is removed. A workspace that may only be read spills where temporary files go.
 */
async function spillFolder(root: string): Promise<string> {
  spills += 1
  const name = `spill-${hostname()}-${process.pid}-${spills}`
  const cache = join(root, 'cache')
  if (!(await isFolder(root))) return join(tmpdir(), `klens-${name}`)
  try {
    await mkdir(cache, { recursive: true })
    await access(cache, constants.W_OK)
    for (const other of await readdir(cache)) {
      const pid = other.startsWith(`spill-${hostname()}-`) ? Number(other.split('-').at(-2)) : process.pid
      if (!isAlive(pid)) await rm(join(cache, other), { recursive: true, force: true })
    }
    return join(cache, name)
  } catch {
    return join(tmpdir(), `klens-${name}`)
  }
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch {
    return false
  }
}

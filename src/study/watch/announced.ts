import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { writeFileAtomically } from '../../store/atomic.js'
import { isAlive } from '../../store/process.js'
import { cacheFolder, type Workspace } from '../../store/workspace.js'

/**
 * Stops that are announced and may still be vetoed, as files in the workspace: whoever looks sees them, whichever process
 * watches. One whose watcher is gone will not happen and is none.
 */

const schema = z.object({
  run: z.string(),
  name: z.string(),
  rule: z.string(),
  /** Why, in the words of whoever watches. */
  message: z.string(),
  /** When the process is asked to stop; Unix seconds. */
  at: z.number(),
  /** Of the process that watches. */
  watcher: z.number(),
})

export type AnnouncedStop = z.infer<typeof schema>

const [STOP, KEEP] = ['stop-', 'keep-']

export async function announce(workspace: Workspace, stop: AnnouncedStop): Promise<void> {
  await mkdir(cacheFolder(workspace), { recursive: true })
  // A no to an earlier stop, which came too late, is none to this one.
  await rm(pathOf(workspace, KEEP, stop.run), { force: true })
  await writeFileAtomically(pathOf(workspace, STOP, stop.run), JSON.stringify(stop))
}

export async function withdraw(workspace: Workspace, run: string): Promise<void> {
  for (const kind of [STOP, KEEP]) await rm(pathOf(workspace, kind, run), { force: true })
}

/** Those that can still be vetoed. */
export async function announcedStops(workspace: Workspace): Promise<readonly AnnouncedStop[]> {
  const names = await readdir(cacheFolder(workspace)).catch((): string[] => [])
  // One that is being written lies beside its place under a name of its own, which no veto knows.
  const written = names.filter(name => name.startsWith(STOP) && !name.endsWith('.tmp'))
  const runs = written.map(name => name.slice(STOP.length))
  const open = runs.filter(run => !names.includes(`${KEEP}${run}`))
  const stops = await Promise.all(open.map(run => readStop(pathOf(workspace, STOP, run))))
  return stops.filter(stop => stop !== null)
}

async function readStop(path: string): Promise<AnnouncedStop | null> {
  const { data: stop } = schema.safeParse(
    await readFile(path, 'utf8')
      .then(JSON.parse)
      .catch(() => null),
  )
  return stop !== undefined && isAlive(stop.watcher) ? stop : null
}

/** Says no to a stop that is announced. */
export async function veto(workspace: Workspace, run: string): Promise<void> {
  await writeFile(pathOf(workspace, KEEP, run), '')
}

export function isVetoed(workspace: Workspace, run: string): Promise<boolean> {
  return stat(pathOf(workspace, KEEP, run)).then(
    () => true,
    () => false,
  )
}

function pathOf(workspace: Workspace, kind: string, run: string): string {
  return join(cacheFolder(workspace), `${kind}${run}`)
}

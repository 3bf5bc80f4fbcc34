import { existsSync } from 'node:fs'
import { link, mkdir, rename, rm } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { WhichCheckpoints } from '../file/sections.js'
import { checkpointsOf, filesIn, KEPT_FOLDER, stampOf } from './trial-folder.js'

/**
 * Frameworks delete all but their newest checkpoints, while a study still needs them to be evaluated. Each that it needs
 * gets a second name in the trial's folder: hard links, which cost no room until the framework's own name is gone.
 */
export interface CheckpointKeeper {
  /** Keeps what has not changed since the last look: what changes is still being written. */
  look(): Promise<void>
  /** Once the framework has ended, it deletes no more: second names of what is still there go. */
  end(): Promise<void>
}

export function checkpointKeeper(
  folder: string,
  pattern: string | null,
  wanted: readonly WhichCheckpoints[],
): CheckpointKeeper {
  const seen = new Map<string, string>()
  const kept = new Map<string, string>()
  return {
    async look() {
      const found = await checkpointsOf(folder, pattern)
      for (const { path, step } of found) {
        const name = relative(folder, path)
        if (name.startsWith(KEPT_FOLDER) || !wanted.some(which => mayAskFor(which, step))) continue
        // One that goes while it is looked at was kept before, or was never whole.
        const stamp = await stampOf(path).catch(() => null)
        if (stamp === null || stamp === '') continue
        if (seen.get(name) === stamp && kept.get(name) !== stamp && (await isLinked(folder, name)))
          kept.set(name, stamp)
        seen.set(name, stamp)
      }
    },
    async end() {
      for (const name of kept.keys()) {
        if (existsSync(join(folder, name))) await rm(join(folder, KEPT_FOLDER, name), { recursive: true, force: true })
      }
    },
  }
}

/** The last one stays by itself; which is the best is known only afterwards. */
function mayAskFor(which: WhichCheckpoints, step: number): boolean {
  if (typeof which === 'string') return which !== 'last'
  return Array.isArray(which) ? which.includes(step) : step % which.every === 0
}

/** Whole or not at all: made beside its place, then moved there. False where it could not be, as on disks without links. */
async function isLinked(folder: string, name: string): Promise<boolean> {
  const place = join(folder, KEPT_FOLDER, name)
  const made = `${place}.part`
  const from = join(folder, name)
  try {
    await rm(made, { recursive: true, force: true })
    for (const file of await filesIn(from)) {
      const to = join(made, relative(from, file))
      await mkdir(dirname(to), { recursive: true })
      await link(file, to)
    }
    await rm(place, { recursive: true, force: true })
    await rename(made, place)
    return true
  } catch {
    await rm(made, { recursive: true, force: true }).catch(() => {})
    return false
  }
}

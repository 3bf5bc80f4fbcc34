import { spawnSync } from 'node:child_process'
import { accessSync, constants, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The file system in memory that Linux has for everybody. */
const MEMORY = '/dev/shm'
/** More than all tests that run at one time leave there; a container without settings of its own has 64 MB. */
const NEEDED_BYTES = 4 * 2 ** 30

/**
 * Global setup: temporary folders in memory where the system has room there. klens waits for the disk after each file that
 * it keeps, a hundredth of a second each time, and a test looks at files that are gone a moment later; no test cuts the
 * power. Elsewhere they stay where the system puts them.
 */
export default function setup(): (() => void) | undefined {
  if (!hasRoom()) return undefined
  const folder = mkdtempSync(join(MEMORY, 'klens-tests-'))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  if (!runsPrograms(folder)) {
    remove()
    return undefined
  }
  process.env.TMPDIR = folder
  return remove
}

function hasRoom(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= NEEDED_BYTES
  } catch {
    return false
  }
}

/** Some tests write a program and start it, which a mount can forbid. */
function runsPrograms(folder: string): boolean {
  const path = join(folder, 'program')
  writeFileSync(path, '#!/bin/sh\n', { mode: 0o755 })
  return spawnSync(path).status === 0
}

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** The file system in memory that Linux has for everybody. */
const MEMORY = '/dev/shm'
/** More than all tests that run at one time leave there; a container without settings of its own has 64 MB. */
const NEEDED_BYTES = 4 * 2 ** 30

/**
 * Global setup: one folder for all temporary ones of a run of the tests, in memory where the system has room there. klens
 * waits for the disk after each file that it keeps, a hundredth of a second each time, and a test looks at files that are
 * gone a moment later; no test cuts the power.
 */
export default function setup(): () => void {
  const folder = folderInMemory() ?? mkdtempSync(join(tmpdir(), 'klens-tests-'))
  const shared = join(folder, 'shared')
  mkdirSync(shared)
  process.env.TMPDIR = folder
  process.env.KLENS_TESTS_SHARED = shared
  return () => rmSync(folder, { recursive: true, force: true })
}

function folderInMemory(): string | null {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    if (bavail * bsize < NEEDED_BYTES) return null
    const folder = mkdtempSync(join(MEMORY, 'klens-tests-'))
    if (runsPrograms(folder)) return folder
    rmSync(folder, { recursive: true })
    return null
  } catch {
    return null
  }
}

/** Some tests write a program and start it, which a mount can forbid. */
function runsPrograms(folder: string): boolean {
  const path = join(folder, 'program')
  writeFileSync(path, '#!/bin/sh\n', { mode: 0o755 })
  return spawnSync(path).status === 0
}

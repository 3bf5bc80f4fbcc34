import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** Whether a process of this machine is running; one that belongs to somebody else is, though it may not be signalled. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !isDefunct(pid)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/**
 * When a process began, as its system tells it: of two processes that had the same number one after the other, this
 * differs. Null: there is none.
 */
export function birthOf(pid: number): string | null {
  const fields = statOf(pid)
  if (fields !== null) return fields[BIRTH] ?? null
  const { stdout } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', env: { LC_ALL: 'C' } })
  return stdout?.trim() || null
}

/** Whether anything runs in a process group, though the one that began it has ended. */
export function isGroupAlive(group: number): boolean {
  try {
    process.kill(-group, 0)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
  // What is defunct still counts for the signal.
  const pids = numberedFolders('/proc')
  if (pids === null) return true
  return pids.some(pid => {
    const fields = statOf(pid)
    return fields !== null && Number(fields[GROUP]) === group && fields[STATE] !== 'Z'
  })
}

/** Killed, but not yet cleared away: in a container whose first process clears nothing away it stays like that. */
function isDefunct(pid: number): boolean {
  return statOf(pid)?.[STATE] === 'Z'
}

/** Where they stand in the fields behind the name (proc(5), which counts from 1 and the name as the second). */
const STATE = 0
const GROUP = 2
const BIRTH = 19

/** Null where there is no such process, or the system is not Linux. */
function statOf(pid: number): readonly string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name may hold spaces and brackets of its own.
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  } catch {
    return null
  }
}

function numberedFolders(path: string): readonly number[] | null {
  try {
    return readdirSync(path).map(Number).filter(Number.isInteger)
  } catch {
    return null
  }
}

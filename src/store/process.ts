import { readFileSync } from 'node:fs'

/** Whether a process of this machine is running; one that belongs to somebody else is, though it may not be signalled. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return !isDefunct(pid)
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Killed, but not yet cleared away: in a container whose first process clears nothing away it stays like that. */
function isDefunct(pid: number): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The state stands after the name, which may hold spaces and brackets of its own.
    return stat.slice(stat.lastIndexOf(')') + 2).startsWith('Z')
  } catch {
    // Not Linux.
    return false
  }
}

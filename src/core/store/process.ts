import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** A process of this machine: of two that had the same number one after the other, `birth` differs. */
export interface LocalProcess {
  readonly pid: number
  /** As the system tells it. */
  readonly birth: string
}

/** The one that has this number now; null where there is none, or the system does not tell when it began. */
export function processNumbered(pid: number): LocalProcess | null {
  const birth = isAlive(pid) ? birthOf(pid) : null
  return birth === null ? null : { pid, birth }
}

export function isStillRunning({ pid, birth }: LocalProcess): boolean {
  return isAlive(pid) && birthOf(pid) === birth
}

/** Signals this process and no later one with its number; false where it has ended, or may not be signalled. */
export function signalProcess(wanted: LocalProcess, signal: 'SIGINT' | 'SIGTERM'): boolean {
  if (!isStillRunning(wanted)) return false
  try {
    return process.kill(wanted.pid, signal)
  } catch {
    return false
  }
}

/** Whether a process of this machine is running; one that belongs to somebody else is, though it may not be signalled. */
export function isAlive(pid: number): boolean {
  // To the system 0 and numbers below it mean groups of processes.
  if (!isProcessNumber(pid)) return false
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

/** Whether this can be the number of one process. */
export function isProcessNumber(pid: number): boolean {
  return Number.isSafeInteger(pid) && pid > 0
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

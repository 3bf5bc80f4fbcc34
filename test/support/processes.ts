import { spawn } from 'node:child_process'
import { mkdirSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { birthOf, isAlive } from '../../src/core/store/process.js'

/** Processes that stand for a training, and leases that name them. */

/** Ends when it is asked to as Ctrl-C asks. */
export const POLITE = `process.on('SIGINT', () => process.exit(0)); setInterval(() => {}, 1000); console.log('up')`

/** In a group of its own, so that a signal to the group could not reach the tests. */
export async function startProcess(code: string) {
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  onTestFinished(() => void child.kill('SIGKILL'))
  await new Promise(resolve => child.stdout.once('data', resolve))
  const pid = child.pid ?? 0
  return { child, pid, birth: birthOf(pid) ?? '', isAlive: () => isAlive(pid) }
}

/** Leaves `lease.1` in a folder, dated so many seconds ahead. */
export function leaveLease(folder: string, holder: object, ahead = 0): void {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, 'lease.1')
  writeFileSync(path, JSON.stringify({ host: hostname(), purpose: 'train', token: 'x', ...holder }))
  const date = Date.now() / 1000 + ahead
  utimesSync(path, date, date)
}

import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { connect, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { z } from 'zod'
import { writeFileAtomically } from '../../../core/store/atomic.js'
import { takeLease } from '../../../core/store/lease.js'
import { isStillRunning } from '../../../core/store/process.js'
import { Problem } from '../../../logs/model/problem.js'
import { lastLines } from '../executor/job-files.js'
import { type ServiceSpec, serviceFiles, serviceSpec, serviceState, withBlanks } from './spec.js'

/**
 * The process that keeps one service: it starts it, says when it is ready, starts it again when it ends, and stops it when
 * nobody needs it any more. It belongs to no terminal and to no trial, so that a trial that is killed takes nothing from
 * the others; and the service belongs to it: where the keeper is killed itself, the service ends.
 */

const LOOK_MS = 200
/** So often in a row may a service end before it was ready, or right after. */
const MOST_STARTS = 4
/** A service that ran for so long is started again without being counted. */
const STEADY_MS = 60_000
/** A crash takes some to say why. */
const LAST_LINES = 8

/** Returns when the service has been stopped, or at once where another keeper has it. */
export async function keepService(folder: string, environment: NodeJS.ProcessEnv): Promise<void> {
  const spec = serviceSpec.parse(JSON.parse(readFileSync(join(folder, serviceFiles.spec), 'utf8')))
  mkdirSync(join(folder, serviceFiles.users), { recursive: true })
  const lease = await takeLease(folder, 'train').catch((error: unknown) => {
    if (error instanceof Problem && error.code === 'busy') return null
    throw error
  })
  if (lease === null) return
  try {
    await keep(folder, spec, environment)
  } finally {
    rmSync(join(folder, serviceFiles.state), { force: true })
    await lease.release()
  }
}

async function keep(folder: string, spec: ServiceSpec, environment: NodeJS.ProcessEnv): Promise<void> {
  const tell = (state: z.input<typeof serviceState>): Promise<void> =>
    writeFileAtomically(join(folder, serviceFiles.state), `${JSON.stringify(serviceState.parse(state))}\n`)
  // The same for every start: those who need it know it by then.
  const port = await freePort()
  const needed = neededFor(folder, spec.lingerMs)
  for (let starts = 1; needed(); starts += 1) {
    await tell({ state: 'starting', port, reason: '' })
    const began = Date.now()
    const service = start(folder, spec, port, environment)
    const deadline = began + 1000 * spec.seconds
    let isReady = false
    try {
      while (isUp(service) && needed()) {
        if (!isReady && (await answers(port, spec.ready))) {
          isReady = true
          await tell({ state: 'ready', port, reason: '' })
        }
        if (!isReady && Date.now() > deadline) break
        await pause(LOOK_MS)
      }
    } finally {
      await end(service, spec.stop.signal)
    }
    if (isReady && Date.now() - began > STEADY_MS) starts = 0
    if (!needed()) return
    if (starts < MOST_STARTS && (isReady || Date.now() < deadline)) {
      await pause(LOOK_MS)
      continue
    }
    await tell({ state: 'failed', port, reason: await lastLines(join(folder, serviceFiles.log), LAST_LINES) })
    while (needed()) await pause(LOOK_MS)
  }
}

/** Whether a living process needs it, or one may still come. */
function neededFor(folder: string, lingerMs: number): () => boolean {
  const users = join(folder, serviceFiles.users)
  let last = Date.now()
  return () => {
    const names = namesIn(users)
    if (names?.some(name => isUser(users, name))) last = Date.now()
    return names !== null && Date.now() - last <= lingerMs
  }
}

/** Null: the workspace is gone, and the programs that needed it with it. */
function namesIn(users: string): readonly string[] | null {
  try {
    return readdirSync(users)
  } catch {
    return null
  }
}

function isUser(users: string, name: string): boolean {
  try {
    return isStillRunning({ pid: Number(name), birth: readFileSync(join(users, name), 'utf8') })
  } catch {
    return false
  }
}

/**
 * For `sh -c`, as the first of a group of its own: whatever happens to the keeper, its end of the pipe is closed, and the
 * group is asked to end, is ended after some seconds, and leaves nobody. The words are arguments and never part of a line
 * that a shell reads.
 */
const GUARD = `grace=$1; shift
exec 3<&0
"$@" < /dev/null 3<&- &
service=$!
(cat > /dev/null; kill -TERM 0) <&3 > /dev/null 2>&1 &
asked=
trap 'asked=1' TERM INT HUP USR1 USR2
wait "$service"
if [ -n "$asked" ]; then
  (sleep "$grace"; kill -KILL 0) > /dev/null 2>&1 &
  wait "$service"
fi
kill -KILL 0`

function start(folder: string, spec: ServiceSpec, port: number, given: NodeJS.ProcessEnv): ChildProcess {
  const blanks = new Map([['port', String(port)]])
  const environment = Object.entries(spec.environment).map(([name, value]) => [name, withBlanks(value, blanks)])
  const log = openSync(join(folder, serviceFiles.log), 'a')
  try {
    const words = spec.words.map(word => withBlanks(word, blanks))
    const service = spawn('sh', ['-c', GUARD, 'klens-service', String(spec.stop.seconds), ...words], {
      cwd: spec.folder,
      env: { ...given, ...Object.fromEntries(environment) },
      detached: true,
      stdio: ['pipe', log, log],
    })
    // What cannot be started has ended.
    service.on('error', () => {})
    service.stdin?.on('error', () => {})
    return service
  } finally {
    closeSync(log)
  }
}

/** The guard sees to it that this takes no longer than it may. */
async function end(service: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (service.pid === undefined) return
  try {
    process.kill(-service.pid, signal)
  } catch {
    // It has just ended.
  }
  while (isUp(service)) await pause(LOOK_MS / 4)
}

function isUp({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid !== undefined && exitCode === null && signalCode === null
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

const ANSWER_MS = 2000

function answers(port: number, path: string | null): Promise<boolean> {
  return new Promise(resolve => {
    const host = '127.0.0.1'
    if (path === null) {
      const socket = connect({ host, port, timeout: ANSWER_MS })
      const tell = (answer: boolean) => () => {
        socket.destroy()
        resolve(answer)
      }
      socket.once('connect', tell(true)).once('error', tell(false)).once('timeout', tell(false))
      return
    }
    const asked = request({ host, port, path, timeout: ANSWER_MS }, response => {
      response.resume()
      resolve((response.statusCode ?? 500) < 400)
    })
    asked.once('error', () => resolve(false)).once('timeout', () => asked.destroy())
    asked.end()
  })
}

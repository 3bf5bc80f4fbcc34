import { type ChildProcess, spawn } from 'node:child_process'
import { openSync, readFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** A Ray head of one's own: started, killed with all that it has started, and started again at the same address. */
export interface Head {
  readonly address: string
  /** Ends it as a power cut would. */
  kill(): Promise<void>
  start(): Promise<void>
}

const PORTS = { gcs: 26_379, dashboard: 28_265, client: 20_001, agent: 52_400 }
/** A head takes ten seconds on a quiet machine. */
const START_WITHIN_MS = 180_000

export function rayHead(python: string, folder: string, cpus: number): Head {
  const address = `http://127.0.0.1:${PORTS.dashboard}`
  // Ray's sockets lie below this, and the path of a socket may have no more than 107 bytes.
  const temporary = join(folder, 't')
  let head: ChildProcess | null = null

  async function start(): Promise<void> {
    const log = openSync(join(folder, 'head.log'), 'a')
    const words = [
      'start',
      '--head',
      '--block',
      '--disable-usage-stats',
      `--port=${PORTS.gcs}`,
      `--dashboard-port=${PORTS.dashboard}`,
      `--ray-client-server-port=${PORTS.client}`,
      `--dashboard-agent-listen-port=${PORTS.agent}`,
      `--num-cpus=${cpus}`,
      `--temp-dir=${temporary}`,
    ]
    head = spawn(join(python, '..', 'ray'), words, { detached: true, stdio: ['ignore', log, log] })
    const deadline = Date.now() + START_WITHIN_MS
    while (!(await answers(`${address}/api/version`))) {
      if (head.exitCode !== null || Date.now() > deadline) {
        throw new Error(`no head: ${readFileSync(join(folder, 'head.log'), 'utf8').slice(-2000)}`)
      }
      await pause(250)
    }
  }

  return {
    address,
    start,
    async kill() {
      // All but its workers, which end when they find themselves alone, and what they run with them.
      if (head?.pid !== undefined && head.exitCode === null) process.kill(-head.pid, 'SIGKILL')
      head = null
      while (await answers(`${address}/api/version`)) await pause(100)
    },
  }
}

function answers(url: string): Promise<boolean> {
  return new Promise(resolve => {
    const asked = request(url, { timeout: 2000 }, response => {
      response.resume()
      resolve(response.statusCode === 200)
    })
    asked.on('error', () => resolve(false))
    asked.on('timeout', () => asked.destroy())
    asked.end()
  })
}

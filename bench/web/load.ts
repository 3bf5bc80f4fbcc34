import { readFileSync } from 'node:fs'
import { get, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import type { Settings, Table } from '../benchmark.js'
import { load } from '../machine.js'
import { fullWorkspace } from '../make-workspace.js'
import { serveKlens } from './browsing.js'

/** Two hundred pages that listen, fifty questions a second (lists, series; one comparison each second), for two minutes. */

const SECONDS = 120
const LISTENERS = 200
const A_SECOND = 50
const RUNS = 200

export async function underLoad({ small }: Settings): Promise<Table> {
  const seconds = small ? SECONDS / 10 : SECONDS
  const workspace = await fullWorkspace(RUNS, { metrics: 8, steps: 500 })
  const server = await serveKlens(workspace.root)
  const listeners = await Promise.all(Array.from({ length: LISTENERS }, () => listener(server.url)))
  const times: { readonly what: string; readonly milliseconds: number; readonly isRight: boolean }[] = []
  const asking: Promise<void>[] = []
  const before = cpuSeconds(server.pid)
  const began = performance.now()
  for (let nth = 0; nth < seconds * A_SECOND; nth += 1) {
    const due = began + (1000 * nth) / A_SECOND
    const wait = due - performance.now()
    if (wait > 0) await pause(wait)
    const { what, body } = questionOf(nth)
    const start = performance.now()
    asking.push(
      ask(`${server.url}/api/${what}`, body).then(isRight => {
        times.push({ what, milliseconds: performance.now() - start, isRight })
      }),
    )
  }
  await Promise.all(asking)
  const cpu = (cpuSeconds(server.pid) - before) / seconds
  for (const each of listeners) each.destroy()
  server.stop()
  return {
    title: `web: ${LISTENERS} listeners, ${A_SECOND} questions a second for ${seconds} s (load ${load().toFixed(1)})`,
    rows: ['run-table', 'series', 'compare'].map(what => {
      const own = times.filter(each => each.what === what)
      const sorted = own.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b)
      return {
        what,
        questions: own.length,
        'answered rightly': own.filter(({ isRight }) => isRight).length,
        'median ms': sorted[Math.floor(sorted.length / 2)],
        'p99 ms': sorted[Math.floor(sorted.length * 0.99)],
        'server CPU s a second': cpu,
      }
    }),
  }
}

function questionOf(nth: number): { readonly what: string; readonly body: object } {
  const run = `kl-${nth % RUNS}`
  if (nth % A_SECOND === 0)
    return { what: 'compare', body: { sides: [run, `kl-${(nth + 1) % RUNS}`], metric: 'actor/entropy' } }
  return nth % 2 === 0
    ? { what: 'run-table', body: { search: String(nth % 90), most: 50 } }
    : { what: 'series', body: { runs: [run], metric: ['actor/entropy', 'actor/pg_loss'], most: 600 } }
}

function listener(url: string): Promise<{ destroy(): void }> {
  return new Promise((resolve, reject) => {
    const asked = get(`${url}/api/events`, response => {
      response.resume()
      resolve({ destroy: () => asked.destroy() })
    }).on('error', reject)
  })
}

function ask(url: string, body: object): Promise<boolean> {
  return new Promise(resolve => {
    const asked = request(url, { method: 'POST', headers: { 'content-type': 'application/json' } }, response => {
      response.resume()
      response.on('end', () => resolve(response.statusCode === 200))
    })
    asked.on('error', () => resolve(false)).end(JSON.stringify(body))
  })
}

const TICKS_A_SECOND = 100

/** Of the process itself; the helper that compares counts apart. */
function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND
}

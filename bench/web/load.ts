import { cpSync, rmSync } from 'node:fs'
import { get, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Figures, type Settings, sizeOf, type Table } from '../benchmark.js'
import { DATA } from '../generate.js'
import { load } from '../machine.js'
import { fullWorkspace } from '../make-workspace.js'
import { serveKlens } from './browsing.js'
import { liveLog } from './live.js'

/**
 * Two hundred pages that listen, fifty questions a second (lists, series; one comparison each second), for two minutes,
 * while a training writes a row a second that all pages are told of. The one who asks shares the two cores: it only counts.
 */

const SECONDS = 120
const LISTENERS = 200
const A_SECOND = 50
const RUNS = 200

interface Answer {
  readonly what: string
  readonly milliseconds: number
  readonly isRight: boolean
}

export async function underLoad(settings: Settings): Promise<Table> {
  const seconds = sizeOf(settings, SECONDS)
  const { root } = await fullWorkspace(RUNS, { metrics: 8, steps: 500 })
  const home = join(DATA, `web-load-${process.pid}`)
  cpSync(root, join(home, '.klens'), { recursive: true })
  const log = liveLog(join(home, 'logs', 'live'))
  log.write()
  const server = await serveKlens(join(home, '.klens'), [join(home, 'logs')])
  const listeners = await Promise.all(Array.from({ length: LISTENERS }, () => listener(server.url)))
  const answers: Answer[] = []
  const asking: Promise<void>[] = []
  const before = server.cpuSeconds()
  const began = performance.now()
  for (let nth = 0; nth < seconds * A_SECOND; nth += 1) {
    const wait = began + (1000 * nth) / A_SECOND - performance.now()
    if (wait > 0) await pause(wait)
    if (nth % A_SECOND === 0) log.write()
    asking.push(ask(server.url, questionOf(nth)).then(answer => void answers.push(answer)))
  }
  await Promise.all(asking)
  const cpu = (server.cpuSeconds() - before) / seconds
  const heard = listeners.map(({ events }) => events())
  for (const { stop } of listeners) stop()
  await server.stop()
  rmSync(home, { recursive: true, force: true })
  const kinds = [...new Set(answers.map(({ what }) => what))]
  return {
    title: `web: ${LISTENERS} listeners, ${A_SECOND} questions a second for ${seconds} s; each listener heard of ${Math.min(...heard)} to ${Math.max(...heard)} changes; the server took ${cpu.toFixed(2)} s of CPU a second (load ${load().toFixed(1)})`,
    rows: [
      figuresOf('all', answers),
      ...kinds.map(kind =>
        figuresOf(
          kind,
          answers.filter(({ what }) => what === kind),
        ),
      ),
    ],
  }
}

function figuresOf(what: string, answers: readonly Answer[]): Figures {
  const sorted = answers.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b)
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  return {
    what,
    questions: answers.length,
    'answered rightly': answers.filter(({ isRight }) => isRight).length,
    'median ms': at(0.5),
    'p95 ms': at(0.95),
    'p99 ms': at(0.99),
    'slowest ms': at(1),
  }
}

interface Question {
  readonly what: string
  readonly body: object
  /** What a right answer must say: names of the very runs that were asked for. */
  readonly says: string
}

function questionOf(nth: number): Question {
  const [one, other] = [nth % RUNS, (nth + 1) % RUNS]
  if (nth % A_SECOND === 0) {
    const body = { sides: [`kl-${one}`, `kl-${other}`], metric: 'actor/entropy' }
    return { what: 'compare', body, says: `"kl-${other}"` }
  }
  const id = `run-${String(one).padStart(5, '0')}`
  return nth % 2 === 0
    ? { what: 'run-table', body: { search: `kl-${one}`, most: 50 }, says: `"id":"${id}"` }
    : { what: 'series', body: { runs: [id], metric: ['actor/entropy', 'actor/pg_loss'], most: 600 }, says: `"${id}"` }
}

interface Listener {
  readonly events: () => number
  readonly stop: () => void
}

function listener(url: string): Promise<Listener> {
  return new Promise((resolve, reject) => {
    let events = 0
    const asked = get(`${url}/api/events`, response => {
      response.on('data', chunk => {
        events += String(chunk).split('event: runs\n').length - 1
      })
      resolve({ events: () => events, stop: () => asked.destroy() })
    }).on('error', reject)
  })
}

function ask(url: string, { what, body, says }: Question): Promise<Answer> {
  const began = performance.now()
  return new Promise(resolve => {
    const done = (isRight: boolean): void => resolve({ what, milliseconds: performance.now() - began, isRight })
    const headers = { 'content-type': 'application/json' }
    const asked = request(`${url}/api/${what}`, { method: 'POST', headers }, response => {
      const chunks: Buffer[] = []
      response.on('data', chunk => chunks.push(chunk))
      response.on('end', () => done(response.statusCode === 200 && Buffer.concat(chunks).includes(says)))
    })
    asked.on('error', () => done(false)).end(JSON.stringify(body))
  })
}

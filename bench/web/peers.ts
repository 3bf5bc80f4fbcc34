import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { DATA, ROOT } from '../generate.js'
import { type Served, served } from './browsing.js'

/**
 * What people look at runs with, on runs of the same names. Their environments are not made here: KLENS_WEB_PEERS names
 * Python environments, with : between them, that have some of tensorboard, mlflow, trackio and aim (`pip install tensorboard
 * mlflow trackio`, and aim in one of its own); what is in none of them is left out.
 */

export interface Peer {
  readonly name: string
  serve(runs: number): Promise<Served>
  /** The page of all runs, and what must stand in it: the name of a run, in a row. */
  readonly path: string
  readonly isThere: string
}

/** How a peer is started, given the Python that has it. */
interface Tool {
  readonly name: string
  readonly module: string
  readonly path: string
  readonly isThere: string
  start(python: string, folder: string, port: number): ChildProcess
  /** Once it answers, and has read what it reads beforehand: that is not held against it. */
  isReady(url: string, runs: number): Promise<boolean>
}

export function installedPeers(): readonly Peer[] {
  return TOOLS.flatMap(tool => {
    const python = pythonWith(tool.module)
    return python === null ? [] : [peerOf(tool, python)]
  })
}

const ENVIRONMENTS = (process.env.KLENS_WEB_PEERS ?? join(DATA, 'web-peers')).split(':')

function pythonWith(module: string): string | null {
  const pythons = ENVIRONMENTS.map(folder => join(folder, 'bin', 'python')).filter(path => existsSync(path))
  return pythons.find(python => spawnSync(python, ['-c', `import ${module}`]).status === 0) ?? null
}

function peerOf({ name, module, path, isThere, start, isReady }: Tool, python: string): Peer {
  return {
    name,
    path,
    isThere,
    async serve(runs) {
      const folder = dataOf(module, python, runs)
      const port = await freePort()
      const url = `http://127.0.0.1:${port}`
      const child = start(python, folder, port)
      await answering(name, () => isReady(url, runs))
      return served(child, url)
    },
  }
}

/** Few and short, which is in their favour. */
const METRICS = 2
const STEPS = 5

/** Made once. */
function dataOf(tool: string, python: string, runs: number): string {
  const folder = join(DATA, `web-${tool}-${runs}`)
  if (existsSync(folder)) return folder
  console.error(`  making ${runs} runs for ${tool} …`)
  const script = join(ROOT, 'bench', 'peers', 'web-data.py')
  const beside = `${folder}.part`
  rmSync(beside, { recursive: true, force: true })
  const made = spawnSync(python, [script, tool, beside, String(runs), String(METRICS), String(STEPS)], {
    stdio: 'inherit',
  })
  if (made.status !== 0) throw new Error(`${tool}: its data could not be made`)
  renameSync(beside, folder)
  return folder
}

const QUIET = { stdio: 'ignore' } as const
/** It would go on looking at ten thousand folders while the others are measured. */
const READ_ONCE = ['--load_fast', 'true', '--reload_interval', '0']

function inDatabase(folder: string): readonly string[] {
  return ['--backend-store-uri', `sqlite:///${join(folder, 'mlflow.db')}`]
}

const TOOLS: readonly Tool[] = [
  {
    name: 'TensorBoard',
    module: 'tensorboard',
    path: '/#timeseries',
    isThere: `() => [...document.querySelectorAll('tb-data-table-content-cell')].some(cell => /^kl-\\d+$/.test(cell.textContent.trim()))`,
    start: (python, folder, port) =>
      spawn(python, ['-m', 'tensorboard.main', '--logdir', folder, '--port', String(port), ...READ_ONCE], QUIET),
    async isReady(url, runs) {
      return z.array(z.string()).parse(await (await fetch(`${url}/data/runs`)).json()).length === runs
    },
  },
  {
    name: 'MLflow',
    module: 'mlflow',
    path: '/#/experiments/0/runs',
    isThere: `() => [...document.querySelectorAll('[role=row] a, [role=gridcell] a')].some(cell => /^kl-\\d+$/.test(cell.textContent.trim()))`,
    start: (python, folder, port) =>
      spawn(python, ['-m', 'mlflow', 'server', ...inDatabase(folder), '--port', String(port), '--workers', '1'], QUIET),
    isReady: async url => (await fetch(`${url}/health`)).ok,
  },
  {
    name: 'Trackio',
    module: 'trackio',
    path: '/runs?project=klens',
    isThere: `() => [...document.querySelectorAll('td, label')].some(cell => /^kl-\\d+$/.test(cell.textContent.trim()))`,
    start: (python, folder, port) =>
      spawn(python, ['-c', `import trackio; trackio.show("klens", open_browser=False, server_port=${port})`], {
        ...QUIET,
        env: { ...process.env, TRACKIO_DIR: folder },
      }),
    isReady: async url => (await fetch(url)).ok,
  },
  {
    name: 'Aim',
    module: 'aim',
    path: '/runs',
    isThere: `() => [...document.querySelectorAll('a, td, [role=cell]')].some(cell => /^kl-\\d+$/.test(cell.textContent.trim()))`,
    start: (python, folder, port) =>
      spawn(
        join(dirname(python), 'aim'),
        ['up', '--repo', folder, '--host', '127.0.0.1', '--port', String(port)],
        QUIET,
      ),
    isReady: async url => (await fetch(url)).ok,
  },
]

async function answering(name: string, isReady: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 600_000
  while (Date.now() < deadline) {
    if (await isReady().catch(() => false)) return
    await pause(500)
  }
  throw new Error(`${name} did not become ready in ten minutes`)
}

function freePort(): Promise<number> {
  return new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

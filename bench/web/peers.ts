import { spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { DATA, ROOT } from '../generate.js'
import { type Served, served } from './browsing.js'

/**
 * What people look at runs with, on runs of the same names. Their environment is not made here: KLENS_WEB_PEERS names a
 * Python environment that has tensorboard and mlflow (`pip install tensorboard mlflow`); what is missing there is left out.
 */

export interface Peer {
  readonly name: string
  serve(runs: number): Promise<Served>
  /** The page of all runs, and what must stand in it: the name of a run, in a row. */
  readonly path: string
  readonly isThere: string
}

const PYTHON = join(process.env.KLENS_WEB_PEERS ?? join(DATA, 'web-peers'), 'bin', 'python')

export function installedPeers(): readonly Peer[] {
  return [TENSORBOARD, MLFLOW].filter(
    ({ name }) => existsSync(PYTHON) && spawnSync(PYTHON, ['-c', `import ${name.toLowerCase()}`]).status === 0,
  )
}

const METRICS = 2
const STEPS = 5

/** Made once. */
function dataOf(tool: string, runs: number): string {
  const folder = join(DATA, `web-${tool}-${runs}`)
  if (existsSync(folder)) return folder
  console.error(`  making ${runs} runs for ${tool} …`)
  const script = join(ROOT, 'bench', 'peers', 'web-data.py')
  const made = spawnSync(PYTHON, [script, tool, folder, String(runs), String(METRICS), String(STEPS)], {
    stdio: 'inherit',
  })
  if (made.status !== 0) throw new Error(`${tool}: its data could not be made`)
  return folder
}

const TENSORBOARD: Peer = {
  name: 'TensorBoard',
  path: '/#timeseries',
  isThere: `() => [...document.querySelectorAll('tb-data-table-content-cell')].some(cell => /^kl-\\d+$/.test(cell.textContent.trim()))`,
  async serve(runs) {
    const port = await freePort()
    const words = [
      '-m',
      'tensorboard.main',
      '--logdir',
      dataOf('tensorboard', runs),
      '--port',
      String(port),
      '--load_fast',
      'true',
    ]
    const child = spawn(PYTHON, words, { stdio: 'ignore' })
    const url = `http://127.0.0.1:${port}`
    // Not held against it: it reads all logs before it can show them.
    await answering(
      async () => z.array(z.string()).parse(await (await fetch(`${url}/data/runs`)).json()).length === runs,
    )
    return served(child, url)
  },
}

const MLFLOW: Peer = {
  name: 'MLflow',
  path: '/#/experiments/0/runs',
  isThere: `() => [...document.querySelectorAll('[role=row] a, [role=gridcell] a')].some(cell => /^kl-\\d+$/.test(cell.textContent.trim()))`,
  async serve(runs) {
    const port = await freePort()
    const store = `sqlite:///${join(dataOf('mlflow', runs), 'mlflow.db')}`
    const words = ['-m', 'mlflow', 'server', '--backend-store-uri', store, '--port', String(port), '--workers', '1']
    const child = spawn(PYTHON, words, { stdio: 'ignore' })
    const url = `http://127.0.0.1:${port}`
    await answering(async () => (await fetch(`${url}/health`)).ok)
    return served(child, url)
  },
}

async function answering(isReady: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 600_000
  while (Date.now() < deadline) {
    if (await isReady().catch(() => false)) return
    await pause(500)
  }
  throw new Error('the peer did not become ready in ten minutes')
}

function freePort(): Promise<number> {
  return new Promise(resolve => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}

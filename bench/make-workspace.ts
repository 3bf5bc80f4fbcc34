import { cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest } from '../src/core/store/manifest.js'
import { readManifest, writeManifest } from '../src/core/store/manifest-file.js'
import { RunWriter } from '../src/core/store/run-writer.js'
import { runFolder, type Workspace, workspaceAt } from '../src/core/store/workspace.js'
import type { RunEvent } from '../src/logs/model/events.js'
import { logFile } from '../test/support/log-file.js'
import { DATA } from './generate.js'
import { madeUpMetric, madeUpMetrics } from './made-up-metrics.js'

/** Workspaces full of runs, written by the store itself and so valid by construction. Kept and made only once. */

export interface RunShape {
  /** So many that verl logs, or these. */
  readonly metrics: number | readonly string[]
  readonly steps: number
}

/** Every run with points of its own. */
export function fullWorkspace(runs: number, shape: RunShape): Promise<Workspace> {
  return madeOnce(`workspace-${shapeText(runs, shape)}`, async workspace => {
    for (let nth = 0; nth < runs; nth += 1) await writeRun(workspace, idOf(nth), shape, nth)
  })
}

/** Runs that differ in name and config only: enough for lists, and made in a fraction of the time. */
export function listedWorkspace(runs: number, shape: RunShape): Promise<Workspace> {
  return madeOnce(`list-${shapeText(runs, shape)}`, async workspace => {
    await writeRun(workspace, idOf(0), shape, 0)
    const first = await readManifest(workspace, idOf(0))
    if (first === null) throw new Error('the run that was just written is not there')
    for (let nth = 1; nth < runs; nth += 1) await copyRun(workspace, first, nth)
  })
}

function shapeText(runs: number, { metrics, steps }: RunShape): string {
  return `${runs}x${typeof metrics === 'number' ? metrics : `${metrics.length}-named`}x${steps}`
}

async function madeOnce(name: string, make: (workspace: Workspace) => Promise<void>): Promise<Workspace> {
  const workspace = workspaceAt(join(DATA, name))
  const complete = join(DATA, `${name}.complete`)
  if (existsSync(complete)) return workspace
  rmSync(workspace.root, { recursive: true, force: true })
  mkdirSync(join(workspace.root, 'runs'), { recursive: true })
  await make(workspace)
  writeFileSync(complete, '')
  return workspace
}

function idOf(nth: number): string {
  return `run-${String(nth).padStart(5, '0')}`
}

const LOG = logFile('/log.jsonl')
/** Ten million rows do not fit into memory at once. */
const ROWS_AT_ONCE = 10_000

async function writeRun(workspace: Workspace, id: string, { metrics, steps }: RunShape, seed: number): Promise<void> {
  const madeUp = typeof metrics === 'number' ? madeUpMetrics(metrics) : metrics.map(madeUpMetric)
  const names = madeUp.map(({ name }) => name)
  const writer = await RunWriter.open(workspace, { id, name: `kl-${seed}`, source: 'jsonl' }, 'import')
  const file = await writer.trackFile(null, { ...LOG, path: `/${id}.jsonl` })
  let events: RunEvent[] = [{ type: 'config', config: configOf(seed) }]
  for (let step = 0; step < steps; step += 1) {
    const values = madeUp.map(({ valueAt }) => valueAt(step) + seed)
    events.push({ type: 'row', step, time: 1_794_700_000 + step, metrics: names, values })
    if (events.length < ROWS_AT_ONCE) continue
    await writer.write(events, file)
    events = []
  }
  events.push({ type: 'status', status: 'finished' })
  await writer.write(events, file)
  await writer.close()
}

async function copyRun(workspace: Workspace, first: Manifest, nth: number): Promise<void> {
  const id = idOf(nth)
  cpSync(join(runFolder(workspace, first.id), 'points'), join(runFolder(workspace, id), 'points'), { recursive: true })
  const files = first.files.map(file => ({ ...file, path: `/${id}.jsonl` }))
  await writeManifest(workspace, { ...first, id, name: `kl-${nth}`, files, config: configOf(nth) })
}

/** About as many settings as people log themselves; verl's whole config has ten times as many. */
function configOf(seed: number): { readonly [key: string]: number | string } {
  const settings = Array.from({ length: 40 }, (_, i) => [`trainer.group_${i % 5}.setting_${i}`, i * 0.1] as const)
  return { ...Object.fromEntries(settings), 'algorithm.kl_ctrl.kl_coef': 0.001 * (seed % 7), 'data.seed': seed }
}

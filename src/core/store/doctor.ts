import { access, mkdir, readdir, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { Problem } from '../../logs/model/problem.js'
import type { Message } from '../../logs/model/run.js'
import { sentences } from '../../text/sentences.js'
import { loadRun, runIds } from './catalogue.js'
import { QueryError, sqlFiles } from './duck.js'
import { importLogs } from './ingest.js'
import { takeLease } from './lease.js'
import { changeRun, moveAside, placeAside } from './manage.js'
import type { Manifest } from './manifest.js'
import { readManifest, writeManifest } from './manifest-file.js'
import { RunState } from './run-state.js'
import { type LoadedRun, partFiles } from './series.js'
import { summariseFromDisk } from './summarise.js'
import { type RunPlace, runFolder, type Workspace } from './workspace.js'

/**
 * Whether what the manifests of a workspace list is there and whole, and what can be done where it is not. Nothing is ever
 * deleted: what is damaged is moved to `damaged/` beside `runs/`, and a run is read again from its logs where these are
 * there. Reading finds damage only where it passes; this looks everywhere.
 */

export interface RunCheck {
  readonly id: string
  /** Empty for a sound run. */
  readonly damage: readonly Damage[]
  /** Read again: its logs are all there. Reduce: they are not, and what is sound is kept. Move: it cannot be read at all. */
  readonly remedy: 'read-again' | 'reduce' | 'move' | null
}

interface Damage {
  /** Of the file. */
  readonly path: string
  readonly message: Message
}

const say = sentences({
  'doctor.missing': { en: '{path} is missing', zh: '缺少 {path}' },
  'doctor.unreadable': {
    en: '{path} cannot be read as what it should be: {reason}',
    zh: '{path} 无法按应有的格式读取：{reason}',
  },
  'doctor.other-content': {
    en: '{path} does not hold what the manifest says of it: {found} rows of {metric}, not {expected}',
    zh: '{path} 的内容与清单不符：{metric} 有 {found} 行，应为 {expected} 行',
  },
  'doctor.other-count': {
    en: '{path} holds {found} rows; the manifest says {expected}',
    zh: '{path} 有 {found} 行，清单记录为 {expected} 行',
  },
  'doctor.no-manifest': {
    en: '{path} holds data, but no run.json that says of what run',
    zh: '{path} 中有数据，但没有说明其所属 run 的 run.json',
  },
})

export async function checkStore(
  workspace: Workspace,
  { signal, onRun }: { readonly signal?: AbortSignal; readonly onRun?: (check: RunCheck) => void } = {},
): Promise<readonly RunCheck[]> {
  const checks: RunCheck[] = []
  for (const id of await runIds(workspace)) {
    signal?.throwIfAborted()
    const check = await checkRun(workspace, id)
    checks.push(check)
    onRun?.(check)
    await setImmediate()
  }
  return checks
}

export async function checkRun(workspace: Workspace, id: string): Promise<RunCheck> {
  const folder = runFolder(workspace, id)
  try {
    const run = await loadRun(workspace, id)
    if (run === null) return (await hasData(folder)) ? unidentified(id, folder) : { id, damage: [], remedy: null }
    const damage = await damageIn(run)
    if (damage.length === 0) return { id, damage, remedy: null }
    return { id, damage, remedy: (await hasItsLogs(run.manifest)) ? 'read-again' : 'reduce' }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { path = folder } = error.sentence.params
    return { id, damage: [{ path: String(path), message: error.sentence }], remedy: 'move' }
  }
}

function unidentified(id: string, folder: string): RunCheck {
  return { id, damage: [{ path: folder, message: say('doctor.no-manifest', { path: folder }) }], remedy: 'move' }
}

/** A writer that has not committed yet leaves an empty folder of points and its lease. */
async function hasData(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => [])
  const points = await readdir(join(folder, 'points')).catch(() => [])
  return !(await isHeld(folder)) && (points.length > 0 || names.some(name => name !== 'points'))
}

/** By a writer that is at work, or that was killed. */
async function isHeld(folder: string): Promise<boolean> {
  return (await readdir(folder).catch(() => [])).some(name => name.startsWith('lease.'))
}

async function damageIn(run: LoadedRun): Promise<readonly Damage[]> {
  const { folder, manifest } = run
  const found = [
    ...(await damageOfPoints(run)),
    ...(await damageOfRows(run, join(folder, 'evals.parquet'), manifest.evaluations)),
    ...(await damageOfRows(run, join(folder, 'samples.parquet'), manifest.samples)),
  ]
  for (const part of manifest.texts) found.push(...(await damageOfFile(run, join(folder, part))))
  return found
}

/** Each part, and whether all together hold as many points of each metric as were put there. */
async function damageOfPoints(run: LoadedRun): Promise<readonly Damage[]> {
  const files = partFiles(run)
  const damage: Damage[] = []
  for (const path of files) damage.push(...(await damageOfFile(run, path)))
  if (damage.length > 0 || files.length === 0) return damage
  const rows = await run.workspace.duck.readRows(
    `SELECT metric, count(*) AS n FROM read_parquet(${sqlFiles(files)}) GROUP BY metric`,
  )
  const counts = new Map(rows.map(({ metric, n }) => [String(metric), Number(n)]))
  const inLive = (metric: string): number => liveCount(run, metric)
  for (const [metric, { stored }] of run.manifest.metrics) {
    const [found, expected] = [counts.get(metric) ?? 0, stored - inLive(metric)]
    if (found === expected) continue
    const path = files.length === 1 ? files[0] : join(run.folder, 'points')
    return [{ path, message: say('doctor.other-content', { path, metric, found, expected }) }]
  }
  return []
}

function liveCount({ live }: LoadedRun, metric: string): number {
  if (live === null) return 0
  const qualities = ['measured', 'estimated', 'missing'] as const
  return qualities.reduce((sum, quality) => sum + live.pointsOf(metric, quality).steps.length, 0)
}

async function damageOfRows(run: LoadedRun, path: string, expected: number): Promise<readonly Damage[]> {
  if (expected === 0) return []
  const damage = await damageOfFile(run, path)
  if (damage.length > 0) return damage
  const [{ n }] = await run.workspace.duck.readRows(`SELECT count(*) AS n FROM read_parquet(${sqlFiles([path])})`)
  const found = Number(n)
  // Such a writer has not committed the rows beyond; the next one writes the same again.
  if (found > expected && (run.live !== null || (await isHeld(run.folder)))) return []
  return found === expected ? [] : [{ path, message: say('doctor.other-count', { path, found, expected }) }]
}

/** Reads every page of it: a file may be torn in the middle. */
async function damageOfFile({ workspace }: LoadedRun, path: string): Promise<readonly Damage[]> {
  if ((await stat(path).catch(() => null)) === null) return [{ path, message: say('doctor.missing', { path }) }]
  try {
    for await (const _ of workspace.duck.streamRows(`FROM read_parquet(${sqlFiles([path])})`));
    return []
  } catch (error) {
    if (!(error instanceof QueryError)) throw error
    const reason = error.message.split('\n')[0].slice(0, 200)
    return [{ path, message: say('doctor.unreadable', { path, reason }) }]
  }
}

/** A training of klens's own has none, and neither has a run that holds what no log does any more. */
async function hasItsLogs({ files, earlier }: Manifest): Promise<boolean> {
  if (files.length === 0 || earlier !== null) return false
  const there = await Promise.all(
    files.map(({ path }) =>
      access(path).then(
        () => true,
        () => false,
      ),
    ),
  )
  return there.every(Boolean)
}

export interface Repair {
  readonly id: string
  readonly did: 'read-again' | 'reduced' | 'moved'
  /** Where the damaged files are now. */
  readonly aside: string
}

/** Does what the check says. Null for a sound run. */
export async function repairRun(workspace: Workspace, { id, damage, remedy }: RunCheck): Promise<Repair | null> {
  switch (remedy) {
    case null:
      return null
    case 'move':
      return { id, did: 'moved', aside: await moveAside(workspace, id) }
    case 'reduce':
      return { id, did: 'reduced', aside: await reduce(workspace, id, damage) }
    case 'read-again':
      return readAgain(workspace, id)
  }
}

/** What the user said of the run stays; everything else is in its logs. */
async function readAgain(workspace: Workspace, id: string): Promise<Repair> {
  const before = await readManifest(workspace, id)
  const aside = await moveAside(workspace, id)
  const logs = before?.files.filter(({ role }) => role !== 'config').map(({ path }) => path) ?? []
  const { runs } = await importLogs(workspace, logs)
  if (before === null || !runs.some(run => run.id === id)) {
    // Logs that have become another run: what there was of this one is better than nothing.
    await rename(aside, runFolder(workspace, id))
    const { damage } = await checkRun(workspace, id)
    return { id, did: 'reduced', aside: await reduce(workspace, id, damage) }
  }
  const { givenName, tags } = before
  await changeRun(workspace, id, () => ({ givenName, tags }))
  return { id, did: 'read-again', aside }
}

/** Moves the damaged files away and lets the manifest list the others, with summaries of what is left. */
async function reduce(workspace: Workspace, id: string, damage: readonly Damage[]): Promise<string> {
  const folder = runFolder(workspace, id)
  const lease = await takeLease(folder, 'change')
  try {
    const manifest = await readManifest(workspace, id)
    const aside = await placeAside(workspace, id)
    if (manifest === null) return aside
    await mkdir(aside, { recursive: true })
    const lost = new Set(damage.map(({ path }) => path))
    const isLost = (part: string): boolean => lost.has(join(folder, part)) || lost.has(join(folder, part, '..'))
    for (const part of ['evals.parquet', 'samples.parquet', ...manifest.parts, ...manifest.texts].filter(isLost)) {
      await rename(join(folder, part), join(aside, part.replace('/', '-'))).catch(() => {})
    }
    const state = new RunState({
      ...manifest,
      parts: manifest.parts.filter(part => !isLost(part)),
      texts: manifest.texts.filter(part => !isLost(part)),
      ...(isLost('evals.parquet') && { evaluations: 0, evaluated: new Map() }),
      ...(isLost('samples.parquet') && { samples: 0 }),
    })
    await restate({ workspace, folder }, state)
    await writeManifest(workspace, state.manifest(), lease.check)
    return aside
  } finally {
    await lease.release()
  }
}

/** Counts and summaries anew, from what is left on disk. */
async function restate(place: RunPlace, state: RunState): Promise<void> {
  const files = partFiles({ folder: place.folder, manifest: state.manifest() })
  const rows =
    files.length === 0
      ? []
      : await place.workspace.duck.readRows(
          `SELECT metric, count(*) AS stored, count(*) FILTER (quality = 'estimated') AS estimated,
                  count(*) FILTER (quality = 'missing') AS missing,
                  count(*) FILTER (quality = 'measured' AND isnan(value)) AS nan,
                  count(*) FILTER (quality = 'measured' AND isinf(value)) AS infinite
           FROM read_parquet(${sqlFiles(files)}) GROUP BY metric`,
        )
  const counts = new Map(rows.map(row => [String(row.metric), row]))
  for (const name of state.manifest().metrics.keys()) {
    const row = counts.get(name)
    state.metricState(name)?.recount({
      stored: Number(row?.stored ?? 0),
      estimated: Number(row?.estimated ?? 0),
      missing: Number(row?.missing ?? 0),
      nan: Number(row?.nan ?? 0),
      infinite: Number(row?.infinite ?? 0),
    })
  }
  await summariseFromDisk(place, state)
}

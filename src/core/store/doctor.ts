import { access, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { Problem } from '../../logs/model/problem.js'
import type { Message } from '../../logs/model/run.js'
import { sentences } from '../../text/sentences.js'
import { loadRun } from './catalogue.js'
import { checksumOfFile, sameChecksum } from './checksum.js'
import { isHeld, REWRITTEN_TABLES } from './checksums.js'
import { type Duck, QueryError, sqlFiles, sqlText } from './duck.js'
import { listedFiles, type Manifest, type MetricRecord } from './manifest.js'
import { manifestPath } from './manifest-file.js'
import { runIds } from './run-index.js'
import { RunState } from './run-state.js'
import { type LoadedRun, partFiles } from './series.js'
import { summariseFromDisk } from './summarise.js'
import { runFolder, type Workspace } from './workspace.js'

/**
 * Whether what the manifests of a workspace list is there and as it was written. Reading finds damage only where it
 * passes; this looks everywhere.
 */

export interface RunCheck {
  readonly id: string
  /** Empty for a sound run. */
  readonly damage: readonly FileDamage[]
  /**
   * Read again: its logs are all there. Reduce: they are not, and what is sound is kept. Move: it cannot be read at all.
   * Update: a newer klens wrote it, and nothing is done.
   */
  readonly remedy: 'read-again' | 'reduce' | 'move' | 'update' | null
  /** No checksum was kept of some of its files: only counts and summaries could be compared. */
  readonly lacksChecksums: boolean
}

export interface FileDamage {
  /** Of the file. */
  readonly path: string
  readonly message: Message
}

const say = sentences({
  'doctor.missing': { en: '{path} is missing', zh: '缺少 {path}' },
  'doctor.changed': {
    en: '{path} was changed after it was written: its checksum differs',
    zh: '{path} 与写入时不同：校验和不一致',
  },
  'doctor.unreadable': {
    en: '{path} cannot be read as its kind of file: {reason}',
    zh: '{path} 无法按应有的格式读取：{reason}',
  },
  'doctor.not-listed': {
    en: '{path} was edited: it has a checksum of {name} but does not list it',
    zh: '{path} 被改动过：其中有 {name} 的校验和，却未列出该文件',
  },
  'doctor.other-content': {
    en: '{path} does not match the manifest: {found} row{found||s} of {metric}, not {expected}',
    zh: '{path} 的内容与清单不符：{metric} 有 {found} 行，应为 {expected} 行',
  },
  'doctor.other-summary': {
    en: '{path} says that {field} of {metric} is {expected}; its points give {found}',
    zh: '{path} 中 {metric} 的 {field} 为 {expected}，而数据点给出 {found}',
  },
  'doctor.other-count': {
    en: '{path} has {found} row{found||s}; the manifest says {expected}',
    zh: '{path} 有 {found} 行，清单记录为 {expected} 行',
  },
  'doctor.no-manifest': {
    en: '{path} has data, but no run.json that names its run',
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
  const sound: RunCheck = { id, damage: [], remedy: null, lacksChecksums: false }
  try {
    const run = await loadRun(workspace, id)
    if (run === null) {
      if (!(await hasData(folder))) return sound
      return {
        ...sound,
        damage: [{ path: folder, message: say('doctor.no-manifest', { path: folder }) }],
        remedy: 'move',
      }
    }
    const { manifest } = run
    const lacksChecksums = listedFiles(manifest).some(name => !manifest.checksums.has(name))
    const damage = await damageIn(run)
    if (damage.length === 0) return { ...sound, lacksChecksums }
    return { id, damage, remedy: (await hasItsLogs(manifest)) ? 'read-again' : 'reduce', lacksChecksums }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { path = folder } = error.sentence.params
    const remedy = error.code === 'unreadable' ? 'update' : 'move'
    return { ...sound, damage: [{ path: String(path), message: error.sentence }], remedy }
  }
}

/** A writer that has not committed yet leaves an empty folder of points and its lease. */
async function hasData(folder: string): Promise<boolean> {
  const names = await readdir(folder).catch(() => [])
  const points = await readdir(join(folder, 'points')).catch(() => [])
  return !isHeld(folder) && (points.length > 0 || names.some(name => name !== 'points'))
}

async function damageIn(run: LoadedRun): Promise<readonly FileDamage[]> {
  const { workspace, folder, manifest } = run
  const listed = listedFiles(manifest)
  const damage: FileDamage[] = []
  for (const name of listed) damage.push(...(await damageOfFile(run, name)))
  const path = manifestPath(workspace, manifest.id)
  for (const name of manifest.checksums.keys()) {
    if (!listed.includes(name)) damage.push({ path, message: say('doctor.not-listed', { path, name }) })
  }
  const isSound = (name: string): boolean => !damage.some(each => each.path === join(folder, name))
  if (damage.length === 0) damage.push(...(await damageOfPoints(run)))
  for (const [name, rows] of [
    ['evals.parquet', manifest.evaluations],
    ['samples.parquet', manifest.samples],
  ] as const) {
    if (rows > 0 && isSound(name)) damage.push(...(await damageOfRows(run, join(folder, name), rows)))
  }
  return damage
}

/** Whether it is as it was written. One without a checksum is read page by page: it may be torn in the middle. */
async function damageOfFile({ workspace, folder, manifest }: LoadedRun, name: string): Promise<readonly FileDamage[]> {
  const path = join(folder, name)
  const known = manifest.checksums.get(name)
  const found = await checksumOfFile(path)
  if (found === null) return [{ path, message: say('doctor.missing', { path }) }]
  if (sameChecksum(found, known)) return []
  // A writer that is at work, or was killed, has not committed it yet; the next one writes the same again.
  if (known !== undefined && !(REWRITTEN_TABLES.has(name) && isHeld(folder))) {
    return [{ path, message: say('doctor.changed', { path }) }]
  }
  try {
    for await (const _ of workspace.duck.streamRows(`FROM read_parquet(${sqlFiles([path])})`));
    return []
  } catch (error) {
    if (!(error instanceof QueryError)) throw error
    const reason = error.message.split('\n')[0].slice(0, 200)
    return [{ path, message: say('doctor.unreadable', { path, reason }) }]
  }
}

/** Whether all parts together hold of each metric what the manifest says: rows, first, last, least, greatest and sum. */
async function damageOfPoints(run: LoadedRun): Promise<readonly FileDamage[]> {
  const { workspace, folder, manifest } = run
  const files = partFiles(run)
  const metrics = [...manifest.metrics.keys()]
  const counts = await countRows(workspace.duck, files, metrics)
  const isOfParts = files.length > 0 && manifest.parts.some(part => !manifest.checksums.has(part))
  const parts = files.length === 1 ? files[0] : join(folder, 'points')
  const path = isOfParts ? parts : manifestPath(workspace, manifest.id)
  for (const [at, metric] of metrics.entries()) {
    const [found, expected] = [counts[at].stored, (manifest.metrics.get(metric)?.stored ?? 0) - liveCount(run, metric)]
    if (found !== expected) return [{ path, message: say('doctor.other-content', { path, metric, found, expected }) }]
  }
  if (run.live !== null) return []
  const state = new RunState(manifest)
  for (const metric of metrics) state.metricState(metric)?.recount({})
  await summariseFromDisk(run, state)
  for (const [metric, told] of manifest.metrics) {
    const found = state.metricState(metric)?.record()
    const field = found === undefined || told.stale ? undefined : SUMMARY.find(each => !agrees(each, found, told))
    if (found === undefined || field === undefined) continue
    const values = { found: String(found[field]), expected: String(told[field]) }
    return [{ path, message: say('doctor.other-summary', { path, metric, field, ...values }) }]
  }
  return []
}

const SUMMARY = ['n', 'first', 'last', 'firstStep', 'lastStep', 'min', 'max', 'finite', 'sum'] as const

/** Sums to nine digits: earlier versions may have added in another order. */
function agrees(field: (typeof SUMMARY)[number], found: MetricRecord, told: MetricRecord): boolean {
  if (field !== 'sum') return found[field] === told[field] || (Number.isNaN(found[field]) && Number.isNaN(told[field]))
  const scale = found.finite * Math.max(Math.abs(found.min), Math.abs(found.max))
  return !(Math.abs(found.sum - told.sum) > 1e-9 * scale)
}

function liveCount({ live }: LoadedRun, metric: string): number {
  if (live === null) return 0
  const qualities = ['measured', 'estimated', 'missing'] as const
  return qualities.reduce((sum, quality) => sum + live.pointsOf(metric, quality).steps.length, 0)
}

async function damageOfRows(run: LoadedRun, path: string, expected: number): Promise<readonly FileDamage[]> {
  const [{ n }] = await run.workspace.duck.readRows(`SELECT count(*) AS n FROM read_parquet(${sqlFiles([path])})`)
  const found = Number(n)
  // Such a writer has not committed the rows beyond; the next one writes the same again.
  if (found > expected && (run.live !== null || isHeld(run.folder))) return []
  return found === expected ? [] : [{ path, message: say('doctor.other-count', { path, found, expected }) }]
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

type Counts = Pick<MetricRecord, 'stored' | 'estimated' | 'missing' | 'nan' | 'infinite'>

/** By the place of the metric: a name that begins with a byte order mark does not come back from DuckDB as it went. */
export async function countRows(duck: Duck, files: readonly string[], metrics: readonly string[]): Promise<Counts[]> {
  const counts = metrics.map((): Counts => ({ stored: 0, estimated: 0, missing: 0, nan: 0, infinite: 0 }))
  if (files.length === 0 || metrics.length === 0) return counts
  const rows = await duck.readRows(
    `SELECT list_position([${metrics.map(sqlText).join(', ')}], metric) AS at, stored, estimated, missing, nan, infinite
     FROM (SELECT metric, count(*) AS stored, count(*) FILTER (quality = 'estimated') AS estimated,
                  count(*) FILTER (quality = 'missing') AS missing,
                  count(*) FILTER (quality = 'measured' AND isnan(value)) AS nan,
                  count(*) FILTER (quality = 'measured' AND isinf(value)) AS infinite
           FROM read_parquet(${sqlFiles(files)}) GROUP BY metric)`,
  )
  for (const { at, stored, estimated, missing, nan, infinite } of rows) {
    if (at === null) continue
    counts[Number(at) - 1] = {
      stored: Number(stored),
      estimated: Number(estimated),
      missing: Number(missing),
      nan: Number(nan),
      infinite: Number(infinite),
    }
  }
  return counts
}

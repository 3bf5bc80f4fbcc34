import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { RunEvent } from '../model/events.js'
import { isJsonObject, type Json } from '../model/json.js'
import { readConfigFile } from '../sources/config-file.js'
import { discover, type FoundRun, type RunFile, tablePrefix } from '../sources/discover.js'
import type { Hints, SourceFile } from '../sources/source.js'
import { fileProblem, type Skipped } from '../sources/walk.js'
import { message } from '../text/say.js'
import { fingerprintOf, listRuns } from './catalogue.js'
import { validationEvents } from './derive.js'
import { damagedPart, StoreUnwritable, writeProblem } from './disk-problem.js'
import { LeaseHeld } from './lease.js'
import { type FileRecord, type Manifest, readManifest } from './manifest.js'
import { RunWriter } from './run-writer.js'
import type { Workspace } from './workspace.js'

/** From logs to the store: finds runs, reads what is new in their files, keeps it. Importing twice changes nothing. */

export interface ImportProgress {
  readonly run: string
  readonly runs: number
  readonly nth: number
  readonly bytes: number
  readonly totalBytes: number
  readonly points: number
}

export interface ImportOptions {
  readonly hints?: Hints
  readonly onProgress?: (progress: ImportProgress) => void
  /** Asks to stop at the next clean point; what was read until then is kept. */
  readonly signal?: AbortSignal
}

export interface ImportResult {
  readonly runs: readonly Manifest[]
  readonly skipped: readonly Skipped[]
}

export async function importLogs(
  workspace: Workspace,
  paths: readonly string[],
  { hints = {}, onProgress, signal }: ImportOptions = {},
): Promise<ImportResult> {
  const discovery = await discover(paths, hints)
  const skipped = [...discovery.skipped]
  const runs: Manifest[] = []
  const totalBytes = discovery.runs.reduce((sum, run) => sum + bytesOf(run), 0)
  let bytesBefore = 0
  let points = 0
  for (const [index, found] of discovery.runs.entries()) {
    const report = (bytes: number, newPoints: number): void => {
      points += newPoints
      const progress = { run: found.name, runs: discovery.runs.length, nth: index + 1, points, totalBytes }
      onProgress?.({ ...progress, bytes: bytesBefore + bytes })
    }
    report(0, 0)
    try {
      runs.push(await importRun(workspace, found, { hints, report, signal }))
    } catch (error) {
      if (signal?.aborted) throw error
      refuseWhenUnwritable(error, workspace)
      skipped.push({ path: found.logs[0].file.path, reason: importProblem(error, found) })
    }
    bytesBefore += bytesOf(found)
  }
  return { runs, skipped }
}

type Report = (bytes: number, newPoints: number) => void

interface Reading {
  readonly hints: Hints
  readonly report: Report
  readonly signal: AbortSignal | undefined
}

async function importRun(workspace: Workspace, found: FoundRun, reading: Reading): Promise<Manifest> {
  const known = await readManifest(workspace, found.id)
  if (known !== null && isUpToDate(known, found)) return known
  const writer = await openPatiently(workspace, found)
  try {
    await readNew(writer, found, reading)
    await finish(workspace, writer)
    return await writer.close()
  } catch (error) {
    await writer.abandon()
    throw error
  }
}

/** What belongs at the end of a reading: evaluations out of validation series, and whether this is a copy. */
export async function finish(workspace: Workspace, writer: RunWriter): Promise<void> {
  await writer.toDisk()
  await writer.write(await validationEvents(workspace, writer.written()), 0)
  writer.state.change({ duplicateOf: await findOriginal(workspace, writer.state.manifest()) })
}

/** Reads what a run's files hold beyond what the store has. */
export async function readNew(writer: RunWriter, found: FoundRun, reading: Reading): Promise<void> {
  if (mustReadAnew(writer.state.manifest(), found)) await writer.replace()
  let bytesBefore = 0
  for (const [role, files] of [
    ['log', found.logs],
    ['table', found.tables],
  ] as const) {
    for (const runFile of files) {
      const report: Report = (bytes, points) => reading.report(bytesBefore + bytes, points)
      await readFileInto(writer, runFile, role, { ...reading, report })
      bytesBefore += runFile.file.size
    }
  }
  for (const file of found.configs) await readConfigInto(writer, file)
}

async function readFileInto(
  writer: RunWriter,
  { file, source, run }: RunFile,
  role: 'log' | 'table',
  { hints, report, signal }: Reading,
): Promise<void> {
  const known = knownFile(writer.state.manifest().files, file)
  // A log of a run that runs may have ended by falling silent; what cannot be continued would be read twice.
  const mayHaveEnded = writer.state.manifest().status === 'running' && known?.cursor !== null
  if (known !== null && isSame(known, file) && !mayHaveEnded) return
  const cursor = known?.cursor ?? null
  const index = await writer.noteFile(known, {
    ...fingerprint(file),
    source: source.id,
    role,
    complete: false,
    cursor,
    unreadBytes: known?.unreadBytes ?? 0,
    warnings: known?.warnings ?? [],
  })
  const named = role === 'table' ? prefixer(tablePrefix(file.path)) : (events: readonly RunEvent[]) => events
  for await (const events of source.read(file, { run, cursor, hints })) {
    await writer.write(named(events), index)
    const points = events.reduce((sum, event) => sum + (event.type === 'row' ? event.values.length : 0), 0)
    report(offsetOf(events, file), points)
    if (signal?.aborted) {
      await writer.flush()
      signal.throwIfAborted()
    }
  }
  writer.state.completeFile(index)
}

async function readConfigInto(writer: RunWriter, file: SourceFile): Promise<void> {
  const known = knownFile(writer.state.manifest().files, file)
  if (known !== null && isSame(known, file)) return
  const { config, warnings } = await readConfigFile(file.path)
  const record = { ...fingerprint(file), source: 'config', role: 'config', cursor: null, unreadBytes: 0 } as const
  const index = await writer.noteFile(known, { ...record, complete: true, warnings })
  await writer.write([{ type: 'config', config }], index)
}

/** A file that changed other than by growing cannot be continued: the whole run is read again. */
function mustReadAnew(manifest: Manifest, found: FoundRun): boolean {
  if (manifest.files.length === 0) return false
  return [...found.logs, ...found.tables].some(({ file, source }) => {
    const known = knownFile(manifest.files, file)
    if (known === null) {
      return source.keep === 'newest' && manifest.files.some(other => other.source === source.id)
    }
    if (isSame(known, file)) return false
    if (file.size < known.size || !startsAlike(known, file)) return true
    return !source.grows || known.cursor === null
  })
}

function isUpToDate(manifest: Manifest, { logs, tables, configs }: FoundRun): boolean {
  if (manifest.status === 'running' || manifest.liveFolded !== null) return false
  const files = [...logs, ...tables].map(({ file }) => file).concat(configs)
  return files.every(file => {
    const known = knownFile(manifest.files, file)
    return known !== null && isSame(known, file)
  })
}

/** The record of this very file, or of one that it is a copy of (a W&B folder that was moved or copied). */
function knownFile(files: readonly FileRecord[], file: SourceFile): FileRecord | null {
  return files.find(({ path }) => path === file.path) ?? files.find(known => startsAlike(known, file)) ?? null
}

function isSame(known: FileRecord, file: SourceFile): boolean {
  if (!known.complete) return false
  if (known.path === file.path) return known.size === file.size && known.modifiedMs === file.modifiedMs
  return file.size <= known.size
}

function startsAlike(known: FileRecord, file: SourceFile): boolean {
  return file.size >= known.headBytes && hashOf(file.head.subarray(0, known.headBytes)) === known.headHash
}

/** Enough to tell logs apart (a W&B header with its run record), and so little that a cut copy still has it. */
const FINGERPRINT_BYTES = 4096

function fingerprint(file: SourceFile): Pick<FileRecord, 'path' | 'size' | 'modifiedMs' | 'headBytes' | 'headHash'> {
  const headBytes = Math.min(FINGERPRINT_BYTES, file.head.length)
  const { path, size, modifiedMs } = file
  return { path, size, modifiedMs, headBytes, headHash: hashOf(file.head.subarray(0, headBytes)) }
}

function hashOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, 32)
}

/** Another run whose log starts and ends alike and whose every metric sums up alike holds the same data. */
async function findOriginal(workspace: Workspace, manifest: Manifest): Promise<string | null> {
  const mine = fingerprintOf(manifest)
  const summary = JSON.stringify([...manifest.metrics])
  for (const { id, fingerprint } of (await listRuns(workspace)).entries) {
    if (id === manifest.id || fingerprint !== mine || mine === '') continue
    const other = await readManifest(workspace, id)
    if (other === null || other.duplicateOf === manifest.id) continue
    if (JSON.stringify([...other.metrics]) === summary) return other.duplicateOf ?? id
  }
  return null
}

/** Sources pass the same array of names for rows of equal shape; the prefixed ones are shared in the same way. */
function prefixer(prefix: string): (events: readonly RunEvent[]) => RunEvent[] {
  const prefixed = new WeakMap<readonly string[], readonly string[]>()
  return events =>
    events.map(event => {
      if (event.type !== 'row') return event
      const metrics = prefixed.get(event.metrics) ?? event.metrics.map(name => `${prefix}${name}`)
      prefixed.set(event.metrics, metrics)
      return { ...event, metrics }
    })
}

/** How far the file has been read, for the progress bar: cursors of growing sources say so. */
function offsetOf(events: readonly RunEvent[], file: SourceFile): number {
  const last = events.findLast(event => event.type === 'cursor')
  const cursor: Json = last?.type === 'cursor' ? last.cursor : null
  return isJsonObject(cursor) && typeof cursor.offset === 'number' ? cursor.offset : file.size
}

/** Another import of the same run will be done soon; a follower will not. */
const PATIENCE_MS = 10_000

async function openPatiently(workspace: Workspace, found: FoundRun): Promise<RunWriter> {
  const deadline = Date.now() + PATIENCE_MS
  const identity = { id: found.id, name: found.name, source: found.source.id }
  for (;;) {
    try {
      return await RunWriter.open(workspace, identity, 'import')
    } catch (error) {
      if (!(error instanceof LeaseHeld) || error.holder.purpose !== 'import' || Date.now() > deadline) throw error
      await pause(100)
    }
  }
}

function refuseWhenUnwritable(error: unknown, { root }: Workspace): void {
  const problem = writeProblem(error)
  if (problem === null) return
  if (problem.kind === 'full' || problem.path?.startsWith(root)) throw new StoreUnwritable({ ...problem, path: root })
}

function importProblem(error: unknown, found: FoundRun): Skipped['reason'] {
  if (error instanceof LeaseHeld) {
    const { pid, host } = error.holder
    return message('skip.busy', { run: found.id, pid: String(pid), host })
  }
  const damaged = damagedPart(error)
  if (damaged !== null) return message('skip.damaged', { ...damaged })
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (['ENOENT', 'EACCES', 'EPERM', 'EIO'].includes(code)) return fileProblem(error)
  return message('skip.failed', { reason: error instanceof Error ? error.message : String(error) })
}

function bytesOf(run: FoundRun): number {
  return [...run.logs, ...run.tables].reduce((sum, { file }) => sum + file.size, 0)
}

import type { RunEvent } from '../../logs/model/events.js'
import { isJsonObject, type Json } from '../../logs/model/json.js'
import { Problem } from '../../logs/model/problem.js'
import type { Message } from '../../logs/model/run.js'
import { readConfigFile } from '../../logs/sources/config/config-file.js'
import { discover, prefixMetrics } from '../../logs/sources/discover.js'
import type { FoundRun, RunFile } from '../../logs/sources/run-identity.js'
import type { Hints, SourceFile } from '../../logs/sources/source.js'
import { sayCommon, warning } from '../../logs/sources/source-helpers.js'
import { fileProblem, type Skipped } from '../../logs/sources/walk.js'
import { message } from '../../text/say.js'
import { sentences } from '../../text/sentences.js'
import { type AttachedRuns, attachEvaluations, attachedFiles } from './attach-evaluations.js'
import { damageOf, storeProblem } from './disk-problem.js'
import { finishRun } from './finish-run.js'
import { identifyRuns, type KnownRuns, knownRuns, relocated } from './identify-runs.js'
import { type ImportedRun, joinImported } from './join-runs.js'
import { changesSinceRead, isAppendedTo, isExchanged, isSame, isUpToDate, knownFile, logFileOf } from './log-file.js'
import { changeRun, moveAside, removeRun, withChecksums } from './manage.js'
import type { FileRecord, Manifest } from './manifest.js'
import { readKeptManifest, readManifest } from './manifest-file.js'
import { Overtaken, RunWriter } from './run-writer.js'
import { secondaryLog } from './secondary-log.js'
import type { LoadedRun } from './series.js'
import { keepStepColumns, withStepColumns } from './step-columns.js'
import { keepLater } from './unkept.js'
import { runFolder, type Workspace } from './workspace.js'

/** From logs to the store: finds runs, reads what is new in their files, keeps it. Importing twice changes nothing. */

export interface ImportProgress {
  readonly run: string
  readonly runs: number
  readonly nth: number
  readonly bytes: number
  readonly totalBytes: number
  readonly points: number
}

interface ImportOptions {
  readonly hints?: Hints
  readonly onProgress?: (progress: ImportProgress) => void
  /** Asks to stop at the next clean point; what was read until then is kept. */
  readonly signal?: AbortSignal
  /** What a log held before something else was written over it is kept, and the new is added to it. */
  readonly keepsEarlier?: boolean
  /** False: runs that turn out to hold the same values are left as they are. */
  readonly joins?: boolean
  /**
   * Given: new runs that fit into memory are kept later (`keepUnkept`), and this hears of one that another process holds
   * then. What else keeps one from being kept is thrown there.
   */
  readonly onUnkept?: (reason: Message) => void
  /** The id of a run whose logs are read from their beginning, whatever the store has of it. */
  readonly anew?: string
}

interface ImportResult {
  readonly runs: readonly Manifest[]
  /** Ids of those that another process is writing: the store has them as far as that has come. */
  readonly held: readonly string[]
  /** Of the runs the ones that were written just now and are small, with their points still in memory, by id. */
  readonly recent: ReadonlyMap<string, LoadedRun>
  readonly skipped: readonly Skipped[]
}

export async function importLogs(
  workspace: Workspace,
  paths: readonly string[],
  { hints: asked = {}, onProgress, signal, keepsEarlier = false, joins = true, onUnkept, anew }: ImportOptions = {},
): Promise<ImportResult> {
  const hints = await withStepColumns(workspace, asked)
  const discovery = await discover(paths, hints)
  const identified = await identifyRuns(workspace, discovery.runs, hints)
  const attached = await attachEvaluations(workspace, identified, hints)
  const foundRuns = attached.runs
  const skipped = [...discovery.skipped]
  const imported = new Map<string, ImportedRun>()
  const held: string[] = []
  let recentPoints = 0
  const known = await knownRuns(workspace)
  const totalBytes = foundRuns.reduce((sum, run) => sum + bytesOf(run), 0)
  let bytesBefore = 0
  let points = 0
  for (const [index, found] of foundRuns.entries()) {
    const report = (bytes: number, newPoints: number): void => {
      points += newPoints
      const progress = { run: found.name, runs: foundRuns.length, nth: index + 1, points, totalBytes }
      onProgress?.({ ...progress, bytes: bytesBefore + bytes })
    }
    report(0, 0)
    try {
      const aside = await moveUnreadable(workspace, found.id)
      const isAnew = found.id === anew
      const fits = recentPoints <= MOST_RECENT_POINTS
      const reading = { hints, report, signal, keepsEarlier, aside, isAnew, ...(fits && { onUnkept }) }
      const run = await importRun(workspace, found, reading, known)
      recentPoints += run.recent?.length ?? 0
      // Points of more runs than that are read back from disk.
      const { recent: _, ...stored } = run
      imported.set(found.id, { found, run: recentPoints <= MOST_RECENT_POINTS ? run : stored })
    } catch (error) {
      if (signal?.aborted) throw error
      const isOthers = error instanceof Overtaken || (error instanceof Problem && error.code === 'busy')
      if (isOthers && (await readManifest(workspace, found.id)) !== null) held.push(found.id)
      if (error instanceof Overtaken) continue
      skipped.push({ path: found.logs[0]?.file.path ?? found.folder, reason: whyNotKept(error, workspace) })
    }
    bytesBefore += bytesOf(found)
  }
  await settleEvaluations(workspace, attached, imported)
  if (joins && hints.separate !== true) {
    const reading = { hints, report: () => {}, signal, keepsEarlier }
    const write = (found: FoundRun): Promise<LoadedRun> => writeRun(workspace, found, reading, known)
    await joinImported({ workspace, known, hints, write }, imported)
  }
  if (imported.size > 0) await keepStepColumns(workspace, hints, discovery.runs)
  const all = [...imported.values()].map(({ run }) => run)
  const recent = new Map(all.flatMap(run => (run.recent === undefined ? [] : [[run.manifest.id, run] as const])))
  return { runs: all.map(({ manifest }) => manifest), held, recent, skipped }
}

/** An evaluation that a training has taken in is no run any more; one that could be of several says so. */
async function settleEvaluations(
  workspace: Workspace,
  { absorbed, undecided }: AttachedRuns,
  imported: Map<string, ImportedRun>,
): Promise<void> {
  for (const [training, evaluations] of absorbed) {
    for (const id of imported.has(training) ? evaluations : []) {
      if ((await readManifest(workspace, id)) !== null) await removeRun(workspace, id)
    }
  }
  for (const [id, why] of undecided) {
    const known = imported.get(id)
    const isSaid = (said: Message): boolean => said.key === why.key
    const change = ({ warnings }: Manifest) => ({ warnings: [...warnings.filter(said => !isSaid(said)), why] })
    const manifest = known === undefined ? null : await changeRun(workspace, id, change)
    if (known !== undefined && manifest != null) imported.set(id, { ...known, run: { ...known.run, manifest } })
  }
}

/** About 40 MB. */
const MOST_RECENT_POINTS = 2_000_000

type Report = (bytes: number, newPoints: number) => void

interface Reading {
  readonly hints: Hints
  readonly report: Report
  readonly signal: AbortSignal | undefined
  /** Where a log was written over with something else, what it held before is kept and the new is added to it. */
  readonly keepsEarlier?: boolean
  /** Where that was moved which could not be read of the run. */
  readonly aside?: string | null
  readonly isAnew?: boolean
  readonly onUnkept?: ((reason: Message) => void) | undefined
}

async function importRun(
  workspace: Workspace,
  found: FoundRun,
  reading: Reading,
  known: KnownRuns,
): Promise<LoadedRun> {
  const before = await whereItIs(workspace, found)
  const isToBeSplit = reading.hints.separate === true && before?.apart !== true
  if (before !== null && !isToBeSplit && reading.isAnew !== true && (await isUpToDate(before, found))) {
    const manifest = await withChecksums(workspace, before)
    return { workspace, folder: runFolder(workspace, found.id), manifest, live: null }
  }
  return writeRun(workspace, found, before === null ? reading : { ...reading, onUnkept: undefined }, known)
}

async function writeRun(workspace: Workspace, found: FoundRun, reading: Reading, known: KnownRuns): Promise<LoadedRun> {
  const { id, name, source } = found
  const { onUnkept } = reading
  const identity = { id, name, source: source.id }
  const writer =
    onUnkept === undefined ? await RunWriter.open(workspace, identity, 'import') : RunWriter.draft(workspace, identity)
  try {
    const isToBeSplit = reading.hints.separate === true && writer.state.manifest().joined.length > 0
    if (isToBeSplit || reading.isAnew === true) await readAnew(writer, found)
    await readNew(writer, found, reading)
    if (reading.hints.separate === true) writer.state.patch({ apart: true })
    await finishRun(workspace, writer, found, known)
    await writer.complete()
    const run = writer.written()
    const canWait = writer.isDraft && run.recent !== undefined
    if (onUnkept !== undefined && canWait) keepLater(workspace, { run, keep: () => keep(workspace, writer, onUnkept) })
    else await writer.close()
    return run
  } catch (error) {
    await writer.abandon()
    throw error
  }
}

/** One that another process has kept meanwhile is not kept twice. */
async function keep(workspace: Workspace, writer: RunWriter, onUnkept: (reason: Message) => void): Promise<void> {
  try {
    await writer.close()
  } catch (error) {
    await writer.abandon()
    if (error instanceof Overtaken) return
    const reason = whyNotKept(error, workspace)
    if (!(error instanceof Problem && error.code === 'busy')) throw new Problem('unwritable', reason, { cause: error })
    onUnkept(reason)
  }
}

/** The run as the store has it, with its files where they lie now. */
async function whereItIs(workspace: Workspace, found: FoundRun): Promise<Manifest | null> {
  const before = readKeptManifest(workspace, found.id)
  const files = before === null ? null : await relocated(before, found)
  return files === null ? before : changeRun(workspace, found.id, () => ({ files }))
}

/** A run whose manifest cannot be read is moved out of the way: its log is here. Returns where it is now. */
async function moveUnreadable(workspace: Workspace, id: string): Promise<string | null> {
  try {
    readKeptManifest(workspace, id)
    return null
  } catch (error) {
    if (!(error instanceof Problem && error.code === 'damaged')) throw error
    return moveAside(workspace, id)
  }
}

const say = sentences({
  'import.moved-aside': {
    en: 'the stored copy of this run could not be read; it was moved to {aside}, and the run was read again',
    zh: '存储中该 run 的内容无法读取，已移至 {aside}，并重新读取了该 run',
  },
})

/** Reads what a run's files hold beyond what the store has. */
export async function readNew(writer: RunWriter, found: FoundRun, reading: Reading): Promise<void> {
  const { rewritten, begunAnew, moved } = await changesSinceRead(
    writer.state.manifest(),
    found,
    reading.keepsEarlier === true,
  )
  const { aside = null } = reading
  const given = rewritten ? await attachedFiles(writer.state.manifest(), found) : []
  if (aside !== null) await writer.write([{ type: 'warning', message: say('import.moved-aside', { aside }) }], null)
  if (rewritten) {
    await readAnew(writer, found)
  } else {
    for (const { record, file } of moved) await noteMove(writer, record, file)
    if (begunAnew.length > 0) await writer.archiveLog(begunAnew)
  }
  let bytesBefore = 0
  for (const [role, files] of [
    ['log', found.logs],
    ['table', [...found.tables, ...given]],
  ] as const) {
    for (const runFile of files) {
      const report: Report = (bytes, points) => reading.report(bytesBefore + bytes, points)
      const isBegunAnew = begunAnew.includes(runFile.file.path)
      await readFileInto(writer, found, runFile, runFile.mergesInto ? 'witness' : role, {
        ...reading,
        report,
        isBegunAnew,
      })
      bytesBefore += runFile.file.size
    }
  }
  for (const file of found.configs) await readConfigInto(writer, file)
}

/** Forgets what was read. Another log of the training may tell the points from now on. */
async function readAnew(writer: RunWriter, { source, name }: FoundRun): Promise<void> {
  await writer.replace()
  if (writer.state.manifest().source !== source.id) writer.state.patch({ source: source.id, name })
}

async function readFileInto(
  writer: RunWriter,
  found: FoundRun,
  { file, source, run, mergesInto }: RunFile,
  role: 'log' | 'table' | 'witness',
  { hints, report, signal, isBegunAnew }: Reading & { readonly isBegunAnew: boolean },
): Promise<void> {
  const known = await knownFile(writer.state.manifest().files, file, source)
  // A log of a run that runs may have ended by falling silent; what cannot be continued would be read twice.
  const mayHaveEnded = writer.state.manifest().status === 'running' && known?.cursor !== null
  if (known !== null && isSame(known, file) && !mayHaveEnded) return
  // The next look sees both, the log that was put aside and the one that took its name.
  if (isAppendedTo(source) && (await isExchanged(file))) return
  const cursor = known?.cursor ?? null
  const index = await writer.trackFile(known, {
    ...logFileOf(file),
    source: source.id,
    role,
    complete: false,
    cursor,
    unreadBytes: known?.unreadBytes ?? 0,
    warnings: known?.warnings ?? [],
  })
  if (isBegunAnew) {
    const begun = message('import.begun-anew', { path: file.path })
    await writer.write([{ type: 'restart' }, { type: 'warning', message: begun }], index)
  }
  const prefixed = role === 'table' && source.namesMetrics !== true
  const asSaid = (events: readonly RunEvent[]): readonly RunEvent[] => events
  const told = prefixed ? prefixMetrics(file.path) : mergesInto ? secondaryLog(found, mergesInto, writer.state) : asSaid
  const reading = source.read(file, { run, cursor, hints })
  let isWhole = true
  const onFailure = (): void => {
    isWhole = false
  }
  for await (const said of role === 'log' ? reading : atBest(reading, onFailure)) {
    // What scores a training says nothing of when that began, or how it ended.
    const isBeside = role === 'table' && source.role === 'samples'
    const events = isBeside ? said.filter(({ type }) => type !== 'about' && type !== 'status') : said
    // Asked again of every piece before it is kept: the log may have been rotated just before it was opened or read on.
    if (isAppendedTo(source) && (await isExchanged(file))) return
    await writer.write(told(events), index)
    report(offsetOf(events, file), pointsIn(events))
    if (signal?.aborted) {
      await writer.flush()
      signal.throwIfAborted()
    }
  }
  if (isWhole) writer.state.completeFile(index)
}

/** What lies beside a log must not cost the run its log: that it cannot be read is said, and tried again next time. */
async function* atBest(
  reading: AsyncIterable<readonly RunEvent[]>,
  onFailure: () => void,
): AsyncGenerator<readonly RunEvent[]> {
  try {
    yield* reading
  } catch (error) {
    onFailure()
    const reason = error instanceof Error ? error.message : String(error)
    yield [warning(sayCommon('source.unreadable', { reason: reason.slice(0, 200) }))]
  }
}

/** What was put aside is the same file under another name, at the size to which it was read unless it has grown. */
async function noteMove(writer: RunWriter, record: FileRecord, file: SourceFile): Promise<void> {
  const { path, size, modifiedMs } = file
  await writer.trackFile(record, { ...record, path, ...(size <= record.size ? { size, modifiedMs } : {}) })
}

async function readConfigInto(writer: RunWriter, file: SourceFile): Promise<void> {
  const known = await knownFile(writer.state.manifest().files, file)
  if (known !== null && isSame(known, file)) return
  const { config, warnings } = await readConfigFile(file.path)
  const record = { ...logFileOf(file), source: 'config', role: 'config', cursor: null, unreadBytes: 0 } as const
  const index = await writer.trackFile(known, { ...record, complete: true, warnings })
  await writer.write([{ type: 'config', config }], index)
}

function pointsIn(events: readonly RunEvent[]): number {
  let points = 0
  for (const event of events) if (event.type === 'row') points += event.values.length
  return points
}

/** How far the file has been read, for the progress bar: cursors of growing sources say so. */
function offsetOf(events: readonly RunEvent[], file: SourceFile): number {
  const last = events.findLast(event => event.type === 'cursor')
  const cursor: Json = last?.type === 'cursor' ? last.cursor : null
  return isJsonObject(cursor) && typeof cursor.offset === 'number' ? cursor.offset : file.size
}

/** Why one run could not be kept. What keeps all others from being kept too is thrown. */
export function whyNotKept(error: unknown, { root }: Workspace): Skipped['reason'] {
  const fatal = storeProblem(error, root)
  if (fatal !== null) throw fatal
  const problem = error instanceof Problem ? error : damageOf(error)
  if (problem !== null) return problem.sentence
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (['ENOENT', 'EACCES', 'EPERM', 'EIO'].includes(code)) return fileProblem(error)
  return message('skip.failed', { reason: error instanceof Error ? error.message : String(error) })
}

function bytesOf(run: FoundRun): number {
  return [...run.logs, ...run.tables].reduce((sum, { file }) => sum + file.size, 0)
}

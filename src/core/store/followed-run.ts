import type { RunEvent } from '../../logs/model/events.js'
import { Problem } from '../../logs/model/problem.js'
import type { FoundRun } from '../../logs/sources/run-identity.js'
import type { Hints } from '../../logs/sources/source.js'
import type { Skipped } from '../../logs/sources/walk.js'
import { message } from '../../text/say.js'
import { pointCount } from './catalogue.js'
import { finishRun } from './finish-run.js'
import type { KnownRuns } from './identify-runs.js'
import { readNew, whyNotKept } from './ingest.js'
import { changesSinceRead, isUpToDate, knownFile } from './log-file.js'
import type { Manifest } from './manifest.js'
import { readManifest } from './manifest-file.js'
import { asSeen, withWholeHeads } from './poll-files.js'
import { RunWriter } from './run-writer.js'
import type { Workspace } from './workspace.js'

/**
 * A run that is followed. The store is held open for it only while it is lively: a folder may hold a thousand old runs
 * whose files are merely looked at, and which another process may import meanwhile.
 */
export interface FollowedRun {
  /** Its files as they were last seen. */
  found: FoundRun
  writer: RunWriter | null
  /** Something arrived since the store was opened for it. */
  hasGrown: boolean
  status: Manifest['status']
  /** When something last arrived. */
  newsAt: number
  /** When its files are to be looked at again. */
  nextPoll: number
  /** When those are too that hardly ever change. */
  nextThoroughPoll: number
  /** Another process writes it. */
  isBusy: boolean
  /** A file of it was not there at the last look. */
  isLost: boolean
}

export interface Following {
  readonly workspace: Workspace
  readonly known: KnownRuns
  readonly hints: Hints
  readonly signal: AbortSignal
  readonly onGrowth: (manifest: Manifest) => void
  readonly onRemark: (remark: Skipped) => void
  /** What was last remarked of each path, so that it is said once, though many runs may lie there. */
  readonly remarked: Map<string, string>
  /** What whoever follows knows of the runs beforehand, as the trial of a study is known. */
  readonly told: readonly RunEvent[]
}

export async function followRun({ workspace }: Following, found: FoundRun): Promise<FollowedRun> {
  const manifest = await readManifest(workspace, found.id)
  return {
    found: manifest === null || !(await isUpToDate(manifest, found)) ? withoutFiles(found) : asSeen(found, found),
    writer: null,
    hasGrown: false,
    status: manifest?.status ?? 'unknown',
    newsAt: Math.max(...found.logs.map(({ file }) => file.modifiedMs)),
    nextPoll: 0,
    nextThoroughPoll: 0,
    isBusy: false,
    isLost: false,
  }
}

/** As if none of its files had been seen. */
function withoutFiles(found: FoundRun): FoundRun {
  return { ...found, logs: [], tables: [], configs: [] }
}

export function hasEnded({ status }: FollowedRun): boolean {
  return status === 'finished' || status === 'failed'
}

export function remarkOnce({ onRemark, remarked }: Following, remark: Skipped): void {
  const { path, reason } = remark
  if (remarked.get(path) !== reason.key) onRemark(remark)
  remarked.set(path, reason.key)
}

/**
 * Reads what is new. `news` may hold only the changed files of the run. After a failure the run is as the last commit
 * left it, and is tried again at the next look.
 */
export async function readNews(
  following: Following,
  run: FollowedRun,
  { found, news, keepsEarlier }: { readonly found: FoundRun; readonly news: FoundRun; readonly keepsEarlier: boolean },
): Promise<void> {
  const { hints, signal, onGrowth } = following
  try {
    const writer = await openWriter(following, run, found)
    const before = summary(writer.state.manifest())
    const changes = await changesSinceRead(writer.state.manifest(), news, keepsEarlier)
    const target = changes.rewritten ? await withWholeHeads(found) : news
    await readNew(writer, target, { hints, report: () => {}, signal, keepsEarlier })
    const { status, statusTold = 'unknown' } = writer.state.manifest()
    // A log that says nothing of itself, and grows while somebody looks, is being written.
    if (status === 'unknown' && summary(writer.state.manifest()) !== before) {
      writer.state.patch({ status: 'running', statusTold })
      // The journal holds what logs say; this is only told by a commit.
      await writer.flush()
    }
    await writer.goLive()
    await writer.check()
    run.found = asSeen(found, target)
    run.isLost = false
    for (const { file } of target.logs) following.remarked.delete(file.path)
    const manifest = writer.state.manifest()
    run.status = manifest.status
    for (const path of changes.begunAnew) tell(following, path, 'follow.begun-anew')
    if (changes.moved.length > 0) tell(following, found.logs[found.logs.length - 1].file.path, 'follow.put-aside')
    if (summary(manifest) === before) return
    run.newsAt = Date.now()
    run.hasGrown = true
    onGrowth(manifest)
  } catch (error) {
    await run.writer?.abandon()
    run.writer = null
    if (!signal.aborted) {
      sayWhy(following, run, found, error)
      return
    }
    // Opened again, it takes in its live file, and is then closed with the others.
    await openWriter(following, run, found).catch(() => {})
    run.hasGrown = true
  }
}

/** A store that cannot be written ends the following; anything else may pass. */
function sayWhy(following: Following, run: FollowedRun, found: FoundRun, error: unknown): void {
  const reason = whyNotKept(error, following.workspace)
  run.isBusy = error instanceof Problem && error.code === 'busy'
  remarkOnce(following, { path: found.logs[0].file.path, reason })
}

function tell({ onRemark }: Following, path: string, key: 'follow.begun-anew' | 'follow.put-aside'): void {
  onRemark({ path, reason: message(key, {}) })
}

function summary(manifest: Manifest): string {
  const { status, samples, evaluations, texts, segments, metrics } = manifest
  return [status, pointCount(manifest), metrics.size, samples, evaluations, texts.length, segments.length].join()
}

/** Holds the store open for a run, so that what arrives is in its live file at once. */
async function openWriter({ workspace, told }: Following, run: FollowedRun, found: FoundRun): Promise<RunWriter> {
  if (run.writer !== null) return run.writer
  const { id, name, source } = found
  const writer = await RunWriter.open(workspace, { id, name, source: source.id }, 'follow')
  await writer.write(told, null)
  run.writer = writer
  run.hasGrown = false
  run.isBusy = false
  return writer
}

/** A file of many runs, as a database is: it changes with each of them, and runs are added without a new file. */
export function sharesFile({ folder, logs }: FoundRun): boolean {
  return logs.some(({ file, run }) => folder === file.path || run.startsWith(`${file.path}#`))
}

/**
 * Whether there is anything for this run in a file that it shares, seen before the store is opened for it. A file of its
 * own is always of interest.
 */
export async function isOfInterest(
  { workspace, hints }: Following,
  run: FollowedRun,
  news: FoundRun,
): Promise<boolean> {
  if (run.writer !== null || !sharesFile(news)) return true
  const manifest = await readManifest(workspace, news.id)
  if (manifest === null) return true
  const { rewritten } = await changesSinceRead(manifest, news, false)
  if (rewritten) return true
  for (const { file, source, run } of [...news.logs, ...news.tables]) {
    const known = await knownFile(manifest.files, file, source)
    for await (const events of source.read(file, { run, cursor: known?.cursor ?? null, hints })) {
      if (events.some(event => event.type === 'row')) return true
      if (events.some(event => event.type === 'status' && event.status !== manifest.status)) return true
    }
  }
  return false
}

/** Lets the store go, with all that belongs at the end of a reading where there was any. */
export async function letGo(following: Following, run: FollowedRun): Promise<void> {
  const { writer } = run
  run.writer = null
  if (writer === null) return
  try {
    if (run.hasGrown) await finishRun(following.workspace, writer, run.found, following.known)
    await writer.close()
  } catch (error) {
    await writer.abandon()
    sayWhy(following, run, run.found, error)
  }
}

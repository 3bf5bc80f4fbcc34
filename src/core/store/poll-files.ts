import { stat } from 'node:fs/promises'
import { type Discovery, discover } from '../../logs/sources/discover.js'
import type { FoundRun, RunFile } from '../../logs/sources/run-identity.js'
import type { Hints, Source, SourceFile } from '../../logs/sources/source.js'
import { lastWritten, type Skipped, walk } from '../../logs/sources/walk.js'
import { changeOf, isAppendedTo, isWrittenAtOnce, withShortHead } from './log-file.js'

/**
 * What has become of the files of a run since they were last seen. Size and date are asked, because watching does not
 * work on the network file systems that training logs lie on; only what changed is opened.
 */
interface FileChanges {
  /** The run with no other files than those that hold something new; null when there are none. */
  readonly news: FoundRun | null
  /** A log has become shorter, but begins as before: it was cut, or is being written again. */
  readonly isCut: boolean
  /** Under the name of a log stands something else now. Whose it is, only a search can tell. */
  readonly isReplaced: boolean
  /** Files that are gone, or may no longer be read. */
  readonly lost: readonly Skipped[]
}

interface PollOptions {
  readonly hints: Hints
  /** A file that is written at one go may not be whole until it is this old. */
  readonly settleMs: number
}

/**
 * Polls the files of runs one after the other; a file that several of them share is looked at once. `onlySince` passes over what was
 * written at one go before then: a run may have thousands of dumps, which hardly ever change.
 */
export function pollFiles({
  hints,
  settleMs,
}: PollOptions): (found: FoundRun, onlySince: number) => Promise<FileChanges> {
  const stamps = new Map<string, Promise<string | null>>()
  const opened = new Map<string, Promise<{ readonly file?: SourceFile; readonly problem?: Skipped }>>()
  const stampOf = (file: SourceFile): Promise<string | null> => remembered(stamps, file.path, () => stampNow(file))

  return async (found, onlySince) => {
    const lost: Skipped[] = []
    let isCut = false
    let isReplaced = false

    async function again(before: SourceFile): Promise<SourceFile | null> {
      const stamp = await stampOf(before)
      if (stamp === stampText(before.size, before.modifiedMs)) return null
      const { file, problem } = await remembered(opened, before.path, () => openAgain(before.path))
      if (problem !== undefined && problem.reason.key !== 'skip.empty') lost.push(problem)
      return file ?? null
    }

    async function changed(before: RunFile): Promise<RunFile[]> {
      const { source, run } = before
      if (isWrittenAtOnce(source) && before.file.modifiedMs < onlySince) return []
      const file = await again(before.file)
      if (file === null) return []
      if (isAppendedTo(source)) {
        const change = await changeOf(before.file, file)
        if (change === 'replaced') {
          isReplaced = true
          return []
        }
        if (change === 'cut') {
          // The first lines of a job that was started again are often those of the last time.
          if (!(await holdsPoints(source, file, run, hints))) return []
          isCut = true
        }
      } else if (isWrittenAtOnce(source) && Date.now() - file.modifiedMs < settleMs) {
        return []
      } else if (!source.recognise(file)) {
        return []
      }
      return [{ ...before, file }]
    }

    const logs: RunFile[] = []
    const tables: RunFile[] = []
    const configs: SourceFile[] = []
    for (const log of found.logs) logs.push(...(await changed(log)))
    for (const table of found.tables) tables.push(...(await changed(table)))
    for (const config of found.configs) configs.push(...[await again(config)].filter(file => file !== null))
    const isNews = logs.length + tables.length + configs.length > 0
    return { news: isNews ? { ...found, logs, tables, configs } : null, isCut, isReplaced, lost }
  }
}

/** The run as it was, but for the files that were seen again. Heads are cut, for there may be thousands. */
export function asSeen(found: FoundRun, news: FoundRun): FoundRun {
  const seen = new Map([...news.logs, ...news.tables].map(({ file }) => [file.path, file]))
  for (const file of news.configs) seen.set(file.path, file)
  const cut = (file: SourceFile): SourceFile => withShortHead(seen.get(file.path) ?? file)
  const cutFile = (runFile: RunFile): RunFile => ({ ...runFile, file: cut(runFile.file) })
  return { ...found, logs: found.logs.map(cutFile), tables: found.tables.map(cutFile), configs: found.configs.map(cut) }
}

/** The run with the whole heads of its files, as reading asks for. Files that are gone are left out. */
export async function withWholeHeads(found: FoundRun): Promise<FoundRun> {
  const files = new Map<string, SourceFile>()
  const paths = [...found.logs, ...found.tables].map(({ file }) => file.path).concat(found.configs.map(f => f.path))
  for (const file of await walk(paths, () => {})) files.set(file.path, file)
  const wholes = (runFiles: readonly RunFile[]): RunFile[] =>
    runFiles.flatMap(runFile => {
      const file = files.get(runFile.file.path)
      return file === undefined ? [] : [{ ...runFile, file }]
    })
  const configs = found.configs.flatMap(({ path }) => files.get(path) ?? [])
  return { ...found, logs: wholes(found.logs), tables: wholes(found.tables), configs }
}

/** Size and date of what lies at a path; null where there is nothing. */
async function stampAt(path: string): Promise<string | null> {
  return stat(path).then(
    ({ size, mtimeMs }) => stampText(size, mtimeMs),
    () => null,
  )
}

async function stampNow(file: SourceFile): Promise<string | null> {
  try {
    const { size, mtimeMs } = await stat(file.path)
    return stampText(size, await lastWritten(file.path, file.head, mtimeMs))
  } catch {
    return null
  }
}

function stampText(size: number, modifiedMs: number): string {
  return `${size} ${modifiedMs}`
}

async function openAgain(path: string): Promise<{ readonly file?: SourceFile; readonly problem?: Skipped }> {
  let problem: Skipped | undefined
  const [file] = await walk([path], skipped => {
    problem = skipped
  })
  return { ...(file && { file }), ...(problem && { problem }) }
}

async function holdsPoints(source: Source, file: SourceFile, run: string, hints: Hints): Promise<boolean> {
  if (!source.recognise(file)) return false
  for await (const events of source.read(file, { run, cursor: null, hints })) {
    if (events.some(({ type }) => type === 'row')) return true
  }
  return false
}

function remembered<Value>(known: Map<string, Promise<Value>>, key: string, make: () => Promise<Value>) {
  const value = known.get(key) ?? make()
  known.set(key, value)
  return value
}

/**
 * Searches paths for runs, again and again. A search opens every file, so there is another only when a folder has changed,
 * or a file that was no log yet; these are asked for their dates alone.
 */

/** Searching whole folders, which happens only when something has changed. */
const LARGEST_SEARCH_SHARE = 0.05
/** A folder in which nothing was made for an hour is asked about every fourth time. */
const OLD_FOLDER_MS = 3_600_000
const OLD_FOLDER_TURNS = 4
/** File systems that note dates in full seconds hide what was written within the second of the search. */
const COARSE_DATE_MS = 2_000
/** Asking for dates takes at most this share of the time, however many folders there are. */
const LARGEST_SHARE = 0.005

interface SearchPace {
  readonly pollMs: number
  /** How often is asked whether a folder has changed. */
  readonly searchMs: number
}

interface Searcher {
  now(): Promise<Discovery>
  isAllowed(): boolean
  /** Has a folder changed, or a file that was no log yet? */
  isDue(): Promise<boolean>
}

export function searcher(paths: readonly string[], hints: Hints, { searchMs, pollMs }: SearchPace): Searcher {
  let folders: ReadonlyMap<string, number> = new Map()
  let others = new Map<string, string | null>()
  let allowedAt = 0
  let askAt = 0
  let turn = 0
  const isAllowed = (): boolean => performance.now() >= allowedAt

  return {
    isAllowed,
    async now() {
      const began = performance.now()
      const beganAt = Date.now()
      const found = await discover(paths, hints)
      folders = new Map(
        [...found.folders].map(([folder, modifiedMs]) => [
          folder,
          beganAt - modifiedMs < COARSE_DATE_MS ? Number.NaN : modifiedMs,
        ]),
      )
      others = new Map()
      for (const { path } of found.skipped) others.set(path, await stampAt(path))
      const now = performance.now()
      allowedAt = now + Math.max(pollMs, (now - began) / LARGEST_SEARCH_SHARE)
      askAt = Math.max(allowedAt, now + searchMs)
      return found
    },
    async isDue() {
      const began = performance.now()
      if (began < askAt) return false
      turn += 1
      const isTurnOf = (modifiedMs: number): boolean =>
        turn % OLD_FOLDER_TURNS === 0 || !(Date.now() - modifiedMs > OLD_FOLDER_MS)
      for (const [folder, modifiedMs] of folders) {
        if (isTurnOf(modifiedMs) && (await folderDate(folder)) !== modifiedMs) return true
      }
      for (const [path, stamp] of others) if ((await stampAt(path)) !== stamp) return true
      const now = performance.now()
      askAt = now + Math.max(searchMs, (now - began) / LARGEST_SHARE)
      return false
    },
  }
}

async function folderDate(folder: string): Promise<number | null> {
  const stamp = await stampAt(folder)
  return stamp === null ? null : Number(stamp.split(' ')[1])
}

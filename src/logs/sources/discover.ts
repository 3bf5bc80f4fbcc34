import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, extname, resolve } from 'node:path'
import { message } from '../../text/say.js'
import { sentences } from '../../text/sentences.js'
import type { RunEvent } from '../model/events.js'
import { idFromHash } from '../model/id.js'
import type { Message } from '../model/run.js'
import { groupBy } from '../model/util/group-by.js'
import { isConfigFile } from './config/config-file.js'
import { type Claimed, formRuns } from './form-runs.js'
import { sources } from './registry.js'
import { type FoundRun, isPieceOf, type RunFile } from './run-identity.js'
import type { Hints, Source, SourceFile } from './source.js'
import { bytesBefore, filesOf, isProjectPaper, type Skipped, walk } from './walk.js'

/**
 * Which runs lie below some paths, and which files make up each (form-runs.ts). Little is read beyond heads here: the
 * first rows of logs that may be of one training, and logs that begin alike.
 */

const say = sentences({
  'skip.whose-config': {
    en: 'is next to several runs, and it is unclear whose settings these are; name it after the log (<log>.config.json) or put each run in its own folder',
    zh: '旁边有多个 run，无法判断是哪一个的配置；请以日志命名（<日志名>.config.json），或让每个 run 单独占一个文件夹',
  },
})

export interface Discovery {
  readonly runs: readonly FoundRun[]
  readonly skipped: readonly Skipped[]
  /** Where was looked, with the date of each folder from before its files were listed. */
  readonly folders: ReadonlyMap<string, number>
}

export async function discover(paths: readonly string[], hints: Hints = {}): Promise<Discovery> {
  const skipped: Skipped[] = []
  const skip = (entry: Skipped): void => void skipped.push(entry)
  const asked = new Set<string>()
  const folders: string[] = []
  const entered = new Map<string, number>()
  const besides = new Map<string, SourceFile>()
  for (const path of paths) {
    const file = await realFile(path)
    if (file === null) folders.push(path)
    else asked.add(file)
  }
  for (const [folder, files] of groupBy([...asked], path => dirname(path))) {
    entered.set(folder, (await stat(folder)).mtimeMs)
    for (const beside of await besidesOf(folder, files)) besides.set(beside.path, beside)
    for (const self of await walk(files, skip)) besides.set(self.path, self)
  }
  const walked = await walk(folders, skip, (folder, modifiedMs) => entered.set(folder, modifiedMs))
  const wanted = new Set([...asked, ...walked.map(({ path }) => path)])
  const files = new Map([...besides, ...walked.map(file => [file.path, file] as const)])
  const runs = await assemble([...files.values()], { asked, wanted }, hints, entry => {
    if (wanted.has(entry.path)) skip(entry)
  })
  const isWanted = ({ file }: RunFile): boolean => wanted.has(file.path)
  const chosen = runs.filter(run => run.logs.some(isWanted) || run.tables.some(log => log.mergesInto && isWanted(log)))
  const own: FoundRun[] = []
  for (const run of withOwnIds(chosen)) own.push({ ...run, logs: await withoutCopies(run.logs) })
  return { runs: own, skipped, folders: entered }
}

/** What lies beside files that are named: their configs, unless named after another log, and what may be samples. */
async function besidesOf(folder: string, named: readonly string[]): Promise<SourceFile[]> {
  const around = await filesOf(folder, () => {})
  const stems = new Set(named.map(stemOf))
  const others = around.flatMap(({ path }) => (isConfigFile(path) || stems.has(stemOf(path)) ? [] : stemOf(path)))
  const isOthers = ({ path }: SourceFile): boolean => others.some(stem => basename(path).startsWith(`${stem}.`))
  return around.filter(file => !isConfigFile(file.path) || !isOthers(file))
}

function stemOf(path: string): string {
  return basename(path, extname(path))
}

/** Trackers tell runs apart within a project, and two projects may call a run alike. */
function withOwnIds(runs: readonly FoundRun[]): FoundRun[] {
  const taken = new Set<string>()
  return runs.map(run => {
    const id = taken.has(run.id) ? idFromHash(run.identity) : run.id
    taken.add(id)
    return { ...run, id }
  })
}

/**
 * Of a log and its copies, which may have been made before it was complete, the longest says it all. Not so of samples:
 * files of several steps begin with the same prompt, which may be longer than the head.
 */
async function withoutCopies(logs: readonly RunFile[]): Promise<RunFile[]> {
  const kept: RunFile[] = []
  for (const [at, log] of logs.entries()) {
    let isCopy = false
    const isItsOwn = log.source.role === 'samples' || log.source.beginsAlike === true
    for (const [otherAt, other] of isItsOwn ? [] : logs.entries()) {
      const isFirst = other.file.size > log.file.size || otherAt < at
      isCopy ||= isFirst && (await isBeginningOf(log.file, other.file))
    }
    if (!isCopy) kept.push(log)
  }
  return kept
}

/** Logs of one job may share their first pages, so they are also held against each other where the shorter ends. */
async function isBeginningOf(part: SourceFile, whole: SourceFile): Promise<boolean> {
  if (part === whole || part.size > whole.size) return false
  if (Buffer.compare(part.head, whole.head.subarray(0, part.head.length)) !== 0) return false
  if (part.tail === undefined || part.size <= part.head.length) return true
  return Buffer.compare(part.tail, bytesBefore(whole, part.size, part.tail.length)) === 0
}

async function assemble(
  files: readonly SourceFile[],
  { asked, wanted }: { readonly asked: ReadonlySet<string>; readonly wanted: ReadonlySet<string> },
  hints: Hints,
  skip: (entry: Skipped) => void,
): Promise<readonly FoundRun[]> {
  const configs: SourceFile[] = []
  const claimed: Claimed[] = []
  for (const file of files) {
    if (isConfigFile(file.path) && !asked.has(file.path)) {
      configs.push(file)
      continue
    }
    if (isProjectPaper(file.path) && !asked.has(file.path)) continue
    const source = sources.find(candidate => candidate.recognise(file))
    if (source === undefined) {
      skip({ path: file.path, reason: lackOf(file) ?? message('skip.unknown', {}) })
      continue
    }
    // A file that is named is that file: another log beside it is not part of it.
    const isPart = (): boolean => source.role === 'samples' || [...asked].some(log => isPieceOf(log, file.path))
    if (!wanted.has(file.path) && !isPart()) continue
    const claim = await claimOf(file, source, hints)
    if (claim === null) skip({ path: file.path, reason: lackOf(file) ?? message('skip.nothing', {}) })
    else claimed.push(claim)
  }

  const { runs, nobodys } = await formRuns(claimed, configs, hints)
  for (const { path } of nobodys) skip({ path, reason: say('skip.whose-config', {}) })
  return runs
}

/** A console that only begins as one format's do may hold what another one reads. */
async function claimOf(file: SourceFile, first: Source, hints: Hints): Promise<Claimed | null> {
  for (const source of sources.slice(sources.indexOf(first))) {
    if (source !== first && (source.role === 'document' || !source.recognise(file))) continue
    const belongings = await source.describe(file, hints)
    if (belongings.length > 0) return { file, source, belongings }
  }
  return null
}

function lackOf(file: SourceFile): Message | null {
  for (const source of sources) {
    const lack = source.lacks?.(file) ?? null
    if (lack !== null) return lack
  }
  return null
}

async function realFile(path: string): Promise<string | null> {
  try {
    const real = await realpath(resolve(path))
    return (await stat(real)).isFile() ? real : null
  } catch {
    return null
  }
}

/** What the metrics of a table beside a log are prefixed with. */
export function tablePrefix(path: string): string {
  return `${basename(path, extname(path))}/`
}

/** Sources pass the same array of names for rows of equal shape; the prefixed ones are shared in the same way. */
export function prefixMetrics(path: string): (events: readonly RunEvent[]) => RunEvent[] {
  const prefix = tablePrefix(path)
  const prefixed = new WeakMap<readonly string[], readonly string[]>()
  return events =>
    events.map(event => {
      if (event.type !== 'row') return event
      const metrics = prefixed.get(event.metrics) ?? event.metrics.map(name => `${prefix}${name}`)
      prefixed.set(event.metrics, metrics)
      return { ...event, metrics }
    })
}

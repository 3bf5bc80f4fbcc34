import { createHash } from 'node:crypto'
import { realpath, stat } from 'node:fs/promises'
import { basename, dirname, extname, resolve } from 'node:path'
import { groupBy } from '../model/group-by.js'
import { idFromHash } from '../model/id.js'
import type { Message } from '../model/run.js'
import { message } from '../text/say.js'
import { isConfigFile } from './config/config-file.js'
import { sources } from './registry.js'
import { asPieceOfLog } from './rotation.js'
import type { Belonging, Hints, Source, SourceFile } from './source.js'
import { filesOf, isProjectPaper, type Skipped, walk } from './walk.js'

/**
 * Which runs lie below some paths, and which files make up each. The rule is "one folder, one run": a folder with one
 * log is one run, and configs and tables beside the log belong to it. Nothing is read beyond heads here.
 */

/** A file of a run, and the source that reads it. */
export interface RunFile {
  readonly file: SourceFile
  readonly source: Source
  /** Which of the file's runs. */
  readonly run: string
}

export interface FoundRun {
  readonly id: string
  readonly name: string
  readonly source: Source
  readonly folder: string
  readonly logs: readonly RunFile[]
  /** Tables beside the log; their metrics are prefixed with the file's name. */
  readonly tables: readonly RunFile[]
  readonly configs: readonly SourceFile[]
}

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
    else {
      asked.add(file)
      entered.set(dirname(file), (await stat(dirname(file))).mtimeMs)
      for (const beside of await filesOf(dirname(file), () => {})) besides.set(beside.path, beside)
      for (const self of await walk([file], skip)) besides.set(self.path, self)
    }
  }
  const walked = await walk(folders, skip, (folder, modifiedMs) => entered.set(folder, modifiedMs))
  const wanted = new Set([...asked, ...walked.map(({ path }) => path)])
  const files = new Map([...besides, ...walked.map(file => [file.path, file] as const)])
  const runs = await assemble([...files.values()], asked, hints, entry => {
    if (wanted.has(entry.path)) skip(entry)
  })
  const chosen = runs.filter(run => run.logs.some(({ file }) => wanted.has(file.path)))
  return { runs: chosen.map(run => ({ ...run, logs: withoutCopies(run.logs) })), skipped, folders: entered }
}

/**
 * Of a log and its copies, which may have been made before it was complete, the longest says it all. Not so of samples:
 * files of several steps begin with the same prompt, which may be longer than the head.
 */
function withoutCopies(logs: readonly RunFile[]): RunFile[] {
  return logs.filter(
    (log, at) =>
      log.source.role === 'samples' ||
      !logs.some(
        (other, otherAt) => isBeginningOf(log.file, other.file) && (other.file.size > log.file.size || otherAt < at),
      ),
  )
}

function isBeginningOf(part: SourceFile, whole: SourceFile): boolean {
  if (part === whole || part.size > whole.size) return false
  return Buffer.compare(part.head, whole.head.subarray(0, part.head.length)) === 0
}

interface Claimed {
  readonly file: SourceFile
  readonly source: Source
  readonly belongings: readonly Belonging[]
}

async function assemble(
  files: readonly SourceFile[],
  asked: ReadonlySet<string>,
  hints: Hints,
  skip: (entry: Skipped) => void,
): Promise<FoundRun[]> {
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
    const belongings = await source.describe(file, hints)
    if (belongings.length === 0) {
      skip({ path: file.path, reason: lackOf(file) ?? message('skip.nothing', {}) })
    } else {
      claimed.push({ file, source, belongings })
    }
  }

  const runs = formRuns(claimed)
  const runsIn = groupBy(runs, ({ folder }) => folder)
  // A config may also lie in a folder of its own below the run's.
  const near = (path: string): readonly string[] => [dirname(path), dirname(dirname(path))]
  const configsNear = groupBy(
    configs.flatMap(config => near(config.path).map(folder => ({ config, folder }))),
    ({ folder }) => folder,
  )
  return runs.map(run => {
    const candidates = (configsNear.get(run.folder) ?? []).map(({ config }) => config)
    return { ...run, configs: configsOf(run, candidates, runsIn.get(run.folder) ?? []) }
  })
}

function lackOf(file: SourceFile): Message | null {
  for (const source of sources) {
    const lack = source.lacks?.(file) ?? null
    if (lack !== null) return lack
  }
  return null
}

function formRuns(claimed: readonly Claimed[]): FoundRun[] {
  const runs = groupRuns(claimed.filter(({ source }) => source.role === 'log' || source.role === 'document'))
  const others = claimed.filter(({ source }) => source.role !== 'log' && source.role !== 'document')
  const logsIn = groupBy(
    runs.filter(run => run.source.role === 'log'),
    ({ folder }) => folder,
  )
  for (const [folder, members] of groupBy(others, ({ belongings }) => belongings[0].folder)) {
    const hosts = logsIn.get(folder) ?? []
    const leading = hosts.length > 0 ? [] : leadingTables(members)
    const own = hosts.length > 0 ? hosts : groupRuns(leading)
    if (own.length !== 1) {
      runs.push(...groupRuns(members))
      continue
    }
    const beside = members
      .filter(member => !leading.includes(member))
      .flatMap(({ file, source, belongings }) => belongings.map(({ run }): RunFile => ({ file, source, run })))
    const joined = { ...own[0], tables: [...own[0].tables, ...beside] }
    if (hosts.length > 0) runs[runs.indexOf(own[0])] = joined
    else runs.push(joined)
  }
  return runs
}

/** Without a log, the one file with steps leads its folder, else the one table beside sample scores. */
function leadingTables(members: readonly Claimed[]): readonly Claimed[] {
  const steps = members.filter(({ source }) => source.role === 'steps')
  if (steps.length > 0) return steps
  const tables = members.filter(({ source }) => source.role === 'table')
  return tables.length === 1 ? tables : members
}

/** Files that say they are of one run, in whatever folders they lie, are one run. */
function groupRuns(members: readonly Claimed[]): FoundRun[] {
  const parts = members.flatMap(({ file, source, belongings }) =>
    belongings.map(belonging => ({ file, source, run: belonging.run, belonging: asPieceOfLog(belonging, file) })),
  )
  return [...groupBy(parts, ({ source, belonging }) => `${source.id}\0${belonging.run}`).values()].map(group => {
    const ordered = group.sort((a, b) => a.belonging.order - b.belonging.order || a.file.modifiedMs - b.file.modifiedMs)
    const { source, belonging } = ordered[0]
    const kept = source.keep === 'newest' ? ordered.slice(-1) : ordered
    const newest = kept[kept.length - 1].belonging
    return {
      id: runId(source, belonging),
      name: newest.name,
      source,
      folder: newest.folder,
      logs: kept.map(({ file, source, run }) => ({ file, source, run })),
      tables: [],
      configs: [],
    }
  })
}

/** Configs in the run's folder; where runs share it, only those that are named after the run's own log. */
function configsOf(run: FoundRun, configs: readonly SourceFile[], runs: readonly FoundRun[]): SourceFile[] {
  const alone = runs.filter(({ folder, source }) => folder === run.folder && source.role !== 'document').length === 1
  const stems = run.logs.map(({ file }) => basename(file.path, extname(file.path)))
  const own = configs.filter(({ path }) => {
    if (folderOfConfig(path) !== run.folder || run.source.role === 'document') return false
    return alone || stems.some(stem => basename(path).startsWith(`${stem}.`))
  })
  // Every checkpoint repeats the settings of the training.
  const repeated = own.filter(({ path }) => CHECKPOINT.test(dirname(path))).sort((a, b) => a.modifiedMs - b.modifiedMs)
  const lasting = own.filter(config => !repeated.includes(config))
  return lasting.some(({ path }) => basename(path) === TRAINING_ARGS) ? lasting : [...repeated.slice(-1), ...lasting]
}

const CHECKPOINT = /[\\/]checkpoint-\d+$/
const TRAINING_ARGS = 'training_args.bin'

/** The folder of the run that a config would belong to. */
function folderOfConfig(path: string): string {
  const folder = dirname(path)
  if (basename(folder) === '.hydra') return dirname(folder)
  return CHECKPOINT.test(folder) && basename(path) === TRAINING_ARGS ? dirname(folder) : folder
}

/** Ids become folder names, so a tracker's own id is taken only when it is harmless as one. */
const HARMLESS_ID = /^[A-Za-z0-9][A-Za-z0-9._-]{0,79}$/

function runId(source: Source, { trackerId, run, firstRecord }: Belonging): string {
  if (trackerId !== undefined && HARMLESS_ID.test(trackerId)) return trackerId
  const hash = createHash('sha256').update(JSON.stringify([source.id, run, trackerId ?? firstRecord]))
  return idFromHash(hash.digest('hex'))
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

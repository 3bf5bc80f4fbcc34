import { basename, dirname, extname } from 'node:path'
import { groupBy } from '../model/util/group-by.js'
import { splitLaunches } from './launches.js'
import { joinTables, joinTrainings } from './one-training.js'
import { asPieceOfLog, type FoundRun, idsOf, nthName, type RunFile, saysNothing } from './run-identity.js'
import type { Belonging, Hints, Source, SourceFile } from './source.js'

/**
 * From files that sources have claimed to runs. The rule is "one folder, one run": a folder with one log is one run, and
 * the tables and configs beside the log belong to it. Folders of several logs are several runs, unless these are of one
 * training.
 */

export interface Claimed {
  readonly file: SourceFile
  readonly source: Source
  readonly belongings: readonly Belonging[]
}

interface FormedRuns {
  readonly runs: readonly FoundRun[]
  /** Configs beside several runs, of which nothing tells whose they are. */
  readonly nobodys: readonly SourceFile[]
}

export async function formRuns(
  claimed: readonly Claimed[],
  configs: readonly SourceFile[],
  hints: Hints,
): Promise<FormedRuns> {
  const found = await groupRuns(
    claimed.filter(({ source }) => source.role === 'log'),
    hints,
  )
  const logs = hints.separate === true ? found : await joinTrainings(found, hints)
  const runs = [
    ...logs,
    ...(await groupRuns(
      claimed.filter(({ source }) => source.role === 'document'),
      hints,
    )),
  ]
  const others = claimed.filter(({ source }) => source.role !== 'log' && source.role !== 'document')
  const logsIn = groupBy([...logs.entries()], ([, { folder }]) => folder)
  const isTraining = ({ source: { role } }: Claimed): boolean => role === 'log' || role === 'steps' || role === 'table'
  const trainings = new Set(claimed.filter(isTraining).map(member => folderOf(member, new Set())))
  for (const [folder, members] of groupBy(others, member => folderOf(member, trainings))) {
    const [host, ...furtherHosts] = logsIn.get(folder) ?? []
    if (host === undefined) runs.push(...(await runsOfTables(members, hints)))
    else if (furtherHosts.length > 0) runs.push(...(await groupRuns(members, hints)))
    else runs[host[0]] = await withMembers(host[1], members, hints)
  }
  return withConfigsOf(runs, configs)
}

/** Where a file belongs. Scores of a checkpoint may lie deeper in the folder of their training than its log. */
function folderOf({ file, belongings: [first] }: Claimed, trainings: ReadonlySet<string>): string {
  const folder = first?.folder ?? dirname(file.path)
  if (first?.ofCheckpoint !== true) return folder
  for (let above = folder; above !== dirname(above); above = dirname(above)) if (trainings.has(above)) return above
  return folder
}

/** A table beside a log is a part of the run, or, where it holds the same rows, another log of it. */
async function withMembers(host: FoundRun, members: readonly Claimed[], hints: Hints): Promise<FoundRun> {
  const tables = members.filter(({ source, belongings }) => source.role !== 'samples' && belongings.length === 1)
  const joined = await joinTables(host, await groupRuns(tables, hints), hints)
  const logged = new Set([...joined.logs, ...joined.tables].map(({ file }) => file))
  return withTables(
    joined,
    members.filter(({ file }) => !logged.has(file)),
  )
}

/** The runs of a folder without a log: one that leads the others, or each table by itself. */
async function runsOfTables(members: readonly Claimed[], hints: Hints): Promise<FoundRun[]> {
  const leading = leadingTables(members)
  const alone = leading === members ? await Promise.all(members.map(member => asAlone(member, hints))) : leading
  const runs = await groupRuns(alone, hints)
  const [only, ...further] = runs
  if (only === undefined || further.length > 0) return leading === members ? runs : groupRuns(members, hints)
  return [
    await withMembers(only, leading === members ? [] : members.filter(member => !leading.includes(member)), hints),
  ]
}

/** What is a part of a run beside its log may be a run of another kind without one. */
async function asAlone(member: Claimed, hints: Hints): Promise<Claimed> {
  const source = member.source.alone?.(member.file) ?? null
  if (source === null) return member
  const belongings = await source.describe(member.file, hints)
  return belongings.length === 0 ? member : { file: member.file, source, belongings }
}

/** Without a log, the one file with steps leads its folder, else the one table beside sample scores. */
function leadingTables(members: readonly Claimed[]): readonly Claimed[] {
  const steps = members.filter(({ source }) => source.role === 'steps')
  const tables = members.filter(({ source }) => source.role === 'table')
  const candidates = steps.length > 0 ? steps : tables
  if (candidates.length === 1) return candidates
  const main = mainTable(candidates)
  return main === null ? (steps.length > 0 ? steps : members) : [main]
}

/** Names of tables that go with a log of their own: `checkpoints.jsonl`, `eval.jsonl`. */
const ATTENDANT =
  /^(?:checkpoints?|ckpts?|evals?|evaluations?|val|valid|validation|test|samples?|timing|timings|memory|system|events?|debug|errors?|alerts?)(?:[-_.].*)?$/i
/** Tables that have so many of their metrics in common are logs of several runs. */
const LOGS_ALIKE = 0.5

/** Of several tables the one that logs the run, if the others are of another kind and nothing says they are other runs. */
function mainTable(tables: readonly Claimed[]): Claimed | null {
  const nameOf = ({ file }: Claimed): string => basename(file.path, extname(file.path))
  const metricsOf = ({ belongings }: Claimed): readonly string[] => belongings[0]?.metrics ?? []
  const rank = (table: Claimed): number => (ATTENDANT.test(nameOf(table)) ? -1 : metricsOf(table).length)
  const [main, ...rest] = tables.toSorted((a, b) => rank(b) - rank(a))
  if (main === undefined || tables.some(({ belongings }) => belongings.length > 1)) return null
  const attends = (table: Claimed): boolean =>
    shareOf(metricsOf(main), metricsOf(table)) < LOGS_ALIKE &&
    (saysNothing(nameOf(main)) || ATTENDANT.test(nameOf(table)))
  return rest.every(attends) ? main : null
}

function shareOf(one: readonly string[], other: readonly string[]): number {
  const known = new Set(one)
  const both = other.filter(name => known.has(name)).length
  return both / Math.max(1, one.length + other.length - both)
}

function withTables(run: FoundRun, members: readonly Claimed[]): FoundRun {
  const tables = members.flatMap(({ file, source, belongings }) =>
    belongings.map(({ run }): RunFile => ({ file, source, run })),
  )
  return { ...run, tables: [...run.tables, ...tables] }
}

type RunPart = RunFile & { readonly belonging: Belonging }

/** Files that say they are of one run, in whatever folders they lie, are one run, unless they are of several launches. */
async function groupRuns(members: readonly Claimed[], hints: Hints): Promise<FoundRun[]> {
  const parts = members.flatMap(({ file, source, belongings }) =>
    belongings.map((belonging): RunPart => {
      return { file, source, run: belonging.run, belonging: asPieceOfLog(belonging, file) }
    }),
  )
  const runs: FoundRun[] = []
  for (const group of groupBy(parts, ({ source, belonging }) => `${source.id}\0${belonging.run}`).values()) {
    group.sort((a, b) => a.belonging.order - b.belonging.order || a.file.modifiedMs - b.file.modifiedMs)
    const isOfLaunches = group[0]?.source.ofLaunches === true && group.length > 1
    const launches = isOfLaunches ? await splitLaunches(group, hints) : [group]
    runs.push(...launches.flatMap((launch, index) => runOf(launch, index + 1)))
  }
  return runs
}

function runOf(ordered: readonly RunPart[], nth: number): FoundRun[] {
  const [first] = ordered
  const newest = ordered.at(-1)?.belonging
  if (first === undefined || newest === undefined) return []
  const { source, file, belonging } = first
  const kept = source.keep === 'newest' ? ordered.slice(-1) : ordered
  const run: FoundRun = {
    ...idsOf(source, file, belonging),
    name: nthName(newest.name, nth),
    source,
    folder: newest.folder,
    logs: kept.map(({ file, source, run }) => ({ file, source, run })),
    tables: [],
    configs: [],
    ...(newest.ofCheckpoint === true && { ofTraining: newest.folder }),
  }
  return [run]
}

/** Configs in a run's folder; where runs share it, only those that are named after the run's own log. */
function withConfigsOf(runs: readonly FoundRun[], configs: readonly SourceFile[]): FormedRuns {
  const byFolder = groupBy(configs, ({ path }) => folderOfConfig(path))
  const sharing = groupBy(runs.filter(isLogged), ({ folder }) => folder)
  const taken = new Set<SourceFile>()
  const formed = runs.map(run => {
    const isAlone = sharing.get(run.folder)?.length === 1
    const stems = run.logs.map(({ file }) => basename(file.path, extname(file.path)))
    const isOwn = ({ path }: SourceFile): boolean =>
      isAlone || stems.some(stem => basename(path).startsWith(`${stem}.`))
    const own = isLogged(run) ? (byFolder.get(run.folder) ?? []).filter(isOwn) : []
    for (const config of own) taken.add(config)
    return { ...run, configs: withoutRepeats(own) }
  })
  const nobodys = configs.filter(config => !taken.has(config) && sharing.has(folderOfConfig(config.path)))
  return { runs: formed, nobodys }
}

/** A report has no settings of its own. */
function isLogged({ source }: FoundRun): boolean {
  return source.role !== 'document'
}

/** Every checkpoint repeats the settings of the training: the newest is enough, and none is needed beside a lasting one. */
function withoutRepeats(configs: readonly SourceFile[]): SourceFile[] {
  const repeated = configs.filter(isRepeated).sort((a, b) => a.modifiedMs - b.modifiedMs)
  const lasting = configs.filter(config => !isRepeated(config))
  return lasting.some(({ path }) => basename(path) === TRAINING_ARGS) ? lasting : [...repeated.slice(-1), ...lasting]
}

const CHECKPOINT = /[\\/]checkpoint-\d+$/
const TRAINING_ARGS = 'training_args.bin'

function isRepeated({ path }: SourceFile): boolean {
  return CHECKPOINT.test(dirname(path)) && basename(path) === TRAINING_ARGS
}

/** The folder of the run that a config would belong to. */
function folderOfConfig(path: string): string {
  const folder = dirname(path)
  const isBelow = basename(folder) === '.hydra' || (CHECKPOINT.test(folder) && basename(path) === TRAINING_ARGS)
  return isBelow ? dirname(folder) : folder
}

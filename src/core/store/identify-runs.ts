import { access } from 'node:fs/promises'
import { dirname, sep } from 'node:path'
import { idFromHash } from '../../logs/model/id.js'
import { groupBy } from '../../logs/model/util/group-by.js'
import { once } from '../../logs/model/util/memo.js'
import { discover } from '../../logs/sources/discover.js'
import { asOne, asOneTraining, rememberedRows, underId } from '../../logs/sources/one-training.js'
import type { FoundRun } from '../../logs/sources/run-identity.js'
import type { Hints, SourceFile } from '../../logs/sources/source.js'
import { fingerprintOf, type LogEntry, listLogs } from './catalogue.js'
import { holdsAllOf, logFileOf } from './log-file.js'
import type { FileRecord, Manifest } from './manifest.js'
import { readManifest } from './manifest-file.js'
import { MarkedRuns, trainingMarks } from './same-training.js'
import type { Workspace } from './workspace.js'

/**
 * Runs that were found, under the ids by which the store knows them. A path is only a label: a log that lies elsewhere
 * than it was read from is the same run when it begins alike and is no longer where it was. While both are there, one is
 * a copy, and a run of its own.
 */
export async function identifyRuns(
  workspace: Workspace,
  found: readonly FoundRun[],
  hints: Hints = {},
): Promise<readonly FoundRun[]> {
  const entries = await listLogs(workspace)
  if (hints.separate !== true) return gatherTrainings(workspace, entries, await recogniseRuns(entries, found), hints)
  // Logs of a training that is to be told apart again are known by their own ids alone.
  return recogniseRuns(
    entries.filter(({ joined }) => joined.length === 0),
    found,
  )
}

async function recogniseRuns(entries: readonly LogEntry[], found: readonly FoundRun[]): Promise<readonly FoundRun[]> {
  const byId = new Map(entries.map(entry => [entry.id, entry]))
  const foundIds = new Set(found.map(({ id }) => id))
  const free = entries.filter(({ id, log }) => log !== null && !foundIds.has(id))
  const byIdentity = groupBy(free, ({ identity, log }) => identity ?? `${log?.headHash}`)
  const tracked = new Map(entries.map(entry => [entry.identity, entry.id]))
  const taken = new Set<string>()
  const recognised: FoundRun[] = []
  for (const run of found) {
    // Which of two runs of one id has it, and which another, depends on which came first; who they are does not.
    const trackedAs = run.isTracked ? tracked.get(run.identity) : undefined
    if (trackedAs !== undefined) {
      recognised.push({ ...run, id: trackedAs })
      continue
    }
    const known = byId.get(run.id)
    if (
      known !== undefined &&
      run.isTracked &&
      known.identity !== null &&
      known.identity !== run.identity &&
      known.joined.length === 0
    ) {
      // An id that was chosen in two projects is two runs.
      recognised.push({ ...run, id: idFromHash(run.identity) })
      continue
    }
    const id = known === undefined ? await formerId(run, byIdentity, taken) : null
    if (id !== null) taken.add(id)
    recognised.push(id === null ? run : { ...run, id })
  }
  return recognised
}

/** Logs that the store knows as parts of one training are that training, with its other logs as they lie now. */
async function gatherTrainings(
  workspace: Workspace,
  entries: readonly LogEntry[],
  found: readonly FoundRun[],
  hints: Hints,
): Promise<readonly FoundRun[]> {
  const trainingOf = new Map<string, string>()
  for (const { id, joined } of entries) {
    for (const member of joined.length === 0 ? [] : [id, ...joined]) trainingOf.set(member, id)
  }
  const gathered: FoundRun[] = []
  for (const [id, members] of groupBy(found, run => trainingOf.get(run.id) ?? run.id)) {
    const manifest = trainingOf.has(id) ? await readManifest(workspace, id) : null
    if (manifest === null) gathered.push(...members)
    else gathered.push((await asTraining(manifest, members, hints)) ?? asOne(members))
  }
  // In a project that was moved, a further log of a training has another id than the store knows it by.
  const furtherLogs = new Set(gathered.flatMap(({ joined = [] }) => joined))
  return gathered.filter(({ id }) => !furtherLogs.has(id))
}

/** A training of the store with all of its logs; null where the one that told the points is gone. */
export async function asTraining(
  manifest: Manifest,
  members: readonly FoundRun[],
  hints: Hints,
): Promise<FoundRun | null> {
  const seen = new Set(members.flatMap(({ logs, tables }) => [...logs, ...tables].map(({ file }) => file.path)))
  const missing = manifest.files.filter(({ role, path }) => (role === 'log' || role === 'witness') && !seen.has(path))
  const paths = missing.map(({ path }) => path)
  const { runs } = paths.length === 0 ? { runs: [] } : await discover(paths, { ...hints, separate: true })
  const ids = new Set([manifest.id, ...manifest.joined])
  const isTold = new Set(manifest.files.flatMap(({ role, path }) => (role === 'log' ? [path] : [])))
  const all = [...members, ...(runs.length > 1 ? runs.filter(({ id }) => ids.has(id)) : runs)]
  const told = all.find(({ logs }) => logs.some(({ file }) => isTold.has(file.path)))
  return told === undefined ? null : underId(await asOneTraining(all, rememberedRows(hints), told), manifest.id)
}

async function formerId(
  run: FoundRun,
  byIdentity: ReadonlyMap<string, readonly LogEntry[]>,
  taken: ReadonlySet<string>,
): Promise<string | null> {
  const [{ file }] = run.logs
  const alike = [...(byIdentity.get(run.identity) ?? []), ...olderAlike(run, byIdentity)]
  const candidates = alike.filter(({ id }) => !taken.has(id))
  const here = candidates.find(({ log }) => log?.path === file.path)
  if (here !== undefined) return here.id
  for (const { id, log } of candidates) {
    if (log !== null && (await holdsAllOf(log, file)) && !(await isThere(log.path))) return id
  }
  return null
}

/** Of what klens 0.1 wrote only the beginning of the log is known, and the name. */
function olderAlike(
  { logs: [{ file }], name }: FoundRun,
  byIdentity: ReadonlyMap<string, readonly LogEntry[]>,
): readonly LogEntry[] {
  const { headHash } = logFileOf(file)
  return (byIdentity.get(headHash) ?? []).filter(entry => entry.identity === null && entry.name === name)
}

/** The files of a run whose log has been moved, as they lie now; null where it is where it was. */
export async function relocated(manifest: Manifest, { logs }: FoundRun): Promise<readonly FileRecord[] | null> {
  const [{ file }] = logs
  if (manifest.files.some(({ path }) => path === file.path)) return null
  const log = await logIn(manifest, file)
  if (log === null || (await isThere(log.path))) return null
  const [before, now] = [`${dirname(log.path)}${sep}`, `${dirname(file.path)}${sep}`]
  return manifest.files.map(record => {
    if (record === log) return { ...record, path: file.path }
    return record.path.startsWith(before) ? { ...record, path: now + record.path.slice(before.length) } : record
  })
}

async function logIn({ files }: Manifest, file: SourceFile): Promise<FileRecord | null> {
  for (const record of files) if (record.role === 'log' && (await holdsAllOf(record, file))) return record
  return null
}

async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}

/**
 * The runs of a workspace by what their logs look like, to find copies. Listed once: an import of a thousand runs that
 * listed the workspace for each would spend most of its time on it. Runs that are asked about are known from then on.
 */
export interface KnownRuns {
  /** The id of the run that this one is a copy of; null where it is none. */
  originalOf(manifest: Manifest): Promise<string | null>
  /** Ids of runs that may be logs of the same training. */
  alikeTo(manifest: Manifest): readonly string[]
}

export async function knownRuns(workspace: Workspace): Promise<KnownRuns> {
  const byFingerprint = new Map<string, Set<string>>()
  const know = (fingerprint: string, id: string): void => {
    const ids = byFingerprint.get(fingerprint)
    if (ids === undefined) byFingerprint.set(fingerprint, new Set([id]))
    else ids.add(id)
  }
  const marked = new MarkedRuns()
  for (const { id, fingerprint, marks } of await listLogs(workspace)) {
    know(fingerprint, id)
    marked.add(id, marks === '' ? [] : marks.split(' '))
  }
  return {
    alikeTo(manifest) {
      const marks = trainingMarks(manifest)
      marked.add(manifest.id, marks)
      return marked.alike(manifest.id, marks)
    },
    async originalOf(manifest) {
      const fingerprint = fingerprintOf(manifest)
      if (fingerprint === '') return null
      const alike = [...(byFingerprint.get(fingerprint) ?? [])]
      know(fingerprint, manifest.id)
      return originalAmong(alike, manifest, workspace)
    },
  }
}

/** A run whose log starts and ends alike and whose every metric sums up alike holds the same data. */
async function originalAmong(ids: readonly string[], manifest: Manifest, workspace: Workspace): Promise<string | null> {
  const summary = once(() => JSON.stringify([...manifest.metrics]))
  for (const id of ids.toSorted()) {
    if (id === manifest.id) continue
    const other = await readManifest(workspace, id)
    if (other === null || other.duplicateOf === manifest.id || areOfOneFile(other, manifest)) continue
    if (JSON.stringify([...other.metrics]) === summary()) return other.duplicateOf ?? id
  }
  return null
}

/** Runs of one database are different runs, even where they hold the same numbers, or none. */
export function areOfOneFile(one: Manifest, other: Manifest): boolean {
  const paths = new Set(one.files.map(({ path }) => path))
  return other.files.some(({ path }) => paths.has(path))
}

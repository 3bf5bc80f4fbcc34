import { stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import { type RunSide, sideOf } from '../../core/analysis/compare/evidence.js'
import { confounds } from '../../core/analysis/confounds.js'
import { isEvaluation } from '../../core/analysis/evaluations/evaluation-run.js'
import { type RunView, viewRun } from '../../core/analysis/run-view.js'
import { listRuns, loadRun, type RunEntry } from '../../core/store/catalogue.js'
import { type Manifest, shownName } from '../../core/store/manifest.js'
import { readManifest } from '../../core/store/manifest-file.js'
import { type Resolution, resolver } from '../../core/store/resolve.js'
import type { LoadedRun } from '../../core/store/series.js'
import { loadVocabulary } from '../../core/store/vocabulary.js'
import type { Workspace } from '../../core/store/workspace.js'
import { Problem } from '../../logs/model/problem.js'
import type { Message } from '../../logs/model/run.js'
import { closestWord, namesNear } from '../../logs/model/vocabulary/suggest.js'
import { message } from '../../text/say.js'
import { list, request, someOf } from './fields.js'
import { question } from './question.js'

/**
 * What a person means by a RUN: an id, the start of one, a name, a pattern, or a path whose logs are imported on the fly.
 * A question that removes takes no paths: to import a folder only to throw it away helps nobody.
 */

export interface Naming {
  readonly importPaths?: boolean
  readonly remark?: (remark: Message) => void
  /** Asks to stop, between names and in the middle of a log. */
  readonly signal?: AbortSignal
  /** New runs are kept after the answer, by whoever opened the workspace. */
  readonly keepsLater?: boolean
}

/** The runs are listed once for all names of a question, and again when an import has added some. */
interface Directory {
  readonly entries: () => Promise<readonly RunEntry[]>
  readonly find: (name: string) => Promise<Resolution>
  readonly forget: () => void
}

function directoryOf(workspace: Workspace): Directory {
  const list = async () => {
    const { entries } = await listRuns(workspace)
    return { entries, find: resolver(entries) }
  }
  let listed: ReturnType<typeof list> | null = null
  const known = (): ReturnType<typeof list> => {
    listed ??= list()
    return listed
  }
  return {
    entries: async () => (await known()).entries,
    find: async name => (await known()).find(name),
    forget: () => {
      listed = null
    },
  }
}

export async function resolveRuns(
  workspace: Workspace,
  name: string,
  naming: Naming,
  directory: Directory = directoryOf(workspace),
): Promise<readonly RunView[]> {
  const { ids, recent } = await idsFor(workspace, name, naming, directory)
  const words = await loadVocabulary(workspace)
  const runs = await Promise.all(ids.map(id => recent?.get(id) ?? loadRun(workspace, id)))
  return runs.filter(run => run !== null).map(run => viewRun(run, words))
}

/** For questions about one run; a name of several is a mistake. */
export async function resolveOne(workspace: Workspace, name: string, naming: Naming): Promise<RunView> {
  const runs = await resolveRuns(workspace, name, naming)
  if (runs.length === 1) return runs[0]
  throw ambiguous(
    name,
    runs.map(({ manifest }) => manifest),
    runs.length,
  )
}

/** For questions about many: `runs/*` names the README among them too, which is remarked and passed over. */
export async function resolveAll(
  workspace: Workspace,
  names: readonly string[],
  naming: Naming,
): Promise<readonly RunView[]> {
  const found = new Map<string, RunView>()
  const left: Problem[] = []
  const directory = directoryOf(workspace)
  for (const name of names) {
    try {
      for (const run of await resolveRuns(workspace, name, naming, directory)) found.set(run.manifest.id, run)
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'unreadable') throw error
      left.push(error)
    }
  }
  if (found.size === 0 && left.length > 0) throw left[0]
  for (const { sentence } of left) naming.remark?.(sentence)
  return [...found.values()]
}

/** The sides of a comparison: each a run or replicates of one setting, perhaps `@step`. Two that would read alike keep what was typed. */
export async function resolveSides(
  workspace: Workspace,
  names: readonly string[],
  naming: Naming,
): Promise<readonly RunSide[]> {
  const sides: RunSide[] = []
  const directory = directoryOf(workspace)
  for (const name of names) sides.push(await resolveSide(workspace, name, naming, directory))
  const labels = sides.map(({ label }) => label)
  if (new Set(labels).size === labels.length) return sides
  return sides.map((side, i) => ({ ...side, label: names[i] }))
}

async function resolveSide(
  workspace: Workspace,
  typed: string,
  naming: Naming,
  directory: Directory,
): Promise<RunSide> {
  const { name, checkpoint } = await splitStep(directory, typed)
  const runs = trainingsAmong(await resolveRuns(workspace, name, naming, directory))
  // Evaluations of several tasks are one side: whether they can be is seen when their tasks are read.
  if (!runs.every(isEvaluation)) refuseOthersThanReplicates(name, runs)
  const label = runs.length === 1 ? shownName(runs[0].manifest) : basename(name.replace(/\/\*+$/, ''))
  return sideOf(checkpoint === null ? label : `${label}@${checkpoint}`, runs, checkpoint)
}

const SOURCES_OF_EVALUATIONS: ReadonlySet<string> = new Set(['gym', 'checkpoint'])

/** Evaluations of checkpoints bear the name of their run, so that a pattern of replicates names them too: they are none. */
function trainingsAmong(runs: readonly RunView[]): readonly RunView[] {
  const trainings = runs.filter(({ manifest }) => !SOURCES_OF_EVALUATIONS.has(manifest.source))
  return trainings.length === 0 ? runs : trainings
}

/** A run whose own name ends like a step is that run. */
async function splitStep(
  directory: Directory,
  typed: string,
): Promise<{ readonly name: string; readonly checkpoint: number | null }> {
  const [, name, step] = /^(.+)@(\d+(?:\.\d+)?)$/s.exec(typed) ?? []
  if (name === undefined) return { name: typed, checkpoint: null }
  const { kind } = await directory.find(typed)
  return kind === 'found' ? { name: typed, checkpoint: null } : { name, checkpoint: Number(step) }
}

/** Runs that differ in more than seeds and names are no replicates of each other. */
function refuseOthersThanReplicates(side: string, runs: readonly RunView[]): void {
  const differing = confounds(runs)
  if (differing.length === 0) return
  const keys = someOf(
    differing.map(({ key }) => key),
    4,
  )
  throw new Problem('bad-request', message('compare.not-replicates', { side, keys }))
}

interface NamedRuns {
  readonly ids: readonly string[]
  /** Those that were imported just now need not be read back. */
  readonly recent?: ReadonlyMap<string, LoadedRun>
}

async function idsFor(workspace: Workspace, name: string, naming: Naming, directory: Directory): Promise<NamedRuns> {
  naming.signal?.throwIfAborted()
  const resolution = await directory.find(name)
  switch (resolution.kind) {
    case 'found':
      return { ids: resolution.runs.map(({ id }) => id) }
    case 'ambiguous': {
      const { candidates } = resolution
      const shown = await Promise.all(
        candidates.slice(0, MOST_CANDIDATES).map(({ id }) => readManifest(workspace, id).catch(() => null)),
      )
      throw ambiguous(
        name,
        shown.filter(each => each !== null),
        candidates.length,
      )
    }
    case 'unknown':
      if (naming.importPaths === false)
        throw new Problem('not-found', message('run.unknown-name', await unknownName(directory, name)))
      return importPath(workspace, name, naming, directory)
  }
}

/** The path that is meant: as it was typed, or the log of that name which a loop of one's own writes into the workspace. */
export async function pathMeant({ root }: Workspace, typed: string): Promise<string | null> {
  if (await isThere(typed)) return typed
  const logged = join(root, 'logs', basename(typed))
  return basename(typed) === typed && (await isThere(logged)) ? logged : null
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}

async function importPath(
  workspace: Workspace,
  typed: string,
  { signal, keepsLater = false, remark }: Naming,
  directory: Directory,
): Promise<NamedRuns> {
  const path = await pathMeant(workspace, typed)
  if (path === null) throw new Problem('not-found', message('run.unknown', await unknownName(directory, typed)))
  // The readers of all formats are loaded only here: most runs that are named lie in the store already.
  const { importLogs } = await import('../../core/store/ingest.js')
  const { runs, held, recent, skipped } = await importLogs(workspace, [path], {
    ...(signal !== undefined && { signal }),
    ...(keepsLater && { onUnkept: (reason: Message) => remark?.(reason) }),
  })
  directory.forget()
  // What another process is reading just now is answered as far as it has come.
  if (runs.length + held.length > 0) return { ids: [...runs.map(({ id }) => id), ...held], recent }
  const reason = skipped[0]?.reason ?? message('skip.nothing', {})
  throw new Problem('unreadable', message('run.nothing-at-path', { path, reason }))
}

async function unknownName(directory: Directory, name: string) {
  const names = (await directory.entries()).map(entry => entry.name)
  const guess = closestWord(name, names)
  if (guess !== null) return { name, hint: message('cli.did-you-mean', { guess }) }
  const near = /[*?]/.test(name) ? namesNear(name, [...new Set(names)].sort(), MOST_CANDIDATES) : []
  return { name, hint: near.length === 0 ? '' : message('run.near', { names: near.join(', ') }) }
}

const MOST_CANDIDATES = 5

/** Ids alone would tell nobody which is which. */
function ambiguous(name: string, some: readonly Manifest[], count: number): Problem {
  const candidates = some.slice(0, MOST_CANDIDATES).map(({ id, source, files, about: { startedAt } }) =>
    message('run.candidate', {
      id,
      source,
      path: files[0]?.path ?? '–',
      started: startedAt === undefined ? '–' : new Date(startedAt * 1000).toISOString().slice(0, 16).replace('T', ' '),
    }),
  )
  const more = count > candidates.length ? message('run.more-candidates', { count: count - candidates.length }) : ''
  return new Problem('ambiguous', message('run.ambiguous', { name, count, candidates, more }))
}

/** Which runs are meant by these words? Quick, so that curves can be drawn while a verdict is still being worked out. */

const sidesAnswer = z.object({
  sides: list(
    z.object({
      label: z.string(),
      /** Of `RUN@40`. */
      step: z.number().nullable(),
      runs: list(z.object({ id: z.string(), name: z.string() })),
    }),
  ),
})

export const sides = question({
  request: request({ sides: list(z.string()) }),
  answer: sidesAnswer,
  async ask(workspace, asked, asking) {
    const found = await resolveSides(workspace, asked.sides, asking)
    return {
      sides: found.map(({ label, checkpoint, runs }) => ({
        label,
        step: checkpoint,
        runs: runs.map(({ manifest }) => ({ id: manifest.id, name: shownName(manifest) })),
      })),
    }
  },
})

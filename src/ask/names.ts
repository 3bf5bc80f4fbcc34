import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { type RunSide, sideOf } from '../analysis/compare/evidence.js'
import { confounds } from '../analysis/confounds.js'
import { type RunView, viewRun } from '../analysis/run-view.js'
import { Problem } from '../model/problem.js'
import type { Message } from '../model/run.js'
import { loadRun } from '../store/catalogue.js'
import { importLogs } from '../store/ingest.js'
import { shownName } from '../store/manifest.js'
import { workspaceWords } from '../store/meaning.js'
import { resolveRun } from '../store/resolve.js'
import type { LoadedRun } from '../store/series.js'
import type { Workspace } from '../store/workspace.js'
import { message } from '../text/say.js'
import { someOf } from './fields.js'

/**
 * What a person means by a RUN: an id, the start of one, a name, a pattern, or a path whose logs are imported on the fly.
 * A question that removes takes no paths: to import a folder only to throw it away helps nobody.
 */

export interface Naming {
  readonly importPaths?: boolean
  readonly remark?: (remark: Message) => void
  /** Asks to stop, between names and in the middle of a log. */
  readonly signal?: AbortSignal
}

export async function resolveRuns(workspace: Workspace, name: string, naming: Naming): Promise<readonly RunView[]> {
  const { ids, recent } = await idsFor(workspace, name, naming)
  const words = await workspaceWords(workspace)
  const runs = await Promise.all(ids.map(id => recent?.get(id) ?? loadRun(workspace, id)))
  return runs.filter(run => run !== null).map(run => viewRun(run, words))
}

/** For questions about one run; a name of several is a mistake. */
export async function resolveOne(workspace: Workspace, name: string, naming: Naming): Promise<RunView> {
  const runs = await resolveRuns(workspace, name, naming)
  if (runs.length === 1) return runs[0]
  throw ambiguous(
    name,
    runs.map(({ manifest }) => manifest.id),
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
  for (const name of names) {
    try {
      for (const run of await resolveRuns(workspace, name, naming)) found.set(run.manifest.id, run)
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
  for (const name of names) sides.push(await resolveSide(workspace, name, naming))
  const labels = sides.map(({ label }) => label)
  if (new Set(labels).size === labels.length) return sides
  return sides.map((side, i) => ({ ...side, label: names[i] }))
}

async function resolveSide(workspace: Workspace, typed: string, naming: Naming): Promise<RunSide> {
  const { name, checkpoint } = await splitStep(workspace, typed)
  const runs = await resolveRuns(workspace, name, naming)
  refuseOthersThanReplicates(name, runs)
  const label = runs.length === 1 ? shownName(runs[0].manifest) : basename(name.replace(/\/\*+$/, ''))
  return sideOf(checkpoint === null ? label : `${label}@${checkpoint}`, runs, checkpoint)
}

/** A run whose own name ends like a step is that run. */
async function splitStep(
  workspace: Workspace,
  typed: string,
): Promise<{ readonly name: string; readonly checkpoint: number | null }> {
  const [, name, step] = /^(.+)@(\d+(?:\.\d+)?)$/s.exec(typed) ?? []
  if (name === undefined) return { name: typed, checkpoint: null }
  const { kind } = await resolveRun(workspace, typed)
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

async function idsFor(workspace: Workspace, name: string, { importPaths = true, signal }: Naming): Promise<NamedRuns> {
  signal?.throwIfAborted()
  const resolution = await resolveRun(workspace, name)
  switch (resolution.kind) {
    case 'found':
      return { ids: resolution.runs.map(({ id }) => id) }
    case 'ambiguous':
      throw ambiguous(
        name,
        resolution.candidates.map(({ id }) => id),
      )
    case 'unknown':
      if (!importPaths) throw new Problem('not-found', message('run.unknown-name', { name }))
      return importPath(workspace, name, signal)
  }
}

async function importPath(workspace: Workspace, path: string, signal: AbortSignal | undefined): Promise<NamedRuns> {
  const there = await stat(path).catch(() => null)
  if (there === null) throw new Problem('not-found', message('run.unknown', { name: path }))
  const { runs, recent, skipped } = await importLogs(workspace, [path], { ...(signal !== undefined && { signal }) })
  if (runs.length > 0) return { ids: runs.map(({ id }) => id), recent }
  const reason = skipped[0]?.reason ?? message('skip.nothing', {})
  throw new Problem('unreadable', message('run.nothing-at-path', { path, reason }))
}

function ambiguous(name: string, candidates: readonly string[]): Problem {
  const shown = someOf(candidates, 5) + (candidates.length > 5 ? ', …' : '')
  return new Problem('ambiguous', message('run.ambiguous', { name, count: candidates.length, candidates: shown }))
}

import { stat } from 'node:fs/promises'
import { loadRun } from '../store/catalogue.js'
import { importLogs } from '../store/ingest.js'
import { resolveRun } from '../store/resolve.js'
import type { LoadedRun } from '../store/series.js'
import { openWorkspace, type Workspace } from '../store/workspace.js'
import { type Context, UserError } from './context.js'
import { printable } from './style.js'

/**
 * What a RUN argument means: an id, a name, a pattern, or a path whose logs are imported on the fly. Not so for a verb
 * that removes: to import a folder only to throw it away helps nobody, and `klens rm .` would empty the store.
 */
export async function findRuns(
  context: Context,
  argument: string,
  { pathsToo = true }: { readonly pathsToo?: boolean } = {},
): Promise<readonly LoadedRun[]> {
  const workspace = await openWorkspace()
  const { ids, recent } = await idsFor(context, workspace, argument, pathsToo)
  const runs = await Promise.all(ids.map(id => recent?.get(id) ?? loadRun(workspace, id)))
  return runs.filter(run => run !== null)
}

/** For verbs about many: `runs/*` names the README among them too, which is said and passed over. */
export async function findAllRuns(context: Context, names: readonly string[]): Promise<readonly LoadedRun[]> {
  const found = new Map<string, LoadedRun>()
  const left: NothingThere[] = []
  for (const name of names) {
    try {
      for (const run of await findRuns(context, name)) found.set(run.manifest.id, run)
    } catch (error) {
      if (!(error instanceof NothingThere)) throw error
      left.push(error)
    }
  }
  if (found.size === 0 && left.length > 0) throw left[0]
  for (const { message } of left) context.remark(message)
  return [...found.values()]
}

class NothingThere extends UserError {}

/** For verbs about one run; an argument that names several is a mistake. */
export async function findRun(context: Context, argument: string): Promise<LoadedRun> {
  const runs = await findRuns(context, argument)
  if (runs.length !== 1) {
    const candidates = runs.map(({ manifest }) => manifest.id)
    throw new UserError(ambiguous(context, argument, candidates))
  }
  return runs[0]
}

async function idsFor(context: Context, workspace: Workspace, argument: string, pathsToo: boolean): Promise<Found> {
  const resolution = await resolveRun(workspace, argument)
  switch (resolution.kind) {
    case 'found':
      return { ids: resolution.runs.map(({ id }) => id) }
    case 'ambiguous':
      throw new UserError(
        ambiguous(
          context,
          argument,
          resolution.candidates.map(({ id }) => id),
        ),
      )
    case 'unknown':
      if (!pathsToo) throw new UserError(context.say('run.unknown-name', { name: printable(argument) }))
      return importPath(context, workspace, argument)
  }
}

interface Found {
  readonly ids: readonly string[]
  /** Those that were imported just now need not be read back. */
  readonly recent?: ReadonlyMap<string, LoadedRun>
}

async function importPath(context: Context, workspace: Workspace, path: string): Promise<Found> {
  const there = await stat(path).catch(() => null)
  if (there === null) throw new UserError(context.say('run.unknown', { name: printable(path) }))
  const { runs, recent, skipped } = await importLogs(workspace, [path])
  if (runs.length === 0) {
    const reason = skipped.length > 0 ? context.render(skipped[0].reason) : context.say('skip.nothing', {})
    throw new NothingThere(
      context.say('run.nothing-at-path', { path: printable(path), reason: printable(reason, 300) }),
    )
  }
  return { ids: runs.map(({ id }) => id), recent }
}

function ambiguous(context: Context, argument: string, candidates: readonly string[]): string {
  const shown = candidates.slice(0, 5).join(', ') + (candidates.length > 5 ? ', …' : '')
  return context.say('run.ambiguous', { name: printable(argument), count: candidates.length, candidates: shown })
}

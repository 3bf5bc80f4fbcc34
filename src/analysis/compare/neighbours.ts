import { listRuns, loadRun, type RunEntry } from '../../store/catalogue.js'
import { hasSeries } from '../../store/manifest.js'
import type { WorkspaceVocabulary } from '../../store/vocabulary.js'
import type { Workspace } from '../../store/workspace.js'
import { settingKey } from '../confounds.js'
import { withoutCopies } from '../conventions.js'
import { type RunView, viewRun } from '../run-view.js'

/** The other runs of the workspace, as evidence that is already there: replicates, and runs that separate two knobs. */
export interface Neighbour {
  readonly run: RunView
  /** Equal for replicates; null where the config tells nothing. */
  readonly setting: string | null
}

/** A big workspace is not read from end to end for a side note. */
const MOST_LOOKED_AT = 400

/** Runs that log a metric; copies of other runs are no evidence. */
export async function neighbours(
  workspace: Workspace,
  words: WorkspaceVocabulary,
  metric: string,
): Promise<readonly Neighbour[]> {
  const { entries } = await listRuns(workspace)
  const found = new Map<RunView, Neighbour>()
  for (const entry of entries.slice(0, MOST_LOOKED_AT)) {
    const neighbour = await lookedAt(workspace, words, entry)
    if (neighbour !== null && hasSeries(neighbour.run.manifest, metric)) found.set(neighbour.run, neighbour)
  }
  return withoutCopies([...found.keys()]).runs.map(run => found.get(run) ?? neighbourOf(run))
}

const looked = new WeakMap<RunEntry, { readonly words: WorkspaceVocabulary; readonly neighbour: Neighbour | null }>()

/** A process that answers one comparison after the other looks at a run once: its entry is another when it has changed. */
async function lookedAt(workspace: Workspace, words: WorkspaceVocabulary, entry: RunEntry): Promise<Neighbour | null> {
  const before = looked.get(entry)
  if (before?.words === words) return before.neighbour
  const run = await loadRun(workspace, entry.id).catch(() => null)
  const neighbour = run === null ? null : neighbourOf(viewRun(run, words))
  looked.set(entry, { words, neighbour })
  return neighbour
}

export function neighbourOf(run: RunView): Neighbour {
  return { run, setting: settingKey(run) }
}

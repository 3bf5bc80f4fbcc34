import { listRuns, loadRun } from '../../store/catalogue.js'
import { hasSeries } from '../../store/manifest.js'
import type { WorkspaceWords } from '../../store/meaning.js'
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
  words: WorkspaceWords,
  metric: string,
): Promise<readonly Neighbour[]> {
  const { entries } = await listRuns(workspace)
  const found: RunView[] = []
  for (const { id } of entries.slice(0, MOST_LOOKED_AT)) {
    const run = await loadRun(workspace, id).catch(() => null)
    if (run !== null && hasSeries(run.manifest, metric)) found.push(viewRun(run, words))
  }
  return withoutCopies(found).runs.map(neighbourOf)
}

export function neighbourOf(run: RunView): Neighbour {
  return { run, setting: settingKey(run) }
}

import type { Config } from '../../model/run.js'
import type { Framework } from '../../model/vocabulary/framework.js'
import { listRuns, loadRun } from '../../store/catalogue.js'
import { hasSeries, wholeConfig } from '../../store/manifest.js'
import { frameworkOf } from '../../store/meaning.js'
import type { LoadedRun } from '../../store/series.js'
import type { Workspace } from '../../store/workspace.js'
import { settingKey } from '../confounds.js'

/** The other runs of the workspace, as evidence that is already there: replicates, and runs that separate two knobs. */
export interface Neighbour {
  readonly run: LoadedRun
  readonly config: Config
  readonly framework: Framework | null
  /** Equal for replicates; null where the config tells nothing. */
  readonly setting: string | null
}

/** A big workspace is not read from end to end for a side note. */
const MOST_LOOKED_AT = 400

/** Runs that log a metric; copies of other runs are no evidence. */
export async function neighbours(workspace: Workspace, metric: string): Promise<readonly Neighbour[]> {
  const { entries } = await listRuns(workspace)
  const found: Neighbour[] = []
  for (const { id } of entries.slice(0, MOST_LOOKED_AT)) {
    const run = await loadRun(workspace, id).catch(() => null)
    if (run === null || run.manifest.duplicateOf !== null || !hasSeries(run.manifest, metric)) continue
    found.push(neighbourOf(run))
  }
  return found
}

export function neighbourOf(run: LoadedRun): Neighbour {
  const config = wholeConfig(run.manifest)
  const framework = frameworkOf(run.manifest)
  return { run, config, framework, setting: settingKey(config, framework) }
}

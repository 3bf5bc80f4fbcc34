import { listRuns, type RunEntry } from '../../store/catalogue.js'
import type { Workspace } from '../../store/workspace.js'
import { type Lineage, trainingHash } from './lineage.js'

/** Runs of the workspace that are this very training: the same settings, data and start; and the same name, where one is given. */
export async function sameTrainings(
  workspace: Workspace,
  lineage: Lineage,
  name: string | null,
): Promise<readonly RunEntry[]> {
  // A fingerprint begins with the head hash of the run's log, which for a training is this.
  const beginning = `${trainingHash(lineage)}:`
  const { entries } = await listRuns(workspace)
  return entries
    .filter(
      entry =>
        entry.source === SOURCE && entry.fingerprint.startsWith(beginning) && (name ?? entry.name) === entry.name,
    )
    .toSorted((a, b) => (b.startedAt ?? 0) - (a.startedAt ?? 0))
}

/** How the store names what klens itself trained. */
export const SOURCE = 'klens'

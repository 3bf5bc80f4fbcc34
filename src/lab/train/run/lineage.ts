import { listRuns, type RunEntry } from '../../../core/store/catalogue.js'
import type { Workspace } from '../../../core/store/workspace.js'
import type { Lineage } from '../../../logs/model/lineage.js'
import type { Trainable } from './trainable.js'

/** What a training is made of, and which runs of the workspace are this very one. */

/** How the store names what klens itself trained. */
export const SOURCE = 'klens'

/** `code`: version of klens. */
export function lineageOf({ from, dataHash, settingsHash }: Trainable, code: string): Lineage {
  const parent =
    from === null ? null : { contentHash: from.contentHash, path: from.path, step: from.step, run: from.run }
  return { parent, data: dataHash, settings: settingsHash, code }
}

/** The same settings, data and start; and the same name, where one is given. The newest first. */
export async function sameTrainings(
  workspace: Workspace,
  lineage: Lineage,
  name: string | null,
): Promise<readonly RunEntry[]> {
  const { entries } = await listRuns(workspace)
  return entries
    .filter(entry => entry.source === SOURCE && isSame(entry.lineage, lineage) && (name ?? entry.name) === entry.name)
    .toSorted((a, b) => (b.startedAt ?? 0) - (a.startedAt ?? 0))
}

/** Another version of klens does not make it another training. */
function isSame(one: Lineage, other: Lineage): boolean {
  return one.settings === other.settings && one.data === other.data && startsAlike(one, other)
}

export function startsAlike({ parent }: Lineage, other: Lineage): boolean {
  return parent !== undefined && parent?.contentHash === other.parent?.contentHash
}

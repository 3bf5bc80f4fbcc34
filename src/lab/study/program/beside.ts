import { join } from 'node:path'
import { writeFileAtomically } from '../../../core/store/atomic.js'
import type { Workspace } from '../../../core/store/workspace.js'
import { studyFolder } from '../ledger.js'
import type { BesideSpec } from '../services/beside.js'
import type { ServiceSpec } from '../services/spec.js'
import { serviceOf, type TrialCommand } from './command.js'
import type { PlannedService } from './resolve.js'

/** How klens is started where programs run. */
export type KlensWords = readonly [program: string, ...rest: string[]]

/** So long does a service of the study wait for the next trial. */
const LINGER_MS = 5_000

export function sharedServices(
  services: readonly PlannedService[],
  textFor: (key: string) => string,
): readonly ServiceSpec[] {
  return services.map(service => serviceOf(service, textFor, LINGER_MS))
}

/** The command as it is where nothing runs beside it; else klens, which starts what it needs and then the command. */
export async function withServices(
  workspace: Workspace,
  study: string,
  klens: KlensWords,
  folder: string,
  { words, folder: place, environment }: TrialCommand,
  beside: Pick<BesideSpec, 'shared' | 'before' | 'own'>,
): Promise<TrialCommand> {
  const { shared, before, own } = beside
  if (shared.length + before.length + own.length === 0) return { words, folder: place, environment }
  const root = join(studyFolder(workspace, study), 'services')
  const spec: BesideSpec = { root, shared, before, own, words, folder: place, environment }
  const path = join(folder, 'beside.json')
  await writeFileAtomically(path, `${JSON.stringify(spec, null, 2)}\n`)
  const [program, ...rest] = klens
  return { words: [program, ...rest, 'study', 'beside', path], folder: place, environment: {} }
}

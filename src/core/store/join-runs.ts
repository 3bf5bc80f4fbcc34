import type { Message } from '../../logs/model/run.js'
import { differingSetting } from '../../logs/sources/differing-setting.js'
import { asOne, underId } from '../../logs/sources/one-training.js'
import type { FoundRun } from '../../logs/sources/run-identity.js'
import type { Hints } from '../../logs/sources/source.js'
import { sentences } from '../../text/sentences.js'
import { loadRun } from './catalogue.js'
import { areOfOneFile, asTraining, type KnownRuns } from './identify-runs.js'
import { changeRun, removeRun } from './manage.js'
import { type Manifest, shownName, wholeConfig } from './manifest.js'
import { agreementOf, type LogAgreement } from './same-training.js'
import type { LoadedRun } from './series.js'
import type { Workspace } from './workspace.js'

/**
 * Runs that turn out to be logs of one training are joined: the log with most digits tells the points, and the others
 * become secondary logs of it. Equal values under settings that differ are no training that was logged twice but a
 * finding, so such runs stay apart, and each import says so.
 */

const say = sentences({
  'import.identical': {
    en: 'has the same values as {run} at every step, although {key} differs ({one}, {other}): they are kept as two runs',
    zh: '每一步的数值都与 {run} 相同，但 {key} 不同（{one}、{other}）：仍作为两个 run 保留',
  },
})

export interface ImportedRun {
  readonly found: FoundRun
  readonly run: LoadedRun
}

interface Joining {
  readonly workspace: Workspace
  readonly known: KnownRuns
  readonly hints: Hints
  /** Reads the files of a run into the store. */
  readonly write: (found: FoundRun) => Promise<LoadedRun>
}

/** The runs of an import, by id, with those joined that are of one training. */
export async function joinImported(joining: Joining, imported: Map<string, ImportedRun>): Promise<void> {
  for (const id of [...imported.keys()]) {
    const mine = imported.get(id)
    for (const otherId of mine === undefined ? [] : joining.known.alikeTo(mine.run.manifest)) {
      if (!(await joinPair(joining, imported, id, otherId))) continue
      break
    }
  }
}

/** Whether nothing more is to be found out about the run. */
async function joinPair(
  joining: Joining,
  imported: Map<string, ImportedRun>,
  id: string,
  otherId: string,
): Promise<boolean> {
  const mine = imported.get(id)
  if (mine === undefined || isSettled(mine.run)) return true
  const before = imported.get(otherId)
  const other = before?.run ?? (await loadRun(joining.workspace, otherId))
  if (other === null || isSettled(other) || isNoted(mine.run.manifest, other.manifest)) return false
  if (areOfOneFile(mine.run.manifest, other.manifest)) return false
  const agreement = await agreementOf(mine.run, other)
  if (agreement === null) return false
  const settled = await settle(joining, mine, { run: other, found: before?.found ?? null }, agreement)
  if (settled.found !== mine.found) for (const gone of [id, otherId]) imported.delete(gone)
  imported.set(settled.run.manifest.id, settled)
  return settled.found !== mine.found
}

function isSettled({ manifest }: LoadedRun): boolean {
  return manifest.apart || manifest.duplicateOf !== null
}

/** Joins two runs that hold the same values, or notes why they stay apart. */
async function settle(
  { workspace, hints, write }: Joining,
  mine: ImportedRun,
  other: { readonly run: LoadedRun; readonly found: FoundRun | null },
  { digits, sameSteps }: LogAgreement,
): Promise<ImportedRun> {
  const [one, two] = [mine.run.manifest, other.run.manifest]
  const noted = async (change: Partial<Pick<Manifest, 'warnings' | 'duplicateOf'>>): Promise<ImportedRun> => {
    const manifest = (await changeRun(workspace, one.id, () => change)) ?? one
    return { found: mine.found, run: { ...mine.run, manifest } }
  }
  const differing = differingSetting(wholeConfig(one), wholeConfig(two))
  if (differing !== null) {
    const [ours = '', theirs = ''] = differing.values.map(value => JSON.stringify(value))
    const params = { run: shownName(two), key: differing.key, one: ours, other: theirs }
    return noted({ warnings: [...one.warnings, say('import.identical', params)] })
  }
  const found = other.found ?? (await asTraining(two, [], hints))
  const isEven = Math.abs(digits[0] - digits[1]) < DIGITS_APART
  // Two logs that one loop writes in the same way are of two launches, and count once; nothing else is known of them.
  const isInOneWay = one.source === two.source && one.metrics.size === two.metrics.size && isEven
  const mayBeTwo = isInOneWay && !(hasSettings(one) && hasSettings(two))
  if (mayBeTwo && !sameSteps) return mine
  if (found === null || mayBeTwo) return noted({ duplicateOf: two.id })
  const isMine = isEven ? asOne([found, mine.found]).logs === mine.found.logs : digits[0] > digits[1]
  const told = isMine ? mine.found : found
  // A run that was there before keeps its id; of two new ones it is that of the log that tells the points.
  const id = other.found === null ? two.id : told.id
  const training = underId(asOne([found, mine.found], told), id)
  const run = await write(training)
  const gone = id === one.id ? two : one
  await removeRun(workspace, gone.id)
  const manifest = await changeRun(workspace, id, ({ tags, note, givenName }) => ({
    tags: [...new Set([...tags, ...gone.tags])],
    note: [...new Set([note, gone.note])].filter(Boolean).join('\n\n'),
    givenName: givenName ?? gone.givenName,
  }))
  return { found: training, run: { ...run, manifest: manifest ?? run.manifest } }
}

/** By so many digits on average one log must be better than the other. */
const DIGITS_APART = 1

function hasSettings(manifest: Manifest): boolean {
  return Object.keys(wholeConfig(manifest)).length > 0
}

/** Whether it was said already that two runs are identical and yet two. */
function isNoted(one: Manifest, other: Manifest): boolean {
  const says = ({ key, params }: Message, { id, name, givenName }: Manifest): boolean =>
    key === 'import.identical' && (params.run === id || params.run === name || params.run === givenName)
  return one.warnings.some(each => says(each, other)) || other.warnings.some(each => says(each, one))
}

import { basename } from 'node:path'
import { type RunSide, sideOf } from '../analysis/compare/evidence.js'
import { confounds } from '../analysis/confounds.js'
import { type RunView, viewRun } from '../analysis/run-view.js'
import { shownName } from '../store/manifest.js'
import { workspaceWords } from '../store/meaning.js'
import { resolveRun } from '../store/resolve.js'
import { openWorkspace } from '../store/workspace.js'
import { type Context, UserError } from './context.js'
import { findRuns } from './find-runs.js'
import { printable } from './print/style.js'

/** The sides of a comparison as the user named them. Two that would read alike keep what was typed. */
export async function findSides(context: Context, names: readonly string[]): Promise<readonly RunSide[]> {
  const sides: RunSide[] = []
  for (const name of names) sides.push(await findSide(context, name))
  const labels = sides.map(({ label }) => label)
  if (new Set(labels).size === labels.length) return sides
  return sides.map((side, i) => ({ ...side, label: names[i] }))
}

async function findSide(context: Context, argument: string): Promise<RunSide> {
  const { name, checkpoint } = await splitStep(argument)
  const words = await workspaceWords(await openWorkspace())
  const runs = (await findRuns(context, name)).map(run => viewRun(run, words))
  checkReplicates(context, name, runs)
  const label = runs.length === 1 ? shownName(runs[0].manifest) : basename(name.replace(/\/\*+$/, ''))
  return sideOf(checkpoint === null ? label : `${label}@${checkpoint}`, runs, checkpoint)
}

/** A run whose own name ends like a step is that run. */
async function splitStep(argument: string): Promise<{ readonly name: string; readonly checkpoint: number | null }> {
  const found = /^(.+)@(\d+(?:\.\d+)?)$/s.exec(argument)
  if (found === null) return { name: argument, checkpoint: null }
  const whole = await resolveRun(await openWorkspace(), argument)
  return whole.kind === 'found'
    ? { name: argument, checkpoint: null }
    : { name: found[1], checkpoint: Number(found[2]) }
}

/** Runs that differ in more than seeds and names are no replicates of each other. */
function checkReplicates(context: Context, name: string, runs: readonly RunView[]): void {
  const differing = confounds(runs)
  if (differing.length === 0) return
  const keys = differing
    .slice(0, 4)
    .map(({ key }) => key)
    .join(', ')
  throw new UserError(context.say('compare.not-replicates', { side: printable(name), keys: printable(keys, 200) }))
}

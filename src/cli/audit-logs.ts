import { compareRuns } from '../analysis/compare/answer.js'
import type { RunSide } from '../analysis/compare/evidence.js'
import type { LoggedSeries, Logs } from '../audit/data.js'
import type { Verdict } from '../model/verdict.js'
import { shownName } from '../store/manifest.js'
import { workspaceWords } from '../store/meaning.js'
import { type LoadedRun, readSeries } from '../store/series.js'
import { openWorkspace } from '../store/workspace.js'
import type { Context } from './context.js'
import { findSides } from './find-sides.js'

/** The runs behind a report: every series of theirs, and with two sides the verdicts of their comparison. */
export async function readLogs(context: Context, names: readonly string[]): Promise<Logs> {
  const sides = await findSides(context, names)
  const series: LoggedSeries[] = []
  for (const { runs } of sides) for (const run of runs) series.push(...(await seriesOf(run)))
  return { series, verdicts: sides.length === 2 ? await verdictsOf(sides) : [] }
}

async function seriesOf(run: LoadedRun): Promise<LoggedSeries[]> {
  const all = await readSeries(run, [...run.manifest.metrics.keys()])
  return [...all].map(([metric, { steps, values }]) => {
    const byStep = new Map(Array.from(steps, (step, i) => [step, values[i]]))
    return { run: shownName(run.manifest), metric, valueAt: step => byStep.get(step) }
  })
}

async function verdictsOf(sides: readonly RunSide[]): Promise<readonly Verdict[]> {
  const workspace = await openWorkspace()
  const wanted = { metric: 'val.score', goal: null, margin: null, seedScatter: null }
  const comparison = await compareRuns(workspace, await workspaceWords(workspace), sides, wanted)
  return comparison?.others.flatMap(({ verdicts }) => verdicts) ?? []
}

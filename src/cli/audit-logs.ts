import { compareRuns } from '../analysis/compare/comparison.js'
import type { RunSide } from '../analysis/compare/read-side.js'
import type { Logs } from '../audit/data.js'
import type { LoggedSeries } from '../audit/ledger.js'
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
    return {
      run: shownName(run.manifest),
      metric,
      file: run.manifest.files[0]?.path ?? null,
      steps,
      values,
      valueAt: (step: number) => byStep.get(step),
    }
  })
}

async function verdictsOf(sides: readonly RunSide[]): Promise<readonly Verdict[]> {
  const workspace = await openWorkspace()
  const wanted = { metric: 'val.score', goal: null, margin: null, seedScatter: null }
  const comparison = await compareRuns(workspace, await workspaceWords(workspace), sides, wanted)
  return comparison?.others.flatMap(({ verdicts }) => verdicts) ?? []
}

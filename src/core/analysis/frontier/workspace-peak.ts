import { Problem } from '../../../logs/model/problem.js'
import { loadVocabulary } from '../../store/vocabulary.js'
import type { Workspace } from '../../store/workspace.js'
import { isSameExperiment, workspaceRuns } from '../compare/workspace-noise.js'
import { levelAt } from '../forecast/forecast.js'
import { endOf, reaches, runsOfExperiment } from '../forecast/history.js'
import type { RunView } from '../run-view.js'
import { klAxis } from './kl-axis.js'
import { pathOf } from './paths.js'
import { type SeenPath, type SeenPeak, seenPeak } from './seen-peak.js'

/** From the runs of a workspace to the peak that it has seen. */

/** What other runs of the experiment are judged by, for one that is not validated itself. */
async function yardstickOfOthers(workspace: Workspace, run: RunView): Promise<string | null> {
  const [kl] = run.carriersAmong([...run.manifest.metrics.keys()], 'kl.ref')
  if (kl === undefined) return null
  const known = await workspaceRuns(workspace, await loadVocabulary(workspace), kl)
  const judged = known.find(other => isSameExperiment(other.run, [run]) && other.run.goal.yardsticks.length > 0)
  return judged?.run.goal.yardsticks[0].metric ?? null
}

/** Null where the workspace has seen none, or its runs log no KL in one way. */
export async function peakSeenBy(workspace: Workspace, run: RunView): Promise<SeenPeak | null> {
  const metric = run.goal.yardsticks[0]?.metric ?? (await yardstickOfOthers(workspace, run))
  if (metric === null || run.meaningOf(metric).goal !== 'max') return null
  const others = await runsOfExperiment(workspace, run, metric)
  const until = endOf(run, others)
  const finished = others.filter(({ steps }) => until !== null && reaches(steps, until))
  if (until === null || finished.length === 0) return null
  try {
    const { byRun } = await klAxis(finished.map(each => each.run))
    const seen = finished.flatMap((each): SeenPath[] => {
      const kl = byRun.get(each.run.manifest.id)
      const level = levelAt(each, until, until)
      if (kl === undefined || !kl.isDistance || level === null) return []
      const scores = new Map(each.steps.flatMap((step, i) => (step > 0 ? [[step, each.values[i]] as const] : [])))
      return [{ setting: each.setting, path: pathOf(scores, kl.points), level }]
    })
    return seenPeak(metric, seen)
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}

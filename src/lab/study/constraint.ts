import { klAxis } from '../../core/analysis/frontier/kl-axis.js'
import { klLevel } from '../../core/analysis/frontier/paths.js'
import type { FrontierRun } from '../../core/analysis/frontier/setting.js'
import { bestWithin } from '../../core/analysis/frontier/within.js'
import { type RunView, viewRun } from '../../core/analysis/run-view.js'
import { loadRun } from '../../core/store/catalogue.js'
import { loadVocabulary } from '../../core/store/vocabulary.js'
import type { Workspace } from '../../core/store/workspace.js'
import { Problem } from '../../logs/model/problem.js'
import type { WithinKl } from '../../logs/model/study/terms.js'
import { type Cell, usableValue } from './cell.js'
import type { PlannedStudy } from './plan/plan-study.js'

/** Which arm is the best within the KL that the study allows? Trials are judged by their last score, so KL is that of the end. */
export async function withinConstraint(
  workspace: Workspace,
  { arms, file: { constraint, direction } }: PlannedStudy,
  cells: readonly Cell[],
): Promise<WithinKl | null> {
  if (constraint === undefined) return null
  const words = await loadVocabulary(workspace)
  const trials: { readonly arm: string; readonly view: RunView; readonly score: number }[] = []
  for (const cell of cells) {
    const [id] = cell.runs
    const run = id === undefined ? null : await loadRun(workspace, id)
    const score = usableValue(cell)
    if (run !== null && score !== null) trials.push({ arm: cell.trial.arm.name, view: viewRun(run, words), score })
  }
  const levels = await endLevels(trials.map(({ view }) => view))
  const settings = arms.map(({ name }) => ({
    values: [name],
    label: name,
    runs: trials
      .filter(({ arm }) => arm === name)
      .map(({ view: { manifest }, score }): FrontierRun => {
        return { id: manifest.id, score, kl: levels.get(manifest.id) ?? null, optimised: null }
      }),
  }))
  const judged = settings.filter(({ runs }) => runs.length > 0)
  return bestWithin(judged, constraint.kl, direction === 'max' ? 1 : -1)
}

/** The end of training: the last eighth of what was logged. */
const END = 7 / 8

async function endLevels(views: readonly RunView[]): Promise<ReadonlyMap<string, number>> {
  try {
    const { byRun } = await klAxis(views)
    return new Map(
      [...byRun].flatMap(([id, { points, isDistance }]) => {
        const last = points.at(-1)?.step ?? 0
        const level = isDistance ? klLevel(points, [END * last, last]) : null
        return level === null ? [] : [[id, level] as const]
      }),
    )
  } catch (error) {
    // Trials that log no KL, or in several ways, have none that could be within.
    if (error instanceof Problem) return new Map()
    throw error
  }
}

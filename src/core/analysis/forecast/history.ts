import { median } from '../../../stats/descriptive.js'
import { readSeries, type SeriesPoints } from '../../store/series.js'
import { loadVocabulary } from '../../store/vocabulary.js'
import type { Workspace } from '../../store/workspace.js'
import { isSameExperiment, workspaceRuns } from '../compare/workspace-noise.js'
import { settingKey } from '../confounds.js'
import { plannedEnd } from '../growing.js'
import type { RunView } from '../run-view.js'
import type { EvaluatedCurve, FinishedCurve } from './forecast.js'

/** What the workspace has seen of an experiment: its other runs, with all their evaluations. */
export interface SeenRun extends FinishedCurve {
  readonly run: RunView
}

/** Fewer evaluations are no curve. */
export const FEWEST_EVALUATIONS = 2

/** Other runs of the same experiment. Whether they have ended does not matter, once they have come to the step in question. */
export async function runsOfExperiment(
  workspace: Workspace,
  run: RunView,
  metric: string,
): Promise<readonly SeenRun[]> {
  const known = await workspaceRuns(workspace, await loadVocabulary(workspace), metric)
  const { id } = run.manifest
  const others = known
    .map(each => each.run)
    .filter(({ manifest }) => manifest.id !== id && manifest.duplicateOf !== id)
    .filter(other => isSameExperiment(other, [run]))
  const seen: SeenRun[] = []
  // One after the other: hundreds of queries at once would need a connection each.
  for (const other of others) {
    const curve = curveOf((await readSeries(other, [metric])).get(metric))
    if (curve.steps.length >= FEWEST_EVALUATIONS) seen.push({ ...curve, setting: settingOf(other), run: other })
  }
  return seen
}

export function curveOf(points: SeriesPoints | undefined): EvaluatedCurve {
  const kept = Array.from(points?.steps ?? [], (step, i) => ({ step, value: points?.values[i] ?? Number.NaN })).filter(
    ({ value }) => Number.isFinite(value),
  )
  return { steps: kept.map(({ step }) => step), values: kept.map(({ value }) => value) }
}

export function settingOf(run: RunView): string {
  return settingKey(run) ?? run.manifest.id
}

/** A run that was evaluated within a tenth of the end has come to it. */
const NEAR_END = 0.9

export function reaches(steps: readonly number[], until: number): boolean {
  return (steps.at(-1) ?? 0) >= NEAR_END * until
}

const FEWEST_TO_AGREE = 3

/**
 * The last step of a training: as it is planned, else the one at which most other runs were last evaluated, since logs that
 * tell no plan and no end still agree on it; null where they do not.
 */
export function endOf(run: RunView, others: readonly EvaluatedCurve[]): number | null {
  const planned = plannedEnd(run)
  if (planned !== null) return planned
  const ends = others.map(({ steps }) => steps[steps.length - 1])
  const end = ends.length < FEWEST_TO_AGREE ? null : median(ends)
  return end !== null && ends.filter(each => each === end).length * 2 > ends.length ? end : null
}

import type { Workspace } from '../store/workspace.js'
import type { PlannedStudy } from '../study/plan/plan-study.js'
import type { StudyTrial } from '../study/plan/trials.js'
import { cellsOf } from '../study/status/cells.js'
import { evaluateTrials } from './evaluate-trials.js'
import type { Asking } from './question.js'
import type { TrainedTrials } from './study-dropping.js'
import { costOf } from './study-status.js'
import { type AskedTrials, type TrialEvent, trainTrials } from './study-train.js'

/** What came of wanting trials: those that were trained for it, and how many of them are not there. */
export interface Purchase {
  readonly trials: readonly string[]
  readonly missing: number
  readonly stopped: TrainedTrials['stopped']
}

/**
 * Trains what is missing of these trials, as far as the budget of the study goes, and scores it where an evaluation is what
 * the study judges by. `counted`: all trials that the budget has been spent on, these included.
 */
export async function buyTrials(
  workspace: Workspace,
  study: PlannedStudy,
  trials: readonly StudyTrial[],
  { counted, ...asked }: Omit<AskedTrials, 'hoursSpent'> & { readonly counted: readonly StudyTrial[] },
  asking: Asking<TrialEvent>,
): Promise<Purchase> {
  const { budget } = study.file
  const wanted = (await cellsOf(workspace, study, trials)).filter(({ state }) => state !== 'done')
  if (wanted.length === 0) return { trials: [], missing: 0, stopped: null }
  const spent = costOf(await cellsOf(workspace, study, counted))
  const begun = wanted.filter(({ runs }) => runs.length > 0).length
  if (budget.trials !== null && spent.trials + wanted.length - begun > budget.trials) {
    return { trials: [], missing: wanted.length, stopped: 'out-of-budget' }
  }
  const missing = wanted.map(({ trial }) => trial)
  const { stopped } = await trainTrials(workspace, study, missing, { ...asked, hoursSpent: spent.hours }, asking)
  if (study.primary !== null) {
    const { signal, remark } = asking
    const quietly = { ...(signal !== undefined && { signal }), ...(remark !== undefined && { remark }) }
    await evaluateTrials(workspace, study, missing, asked.lang, quietly)
  }
  return { trials: missing.map(({ name }) => name), missing: stopped === null ? 0 : wanted.length, stopped }
}

import type { Workspace } from '../store/workspace.js'
import { type Drop, readDrops } from '../study/drop/ledger.js'
import type { PlannedStudy } from '../study/plan/plan-study.js'
import { type StudyTrial, seedsOf, trialsOf } from '../study/plan/trials.js'
import { cellsOf } from '../study/status/cells.js'
import { epochsOf } from '../train/config/any.js'
import { dropHopeless } from './study-drop.js'

export interface TrainedTrials {
  /** How many were finished before and left out. */
  readonly known: number
  readonly stopped: 'asked' | 'out-of-budget' | null
}

/**
 * A study whose hopeless arms are dropped on the way: all trials come to the first look, what is hopeless there is left,
 * the others go on to the next. What that saves may buy fresh seeds for the baseline and all arms that are left.
 */
export async function trainWithDrops(
  workspace: Workspace,
  study: PlannedStudy,
  train: (trials: readonly StudyTrial[]) => Promise<TrainedTrials>,
  tell: (drop: Drop) => void,
): Promise<TrainedTrials> {
  const { drop, seeds } = study.file
  const left = async (): Promise<readonly StudyTrial[]> => {
    const dropped = new Set((await readDrops(workspace, study.name)).map(({ arm }) => arm))
    return study.trials.filter(({ arm }) => !dropped.has(arm.name))
  }
  if (drop === 'none') return train(await left())
  let known = 0
  for (const share of drop.at) {
    const cells = await cellsOf(workspace, study, await left())
    const behind = cells.flatMap(({ trial, state, n }) => {
      if (trial.program !== null) return []
      const pauseAfter = Math.max(1, Math.round(share * epochsOf(trial.config)))
      const isThere = state === 'done' || n >= Math.floor(pauseAfter / trial.config.eval.every)
      return isThere ? [] : [{ ...trial, pauseAfter }]
    })
    if (behind.length > 0) {
      const trained = await train(behind)
      known += trained.known
      if (trained.stopped !== null) return { ...trained, known }
    }
    for (const one of await dropHopeless(workspace, study, share)) tell(one)
  }
  const trained = await train(await left())
  if (trained.stopped !== null || drop.fresh === 0) return { ...trained, known: known + trained.known }
  const fresh = await freshTrials(workspace, study, seeds.length)
  const more = fresh.length === 0 ? { known: 0, stopped: null } : await train(fresh)
  return { known: known + trained.known + more.known, stopped: more.stopped }
}

/** As many for each as the saving pays, two at least: one alone has no scatter to be tested by. */
async function freshTrials(
  workspace: Workspace,
  { name, arms, file: { seeds, drop } }: PlannedStudy,
  planned: number,
): Promise<readonly StudyTrial[]> {
  const drops = await readDrops(workspace, name)
  const saved = drops.reduce((sum, { evidence }) => sum + planned * (1 - (evidence?.share ?? 1)), 0)
  const dropped = new Set(drops.map(({ arm }) => arm))
  const left = arms.filter(arm => !dropped.has(arm.name))
  const each = Math.min(drop === 'none' ? 0 : drop.fresh, Math.floor(saved / left.length))
  return each < 2 ? [] : trialsOf(name, left, seedsOf(seeds, planned + each).slice(planned))
}

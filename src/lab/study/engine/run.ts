import { epochsOf } from '../../train/config/any.js'
import { costOf } from '../cell.js'
import { dropHopeless, pilotsAt } from '../drop.js'
import { readDropLedger, readDropped } from '../ledger.js'
import type { PlannedStudy } from '../plan/plan-study.js'
import { readCells } from '../status/status.js'
import { seedsOf, type Trial, trialsOf } from '../trial.js'
import { type StudyEngine, withStudyLease } from './engine.js'
import { type EvaluatedTrials, evaluateTrials } from './evaluate.js'
import { type TrainedTrials, trainTrials } from './train.js'

/** Trains and evaluates what a study plans and the workspace does not have yet. Started again, it goes on where it was. */
export async function runStudy(engine: StudyEngine): Promise<TrainedTrials & EvaluatedTrials> {
  const { workspace, plan } = engine
  return withStudyLease(workspace, plan, async () => {
    const trained = await trainPlanned(engine)
    return { ...trained, ...(await evaluateTrials(engine, plan.trials)) }
  })
}

/**
 * A study whose hopeless arms are dropped on the way: all trials come to the first look, what is hopeless there is left,
 * the others go on to the next. Where no finished run tells how far one still comes, baseline and leader are finished
 * first. What dropping saves may pay for fresh seeds of the baseline and all arms that are left.
 */
async function trainPlanned(engine: StudyEngine): Promise<TrainedTrials> {
  const { workspace, plan, onEvent } = engine
  const { drop } = plan.file
  const train = async (trials: readonly Trial[]): Promise<TrainedTrials> =>
    trainTrials(engine, trials, costOf(await readCells(workspace, plan, plan.trials)).hours)
  const left = async (): Promise<readonly Trial[]> => {
    const dropped = await readDropped(workspace, plan.name)
    return plan.trials.filter(({ arm }) => !dropped.has(arm.name))
  }
  if (drop === 'none') return train(await left())
  let known = 0
  for (const share of drop.at) {
    const cells = await readCells(workspace, plan, await left())
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
    const pilots = await pilotsAt(workspace, plan, share)
    if (pilots.length > 0) {
      const trained = await train((await left()).filter(({ arm }) => pilots.includes(arm.name)))
      known += trained.known
      if (trained.stopped !== null) return { ...trained, known }
    }
    for (const dropped of await dropHopeless(workspace, plan, share)) onEvent({ event: 'drop', drop: dropped })
  }
  const trained = await train(await left())
  if (trained.stopped !== null || drop.fresh === 0) return { ...trained, known: known + trained.known }
  const fresh = await freshTrials(engine, plan, drop.fresh)
  const more = fresh.length === 0 ? { known: 0, stopped: null } : await train(fresh)
  return { known: known + trained.known + more.known, stopped: more.stopped }
}

/** As many for each as the saving pays, two at least: one alone has no scatter to be tested by. */
async function freshTrials(
  { workspace }: StudyEngine,
  { name, arms, file: { seeds } }: PlannedStudy,
  most: number,
): Promise<readonly Trial[]> {
  const { drops } = await readDropLedger(workspace, name)
  const saved = drops.reduce((sum, { evidence }) => sum + seeds.length * (1 - (evidence?.share ?? 1)), 0)
  const left = arms.filter(arm => !drops.some(drop => drop.arm === arm.name))
  const each = Math.min(most, Math.floor(saved / left.length))
  return each < 2 ? [] : trialsOf(name, left, seedsOf(seeds, seeds.length + each).slice(seeds.length))
}

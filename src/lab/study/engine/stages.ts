import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Lease, takeLease } from '../../../core/store/lease.js'
import { cacheFolder, type Workspace } from '../../../core/store/workspace.js'
import { Problem } from '../../../logs/model/problem.js'
import type { Message } from '../../../logs/model/run.js'
import { sentences } from '../../../text/sentences.js'
import type { PlannedTraining } from '../../train/sweep/grid.js'
import type { Outcome } from '../events.js'
import type { PlannedStudy } from '../plan/plan-study.js'
import { readStatus } from '../status/status.js'
import type { BuiltinTrial, StudyStage } from '../trial.js'

/**
 * Trains what trials start from before it trains them: stages that start from nothing, then those that start from these,
 * then the trials. A stage that is finished anywhere in the workspace is left as it is; one that failed holds up only
 * what starts from it.
 */

const say = sentences({
  'study.run.stage-failed': {
    en: 'the stage {stage} it starts from is missing: {reasons}',
    zh: '作为其起点的阶段 {stage} 尚不可用：{reasons}',
  },
  'study.run.no-checkpoint': {
    en: 'its last checkpoint cannot be read',
    zh: '其最后的检查点无法读取',
  },
})

interface TrainedStages {
  /** Trainings of the trials that can be trained now, by trial id, each with the checkpoint that it starts from. */
  readonly ready: ReadonlyMap<string, PlannedTraining>
  /** Why the others cannot. */
  readonly blocked: ReadonlyMap<BuiltinTrial, Message>
}

/** `train` returns when these have ended, or were asked to stop, and has put their outcomes by. */
export async function trainStages(
  { workspace, plan }: { readonly workspace: Workspace; readonly plan: PlannedStudy },
  trials: readonly BuiltinTrial[],
  train: (trainings: ReadonlyMap<string, PlannedTraining>) => Promise<void>,
  outcomes: ReadonlyMap<string, Outcome>,
  signal: AbortSignal,
): Promise<TrainedStages> {
  const stagesNow = async (): Promise<readonly StudyStage[]> => (await readStatus(workspace, plan, trials)).stages
  let stages = await stagesNow()
  const isReady = ({ start, state }: StudyStage): boolean =>
    state !== 'done' && (start === null || start.checkpoint !== null)
  // Each round trains what the one before has made possible; a stage that failed is tried once.
  const tried = new Set<string>()
  while (!signal.aborted) {
    const ready = stages.filter(stage => isReady(stage) && !tried.has(stage.id))
    if (ready.length === 0) break
    const leases = await leaseFree(workspace, ready)
    try {
      // Another process may just have finished one.
      stages = await stagesNow()
      const own = stages.filter(stage => isReady(stage) && leases.has(stage.id))
      for (const id of leases.keys()) tried.add(id)
      await train(new Map(own.map(stage => [stage.id, trainingOf(stage, stage.runName, stage.start)])))
    } finally {
      await Promise.all([...leases.values()].map(lease => lease.release()))
    }
    if (leases.size === 0) await pause(SOON_MS, undefined, { signal }).catch(() => {})
    stages = await stagesNow()
  }
  const byId = new Map(stages.map(stage => [stage.id, stage]))
  const ready = new Map<string, PlannedTraining>()
  const blocked = new Map<BuiltinTrial, Message>()
  for (const trial of trials) {
    const start = trial.start === null ? null : (byId.get(trial.start.id) ?? null)
    if (start !== null && start.checkpoint === null) blocked.set(trial, missingStage(start, outcomes))
    else {
      const { pauseAfter } = trial
      ready.set(trial.id, {
        ...trainingOf(trial, trial.name, start),
        ...(pauseAfter !== undefined && { pauseAfter }),
      })
    }
  }
  return { ready, blocked }
}

const SOON_MS = 1000

/** Two studies that need one stage at the same time train it once: of these, those that nothing else is training. */
async function leaseFree(workspace: Workspace, stages: readonly StudyStage[]): Promise<ReadonlyMap<string, Lease>> {
  const leases = new Map<string, Lease>()
  for (const { id } of stages) {
    const folder = join(cacheFolder(workspace), 'stages', id.slice(0, 24))
    await mkdir(folder, { recursive: true })
    try {
      leases.set(id, await takeLease(folder, 'train'))
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'busy')) throw error
    }
  }
  return leases
}

function trainingOf({ config }: Pick<BuiltinTrial, 'config'>, name: string, start: StudyStage | null): PlannedTraining {
  return { config: { ...config, name }, name, from: start?.checkpoint?.path ?? null }
}

function missingStage(stage: StudyStage, outcomes: ReadonlyMap<string, Outcome>): Message {
  const { start, state, id } = stage
  const reasons =
    state === 'done'
      ? [say('study.run.no-checkpoint', {})]
      : start !== null && start.checkpoint === null
        ? [missingStage(start, outcomes)]
        : outcomes.get(id)?.reasons.join(' ') || state
  return say('study.run.stage-failed', { stage: `${stage.stage}/seed${stage.seed}`, reasons })
}

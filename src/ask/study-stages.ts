import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { Problem } from '../model/problem.js'
import type { Message } from '../model/run.js'
import { type Lease, takeLease } from '../store/lease.js'
import { cacheFolder, type Workspace } from '../store/workspace.js'
import type { PlannedStudy } from '../study/plan/plan-study.js'
import type { BuiltinTrial, StudyTrial } from '../study/plan/trials.js'
import type { StageStand } from '../study/status/cell.js'
import { studyStand } from '../study/status/cells.js'
import { sentences } from '../text/sentences.js'
import type { Trial } from '../train/sweep/grid.js'

/**
 * Trains what trials start from before it trains them: stages that start from nothing, then those that start from these,
 * then the trials. A stage that is finished anywhere in the workspace is left as it is; one that failed holds up only
 * what starts from it.
 */

const say = sentences({
  'study.run.stage-failed': {
    en: 'the stage {stage} that it starts from is not there: {reasons}',
    zh: '作为其起点的阶段 {stage} 尚不可用：{reasons}',
  },
  'study.run.no-checkpoint': {
    en: 'its last checkpoint cannot be read',
    zh: '其最后的检查点无法读取',
  },
})

export interface TrainedStages {
  /** Those that can be trained now, each with the checkpoint that it starts from. */
  readonly trials: readonly Trial[]
  /** Why the others cannot, by trial. */
  readonly held: ReadonlyMap<StudyTrial, Problem>
}

/** `train` trains these and returns when they have ended, or were asked to stop; `reasonOf`: why one of that name failed. */
export async function trainStages(
  workspace: Workspace,
  study: PlannedStudy,
  trials: readonly BuiltinTrial[],
  train: (stages: readonly Trial[]) => Promise<unknown>,
  reasonOf: (name: string) => readonly string[],
  signal: AbortSignal,
): Promise<TrainedStages> {
  const standNow = async (): Promise<readonly StageStand[]> => (await studyStand(workspace, study, trials)).stages
  let stages = await standNow()
  const isReady = ({ start, state }: StageStand): boolean =>
    state !== 'done' && (start === null || start.checkpoint !== null)
  // Each round trains what the one before has made possible; a stage that failed is tried once.
  const tried = new Set<string>()
  while (!signal.aborted) {
    const ready = stages.filter(stand => isReady(stand) && !tried.has(stand.stage.id))
    if (ready.length === 0) break
    const held = await holdFree(workspace, ready)
    try {
      // Whoever held one before may just have finished it.
      stages = await standNow()
      const own = stages.filter(stand => isReady(stand) && held.has(stand.stage.id))
      for (const id of held.keys()) tried.add(id)
      if (own.length > 0) await train(own.map(({ stage, runName, start }) => trialOf(stage, runName, start)))
    } finally {
      await Promise.all([...held.values()].map(lease => lease.release()))
    }
    if (held.size === 0) await pause(SOON_MS, undefined, { signal }).catch(() => {})
    stages = await standNow()
  }
  const byId = new Map(stages.map(stand => [stand.stage.id, stand]))
  const held = new Map<StudyTrial, Problem>()
  const ready = trials.flatMap(trial => {
    const start = trial.start === null ? null : (byId.get(trial.start.id) ?? null)
    if (start === null || start.checkpoint !== null) {
      const { pauseAfter } = trial
      return [{ ...trialOf(trial, trial.name, start), ...(pauseAfter !== undefined && { pauseAfter }) }]
    }
    held.set(trial, new Problem('not-enough', stageMissing(start, reasonOf)))
    return []
  })
  return { trials: ready, held }
}

const SOON_MS = 1000

/** Two studies that need one stage at the same time train it once: of these, those that nobody else is training. */
async function holdFree(workspace: Workspace, stages: readonly StageStand[]): Promise<ReadonlyMap<string, Lease>> {
  const held = new Map<string, Lease>()
  for (const { stage } of stages) {
    const folder = join(cacheFolder(workspace), 'stages', stage.id.slice(0, 24))
    await mkdir(folder, { recursive: true })
    try {
      held.set(stage.id, await takeLease(folder, 'train'))
    } catch (error) {
      if (!(error instanceof Problem && error.code === 'busy')) throw error
    }
  }
  return held
}

function trialOf({ config }: Pick<BuiltinTrial, 'config'>, name: string, start: StageStand | null): Trial {
  return { config: { ...config, name }, name, from: start?.checkpoint?.path ?? null }
}

function stageMissing(stand: StageStand, reasonOf: (name: string) => readonly string[]): Message {
  const { stage, start, runName, state } = stand
  const reasons =
    state === 'done'
      ? [say('study.run.no-checkpoint', {})]
      : start !== null && start.checkpoint === null
        ? [stageMissing(start, reasonOf)]
        : reasonOf(runName).join(' ') || state
  return say('study.run.stage-failed', { stage: `${stage.stage}/seed${stage.seed}`, reasons })
}

import type { Message } from '../../model/run.js'
import type { PlannedCondition } from '../evaluations/plan-evaluations.js'
import type { EvaluationRecord } from '../evaluations/records.js'
import type { Suspicion } from '../lineage/suspicion.js'
import type { StudyTrial } from '../plan/trials.js'
import type { StageTrial } from '../stages/plan-stages.js'
import type { ResultCheckpoint } from './results.js'

/** How each trial of a study stands, from the runs of the workspace: nothing is kept that could disagree with them. */
export interface Cell {
  readonly trial: StudyTrial
  readonly state: CellState
  /** The first is the one that counts: finished, and the newest. */
  readonly runs: readonly string[]
  readonly checkpoint: ResultCheckpoint | null
  /** The last evaluation of the study's metric; null until the trial is done. */
  readonly value: number | null
  /** How many evaluations of it the run has. */
  readonly n: number
  /** Why its figure should not be taken as it is. */
  readonly suspicious: readonly Suspicion[]
  readonly seconds: number
  /** Why it failed, where that is known. */
  readonly reasons: readonly string[]
  /** The stage that it starts from. */
  readonly start: StageStand | null
}

/** `missing`: it was trained and its run does not have the metric. `dropped`: its arm was, before it was done. What was interrupted is pending: it will be resumed. */
export type CellState = 'done' | 'running' | 'pending' | 'failed' | 'missing' | 'dropped'

/** How a stage stands; trials of several arms, and of other studies, may rest on it. */
export interface StageStand {
  readonly stage: StageTrial
  readonly state: Exclude<CellState, 'missing' | 'dropped'>
  /** What its run is called: by its first name, whichever study gave it. */
  readonly runName: string
  readonly runs: readonly string[]
  /** Its last, which is what is started from; null until it is done. */
  readonly checkpoint: ResultCheckpoint | null
  readonly seconds: number
  readonly reasons: readonly string[]
  readonly start: StageStand | null
}

/** A trial under a condition at a checkpoint, with its score or why there is none. */
export interface EvaluationCell {
  readonly trial: StudyTrial
  readonly condition: PlannedCondition
  readonly state: CellState
  /** Null where it is not known yet. */
  readonly step: number | null
  readonly checkpoint: ResultCheckpoint | null
  /** The run of the trial. */
  readonly run: string | null
  readonly record: EvaluationRecord | null
  /** Null unless every sample has a score: the mean of those that came through would favour what fails on hard ones. */
  readonly value: number | null
  readonly suspicious: readonly Suspicion[]
  /** Why there is no score. */
  readonly reasons: readonly Message[]
}

export interface StudyStand {
  readonly cells: readonly Cell[]
  /** Those that the trials rest on, each once. */
  readonly stages: readonly StageStand[]
  readonly evaluations: readonly EvaluationCell[]
  /** Manifests that cannot be read: any of them may be that of a trial. */
  readonly damaged: readonly string[]
}

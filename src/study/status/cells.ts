import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { groupBy } from '../../model/util/group-by.js'
import { writeFileAtomically } from '../../store/atomic.js'
import { listRuns, type RunEntry } from '../../store/catalogue.js'
import { trainerOf } from '../../store/lease.js'
import { runFolder, type Workspace } from '../../store/workspace.js'
import { type AdoptedRun, readAdopted } from '../adopt/adopted.js'
import { adoptionSuspicions } from '../adopt/suspicions.js'
import { readDrops } from '../drop/ledger.js'
import { lastCheckpoint } from '../engine/last-checkpoint.js'
import { trialFolder } from '../engine/trial-folder.js'

import { evaluationCells } from '../evaluations/matrix.js'
import type { PlannedCondition } from '../evaluations/plan-evaluations.js'
import { judgedBy, metricInTraining } from '../evaluations/primary.js'
import { readRecords } from '../evaluations/records.js'
import { studyFolder } from '../file/kept-file.js'
import type { ReadStudy } from '../file/read.js'
import { acknowledgementKey, readAcknowledged } from '../lineage/acknowledged.js'
import type { NewSuspicion, Suspicion } from '../lineage/suspicion.js'
import { evaluationSuspicions } from '../lineage/suspicious-evaluations.js'
import { trialSuspicions } from '../lineage/suspicious-trials.js'
import type { StudyTrial } from '../plan/trials.js'
import { type StageTrial, stagesBehind } from '../stages/plan-stages.js'
import type { Cell, EvaluationCell, StageStand, StudyStand } from './cell.js'
import { type ResultCheckpoint, type ResultNeeds, type RunResult, runResults } from './results.js'
import { candidateRuns, trialRuns } from './trial-runs.js'

/** How a study stands, worked out from the runs of the workspace and from what was evaluated. */

/** What of a planned study decides how it stands. */
export interface StandingStudy extends Pick<ReadStudy, 'name' | 'file'> {
  /** By arm. */
  readonly conditions: ReadonlyMap<string, readonly PlannedCondition[]>
  /** By arm, what it is judged by; null: the validation in training. */
  readonly primary: ReadonlyMap<string, PlannedCondition> | null
}

export async function cellsOf(
  workspace: Workspace,
  study: StandingStudy,
  trials: readonly StudyTrial[],
): Promise<readonly Cell[]> {
  return (await studyStand(workspace, study, trials)).cells
}

export async function studyStand(
  workspace: Workspace,
  study: StandingStudy,
  trials: readonly StudyTrial[],
): Promise<StudyStand> {
  const { entries, damaged } = await listRuns(workspace)
  const adopted = await readAdopted(workspace, study.name)
  const candidates = candidateRuns(entries, trials, adopted)
  const results = await runResults(workspace, study.name, candidates, needsOf(study))
  const runs = trialRuns(candidates, trials, results, adopted)
  const failures = await readFailures(workspace, study.name)

  const stages = new Map<string, StageStand>()
  for (const stage of stagesBehind(trials)) {
    const start = stage.start === null ? null : (stages.get(stage.start.id) ?? null)
    stages.set(stage.id, await stageStand(workspace, stage, runs.ofStage(stage), results, { failures, start }))
  }
  const dropped = new Set((await readDrops(workspace, study.name)).map(({ arm }) => arm))
  const cells: Cell[] = []
  for (const trial of trials) {
    const start = trial.start === null ? null : (stages.get(trial.start.id) ?? null)
    const around = { failures, start, adopted: adopted[trial.id] }
    const cell = await trialCell(workspace, trial, runs.ofTrial(trial), results, around)
    const isLeft = dropped.has(trial.arm.name) && (cell.state === 'pending' || cell.state === 'failed')
    cells.push(isLeft ? { ...cell, state: 'dropped' } : cell)
  }
  const records = Object.keys(study.file.evaluations).length === 0 ? [] : await readRecords(workspace, study.name)
  const evaluated = evaluationCells(cells, study.conditions, results, records)
  const acknowledged = new Map(
    (await readAcknowledged(workspace, study.name)).map(each => [acknowledgementKey(each), each]),
  )
  const answered = (trial: StudyTrial, found: readonly NewSuspicion[]): readonly Suspicion[] =>
    found.map(each => ({
      ...each,
      acknowledged: acknowledged.get(acknowledgementKey({ trial: trial.id, ...each })) ?? null,
    }))
  const ofTrials = await trialSuspicions(cells, results)
  const ofAdoption = cells.map(({ trial }) => adoptionSuspicions(adopted[trial.id]))
  const ofEvaluations = evaluationSuspicions(evaluated)
  const evaluations = evaluated.map((cell, i) => ({ ...cell, suspicious: answered(cell.trial, ofEvaluations[i]) }))
  const trained = cells.map((cell, i) => ({
    ...cell,
    suspicious: answered(cell.trial, [...ofTrials[i], ...ofAdoption[i]]),
  }))
  return { cells: judged(study, trained, evaluations), stages: [...stages.values()], evaluations, damaged }
}

function judged(
  { primary }: StandingStudy,
  cells: readonly Cell[],
  evaluations: readonly EvaluationCell[],
): readonly Cell[] {
  if (primary === null) return cells
  const deciding = evaluations.filter(({ trial, condition }) => primary.get(trial.arm.name)?.hash === condition.hash)
  const byTrial = groupBy(deciding, ({ trial }) => trial.id)
  return cells.map(cell => judgedBy(cell, byTrial.get(cell.trial.id) ?? []))
}

/** Headers of all checkpoints are only read where an evaluation asks for more than the last. */
function needsOf(study: StandingStudy): ResultNeeds {
  const { file, conditions } = study
  const wanted = [...conditions.values()].flat().map(({ checkpoints }) => checkpoints)
  return {
    ...{ metric: metricInTraining(study), direction: file.direction },
    all: wanted.some(which => which === 'all' || typeof which === 'object'),
    best: wanted.includes('best'),
    chosen: wanted.includes('chosen'),
  }
}

type Results = ReadonlyMap<string, RunResult>
type Around<Start> = { readonly failures: Failures; readonly start: Start }

async function trialCell(
  workspace: Workspace,
  trial: StudyTrial,
  runs: readonly RunEntry[],
  results: Results,
  { failures, start, adopted }: Around<StageStand | null> & { readonly adopted: AdoptedRun | undefined },
): Promise<Cell> {
  const run = runs.at(0)
  const result = run === undefined ? undefined : results.get(run.id)
  const figure = result?.figure ?? null
  const reasons = failures[trial.id] ?? []
  // Of what was made elsewhere nobody can tell more than that it has ended.
  const isAdopted = run !== undefined && run.id === adopted?.run
  const trained = isAdopted ? 'done' : await trainingState(workspace, run, reasons)
  const state =
    trained !== 'done'
      ? trained
      : figure === null
        ? 'missing'
        : isFaulty(trial, reasons) && !isAdopted
          ? 'failed'
          : trained
  const isDone = state === 'done'
  return {
    trial,
    state,
    runs: runs.map(({ id }) => id),
    checkpoint: isAdopted ? adoptedCheckpoint(adopted, result) : checkpointOf(workspace, trial, result),
    value: isDone ? (figure?.last ?? null) : null,
    n: figure?.n ?? 0,
    suspicious: [],
    seconds: trial.program === null ? secondsOf(runs, results) : programSeconds(runs),
    reasons: isDone ? [] : reasons,
    start,
  }
}

/** A program may have ended well and left no checkpoint where the study expects one. */
function isFaulty({ program }: StudyTrial, reasons: readonly string[]): boolean {
  return program !== null && reasons.length > 0
}

function checkpointOf(
  workspace: Workspace,
  { program, arm, seed, id }: StudyTrial,
  result: RunResult | undefined,
): ResultCheckpoint | null {
  if (program === null) return result?.checkpoints.at(-1) ?? null
  return lastCheckpoint(trialFolder(workspace, program.study, { arm: arm.name, seed, id }))
}

function adoptedCheckpoint({ checkpoint }: AdoptedRun, result: RunResult | undefined): ResultCheckpoint | null {
  return checkpoint === null ? (result?.checkpoints.at(-1) ?? null) : { ...checkpoint, settings: null, run: null }
}

function programSeconds(runs: readonly RunEntry[]): number {
  return runs.reduce(
    (sum, { startedAt, endedAt }) => sum + Math.max(0, (endedAt ?? 0) - (startedAt ?? endedAt ?? 0)),
    0,
  )
}

async function stageStand(
  workspace: Workspace,
  stage: StageTrial,
  runs: readonly RunEntry[],
  results: Results,
  { failures, start }: Around<StageStand | null>,
): Promise<StageStand> {
  const run = runs.at(0)
  const reasons = failures[stage.id] ?? []
  const state = await trainingState(workspace, run, reasons)
  const isDone = state === 'done' && run !== undefined
  return {
    stage,
    state,
    runName: run?.name ?? stage.name,
    runs: runs.map(({ id }) => id),
    checkpoint: isDone ? (results.get(run.id)?.checkpoints.at(-1) ?? null) : null,
    seconds: secondsOf(runs, results),
    reasons: isDone ? [] : reasons,
    start,
  }
}

async function trainingState(
  workspace: Workspace,
  run: RunEntry | undefined,
  reasons: readonly string[],
): Promise<StageStand['state']> {
  if (run?.status === 'finished') return 'done'
  if (run?.status === 'failed') return 'failed'
  if (run !== undefined && (await trainerOf(runFolder(workspace, run.id), WRITING)) !== null) return 'running'
  return reasons.length > 0 ? 'failed' : 'pending'
}

/** Whoever trains it, or follows the program that does. */
const WRITING = ['train', 'follow'] as const

function secondsOf(runs: readonly RunEntry[], results: Results): number {
  return runs.reduce((sum, { id }) => sum + (results.get(id)?.seconds ?? 0), 0)
}

/** By trial or stage, in the words of whoever ran it. */
export type Failures = { readonly [trial: string]: readonly string[] }

const failuresSchema = z.record(z.string(), z.array(z.string()))

function failuresPath(workspace: Workspace, study: string): string {
  return join(studyFolder(workspace, study), 'failed.json')
}

/** Of trials that ended before there was a run that could tell. */
async function readFailures(workspace: Workspace, study: string): Promise<Failures> {
  try {
    return failuresSchema.parse(JSON.parse(await readFile(failuresPath(workspace, study), 'utf8')))
  } catch {
    return {}
  }
}

/** Those of the last attempt: what is tried again and succeeds has not failed. */
export async function keepFailures(workspace: Workspace, study: string, failures: Failures): Promise<void> {
  await mkdir(studyFolder(workspace, study), { recursive: true })
  await writeFileAtomically(failuresPath(workspace, study), `${JSON.stringify(failures)}\n`)
}
